"""What the type hints of a function say of a call: whether its arguments and its result are of the types that they name."""

import collections.abc
import types
import typing

from gadfly.code_flags import SUSPENDED
from gadfly.messages import INADMISSIBLE, WRONG, Difference, Judged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FunctionType
    from typing import Any

    from gadfly._types import Value

# So many elements of a collection are looked at.
MOST_ELEMENTS = 100


def answer(function: "FunctionType", arguments: "dict[str, Value]", how: str, value: "Value") -> "Any":
    """The answer that the hints of a function give about a call: a result of another type is wrong, an argument of another
    type makes the call inadmissible; None if everything fits or nothing can be told."""
    try:
        known = typing.get_type_hints(function)
    except Exception:
        return None
    for name, hint in known.items():
        if name != "return" and name in arguments and fits(arguments[name], hint) is False:
            return Judged(INADMISSIBLE, f"the argument {name} is not of type {shown(hint)}", Difference("arguments", name))
    flags = function.__code__.co_flags
    if how != "normal" or "return" not in known or flags & SUSPENDED:
        return None
    if fits(value, known["return"]) is False:
        return Judged(WRONG, f"the result is not of type {shown(known['return'])}", Difference("value"))
    return None


def shown(hint: "Any") -> "Any":
    return getattr(hint, "__name__", None) or str(hint)


def fits(value: "Value", hint: "Any") -> "Any":
    """Whether a value is of a type; None if that cannot be told."""
    if hint is typing.Any or isinstance(hint, (typing.TypeVar, str)):
        return None
    if hint is None or hint is type(None):
        return value is None
    if isinstance(hint, type) and not typing.get_origin(hint):
        if hint is float:
            return isinstance(value, (int, float))
        if hint is complex:
            return isinstance(value, (int, float, complex))
        if getattr(hint, "_is_protocol", False):
            return None
        return isinstance(value, hint)
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, getattr(types, "UnionType", typing.Union)):
        verdicts = [fits(value, one) for one in inner]
        return True if True in verdicts else None if None in verdicts else False
    if origin is typing.Literal:
        return any(value == one and type(value) is type(one) for one in inner)
    if origin is typing.Annotated:
        return fits(value, inner[0])
    if not isinstance(origin, type):
        return None
    if not isinstance(value, origin):
        return False
    if isinstance(value, (list, set, frozenset, collections.deque)) and len(inner) == 1:
        return every((one, inner[0]) for one in list(value)[:MOST_ELEMENTS])
    if isinstance(value, tuple) and inner:
        if len(inner) == 2 and inner[1] is Ellipsis:
            return every((one, inner[0]) for one in value[:MOST_ELEMENTS])
        if len(inner) != len(value):
            return False
        return every(zip(value, inner))
    if isinstance(value, dict) and len(inner) == 2:
        return every((one, hint) for pair in list(value.items())[:MOST_ELEMENTS] for one, hint in zip(pair, inner))
    return True


def every(pairs: "Any") -> "Any":
    verdicts = [fits(value, hint) for value, hint in pairs]
    return False if False in verdicts else None if None in verdicts else True
