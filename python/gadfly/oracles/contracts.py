"""What the contracts of a function (icontract) say of a call: what it must be given, and what it must give."""

import gc
import types

from gadfly.messages import INADMISSIBLE, WRONG, Judged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FunctionType
    from typing import Any

    from gadfly._types import Value


def answer(function: "FunctionType", arguments: "dict[str, Value]", before: "dict[str, Value]", how: str, value: "Value") -> "Any":
    """The answer that the contracts of a function give: what it must be given, and what it must give."""
    for checker in checkers(function):
        groups = getattr(checker, "__preconditions__", None) or []
        if groups and not any(all(holds(one, before) for one in group) for group in groups):
            return Judged(INADMISSIBLE, "a precondition does not hold")
        known = {**arguments, "result": value}
        if how == "normal" and not all(holds(one, known) for one in getattr(checker, "__postconditions__", None) or []):
            return Judged(WRONG, "a postcondition does not hold")
    return None


def checkers(function: "FunctionType") -> "list[Any]":
    """Functions that check the contracts of a function: what wraps it."""
    found: list[Any]
    waiting, found = [function], []
    while waiting and len(found) < 8:
        inner = waiting.pop()
        for one in gc.get_objects():
            if type(one) is types.FunctionType and one.__dict__.get("__wrapped__") is inner:
                found.append(one)
                waiting.append(one)
    return [one for one in found if hasattr(one, "__preconditions__") or hasattr(one, "__postconditions__")]


def holds(contract: "Any", known: "dict[str, Value]") -> bool:
    """Whether a condition holds; one that needs what is not known does."""
    condition = contract.condition
    names = condition.__code__.co_varnames[: condition.__code__.co_argcount]
    if not all(name in known for name in names):
        return True
    return bool(condition(**{name: known[name] for name in names}))
