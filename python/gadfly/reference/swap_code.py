"""Makes the functions of a running program run the code of a reference.

The state stays the program's: objects, classes and the variables of modules are kept. Only code is exchanged, with
the defaults that are written differently, and what only the reference has is added. A function of the program and
one of the reference are the same if their modules correspond and their qualified names are equal; if there are
several of a name, the first is the first."""

import ast
import dataclasses
import enum
import gc
import itertools
import os
import sys
import types
from functools import partial
from operator import is_

from gadfly.code_flags import OPTIMIZED
from gadfly.recording.suspects import shown
from gadfly.reference import align
from gadfly.reference.call_again import parameters, successors
from gadfly.reference.import_hook import Instead
from gadfly.reference.source import DEFINITIONS, IMPORTS, origins

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType, FrameType, ModuleType
    from typing import Any

    from gadfly._types import Node, Value
    from gadfly.reference.source import Reference, Source

# What may be run when only the reference has it; loops and calls of a module are left alone.
QUIET = (*DEFINITIONS, *IMPORTS, ast.Assign, ast.AnnAssign, ast.If, ast.Try, getattr(ast, "TypeAlias", ast.Assign))
mro_of = type.__dict__["__mro__"].__get__
dict_of = type.__dict__["__dict__"].__get__


class Unfit(BaseException):
    """Code runs that is not the reference's."""


def adopt(reference: "Reference", modules: "dict[str, ModuleType]", files: "Callable[[str], bool]" = lambda file: True) -> "list[Any]":
    """Makes the functions of modules, by name, run the reference's code; gives what could not be, and why."""
    adoption = Adoption(reference, modules, files)
    adoption.run()
    return list(dict.fromkeys(adoption.left))


class Adoption:
    """What is to be done can be known in one process, and done in its copies."""

    later: "list[Any]"
    moved: "list[Any]"

    def __init__(
        self,
        reference: "Reference",
        modules: "dict[str, ModuleType]",
        files: "Callable[[str], bool]",
        strict: bool = False,
        wanted: "Callable[[Any], bool] | None" = None,
        kept: "Callable[[CodeType], bool]" = lambda code: False,
    ) -> None:
        # The code that stays what it is: that of tests.
        self.kept = kept
        # Whether functions that cannot get the code of the reference must not run, and which are to get it, by file and name; or all.
        self.strict, self.wanted = strict, wanted
        self.left = []
        self.later, self.moved = [], []
        self.files = files
        self.modules = []
        self.by_file = {}
        self.reference = reference
        for name, module in modules.items():
            variables = vars(module)
            file = variables.get("__file__") or ""
            try:
                path = reference.source_for(name, file, len(modules) == 1) if file else None
                if path is None:
                    self.left.append(f"{name}: has no counterpart in the reference")
                    continue
                if reference.is_same_file(file, path):
                    # Nothing to be done: in a large package, that is so for most modules.
                    continue
                live, other = reference.source(file), reference.source(path)
            except (OSError, SyntaxError, ValueError) as error:
                self.left.append(f"{name}: {error}")
                continue
            self.modules.append((name, variables, live, other))
            self.by_file[os.path.realpath(file)] = name, live, other
        reference.packages.update(name.partition(".")[0] for name in modules)

    def prepare(self) -> None:
        """Looks for functions and classes among all objects; copies need to look at newer ones only.

        Older objects are not looked at by the collector from here on."""
        # What was put away for another reference is looked at, too.
        gc.unfreeze()
        functions, classes = self.living()
        for _, _, live, other in self.modules:
            self.unlike(live, other)
            other.statements()
            for name in live.classes.keys() & other.classes.keys():
                live.members_of(name)
                other.members_of(name)
        self.reference.older = [function for function, _ in functions] + classes
        gc.freeze()

    def unlike(self, live: "Source", other: "Source") -> "set[str]":
        """The functions of two modules, by qualified name, that are not the same."""
        known = self.reference.unlike.get((live.path, other.path))
        if known is None:
            known = self.reference.unlike[live.path, other.path] = {
                name
                for name, codes in live.codes.items()
                if len(codes) != len(other.codes.get(name, ()))
                or not all(is_same(live, one, other, two) for one, two in zip(codes, other.codes[name]))
            }
        return known

    def run(self) -> None:
        if not any(finder is self.reference for finder in sys.meta_path):
            sys.meta_path.insert(0, Instead(self.reference, self.files))
            sys.meta_path.append(self.reference)
        functions, classes = self.living()
        holders: dict[Any, Any] = {}
        for kind in classes:
            for attribute, value in list(dict_of(kind).items()):
                for function in wrapped(value):
                    holders.setdefault(id(function), []).append((kind, attribute))
        for function, found in functions:
            if self.wanted is None or self.wanted(known_by(function, found[1])):
                name, live, other = found
                self.exchange(function, name, live, other, holders.get(id(function), ()))
        failed = self.run_until_stable(self.new_names())
        for function in self.moved:
            self.pass_on(function)
        by_name = {
            (name, qualname): (variables, live, other) for name, variables, live, other in self.modules for qualname in other.classes
        }
        for kind in classes:
            key = dict_of(kind).get("__module__"), type.__dict__["__qualname__"].__get__(kind)
            if key in by_name:
                variables, live, other = by_name[key]
                self.add_members(kind, *key, variables, live, other)
        failed = self.run_until_stable([entry for entry, _ in failed])
        for (name, _, _, node, _), error in failed:
            self.left += [f"{name}.{one}: {error!r}" for one in origins([node])]
        for entry in self.later:
            self.defaults(*entry)

    def living(self) -> "Any":
        """The functions and the classes of the modules."""
        names = {name for name, *_ in self.modules}
        if not names:
            return [], []
        objects = gc.get_objects() + self.reference.older
        objects += [value for _, variables, *_ in self.modules for value in variables.values()]
        # There may be millions of objects: what is done with each of them is done in C.
        kinds = dict(zip(map(id, map(type, objects)), map(type, objects)))
        metas = {number for number, meta in kinds.items() if any(base is type for base in mro_of(meta))}
        is_class = map(metas.__contains__, map(id, map(type, objects)))
        classes = {}
        for value in itertools.compress(objects, is_class):
            home = dict_of(value).get("__module__")
            if type(home) is str and home in names:
                classes[id(value)] = value
        is_function = map(partial(is_, types.FunctionType), map(type, objects))
        found = list(itertools.compress(objects, is_function))
        for kind in classes.values():
            found += [inner for value in dict_of(kind).values() for inner in wrapped(value)]
        functions, paths = {}, {}
        for value in found:
            if lasting(value.__code__) and not self.kept(value.__code__):
                file = value.__code__.co_filename
                if file not in paths:
                    paths[file] = self.by_file.get(os.path.realpath(file)) if self.files(file) else None
                if paths[file]:
                    functions[id(value)] = value, paths[file]
        return list(functions.values()), list(classes.values())

    def exchange(self, function: "Any", name: str, live: "Source", other: "Source", holders: "Any") -> None:
        """Gives a function the code of the reference, in place if it captures the same variables."""
        old = function.__code__
        qualname, order = live.place(old)
        if qualname not in self.unlike(live, other):
            return
        full = f"{name}.{qualname}"
        codes = other.codes.get(qualname, ())
        if order >= len(codes) and "." not in qualname:
            self.moved.append(function)
        if order >= len(codes):
            self.left.append(f"{full}: is not in the reference")
            return
        code = codes[order]
        if "<locals>" in qualname and parameters(old) != parameters(code):
            # Its holders would call it with the arguments that it takes now.
            self.leave(function, f"{full}: takes other arguments")
            return
        ours, theirs = live.node(old), other.node(code)
        if ours and theirs and dumps(ours.decorator_list) != dumps(theirs.decorator_list):
            self.left.append(f"{full}: its decorators differ")
        entry = ours, theirs, holders, other, full
        if code.co_freevars == old.co_freevars:
            function.__code__ = code
            self.later += [(function, *entry)] if ours and theirs else []
            return
        cells = dict(zip(old.co_freevars, function.__closure__ or ()))
        if holders:
            cells.setdefault("__class__", types.CellType(holders[0][0]))
        around = surroundings(old)
        for variable in code.co_freevars:
            if variable not in cells and variable in around:
                cells[variable] = types.CellType(around[variable])
        if all(variable in cells for variable in code.co_freevars):
            changed = types.FunctionType(
                code,
                function.__globals__,
                function.__name__,
                function.__defaults__,
                tuple(cells[variable] for variable in code.co_freevars),
            )
            for attribute in ("__kwdefaults__", "__qualname__", "__module__", "__doc__", "__annotations__"):
                setattr(changed, attribute, getattr(function, attribute))
            changed.__dict__.update(function.__dict__)
            for kind, attribute in holders:
                put(kind, attribute, function, changed)
            if function.__globals__.get(function.__name__) is function:
                function.__globals__[function.__name__] = changed
            successors[id(function)] = function, changed
            function.__code__ = passing_on(changed, old.co_freevars)
            self.later += [(changed, *entry)] if ours and theirs else []
        else:
            self.leave(function, f"{full}: captures other variables")

    def pass_on(self, function: "Any") -> None:
        """A function that the reference has in another module, which is imported by now."""
        now = function.__globals__.get(function.__name__)
        if type(now) is types.FunctionType and now is not function and not self.files(now.__code__.co_filename):
            successors[id(function)] = function, now
            function.__code__ = passing_on(now, function.__code__.co_freevars)

    def leave(self, function: "Any", why: str) -> None:
        """A function keeps the code of the program; or must not run, if that must not be taken for the reference's."""
        self.left.append(why)
        if self.strict:
            function.__code__ = refusing(function, why)

    def defaults(self, function: "Any", ours: "Node", theirs: "Node", holders: "Any", other: "Source", full: bool) -> None:
        """Defaults are the program's where they are written the same, since they may hold state."""
        (places, names), (new_places, new_names) = default_nodes(ours), default_nodes(theirs)
        written = {name: ast.dump(node) for name, node in [*places.items(), *names.items()]}
        wanted = {name: ast.dump(node) for name, node in [*new_places.items(), *new_names.items()]}
        if written == wanted and (list(places), list(names)) == (list(new_places), list(new_names)):
            return
        held = function.__defaults__ or ()
        values = dict(zip(list(places)[len(places) - len(held) :], held))
        values.update(function.__kwdefaults__ or {})
        scope = dict(dict_of(holders[0][0])) if holders else {}
        try:
            found = {
                name: values[name]
                if name in values and written.get(name) == wanted[name]
                else eval(other.compile(ast.Expression(node), "eval"), function.__globals__, scope)
                for name, node in [*new_places.items(), *new_names.items()]
            }
        except Exception as error:
            self.left.append(f"{full}: its defaults: {error!r}")
            return
        function.__defaults__ = tuple(found[name] for name in new_places) or None
        function.__kwdefaults__ = {name: found[name] for name in new_names} or None

    def new_names(self) -> "Any":
        """What binds names that only the reference has, or that come from elsewhere there."""
        waiting = []
        for name, variables, live, other in self.modules:
            for node, bound in other.statements():
                new = {one for one in bound if one not in live.origins and one not in variables}
                moved = {
                    one
                    for one, (_, origin) in bound.items()
                    if one in live.origins and origin[0] != "value" and live.origins[one][1] != origin == other.origins[one][1]
                }
                if self.wanted is not None:
                    moved = {one for one in moved if self.wanted((shown(live.path), one))}
                kept = [
                    one
                    for one, (_, origin) in bound.items()
                    if one in live.origins and origin[0] == "value" and live.origins[one][1] != origin == other.origins[one][1]
                ]
                self.left += [f"{name}.{one}: keeps the value of the program" for one in kept]
                if not new and not moved or isinstance(node, ast.ImportFrom) and node.module == "__future__":
                    continue
                if not isinstance(node, QUIET) or isinstance(node, ast.If) and "'__name__'" in ast.dump(node.test):
                    self.left += [f"{name}.{one}: is bound by what is not run" for one in sorted(new | moved)]
                    continue
                waiting.append((name, variables, other, node, moved))
        return waiting

    def run_until_stable(self, waiting: "list[Any]") -> "Any":
        """A name may come from a module that gets it only later."""
        failed = self.run_all(waiting)
        while failed and len(failed) < len(waiting):
            waiting = [entry for entry, _ in failed]
            failed = self.run_all(waiting)
        return failed

    def run_all(self, waiting: "list[Any]") -> "Any":
        failed = []
        for entry in waiting:
            _, variables, other, node, moved = entry
            before = dict(variables)
            try:
                exec(other.compile(ast.Module([node], [])), variables)
            except BaseException as error:
                failed.append((entry, error))
            variables.update((name, value) for name, value in before.items() if name not in moved)
        return failed

    def add_members(self, kind: "Any", name: str, qualname: str, variables: "dict[str, Value]", live: "Source", other: "Source") -> None:
        """Adds to a class what only the reference's has."""
        ours, theirs = live.classes.get(qualname), other.classes[qualname]
        if ours is None:
            return
        full = f"{name}.{qualname}"
        if dumps(ours.bases + ours.keywords) != dumps(theirs.bases + theirs.keywords):
            self.left.append(f"{full}: its bases differ")
        if dumps(ours.decorator_list) != dumps(theirs.decorator_list):
            self.left.append(f"{full}: its decorators differ")
        if ours.decorator_list and dumps(fields(ours)) != dumps(fields(theirs)):
            self.left.append(f"{full}: its fields differ")
        had, has = live.members_of(qualname), other.members_of(qualname)
        for one in had.keys() & has.keys():
            if had[one][1][0] == "value" and had[one][1] != has[one][1]:
                self.left.append(f"{full}.{one}: keeps the value of the program")
        # A property with one more accessor is made anew.
        private = lambda one: mangled(one, theirs.name)
        new = {
            one
            for one, (count, origin) in has.items()
            if one not in had and private(one) not in dict_of(kind) or origin == "function" and count > had.get(one, (count,))[0]
        }
        nodes = [node for node in theirs.body if new & origins([node]).keys()]
        if not nodes:
            return
        if "<locals>" in qualname or any(base is enum.Enum for base in mro_of(kind)):
            self.left += [f"{full}.{one}: is only in the reference" for one in sorted(new)]
            return
        try:
            made = members(kind, qualname, nodes, variables, other)
            for one in sorted(private(one) for one in new):
                if one in made and type(made[one]) is dataclasses.Field:
                    # What makes a field of it is not done again: an object has its default, if that is one for all.
                    if made[one].default is dataclasses.MISSING:
                        self.left.append(f"{full}.{one}: is a field that only the reference has")
                        continue
                    type.__setattr__(kind, one, made[one].default)
                elif one in made:
                    type.__setattr__(kind, one, made[one])
        except Exception as error:
            self.left += [f"{full}.{one}: {error!r}" for one in sorted(new)]


def members(kind: "Any", qualname: str, nodes: "Any", variables: "dict[str, Value]", other: "Source") -> "Any":
    """What statements bind in the body of a class, whose methods take it for theirs."""

    class Scope(type):
        """Sees the attributes of the class, and makes one of the new ones only."""

        @staticmethod
        def __prepare__(name: str, bases: tuple[type, ...]) -> "dict[Any, Any]":  # type: ignore[override]
            return {**dict_of(kind), "__slots__": (), "__qualname__": qualname}

        def __new__(meta, name: str, bases: tuple[type, ...], body: "dict[str, Any]") -> "Any":
            known = dict_of(kind)
            return type.__new__(
                meta,
                name,
                bases,
                {one: value for one, value in body.items() if one == "__classcell__" or one not in known or known[one] is not value},
            )

    names = qualname.split(".")
    tree: Node = ast.parse(f"class {names[-1]}(metaclass=__gadfly_scope__):\n def __gadfly_class__(): return __class__")
    tree.body[0].body += nodes
    for name in reversed(names[:-1]):
        outer: Node = ast.parse(f"class {name}: pass")
        outer.body[0].body = tree.body
        tree = outer
    found: dict[Any, Any] = {}
    variables["__gadfly_scope__"] = Scope
    try:
        exec(other.compile(tree), variables, found)
    finally:
        del variables["__gadfly_scope__"]
    for name in names:
        found = dict_of(found[name])
    found["__gadfly_class__"].__closure__[0].cell_contents = kind
    return found


def known_by(function: "Any", live: "Source") -> "Any":
    """What people call a function: its file and its name."""
    qualname, _ = live.place(function.__code__)
    return shown(function.__code__.co_filename), qualname.replace("<locals>.", "")


def mangled(name: str, kind: "Any") -> "Any":
    """A name as it is in the body of a class."""
    private = name.startswith("__") and not name.endswith("__") and kind.strip("_")
    return f"_{kind.lstrip('_')}{name}" if private else name


def put(kind: "Any", attribute: str, function: "Any", changed: "Any") -> None:
    """Puts a function in the place of another one in a class."""
    value = dict_of(kind)[attribute]
    if type(value) is staticmethod or type(value) is classmethod:
        changed = type(value)(changed)
    elif type(value) is property:
        getter: Any
        setter: Any
        deleter: Any
        getter, setter, deleter = (changed if part is function else part for part in (value.fget, value.fset, value.fdel))
        changed = property(getter, setter, deleter, value.__doc__)
    type.__setattr__(kind, attribute, changed)


def passing_on(function: "Any", captured: "Any") -> "Any":
    """Code that calls a function, for those who still hold the one that it stands for."""
    return instead(function, function, "return ['instead'][0](*a, **k)", captured)


def refusing(function: "Any", why: str) -> "Any":
    """Code that does not run, for a function that has none of the reference's."""
    return instead(
        function,
        Unfit(f"a part of the program cannot run the reference's code: {why}"),
        "raise ['instead'][0]",
        function.__code__.co_freevars,
    )


def instead(function: "Any", value: "Value", statement: "Any", captured: "Any") -> "Any":
    """Code for a function, that does something with a value."""
    names = ", ".join(captured)
    text = f"def f({names}):\n def g(*a, **k):\n  if 0: {names or None}\n  {statement}"
    inner = lambda code: next(one for one in code.co_consts if type(one) is types.CodeType)
    code = inner(inner(compile(text, function.__code__.co_filename, "exec", dont_inherit=True)))
    constants = tuple(value if one == "instead" else one for one in code.co_consts)
    return code.replace(co_consts=constants, co_name=function.__name__)


def surroundings(code: "CodeType") -> "Any":
    """The variables of the call in which a function was made, if that is still going on."""
    frame: FrameType | None = sys._getframe()
    while frame is not None:
        if any(one is code for one in frame.f_code.co_consts):
            return frame.f_locals
        frame = frame.f_back
    return {}


def is_same(live: "Source", one: "CodeType", other: "Source", two: "CodeType") -> bool:
    """Whether a function of the program and one of the reference need not be exchanged: their code is the same, and what is written
    around it."""
    ours, theirs = live.node(one), other.node(two)
    if not align.same_code(one, two) or one.co_freevars != two.co_freevars or (ours is None) != (theirs is None):
        return False
    if ours is None:
        return True
    places, names = default_nodes(ours)
    new_places, new_names = default_nodes(theirs)
    written = [[*found, *map(ast.dump, found.values())] for found in (places, names, new_places, new_names)]
    return written[:2] == written[2:] and dumps(ours.decorator_list) == dumps(theirs.decorator_list)


def lasting(code: "CodeType") -> "Any":
    """Bodies of modules and classes and comprehensions are functions for as long as they run."""
    return code.co_flags & OPTIMIZED and (code.co_name == "<lambda>" or not code.co_name.startswith("<"))


def wrapped(value: "Value") -> "list[Any]":
    """The functions in an attribute of a class."""
    if type(value) is staticmethod or type(value) is classmethod:
        value = value.__func__
    parts = (value.fget, value.fset, value.fdel) if type(value) is property else (value,)
    return [part for part in parts if type(part) is types.FunctionType]


def default_nodes(node: "Node") -> "Any":
    """The expressions of the defaults by parameter: those by place and those by name."""
    names = [argument.arg for argument in node.args.posonlyargs + node.args.args]
    places = dict(zip(names[len(names) - len(node.args.defaults) :], node.args.defaults))
    return places, {argument.arg: default for argument, default in zip(node.args.kwonlyargs, node.args.kw_defaults) if default is not None}


def dumps(nodes: "Any") -> "list[Any]":
    return [ast.dump(node) for node in nodes]


def fields(node: "Node") -> "list[Any]":
    return [inner for inner in node.body if isinstance(inner, ast.AnnAssign)]
