"""Statements that can do nothing but compute: they are tried in the program's own process, with copies of its data.

Everything that they could reach is of a built-in type, so they run no code of the program's; and what they could change is
copied together with all that is compared, so that what was one object stays one."""

import ast
import builtins

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from gadfly._types import Statements, Value

ATOMS = {int, float, complex, bool, str, bytes, type(None), type(...), range, slice}
CONTAINERS = {tuple, list, dict, set, frozenset}
# So many values are copied at most; with more, a copy of the process is cheaper.
MOST = 2_000
PURE = {
    name: getattr(builtins, name)
    for name in """abs all any ascii bin bool bytes chr complex dict divmod enumerate filter float
format frozenset hash hex int isinstance len list map max min oct ord pow range repr reversed round set slice sorted str sum tuple zip
ArithmeticError AssertionError Exception IndexError KeyError LookupError OverflowError RuntimeError StopIteration TypeError
ValueError ZeroDivisionError""".split()
}
# What makes or reaches code, waits, or binds names elsewhere.
LOUD = (
    ast.Yield,
    ast.YieldFrom,
    ast.Await,
    ast.AsyncFor,
    ast.AsyncWith,
    ast.With,
    ast.Global,
    ast.Nonlocal,
    ast.Import,
    ast.ImportFrom,
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.ClassDef,
    ast.Lambda,
    getattr(ast, "Match", ast.With),
)


class Loud(Exception):
    """This cannot be tried here."""


def names_of(statements: "Statements") -> "Any":
    """The names that quiet statements use; None if they are not quiet."""
    names = set()
    for statement in statements:
        for node in ast.walk(statement):
            if isinstance(node, LOUD):
                return None
            if isinstance(node, ast.Attribute) and (node.attr.startswith("_") or not isinstance(node.ctx, ast.Load)):
                return None
            if isinstance(node, ast.Name):
                names.add(node.id)
    return names


def copied(names: "Any", variables: "dict[str, Value]", shared: "Any", compared: "Any") -> "Any":
    """What is compared, with copies of what may be changed; raises Loud if the names reach more than data.

    `variables` are a function's own, `shared` its module's; `compared` is data in dicts."""
    used = []
    for name in names:
        if name in variables:
            used.append(variables[name])
        elif name in shared:
            used.append(shared[name])
        elif name in builtins.__dict__ and PURE.get(name, Loud) is not builtins.__dict__[name]:
            raise Loud
    copier = Copier()
    for value in used:
        copier.copy(value)
    if not copier.copies:
        return compared
    return copier.copy(compared)


class Copier:
    """Copies data, and gives what it has copied once again."""

    def __init__(self) -> None:
        # The original is kept, so that its id stays its own.
        self.copies: dict[Any, Any] = {}
        self.left = MOST

    def copy(self, value: "Value") -> int:
        kind = type(value)
        if kind in ATOMS:
            return value
        self.left -= 1
        if kind not in CONTAINERS or self.left < 0:
            raise Loud
        known = self.copies.get(id(value))
        if known is not None:
            return known[1]
        if kind is tuple or kind is frozenset:
            parts = [self.copy(part) for part in value]
            if all(one is part for one, part in zip(parts, value)):
                return value
            made = kind(parts)
        elif kind is dict:
            made = {}
            self.copies[id(value)] = value, made
            made.update([(self.copy(key), self.copy(part)) for key, part in value.items()])
        elif kind is list:
            made = []
            self.copies[id(value)] = value, made
            made += [self.copy(part) for part in value]
        elif value:
            # The order of its elements may be another one in a copy.
            raise Loud
        else:
            made = set()
        self.copies[id(value)] = value, made
        return made
