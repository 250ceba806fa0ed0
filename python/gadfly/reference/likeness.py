"""How much two statements are alike, and which of two lists of statements are pairs: those, in order, whose likenesses have the greatest
sum."""

import ast
import collections

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from gadfly._types import Node

LOW = 0.3
BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
LOOPS = (ast.For, ast.AsyncFor, ast.While)
ASSIGNMENTS = (ast.Assign, ast.AugAssign, ast.AnnAssign)
VALUES = (*ASSIGNMENTS, ast.Expr, ast.Return)


class Likeness:
    """How alike two statements are, from 0 to 1."""

    def __init__(self) -> None:
        self.known: dict[Any, Any] = {}

    def match(self, ours: "Any", theirs: "Any") -> "Any":
        """The pairs of indexes whose likenesses have the greatest sum."""
        start = 0
        while start < min(len(ours), len(theirs)) and self.text(ours[start]) == self.text(theirs[start]):
            start += 1
        end = 0
        while end < min(len(ours), len(theirs)) - start and self.text(ours[-1 - end]) == self.text(theirs[-1 - end]):
            end += 1
        inner, other = ours[start : len(ours) - end], theirs[start : len(theirs) - end]
        found = [(row, row) for row in range(start)]
        found += [(row + start, column + start) for row, column in self.best(inner, other)]
        return found + [(len(ours) - row, len(theirs) - row) for row in range(end, 0, -1)]

    def best(self, ours: "Any", theirs: "Any") -> "Any":
        if not ours or not theirs:
            return []
        best = [[0.0] * (len(theirs) + 1) for _ in range(len(ours) + 1)]
        alike = [[self(one, other) for other in theirs] for one in ours]
        for row in range(len(ours) - 1, -1, -1):
            for column in range(len(theirs) - 1, -1, -1):
                best[row][column] = max(
                    best[row + 1][column], best[row][column + 1], self.worth(alike[row][column]) + best[row + 1][column + 1]
                )
        found, row, column = [], 0, 0
        while row < len(ours) and column < len(theirs):
            worth = self.worth(alike[row][column])
            if worth and best[row][column] == worth + best[row + 1][column + 1]:
                found.append((row, column))
                row, column = row + 1, column + 1
            elif best[row][column] == best[row + 1][column]:
                row += 1
            else:
                column += 1
        return found

    def worth(self, likeness: float) -> "Any":
        return likeness if likeness >= LOW else 0.0

    def __call__(self, ours: "Any", theirs: "Any") -> "Any":
        if self.text(ours) == self.text(theirs):
            return 1.0
        if isinstance(ours, ast.Pass) and not isinstance(theirs, DEFINITIONS):
            # It keeps the place of what is missing.
            return LOW
        whole = ratio(self.words(ours), self.words(theirs))
        if isinstance(ours, VALUES) and isinstance(theirs, VALUES):
            bonus = 0.3 if targets(ours) and targets(ours) == targets(theirs) else 0.1 if not targets(ours) else 0.0
            return min(0.99, (whole if type(ours) is type(theirs) else 0.6 * whole) + bonus)
        if isinstance(ours, DEFINITIONS) and isinstance(theirs, DEFINITIONS):
            return 0.6 + 0.39 * whole if ours.name == theirs.name else 0.9 * whole
        if not kin(ours, theirs):
            return 0.0
        if not hasattr(ours, "body"):
            return min(0.99, whole + 0.1)
        body = ratio(self.words(ours, "body"), self.words(theirs, "body"))
        if type(ours) is not type(theirs):
            return 0.8 * body
        header = ratio(self.words(ours, "header"), self.words(theirs, "header"))
        return min(0.99, max(whole, 0.9 * body, 0.6 * header))

    def text(self, node: "Node") -> "Any":
        return self.remember((id(node), "text"), lambda: ast.dump(node))

    def words(self, node: "Node", part: str = "whole") -> "Any":
        return self.remember((id(node), part), lambda: words(node, part))

    def remember(self, key: "Any", make: "Callable[[], Any]") -> "Any":
        if key not in self.known:
            self.known[key] = make()
        return self.known[key]


def words(node: "Node", part: str) -> "Any":
    """The names, constants and kinds of nodes in a statement, counted."""
    fields = [value for name, value in ast.iter_fields(node) if part == "whole" or (part == "body") == (name in BLOCKS)]
    found: Any = collections.Counter()
    while fields:
        value = fields.pop()
        if isinstance(value, list):
            fields += value
        elif isinstance(value, ast.AST) and not isinstance(value, ast.expr_context):
            found[type(value).__name__] += 1
            fields += (inner for _, inner in ast.iter_fields(value))
        elif value is not None and not isinstance(value, ast.AST):
            found[repr(value)] += 2
    return found


def ratio(one: "Any", other: "Any") -> "Any":
    total = sum(one.values()) + sum(other.values())
    return 2 * sum((one & other).values()) / total if total else 1.0


def targets(node: "Node") -> "Any":
    """What a statement assigns to, without regard to how."""
    found = node.targets if isinstance(node, ast.Assign) else [node.target] if hasattr(node, "target") else []
    return sorted(ast.unparse(target) for target in found)


def kin(ours: "Any", theirs: "Any") -> bool:
    """Whether two statements may be a pair at all."""
    if type(ours) is type(theirs):
        return True
    families = [LOOPS, (ast.If, ast.While), (ast.With, ast.AsyncWith), DEFINITIONS[:2], VALUES]
    return any(isinstance(ours, family) and isinstance(theirs, family) for family in families)
