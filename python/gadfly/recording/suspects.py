"""What the recorder asks about a piece of code, once: whether its calls are recorded, and how they are to be shown.

Code under the project's root is suspected; the standard library, installed packages and what has no file are trusted."""

import ast
import fnmatch
import os
import sys
import sysconfig
import tokenize
import types

from gadfly import _native
from gadfly.code_flags import OPTIMIZED
from gadfly.recording import code_facts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from types import CodeType
    from typing import Any

# They run on behalf of the function that they stand in.
TRANSPARENT = {"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"}
MOST_FILES = 20_000
# The folder of this package: it is a library to the program, wherever it is.
PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class Describer:
    """Answers for one program."""

    def __init__(self, root: str, trusted: "Iterable[str]" = (), suspected: "Iterable[str]" = ()) -> None:
        self.root = os.path.realpath(root)
        self.trusted = tuple(trusted)
        self.suspected = tuple(suspected)
        self.texts: set[Any] = set()
        paths = sysconfig.get_paths()
        kept = [paths[name] for name in ("stdlib", "platstdlib", "purelib", "platlib") if name in paths]
        kept += [sys.prefix + "/lib", PACKAGE]
        self.libraries = tuple(os.path.realpath(path) + os.sep for path in kept)
        self.files: dict[Any, Any] = {}
        self.names: dict[Any, Any] = {}
        # By file, the code with events in it.
        self.detailed: dict[Any, Any] = {}
        # Modules that there is a reference of: they are suspected wherever they are, except in libraries.
        self.counterparts: Any = frozenset()
        # What is evaluated instead of the program.
        self.expression: str | None = None

    def anew(self) -> "Any":
        """Another one for another recording."""
        other = Describer(self.root, self.trusted, self.suspected)
        other.files, other.names, other.expression = self.files, self.names, self.expression
        other.counterparts = self.counterparts
        return other

    def is_suspect_file(self, file: str) -> bool:
        """Whether code of a file is suspected by default."""
        known = self.files.get(file)
        if known is None:
            if len(self.files) >= MOST_FILES:
                # Code that programs make has names without end.
                self.files.clear()
            known = self.files[file] = self.suspects(file, os.path.realpath(file))
        return known

    def suspects(self, file: str, path: str) -> "Any":
        # A virtual environment may be inside of the project, and the project inside of a folder of libraries.
        inside = not file.startswith("<") and path.startswith(self.root + os.sep)
        named = self.named(path)
        if named is not None:
            return named
        nested = [library for library in self.libraries if path.startswith(library)]
        if not nested and os.path.splitext(os.path.basename(path))[0] in self.counterparts and not file.startswith("<"):
            return True
        return inside and not any(len(library) > len(self.root) for library in nested)

    def is_test_code(self, code: "CodeType") -> bool:
        """Whether code is a test, or made for tests, and so no part of the program."""
        return False

    def is_of_tests(self, file: str) -> bool:
        """Whether a file has tests in it."""
        return False

    def named(self, path: str) -> "bool | None":
        """Whether the module that a file is, or a package that it is in, is suspected or trusted by name; None if it is not named."""
        if not self.trusted and not self.suspected or not path.endswith(".py"):
            return None
        names = list(packages_of(path))
        matches = lambda patterns: any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns for name in names)
        return False if matches(self.trusted) else True if matches(self.suspected) else None

    def __call__(self, code: "CodeType", variables: "Any") -> "Any":
        name = self.qualified(code).replace("<locals>.", "")
        module = variables.get("__name__", "") if type(variables) is dict else ""
        module = module if type(module) is str else ""
        if code.co_name in TRANSPARENT:
            return None
        file = code.co_filename
        if file == "<expression>" and self.expression:
            # A call that makes no other calls for its arguments stands for itself.
            tree = ast.parse(self.expression, mode="eval").body
            calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
            if calls == [tree] or code.co_name != "<module>":
                return None
            return (self.expression, "", "<expression>", self.expression, 1, 1, [], [], [], (0, [], 0, []), None)
        if not self.chosen(name, module, self.is_suspect_file(file)):
            return None
        if code.co_name == "<module>":
            name = "<module>"
        elif not code.co_flags & OPTIMIZED:
            name = f"class {name}"
        text = None
        if file not in self.texts:
            self.texts.add(file)
            text = read(file)
        return (
            name,
            module,
            shown(file),
            text,
            code_facts.first_line(code),
            code_facts.last_line(code),
            code_facts.parameters(code),
            code_facts.captured(code),
            code_facts.used_globals(code),
            (code_facts.kind(code), code_facts.cells(code), code.co_nlocals + len(code.co_cellvars), code_facts.replaced(code)),
            self.inside(code),
        )

    def show_files(self) -> None:
        """Has the trail know the files of suspected modules: what they do when they are imported may be wrong."""
        for module in list(sys.modules.values()):
            file = module.__dict__.get("__file__") if isinstance(module, types.ModuleType) else None
            if type(file) is str and file.endswith((".py", ".pyw")) and self.is_suspect_file(file):
                text = read(file)
                if text is not None:
                    _native.file(shown(file), text)

    def inside(self, code: "CodeType") -> "Any":
        """The fragments of code with events in it."""
        detailed = self.detailed.get(code.co_filename)
        if detailed is None or "__gadfly_at__" not in code.co_names:
            return None
        details = detailed.details(code)
        return None if details is None else details.told(code)

    def qualified(self, code: "CodeType") -> "Any":
        """A function's name with those of what it stands in; before 3.11 code does not know it."""
        if hasattr(code, "co_qualname"):
            return code.co_qualname
        file = code.co_filename
        if file not in self.names:
            self.names[file] = names(read(file) or "")
        return self.names[file].get((code.co_firstlineno, code.co_name), code.co_name)

    def chosen(self, name: str, module: str, suspect: bool) -> "Any":
        parts = module.split(".")
        # A package stands for all modules in it.
        packages = [".".join(parts[:end]) for end in range(1, len(parts) + 1)]
        texts = (name, f"{module}.{name}", name.rpartition(".")[2], *packages)
        matches = lambda patterns: any(fnmatch.fnmatchcase(text, pattern) for pattern in patterns for text in texts)
        if matches(self.trusted):
            return False
        return suspect or matches(self.suspected)


def packages_of(path: str) -> "Iterator[str]":
    """The name of the module that a file is, and those of the packages that it is in."""
    folder, name = os.path.split(path[: -len(".py")])
    parts = [] if name == "__init__" else [name]
    while os.path.isfile(os.path.join(folder, "__init__.py")):
        folder, package = os.path.split(folder)
        parts.insert(0, package)
    for end in range(1, len(parts) + 1):
        yield ".".join(parts[:end])


def project(folder: str) -> "Any":
    """The folder that the program belongs to: the nearest one above with a project's file in it, or its own."""
    at = folder
    while True:
        if any(os.path.exists(os.path.join(at, name)) for name in ("pyproject.toml", "setup.py", "setup.cfg", ".git")):
            return at
        above = os.path.dirname(at)
        if above == at:
            return folder
        at = above


# What `[tool.gadfly]` may have: names, of which one may stand alone, and the name of a strategy.
NAMES = ("trust", "suspect", "oracle")
KEYS = (*NAMES, "strategy")


def configured(root: str, complain: "Callable[[str], None]") -> "dict[str, Any]":
    """The table `[tool.gadfly]` of a project; what of it has no meaning is complained of and left out."""
    path = os.path.join(root, "pyproject.toml")
    # Reading it would be more modules in the program.
    if not os.path.isfile(path):
        return {}
    try:
        import tomllib
    except ImportError:
        try:
            import tomli as tomllib
        except ImportError:
            return {}
    try:
        with open(path, "rb") as file:
            whole = tomllib.load(file)
    except (OSError, ValueError) as error:
        complain(f"{shown(path)} is not read: {error}")
        return {}
    tool = whole.get("tool")
    table = tool.get("gadfly", {}) if isinstance(tool, dict) else {}
    if not isinstance(table, dict):
        complain(f"{shown(path)}: `tool.gadfly` must be a table")
        return {}
    found: dict[str, Any] = {}
    for key, value in table.items():
        names = [value] if isinstance(value, str) else value
        if key not in KEYS:
            complain(f"{shown(path)}: [tool.gadfly] has no key `{key}`; its keys are {', '.join(KEYS)}")
        elif key in NAMES and not (isinstance(names, list) and all(isinstance(one, str) for one in names)):
            complain(f"{shown(path)}: `{key}` in [tool.gadfly] must be a name or a list of names")
        elif key not in NAMES and not isinstance(value, str):
            complain(f"{shown(path)}: `{key}` in [tool.gadfly] must be a text")
        else:
            found[key] = names if key in NAMES else value
    return found


# Where the program began; it may go to another folder.
START = os.getcwd()


def shown(file: str) -> "Any":
    """A file's name as a person would say it."""
    relative = os.path.relpath(os.path.join(START, file), START)
    return printable(os.path.normpath(file) if relative.startswith("..") else relative)


def printable(text: str) -> "Any":
    """A text with the numbers of halves of surrogate pairs, which are in names that are not UTF-8."""
    return text.encode("utf-8", "backslashreplace").decode()


def read(file: str) -> "Any":
    try:
        with tokenize.open(file) as source:
            return source.read()
    except (OSError, SyntaxError, UnicodeError):
        return None


def names(text: str) -> "Any":
    """By first line and name: the full names of the functions and classes in a file."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return {}
    found = {}
    waiting: list[tuple[ast.AST, str]] = [(tree, "")]
    while waiting:
        node, above = waiting.pop()
        for child in ast.iter_child_nodes(node):
            inside = above
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                inside = f"{above}.{child.name}" if above else child.name
                first = min([child.lineno, *(decorator.lineno for decorator in child.decorator_list)])
                found[first, child.name] = inside
            elif isinstance(child, ast.Lambda):
                inside = f"{above}.<lambda>" if above else "<lambda>"
                found.setdefault((child.lineno, "<lambda>"), inside)
            waiting.append((child, inside))
    return found
