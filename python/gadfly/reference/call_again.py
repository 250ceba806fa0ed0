"""Calls a function of the program again, whose code is the reference's by now."""

from gadfly.code_flags import VARARGS, VARKEYWORDS
from gadfly.messages import NOT_REPEATABLE, OTHER_PARAMETERS, Unanswerable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType, FunctionType
    from typing import Any

    from gadfly._types import Value

# By id of a function that could not be changed in place: itself, and the function that stands for it now.
successors: "dict[Any, Any]" = {}


def contents(cell: "Any") -> "Any":
    try:
        return cell.cell_contents
    except (AttributeError, ValueError):
        return successors


def call(
    function: "FunctionType",
    arguments: "dict[str, Value]",
    original_code: "CodeType",
    original_defaults: "tuple[Value, ...] | None" = None,
    original_kwdefaults: "dict[str, Value] | None" = None,
) -> "Any":
    """Calls a function that has been adopted with the arguments that its original code was called with."""
    # What the reference has as a default, the original may have had from the functions around it.
    around = dict(zip(original_code.co_freevars, map(contents, function.__closure__ or ())))
    _, function = successors.get(id(function), (None, function))
    positional, keywords = passed(function, arguments, original_code, original_defaults, original_kwdefaults, around)
    return function(*positional, **keywords)


def passed(
    function: "FunctionType",
    arguments: "dict[str, Value]",
    original_code: "CodeType",
    original_defaults: "tuple[Value, ...] | None",
    original_kwdefaults: "dict[str, Value] | None",
    around: "dict[str, Value]",
) -> "Any":
    """The arguments of the reference's code: by place and by name.

    An argument that is the original's default is left out, so that the reference's default counts."""
    values = {name.lstrip("*"): value for name, value in arguments.items()}
    places, names, rest, others = parameters(original_code)
    new_places, new_names, new_rest, new_others = parameters(function.__code__)
    defaults = dict(zip(places[len(places) - len(original_defaults or ()) :], original_defaults or ()))
    defaults.update(original_kwdefaults or {})
    given = function.__defaults__ or ()
    own = dict(zip(new_places[len(new_places) - len(given) :], given)) | (function.__kwdefaults__ or {})
    filled, extra, keywords = {}, [], dict(values.get(others) or {}) if others else {}
    for place, name in enumerate(places + names):
        if name not in values:
            raise Unanswerable(NOT_REPEATABLE, f"the argument {name} is not known")
        value = values[name]
        usual = name in defaults and defaults[name] is value
        if name in new_places or name in new_names:
            if not usual or name not in own:
                filled[name] = value
        elif name in places and place < len(new_places) and new_places[place] not in places + names:
            if not usual or new_places[place] not in own:
                filled[new_places[place]] = value
        elif name in places and new_rest and place >= len(new_places):
            extra.append(value)
        elif new_others and name not in original_code.co_varnames[: original_code.co_posonlyargcount]:
            if not usual:
                keywords[name] = value
        elif not usual:
            raise Unanswerable(OTHER_PARAMETERS, f"the reference has no parameter {name}")
    extra += values.get(rest) or () if rest else ()
    if extra and not new_rest:
        raise Unanswerable(OTHER_PARAMETERS, "the reference takes no further arguments")
    for name in [name for name in keywords if name in new_places + new_names]:
        filled.setdefault(name, keywords.pop(name))
    if keywords and not new_others:
        raise Unanswerable(OTHER_PARAMETERS, f"the reference has no parameter {next(iter(keywords))}")
    needed = [name for name in new_places + new_names if name not in filled and name not in own]
    filled.update((name, around[name]) for name in needed if name in around)
    missing = [name for name in needed if name not in filled]
    if missing:
        raise Unanswerable(OTHER_PARAMETERS, f"the reference needs an argument {missing[0]}")
    keywords.update((name, filled[name]) for name in new_names if name in filled)
    return [filled.get(name, own.get(name)) for name in new_places] + extra, keywords


def parameters(code: "CodeType") -> "Any":
    """The names of parameters: by place, by name only, of further arguments and of further names."""
    names = code.co_varnames
    count = code.co_argcount + code.co_kwonlyargcount
    rest = names[count] if code.co_flags & VARARGS else None
    others = names[count + bool(rest)] if code.co_flags & VARKEYWORDS else None
    return list(names[: code.co_argcount]), list(names[code.co_argcount : count]), rest, others
