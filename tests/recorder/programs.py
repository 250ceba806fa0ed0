"""Random programs that are hard to record: `generate(seed)` gives the same one on every version of Python.

A program has a few classes and functions, a pool of variables, and a body of statements without branches, so that it is known of every
variable what kind of thing is in it. What the statements do is what recorders get wrong: objects die, something else is
made where they were, they are looked at again, they change between two looks, code of the program's runs when nobody expects it.
Larger pieces, the scenes, are made after defects that there were.

A program notes what happens to it (deaths, callbacks, results). It must do the same whenever it is run: nothing depends on
addresses, hashes of strings or counts of references; sets of objects are not iterated over; threads take turns (`stage.Partner`).
The collector runs only where it is called. In a few programs it runs by itself, very often; there, what dies is noted
without order, because nothing promises it. Some things are avoided because the slow recorder could not see them: an exception that is raised
once more after another one was handled, changes of an exception's arguments on its way, free variables of class bodies.

A program is a list of pieces of text, of which any can be left out: what needs them raises `NameError`, which is a result too."""
import random
import re
import textwrap

import repertoire
import stage
from repertoire import ATTRIBUTES, EXTRAS, HASH
from scenes import SCENES

VARIABLES = 8


def generate(seed, threshold=None):
    """The program of a number. With a threshold the collector runs by itself after so many allocations."""
    return Writer(seed, threshold).program()


class Program:
    """The pieces of a program: definitions, and statements of its body."""

    def __init__(self, seed, definitions, statements=(), in_main=False, automatic=None):
        self.seed = seed
        self.pieces = [(False, text) for text in definitions] + [(True, text) for text in statements]
        self.in_main = in_main
        # After how many allocations the collector runs by itself; None if it does not.
        self.automatic = automatic

    @property
    def is_automatic(self):
        return self.automatic is not None

    def without(self, first, last):
        """The same program without some pieces."""
        smaller = Program(self.seed, (), (), self.in_main, self.automatic)
        smaller.pieces = self.pieces[:first] + self.pieces[last:]
        return smaller

    def without_unused(self):
        """The same program without functions and classes that nothing else mentions."""
        smaller = self.without(0, 0)
        text = "\n".join(text for _, text in self.pieces)
        for piece in self.pieces:
            defined = re.match(r"(?:@generator\n)?(?:def|async def|class) (\w+)", piece[1])
            if defined and not piece[0] and len(re.findall(rf"\b{defined[1]}\b", text)) == 1:
                smaller.pieces.remove(piece)
        return smaller

    def source(self):
        parts = [text for is_body, text in self.pieces if not is_body]
        body = [text for is_body, text in self.pieces if is_body]
        if self.is_automatic:
            parts.append(f"gc.set_threshold({self.automatic}); gc.enable()")
        if not body:
            return repertoire.HEADER + "\n".join(parts) + "\n"
        # Everything that is left dies here, and not when it is up to the interpreter.
        body.append(" = ".join(f"v{number}" for number in range(VARIABLES)) + " = junk = None")
        body.append("gc.collect()")
        if self.in_main:
            text = textwrap.indent("\n".join(body), "    ")
            return repertoire.HEADER + "\n".join(parts) + f"\ndef main():\n{text}\nmain()\n"
        return repertoire.HEADER + "\n".join(parts + body) + "\n"

    def alone(self):
        """The same, so that it can be run without this folder."""
        return f"# program {self.seed}\n{stage.ALONE}program_file = __file__\n{self.source()}"


class Kind:
    """A class of a program: how an object is made of a number (which takes the place of `%d`), and what can be done with it."""

    def __init__(self, name, text, make, takes_attributes=True, takes_weak=True, is_plain=False, is_hashable=True):
        self.name = name
        self.text = text
        self.make = make
        self.takes_attributes = takes_attributes
        self.takes_weak = takes_weak
        # Whether objects of two such classes can take each other's class.
        self.is_plain = is_plain
        # Whether objects can be in a set without the program being asked whether they are equal.
        self.is_hashable = is_hashable
        self.has_method = "def go" in text

    def of(self, number):
        """An expression for a new object."""
        return self.make.replace("%d", str(number))


class Writer:
    """Writes one program. Methods that write statements give a list of texts, which may be empty if there is nothing to do."""

    def __init__(self, seed, threshold=None):
        self.seed = seed
        self.dice = random.Random(seed)
        automatic = self.dice.choice((1, 3, 10, 50)) if self.chance(0.1) else None
        self.automatic = automatic if threshold is None else threshold
        # What says that something has died.
        self.tells = "note" if self.automatic is None else "note_collected"
        self.has_deaths = self.chance(0.8)
        self.names = list(repertoire.NAMES)
        self.dice.shuffle(self.names)
        self.number = 0
        self.kinds = []
        # What is in the variables: a `Kind`, or a word for something else.
        self.held = {}
        # Variables with generators that hand on what they are sent.
        self.delegating = set()

    def program(self):
        in_main = self.chance(0.5)
        definitions = list(repertoire.FUNCTIONS)
        definitions.append(f"def gone(reference):\n    {self.tells}('callback')\n    look([1])")
        definitions += [text for _, text in repertoire.GENERATORS.values()]
        definitions += repertoire.COROUTINES
        definitions.append(self.ring())
        for _ in range(self.dice.randint(2, 4)):
            self.kinds.append(self.pick(CLASSES)(self))
        definitions += [kind.text for kind in self.kinds]
        statements = []
        for _ in range(self.dice.randint(8, 40)):
            statements += self.dice.choices(STATEMENTS, WEIGHTS)[0](self)
        return Program(self.seed, definitions, statements, in_main, self.automatic)

    # Small choices.

    def chance(self, probability):
        return self.dice.random() < probability

    def pick(self, things):
        return self.dice.choice(list(things))

    def fresh(self):
        self.number += 1
        return self.number

    def fresh_name(self):
        """An expression for a name that is made while the program runs, and dies when nobody has it."""
        return f"'name_%06d' % {self.fresh()}"

    # Classes.

    def name(self):
        return self.names.pop() if self.names else f"C{self.fresh()}"

    def fills(self, most=4):
        """Statements that give an object attributes."""
        chosen = self.dice.sample(sorted(ATTRIBUTES), self.dice.randint(0, most))
        return "".join(f"; self.{name} = {self.pick(ATTRIBUTES[name])}" for name in chosen)

    def extras(self):
        """More methods: one that the program calls, and some that nobody does."""
        return "\n".join(["    def go(self): return look(1)", *(text for text in EXTRAS if self.chance(0.1))])

    def dies(self, probability=0.4):
        """A hash and a finalizer, if there are to be any. If objects tell of their deaths, the order of a set must not depend on addresses."""
        if not self.has_deaths:
            return ""
        return HASH + (self.finalizer() if self.chance(probability) else "")

    def finalizer(self):
        # To ask for an attribute may be noted, and when the collector does that by itself is not known.
        number = "self.n" if self.automatic is None else "0"
        return f"\n    def __del__(self):\n        {self.tells}('gone', {number})\n        ended([{number}])"

    def ring(self):
        return ("class Ring:\n    def __init__(self, n): self.me, self.n = self, n\n"
                f"    def __del__(self):\n        {self.tells}('ring', self.n)\n        ended({{self.n: [self]}})")

    def plain(self):
        name = self.name()
        text = f"class {name}:\n    def __init__(self, n): self.n = n{self.fills()}\n{self.extras()}{self.dies()}"
        return Kind(name, text, f"{name}(%d)", is_plain="def __dict__" not in text)

    def slotted(self):
        name, is_weak = self.name(), self.chance(0.5)
        slots = ["n", *self.dice.sample("abcdeg", self.dice.randint(0, 4)), *(["__weakref__"] if is_weak else [])]
        text = (f"class {name}:\n    __slots__ = {tuple(slots)!r}\n    def __init__(self, n): self.n = n\n"
                f"    def go(self): return look(1){self.dies()}")
        if self.chance(0.6):
            return Kind(name, text, f"{name}(%d)", False, is_weak)
        below = self.name()
        more = self.pick(("pass", "__slots__ = ('extra', 'more')", "__slots__ = ()", "__slots__ = ('__dict__',)"))
        is_weak |= more == "pass"
        return Kind(below, f"{text}\nclass {below}({name}):\n    {more}", f"{below}(%d)", more != "__slots__ = ()", is_weak)

    def borrowed(self):
        """A member descriptor of a class in another one: of a stranger it says nothing, of a base it is another name."""
        name, lender = self.name(), f"Lender{self.fresh()}"
        slots = tuple("abcdefghij"[: self.dice.randint(0, 10)]) + ("v",)
        text = f"class {lender}:\n    __slots__ = {slots!r}\n"
        if self.chance(0.3):
            text += f"class {name}({lender}):\n    w = {lender}.__dict__['v']\n    def __init__(self, n): self.n = self.v = n"
        else:
            text += f"class {name}:\n    v = {lender}.__dict__['v']\n    def __init__(self, n): self.n = n"
        return Kind(name, f"{text}\n    def go(self): return look(1){self.dies(0)}", f"{name}(%d)")

    def named_tuple(self):
        name, fields, second = self.name(), self.pick(("n b", "a n", "x y")), self.pick(("2", "[2]", "None"))
        text = f"{name} = collections.namedtuple({name!r}, {fields!r})"
        if self.chance(0.3):
            text += f"\nclass {name}({name}):\n    _fields = {self.pick((('n', 'b'), ('n',), ('n', 2), 7))!r}"
        return Kind(name, text, f"{name}(%d, {second})", False, False, is_hashable=False)

    def extended(self):
        """A class that inherits from one of the interpreter's."""
        name = self.name()
        base, given, is_weak = self.pick((
            ("list", "[%d]", True), ("dict", "{%d: [1]}", True), ("set", "[%d]", True), ("tuple", "(%d, [1])", False), ("int", "%d", False),
            ("str", "%d", True), ("float", "%d", True), ("frozenset", "[%d]", True), ("bytes", "b'%d'", False), ("Exception", "%d", True),
            ("collections.OrderedDict", "{1: %d}", True), ("collections.deque", "[%d]", True), ("moments.date", "2000, 1, %d % 28 + 1", True)))
        dies = self.finalizer() if self.has_deaths and self.chance(0.2) else ""
        text = f"class {name}({base}):\n    n = 0\n{self.extras()}{dies}"
        return Kind(name, text, f"{name}({given})", "def __dict__" not in text, is_weak, is_hashable=False)

    def sharp(self):
        """A class that notices when it is compared, hashed, written or asked for anything."""
        name = self.name()
        text = f"class {name}:\n    def __init__(self, n): self.n = n{self.fills(2)}\n{repertoire.SHARP}"
        return Kind(name, text, f"{name}(%d)", is_plain=True, is_hashable=False)

    def with_metaclass(self):
        name, number = self.name(), self.fresh()
        text = f"{repertoire.METACLASS.format(number)}\nclass {name}(metaclass=Meta{number}):\n    def __init__(self, n): self.n = n{self.fills(2)}\n{self.extras()}"
        return Kind(name, text, f"{name}(%d)", is_hashable=not self.has_deaths)

    # Values.

    def number_text(self):
        return str(self.pick(repertoire.NUMBERS))

    def atom(self):
        return self.number_text() if self.chance(0.4) else self.pick(repertoire.ATOMS)

    def value(self, depth=2):
        choice = self.dice.random()
        if depth == 0 or choice < 0.25:
            return self.atom()
        if choice < 0.45:
            return self.new_object()
        if choice < 0.6:
            return self.storable() or self.atom()
        if choice < 0.7:
            return self.pick(repertoire.LIBRARY)
        part = lambda: self.value(depth - 1)
        return self.pick((
            lambda: f"[{', '.join(part() for _ in range(self.dice.randint(0, 4)))}]",
            lambda: f"({part()}, {part()})",
            lambda: f"{{{self.atom()}: {part()}, 'k': {part()}}}",
            lambda: f"{{{self.number_text()}, {self.new_member()}}}",
            lambda: f"frozenset([{self.number_text()}, {self.new_member()}])",
        ))()

    def new_object(self):
        return self.pick(self.kinds).of(self.fresh())

    def new_member(self):
        """Something that can be in a set."""
        kinds = [kind for kind in self.kinds if kind.is_hashable]
        return self.pick(kinds).of(self.fresh()) if kinds else str(self.fresh())

    # Variables.

    def storable(self):
        """A variable that may become a part of something. If the collector runs by itself, generators may not: it would close them."""
        unfit = (None,) if self.automatic is None else (None, "generator", "coroutine", "closure")
        found = [name for name, kind in self.held.items() if kind not in unfit]
        return self.pick(found) if found else None

    def any(self):
        found = [name for name, kind in self.held.items() if kind is not None]
        return self.pick(found) if found else "None"

    def all_of(self, wanted):
        return [name for name, kind in self.held.items() if kind == wanted]

    def put(self, kind, text):
        """Puts something into a variable: its name, and the statements."""
        empty = [f"v{number}" for number in range(VARIABLES) if self.held.get(f"v{number}") is None]
        name = self.pick(empty) if empty and self.chance(0.7) else f"v{self.dice.randrange(VARIABLES)}"
        self.held[name] = kind
        (self.delegating.add if text in self.delegating else self.delegating.discard)(name)
        return name, [f"{name} = {text}"]

    def of(self, wanted, text):
        """A variable with something of a kind, and the statements that make it if there was none."""
        found = self.all_of(wanted)
        return (self.pick(found), []) if found and self.chance(0.8) else self.put(wanted, text)

    def object(self, matches=lambda kind: True):
        """The same of objects of a class that matches; no name if there is no such class."""
        found = [name for name, kind in self.held.items() if isinstance(kind, Kind) and matches(kind)]
        if found and self.chance(0.8):
            return self.pick(found), []
        kinds = [kind for kind in self.kinds if matches(kind)]
        if not kinds:
            return None, []
        kind = self.pick(kinds)
        return self.put(kind, kind.of(self.fresh()))

    def with_attributes(self):
        return self.object(lambda kind: kind.takes_attributes)

    # Statements.

    def guarded(self, *lines):
        """Statements that may raise."""
        return "try:\n" + textwrap.indent("\n".join(lines), "    ") + "\nexcept Exception as raised: note('raised', type(raised).__name__)"

    def make(self):
        choice = self.dice.random()
        if choice < 0.5:
            kind = self.pick(self.kinds)
            return self.put(kind, kind.of(self.fresh()))[1]
        if choice < 0.65:
            return self.put("list", f"[{self.value()}, {self.value()}]")[1]
        if choice < 0.8:
            return self.put("dict", f"{{1: {self.value()}, 'k': {self.value()}}}")[1]
        if choice < 0.9:
            return self.put("set", f"{{{self.new_member()}, {self.new_member()}}}")[1]
        return self.put("value", self.value())[1]

    def alias(self):
        name = self.storable()
        return self.put(self.held[name], name)[1] if name else []

    def looking(self):
        name, other = self.any(), self.any()
        return [self.pick((
            f"look({name})", f"look({name})", f"look({name})", f"look_twice({name}, {other})", f"give({name})", f"give_all({name}, {other})",
            f"looks({name}, {other}, named={name})", f"looks(*[{name}], **{{'k': {other}}})", f"many(1, 2, {name}, 4, 5, {other})",
            f"many(1, 2, 3, 4, 5, 6, {name}, h={other})", f"rebind({name})", f"let_go({name})", f"take(lambda: {self.new_object()}, k={name})",
            f"take_all({self.new_object()}, k={self.new_object()})", f"deep(3, {name})", f"local({name})",
            f"look([{name}, {name}])", f"look(({name},))", f"look({{1: {name}}})", f"look(({name}, ({other}, 1)))"))]

    def drop(self):
        name = self.any()
        if name == "None":
            return []
        self.held[name] = None
        return [f"{name} = None"]

    def junk(self):
        """Memory is used again: by bytes of some size, or by objects."""
        size, count = self.pick((8, 16, 24, 40, 56, 80)), self.pick((10, 60))
        return [self.pick((
            f"junk = [b'\\xff' * {size} for k in times({count})]", "junk = [[] for k in times(20)]", "junk = [{} for k in times(20)]",
            "junk = [(k, k) for k in times(20)]", f"junk = [{self.new_object()} for k in times(5)]", "junk = [lambda: k for k in times(10)]", "junk = None"))]

    def reuse(self):
        """Look, drop, make something else where it was, look."""
        kind, other = self.pick(self.kinds), self.pick(self.kinds)
        name, made = self.put(other, kind.of(self.fresh()))
        between = self.junk() if self.chance(0.5) else []
        return [*made, f"look({name})", f"{name} = None", *between, f"{name} = {other.of(self.fresh())}", f"look({name})"]

    def replace_part(self):
        """The same with a part of something."""
        name, made = self.with_attributes()
        if not name:
            return []
        look = self.pick((f"look({name})", f"look([{name}])", f"look_twice({name}, 1)"))
        return [*made, f"{name}.extra = {self.value()}", look, f"{name}.extra = None", f"{name}.extra = {self.value()}", look]

    def attribute(self):
        name, made = self.with_attributes()
        if not name:
            return []
        return [*made, self.pick((
            lambda: f"{name}.extra = {self.value()}",
            lambda: f"store({name}, {self.value()})",
            lambda: self.guarded(f"remove({name}, 'extra')"),
            lambda: self.guarded(f"del {name}.extra"),
            lambda: self.guarded(f"setattr({name}, {self.fresh_name()}, {self.value()})"),
            lambda: self.guarded(f"store_named({name}, {self.fresh_name()}, {self.value()})"),
            lambda: self.guarded(f"{name}.__dict__[{self.fresh_name()}] = {self.value()}"),
            lambda: self.guarded(f"{name}.__dict__[{self.pick(('Text', ''))}('own')] = {self.value()}"),
            lambda: self.guarded(f"{name}.__dict__[{self.storable() or self.atom()}] = {self.value()}"),
        ))()]

    def dictionary(self):
        """Another dictionary becomes the one of an object."""
        name, made = self.object(lambda kind: kind.is_plain)
        if not name:
            return []
        number = self.fresh()
        new = self.pick((f"dict(n={number}, other={self.value()})", f"dict({name}.__dict__)", f"collections.OrderedDict(n={number})",
                         f"{{'n': {number}, {self.fresh_name()}: {self.value()}}}"))
        return [*made, f"{name}.__dict__ = {new}", f"look({name})"]

    def other_class(self):
        name, made = self.object(lambda kind: kind.is_plain)
        if not name:
            return []
        kind = self.held[name] = self.pick([kind for kind in self.kinds if kind.is_plain])
        # From 3.13 on, whether the collector finds an object that was given a class depends on whether somebody has looked at its dictionary.
        own = f"if sys.version_info >= (3, 13): {name}.__dict__ = dict({name}.__dict__)"
        return [*made, f"look({name})", f"{own}\n{name}.__class__ = {kind.name}", f"look({name})"]

    def changed_class(self):
        """Something about a class becomes another."""
        name, made = self.object()
        changes = [
            f"type({name}).__name__ = 'Renamed{self.fresh()}'", f"type({name}).__name__ = {self.fresh_name()}",
            f"type({name}).shared = {self.value(1)}", f"del type({name}).n", f"type({name}).__bases__ = (Like{self.fresh()},)",
            f"give.__qualname__ = 'given{self.fresh()}'", "call_with.__code__ = give_all.__code__"]
        if self.has_deaths and self.automatic is None:
            changes.append(f"type({name}).__del__ = gone")
        return [*made, f"look({name})", self.guarded(self.pick(changes)), f"look({name})"]

    def in_list(self):
        name, made = self.of("list", f"[{self.value()}]")
        return [*made, self.pick((
            lambda: f"{name}.append({self.value()})", lambda: f"push({name}, {self.value()})",
            lambda: self.guarded(f"{name}.pop()"), lambda: self.guarded(f"{name}[0] = {self.value()}"),
            lambda: f"empty({name})", lambda: f"{name}[1:2] = [{self.value()}]", lambda: f"{name}.reverse()",
            lambda: f"{name}.append({name})", lambda: f"push({name}, ({name}, 1))",
        ))()]

    def in_dictionary(self):
        name, made = self.of("dict", f"{{1: {self.value()}}}")
        return [*made, self.pick((
            lambda: f"{name}[{self.atom()}] = {self.value()}", lambda: f"put({name}, {self.number_text()}, {self.value()})",
            lambda: self.guarded(f"del {name}[1]"), lambda: self.guarded(f"{name}.popitem()"), lambda: f"{name}.clear()",
            lambda: f"{name}[{self.fresh_name()}] = {self.value()}", lambda: self.guarded(f"put({name}, {self.value()}, 1)"),
        ))()]

    def in_set(self):
        name, made = self.of("set", f"{{{self.new_member()}}}")
        return [*made, self.pick((
            lambda: f"{name}.add({self.new_member()})", lambda: f"add({name}, {self.new_member()})", lambda: f"{name}.discard({self.number_text()})",
            lambda: f"{name}.clear()", lambda: f"{name} |= {{{self.new_member()}}}",
        ))()]

    def method(self):
        name, made = self.object(lambda kind: kind.has_method)
        if not name:
            return []
        temporary = self.pick([kind for kind in self.kinds if kind.has_method]).of(self.fresh())
        return [*made, *self.pick((
            lambda: [f"look({name}.go)"], lambda: [f"call({name}.go)"], lambda: [f"look({temporary}.go)"], lambda: [f"call({temporary}.go)"],
            lambda: self.put("value", f"{name}.go")[1], lambda: [f"look([{name}.go, {temporary}.go])"],
        ))()]

    def weak(self):
        name, made = self.object(lambda kind: kind.takes_weak)
        if not name:
            return []
        # Whether the reference or the object dies first is up to the collector, where it runs by itself.
        callback = ", gone" if self.automatic is None else ""
        return [*made, *self.put("value", f"weakref.ref({name}{callback})")[1]]

    def generator(self):
        """Makes a generator, or does something with one."""
        found = self.all_of("generator")
        if not found or self.chance(0.3):
            function, (given, _) = self.pick(repertoire.GENERATORS.items())
            name, made = self.put("generator", function + given.format(self.storable() or self.value(), self.value()))
            if function in repertoire.DELEGATING:
                self.delegating.add(name)
            return made
        name = self.pick(found)
        choices = ("next", "next", "next", "send", "throw", "close", "drop", "all", "aside")
        choice = self.pick(choices)
        if choice == "drop":
            self.held[name] = None
            return [f"{name} = None"]
        if name in self.delegating and choice in ("send", "throw"):
            choice = "next"
        return [{
            "next": self.guarded(f"look(next({name}))"),
            "send": self.guarded(f"look(send({name}, {self.value()}))"),
            "throw": self.guarded(f"throw({name}, Problem{self.pick(('', f'({self.value(1)})'))})"),
            "close": f"{name}.close()",
            "all": self.guarded(f"for k, x in zip(times(3), {name}): look(x)", "x = None"),
            "aside": f"in_thread(advance, {name})",
        }[choice]]

    def coroutine(self):
        found = self.all_of("coroutine")
        if not found or self.chance(0.3):
            return self.put("coroutine", f"{self.pick(('waiting', 'waiting_for'))}({self.value()})")[1] + [self.guarded(f"{self.all_of('coroutine')[-1]}.send(None)")]
        name = self.pick(found)
        return [self.pick((
            self.guarded(f"look({name}.send({self.value()}))"), self.guarded(f"look({name}.send({self.value()}))"), self.guarded(f"{name}.throw(Problem(1))"),
            f"{name}.close()"))]

    def problem(self):
        name = self.any()
        return [self.pick((
            f"try: fail({name})\nexcept Problem as problem: look(problem)",
            f"try: fail_deeper({self.value()})\nexcept Problem: note('caught')",
            f"try: fail_after({name}, {self.value()})\nexcept Problem as problem: look(problem.args)",
            self.guarded(f"fail_deeper({name})"), self.guarded(f"fail_at_once({name})"), self.guarded(f"look(1, {name})"),
            self.guarded(f"remove({name}, 'nothing')"), self.guarded(f"put({{}}, [], {name})"), self.guarded(f"divide(1, 0)"),
            self.guarded(f"find({{}}, {self.pick(('1', '(1, 2)', repr('k'), 'None'))})"), self.guarded(f"find([{name}], 3)"), self.guarded("advance([])")))]

    def closure(self):
        found = self.all_of("closure")
        if not found or self.chance(0.4):
            return self.put("closure", self.pick((f"outer({self.value()}, [{self.value()}])", "counter()", f"emptied({self.value()})")))[1]
        return [self.guarded(f"{self.pick(found)}({self.pick(('', self.value()))})")]

    def of_module(self):
        """Variables of the module."""
        name, key = self.storable() or "1", self.pick(self.kinds)
        return [self.pick((
            f"grow({name})", f"grow_inside({name})", f"keep({self.fresh()}, {name})", f"set_spot({name})", "set_spot(None)", "forget()",
            self.guarded("unset_spot()"), self.guarded(f"globals()[{key.of(self.fresh())}] = {name}"), f"globals()[{self.fresh_name()}] = 1"))]

    def new_code(self):
        """Code that is made while the program runs: of no file, or of the program's."""
        name, number = self.any(), self.fresh()
        text = self.pick((f"def made{number}(x, y): return [x]\\nmade{number}(x, 1)", "look(x)", "(lambda k: look([k]))(x)",
                          f"class Made{number}: pass\\nlook(Made{number})", "x.extra = 1\\nlook(x)", "def made(x):\\n  yield x\\nlook(list(made(x)))"))
        # A generator is only known to the stage if it says so.
        file = "'<made>'" if "yield" in text else self.pick(("'<made>'", "program_file"))
        given = f"{{'look': look, 'x': {name}}}"
        return [self.pick((f"eval('look(x)', {given})", self.guarded(f"exec(compile('{text}', {file}, 'exec'), {given})")))]

    def local_class(self):
        """A class that comes and goes."""
        number = self.fresh()
        bases = [kind.name for kind in self.kinds if kind.is_plain and "__del__" not in kind.text]
        base = self.pick(("", *bases))
        begin = "super().__init__(n); " if base else ""
        text = (f"class Local{number}{base and f'({base})'}:\n    a = look({number})\n    def __init__(self, n): {begin}self.n, self.own{number} = n, [n]\n"
                f"look(Local{number}({self.fresh()}))\nlook(Local{number}({self.fresh()}))\n")
        return [text + (f"del Local{number}\ngc.collect()" if self.chance(0.7) else f"Local{number} = None")]

    def thread(self):
        name, other = self.any(), self.any()
        if self.chance(0.5):
            return [self.pick((f"in_thread(look, {name})", f"in_thread(give_all, {name}, {other})", f"in_thread(fail, {name})",
                               f"in_thread(grow, {self.number_text()})", f"in_thread(deep, 2, {name})", f"in_thread(in_thread, look, {name})"))]
        meanwhile = self.pick((f"look({name})", "pass", self.guarded(f"fail_deeper({other})"), f"in_thread(look, {other})"))
        return [repertoire.TURNS.format(self.fresh(), name, other, meanwhile)]

    def collect(self):
        return ["gc.collect()"]

    def cycle(self):
        if self.automatic is not None or self.chance(0.4):
            return [f"Ring({self.fresh()})"]
        name, made = self.with_attributes()
        return [*made, f"{name}.extra = {self.pick((name, f'[{name}]', f'({name}, 1)'))}", f"look({name})"] if name else []

    def library(self):
        name = self.any()
        return [self.pick((
            f"list(map(look, [{name}, 1]))", "sorted([3, 1, 2], key=give)", f"[look(x) for x in ({name}, {self.value()})]",
            f"sum(look(x) for x in ({name}, 1))", f"collections.defaultdict(list)[1].append({name})", f"call(lambda: look({name}))",
            f"call_with(lambda x: x, {name})", f"call(functools.partial(look, {name}))"))]

    def large(self):
        """More than is shown: in one value, in all values of a function, or deeper than frames can be evaluated."""
        return [self.pick(("look([[k] * 50 for k in times(60)])", "for k in times(15): ended([[k, [1]] for k in times(150)])", f"down(250, {self.any()})",
                           "look({k: [k] for k in times(300)})", "look(set(times(150)))"))]

    def scene(self):
        return self.pick(SCENES)(self)


CLASSES = [Writer.plain, Writer.plain, Writer.plain, Writer.slotted, Writer.borrowed, Writer.named_tuple, Writer.extended, Writer.extended, Writer.sharp,
           Writer.with_metaclass]

# What favours what goes wrong: to look, to drop, and to make something else in its place.
STATEMENTS, WEIGHTS = zip(
    (Writer.make, 6), (Writer.alias, 2), (Writer.looking, 12), (Writer.drop, 5), (Writer.junk, 5), (Writer.reuse, 5), (Writer.replace_part, 4),
    (Writer.attribute, 5), (Writer.dictionary, 2), (Writer.other_class, 1), (Writer.changed_class, 1.5), (Writer.in_list, 4), (Writer.in_dictionary, 4),
    (Writer.in_set, 4), (Writer.method, 4), (Writer.weak, 3), (Writer.generator, 7), (Writer.coroutine, 2), (Writer.problem, 4), (Writer.closure, 3),
    (Writer.of_module, 3), (Writer.new_code, 2), (Writer.local_class, 1), (Writer.thread, 1), (Writer.collect, 2), (Writer.cycle, 2), (Writer.library, 2),
    (Writer.large, 0.3), (Writer.scene, 4))
