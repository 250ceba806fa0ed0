"""Compiles code anew with events in it, so that the recorder sees what happens inside of calls: statement by statement.

`at(number)` stands before every statement (where a round of a loop begins, one for the round and its first statement), at the end
of a body and where an exception is handled; `give(value)` around what is returned; `rounds(iterable, number)` around what a `for`
goes over. What the numbers mean is in a `Details` for each piece of code, by its first line and name. The events do nothing but
tell: the code behaves as it did."""

import ast
import builtins
import contextlib
import functools
import importlib.machinery
import sys

from gadfly import _native
from gadfly.code_flags import OPTIMIZED
from gadfly.recording.statement_effects import FUNCTIONS, NOTHING, TRIES, WITHS, may_change, stored, used
from gadfly.recording.suspects import read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from gadfly._types import FragmentPath, Node, Span, Statements
    from gadfly.recording.suspects import Describer

END, RAISED, FIRST = 0, 1, 2
# A joined round is one whose first statement begins with it: one event tells of both.
STATEMENT, LOOP, ROUND, BREAK, CONTINUE, ENDS, HANDLES, JOINED = range(8)
ROUNDS = (ROUND, JOINED)
LONGEST = 72
LOOPS = (ast.For, ast.AsyncFor, ast.While)


class Fragment:
    """A statement, a loop or a round of one; or an event that only ends others."""

    def __init__(
        self,
        kind: int,
        parent: int,
        path: "FragmentPath" = (),
        whole: "Span" = (1, 0, 1, 0),
        own: "Any" = (),
        name: str = "",
        uses: "Any" = (),
        mutates: int = 0,
        sets: "Any" = (),
    ) -> None:
        self.kind, self.parent, self.path = kind, parent, path
        self.whole, self.own, self.name = whole, own, name
        # What it uses, may change in place, and what is set just before it.
        self.uses, self.mutates, self.sets = uses, mutates, sets


class Details:
    """What the events of one piece of code mean."""

    def __init__(self, header: "Span") -> None:
        self.header = header
        self.fragments: list[Any] = []

    def begun(self, number: "Any") -> "Any":
        """The numbers that an event stands for."""
        is_joined = number >= FIRST and self.fragments[number - FIRST].kind == JOINED
        return (number, number + 1) if is_joined else (number,)

    def told(self, code: "Any") -> "Any":
        """What the recorder needs: variables with their places, and fragments with the numbers of the variables they use."""
        slots = places(code)
        names = dict.fromkeys(slots)
        for fragment in self.fragments:
            names.update(dict.fromkeys(name for name in fragment.uses if name in slots or not hasattr(builtins, name)))
        numbers = {name: number for number, name in enumerate(names)}
        variables = [(name, slots.get(name, -1)) for name in names]
        fragments = [
            (
                one.kind,
                one.parent,
                one.whole,
                list(one.own),
                one.name,
                [numbers[name] for name in one.uses if name in numbers],
                one.mutates,
                [numbers[name] for name in one.sets if name in numbers],
            )
            for one in self.fragments
        ]
        in_cells = {*code.co_cellvars, *code.co_freevars}
        plain = 0
        while plain < len(variables) and variables[plain][1] == plain and variables[plain][0] not in in_cells:
            plain += 1
        return variables, plain, self.header, fragments


def places(code: "Any") -> "dict[Any, Any]":
    """The variables of a function by name, with where its frame has them; none of a module or the body of a class."""
    if not code.co_flags & OPTIMIZED:
        return {}
    names = list(code.co_varnames)
    if sys.version_info >= (3, 11):
        names += [name for name in code.co_cellvars if name not in code.co_varnames]
    else:
        names += code.co_cellvars
    names += code.co_freevars
    return {name: place for place, name in enumerate(names) if not name.startswith(".")}


class Detailed:
    """A file's code with events in it: in all of its functions, or only in what a piece of code was made from."""

    def __init__(self, text: str, file: str, only: "Any" = None, package: str = "") -> None:
        self.lines = text.split("\n")
        self.known: dict[Any, Any] = {}
        self.only = only and key_of(only)
        tree = ast.parse(text, file)
        self.bytes = None if text.isascii() else [line.encode() for line in self.lines]
        if self.only is None or self.only[0] == "<module>":
            self.whole(tree, (1, 0, 1, 0), ("<module>", 1))
        else:
            for node in ast.walk(tree):
                if isinstance(node, (*FUNCTIONS, ast.ClassDef)) and key(node) == self.only:
                    self.whole(node, self.header(node), self.only)
                    break
        import_first(tree, package)
        ast.fix_missing_locations(tree)
        self.code = compile(tree, file, "exec", dont_inherit=True)

    def details(self, code: "Any") -> "Any":
        """The details of a piece of code from this file, if it has any."""
        return self.known.get(key_of(code))

    def find(self, code: "Any") -> "Any":
        """The code with events that stands for another compilation of the same code."""
        waiting = [self.code]
        while waiting:
            one = waiting.pop()
            if (one.co_name, one.co_firstlineno, one.co_freevars) == (
                code.co_name,
                code.co_firstlineno,
                code.co_freevars,
            ) or one.co_name == code.co_name == "<module>":
                return one
            waiting.extend(constant for constant in one.co_consts if type(constant) is type(code))
        return None

    def whole(self, node: "Node", header: "Span", key: "Any") -> None:
        """Puts events into the body of a module, a class or a function."""
        details = Details(header)
        first: list[Any]
        body, first = node.body, []
        while body and (is_text(body[0]) and not first or is_future(body[0])):
            first.append(body[0])
            body = body[1:]
        self.known.setdefault(key, details)
        if not body:
            return
        # The fragments are those of the code as it was written: they are listed before anything is put in.
        inside = Body(self, details)
        inside.list(body, -1, (), "body", len(first))
        events = inside.block(body)
        handler = ast.ExceptHandler(type=None, name=None, body=[event(RAISED), ast.Raise(exc=None, cause=None)])
        node.body = first + [ast.Try(body=[*events, event(END)], handlers=[handler], orelse=[], finalbody=[])]

    def span(self, node: "Node") -> "Any":
        first = min([node, *getattr(node, "decorator_list", ())], key=lambda one: (one.lineno, one.col_offset))
        line, column = first.lineno, first.col_offset
        if first is not node and column:
            column -= 1  # The decorator's @.
        return line, column, node.end_lineno, node.end_col_offset

    def clauses(self, node: "Node") -> "Any":
        """What else of a statement is no statement: its ways to handle an exception."""
        found = []
        for handler in getattr(node, "handlers", ()):
            last, end = handler.lineno, handler.col_offset + len("except")
            if handler.type is not None:
                last, end = handler.type.end_lineno, handler.type.end_col_offset
            found.append((handler.lineno, handler.col_offset, last, end))
        for case in getattr(node, "cases", ()):
            behind = case.guard or case.pattern
            found.append((case.pattern.lineno, case.pattern.col_offset, behind.end_lineno, behind.end_col_offset))
        return found

    def header(self, node: "Node") -> "Any":
        """What stands before the statements inside of a statement; all of a simple one."""
        line, column, last, end = self.span(node)
        if isinstance(node, (ast.If, ast.While)):
            behind = node.test
        elif isinstance(node, (ast.For, ast.AsyncFor)):
            behind = node.iter
        elif isinstance(node, WITHS):
            behind = node.items[-1].optional_vars or node.items[-1].context_expr
        elif isinstance(node, ast.Match):
            behind = node.subject
        elif isinstance(node, TRIES):
            return line, column, line, column + 3
        elif isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            inside = node.body[0]
            parts = [inside.lineno, *(one.lineno for one in getattr(inside, "decorator_list", ()))]
            last = max(node.lineno, min(parts) - 1)
            if min(parts) == node.lineno:
                return line, column, last, inside.col_offset
            while last > node.lineno and not self.lines[last - 1].split("#")[0].rstrip().endswith(":"):
                last -= 1
            return line, column, last, self.width(last)
        else:
            return line, column, last, end
        return line, column, behind.end_lineno, behind.end_col_offset

    def width(self, line: "Any") -> int:
        text = self.bytes[line - 1] if self.bytes else self.lines[line - 1]
        return len(text.rstrip())

    def text(self, span: "Span") -> "Any":
        """The text of a span on one line, not too long."""
        line, column, last, end = span
        lines = self.bytes or [text.encode() for text in self.lines[line - 1 : last]]
        if self.bytes:
            lines = lines[line - 1 : last]
        lines = list(lines)
        if not lines:
            return ""
        lines[-1] = lines[-1][:end]
        lines[0] = lines[0][column:]
        text = " ".join(one.decode("utf-8", "replace").strip() for one in lines)
        return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


class Body:
    """Goes through the statements of one body twice in the same order: to tell what they are, and to put events in."""

    def __init__(self, file: "Detailed", details: "Details") -> None:
        self.file, self.details = file, details
        self.number = 0
        self.loop = None

    def add(self, fragment: "Fragment") -> "Any":
        self.details.fragments.append(fragment)
        return len(self.details.fragments) - 1

    def list(self, statements: "Statements", parent: int, path: "FragmentPath", field: str, first: int = 0) -> None:
        """Lists the fragments; `path` is the way to the statements in the tree."""
        for index, node in enumerate(statements, first):
            if not tells(node):
                continue
            here = (*path, (field, index))
            kind = {ast.Break: BREAK, ast.Continue: CONTINUE}.get(type(node), STATEMENT)
            kind = LOOP if isinstance(node, LOOPS) else kind
            span, header = self.file.span(node), self.file.header(node)
            name = self.file.text(header)
            if header != span and not name.endswith(":"):
                name += ":"
            uses = used(node)
            own = [header, *self.file.clauses(node)]
            number = self.add(Fragment(kind, parent, here, span, own, name, uses, may_change(node)))
            if isinstance(node, LOOPS):
                sets = stored(getattr(node, "target", None))
                names = list(dict.fromkeys([*uses, *sets]))
                inside = self.file.span(node.body[0])[:2] + self.file.span(node.body[-1])[2:]
                each = JOINED if tells(node.body[0]) else ROUND
                each = self.add(Fragment(each, number, (*here, ("round", 0)), inside, own, name, names, NOTHING, sets))
                with self.within(number if goes_on(node) and not is_told(node) else None):
                    self.list(node.body, each, here, "body")
                if goes_on(node):
                    self.add(Fragment(ENDS, number, uses=uses, mutates=NOTHING if is_told(node) else may_change(node)))
                self.list(node.orelse, number, here, "orelse")
            elif kind == CONTINUE and self.loop is not None:
                loop = self.details.fragments[self.loop]
                self.add(Fragment(ENDS, self.loop, uses=loop.uses, mutates=loop.mutates))
            elif isinstance(node, ast.If):
                self.list(node.body, number, here, "body")
                self.list(node.orelse, number, here, "orelse")
            elif isinstance(node, WITHS):
                with self.within(None):
                    self.list(node.body, number, here, "body")
            elif isinstance(node, ast.Match):
                for row, case in enumerate(node.cases):
                    self.list(case.body, number, (*here, ("cases", row)), "body")
            elif isinstance(node, TRIES):
                with self.within(None if node.finalbody else self.loop):
                    self.list(node.body, number, here, "body")
                    for row, handler in enumerate(node.handlers):
                        self.add(Fragment(HANDLES, number))
                        self.list(handler.body, number, (*here, ("handlers", row)), "body")
                    self.list(node.orelse, number, here, "orelse")
                    if node.finalbody:
                        self.add(Fragment(HANDLES, number))
                        self.list(node.finalbody, number, here, "finalbody")

    @contextlib.contextmanager
    def within(self, loop: "Node") -> "Iterator[Any]":
        """The loop whose round a `continue` ends at once: none if something is done on the way out."""
        outer, self.loop = self.loop, loop
        try:
            yield
        finally:
            self.loop = outer

    def next(self) -> "Any":
        self.number += 1
        return event(FIRST + self.number - 1)

    def block(self, statements: "Statements") -> "Any":
        """The statements with events before them."""
        out = []
        for node in statements:
            if not tells(node):
                out.append(self.inner(node))
                continue
            out.append(self.next())
            if isinstance(node, LOOPS):
                start = self.next()
                with self.within(True if goes_on(node) and not is_told(node) else None):
                    body = self.block(node.body)
                if tells(node.body[0]):
                    body = body[1:]
                ends = [self.next()] if goes_on(node) else []
                if is_told(node) and not isinstance(node, ast.While):
                    # What the loop goes over tells where a round ends.
                    node.iter = call("__gadfly_rounds__", node.iter, ends.pop().value.args[0])
                node.body = [start, *body, *ends]
                node.orelse = self.block(node.orelse)
            elif isinstance(node, ast.If):
                node.body = self.block(node.body)
                node.orelse = self.block(node.orelse)
            elif isinstance(node, ast.Continue) and self.loop:
                out.append(self.next())
            elif isinstance(node, WITHS):
                with self.within(None):
                    node.body = self.block(node.body)
            elif isinstance(node, ast.Match):
                for case in node.cases:
                    case.body = self.block(case.body)
            elif isinstance(node, TRIES):
                with self.within(None if node.finalbody else self.loop):
                    node.body = self.block(node.body)
                    for handler in node.handlers:
                        handler.body = [self.next(), *self.block(handler.body)]
                    node.orelse = self.block(node.orelse)
                    if node.finalbody:
                        node.finalbody = [self.next(), *self.block(node.finalbody)]
            elif isinstance(node, ast.Return):
                if node.value is None:
                    out.append(ast.Expr(call("__gadfly_give__", ast.Constant(None))))
                else:
                    node.value = call("__gadfly_give__", node.value)
            out.append(self.inner(node))
        return out

    def inner(self, node: "Node") -> "Any":
        if isinstance(node, (*FUNCTIONS, ast.ClassDef)) and self.file.only is None:
            self.file.whole(node, self.file.header(node), key(node))
        return node


def key(node: "Node") -> "Any":
    """What a function or a class is known by: its name, and its first line, which may be a decorator's."""
    return node.name, min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])


def key_of(code: "Any") -> "Any":
    """What a piece of code is known by."""
    return code.co_name, 1 if code.co_name == "<module>" else code.co_firstlineno


def goes_on(loop: "Node") -> bool:
    """Whether something happens between two rounds of a loop, which then must be told apart."""
    parts = ast.walk(loop.test) if isinstance(loop, ast.While) else [None]
    return any(part is None or isinstance(part, (ast.Call, ast.NamedExpr, ast.Await)) for part in parts)


def is_told(loop: "Node") -> bool:
    """Whether what a loop goes over can tell where its rounds end: nothing but variables is set in between, and no round sets these."""
    if not isinstance(loop, ast.For):
        return False
    target = list(ast.walk(loop.target))
    names = {part.id for part in target if isinstance(part, ast.Name)}
    is_plain = all(isinstance(part, (ast.Name, ast.Tuple, ast.List, ast.Starred, ast.expr_context)) for part in target)
    inside = (part for statement in loop.body for part in ast.walk(statement))
    return is_plain and names.isdisjoint(name for part in inside for name in set_by(part))


def set_by(part: "Node") -> "tuple[str, ...]":
    """The variable that a part of a statement sets or deletes, or may."""
    if isinstance(part, ast.Name):
        return () if isinstance(part.ctx, ast.Load) else (part.id,)
    if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return (part.name,)
    if isinstance(part, (ast.Import, ast.ImportFrom)):
        return tuple((alias.asname or alias.name).partition(".")[0] for alias in part.names)
    name = getattr(part, "name", None) if isinstance(part, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) else None
    return (name,) if name else ()


def tells(node: "Node") -> bool:
    """Whether a statement does anything that could be wrong by itself. To define a function is not, unless something is computed for
    that: what it does is wrong or right where it is called. Nor is a class, whose body is looked at as a call is."""
    if isinstance(node, FUNCTIONS):
        return bool(node.decorator_list or node.args.defaults or any(node.args.kw_defaults))
    if isinstance(node, ast.ClassDef):
        return bool(node.decorator_list or node.bases or node.keywords)
    # A declaration without a value changes nothing, and nor does a text that stands alone.
    is_declaration = isinstance(node, ast.AnnAssign) and node.value is None
    return not isinstance(node, (ast.Global, ast.Nonlocal)) and not is_declaration and not is_text(node)


def is_text(node: "Node") -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def is_future(node: "Node") -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


def event(number: "Any") -> "Any":
    return ast.Expr(call("__gadfly_at__", ast.Constant(number)))


def call(name: str, *arguments: "Any") -> "Any":
    return ast.Call(func=ast.Name(name, ast.Load()), args=[*arguments], keywords=[])


def listen(at: "Any" = None, give: "Any" = None) -> None:
    """Sends the events to functions; to the recorder by default."""
    builtins.__gadfly_at__ = at or _native.at  # type: ignore[attr-defined]
    builtins.__gadfly_give__ = give or _native.give  # type: ignore[attr-defined]
    builtins.__gadfly_rounds__ = functools.partial(_native.rounds, at=at) if at else _native.rounds  # type: ignore[attr-defined]


def ignore() -> None:
    """Drops the events."""
    builtins.__gadfly_at__ = lambda number: None  # type: ignore[attr-defined]
    builtins.__gadfly_give__ = lambda value: value  # type: ignore[attr-defined]
    builtins.__gadfly_rounds__ = lambda iterable, number: iterable  # type: ignore[attr-defined]


def import_first(tree: "Node", package: str) -> None:
    """Has a module import the package that it is in before it does anything else, as Python does before it runs the module by its name."""
    if package:
        at = 0
        while at < len(tree.body) and (is_text(tree.body[at]) or is_future(tree.body[at])):
            at += 1
        found = ast.parse(f"__import__({package!r})").body[0]
        tree.body.insert(at, ast.copy_location(found, tree.body[at]) if at < len(tree.body) else found)


def compiled(describer: "Describer", text: "str | bytes", file: str, package: str = "") -> "Any":
    """The code of a file with events in it, which the recorder gets to know."""
    if isinstance(text, bytes):
        text = read(file) or text.decode()
    detailed = describer.detailed[file] = Detailed(text, file, None, package)
    return detailed.code


def everywhere(describer: "Describer") -> None:
    """Has all suspected code compiled with events in it from now on."""
    listen()
    plain = importlib.machinery.SourceFileLoader.get_code

    def get_code(loader: "Any", name: str) -> "Any":
        file = loader.get_filename(name)
        if not describer.is_suspect_file(file):
            return plain(loader, name)
        text = read(file)
        return plain(loader, name) if text is None else compiled(describer, text, file)

    importlib.machinery.SourceFileLoader.get_code = get_code  # type: ignore[method-assign, assignment]
