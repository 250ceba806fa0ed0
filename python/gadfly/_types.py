"""Names for types, for readers and for mypy. Nothing imports this while a program runs: `typing` would be one more module in it."""

from types import CodeType, FunctionType
from typing import Any, Protocol

# A value of the program: nothing is known of it.
Value = Any
# A node of `ast`; `isinstance` or its fields say which kind it is.
Node = Any
Statements = list[Any]
# Rows that stand for a value (`comparing/snapshot.py`), and what came of code, with several of those.
Snapshot = Any
Picture = dict[str, Any]
# A step to a difference: an index, an attribute's name, or the row of a key.
Step = Any
# First line and column, last line and column.
Span = tuple[int, int, int, int]
# Where a piece of code is: steps from the body of its function, each a field and an index.
FragmentPath = tuple[Any, ...]


class PausedCall(Protocol):
    """A call that is about to be made, as far as others than the replay need it."""

    code: CodeType
    function: FunctionType | None
    arguments: dict[str, Value]
    variables: dict[str, Value]

    def make(self, code: CodeType, replacement: CodeType | None = None, items: int = 1000, deep: bool = False) -> tuple[str, Value]: ...

    def has_defaults(self) -> bool: ...
