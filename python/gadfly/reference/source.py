"""The code of a reference: where the counterpart of a module is, and what is in it by qualified name."""

import __future__

import ast
import importlib.util
import os
import sys
import tokenize
import types

from gadfly.code_flags import OPTIMIZED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import CodeType, ModuleType
    from typing import Any

    from gadfly._types import Node, Statements

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
DEFINITIONS = (*FUNCTIONS, ast.ClassDef)
IMPORTS = (ast.Import, ast.ImportFrom)
BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")


class Reference:
    """Where the code of a reference is: a "file", a "folder" in place of the program's root, or a "module"."""

    def __init__(self, kind: str, place: str, root: str) -> None:
        self.kind = kind
        self.place = place if kind == "module" else os.path.realpath(place)
        self.root = os.path.realpath(root)
        self.sources: dict[Any, Any] = {}
        self.same: dict[tuple[str, str], bool] = {}
        # By two files, the functions that are not the same in both.
        self.unlike: dict[tuple[str, str], set[str]] = {}
        # Functions and classes of the program that the collector does not give any more.
        self.older: list[Any] = []
        self.packages: set[Any] = set()
        self.chosen: str | None = None
        self.folder: str | None = None

    def choose(self, name: "str | None", file: "Any") -> None:
        """Of a file: the module that it is the counterpart of. What lies beside it is that of what lies beside the module."""
        self.chosen, self.folder = name, file and os.path.dirname(os.path.realpath(file))

    def source_for(self, module_name: str, file: "Any", only: bool = False) -> "Any":
        """The path of the counterpart of a module, or None."""
        stem = os.path.splitext(os.path.basename(file))[0] if file else module_name.rpartition(".")[2]
        if self.kind == "folder":
            return next((path for path in self.candidates(module_name, file) if os.path.isfile(path)), None)
        if self.kind == "file" and self.chosen is not None:
            return self.place if module_name == self.chosen else self.beside(file)
        if self.kind == "file":
            fits = only or module_name == "__main__" or stem == os.path.splitext(os.path.basename(self.place))[0]
            return self.place if file and fits else None
        spec = locate(self.place)
        if spec is None:
            return None
        if spec.submodule_search_locations is None:
            fits = file and (only or module_name == "__main__" or stem == self.place.rpartition(".")[2])
            return source_of(spec) if fits else None
        parts = [stem] if module_name == "__main__" else module_name.split(".")
        tails = [".".join(parts[start:]) for start in range(1 if len(parts) > 1 else 0, len(parts))]
        found = (source_of(locate(f"{self.place}.{tail}")) for tail in tails)
        package = stem == "__init__" and (len(parts) == 1 or module_name == self.place)
        return source_of(spec) if package else next((path for path in found if path), None)

    def beside(self, file: "Any") -> "Any":
        """The counterpart of a file by its way from that of the chosen module."""
        if not file or not self.folder:
            return None
        file = os.path.realpath(file)
        path = os.path.normpath(os.path.join(os.path.dirname(self.place), os.path.relpath(file, self.folder)))
        return path if path != file and os.path.isfile(path) else None

    def candidates(self, module_name: str, file: "Any") -> "Iterator[Any]":
        places = [self.place, os.path.join(self.place, "src")]
        if file:
            file = os.path.realpath(file)
            for root in (self.root, os.path.join(self.root, "src")):
                if file.startswith(root + os.sep):
                    yield from (os.path.join(place, os.path.relpath(file, root)) for place in places)
        if module_name == "__main__":
            if file:
                yield from (os.path.join(place, os.path.basename(file)) for place in places)
            return
        parts = module_name.split(".")
        if os.path.basename(self.place) == parts[0]:
            places.append(os.path.dirname(self.place))
        for place in places:
            path = os.path.join(place, *parts)
            yield from (path + ".py", os.path.join(path, "__init__.py"))

    def home(self, path: "Any", name: str) -> "Any":
        """Where a function is that a module has by name: in that module, or in one that it imports it from."""
        outer = name.partition(".")[0]
        seen = set()
        while path not in seen:
            seen.add(path)
            _, origin = self.source(path).origins.get(outer, (0, None))
            if not isinstance(origin, tuple) or origin[0] != "import" or origin[3] != outer:
                break
            path = self.imported(path, *origin[1:3]) or path
        return path

    def imported(self, path: "Any", module: "ModuleType", level: int) -> "Any":
        """The path of a module of the reference that another one of it imports from."""
        places = [self.place, os.path.join(self.place, "src"), os.path.dirname(self.place)]
        if level:
            for _ in range(level):
                path = os.path.dirname(path)
            places = [path]
        parts = module.split(".") if module else []
        paths = (os.path.join(place, *parts) for place in places)
        return next((file for path in paths for file in (path + ".py", os.path.join(path, "__init__.py")) if os.path.isfile(file)), None)

    def is_same_file(self, file: str, path: str) -> bool:
        """Whether two files have the same content."""
        if (file, path) not in self.same:
            try:
                with open(file, "rb") as ours, open(path, "rb") as theirs:
                    self.same[file, path] = ours.read() == theirs.read()
            except OSError:
                self.same[file, path] = False
        return self.same[file, path]

    def source(self, path: "Any") -> "Any":
        if path not in self.sources:
            self.sources[path] = Source(path)
        return self.sources[path]

    def tree(self, path: "Any") -> "Any":
        return self.source(path).tree

    def code(self, path: "Any") -> "Any":
        return self.source(path).code

    def find_spec(self, name: str, path: "Any" = None, target: "Any" = None) -> "Any":
        """Modules that only the reference has are imported from it: it is the last of `sys.meta_path`."""
        top, dot, _ = name.partition(".")
        known = top in self.packages if dot else self.kind == "folder"
        found = self.source_for(name, None) if known else None
        if not found:
            return None
        folder = [os.path.dirname(found)] if os.path.basename(found) == "__init__.py" else None
        return importlib.util.spec_from_file_location(name, found, submodule_search_locations=folder)


def locate(name: str) -> "Any":
    """The spec of a module, without running the packages that it is in."""
    path = None
    parts = name.split(".")
    for end in range(1, len(parts) + 1):
        spec = find(".".join(parts[:end]), path)
        if spec is None:
            return None
        path = spec.submodule_search_locations
        if path is None and end < len(parts):
            return None
    return spec


def find(name: str, path: "Any" = None) -> "Any":
    """What finders say of a module that are not ours."""
    finders = [finder for finder in sys.meta_path if not type(finder).__module__.startswith("gadfly.")]
    specs = (finder.find_spec(name, path) for finder in finders if hasattr(finder, "find_spec"))
    return next((spec for spec in specs if spec), None)


def source_of(spec: "Any") -> "Any":
    """The file of a module, if it has one."""
    return spec.origin if spec and spec.origin and spec.origin.endswith(".py") else None


class Source:
    """A file of source text: its tree, its code, and both by qualified name."""

    def __init__(self, path: "Any") -> None:
        self.path = path
        with tokenize.open(path) as file:
            text = file.read()
        self.tree = ast.parse(text, path)
        self.code = compile(self.tree, path, "exec", dont_inherit=True)
        self.flags = 0
        for node in self.tree.body:
            if isinstance(node, ast.ImportFrom) and node.module == "__future__":
                for alias in node.names:
                    self.flags |= getattr(__future__, alias.name).compiler_flag
        self.codes: dict[Any, Any] = {}
        for name, code in inner_codes(self.code):
            self.codes.setdefault(name, []).append(code)
        for codes in self.codes.values():
            codes.sort(key=lambda code: code.co_firstlineno)
        self.places: dict[Any, Any] = {}
        for name, codes in self.codes.items():
            for order, code in enumerate(codes):
                self.places.setdefault((code.co_name, code.co_firstlineno), []).append((name, order, code))
        self.nodes, self.classes = definitions(self.tree)
        self.origins = origins(self.tree.body)
        self.bound: list[Any] | None = None
        self.members: dict[str, Any] = {}

    def statements(self) -> "list[Any]":
        """The statements of the module, each with what it binds."""
        if self.bound is None:
            self.bound = [(node, origins([node])) for node in self.tree.body]
        return self.bound

    def members_of(self, name: str) -> "Any":
        """What the body of a class binds."""
        if name not in self.members:
            self.members[name] = origins(self.classes[name].body)
        return self.members[name]

    def defined(self) -> "set[Any]":
        """The names that it gives a meaning."""
        return {name for name, (_, origin) in self.origins.items() if origin[0] != "import"}

    def means(self, name: str) -> "Any":
        """What a name of the module comes from, as far as that is written here."""
        count, origin = self.origins.get(name, (0, None))
        whole = [ast.dump(node) for node in self.tree.body if isinstance(node, DEFINITIONS) and node.name == name]
        return count, origin, whole

    def place(self, code: "CodeType") -> "Any":
        """The qualified name of a function's code, and the how manieth of that name it is."""
        places = self.places.get((code.co_name, code.co_firstlineno), [])
        if not places:
            return getattr(code, "co_qualname", code.co_name), 0
        traits = lambda code: (code.co_code, code.co_names, code.co_varnames, code.co_freevars)
        exact = [place for place in places if place[2] == code] or [place for place in places if traits(place[2]) == traits(code)]
        return (exact or places)[0][:2]

    def node(self, code: "CodeType") -> "Any":
        """The definition of a function's code; None for a lambda."""
        return self.nodes.get((code.co_name, code.co_firstlineno))

    def compile(self, tree: "Node", mode: str = "exec") -> "Any":
        return compile(ast.fix_missing_locations(tree), self.path, mode, self.flags, dont_inherit=True)


def inner_codes(code: "CodeType") -> "Iterator[Any]":
    """The codes of functions and classes with their qualified names, which code itself knows only since 3.11."""
    waiting = [(code, "")]
    while waiting:
        outer, prefix = waiting.pop()
        for inner in outer.co_consts:
            if type(inner) is types.CodeType:
                # Type parameters have a scope that names do not tell of.
                if inner.co_name.startswith("<generic parameters"):
                    waiting.append((inner, prefix))
                    continue
                name = prefix + inner.co_name
                yield name, inner
                waiting.append((inner, name + (".<locals>." if inner.co_flags & OPTIMIZED else ".")))


def definitions(tree: "Node") -> "Any":
    """Functions by name and first line, and classes by qualified name."""
    nodes, classes = {}, {}
    waiting = [(tree, "")]
    while waiting:
        outer, prefix = waiting.pop()
        # Only statements have definitions in them.
        for node in (one for block in BLOCKS for one in getattr(outer, block, ())):
            inside = prefix
            if isinstance(node, DEFINITIONS):
                first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
                inside = prefix + node.name + (".<locals>." if isinstance(node, FUNCTIONS) else ".")
                if isinstance(node, ast.ClassDef):
                    classes[prefix + node.name] = node
                else:
                    nodes[node.name, first] = node
            waiting.append((node, inside))
    return nodes, classes


def origins(statements: "Statements") -> "Any":
    """By name that statements bind: how often, and by what, as far as that is no state."""
    found: dict[Any, Any] = {}
    waiting = list(reversed(statements))
    while waiting:
        node = waiting.pop()
        bound: dict[str, Any] = {}
        if isinstance(node, DEFINITIONS):
            bound[node.name] = "class" if isinstance(node, ast.ClassDef) else "function"
        elif isinstance(node, IMPORTS):
            home = getattr(node, "module", None), getattr(node, "level", None)
            for alias in node.names:
                name = alias.asname or alias.name.partition(".")[0]
                bound[name if name != "*" else f"*{home}"] = ("import", *home, alias.name)
        elif isinstance(node, ast.AnnAssign):
            if node.value and isinstance(node.target, ast.Name):
                bound[node.target.id] = ("value", ast.dump(node.value))
        else:
            targets = list(getattr(node, "targets", [])) if not isinstance(node, ast.Delete) else []
            targets += [getattr(node, field) for field in ("target", "name") if hasattr(node, field)]
            targets += [item.optional_vars for item in getattr(node, "items", ()) if item.optional_vars]
            value = ast.dump(node.value) if getattr(node, "value", None) else None
            for target in targets:
                names = ast.walk(target) if isinstance(target, ast.AST) else ()
                bound.update(
                    (name.id, ("value", value)) for name in names if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)
                )
            for field in ("finalbody", "orelse", "handlers", "body"):
                inner = getattr(node, field, None)
                waiting += reversed(inner) if isinstance(inner, list) else ()
        for name, origin in bound.items():
            found[name] = (found.get(name, (0, None))[0] + 1, origin)
    return found
