"""Which statements of the reference correspond to a statement of a buggy function.

Two lists of statements are aligned like two texts: the pairs, in order, whose likenesses have the greatest sum.
What is between two pairs is a gap: a statement that only the buggy list has should do nothing; statements that
only the reference has belong to the statement before them, or, at the begin, to the one after them. Pairs of
compound statements are aligned inside; an `if` with its `elif`s is a list of arms."""

import ast
import copy
import difflib
import types

from gadfly.code_flags import GENERATOR
from gadfly.reference.likeness import BLOCKS, DEFINITIONS, LOOPS, Likeness, kin
from gadfly.reference.source import origins

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType
    from typing import Any

    from gadfly._types import FragmentPath, Node, Statements
    from gadfly.reference.source import Reference


def align(buggy: "Node", reference: "Reference") -> "Any":
    """Aligns two functions, classes or modules."""
    return Alignment(buggy, reference)


class Alignment:
    def __init__(self, buggy: "Node", reference: "Reference") -> None:
        self.groups: dict[Any, Any] = {}
        self.partners: dict[Any, Any] = {}
        # Of an `if` or an `elif`, the one in the reference whose statements correspond to its own.
        self.branches: dict[Any, Any] = {}
        self.likeness = Likeness()
        waiting = [((), buggy, reference)]
        while waiting:
            path, ours, theirs = waiting.pop()
            self.inside(path, ours, theirs, waiting)

    def of(self, path: "FragmentPath") -> "Any":
        """The reference's statements for that at a path; empty if it has none; None if it cannot be told."""
        path = tuple(path)
        if path in self.groups:
            return self.groups[path]
        above = next((path[:end] for end in range(len(path) - 1, 0, -1) if path[:end] in self.groups), None)
        return [] if above and self.groups[above] == [] else None

    def unmatched(self, reference: "Node") -> "Any":
        """Statements of the reference that stand for none of the program's, and are in none that does not."""
        known = {id(theirs) for _, theirs in self.partners.values() if theirs is not None}
        known |= {id(node) for group in self.groups.values() if len(group) == 1 for node in group}
        found, waiting = [], [reference]
        while waiting:
            node = waiting.pop()
            for child in ast.iter_child_nodes(node):
                if isinstance(child, ast.stmt) and id(child) not in known:
                    found.append(child)
                else:
                    waiting.append(child)
        return found

    def body_of(self, path: "FragmentPath") -> "Any":
        """The body of the reference's loop for the loop at a path, if both are loops of one kind."""
        ours, theirs = self.partners.get(tuple(path), (None, None))
        return theirs.body if isinstance(ours, LOOPS) and type(ours) is type(theirs) else None

    def inside(self, path: "FragmentPath", ours: "Any", theirs: "Any", waiting: "list[Any]") -> None:
        if isinstance(ours, ast.If) and isinstance(theirs, ast.If):
            self.arms(path, ours, theirs, waiting)
            return
        for field in BLOCKS:
            if hasattr(ours, field):
                self.lists(path, field, getattr(ours, field), getattr(theirs, field, []), waiting)

    def lists(self, path: "FragmentPath", field: str, ours: "Any", theirs: "Any", waiting: "list[Any]") -> None:
        at = lambda row: (*path, (field, row))
        if field == "body":
            for row in range(documented(ours)):
                self.groups[at(row)] = []
        start, skipped = documented(ours) if field == "body" else 0, documented(theirs) if field == "body" else 0
        ours = list(enumerate(ours))[start:]
        theirs = theirs[skipped:]
        pairs = self.likeness.match([node for _, node in ours], theirs)
        before = None
        for (low, left), (high, right) in zip([(-1, -1), *pairs], [*pairs, (len(ours), len(theirs))]):
            rows, extra = ours[low + 1 : high], theirs[left + 1 : right]
            self.gap(at, rows, extra, before, waiting)
            if high < len(ours):
                row, node = ours[high]
                self.pair(at(row), node, theirs[right], waiting)
                group = [] if rows or before is not None else extra
                self.groups[at(row)] = [*group, theirs[right]]
                before = at(row)

    def gap(self, at: "Any", rows: "Any", extra: "Any", before: "Any", waiting: "list[Any]") -> None:
        if not rows:
            if before is not None:
                self.groups[before] += extra
        elif len(rows) == 1 and extra:
            row, node = rows[0]
            self.groups[at(row)] = list(extra)
            alike = [other for other in extra if kin(node, other)]
            if len(alike) == 1:
                self.pair(at(row), node, alike[0], waiting)
        else:
            for row, _ in rows:
                self.groups[at(row)] = None if extra else []

    def pair(self, path: "FragmentPath", ours: "Any", theirs: "Any", waiting: "list[Any]") -> None:
        self.partners[path] = ours, theirs
        if any(hasattr(ours, field) for field in BLOCKS):
            waiting.append((path, ours, theirs))

    def arms(self, path: "FragmentPath", ours: "Any", theirs: "Any", waiting: "list[Any]") -> None:
        """The arms of two `if`s: the reference may have more of them in between."""
        chain, other = arms(ours), arms(theirs)
        pairs = self.likeness.match(chain, other)
        known = dict(pairs)
        for (low, left), (high, right) in zip([(-1, -1), *pairs], [*pairs, (len(chain), len(other))]):
            if high - low == 2 and right - left == 2:
                known[low + 1] = left + 1
        for row, arm in enumerate(chain):
            own = path + (("orelse", 0),) * row
            if row:
                above = other[known[row - 1]] if row - 1 in known else None
                self.groups[own] = list(above.orelse) if above else None
                if above and len(above.orelse) == 1:
                    self.partners[own] = arm, above.orelse[0]
            if row in known:
                self.branches[own] = other[known[row]]
                self.lists(own, "body", arm.body, other[known[row]].body, waiting)
        last = path + (("orelse", 0),) * (len(chain) - 1)
        self.lists(last, "orelse", chain[-1].orelse, other[-1].orelse, waiting)


def arms(node: "Node") -> "Any":
    found = [node]
    while len(found[-1].orelse) == 1 and isinstance(found[-1].orelse[0], ast.If):
        found.append(found[-1].orelse[0])
    return found


def documented(statements: "Statements") -> int:
    first = statements[0] if statements else None
    value = first.value if isinstance(first, ast.Expr) else None
    return int(isinstance(value, ast.Constant) and type(value.value) is str)


def find(tree: "Node", qualname: str, line: "Any" = None) -> "Any":
    """The definition of a qualified name; of a lambda or a comprehension, the definition around it."""
    names = [name for name in qualname.split(".") if not name.startswith("<")]
    found = [tree]
    for name in names:
        found = [node for scope in found for node in defined(scope) if node.name == name]
    first = lambda node: min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    if not names or not found:
        return tree if not names else None
    for node in found:
        if line in (node.lineno, first(node)):
            return node
    around = [node for node in found if line is not None and first(node) <= line <= node.end_lineno]
    return (around or found)[-1]


def defined(scope: "Node") -> "Any":
    """The definitions in a scope, also those under an `if` or a `try`, but not those in other scopes."""
    waiting = [scope]
    found: list[Any] = []
    while waiting:
        for field in BLOCKS:
            for node in getattr(waiting[0], field, ()):
                (found if isinstance(node, DEFINITIONS) else waiting).append(node)
        del waiting[0]
    return sorted(found, key=lambda node: node.lineno)


def written(statements: "Statements") -> "list[Any]":
    """What statements say, wherever they stand."""
    return [ast.dump(statement) for statement in statements]


def changed(node: "Node", tree: "Node", name: str) -> "Any":
    """The first and the last line of what differs in the statements that set a variable."""
    other = next((one for one in tree.body if name in origins([one])), None)
    while other is not None:
        parts: list[Node] = list(ast.iter_child_nodes(node))
        others: list[Node] = list(ast.iter_child_nodes(other))
        if type(node) is not type(other):
            break
        pairs = [(one, two) for one, two in zip(parts, others) if ast.dump(one) != ast.dump(two) and hasattr(one, "lineno")]
        if len(parts) != len(others):
            # Something was put in or taken out.
            spans = [span for span in parts if hasattr(span, "lineno")]
            matcher = difflib.SequenceMatcher(None, written(spans), written([one for one in others if hasattr(one, "lineno")]), False)
            touched = [
                spans[at]
                for kind, low, high, _, _ in matcher.get_opcodes()
                if kind != "equal"
                for at in (range(low, high) if high > low else (low - 1, low))
                if 0 <= at < len(spans)
            ]
            return (
                min((one.lineno for one in touched), default=node.lineno),
                max((one.end_lineno for one in touched), default=node.end_lineno),
            )
        if len(pairs) != 1:
            return (
                min((one.lineno for one, _ in pairs), default=node.lineno),
                max((one.end_lineno for one, _ in pairs), default=node.end_lineno),
            )
        node, other = pairs[0]
    return node.lineno, node.end_lineno


def own(node: "Node") -> "Any":
    """What a statement or a function says without the statements inside of it."""
    return [
        ast.dump(part) if isinstance(part, ast.AST) else part
        for field, value in ast.iter_fields(node)
        if field not in ("body", "orelse", "finalbody", "cases")
        for part in (value if isinstance(value, list) else [value])
        if not isinstance(part, ast.ExceptHandler)
    ] + [ast.dump(handler.type) if handler.type else None for handler in getattr(node, "handlers", ())]


def unhinted(node: "Node") -> "Any":
    """The same of a function without its hints, which do nothing when it is called."""
    node = copy.copy(node)
    node.body, node.returns = [], None
    if hasattr(node, "args"):
        node.args = copy.deepcopy(node.args)
        for argument in ast.walk(node.args):
            if isinstance(argument, ast.arg):
                argument.annotation = None
    return own(node)


def unlike(node: "Node", other: "Node") -> "Any":
    """The smallest parts of a statement that have a place and differ from another's: itself, if nothing in it corresponds."""
    return parts_unlike(node, other) or [node]


def parts_unlike(node: "Node", other: "Node") -> "Any":
    """The same of anything in a statement; none if it differs in something that has no place."""
    if type(node) is not type(other):
        return []
    found: list[Any] = []
    for field in node._fields:
        ours, theirs = getattr(node, field, None), getattr(other, field, None)
        parts, others = (ours, theirs) if isinstance(ours, list) and isinstance(theirs, list) else ([ours], [theirs])
        if len(parts) != len(others):
            return []
        for part, another in zip(parts, others):
            if said(part) == said(another):
                continue
            inner = parts_unlike(part, another) if isinstance(part, ast.AST) and isinstance(another, ast.AST) else []
            if not inner and not hasattr(part, "lineno"):
                return []
            found += inner or [part]
    return found


def said(part: "Any") -> "Any":
    return ast.dump(part) if isinstance(part, ast.AST) else repr(part)


def span(node: "Node") -> "Any":
    return node.lineno, node.col_offset, node.end_lineno, node.end_col_offset


def same_code(one: "Any", other: "Node") -> bool:
    """Whether two pieces of code do the same, wherever they stand."""
    traits = (
        "co_code",
        "co_names",
        "co_varnames",
        "co_freevars",
        "co_cellvars",
        "co_flags",
        "co_argcount",
        "co_kwonlyargcount",
        "co_posonlyargcount",
    )
    return (
        all(getattr(one, trait) == getattr(other, trait) for trait in traits)
        and len(one.co_consts) == len(other.co_consts)
        and all(map(same_constant, one.co_consts, other.co_consts))
    )


def same_constant(one: "Any", other: "Node") -> bool:
    if type(one) is types.CodeType and type(other) is types.CodeType:
        return same_code(one, other)
    # Numbers may be equal and yet not the same.
    return type(one) is type(other) and repr(one) == repr(other)


def mentioned(node: "Node") -> "Any":
    """The names of variables that code has, also in what is defined in it."""
    found: set[Any] = set()
    for one in ast.walk(node):
        found.update(getattr(one, field) for field in ("id", "arg", "name", "asname", "rest") if isinstance(getattr(one, field, None), str))
        found.update(getattr(one, "names", ()) if isinstance(one, (ast.Global, ast.Nonlocal)) else ())
    return found


def is_driven(code: "CodeType", node: "Node") -> bool:
    """Whether a generator may depend on more than being asked for its next value: it takes values, or cares for exceptions."""
    if node is None or not code.co_flags & GENERATOR:
        return False
    plain = {id(one.value) for one in ast.walk(node) if isinstance(one, ast.Expr)}
    yields = [one for one in ast.walk(node) if isinstance(one, ast.Yield)]
    names = {getattr(one, "id", getattr(one, "attr", "")) for one in getattr(node, "decorator_list", ())}
    return any(id(one) not in plain for one in yields) or bool(names & {"contextmanager", "asynccontextmanager"})
