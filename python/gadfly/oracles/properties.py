"""Properties of functions, as tests declare them with hypothesis: `@given(integers()) def test(x): assert f(x) >= 0`.

A property is asked about a call of `f` if it says for which arguments it holds (their strategies are known well enough to tell that the
call's are among them), passes its own arguments to `f` as they are, and uses nothing else of the program. Then `f` is wrong if it does
not hold. That it holds says nothing, since it is only a part of what `f` is to do."""

import ast
import importlib.util
import inspect
import math
import os
import sys
import types

from gadfly.messages import WRONG, Judged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import CodeType, FrameType
    from typing import Any

    from gadfly._types import PausedCall, Value

# So many files are looked at for properties.
FILES = 300


def answer(paused: "PausedCall", is_suspect_file: "Callable[[str], bool]", root: str, place: str) -> "Any":
    """What the properties of a function say of a call of it."""
    for test in declared(root, place):
        found = Property(test).of(paused, is_suspect_file)
        if found:
            return found
    return None


def declared(root: str, place: str) -> "Any":
    """The tests that declare properties, in files at a place, or in a project's tests."""
    found = {}
    for file in [place] if os.path.isfile(place) else files(place or root):
        for value in list(vars(loaded(file) or types).values()):
            for test in [value, *(vars(value).values() if isinstance(value, type) and value.__module__ != "types" else ())]:
                inner = getattr(getattr(test, "hypothesis", None), "inner_test", None)
                if isinstance(test, types.FunctionType) and isinstance(inner, types.FunctionType):
                    found[id(inner)] = test
    return found.values()


def files(folder: str) -> "Iterator[Any]":
    """Files of tests that use hypothesis."""
    left = FILES
    for at, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith((".", "__")) and name not in ("node_modules", "venv"))
        for name in sorted(names):
            if name.endswith(".py") and (name.startswith("test") or name.endswith("_test.py")) and left:
                left -= 1
                path = os.path.join(at, name)
                try:
                    with open(path, "rb") as text:
                        if b"hypothesis" in text.read():
                            yield path
                except OSError:
                    pass


def loaded(file: str) -> "Any":
    """The module of a file; none if that cannot be imported."""
    file = os.path.realpath(file)
    for module in list(sys.modules.values()):
        if isinstance(module, types.ModuleType) and os.path.realpath(module.__dict__.get("__file__") or "") == file:
            return module
    spec = importlib.util.spec_from_file_location(os.path.splitext(os.path.basename(file))[0], file)
    if spec is None or spec.loader is None:
        return None
    module = importlib.util.module_from_spec(spec)
    sys.path[:0] = [folder for folder in (os.path.dirname(file), os.getcwd()) if folder not in sys.path]
    try:
        spec.loader.exec_module(module)
    except BaseException:
        return None
    return module


class Property:
    """One test, with what it is given."""

    def __init__(self, test: "Any") -> None:
        self.inner = test.hypothesis.inner_test
        self.strategies = dict(getattr(test.hypothesis, "_given_kwargs", None) or {})

    def of(self, paused: "PausedCall", is_suspect_file: "Callable[[str], bool]") -> "Any":
        """What it says of a call; nothing if it is about something else, or holds."""
        if not self.strategies:
            return None
        given = self.arguments(paused)
        if given is None or not all(is_among(value, described(self.strategies[name])) for name, value in given.items()):
            return None
        used, failed = self.run(given, is_suspect_file)
        if {place(code) for code in used} != {place(paused.code)} or not failed:
            return None
        return Judged(WRONG, f"the property {self.inner.__name__} does not hold")

    def arguments(self, paused: "PausedCall") -> "Any":
        """What it has to be given, to make this call."""
        try:
            tree = ast.parse(inspect.cleandoc("\n" + inspect.getsource(self.inner)))
        except (OSError, TypeError, SyntaxError):
            return None
        name = paused.code.co_name
        for call in ast.walk(tree):
            if isinstance(call, ast.Call) and name in (getattr(call.func, "id", None), getattr(call.func, "attr", None)):
                found = self.matched(call, paused)
                if found is not None:
                    return found
        return None

    def matched(self, call: "Any", paused: "PausedCall") -> "Any":
        parameters = list(paused.code.co_varnames[: paused.code.co_argcount])
        passed = dict(zip(parameters, call.args)) | {keyword.arg: keyword.value for keyword in call.keywords}
        found = {}
        for parameter, value in passed.items():
            if not isinstance(value, ast.Name) or value.id not in self.strategies or parameter not in paused.arguments:
                return None
            found[value.id] = paused.arguments[parameter]
        # What is not passed has its default, as in the call.
        defaults = dict(zip(reversed(parameters), reversed(paused.function.__defaults__ or ()))) if paused.function else {}
        missing = [name for name in parameters if name not in passed]
        usual = all(name in defaults and paused.arguments.get(name) is defaults[name] for name in missing)
        return found if usual and len(passed) == len(call.args) + len(call.keywords) and set(found) == set(self.strategies) else None

    def run(self, given: "dict[str, Value]", is_suspect_file: "Callable[[str], bool]") -> "Any":
        """Which code of the program the test uses itself, and whether it fails."""
        used, inner = set(), self.inner.__code__

        def profile(frame: "FrameType", event: str, _: object) -> None:
            above = frame.f_back
            while above is not None and above.f_code is not inner and not is_suspect_file(above.f_code.co_filename):
                above = above.f_back
            if event == "call" and above is not None and above.f_code is inner and is_suspect_file(frame.f_code.co_filename):
                used.add(frame.f_code)

        sys.setprofile(profile)
        try:
            self.inner(**given)
        except BaseException as error:
            return used, type(error).__module__.partition(".")[0] != "hypothesis"
        finally:
            sys.setprofile(None)
        return used, False


def place(code: "CodeType") -> "Any":
    return os.path.realpath(code.co_filename), code.co_firstlineno, code.co_name


def described(strategy: "Any") -> "Any":
    """What a strategy says of itself, as an expression; nothing if it is none."""
    try:
        return ast.parse(repr(strategy), mode="eval").body
    except (SyntaxError, ValueError, RecursionError):
        return None


def is_among(value: "Value", strategy: "Any") -> bool:
    """Whether a value is one that a strategy may give; no if that is not known."""
    if isinstance(strategy, ast.BinOp) and isinstance(strategy.op, ast.BitOr):
        return is_among(value, strategy.left) or is_among(value, strategy.right)
    if not isinstance(strategy, ast.Call) or not isinstance(strategy.func, ast.Name):
        return False
    rule = RULES.get(strategy.func.id)
    options = {keyword.arg: keyword.value for keyword in strategy.keywords}
    return rule is not None and bool(rule(value, strategy.args, options))


def constant(options: "Any", name: str, default: "Any" = None) -> "Any":
    """A number or the like that a strategy was given."""
    if name not in options:
        return default
    return ast.literal_eval(options[name])


def has_bounds(value: "Value", options: "Any") -> bool:
    least, most = constant(options, "min_value"), constant(options, "max_value")
    return (least is None or value >= least) and (most is None or value <= most)


def has_length(value: "Value", options: "Any") -> bool:
    least, most = constant(options, "min_size", 0), constant(options, "max_size")
    return len(value) >= least and (most is None or len(value) <= most)


def guarded(rule: "Any") -> "Any":
    """A rule that says no where something is not as it expects."""

    def safe(value: "Value", inner: "Any", options: "Any") -> "Any":
        try:
            return rule(value, inner, options)
        except (ValueError, TypeError, IndexError, SyntaxError):
            return False

    return safe


def is_integer(value: "Value", inner: "Any", options: "Any") -> bool:
    return type(value) is int and not inner and has_bounds(value, options)


def is_float(value: "Value", inner: "Any", options: "Any") -> bool:
    if type(value) is not float or inner or set(options) - {"min_value", "max_value", "allow_nan", "allow_infinity"}:
        return False
    bounded = bool(options.keys() & {"min_value", "max_value"})
    if math.isnan(value):
        return constant(options, "allow_nan", not bounded)
    if math.isinf(value):
        return constant(options, "allow_infinity", not bounded)
    return has_bounds(value, options)


def is_text(value: "Value", inner: "Any", options: "Any") -> bool:
    if type(value) is not str or set(options) - {"min_size", "max_size", "alphabet"} or not has_length(value, options):
        return False
    alphabet = options.get("alphabet", inner[0] if inner else None)
    if alphabet is None:
        return not any("\ud800" <= letter <= "\udfff" for letter in value)
    if isinstance(alphabet, ast.Call):
        return all(is_among(letter, alphabet) for letter in value)
    return set(value) <= set(ast.literal_eval(alphabet))


def is_character(value: "Value", inner: "Any", options: "Any") -> bool:
    return type(value) is str and len(value) == 1 and not inner and not options and not "\ud800" <= value <= "\udfff"


def is_list(value: "Value", inner: "Any", options: "Any") -> bool:
    if type(value) is not list or set(options) - {"min_size", "max_size", "unique"} or not has_length(value, options):
        return False
    unique = constant(options, "unique", False)
    return all(is_among(one, inner[0]) for one in value) and not (unique and len(set(value)) < len(value))


def is_set(value: "Value", inner: "Any", options: "Any") -> bool:
    return type(value) is set and has_length(value, options) and all(is_among(one, inner[0]) for one in value)


def is_dictionary(value: "Value", inner: "list[Any]", options: "Any") -> bool:
    given: list[Any] = [*inner, *(options[name] for name in ("keys", "values") if name in options)]
    keys, values = given
    return (
        type(value) is dict
        and has_length(value, options)
        and all(is_among(key, keys) and is_among(one, values) for key, one in value.items())
    )


RULES = {
    name: guarded(rule)
    for name, rule in {
        "integers": is_integer,
        "floats": is_float,
        "booleans": lambda value, inner, options: type(value) is bool,
        "none": lambda value, inner, options: value is None,
        "text": is_text,
        "characters": is_character,
        "binary": lambda value, inner, options: type(value) is bytes and not inner and has_length(value, options),
        "lists": is_list,
        "sets": is_set,
        "dictionaries": is_dictionary,
        "tuples": lambda value, inner, options: type(value) is tuple and len(value) == len(inner) and all(map(is_among, value, inner)),
        "one_of": lambda value, inner, options: any(is_among(value, one) for one in inner),
        "just": lambda value, inner, options: value == ast.literal_eval(inner[0]),
        "sampled_from": lambda value, inner, options: value in ast.literal_eval(inner[0]),
    }.items()
}
