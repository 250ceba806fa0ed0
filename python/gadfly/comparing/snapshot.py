"""Pictures of values that can be sent to another process and compared there.

A picture is made without running any code of the program: what a value is comes from its type, what it holds from
the descriptors of its type, and the methods of the built-in types are called on what derives from them.

A picture is a flat list of rows, the first one being the value itself: (label, form, data, parts, names). `parts`
are the indexes of other rows; the last `len(names)` of them are attributes. An object that is met again is the
same row again, so a picture may have cycles, and its size is that of the value. What is beyond the limit is OMITTED.

Types are compared by `is` and looked up by `id`: a metaclass is code of the program as well."""

import array
import collections
import datetime
import decimal
import enum
import functools
import hashlib
import io
import pathlib
import random
import re
import sys
import types

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from gadfly._types import Value

LONG = 100_000
OMITTED = ("omitted",)
LEAF, LIST, SET, DICT = "leaf", "list", "set", "dict"
NUMBER = "number"
# Dictionaries of these kinds are equal if they hold the same; only among ordered ones does the order count.
DICTIONARIES = {"dict", "OrderedDict", "defaultdict", "Counter"}
ORDER = "in this order"
DESCRIPTORS = {id(types.GetSetDescriptorType), id(types.MemberDescriptorType)}
NUMBERS = {id(bool), id(int), id(float), id(complex)}

# What runs tests: an object that holds a test reaches all of it, and none of it is the program's.
RUNNERS = {"_pytest.config", "_pytest.fixtures", "_pytest.main", "_pytest.nodes", "_pytest.python", "_pytest.runner", "_pytest.unittest"}

UNCHANGING = (tuple, frozenset, types.FunctionType, types.BuiltinFunctionType, types.ModuleType, types.MethodType, types.GeneratorType)

mro_of = type.__dict__["__mro__"].__get__
dict_of = type.__dict__["__dict__"].__get__
qualname_of = type.__dict__["__qualname__"].__get__


def reachable(value: "Value", limit: "Any" = 20_000) -> "list[Any]":
    """What can change and be reached from a value, in an order that depends on nothing but what it is."""
    held: list[Any] = []
    canonical(value, limit, held)
    return [one for one in held if not isinstance(one, UNCHANGING)]


def canonical(value: "Value", limit: "Any" = 200_000, kept: "Any" = None) -> "Any":
    """The picture of a value, of at most so many parts; what is beyond is omitted. `kept` is to hold the objects that were met."""
    rows: list[Any]
    shapes: dict[int, tuple[Any, ...]]
    leaves: dict[Any, Any]
    rows, held, places, leaves, shapes = [None], [value], {id(value): 0}, {}, {}
    waiting = collections.deque([(0, value)])
    omitted = None
    left = limit
    while waiting:
        index, value = waiting.popleft()
        kind = type(value)
        if id(kind) not in shapes:
            shapes[id(kind)] = shape(kind)
            held.append(kind)
        label, form, data, inside, names = picture(value, *shapes[id(kind)], left)  # type: ignore[call-arg]
        parts = []
        for part in inside:
            left -= 1
            if left < 0:
                if omitted is None:
                    omitted = len(rows)
                    rows.append(OMITTED)
                parts.append(omitted)
                continue
            # Equal constants share a row, even if they are different objects.
            key = (type(part), part) if id(type(part)) in PLAIN else None
            place = places.get(id(part)) if key is None else leaves.get(key)
            if place is None:
                place = len(rows)
                if key is None:
                    places[id(part)] = place
                    rows.append(None)
                    held.append(part)
                    waiting.append((place, part))
                else:
                    leaves[key] = place
                    rows.append(plain(part))
            parts.append(place)
        rows[index] = (label, form, data, tuple(parts), names)
    if kept is not None:
        kept += [one for one in held[1:] if not isinstance(one, type)]
    return rows


def shape(kind: "Any") -> "Any":
    """How values of a type are looked at: label, handler, descriptors of attributes."""
    bases = mro_of(kind)
    label = qualname_of(kind)
    if any(base is enum.Enum for base in bases):
        return label, enum_member, []
    if runs_tests(kind):
        return label, opaque, []
    for base in bases:
        if base is type:
            return "class", class_, []
        handler = HANDLERS.get(id(base)) or foreign(base)
        if handler is not None:
            break
    else:
        base, handler = object, reduced if says(bases) else opaque
    return label, handler, [] if kind is base or handler is module else list(storage(bases, base))


def runs_tests(kind: "Any") -> bool:
    module = dict_of(kind).get("__module__")
    return type(module) is str and (module in RUNNERS or module == "unittest.case" and qualname_of(kind) == "_Outcome")


def storage(bases: tuple[type, ...], known: "Any") -> "Iterator[Any]":
    """The descriptors that reach the dictionary and the slots of an instance, beyond what is known of a base."""
    dictionary = None
    slots = True
    for base in bases:
        own = dict_of(base)
        slots &= base is not known
        if dictionary is None and id(type(own.get("__dict__"))) in DESCRIPTORS:
            dictionary = own["__dict__"].__get__
            yield None, dictionary
        if slots and "__slots__" in own:
            for name, value in own.items():
                if type(value) is types.MemberDescriptorType and value.__objclass__ is base:
                    yield name, value.__get__


def plain(value: "Value") -> "Any":
    """The row of a constant."""
    if type(value) in (str, bytes):
        return (type(value).__name__, *long(value), ())
    return ("NoneType" if value is None else NUMBER, LEAF, value, (), ())


def picture(value: "Value", label: "Any", handler: "Any", descriptors: "Any", left: int) -> "Any":
    try:
        form, data, inside = handler(value, left)
    except Exception:
        form, data, inside = LEAF, None, ()
    attributes: dict[Any, Any] = {}
    for name, get in descriptors:
        try:
            found = get(value)
        except Exception:
            continue
        if name is not None:
            attributes.setdefault(name, found)
        elif issubclass(type(found), dict):
            attributes.update(item for item in dict.items(found) if type(item[0]) is str)
    attributes.pop("__notes__", None)
    if handler is function:
        attributes.update(kept(value))
    elif handler is ordered_items:
        attributes[ORDER] = tuple(collections.OrderedDict.keys(value))
    if label in DICTIONARIES:
        label = "dict"
    if id(type(value)) in NUMBERS:
        label = NUMBER
    names = tuple(sorted(attributes))
    return label, form, data, [*inside, *(attributes[name] for name in names)], names


def few(parts: "Any", count: int, left: int) -> "list[Any]":
    """The parts, and one more than may be had if they are too many."""
    if count <= left:
        return list(parts)
    return [part for part, _ in zip(parts, range(max(left, 0) + 1))]


def opaque(value: "Value", left: int) -> "Any":
    return LEAF, None, ()


def says(bases: tuple[type, ...]) -> bool:
    """Whether a type tells by code in C what its values are made of."""
    found = [next((dict_of(base)[name] for base in bases if name in dict_of(base)), None) for name in REDUCING]
    own = [dict_of(base)[name] for base in bases[:-1] for name in REDUCING if name in dict_of(base)]
    return not any(type(one) is types.FunctionType for one in found) and (bool(own) or not any(map(is_made, bases[:-1])))


def is_made(base: "Any") -> bool:
    """Whether a class is made by a program, or as if it were."""
    return bool(FLAGS(base) & HEAP)


def reduced(value: "Value", left: int) -> "Any":
    """What a type in C says that its values are made of, to copy them; if it says nothing, they are all alike."""
    if type(value) is object:
        return LEAF, None, ()
    reduce: Any = type(value).__reduce_ex__
    _, parts, *state = reduce(value, 2)
    state = [list(part) if hasattr(type(part), "__next__") else part for part in state]
    return LIST, None, [parts, state]


def number(base: "Any") -> "Any":
    return lambda value, left: (LEAF, base.__pos__(value) if base is not bool else value, ())


def text(base: "Any") -> "Any":
    def handler(value: "Value", left: int) -> "Any":
        copied = base.__getitem__(value, slice(None))
        return long(bytes(copied) if base is bytearray else copied)

    return handler


def long(value: "Value") -> "Any":
    if len(value) <= LONG:
        return LEAF, value, ()
    octets = value.encode("utf-8", "surrogatepass") if type(value) is str else value
    return LEAF, ("digest", len(value), hashlib.sha256(octets).digest()), ()


def sequence(base: "Any") -> "Any":
    def handler(value: "Value", left: int) -> "Any":
        count = base.__len__(value)
        return LIST, count, few(base.__iter__(value), count, left)

    return handler


def elements(base: "Any") -> "Any":
    def handler(value: "Value", left: int) -> "Any":
        count = base.__len__(value)
        return SET, count, few(base.__iter__(value), count, left)

    return handler


def items(value: "Value", left: int) -> "Any":
    count = dict.__len__(value)
    pairs = few(dict.items(value), count, left // 2)
    return DICT, count, [part for pair in pairs for part in pair]


def ordered_items(value: "Value", left: int) -> "Any":
    count = dict.__len__(value)
    pairs = few(collections.OrderedDict.items(value), count, left // 2)
    return DICT, count, [part for pair in pairs for part in pair]


def fields(base: "Any", *names: "Any") -> "Any":
    getters = [dict_of(base)[name].__get__ for name in names]
    return lambda value, left: (LIST, len(getters), [get(value) for get in getters])


def path(value: "Value", left: int) -> "Any":
    """The text of a path, which the path would keep: a later snapshot must not see that."""
    slots = [slot for base in mro_of(type(value)) for slot in dict_of(base).values() if type(slot) is types.MemberDescriptorType]
    unset = [slot for slot in slots if not is_set(slot, value)]
    text = pathlib.PurePath.__str__(value)
    for slot in unset:
        if is_set(slot, value):
            slot.__delete__(value)
    return LEAF, text, ()


def is_set(slot: "Any", value: "Value") -> bool:
    try:
        slot.__get__(value)
    except AttributeError:
        return False
    return True


def enum_member(value: "Value", left: int) -> "Any":
    for base in mro_of(type(value)):
        held = dict_of(base).get("__dict__")
        if type(held) is types.GetSetDescriptorType:
            own = held.__get__(value)
            return LEAF, own.get("_name_"), () if own.get("_name_") is not None else (own.get("_value_"),)
    return opaque(value, left)


def class_(value: "Value", left: int) -> "Any":
    return LEAF, qualname_of(value), ()


def function(value: "Value", left: int) -> "Any":
    qualname = dict_of(types.FunctionType)["__qualname__"].__get__(value)
    # Where a local function was made may have another name in the reference.
    return LEAF, qualname.rpartition("<locals>.")[2], ()


def kept(value: "Value") -> "Any":
    """What a local function has from where it was made: variables around it, and defaults. Others are what they are called."""
    qualname, code, closure, defaults, keywords = (dict_of(types.FunctionType)[name].__get__(value) for name in FUNCTION)
    found = {}
    if "<locals>" in qualname:
        for name, cell in zip(code.co_freevars, closure or ()):
            try:
                found[name] = cell.cell_contents
            except ValueError:
                pass
        found.update(zip(code.co_varnames[code.co_argcount - len(defaults or ()) :], defaults or ()))
        found.update(keywords or {})
    # What was set on it; but what it wraps is what it is called.
    attributes = dict_of(types.FunctionType)["__dict__"].__get__(value)
    found.update((f".{name}", one) for name, one in attributes.items() if name != "__wrapped__")
    return found


def builtin(value: "Value", left: int) -> "Any":
    own = value.__self__
    return LEAF, value.__name__, () if own is None or issubclass(type(own), types.ModuleType) else (own,)


def module(value: "Value", left: int) -> "Any":
    return LEAF, dict_of(types.ModuleType)["__dict__"].__get__(value).get("__name__"), ()


def match(value: "Value", left: int) -> "Any":
    return LIST, 2, [re.Match.span(value), re.Match.group(value)]


def array_(value: "Value", left: int) -> "Any":
    count = array.array.__len__(value)
    return LIST, (value.typecode, count), few(array.array.tolist(value), count, left)


def foreign(base: "Any") -> "Any":
    """Handlers of arrays and frames, if the program has them."""
    name = dict_of(base).get("__module__")
    home = name.partition(".")[0] if type(name) is str else ""
    if home not in ("numpy", "pandas") or sys.modules.get(home) is None:
        return None
    library = sys.modules[home]
    for name, handler in FOREIGN[home].items():
        if getattr(library, name, None) is base:
            return handler
    return None


def numpy_array(value: "Value", left: int) -> "Any":
    numpy = sys.modules["numpy"]
    bare = numpy.ndarray.view(value, numpy.ndarray)
    data = (bare.dtype.str, bare.shape)
    if bare.dtype.kind in "biufcOUS" and bare.size <= max(left, 0):
        return LIST, data, bare.ravel().tolist()
    return LIST, data, [bare.tobytes()]


def numpy_scalar(value: "Value", left: int) -> "Any":
    return LIST, None, [value.item()]


def pandas_frame(value: "Value", left: int) -> "Any":
    columns = [value.iloc[:, place] for place in range(value.shape[1])]
    return LIST, value.shape, [value.index.tolist(), value.columns.tolist(), *([str(column.dtype), column.tolist()] for column in columns)]


def pandas_series(value: "Value", left: int) -> "Any":
    return LIST, value.shape, [value.name, str(value.dtype), value.index.tolist(), value.tolist()]


def pandas_index(value: "Value", left: int) -> "Any":
    return LIST, value.shape, [list(value.names), str(value.dtype), value.tolist()]


deque_items = sequence(collections.deque)
view: "Any"
EMPTY: "dict[Any, Any]" = {}
KEYS, VALUES, ITEMS = type(EMPTY.keys()), type(EMPTY.values()), type(EMPTY.items())
HEAP, FLAGS = 1 << 9, type.__dict__["__flags__"].__get__
REDUCING = ("__reduce_ex__", "__reduce__", "__getstate__", "__getnewargs_ex__", "__getnewargs__")
FOREIGN = {
    "numpy": {"ndarray": numpy_array, "generic": numpy_scalar},
    "pandas": {"DataFrame": pandas_frame, "Series": pandas_series, "Index": pandas_index},
}
FUNCTION = ("__qualname__", "__code__", "__closure__", "__defaults__", "__kwdefaults__")
CLOCK = ("hour", "minute", "second", "microsecond", "tzinfo", "fold")
BY_TYPE: "dict[type, Any]" = {
    type(None): opaque,
    bool: number(bool),
    int: number(int),
    float: number(float),
    complex: number(complex),
    str: text(str),
    bytes: text(bytes),
    bytearray: text(bytearray),
    list: sequence(list),
    tuple: sequence(tuple),
    dict: items,
    set: elements(set),
    frozenset: elements(frozenset),
    collections.deque: lambda value, left: (*deque_items(value, left)[:1], (len(value), value.maxlen), deque_items(value, left)[2]),
    KEYS: lambda value, left: (SET, len(value), few(value, len(value), left)),
    VALUES: lambda value, left: (LIST, len(value), few(value, len(value), left)),
    ITEMS: lambda value, left: (SET, len(value), few(value, len(value), left)),
    types.MappingProxyType: lambda value, left: (LIST, None, [value.copy()] if type(value.copy()) is dict else []),
    random.Random: lambda value, left: (LIST, None, [random.Random.getstate(value)]),
    collections.OrderedDict: ordered_items,
    range: fields(range, "start", "stop", "step"),
    slice: fields(slice, "start", "stop", "step"),
    types.FunctionType: function,
    types.BuiltinFunctionType: builtin,
    types.ModuleType: module,
    types.MethodType: fields(types.MethodType, "__func__", "__self__"),
    types.WrapperDescriptorType: lambda value, left: (LEAF, value.__name__, ()),
    types.MethodDescriptorType: lambda value, left: (LEAF, value.__name__, ()),
    types.GenericAlias: opaque,
    BaseException: fields(BaseException, "args"),
    functools.partial: fields(functools.partial, "func", "args", "keywords"),
    re.Pattern: fields(re.Pattern, "pattern", "flags"),
    re.Match: match,
    array.array: array_,
    memoryview: lambda value, left: long(memoryview.tobytes(value)),
    io.StringIO: lambda value, left: (LIST, io.StringIO.tell(value), [io.StringIO.getvalue(value)]),
    io.BytesIO: lambda value, left: (LIST, io.BytesIO.tell(value), [io.BytesIO.getvalue(value)]),
    datetime.date: fields(datetime.date, "year", "month", "day"),
    datetime.datetime: lambda value, left: (
        LIST,
        9,
        [*BY_TYPE[datetime.date](value, 0)[2], *(dict_of(datetime.datetime)[name].__get__(value) for name in CLOCK)],
    ),
    datetime.time: fields(datetime.time, *CLOCK),
    datetime.timedelta: fields(datetime.timedelta, "days", "seconds", "microseconds"),
    datetime.timezone: lambda value, left: (LIST, 1, [datetime.timezone.utcoffset(value, None)]),
    decimal.Decimal: lambda value, left: (LEAF, decimal.Decimal(value), ()),
    pathlib.PurePath: path,
}
HANDLERS = {id(kind): handler for kind, handler in BY_TYPE.items()}
PLAIN = {*NUMBERS, id(type(None)), id(str), id(bytes)}
