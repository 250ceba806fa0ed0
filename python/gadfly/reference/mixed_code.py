"""Modules that are the program's but for chosen pieces, which are the reference's: what a difference does to a run is found by running
the program with it and without it."""

import ast

from gadfly.recording.suspects import shown
from gadfly.reference.module_differences import edits, is_text_or_future
from gadfly.reference.source import DEFINITIONS, FUNCTIONS, IMPORTS, origins

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from types import CodeType
    from typing import Any

    from gadfly._types import Node


def mixed(file: str, path: str, wanted: "Callable[[tuple[str, str]], bool]", chosen: "Collection[int]") -> "CodeType":
    """The code of a module: the program's, but for the functions that are wanted, by file and name, and the chosen ones of the edits that
    make it the reference's outside of functions. What only the reference defines is added as far as these need it."""
    ours, theirs = read(file), read(path)
    own = {id(node) for node in ast.walk(ours)}
    for place, (_, _, edit) in enumerate(edits(ours, theirs)):
        if place in chosen:
            edit()
    exchange(ours, theirs, "", lambda name: wanted((shown(file), name)))
    add_new(ours, theirs, set().union(*(names_in(node) for node in ast.walk(ours) if id(node) not in own)))
    return compile(ast.fix_missing_locations(ours), file, "exec", dont_inherit=True)


def read(path: str) -> "Any":
    with open(path, "rb") as file:
        return ast.parse(file.read(), path)


def exchange(ours: "Node", theirs: "Node", prefix: str, wanted: "Callable[[str], bool]") -> None:
    """Puts the reference's functions in the place of those that are wanted, and beside them what else only it has in a class."""
    waiting = [(ours, theirs, prefix)]
    while waiting:
        scope, other, prefix = waiting.pop()
        partners: dict[Any, list[Any]] = {}
        for node in other.body:
            if isinstance(node, DEFINITIONS):
                partners.setdefault(node.name, []).append(node)
        for place, node in enumerate(scope.body):
            found = partners.get(node.name) if isinstance(node, DEFINITIONS) else None
            if not found:
                continue
            partner = found.pop(0)
            if isinstance(node, ast.ClassDef) and isinstance(partner, ast.ClassDef):
                waiting.append((node, partner, f"{prefix}{node.name}."))
            elif isinstance(node, FUNCTIONS) and isinstance(partner, FUNCTIONS) and wanted(prefix + node.name):
                scope.body[place] = partner
        if isinstance(scope, ast.ClassDef):
            known = origins(scope.body)
            new = [node for node in other.body if isinstance(node, FUNCTIONS) and node.name not in known]
            scope.body += [node for node in new if wanted(prefix + node.name)]


def names_in(node: "Node") -> "set[str]":
    """The name that a node mentions."""
    return {node.id} if isinstance(node, ast.Name) else set()


def add_new(ours: "Node", theirs: "Node", needed: "set[str]") -> None:
    """Adds what binds the names that are needed and that only the reference has: imports first, and functions last."""
    known = origins(ours.body)
    bound = [(node, origins([node])) for node in theirs.body]
    new, left = [], [(node, names) for node, names in bound if names and not any(name in known for name in names)]
    while True:
        found = [node for node, names in left if not needed.isdisjoint(names)]
        if not found:
            break
        new += found
        left = [(node, names) for node, names in left if needed.isdisjoint(names)]
        needed = needed.union(*(names_in(one) for node in found for one in ast.walk(node)))
    new.sort(key=lambda node: node.lineno)
    start = next((place for place, node in enumerate(ours.body) if not is_text_or_future(node)), len(ours.body))
    imports = [node for node in new if isinstance(node, IMPORTS) and not is_text_or_future(node)]
    ours.body[start:start] = imports
    # Definitions come late: what they need when they are made is there by then.
    ours.body += [node for node in new if isinstance(node, DEFINITIONS)]
    values = [node for node in new if not isinstance(node, (*IMPORTS, *DEFINITIONS))]
    last = next((place for place in range(len(ours.body), 0, -1) if isinstance(ours.body[place - 1], IMPORTS)), start + len(imports))
    ours.body[last:last] = values
