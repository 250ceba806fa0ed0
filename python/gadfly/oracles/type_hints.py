"""What a program says itself about what its functions take and give: type hints, and contracts (icontract)."""
import collections.abc
import types
import typing

from gadfly.code_flags import SUSPENDED

FEW = 100


def hints(function, arguments, how, value):
    """The answer that the hints of a function give about a call: a result of another type is wrong, an argument of another
    type makes the call inadmissible; None if everything fits or nothing can be told."""
    try:
        known = typing.get_type_hints(function)
    except Exception:
        return None
    for name, hint in known.items():
        if name != "return" and name in arguments and fits(arguments[name], hint) is False:
            return {"answer": "inadmissible", "why": f"{name} is no {shown(hint)}"}
    flags = function.__code__.co_flags
    if how != "normal" or "return" not in known or flags & SUSPENDED:
        return None
    if fits(value, known["return"]) is False:
        return {"answer": "wrong", "why": f"the result is no {shown(known['return'])}"}
    return None


def shown(hint):
    return getattr(hint, "__name__", None) or str(hint)


def fits(value, hint):
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
        return every((one, inner[0]) for one in list(value)[:FEW])
    if isinstance(value, tuple) and inner:
        if len(inner) == 2 and inner[1] is Ellipsis:
            return every((one, inner[0]) for one in value[:FEW])
        if len(inner) != len(value):
            return False
        return every(zip(value, inner))
    if isinstance(value, dict) and len(inner) == 2:
        return every((one, hint) for pair in list(value.items())[:FEW] for one, hint in zip(pair, inner))
    return True


def every(pairs):
    verdicts = [fits(value, hint) for value, hint in pairs]
    return False if False in verdicts else None if None in verdicts else True


def contracts(function, arguments, before, how, value):
    """The answer that the contracts of a function give: what it must be given, and what it must give."""
    for checker in checkers(function):
        groups = getattr(checker, "__preconditions__", None) or []
        if groups and not any(all(holds(one, before) for one in group) for group in groups):
            return {"answer": "inadmissible", "why": "a precondition does not hold"}
        known = {**arguments, "result": value}
        if how == "normal" and not all(holds(one, known) for one in getattr(checker, "__postconditions__", None) or []):
            return {"answer": "wrong", "why": "a postcondition does not hold"}
    return None


def checkers(function):
    """Functions that check the contracts of a function: what wraps it."""
    import gc
    waiting, found = [function], []
    while waiting and len(found) < 8:
        inner = waiting.pop()
        for one in gc.get_objects():
            if type(one) is types.FunctionType and one.__dict__.get("__wrapped__") is inner:
                found.append(one)
                waiting.append(one)
    return [one for one in found if hasattr(one, "__preconditions__") or hasattr(one, "__postconditions__")]


def holds(contract, known):
    """Whether a condition holds; one that needs what is not known does."""
    condition = contract.condition
    names = condition.__code__.co_varnames[:condition.__code__.co_argcount]
    if not all(name in known for name in names):
        return True
    return bool(condition(**{name: known[name] for name in names}))
