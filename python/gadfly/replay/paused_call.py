"""A call that is about to be made, and how to make it: as the program does, or with other code."""

import gc
import sys
import types

from gadfly.code_flags import OPTIMIZED, SUSPENDED
from gadfly.comparing.judge_outcomes import is_member
from gadfly.messages import NOT_REPEATABLE, Unanswerable
from gadfly.process.run_to_end import YIELDS_IF_UNKNOWN, run_to_end
from gadfly.reference import call_again

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CellType, CodeType, FrameType
    from typing import Any

    from gadfly._types import Value

# How many calls deep we may be where the program may not, and how many of them we are when it goes on.
ROOM, OWN = 200, 6


class PausedCall:
    """A call that is about to be made."""

    def __init__(
        self,
        function: "Any",
        code: "CodeType",
        variables: "dict[str, Value]",
        names: "Any",
        arguments: "dict[int, Value]",
        around: "tuple[CellType, ...]",
    ) -> None:
        self.code, self.variables, self.names = code, variables, names
        parameters = list(code.co_varnames)
        self.arguments = {parameters[at]: value for at, value in sorted(arguments.items())}
        self.function = function if isinstance(function, types.FunctionType) else None
        if self.function is None and code.co_flags & OPTIMIZED:
            owners = [one for one in gc.get_referrers(code) if type(one) is types.FunctionType and one.__code__ is code]
            fitting = [one for one in owners if is_closure(one.__closure__ or (), around)]
            self.function = (fitting or owners)[0] if len(owners) == 1 or len(fitting) == 1 else None
        # What is sent into it, if it is a generator: by how many values it has given.
        self.sent: dict[int, tuple[Value, bool]] | None = None
        self.original = (code, *((self.function.__defaults__, self.function.__kwdefaults__) if self.function else (None, None)))

    def has_defaults(self) -> bool:
        return self.function is None or bool(self.function.__defaults__ or self.function.__kwdefaults__)

    def closure(self) -> "list[Any]":
        """The values of the variables of functions around it."""
        cells = (self.function and self.function.__closure__) or ()
        return [cell.cell_contents for cell in cells if is_full(cell)]

    def shared(self) -> "dict[Any, Any] | None":
        """What the body of a class has set for all of its objects."""
        if self.code.co_flags & OPTIMIZED or self.names is None or self.names is self.variables:
            return None
        return {name: value for name, value in dict.items(self.names) if is_member(name, value)}

    def make(self, code: "CodeType", replacement: "CodeType | None" = None, items: int = YIELDS_IF_UNKNOWN, deep: bool = False) -> "Any":
        """Makes the call: with its function, or with other code in place of the function's.

        It may be as deep as the program's own would have been; or, if `deep`, as if nothing were around it."""
        if not self.code.co_flags & OPTIMIZED:
            try:
                exec(code, self.variables, self.names)
            except BaseException as error:
                return "raise", error
            return "normal", None
        function = self.function
        if function is None:
            raise Unanswerable(NOT_REPEATABLE, "the function of the call is not known")
        if replacement is not None:
            defaults, keywords = function.__defaults__, function.__kwdefaults__
            function = types.FunctionType(replacement, function.__globals__, function.__name__, defaults, function.__closure__)
            function.__kwdefaults__ = keywords
        try:
            sys.setrecursionlimit(sys.getrecursionlimit() - ROOM + (depth() if deep else OWN))
            value = call_again.call(function, self.arguments, *self.original)
            sys.setrecursionlimit(sys.getrecursionlimit() + ROOM)
            if function.__code__.co_flags & SUSPENDED:
                value = run_to_end(value, items, self.sent or {})
        except Unanswerable:
            raise
        except BaseException as error:
            sys.setrecursionlimit(sys.getrecursionlimit() + ROOM)
            return "raise", error
        return "normal", value


def depth() -> "Any":
    """How many calls deep we are."""
    frame: FrameType | None = sys._getframe()
    count = 0
    while frame is not None:
        frame, count = frame.f_back, count + 1
    return count


def is_full(cell: "CellType") -> bool:
    try:
        return bool((cell.cell_contents,))
    except ValueError:
        return False


def is_closure(cells: "tuple[CellType, ...]", around: "tuple[CellType, ...]") -> bool:
    """Whether these are the cells of a call, or have in them what its cells have."""
    return len(cells) == len(around) and all(cell is one or is_full(cell) and cell.cell_contents is one for cell, one in zip(cells, around))
