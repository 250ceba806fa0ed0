"""Reads a recorded run of a Python program, after docs/trail-format.md and nothing else.

`read(bytes)` gives the calls of the run in the order in which they began, each a `Call` with everything that was recorded of
it. Values are plain structures, which can be compared, sorted by their `repr` and printed:

    7                                      an integer
    ("float", "0x1.8p+0")                  a floating-point number, exactly
    ("constant", "None")                   None, True, False, Ellipsis, NotImplemented
    ("str", "text", 4)                     the characters that were kept, and how many there are in all
    ("bytes", b"ab", 2)                    the same of bytes
    ("list", (1, 2))                       also "tuple", and "set" and "frozenset", whose elements are sorted
    ("dict", ((key, value), ...))          in the dictionary's order
    ("object", "P", (("n", 1),))           an object of a class, with its fields
    ("con", "ValueError", (1,))            an exception with its arguments, or an object without fields
    ("function", "f"), ("class", "C")      by their names
    ("method", of, function)               a bound method
    ("opaque", "generator")                something that only has the name of its type
    ("written", "range(0, 3)")             what a type of the library writes of itself
    ("omitted", 3)                         what was cut off: so many elements, or 0 for something as a whole
    ("missing",)                           a variable without a value

The reader believes the file: it does not compute checksums, which the tests of the crate `trail` do. But what it reads must be as
the document says, or it raises `Malformed`."""
import struct


class Malformed(Exception):
    """The file is not as docs/trail-format.md says."""


class Call:
    """A call. `parent` is the number of the call that made it, counted from 0, or None."""

    def __init__(self, parent, name, arguments):
        self.parent = parent
        self.name = name
        # Names and values: parameters, then variables of the functions around.
        self.arguments = arguments
        # Name, value before, value after.
        self.changes = []
        # What happened to a generator: ("yielded" or "sent" or "thrown" or "failed", value), in order.
        self.progress = []
        # What became of the call: ("became" or "raised", value), or ("unfinished",). Of a generator there may be several.
        self.outcomes = []
        # Whether more of it may be left out than of others; only the slow recorder knows.
        self.is_short = False


def read(data):
    """The calls of a run."""
    return calls(Document(data))


# Kinds of rows, as the document numbers them.
CALL, CONSTRUCT, INTEGER, DOUBLE = 0, 3, 6, 7
BECAME, RAISED, UNFINISHED, PERFORMED, CHANGED = 16, 17, 18, 19, 23
OUTCOMES = {BECAME: "became", RAISED: "raised", UNFINISHED: "unfinished"}
# What a row about a generator tells, by its first number.
PROGRESS = {0: "sent", 1: "thrown", 2: "failed"}
NODE, INT, CONSTRUCTOR, DOUBLE_WORD = 0, 1, 3, 5


def calls(document):
    found, numbers = [], {}
    values = Values(document)
    for number, (shape, parent, references) in enumerate(document.nodes, 1):
        what, _, function, _, _ = document.shapes[shape]
        if what != CALL:
            continue
        function = document.functions[function]
        numbers[number] = len(found)
        given = [values.value(reference) for reference in references]
        found.append(Call(numbers.get(parent), function.name, tuple(zip(function.parameters, given))))
    for shape, node, references in document.told:
        if node not in numbers:
            raise Malformed(f"something is told of node {node}, which is no call")
        call = found[numbers[node]]
        parameters = [name for name, _ in call.arguments]
        tell(call, document.shapes[shape][0], parameters, document.names, [values.value(one) for one in references])
    return found


def tell(call, what, parameters, names, given):
    if what == CHANGED:
        which, before, after = given
        call.changes.append((parameters[which] if which >= 0 else names[-1 - which], before, after))
    elif what == PERFORMED:
        call.progress.append(("yielded", given[0]) if len(given) == 1 else (PROGRESS[given[0]], given[1]))
    elif what in OUTCOMES:
        call.outcomes.append((OUTCOMES[what], *given))


class Values:
    """Makes plain structures of rows. Rows do not change, so each is read once."""

    def __init__(self, document):
        self.document = document
        self.known = {}

    def value(self, word):
        kind, rest = word & 7, word >> 3
        if kind == NODE:
            if rest not in self.known:
                self.known[rest] = self.node(rest)
            return self.known[rest]
        if kind == INT:
            return rest - (1 << 61) if rest >> 60 else rest
        if kind == CONSTRUCTOR:
            return self.constructed(rest, [])
        if kind == DOUBLE_WORD:
            bits = 0 if rest < 2 else (rest >> 1) + (7 << 59)
            return floating(bits | (rest & 1) << 63)
        raise Malformed(f"a value is the word {word:#x}")

    def node(self, number):
        if not 0 < number <= len(self.document.nodes):
            raise Malformed(f"a value is node {number}, which is not there")
        shape, _, references = self.document.nodes[number - 1]
        what, _, constructor, _, _ = self.document.shapes[shape]
        if what == CONSTRUCT:
            return self.constructed(constructor, references)
        parts = [self.value(reference) for reference in references]
        if what == INTEGER:
            digits = sum(digit << 60 * place for place, digit in enumerate(parts[1:]))
            return parts[0] * digits
        if what == DOUBLE:
            return floating(parts[0] | parts[1] << 32)
        raise Malformed(f"a value is a row of kind {what}")

    def constructed(self, number, references):
        name, of, fields = self.document.constructors[number]
        parts = tuple(self.value(reference) for reference in references)
        if of == "python.constant":
            return "constant", name
        if of == "python.missing":
            return ("missing",)
        if of == "python.str":
            return "str", unpacked(parts).decode(errors="replace"), parts[0]
        if of == "python.bytes":
            return "bytes", unpacked(parts), parts[0]
        if of == "python.omitted":
            # How many, and perhaps a hash of what they are.
            return "omitted", parts[0]
        if of in ("python.list", "python.tuple"):
            return name, parts
        if of == "python.set":
            return name, sorted_parts(parts)
        if of == "python.dict":
            return "dict", tuple(parts[at : at + 2] if at + 1 < len(parts) else parts[at] for at in range(0, len(parts), 2))
        if of in ("python.function", "python.opaque", "python.written"):
            return name, parts[0][1]
        if of == "python.object":
            if len(fields) != len(parts):
                raise Malformed(f"an object of class {name} has {len(parts)} parts and {len(fields)} fields")
            return "object", name, tuple(zip(fields, parts))
        if of == "python.con":
            return "con", name, parts
        return name, *parts


def sorted_parts(parts):
    """The elements of a set in an order that does not depend on how they were found; what was left out comes last."""
    return tuple(sorted(parts, key=lambda part: (type(part) is tuple and part[0] == "omitted", repr(part))))


def unpacked(parts):
    """The bytes that a row holds: behind two lengths, seven in each integer, the first one lowest."""
    data = b"".join(part.to_bytes(8, "little", signed=True)[:7] for part in parts[2:])
    if len(data) < parts[1]:
        raise Malformed("a text is shorter than it says")
    return data[: parts[1]]


def floating(bits):
    return "float", struct.unpack("<d", struct.pack("<Q", bits))[0].hex()


class Function:
    def __init__(self, name, parameters):
        self.name = name
        self.parameters = parameters


class Document:
    """What stands in the file, block by block."""

    def __init__(self, data):
        self.functions, self.constructors, self.names = [], [], []
        # What, tail, of, position, how many references.
        self.shapes = []
        # Shape, parent, references.
        self.nodes = []
        # What is told of nodes: shape, node, references.
        self.told = []
        self.is_complete = False
        if data[:12] != b"\x89GADFLY\n\x03\0\0\0":
            raise Malformed("it does not begin like a trail of version 3")
        at, serial = 32, 0
        while at < len(data) and not self.is_complete:
            if data[at : at + 4] != b"GBLK":
                raise Malformed(f"there is no block at {at}")
            kind = data[at + 4]
            length, first, count, tellings, references, told, number = struct.unpack_from("<QQIIIIQ", data, at + 8)
            if number != serial:
                raise Malformed(f"block {serial} says that it is number {number}")
            self.block(kind, data[at + 64 : at + 64 + length], first, (count, tellings, references, told))
            at, serial = at + 64 + length, serial + 1
        if not self.is_complete:
            raise Malformed("it has no end")

    def block(self, kind, payload, first, counts):
        if kind == 1:
            self.tables(Sequence(payload))
        elif kind == 2:
            if first != len(self.shapes):
                raise Malformed("shapes are not in order")
            self.shapes.extend(struct.iter_unpack("<BBxxIII", payload))
        elif kind == 3:
            if first != len(self.nodes) + 1:
                raise Malformed("nodes are not in order")
            self.rows(payload, first, *counts)
        elif kind == 4:
            if struct.unpack_from("<Q", payload)[0] != len(self.nodes):
                raise Malformed("nodes are missing")
            self.is_complete = True
        else:
            raise Malformed(f"a block is of kind {kind}")

    def tables(self, sequence):
        sequence.text(), sequence.text(), sequence.byte(), sequence.byte()
        sequence.list(lambda: (sequence.text(), sequence.text()))
        sequence.list(lambda: (sequence.text(), sequence.byte(), sequence.number()))
        new = sequence.list(sequence.function)
        self.constructors += sequence.list(sequence.constructor)
        if sequence.number() or sequence.number():
            raise Malformed("a Python program has no expressions and no strings in its tables")
        self.names += sequence.list(sequence.text)
        if sequence.number():
            raise Malformed("a Python program has no actions in its tables")
        self.functions += [Function(name, [self.names[row - 1] for row in rows]) for name, rows in new]

    def rows(self, payload, first, count, tellings, references, told):
        sizes = struct.unpack_from("<IIIIIIIII", payload)
        dictionary, telling_dictionary, parents, data, outcomes, outcome_data, tails, told_of, told_data = sizes
        parts = Parts(payload, 40)
        entries = list(struct.iter_unpack("<II", parts.take(8 * dictionary)))
        telling_entries = [shape for shape, in struct.iter_unpack("<I", parts.take(4 * telling_dictionary))]
        codes = parts.codes(count, dictionary)
        parents = parts.nodes(count, parents, payload[36])
        parts.take(4 * -(-count // 64))
        words = References(parts, references, data)
        parts.take(4 * -(-count // 64))
        became = References(parts, outcomes, outcome_data)
        if tails:
            raise Malformed("a Python program has no tails")
        telling_codes = parts.codes(tellings, telling_dictionary)
        told_of = parts.nodes(tellings, told_of, payload[37])
        parts.take(4 * -(-tellings // 64))
        telling_words = References(parts, told, told_data)
        for row, (code, distance) in enumerate(zip(codes, parents)):
            number = first + row
            shape, outcome = entries[code]
            parent = number - distance[1] + distance[0] - row if distance[1] else 0
            self.nodes.append((shape, parent, words.take(self.shapes[shape][4], number)))
            if outcome < 0xFFFF_FFFE:
                self.told.append((outcome, number, became.take(self.shapes[outcome][4], number)))
        behind = first + count
        for code, (_, distance) in zip(telling_codes, told_of):
            shape = telling_entries[code]
            self.told.append((shape, behind - distance, telling_words.take(self.shapes[shape][4], behind)))


class Sequence:
    """Numbers and texts behind each other."""

    def __init__(self, data):
        self.data = data
        self.at = 0

    def byte(self):
        self.at += 1
        return self.data[self.at - 1]

    def number(self):
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def text(self):
        length = self.number()
        self.at += length
        return self.data[self.at - length : self.at].decode()

    def list(self, one):
        return [one() for _ in range(self.number())]

    def piece(self):
        return self.number(), self.number(), self.number()

    def infix(self):
        if self.byte():
            self.at += 2

    def function(self):
        """Its name and, for each parameter, one more than the number of its name."""
        name = self.text()
        self.number(), self.number()
        if self.byte():
            self.piece()
        parameters = self.list(lambda: (self.number(), self.byte()))
        if self.byte() in (4, 5, 6):
            raise Malformed("a Python program has no methods of instances")
        self.list(lambda: (self.piece(), self.list(self.piece)))
        self.byte(), self.infix(), self.list(self.number)
        return name, [row for row, _ in parameters]

    def constructor(self):
        name, of, _, _ = self.text(), self.text(), self.number(), self.number()
        fields = self.list(self.text)
        self.infix(), self.form()
        return name, of, fields

    def form(self):
        """How values of a constructor are written; the reader knows that by their names."""
        form = self.byte()
        if form == 7:
            self.number(), self.number(), self.number(), self.number()
        elif form in (11, 12):
            self.text()


class Parts:
    """The parts of a block of rows, one behind the other."""

    def __init__(self, data, at):
        self.data = data
        self.at = at

    def take(self, length):
        self.at += length
        return self.data[self.at - length : self.at]

    def codes(self, count, entries):
        if entries <= 256:
            return self.take(count)
        return struct.unpack(f"<{count}H", self.take(2 * count))

    def nodes(self, count, length, long):
        """A column of nodes: for each row the row whose distance it has, and the distance."""
        controls = self.take(-(-count // 4))
        self.take(4 * -(-count // 64))
        data, at, found = self.take(length), 0, []
        for row in range(count):
            control = controls[row // 4] >> 2 * (row % 4) & 3
            if control == 0:
                found.append(found[-1])
                continue
            size = long if control == 3 else control
            found.append((row, int.from_bytes(data[at : at + size], "little")))
            at += size
        return found


# By control: how many bytes there are.
SIZES = (0, 1, 2, 3, 4, 1, 2, 4, 1, 2, 3, 4, 1, 2, 6, 8)
UNKNOWN = 7


class References:
    """A column of references, taken from its beginning to its end, as words."""

    def __init__(self, parts, count, length):
        self.controls = parts.take(-(-count // 2))
        parts.take(4 * -(-count // 64))
        self.data = parts.take(length)
        self.row = self.at = 0

    def take(self, count, base):
        return [self.next(base) for _ in range(count)]

    def next(self, base):
        control = self.controls[self.row // 2] >> 4 * (self.row % 2) & 15
        self.row += 1
        size = SIZES[control]
        self.at += size
        value = int.from_bytes(self.data[self.at - size : self.at], "little", signed=8 <= control <= 11)
        if control == 0:
            return UNKNOWN
        if control <= 4:
            return base - value << 3
        if control <= 7:
            return base + value << 3
        if control <= 11:
            return (value & (1 << 61) - 1) << 3 | INT
        if control == 12:
            return value << 3 | 2
        return value
