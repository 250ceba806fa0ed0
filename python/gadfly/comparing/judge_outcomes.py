"""Whether two ways to do a thing come to the same: how they end, what they give, and what they change."""
import itertools
import os
import types

from gadfly.comparing import compare

# What the reference's code raises where it has names that the program does not.
STRANGE = (AttributeError, NameError, ImportError)
# So many values of an iterator are looked at.
SOME = 1000
# What a class may have as data of its own; whatever else it has may be how it does things.
SHARED = {int, float, complex, bool, str, bytes, type(None), list, tuple, dict, set, frozenset}
dict_of = type.__dict__["__dict__"].__get__


def judged(one, other, lenient=False, touched=(), strict=False):
    """The answer: whether two pictures are of the same, but for variables of modules that adopting the reference has touched."""
    if one["how"] != other["how"] and other.get("strange"):
        return {"unknown": "the reference's code does not fit the program's state"}
    if one["how"] != other["how"]:
        return {"answer": "wrong", "why": f"{other['how']} instead of {one['how']}"}
    # Another version may warn of what is no longer to be done.
    for part in ("result", *(["warned"] if strict else []), "globals", "gives"):
        mine, its = one[part], other[part]
        if part == "globals":
            mine, its = compare.without(mine, touched), compare.without(its, touched)
        if compare.same(mine, its, lenient, strict) is False:
            return {"answer": "wrong", "part": part, "why": compare.difference(mine, its, lenient, strict)}
    return {"answer": "correct"}


def gives(value):
    """Whether a value is an iterator, or holds some at once."""
    return is_iterator(value) or is_short(value) and any(map(is_iterator, value))


def taken(value):
    """What an iterator would give: this process ends before anybody else could have it."""
    if is_short(value):
        return [taken(one) for one in value if is_iterator(one)]
    if not is_iterator(value):
        return None
    try:
        return list(itertools.islice(value, SOME))
    except BaseException as error:
        return error


def is_short(value):
    return type(value) in (tuple, list) and len(value) < SOME


def is_iterator(value):
    kind = type(value)
    return kind is types.GeneratorType or kind.__module__ in ("builtins", "itertools") and hasattr(kind, "__next__")


def data_of(modules, only=None):
    """The data of modules, and of the classes that they define: of those and under those names that were there, if that is told."""
    found = {}
    for name, module in modules.items():
        if only is not None and name not in only:
            continue
        data = {}
        for key, value in module.__dict__.items():
            if is_data(key, value):
                data[key] = value
            elif isinstance(value, type) and dict_of(value).get("__module__") == name:
                data.update((f"{key}.{one}", inner) for one, inner in dict_of(value).items() if is_member(one, inner))
        found[name] = data if only is None else {key: value for key, value in data.items() if key in only[name]}
    # Everybody's variables.
    found["os"] = {"environ": dict(os.environ)}
    return found


def is_member(name, value):
    """Whether an attribute of a class is data that all of its objects share."""
    return type(name) is str and not name.startswith(("__", "_abc_")) and type(value) in SHARED


def is_data(name, value):
    """Whether a variable of a module is data of the program's."""
    if type(name) is not str or name.startswith("__"):
        return False
    return not isinstance(value, (types.FunctionType, types.BuiltinFunctionType, types.ModuleType, type)) \
        and not name.startswith("@")
