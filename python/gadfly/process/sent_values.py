"""What was sent or thrown into a generator, so that it can be sent again.

A recording has it as text: only what text can say, plain data and exceptions of Python's own, is known again."""

import ast
import builtins

from gadfly.messages import NOT_REPEATABLE, Unanswerable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from gadfly._types import Value


def read(text: str) -> "dict[Any, Any]":
    """What is sent, by how many values the generator has given by then: a value, or an exception to be thrown."""
    try:
        parts: Any = ast.parse(text, mode="eval").body
        return {at: value(part) for at, part in enumerate(parts.elts, 1)}
    except (SyntaxError, ValueError, TypeError, AttributeError):
        raise Unanswerable(NOT_REPEATABLE, "what was sent into the generator is not known") from None


def value(part: "Any") -> "Any":
    """A value, and whether it is to be thrown."""
    if isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id == "throw":
        return exception(part.args[0]), True
    return ast.literal_eval(part), False


def exception(part: "Any") -> "Any":
    name, arguments = (getattr(part.func, "id", ""), part.args) if isinstance(part, ast.Call) else (part.id, [])
    kind = getattr(builtins, name, None)
    if not isinstance(kind, type) or not issubclass(kind, BaseException):
        raise ValueError(name)
    return kind(*map(ast.literal_eval, arguments))


def resume(generator: "Any", sent: "tuple[Value, bool] | None") -> "Any":
    """The next value of a generator."""
    if sent is None:
        return next(generator)
    what, thrown = sent
    return generator.throw(what) if thrown else generator.send(what)
