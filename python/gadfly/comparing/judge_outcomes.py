"""Whether two ways to do a thing come to the same: how they end, what they give, and what they change."""

import itertools
import os
import types

from gadfly.comparing import compare
from gadfly.messages import CORRECT, DOES_NOT_FIT, WRONG, Difference, Failed, Judged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import ModuleType
    from typing import Any

    from gadfly._types import Picture, Value
    from gadfly.messages import Message

# What the reference's code raises where it has names that the program does not.
STRANGE = (AttributeError, NameError, ImportError)
# So many values of an iterator are looked at.
SOME = 1000
# What a class may have as data of its own; whatever else it has may be how it does things.
SHARED = {int, float, complex, bool, str, bytes, type(None), list, tuple, dict, set, frozenset}
dict_of = type.__dict__["__dict__"].__get__


# What the parts of the picture of a call are, and of a piece of code inside of one.
CALL_PARTS = ("value", "arguments", "captured", "printed", "reached", "shared", "files")
STATEMENT_PARTS = ("value", "variables", "yielded", "printed", "files")
# How code may end.
ENDINGS = {
    "normal": "ends normally",
    "raise": "raises an exception",
    "return": "returns",
    "break": "leaves the loop",
    "continue": "continues with the next round",
    "endless": "does not end",
}
REASONS = {
    "value": "the result differs from the reference's",
    "arguments": "the argument {name} differs from the reference's afterwards",
    "variables": "the variable {name} differs from the reference's afterwards",
    "captured": "a captured variable differs from the reference's afterwards",
    "printed": "the output differs from the reference's",
    "reached": "an object that the call could reach differs from the reference's afterwards",
    "shared": "an attribute of the class differs from the reference's",
    "files": "the files that were written differ from the reference's",
    "yielded": "the values that were yielded differ from the reference's",
    "warned": "the warnings differ from the reference's",
    "globals": "the global variable {name} differs from the reference's afterwards",
    "gives": "the values that an iterator yields differ from the reference's",
}


def judged(
    one: "Picture", other: "Picture", lenient: bool = False, touched: "Iterable[tuple[str, str]]" = (), strict: bool = False
) -> "Any":
    """The answer: whether two pictures are of the same, but for variables of modules that giving the program the reference's code has
    touched."""
    if one["how"] != other["how"] and other.get("strange"):
        return Failed(DOES_NOT_FIT, "the reference's code does not fit the program's state")
    if one["how"] != other["how"]:
        return Judged(WRONG, f"the reference {ENDINGS[other['how']]}, the program {ENDINGS[one['how']]}", Difference("ending"))
    # Another version may warn of what is no longer to be done.
    for part in ("result", *(["warned"] if strict else []), "globals", "gives"):
        ours, theirs = one[part], other[part]
        if part == "globals":
            ours, theirs = compare.without(ours, touched), compare.without(theirs, touched)
        if compare.same(ours, theirs, lenient, strict) is False:
            difference, text = located(one, part, compare.first_difference(ours, theirs, lenient, strict) or [])
            return Judged(WRONG, text, difference)
    return Judged(CORRECT)


def differs_in_globals(reply: "Message | None") -> bool:
    """Whether the first difference is in a variable of a module."""
    return isinstance(reply, Judged) and reply.first_difference is not None and reply.first_difference.part == "globals"


def located(picture: "Picture", part: str, steps: "list[Any]") -> "Any":
    """Which part of a picture, and which variable in it, steps from its beginning lead to; and the reason as text."""
    name = None
    if part == "result":
        at, *steps = steps or [0]
        part = picture["parts"][at]
    if part == "arguments" and steps:
        name, steps = picture["arguments"][steps[0]], steps[2:]
    elif part == "variables" and steps:
        name, steps = compare.key_text(steps[0]), steps[1:]
    elif part == "globals" and steps:
        keys = [step for step in steps[:2] if type(step) is tuple]
        name, steps = ".".join(map(compare.key_text, keys)), steps[len(keys) :]
    text = REASONS[part].format(name=name or "(unknown)")
    text += f", at {compare.path_text(steps)}" if steps else ""
    return Difference(part, name, tuple(map(compare.tagged, steps[: compare.MOST_STEPS]))), text


def gives(value: "Value") -> "Any":
    """Whether a value is an iterator, or holds some at once."""
    return is_iterator(value) or is_short(value) and any(map(is_iterator, value))


def taken(value: "Value") -> "Any":
    """What an iterator would give: this process ends before anybody else could have it."""
    if is_short(value):
        return [taken(one) for one in value if is_iterator(one)]
    if not is_iterator(value):
        return None
    try:
        return list(itertools.islice(value, SOME))
    except BaseException as error:
        return error


def is_short(value: "Value") -> bool:
    return type(value) in (tuple, list) and len(value) < SOME


def is_iterator(value: "Value") -> bool:
    kind = type(value)
    return kind is types.GeneratorType or kind.__module__ in ("builtins", "itertools") and hasattr(kind, "__next__")


def data_of(modules: "dict[str, ModuleType]", only: dict[str, list[str]] | None = None) -> "Any":
    """The data of modules, and of the classes that they define: only those modules and names that `only` has, if it is given."""
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


def is_member(name: object, value: "Value") -> bool:
    """Whether an attribute of a class is data that all of its objects share."""
    return type(name) is str and not name.startswith(("__", "_abc_")) and type(value) in SHARED


def is_data(name: object, value: "Value") -> bool:
    """Whether a variable of a module is data of the program's."""
    if type(name) is not str or name.startswith("__"):
        return False
    return not isinstance(value, (types.FunctionType, types.BuiltinFunctionType, types.ModuleType, type)) and not name.startswith("@")
