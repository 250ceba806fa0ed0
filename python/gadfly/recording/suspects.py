"""What the recorder asks about a piece of code, once: whether its calls are recorded, and how they are to be shown.

Code under the project's root is suspected; the standard library, installed packages and what has no file are trusted."""
import ast
import builtins
import dis
import fnmatch
import os
import sys
import sysconfig
import tokenize
import types

from gadfly import _native
from gadfly.code_flags import ASYNC_GENERATOR, COROUTINE, GENERATOR, OPTIMIZED, VARARGS, VARKEYWORDS

# They run on behalf of the function that they stand in.
TRANSPARENT = {"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"}
YIELDS, AWAITS = 1, 2
MOST_FILES = 20_000
# The folder of this package: it is a library to the program, wherever it is.
PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class Describer:
    """Answers for one program."""

    def __init__(self, root, trusted=(), suspected=()):
        self.root = os.path.realpath(root)
        self.trusted = tuple(trusted)
        self.suspected = tuple(suspected)
        self.texts = set()
        paths = sysconfig.get_paths()
        kept = [paths[name] for name in ("stdlib", "platstdlib", "purelib", "platlib") if name in paths]
        kept += [sys.prefix + "/lib", PACKAGE]
        self.libraries = tuple(os.path.realpath(path) + os.sep for path in kept)
        self.files = {}
        self.names = {}
        # By file, the code with events in it.
        self.detailed = {}
        # Modules that a correct version is there of: they are suspected wherever they are, but in libraries.
        self.counterparts = frozenset()
        # What is evaluated instead of the program.
        self.expression = None

    def anew(self):
        """Another one for another recording."""
        other = Describer(self.root, self.trusted, self.suspected)
        other.files, other.names, other.expression = self.files, self.names, self.expression
        other.counterparts = self.counterparts
        return other

    def is_suspect_file(self, file):
        """Whether code of a file is suspected unless its name says otherwise."""
        known = self.files.get(file)
        if known is None:
            if len(self.files) >= MOST_FILES:
                # Code that programs make has names without end.
                self.files.clear()
            known = self.files[file] = self.suspects(file, os.path.realpath(file))
        return known

    def suspects(self, file, path):
        # A virtual environment may be inside of the project, and the project inside of a folder of libraries.
        inside = not file.startswith("<") and path.startswith(self.root + os.sep)
        nested = [library for library in self.libraries if path.startswith(library)]
        if not nested and os.path.splitext(os.path.basename(path))[0] in self.counterparts and not file.startswith("<"):
            return True
        return inside and not any(len(library) > len(self.root) for library in nested)

    def __call__(self, code, variables):
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
        return (name, module, shown(file), text, first_line(code), last_line(code), parameters(code),
                captured(code), used_globals(code), (kind(code), cells(code), code.co_nlocals + len(code.co_cellvars), replaced(code)),
                self.inside(code))

    def show_files(self):
        """Has the trail know the files of suspected modules: what they do when they are imported may be wrong."""
        for module in list(sys.modules.values()):
            file = module.__dict__.get("__file__") if isinstance(module, types.ModuleType) else None
            if type(file) is str and file.endswith((".py", ".pyw")) and self.is_suspect_file(file):
                text = read(file)
                if text is not None:
                    _native.file(shown(file), text)

    def inside(self, code):
        """The fragments of code with events in it."""
        detailed = self.detailed.get(code.co_filename)
        if detailed is None or "__gadfly_at__" not in code.co_names:
            return None
        details = detailed.details(code)
        return None if details is None else details.told(code)

    def qualified(self, code):
        """A function's name with those of what it stands in; before 3.11 code does not know it."""
        if hasattr(code, "co_qualname"):
            return code.co_qualname
        file = code.co_filename
        if file not in self.names:
            self.names[file] = names(read(file) or "")
        return self.names[file].get((code.co_firstlineno, code.co_name), code.co_name)

    def chosen(self, name, module, suspect):
        full = f"{module}.{name}"
        matches = lambda patterns: any(fnmatch.fnmatchcase(text, pattern) for pattern in patterns
                                       for text in (name, module, full, name.rpartition(".")[2]))
        if matches(self.trusted):
            return False
        return suspect or matches(self.suspected)


def project(folder):
    """The folder that the program belongs to: the nearest one above with a project's file in it, or its own."""
    at = folder
    while True:
        if any(os.path.exists(os.path.join(at, name)) for name in ("pyproject.toml", "setup.py", "setup.cfg", ".git")):
            return at
        above = os.path.dirname(at)
        if above == at:
            return folder
        at = above


def configured(root):
    """The table `[tool.gadfly]` of a project."""
    try:
        import tomllib
    except ImportError:
        try:
            import tomli as tomllib
        except ImportError:
            return {}
    try:
        with open(os.path.join(root, "pyproject.toml"), "rb") as file:
            table = tomllib.load(file).get("tool", {}).get("gadfly", {})
    except (OSError, ValueError):
        return {}
    # One name may stand alone.
    return {key: [value] if isinstance(value, str) and key in ("trust", "suspect", "oracle") else value
            for key, value in table.items()} if isinstance(table, dict) else {}


# Where the program began; it may go to another folder.
START = os.getcwd()


def shown(file):
    """A file's name as a person would say it."""
    relative = os.path.relpath(os.path.join(START, file), START)
    return printable(os.path.normpath(file) if relative.startswith("..") else relative)


def printable(text):
    """A text with the numbers of halves of surrogate pairs, which are in names that are not UTF-8."""
    return text.encode("utf-8", "backslashreplace").decode()


def read(file):
    try:
        with tokenize.open(file) as source:
            return source.read()
    except (OSError, SyntaxError, UnicodeError):
        return None


def names(text):
    """By first line and name: the full names of the functions and classes in a file."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return {}
    found = {}
    waiting = [(tree, "")]
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


def first_line(code):
    # A decorated function begins with its decorators; the module with its first line.
    return max(code.co_firstlineno, 1)


def last_line(code):
    last = code.co_firstlineno
    waiting = [code]
    while waiting:
        one = waiting.pop()
        if hasattr(one, "co_lines"):
            last = max([last, *(line for _, _, line in one.co_lines() if line)])
        else:
            last = max([last, *(line for _, line in dis.findlinestarts(one))])
        waiting.extend(constant for constant in one.co_consts if type(constant) is type(code))
    return last


def parameters(code):
    """The names of the arguments, in the order of the frame's variables."""
    count = code.co_argcount + code.co_kwonlyargcount
    names = list(code.co_varnames[: count + bool(code.co_flags & VARARGS) + bool(code.co_flags & VARKEYWORDS)])
    if code.co_flags & VARARGS:
        names[count] = "*" + names[count]
    if code.co_flags & VARKEYWORDS:
        names[-1] = "**" + names[-1]
    return names


def cells(code):
    """For every argument, the variable that is its cell, or -1: before 3.11 they were apart."""
    if sys.version_info >= (3, 11) or not code.co_cellvars:
        return []
    places = {name: code.co_nlocals + row for row, name in enumerate(code.co_cellvars)}
    return [places.get(name.lstrip("*"), -1) for name in parameters(code)]


def replaced(code):
    """For every argument, whether the code puts something else in its place, or deletes it; nothing where nobody asks."""
    if not _native.monitors():
        return []
    stored = {name for step in dis.get_instructions(code) if step.opname.startswith(("STORE_FAST", "DELETE_FAST", "STORE_DEREF", "DELETE_DEREF"))
              for name in (step.argval if type(step.argval) is tuple else (step.argval,))}
    return [name.lstrip("*") in stored for name in parameters(code)]


def captured(code):
    """Variables of functions around, and whether they are assigned here."""
    if not code.co_freevars:
        return []
    stored = {step.argval for step in dis.get_instructions(code) if step.opname in ("STORE_DEREF", "DELETE_DEREF")}
    return [(name, name in stored) for name in code.co_freevars]


def used_globals(code):
    """Variables of the module, and whether they are assigned here."""
    if not code.co_flags & OPTIMIZED:
        return []
    found = {}
    for stored, name in global_steps(code):
        if stored:
            found[name] = True
        elif not hasattr(builtins, name):
            found.setdefault(name, False)
    return list(found.items())


STORES = {dis.opmap["STORE_GLOBAL"], dis.opmap["DELETE_GLOBAL"]}
LOAD, EXTENDED = dis.opmap["LOAD_GLOBAL"], dis.EXTENDED_ARG


def global_steps(code):
    """What is done with variables of the module: whether it is stored, and its name. `dis` would tell too, but it takes longer
    than most programs run."""
    names, text, above = code.co_names, code.co_code, 0
    # From 3.11 on the lowest bit of what is loaded says something else.
    shift = sys.version_info >= (3, 11)
    for step, argument in zip(text[::2], text[1::2]):
        if step == EXTENDED:
            above = (above | argument) << 8
            continue
        if step == LOAD:
            yield False, names[(above | argument) >> shift]
        elif step in STORES:
            yield True, names[above | argument]
        above = 0


def kind(code):
    if code.co_flags & (GENERATOR | ASYNC_GENERATOR):
        return YIELDS
    return AWAITS if code.co_flags & COROUTINE else 0
