"""Modules that a program has yet to import: which they are, and how the reference's come in their place."""

import ast
import importlib.machinery
import importlib.util
import sys

from gadfly.reference.source import Source, find, locate, source_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import CodeType
    from typing import Any

    from gadfly._types import Node
    from gadfly.reference.source import Reference


class Instead:
    """Finds the modules of the program, and has them run the reference's code: it is the first of `sys.meta_path`."""

    def __init__(
        self, reference: "Reference", files: "Callable[[str], bool]", code: "Callable[[str, str], CodeType | None] | None" = None
    ) -> None:
        self.reference, self.files = reference, files
        # The code of a module's file and its counterpart, if it is not the reference's.
        self.code = code

    def find_spec(self, name: str, path: "Any" = None, target: object = None) -> "Any":
        spec = find(name, path)
        file = source_of(spec)
        if not file or not self.files(file):
            return None
        try:
            place = self.reference.source_for(name, file)
            code = None
            if place:
                code = self.code(file, place) if self.code else self.reference.code(place)
        except (OSError, SyntaxError, ValueError):
            return None
        if code is None:
            return None
        spec.loader = Loader(name, file, code)
        return spec


class Loader(importlib.machinery.SourceFileLoader):
    """Loads a module with other code than its own."""

    def __init__(self, name: str, file: str, code: "CodeType") -> None:
        super().__init__(name, file)
        self.code = code

    def get_code(self, fullname: str) -> "Any":
        return self.code


def reach(name: str, file: str, files: "Callable[[str], bool]") -> "Any":
    """The modules that a module imports when it is run, by name, and those that they import: their files, and what they define."""
    found, waiting = {}, [(name, file)]
    while waiting:
        name, file = waiting.pop()
        if name in found or not files(file):
            continue
        try:
            source = Source(file)
        except (OSError, SyntaxError, ValueError):
            continue
        found[name] = file, source.defined()
        package = name if file.endswith("__init__.py") else name.rpartition(".")[0]
        for wanted in imported(source.tree, package):
            other = source_of(locate(wanted)) if wanted not in found and wanted not in sys.modules else None
            if other:
                waiting.append((wanted, other))
    return found


def imported(tree: "Node", package: str) -> "Iterator[Any]":
    """The names of modules that are imported, or may be."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            try:
                name = importlib.util.resolve_name("." * node.level + (node.module or ""), package)
            except (ImportError, ValueError):
                continue
            yield name
            yield from (f"{name}.{alias.name}" for alias in node.names)
