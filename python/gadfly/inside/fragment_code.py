"""Code to run some statements of a function alone, in given variables."""

import ast
import copy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from gadfly._types import Node, Statements

# The end is noted before the function is left, so that the variables are taken after every `finally` inside.
TEMPLATE = """
{keyword} __fragment__():
    __fragment_end__ = ("normal", None)
    __fragment_yields__ = []
    try:
        __fragment_end__ = ("normal", None)
    except BaseException as __fragment_error__:
        __fragment_end__ = ("raise", __fragment_error__)
    finally:
        return (*__fragment_end__, {{**{{__fragment_name__: __fragment_value__
            for __fragment_name__, __fragment_value__ in __import__("builtins").locals().items()
            if __fragment_name__[:11] != "__fragment_"}}{yields}}})
"""


def fragment_code(
    statements: "Statements",
    bound: list[str],
    local: "Any",
    globals_: "Any",
    name: str,
    first_argument: str | None = None,
    class_name: str | None = None,
    flags: int = 0,
) -> "Any":
    """The code of a function of the bound names that runs statements of the reference, of a file of that name.

    It gives how they end ("normal", "return", "break", "continue" or "raise"), with which value, and the variables
    then. What they would yield is gathered under "yields". With an `await` inside it is a coroutine."""
    turn = Turn(first_argument)
    body = []
    for statement in statements:
        turned = turn.visit(copy.deepcopy(statement))
        body += turned if isinstance(turned, list) else [turned]
    tree: Node = ast.parse(
        TEMPLATE.format(keyword="async def" if turn.awaits else "def", yields=', "yields": __fragment_yields__' if turn.yields else "")
    )
    function = tree.body[0]
    function.args.args = [ast.arg(parameter) for parameter in bound]
    function.body[2].body[:0] = body
    declared = (set(globals_) | turn.globals) - set(bound)
    unassigned = sorted((set(local) | turn.nonlocals) - declared - set(bound))
    if unassigned:
        stores: list[ast.expr] = [ast.Name(variable, ast.Store()) for variable in unassigned]
        function.body.insert(0, ast.If(ast.Constant(0), [ast.Assign(stores, ast.Constant(None))], []))
    if declared:
        function.body.insert(0, ast.Global(sorted(declared)))
    if class_name:
        tree.body = ast.parse(f"class {class_name}: pass").body
        tree.body[0].body = [function]
    code = compile(ast.fix_missing_locations(tree), name, "exec", flags, dont_inherit=True)
    while code.co_name != "__fragment__":
        code = next(constant for constant in code.co_consts if type(constant) is type(code))
    return code


class Turn(ast.NodeTransformer):
    """Turns the statements of a function into those of a fragment."""

    globals: "set[Any]"
    nonlocals: "set[Any]"

    def __init__(self, first_argument: str | None) -> None:
        self.first_argument = first_argument
        self.loops = 0
        self.yields = self.awaits = False
        self.globals, self.nonlocals = set(), set()

    def end(self, node: "Node", how: str, value: "Node") -> "list[Any]":
        end = ast.Tuple([ast.Constant(how), value or ast.Constant(None)], ast.Load())
        noted = [ast.Assign([ast.Name("__fragment_end__", ast.Store())], end), ast.Return(None)]
        return [ast.fix_missing_locations(ast.copy_location(new, node)) for new in noted]

    def visit_Return(self, node: "Node") -> "Any":
        return self.end(node, "return", node.value and self.visit(node.value))

    def visit_Break(self, node: "Node") -> "Any":
        return node if self.loops else self.end(node, "break", None)

    def visit_Continue(self, node: "Node") -> "Any":
        return node if self.loops else self.end(node, "continue", None)

    def visit_loop(self, node: "Node") -> "Any":
        self.awaits |= isinstance(node, ast.AsyncFor)
        for field, value in ast.iter_fields(node):
            inside = field == "body"
            self.loops += inside
            many = isinstance(value, list)
            module: Node = self.generic_visit(ast.Module(value if many else [value], []))
            found = module.body
            setattr(node, field, found if many else found[0])
            self.loops -= inside
        return node

    visit_For = visit_AsyncFor = visit_While = visit_loop

    def visit_scope(self, node: "Node") -> "Any":
        """What another scope does is its own matter, except for what is evaluated here."""
        for field in ("decorator_list", "bases"):
            if hasattr(node, field):
                setattr(node, field, [self.visit(value) for value in getattr(node, field)])
        if hasattr(node, "args"):
            node.args = self.visit(node.args)
        for inner in ast.walk(node):
            if isinstance(inner, ast.Nonlocal):
                self.nonlocals.update(inner.names)
        return node

    visit_FunctionDef = visit_AsyncFunctionDef = visit_ClassDef = visit_Lambda = visit_scope

    def visit_Global(self, node: "Node") -> "Any":
        self.globals.update(node.names)
        return ast.copy_location(ast.Pass(), node)

    def visit_Nonlocal(self, node: "Node") -> "Any":
        self.nonlocals.update(node.names)
        return ast.copy_location(ast.Pass(), node)

    def visit_ImportFrom(self, node: "Node") -> "Any":
        return ast.copy_location(ast.Pass(), node) if node.module == "__future__" else node

    def visit_Yield(self, node: "Node") -> "Any":
        self.yields = True
        value = self.visit(node.value) if node.value else ast.Constant(None)
        return self.gather(node, "append" if isinstance(node, ast.Yield) else "extend", value)

    visit_YieldFrom = visit_Yield

    def gather(self, node: "Node", method: str, value: "Node") -> "Any":
        gathering = ast.Attribute(ast.Name("__fragment_yields__", ast.Load()), method, ast.Load())
        return ast.fix_missing_locations(ast.copy_location(ast.Call(gathering, [value], []), node))

    def visit_awaiting(self, node: "Node") -> "Any":
        self.awaits = True
        return self.generic_visit(node)

    visit_Await = visit_AsyncWith = visit_awaiting

    def visit_comprehension(self, node: "Node") -> "Any":
        self.awaits |= bool(node.is_async)
        return self.generic_visit(node)

    def visit_Call(self, node: "Node") -> "Any":
        self.generic_visit(node)
        if self.first_argument and isinstance(node.func, ast.Name) and node.func.id == "super" and not node.args:
            node.args = [ast.copy_location(ast.Name(name, ast.Load()), node) for name in ("__class__", self.first_argument)]
        return node
