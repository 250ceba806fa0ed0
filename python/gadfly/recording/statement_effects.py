"""What a statement reads, sets and may change in place, as far as its text says."""

import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from gadfly._types import Node

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
WITHS = (ast.With, ast.AsyncWith)
TRIES = (ast.Try, ast.TryStar) if hasattr(ast, "TryStar") else (ast.Try,)


def used(node: "Node") -> "list[Any]":
    """The names that a statement reads, in the order of the text."""
    if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
        parts = [*node.decorator_list, getattr(node, "args", None), *getattr(node, "bases", ())]
    else:
        parts = [node]
    names: dict[Any, Any] = {}
    waiting = [part for part in parts if part is not None]
    found = []
    while waiting:
        one = waiting.pop()
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load):
            found.append((one.lineno, one.col_offset, one.id))
        elif isinstance(one, ast.AugAssign) and isinstance(one.target, ast.Name):
            found.append((one.lineno, one.col_offset, one.target.id))
        if not isinstance(one, (*FUNCTIONS, ast.ClassDef)) or one is node:
            waiting.extend(ast.iter_child_nodes(one))
    for _, _, name in sorted(found):
        names[name] = None
    return list(names)


def stored(target: "Any") -> "Any":
    return [one.id for one in ast.walk(target) if isinstance(one, ast.Name)] if target is not None else []


NOTHING, USED, ANYTHING = range(3)
SIMPLE = (ast.Name, ast.Constant, ast.Attribute, ast.Subscript)
# Methods of the library's types that change nothing but what they are called on.
METHODS = {
    "append",
    "extend",
    "insert",
    "pop",
    "popleft",
    "appendleft",
    "remove",
    "clear",
    "sort",
    "reverse",
    "add",
    "discard",
    "update",
    "setdefault",
    "popitem",
    "get",
    "items",
    "keys",
    "values",
    "copy",
    "index",
    "count",
    "join",
    "split",
    "strip",
    "startswith",
    "endswith",
    "lower",
    "upper",
    "replace",
    "find",
    "format",
    "isalnum",
    "isalpha",
    "isdigit",
    "isspace",
    "encode",
    "decode",
    "union",
    "intersection",
    "difference",
    "issubset",
    "issuperset",
    "isdisjoint",
}
HARMLESS = {
    "range",
    "len",
    "enumerate",
    "zip",
    "print",
    "int",
    "str",
    "float",
    "bool",
    "abs",
    "min",
    "max",
    "sum",
    "sorted",
    "isinstance",
    "repr",
    "ord",
    "chr",
    "round",
    "list",
    "tuple",
    "dict",
    "set",
    "reversed",
    "any",
    "all",
    "divmod",
}


def may_change(node: "Node") -> int:
    """What a statement may change in place: anything if it calls what it likes; what it names if it assigns to a part of that."""
    if isinstance(node, (ast.If, ast.While)):
        parts = [node.test]
    elif isinstance(node, (ast.For, ast.AsyncFor)):
        parts = [node.iter]
        if any(isinstance(part, (ast.Attribute, ast.Subscript)) for part in ast.walk(node.target)):
            return ANYTHING
        if not isinstance(node.iter, (ast.Name, ast.Call, ast.List, ast.Tuple, ast.Attribute)):
            return ANYTHING
    elif isinstance(node, ast.Match):
        parts = [node.subject]
    elif isinstance(node, TRIES):
        return NOTHING
    elif isinstance(node, (*FUNCTIONS, ast.ClassDef)):
        return ANYTHING if node.decorator_list or isinstance(node, ast.ClassDef) else NOTHING
    else:
        parts = [node]
    found = NOTHING
    for part in parts:
        for one in ast.walk(part):
            if isinstance(one, ast.Call):
                if isinstance(one.func, ast.Name) and one.func.id in HARMLESS:
                    continue
                if isinstance(one.func, ast.Attribute) and isinstance(one.func.value, SIMPLE) and one.func.attr in METHODS:
                    found = max(found, USED)
                    continue
                return ANYTHING
            if isinstance(one, (ast.Await, ast.Yield, ast.YieldFrom, *WITHS, ast.Import, ast.ImportFrom)):
                return ANYTHING
            if isinstance(one, (ast.AugAssign, ast.Delete)):
                found = max(found, USED)
            elif isinstance(one, (ast.Attribute, ast.Subscript)) and not isinstance(one.ctx, ast.Load):
                found = max(found, USED)
    return found
