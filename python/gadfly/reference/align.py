"""Which statements of the reference correspond to a statement of a buggy function.

Two lists of statements are aligned like two texts: the pairs, in order, whose likenesses have the greatest sum.
What is between two pairs is a gap: a statement that only the buggy list has should do nothing; statements that
only the reference has belong to the statement before them, or, at the begin, to the one after them. Pairs of
compound statements are aligned inside; an `if` with its `elif`s is a list of arms."""
import ast
import collections
import copy
import difflib
import types

from gadfly.code_flags import GENERATOR
from gadfly.reference.source import origins

LOW = 0.3
BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
LOOPS = (ast.For, ast.AsyncFor, ast.While)
ASSIGNMENTS = (ast.Assign, ast.AugAssign, ast.AnnAssign)
VALUES = (*ASSIGNMENTS, ast.Expr, ast.Return)


def align(buggy, reference):
    """Aligns two functions, classes or modules."""
    return Alignment(buggy, reference)


class Alignment:
    def __init__(self, buggy, reference):
        self.groups = {}
        self.partners = {}
        # Of an `if` or an `elif`, the one in the reference whose statements correspond to its own.
        self.branches = {}
        self.likeness = Likeness()
        waiting = [((), buggy, reference)]
        while waiting:
            path, mine, its = waiting.pop()
            self.inside(path, mine, its, waiting)

    def of(self, path):
        """The reference's statements for that at a path; empty if it has none; None if it cannot be told."""
        path = tuple(path)
        if path in self.groups:
            return self.groups[path]
        above = next((path[:end] for end in range(len(path) - 1, 0, -1) if path[:end] in self.groups), None)
        return [] if above and self.groups[above] == [] else None

    def unmatched(self, reference):
        """Statements of the reference that stand for none of the program's, and are in none that does not."""
        known = {id(its) for _, its in self.partners.values() if its is not None}
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

    def body_of(self, path):
        """The body of the reference's loop for the loop at a path, if both are loops of one kind."""
        mine, its = self.partners.get(tuple(path), (None, None))
        return its.body if isinstance(mine, LOOPS) and type(mine) is type(its) else None

    def inside(self, path, mine, its, waiting):
        if isinstance(mine, ast.If) and isinstance(its, ast.If):
            self.arms(path, mine, its, waiting)
            return
        for field in BLOCKS:
            if hasattr(mine, field):
                self.lists(path, field, getattr(mine, field), getattr(its, field, []), waiting)

    def lists(self, path, field, mine, its, waiting):
        at = lambda row: (*path, (field, row))
        if field == "body":
            for row in range(documented(mine)):
                self.groups[at(row)] = []
        start, skipped = documented(mine) if field == "body" else 0, documented(its) if field == "body" else 0
        mine = list(enumerate(mine))[start:]
        its = its[skipped:]
        pairs = self.likeness.match([node for _, node in mine], its)
        before = None
        for (low, left), (high, right) in zip([(-1, -1), *pairs], [*pairs, (len(mine), len(its))]):
            rows, extra = mine[low + 1:high], its[left + 1:right]
            self.gap(at, rows, extra, before, waiting)
            if high < len(mine):
                row, node = mine[high]
                self.pair(at(row), node, its[right], waiting)
                group = [] if rows or before is not None else extra
                self.groups[at(row)] = [*group, its[right]]
                before = at(row)

    def gap(self, at, rows, extra, before, waiting):
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

    def pair(self, path, mine, its, waiting):
        self.partners[path] = mine, its
        if any(hasattr(mine, field) for field in BLOCKS):
            waiting.append((path, mine, its))

    def arms(self, path, mine, its, waiting):
        """The arms of two `if`s: the reference may have more of them in between."""
        chain, other = arms(mine), arms(its)
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


class Likeness:
    """How alike two statements are, from 0 to 1."""

    def __init__(self):
        self.known = {}

    def match(self, mine, its):
        """The pairs of indexes whose likenesses have the greatest sum."""
        start = 0
        while start < min(len(mine), len(its)) and self.text(mine[start]) == self.text(its[start]):
            start += 1
        end = 0
        while end < min(len(mine), len(its)) - start and self.text(mine[-1 - end]) == self.text(its[-1 - end]):
            end += 1
        inner, other = mine[start:len(mine) - end], its[start:len(its) - end]
        found = [(row, row) for row in range(start)]
        found += [(row + start, column + start) for row, column in self.best(inner, other)]
        return found + [(len(mine) - row, len(its) - row) for row in range(end, 0, -1)]

    def best(self, mine, its):
        if not mine or not its:
            return []
        best = [[0.0] * (len(its) + 1) for _ in range(len(mine) + 1)]
        alike = [[self(one, other) for other in its] for one in mine]
        for row in range(len(mine) - 1, -1, -1):
            for column in range(len(its) - 1, -1, -1):
                best[row][column] = max(best[row + 1][column], best[row][column + 1],
                                        self.worth(alike[row][column]) + best[row + 1][column + 1])
        found, row, column = [], 0, 0
        while row < len(mine) and column < len(its):
            worth = self.worth(alike[row][column])
            if worth and best[row][column] == worth + best[row + 1][column + 1]:
                found.append((row, column))
                row, column = row + 1, column + 1
            elif best[row][column] == best[row + 1][column]:
                row += 1
            else:
                column += 1
        return found

    def worth(self, likeness):
        return likeness if likeness >= LOW else 0.0

    def __call__(self, mine, its):
        if self.text(mine) == self.text(its):
            return 1.0
        if isinstance(mine, ast.Pass) and not isinstance(its, DEFINITIONS):
            # It keeps the place of what is missing.
            return LOW
        whole = ratio(self.words(mine), self.words(its))
        if isinstance(mine, VALUES) and isinstance(its, VALUES):
            bonus = 0.3 if targets(mine) and targets(mine) == targets(its) else 0.1 if not targets(mine) else 0.0
            return min(0.99, (whole if type(mine) is type(its) else 0.6 * whole) + bonus)
        if isinstance(mine, DEFINITIONS) and isinstance(its, DEFINITIONS):
            return 0.6 + 0.39 * whole if mine.name == its.name else 0.9 * whole
        if not kin(mine, its):
            return 0.0
        if not hasattr(mine, "body"):
            return min(0.99, whole + 0.1)
        body = ratio(self.words(mine, "body"), self.words(its, "body"))
        if type(mine) is not type(its):
            return 0.8 * body
        header = ratio(self.words(mine, "header"), self.words(its, "header"))
        return min(0.99, max(whole, 0.9 * body, 0.6 * header))

    def text(self, node):
        return self.remember((id(node), "text"), lambda: ast.dump(node))

    def words(self, node, part="whole"):
        return self.remember((id(node), part), lambda: words(node, part))

    def remember(self, key, make):
        if key not in self.known:
            self.known[key] = make()
        return self.known[key]


def words(node, part):
    """The names, constants and kinds of nodes in a statement, counted."""
    fields = [value for name, value in ast.iter_fields(node)
              if part == "whole" or (part == "body") == (name in BLOCKS)]
    found = collections.Counter()
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


def ratio(one, other):
    total = sum(one.values()) + sum(other.values())
    return 2 * sum((one & other).values()) / total if total else 1.0


def targets(node):
    """What a statement assigns to, without regard to how."""
    found = node.targets if isinstance(node, ast.Assign) else [node.target] if hasattr(node, "target") else []
    return sorted(ast.unparse(target) for target in found)


def kin(mine, its):
    """Whether two statements may be a pair at all."""
    if type(mine) is type(its):
        return True
    families = [LOOPS, (ast.If, ast.While), (ast.With, ast.AsyncWith), DEFINITIONS[:2], VALUES]
    return any(isinstance(mine, family) and isinstance(its, family) for family in families)


def arms(node):
    found = [node]
    while len(found[-1].orelse) == 1 and isinstance(found[-1].orelse[0], ast.If):
        found.append(found[-1].orelse[0])
    return found


def documented(statements):
    first = statements[0] if statements else None
    value = first.value if isinstance(first, ast.Expr) else None
    return int(isinstance(value, ast.Constant) and type(value.value) is str)


def find(tree, qualname, line=None):
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


def defined(scope):
    """The definitions in a scope, also those under an `if` or a `try`, but not those in other scopes."""
    waiting = [scope]
    found = []
    while waiting:
        for field in BLOCKS:
            for node in getattr(waiting[0], field, ()):
                (found if isinstance(node, DEFINITIONS) else waiting).append(node)
        del waiting[0]
    return sorted(found, key=lambda node: node.lineno)


def written(statements):
    """What statements say, wherever they stand."""
    return [ast.dump(statement) for statement in statements]


def changed(node, tree, name):
    """The first and the last line of what differs in the statements that set a variable."""
    other = next((one for one in tree.body if name in origins([one])), None)
    while other is not None:
        parts, others = list(ast.iter_child_nodes(node)), list(ast.iter_child_nodes(other))
        if type(node) is not type(other):
            break
        pairs = [(one, two) for one, two in zip(parts, others) if ast.dump(one) != ast.dump(two) and hasattr(one, "lineno")]
        if len(parts) != len(others):
            # Something was put in or taken out.
            spans = [span for span in parts if hasattr(span, "lineno")]
            matcher = difflib.SequenceMatcher(None, written(spans), written(one for one in others if hasattr(one, "lineno")), False)
            touched = [spans[at] for kind, low, high, _, _ in matcher.get_opcodes() if kind != "equal"
                       for at in (range(low, high) if high > low else (low - 1, low)) if 0 <= at < len(spans)]
            return (min((one.lineno for one in touched), default=node.lineno),
                    max((one.end_lineno for one in touched), default=node.end_lineno))
        if len(pairs) != 1:
            return (min((one.lineno for one, _ in pairs), default=node.lineno),
                    max((one.end_lineno for one, _ in pairs), default=node.end_lineno))
        node, other = pairs[0]
    return node.lineno, node.end_lineno


def own(node):
    """What a statement or a function says without the statements inside of it."""
    return [ast.dump(part) if isinstance(part, ast.AST) else part
            for field, value in ast.iter_fields(node) if field not in ("body", "orelse", "finalbody", "cases")
            for part in (value if isinstance(value, list) else [value]) if not isinstance(part, ast.ExceptHandler)] + \
        [ast.dump(handler.type) if handler.type else None for handler in getattr(node, "handlers", ())]


def unhinted(node):
    """The same of a function without its hints, which do nothing when it is called."""
    node = copy.copy(node)
    node.body, node.returns = [], None
    if hasattr(node, "args"):
        node.args = copy.deepcopy(node.args)
        for argument in ast.walk(node.args):
            if isinstance(argument, ast.arg):
                argument.annotation = None
    return own(node)


def unlike(node, other):
    """The smallest parts of a statement that have a place and differ from another's: itself, if nothing in it corresponds."""
    return parts_unlike(node, other) or [node]


def parts_unlike(node, other):
    """The same of anything in a statement; none if it differs in something that has no place."""
    if type(node) is not type(other):
        return []
    found = []
    for field in node._fields:
        mine, its = getattr(node, field, None), getattr(other, field, None)
        parts, others = (mine, its) if isinstance(mine, list) and isinstance(its, list) else ([mine], [its])
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


def said(part):
    return ast.dump(part) if isinstance(part, ast.AST) else repr(part)


def span(node):
    return node.lineno, node.col_offset, node.end_lineno, node.end_col_offset


def same_code(one, other):
    """Whether two pieces of code do the same, wherever they stand."""
    traits = ("co_code", "co_names", "co_varnames", "co_freevars", "co_cellvars", "co_flags", "co_argcount",
              "co_kwonlyargcount", "co_posonlyargcount")
    return all(getattr(one, trait) == getattr(other, trait) for trait in traits) \
        and len(one.co_consts) == len(other.co_consts) and all(map(same_constant, one.co_consts, other.co_consts))


def same_constant(one, other):
    if type(one) is types.CodeType and type(other) is types.CodeType:
        return same_code(one, other)
    # Numbers may be equal and yet not the same.
    return type(one) is type(other) and repr(one) == repr(other)


def mentioned(node):
    """The names of variables that code has, also in what is defined in it."""
    found = set()
    for one in ast.walk(node):
        found.update(getattr(one, field) for field in ("id", "arg", "name", "asname", "rest") if isinstance(getattr(one, field, None), str))
        found.update(getattr(one, "names", ()) if isinstance(one, (ast.Global, ast.Nonlocal)) else ())
    return found


def is_driven(code, node):
    """Whether a generator may depend on more than being asked for its next value: it takes values, or cares for exceptions."""
    if node is None or not code.co_flags & GENERATOR:
        return False
    plain = {id(one.value) for one in ast.walk(node) if isinstance(one, ast.Expr)}
    yields = [one for one in ast.walk(node) if isinstance(one, ast.Yield)]
    names = {getattr(one, "id", getattr(one, "attr", "")) for one in getattr(node, "decorator_list", ())}
    return any(id(one) not in plain for one in yields) or bool(names & {"contextmanager", "asynccontextmanager"})
