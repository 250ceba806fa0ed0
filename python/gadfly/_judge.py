"""Whether two ways to do a thing come to the same: how they end, what they give, and what they change."""
import itertools
import types

from gadfly import _compare

# What the reference's code raises where it has names that the program does not.
STRANGE = (AttributeError, NameError, ImportError)
# So many values of an iterator are looked at.
SOME = 1000


def judged(one, other, lenient=False):
    """The answer: whether two pictures are of the same."""
    if one["how"] != other["how"] and other.get("strange"):
        return {"unknown": "the reference's code does not fit the program's state"}
    if one["how"] != other["how"]:
        return {"answer": "wrong", "why": f"{other['how']} instead of {one['how']}"}
    for part in ("result", "globals", "gives"):
        if _compare.same(one[part], other[part], lenient) is False:
            return {"answer": "wrong", "why": _compare.difference(one[part], other[part], lenient)}
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


def is_data(name, value):
    """Whether a variable of a module is data of the program's."""
    if type(name) is not str or name.startswith("__"):
        return False
    return not isinstance(value, (types.FunctionType, types.BuiltinFunctionType, types.ModuleType, type)) \
        and not name.startswith("@")
