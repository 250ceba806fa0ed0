"""One look at one value: a copy of it, deep and at once, as plain structures like those of `trail.py`.

No code of the program's runs for that. Objects are read by their `type`, by the iterators of the built-in containers, and by
descriptors that the interpreter itself has made; never by `repr`, `==`, `hash` or an attribute, which classes and metaclasses may have
made their own. Nothing of the value is kept.

What the recorder that is judged leaves out is left out by the same rules, which are written down here a second time on purpose: what
is deeper than `DEPTH` or contains itself, elements from `ELEMENTS` on, characters from `CHARACTERS` on."""
import array
import collections
import ctypes
import datetime
import decimal
import enum
import re
import types

from trail import sorted_parts

DEPTH = 10
ELEMENTS = 200
CHARACTERS = 2000
# How many parts one value may have before anything of it may be left out.
VALUE_PARTS = 2000
# How much deeper than `DEPTH` it is looked here, for a recorder that happens to know more.
BEYOND = 4
MISSING = ("missing",)

ctypes.pythonapi.PyObject_GenericGetDict.argtypes = ctypes.c_void_p, ctypes.c_void_p
ctypes.pythonapi.PyObject_GenericGetDict.restype = ctypes.py_object


class Look:
    """One look at one value. `structure` is as in `trail.py`, and there is one more:

        ("cut", why, beyond)        may be shown as ("omitted", 0), because it is too deep or contains itself; `beyond` is what
                                    it is as far as that is known, or None"""

    def __init__(self, value):
        self.inside = []
        # At least as many parts as any way of counting them finds.
        self.parts = 1
        self.structure, self.is_mutable = self.see(value, 0)

    @property
    def is_large(self):
        return self.parts > VALUE_PARTS

    def see(self, value, depth):
        """The structure of a value, and whether it may be another one later although the object is the same."""
        self.parts += 2
        known = atom(value)
        if known is not None:
            return known, False
        if any(value is one for one in self.inside):
            return ("cut", "cycle", None), False
        if depth >= DEPTH + BEYOND:
            return ("cut", "depth", None), False
        self.inside.append(value)
        structure, is_mutable = self.read(value, type(value), depth + 1)
        self.inside.pop()
        return (("cut", "depth", structure), False) if depth >= DEPTH else (structure, is_mutable)

    def read(self, value, kind, depth):
        if kind is list:
            return ("list", self.elements(list.__iter__(value), list.__len__(value), depth)[0]), True
        if kind is tuple:
            parts, is_mutable = self.elements(tuple.__iter__(value), tuple.__len__(value), depth)
            return ("tuple", parts), is_mutable
        if kind is dict or kind is collections.OrderedDict or kind is collections.defaultdict:
            return ("dict", self.entries(value, depth)), True
        if kind is set:
            return ("set", sorted_parts(self.elements(set.__iter__(value), set.__len__(value), depth)[0])), True
        if kind is frozenset:
            elements = self.elements(frozenset.__iter__(value), frozenset.__len__(value), depth)[0]
            return ("frozenset", sorted_parts(elements)), False
        if kind is collections.deque or kind is array.array:
            return ("list", self.elements(iter(value), len(value), depth)[0]), True
        if kind is types.FunctionType:
            name = value.__qualname__
            return ("function", name if type(name) is str else "?"), False
        if is_kind_of(kind, type):
            return ("class", class_name(value)), False
        if kind is bytes:
            return ("bytes", value[:CHARACTERS], len(value)), False
        if kind is types.MethodType:
            of, is_mutable = self.see(value.__self__, depth)
            return ("method", of, self.see(value.__func__, depth)[0]), is_mutable
        if kind is complex:
            return ("complex", ("float", value.real.hex()), ("float", value.imag.hex())), False
        if is_kind_of(kind, BaseException):
            arguments = BaseException.args.__get__(value)
            return ("con", class_name(kind), self.elements(iter(arguments), len(arguments), depth)[0]), True
        if is_written(value, kind):
            return ("written", repr(value)), False
        if kind is re.Match:
            return self.match(value, depth), False
        if is_of_program(kind) and kind is not datetime.datetime and kind is not datetime.time:
            return self.object(value, kind, depth)
        return ("opaque", class_name(kind)), False

    def elements(self, iterator, length, depth):
        """The elements, and whether one of them may change."""
        found, is_mutable = [], False
        for element in iterator:
            if len(found) == ELEMENTS:
                found.append(("omitted", length - ELEMENTS))
                break
            structure, changes = self.see(element, depth)
            found.append(structure)
            is_mutable |= changes
        return tuple(found), is_mutable

    def entries(self, value, depth):
        found = []
        for key, held in dict.items(value):
            if len(found) == ELEMENTS:
                found.append(("omitted", dict.__len__(value) - ELEMENTS))
                break
            found.append((self.see(key, depth)[0], self.see(held, depth)[0]))
        return tuple(found)

    def object(self, value, kind, depth):
        """An object by its fields: what it is as a list, tuple, dictionary or set, then its slots, then its attributes."""
        name, slots, attributes = class_name(kind), slots_of(kind), attributes_of(value, kind)
        member = by_name(attributes or {}).get("_name_") if type(kind) is enum.EnumMeta else None
        if type(member) is str:
            return ("con", f"{name}.{member}", ()), True
        fields, is_mutable = [], bool(slots) or attributes is not None
        inner = self.inner(value, kind, depth)
        if inner is not None:
            names = field_names(kind)
            if names is not None and inner[0][0] == "tuple" and len(names) == len(inner[0][1]):
                return ("object", name, tuple(zip(names, inner[0][1]))), inner[1] or is_mutable
            fields.append(("", inner[0]))
            is_mutable |= inner[1]
        for field, held in filled(slots, value) + list(dict.items(attributes or {})):
            if len(fields) == ELEMENTS:
                fields.append(("…", ("omitted", 0)))
                break
            structure, changes = self.see(held, depth)
            fields.append((text_of(field) if type(field) is str else "?", structure))
            is_mutable |= changes
        return ("object", name, tuple(fields)) if fields else ("con", name, ()), is_mutable

    def match(self, value, depth):
        parts = [("start", value.start()), ("end", value.end()), ("match", self.see(value.group(), depth)[0])]
        groups = value.groups()
        if groups:
            parts.append(("groups", ("tuple", self.elements(iter(groups), len(groups), depth)[0])))
        return "object", "Match", tuple(parts)

    def inner(self, value, kind, depth):
        if is_kind_of(kind, tuple):
            parts, is_mutable = self.elements(tuple.__iter__(value), tuple.__len__(value), depth)
            return ("tuple", parts), is_mutable
        if is_kind_of(kind, list):
            return ("list", self.elements(list.__iter__(value), list.__len__(value), depth)[0]), True
        if is_kind_of(kind, dict):
            return ("dict", self.entries(value, depth)), True
        for base in (set, frozenset):
            if is_kind_of(kind, base):
                elements = self.elements(base.__iter__(value), base.__len__(value), depth)[0]
                return (base.__name__, sorted_parts(elements)), True
        return None


def atom(value):
    """The structure of a value without parts; None if it has some."""
    kind = type(value)
    if kind is int:
        return value
    if kind is str:
        return "str", text_of(value[:CHARACTERS]), len(value)
    if value is None or kind is bool:
        return "constant", str(value)
    if kind is float:
        return "float", value.hex()
    if value is Ellipsis or value is NotImplemented:
        return "constant", str(value)
    return None


def text_of(text):
    """A text with halves of surrogate pairs written out."""
    return text.encode("utf-8", "backslashreplace").decode()


def is_written(value, kind):
    """Whether a value is shown by what it writes of itself. It is of the library, and nothing of the program's is in it."""
    if is_one_of(kind, (range, datetime.date, datetime.timedelta, decimal.Decimal)):
        return True
    if kind is slice:
        return all(is_one_of(type(part), (int, types.NoneType)) for part in (value.start, value.stop, value.step))
    return is_one_of(kind, (datetime.datetime, datetime.time)) and is_one_of(type(value.tzinfo), (types.NoneType, datetime.timezone))


def is_one_of(kind, kinds):
    """Whether a class is one of these; a metaclass is not asked."""
    return any(kind is one for one in kinds)


def shown(structure):
    """A structure as it is when everything is cut off that may be."""
    if type(structure) is not tuple:
        return structure
    if structure and structure[0] == "cut":
        return "omitted", 0
    return tuple(shown(part) for part in structure)


# What classes say of themselves, whatever their metaclasses say.
MRO = type.__dict__["__mro__"].__get__
VARIABLES = type.__dict__["__dict__"].__get__
NAME = type.__dict__["__name__"].__get__
FLAGS = type.__dict__["__flags__"].__get__
DICTIONARY = type.__dict__["__dictoffset__"].__get__
MADE_WHILE_RUNNING = 1 << 9


def is_kind_of(kind, base):
    return is_one_of(base, MRO(kind))


def is_of_program(kind):
    """Whether a class was made while the interpreter ran, rather than compiled into it."""
    return bool(FLAGS(kind) & MADE_WHILE_RUNNING)


def class_name(kind):
    return NAME(kind).rpartition(".")[2]


def slots_of(kind):
    """Names and descriptors of what `__slots__` made for a class and those it inherits from, the innermost first. A descriptor that
    was taken from a class that this one does not inherit from says nothing about its objects."""
    bases = MRO(kind)
    return [(name, found) for base in reversed(bases) if is_of_program(base) for name, found in VARIABLES(base).items()
            if type(found) is types.MemberDescriptorType and type(name) is str and not name.endswith("offset__")
            and is_one_of(found.__objclass__, bases)]


def filled(slots, value):
    """Names and values of the slots that have one."""
    found = []
    for name, descriptor in slots:
        try:
            found.append((name, descriptor.__get__(value)))
        except AttributeError:
            pass
    return found


def attributes_of(value, kind):
    """The dictionary of an object; None if it has none. A class may have something else of the name `__dict__`, which is not asked: the
    function is the interpreter's own. It gets the object by its address, since `ctypes` asks what it is given for its `__class__`."""
    return ctypes.pythonapi.PyObject_GenericGetDict(id(value), None) if DICTIONARY(kind) else None


def field_names(kind):
    """The fields of a named tuple."""
    for base in reversed(MRO(kind)):
        for name, found in VARIABLES(base).items():
            if type(name) is str and name == "_fields" and type(found) is tuple and is_of_program(base):
                return found
    return None


class Nothing:
    """A look at a variable without a value."""

    structure, is_mutable, is_large = MISSING, False, False


NOTHING = Nothing()


def by_name(variables):
    """The variables of a module; none if they are in a dictionary of some other class. There may be others than names among its keys,
    which are not asked whether they are equal to any."""
    if type(variables) is not dict:
        return {}
    return {name: value for name, value in dict.items(variables) if type(name) is str}
