"""The reference: pictures of values, alignment of statements, fragments, and adoption of code."""
import array
import ast
import asyncio
import collections
import dataclasses
import datetime
import decimal
import enum
import fractions
import functools
import importlib
import inspect
import io
import os
import pathlib
import pickle
import re
import sys
import tempfile
import textwrap
import threading
import types
import unittest

from gadfly.comparing.compare import difference, same
from gadfly.comparing.snapshot import canonical
from gadfly.inside.fragment_code import fragment_code
from gadfly.messages import Unanswerable
from gadfly.reference import module_differences
from gadfly.reference.align import align, find
from gadfly.reference.call_again import call
from gadfly.reference.source import Reference
from gadfly.reference.swap_code import adopt


def refuse(self, *arguments):
    raise AssertionError("the program's code ran")


class Meta(type):
    __eq__ = __hash__ = __getattribute__ = __repr__ = __instancecheck__ = __subclasscheck__ = refuse


class Hostile(metaclass=Meta):
    """Every way to run its code is an error."""
    __slots__ = ("slot", "__dict__", "__weakref__")

    __repr__ = __str__ = __eq__ = __hash__ = __iter__ = __len__ = __bool__ = refuse
    __getattr__ = __getattribute__ = refuse
    __reduce__ = __reduce_ex__ = __getstate__ = __sizeof__ = __format__ = __lt__ = __call__ = refuse
    __class__ = property(refuse)
    lie = property(refuse)


def hostile(value):
    made = object.__new__(Hostile)
    object.__setattr__(made, "slot", value)
    object.__setattr__(made, "other", value)
    return made


class Colour(enum.Enum):
    RED = 1
    BLUE = 2


class Rough(list):
    __iter__ = __len__ = __getitem__ = refuse


class Table(dict):
    __iter__ = __len__ = __getitem__ = items = keys = refuse


@dataclasses.dataclass
class Point:
    x: int
    y: int


class Node:
    def __init__(self, name):
        self.name, self.near = name, []


Pair = collections.namedtuple("Pair", "one two")


class Compare(unittest.TestCase):
    def check(self, one, other, expected, path=None, limit=200_000):
        pictures = [pickle.loads(pickle.dumps(canonical(value, limit))) for value in (one, other)]
        self.assertIs(same(*pictures), expected)
        self.assertIs(same(*reversed(pictures)), expected)
        if path is not None:
            self.assertEqual(difference(*pictures), path)
        self.assertEqual(difference(*pictures) is None, expected is not False)

    def test_numbers(self):
        self.check(1, True, True)
        self.check(1, 1.0, True)
        self.check(0.1 + 0.2, 0.3, True)
        self.check(float("nan"), float("nan"), True)
        self.check(1, 2, False, "")
        self.check(10 ** 400, 1.5, False)
        self.check(10 ** 400, 10 ** 400 + 1, False)
        self.check(2 ** 60, 2 ** 60 + 1, False)
        self.check(float("inf"), -float("inf"), False)
        self.check(decimal.Decimal("1.0"), decimal.Decimal("1.00"), True)
        self.check(decimal.Decimal("sNaN"), decimal.Decimal("1"), False)
        self.check(1, "1", False)
        self.check(0, None, False)

    def test_what_runs_tests_is_no_part_of_a_value(self):
        mine, its = Node("same"), Node("same")
        mine.near, its.near = unittest.case._Outcome(1), unittest.case._Outcome(2)
        self.check(mine, its, True)

    def test_to_look_at_a_path_leaves_no_trace(self):
        one = pathlib.PurePosixPath("a") / "b"
        slots = [slot for base in type(one).__mro__ for slot in vars(base).values() if type(slot) is types.MemberDescriptorType]
        before = [hasattr(one, slot.__name__) for slot in slots]
        self.check(one, pathlib.PurePosixPath("a/b"), True)
        self.assertEqual([hasattr(one, slot.__name__) for slot in slots], before)

    def test_no_code_of_the_program_runs(self):
        self.check(hostile(1), hostile(1), True)
        self.check([hostile(1)], [hostile(2)], False, "[0].other")
        self.check(Rough([1, 2]), Rough([1, 2]), True)
        self.check(Rough([1, 2]), Rough([1, 3]), False, "[1]")
        self.check(Table(a=1), Table(a=2), False, "['a']")
        self.check(Hostile, Hostile, True)
        self.check(KeyError(hostile(1)), KeyError(hostile(2)), False)

    def test_order(self):
        self.check({"a": 1, "b": 2}, {"b": 2, "a": 1}, True)
        self.check({-1, -2, "x", (1, 2)}, {(1, 2), -2, "x", -1}, True)
        self.check({1, 2}, {1, 3}, False, "{2}")
        self.check({"a": {"b": 1}}, {"a": {"b": 2}}, False, "['a']['b']")
        self.check({"a": 1}, {"b": 1}, False, "['a']")
        self.check({0.1 + 0.2}, {0.3}, True)
        self.check({0.30000000050: 1}, {0.30000000049999999: 1}, True)
        one, two = Node("one"), Node("two")
        self.check({one, two}, {two, one}, True)
        self.check({one: 1, two: 2}, {one: 2, two: 1}, False)
        self.check({Node("x"): 1, Node("x"): 2}, {Node("x"): 2, Node("x"): 1}, True)

    def test_cycles(self):
        def ring(count, wrong=None):
            nodes = [Node(row if row != wrong else "!") for row in range(count)]
            for node in nodes:
                node.near = list(nodes)
            return nodes
        self.check(ring(40), ring(40), True)
        self.check(ring(40), ring(40, 7), False, "[7].name")
        self.check(set(ring(10)), set(ring(10)), True)
        self.check(set(ring(10)), set(ring(10, 3)), False)
        loop, twice = [], []
        loop.append(loop)
        twice.append([twice])
        self.check(loop, twice, False)

    def test_one_object_or_two(self):
        row = ["."]
        self.check([row, row], [["."], ["."]], False)
        self.check([["."], ["."]], [row, row], False)
        self.check([(1,), (1,)], [(1,)] * 2, True)
        self.check({"a": row, "b": row}, {"b": row, "a": row}, True)

    def test_what_functions_keep(self):
        late = [lambda: percent for percent in (1, 2)]
        early = [lambda percent=percent: percent for percent in (1, 2)]
        self.check(late[1], early[1], True)
        self.check(late[0], early[0], False, ".percent")

    def test_dictionaries(self):
        forth, back = collections.OrderedDict(a=1, b=2), collections.OrderedDict(b=2, a=1)
        self.check(forth, back, False)
        self.check(forth, {"b": 2, "a": 1}, True)
        self.check(collections.Counter("ab"), {"a": 1, "b": 1}, True)
        self.check(collections.defaultdict(list), collections.Counter(), True)

    def test_attributes_that_only_one_has(self):
        one, other = Node("x"), Node("x")
        other.more = 1
        self.check(one, other, False, ".more")
        self.assertIs(same(canonical(one), canonical(other), lenient=True), True)

    def test_depth(self):
        def deep(last, count=10_000):
            for _ in range(count):
                last = [last]
            return last
        self.check(deep(1, 100_000), deep(1, 100_000), True)
        self.check(deep(1), deep(2), False, "[0]" * 8 + "…")
        self.check({1: deep(1)}, {1: deep(2)}, False)
        chain = Node("end")
        for row in range(10_000):
            above = Node(row)
            above.near = chain
            chain = above
        self.check(chain, chain, True)

    def test_limit(self):
        for count, limit in ((300_000, 200_000), (30, 20)):
            self.check(list(range(count)), list(range(count)), None, limit=limit)
        self.check(list(range(30)), [1, *range(1, 30)], False, "[0]", limit=20)
        self.check(list(range(30)), list(range(31)), False, limit=20)
        self.check(set(range(30)), set(range(30)), None, limit=20)
        self.check(set(range(30)), set(range(1, 31)), None, limit=20)
        self.check(dict.fromkeys(range(30)), dict.fromkeys(range(30)), None, limit=20)
        self.check([[1] * 30, 2], [[1] * 30, 3], False, "[1]", limit=20)
        self.check("x" * 10 ** 6, "x" * 10 ** 6, True)
        self.check("x" * 10 ** 6, "x" * (10 ** 6 - 1) + "y", False)

    def test_kinds(self):
        moment = datetime.datetime(2020, 1, 2, 3, tzinfo=datetime.timezone.utc)
        class Mine(ValueError):
            pass
        error = Mine(1)
        error.more = [2]
        error.__notes__ = ["note"]
        values = [
            None, Colour.RED, Pair(1, 2), Point(1, 2), error, range(3), slice(1, 2), collections.deque([1]),
            collections.defaultdict(list, {1: [2]}), collections.OrderedDict(a=1), collections.Counter("aab"),
            moment, moment.date(), moment.time(), datetime.timedelta(1), fractions.Fraction(1, 3),
            pathlib.Path("/a/b"), re.compile("a+"), re.match("a", "ab"), array.array("d", [1]),
            memoryview(b"abc"), iter([]), iter(()),
            (row for row in ()), threading.Lock(), sys, len, "a".upper, [].append, Colour, Node("x").__init__,
            lambda: 0, functools.partial(len, [1]), io.StringIO("abc"), types.SimpleNamespace(a=1), object(),
            bytearray(b"x"), 1j, b"x", frozenset([1])]
        if sys.version_info >= (3, 11):
            values.append(ExceptionGroup("x", [error]))
        for row, value in enumerate(values):
            self.check(value, value, True)
            for other in values[:row]:
                if type(value) is not type(other) and not (isinstance(value, dict) and isinstance(other, dict)):
                    self.check([value], [other], False, "[0]")
        self.check(Colour.RED, Colour.BLUE, False)
        self.check(pathlib.Path("a//b"), pathlib.Path("a/b"), True)
        self.check(Point(1, 2), Point(1, 3), False, ".y")
        self.check(error, Mine(1), False, ".more")
        self.check(Node("x").__init__, Node("y").__init__, False, "[1].name")
        self.check(moment, moment.replace(tzinfo=None), False)
        self.check(len, max, False)


def function(text):
    return ast.parse(textwrap.dedent(text)).body[0]


def path(*steps):
    return tuple(step if isinstance(step, tuple) else ("body", step) for step in steps)


class Align(unittest.TestCase):
    def check(self, buggy, reference, expected):
        aligned = align(function(buggy), function(reference))
        for steps, statements in expected.items():
            found = aligned.of(steps)
            self.assertEqual(found if found is None else [ast.unparse(one) for one in found], statements, steps)
        return aligned

    def test_inserted_statements(self):
        self.check("""
            def f(a):
                'Doc.'
                t = 0
                for x in a:
                    t += x
                return t
            """, """
            def f(a):
                if not a: return 0
                t = 0
                for x in a:
                    t += x
                    log(t)
                return t
            """, {path(0): [], path(1): ["if not a:\n    return 0", "t = 0"],
                  path(2, 0): ["t += x", "log(t)"], path(3): ["return t"]})

    def test_removed_and_changed_statements(self):
        aligned = self.check("""
            def f(a):
                while a > 1:
                    x = x + 1
                    a -= 2
                extra(x)
                print(a)
                return x
            """, """
            def f(a):
                while a > 0:
                    x += 1
                    a -= 1
                print(a)
                return x + a
            """, {path(0, 0): ["x += 1"], path(0, 1): ["a -= 1"], path(1): [], path(2): ["print(a)"],
                  path(3): ["return x + a"]})
        self.assertEqual(len(aligned.body_of(path(0))), 2)
        self.assertIsNone(aligned.body_of(path(1)))

    def test_arms(self):
        second = path(0, ("orelse", 0))
        self.check("""
            def f(a):
                if a: x = 1
                elif b: y = 2; q = 3
                else: z = 3
            """, """
            def f(a):
                if a: x = 2
                elif c: w = 4
                elif b: y = 2; q = 4
                else: z = 4
            """, {path(0, 0): ["x = 2"], (*second, ("body", 1)): ["q = 4"], (*second, ("orelse", 0)): ["z = 4"],
                  second: ["if c:\n    w = 4\nelif b:\n    y = 2\n    q = 4\nelse:\n    z = 4"]})
        self.check("def f(a):\n if a: x = 1", "def f(a):\n if a: x = 1\n else: y = 2",
                   {path(0): ["if a:\n    x = 1\nelse:\n    y = 2"], path(0, 0): ["x = 1"]})

    def test_gaps(self):
        self.check("def f():\n a()\n x[1] = 2\n b()",
                   "def f():\n a()\n if q: x[1] = 2\n else: del x\n import z\n b()",
                   {path(1): ["if q:\n    x[1] = 2\nelse:\n    del x", "import z"]})
        self.check("def f():\n a()\n del x\n import y\n b()", "def f():\n a()\n assert q\n raise z\n b()",
                   {path(0): ["a()"], path(1): None, path(2): None, path(3): ["b()"]})
        self.check("def f():\n for x in y:\n  pass\n return 1", "def f():\n return 1",
                   {path(0): [], path(0, 0): []})

    def test_kinds_of_loops(self):
        aligned = self.check("def f():\n while a:\n  b(c, 1)\n", "def f():\n for a in z:\n  b(c, 2)\n",
                             {path(0): ["for a in z:\n    b(c, 2)"], path(0, 0): ["b(c, 2)"]})
        self.assertIsNone(aligned.body_of(path(0)))

    def test_blocks(self):
        handler = path(0, ("handlers", 0), 0)
        self.check("""
            def f():
                try: p()
                except ValueError: q(1)
                finally: r(1)
            """, """
            def f():
                try: p(1)
                except KeyError: k()
                except ValueError: q(2)
                finally: r(2)
            """, {path(0, 0): ["p(1)"], handler: ["q(2)"], path(0, ("finalbody", 0)): ["r(2)"]})
        self.check("""
            def f(x):
                match x:
                    case 1: a(1)
                    case [y]: b(y)
            """, """
            def f(x):
                match x:
                    case 1: a(2)
                    case 2: c()
                    case [y]: b(y + 1)
            """, {path(0, ("cases", 0), 0): ["a(2)"], path(0, ("cases", 1), 0): ["b(y + 1)"]})

    def test_find(self):
        tree = ast.parse("if 1:\n def f(): pass\nelse:\n def f():\n  def g(): pass\n"
                         "class A:\n @d\n def m(self): pass\n")
        line = lambda *arguments: getattr(find(tree, *arguments), "lineno", None)
        found = [line("f", None), line("f", 2), line("f.<locals>.g", None), line("f.g", 5), line("A.m", 7)]
        self.assertEqual(found, [4, 2, 5, 5, 8])
        self.assertIs(find(tree, "<module>", None), tree)
        self.assertIsNone(find(tree, "h", None))
        self.assertEqual(line("A.m.<locals>.<lambda>", 9), 8)


counted = 0


class Fragment(unittest.TestCase):
    def run_fragment(self, text, bound=None, local=(), globals_=(), **more):
        inside = textwrap.indent(textwrap.dedent(text), "  ")
        statements = ast.parse(f"def f():\n while 1:\n{inside}").body[0].body[0].body
        code = fragment_code(statements, list(bound or {}), set(local), set(globals_), "reference.py", **more)
        return types.FunctionType(code, globals())(**(bound or {}))

    def test_ends(self):
        self.assertEqual(self.run_fragment("x = a + 1", {"a": 1}), ("normal", None, {"a": 1, "x": 2}))
        self.assertEqual(self.run_fragment("return a, (b := 2)", {"a": 1}), ("return", (1, 2), {"a": 1, "b": 2}))
        self.assertEqual(self.run_fragment("return"), ("return", None, {}))
        self.assertEqual(self.run_fragment("if a: break\ncontinue", {"a": 1}), ("break", None, {"a": 1}))
        self.assertEqual(self.run_fragment("if a: break\ncontinue", {"a": 0}), ("continue", None, {"a": 0}))
        text = "for i in [1, 2]:\n  if i: break\nelse: break"
        self.assertEqual(self.run_fragment(text), ("normal", None, {"i": 1}))
        self.assertEqual(self.run_fragment("for i in []: pass\nelse: break"), ("break", None, {}))
        how, error, variables = self.run_fragment("x = 1\nx / 0")
        self.assertEqual((how, type(error), variables), ("raise", ZeroDivisionError, {"x": 1}))

    def test_finally(self):
        self.assertEqual(self.run_fragment("c = 0\ntry:\n  return c\nfinally:\n  c += 1"), ("return", 0, {"c": 1}))
        self.assertEqual(self.run_fragment("try:\n  return 1\nfinally:\n  return 2"), ("return", 2, {}))
        text = "for i in [1, 2]:\n  try:\n    return 1\n  finally:\n    continue"
        self.assertEqual(self.run_fragment(text), ("normal", None, {"i": 2}))
        text = "try:\n  x = 1\n  raise KeyError\nexcept KeyError:\n  break\nfinally:\n  y = 2"
        self.assertEqual(self.run_fragment(text), ("break", None, {"x": 1, "y": 2}))

    def test_names(self):
        global counted
        counted = 1
        self.assertEqual(self.run_fragment("counted += 1", globals_={"counted"}), ("normal", None, {}))
        self.assertEqual(counted, 2)
        self.assertEqual(self.run_fragment("global counted\ncounted += 1"), ("normal", None, {}))
        self.assertEqual(counted, 3)
        self.assertEqual(self.run_fragment("nonlocal n\nn += 1", {"n": 1}), ("normal", None, {"n": 2}))
        text = "def g():\n  nonlocal n\n  n += 1\ng()\ndel g"
        self.assertEqual(self.run_fragment(text, {"n": 1}), ("normal", None, {"n": 2}))
        self.assertIs(type(self.run_fragment("return counted", local={"counted"})[1]), UnboundLocalError)
        self.assertEqual(self.run_fragment("locals = dict = 1")[2], {"locals": 1, "dict": 1})

    def test_yields(self):
        text = "x = yield 3\nyield from [4, 5]\nyield"
        self.assertEqual(self.run_fragment(text), ("normal", None, {"x": None, "yields": [3, 4, 5, None]}))

    def test_await(self):
        async def later(value):
            return value
        made = self.run_fragment("return await later(1)", {"later": later})
        self.assertTrue(inspect.iscoroutine(made))
        self.assertEqual(asyncio.run(made)[:2], ("return", 1))

    def test_classes(self):
        class Base:
            def m(self):
                return "base"

        class Kind(Base):
            def __init__(self):
                self.__x = 3

            def m(self):
                return "kind"
        text = "v = super().m()\nreturn v, self.__x, [super().m() for _ in [1]]"
        bound = {"__class__": Kind, "self": Kind()}
        found = self.run_fragment(text, bound, first_argument="self", class_name="Kind")
        self.assertEqual(found[:2], ("return", ("base", 3, ["base"])))


class Outside(unittest.TestCase):
    def check(self, mine, its, *lines):
        found = module_differences.differences(ast.parse(textwrap.dedent(mine)), ast.parse(textwrap.dedent(its)))
        self.assertEqual([line for line, _, _ in found], list(lines))

    def test_hints_of_another_kind_are_no_matter(self):
        self.check("class A:\n x: Optional[int]\n y: Optional[str] = None\nz: int = 1\n", "class A:\n x: int | None\n y: str | None = None\nz: float = 1\n")

    def test_what_is_hinted_is_a_matter(self):
        self.check("class A:\n x: int\n y: str\n", "class A:\n x: int\n", 3)
        self.check("class A:\n x: int\n", "class A:\n x: int\n y: str\n", 2)
        self.check("x: int = 1\n", "x: int = 2\n", 1)


class Adopt(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.base = os.path.realpath(holder.name)
        self.before = list(sys.path), list(sys.meta_path), set(sys.modules)
        self.addCleanup(self.restore)

    def restore(self):
        sys.path[:], sys.meta_path[:] = self.before[:2]
        for name in set(sys.modules) - self.before[2]:
            if str(getattr(sys.modules[name], "__file__", None)).startswith(self.base):
                del sys.modules[name]
        importlib.invalidate_caches()

    def write(self, name, text):
        path = os.path.join(self.base, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(textwrap.dedent(text))
        return path

    def modules(self, buggy, reference, *names):
        """Imports the buggy files, and adopts the reference's; gives the modules and what was left."""
        for folder, files in (("live", buggy), ("good", reference)):
            for name, text in files.items():
                self.write(f"{folder}/{name}", text)
        sys.path.insert(0, self.base + "/live")
        importlib.invalidate_caches()
        modules = {name: importlib.import_module(name) for name in names}
        self.reference = Reference("folder", self.base + "/good", self.base + "/live")
        return modules

    def adopt(self, buggy, reference, before=lambda module: None):
        modules = self.modules({"prog.py": buggy}, {"prog.py": reference}, "prog")
        module = modules["prog"]
        kept = before(module)
        self.left = adopt(self.reference, modules, lambda file: file.startswith(self.base))
        return (module, kept) if kept is not None else module

    def test_functions_and_state(self):
        module = self.adopt("""
            state = []
            gone = 1
            def f(x):
                state.append(x)
                return x + 1
            g = f
            """, """
            import math
            LIMIT = math.floor(2.5)
            def helper(x):
                return x * LIMIT
            state = None
            gone = 1
            def f(x):
                state.append(x)
                return helper(x)
            g = f
            if __name__ == "__main__":
                other = 1
            """)
        self.assertEqual((module.f(5), module.g(6), module.state), (10, 12, [5, 6]))
        self.assertEqual(self.left, ["prog.state: keeps the value of the program",
                                     "prog.other: is bound by what is not run"])

    def test_closures(self):
        module, (add, mul, lambdas) = self.adopt("""
            def maker(n):
                def add(x): return x - n
                return add
            def other(n, m):
                def mul(x): return x * n
                return mul
            def lambdas(n):
                return [lambda x: x - n, lambda x: x - n - 1]
            """, """
            def maker(n):
                def add(x): return x + n
                return add
            def other(n, m):
                def mul(x): return x * n * m
                return mul
            def lambdas(n):
                return [lambda x: x + n, lambda x: x + n + 1]
            """, lambda module: (module.maker(1), module.other(2, 3), module.lambdas(1)))
        self.assertEqual((add(1), module.maker(5)(1), mul(1), module.other(2, 3)(1)), (2, 6, 2, 6))
        self.assertEqual([one(1) for one in lambdas], [2, 3])
        self.assertEqual(self.left, ["prog.other.<locals>.mul: captures other variables"])

    def test_classes(self):
        module, one = self.adopt("""
            class Base:
                def __init__(self): self.x = 1
                def m(self): return "base"
            class Kind(Base):
                size = 3
                def __init__(self): self.y = 2
                def m(self): return "kind"
                @property
                def p(self): return 1
                @property
                def q(self): return self.y
                @staticmethod
                def s(x): return x
                @classmethod
                def c(cls): return cls
                class Inner:
                    def i(self): return 1
            """, """
            class Base:
                def __init__(self): self.x = 1
                def m(self): return "base"
            class Kind(Base):
                size = 3
                double = size * 2
                def __init__(self):
                    super().__init__()
                    self.y = 2
                    self.__z = self.__added()
                def m(self): return "kind " + super().m()
                @property
                def p(self): return super().m()
                @property
                def q(self): return self.y + 1
                @q.setter
                def q(self, value): self.y = value
                @staticmethod
                def s(x): return x + 1
                @classmethod
                def c(cls): return __class__, cls
                def __added(self): return __class__, super().m(), self.double
                class Inner:
                    def i(self): return self.j()
                    def j(self): return 2
            """, lambda module: module.Kind())
        self.assertEqual(self.left, [])
        self.assertEqual((one.m(), one.p, one.q, one.s(1), one.c()),
                         ("kind base", "base", 3, 2, (module.Kind, module.Kind)))
        one.q = 7
        self.assertEqual((one.y, module.Kind.Inner().i()), (7, 2))
        new = module.Kind()
        self.assertEqual((new.x, new._Kind__z), (1, (module.Kind, "base", 6)))

    def test_decorators(self):
        module = self.adopt("""
            import functools
            def twice(f):
                @functools.wraps(f)
                def wrapper(*a): return f(*a) + f(*a)
                return wrapper
            @twice
            def f(x): return x
            @functools.lru_cache
            def g(x): return x
            def h(x): return x
            """, """
            import functools
            def twice(f):
                @functools.wraps(f)
                def wrapper(*a): return 2 * f(*a) + 1
                return wrapper
            @twice
            def f(x): return x + 1
            @functools.lru_cache
            def g(x): return x + 1
            @twice
            def h(x): return x + 1
            """)
        self.assertEqual((module.f(1), module.g(1), module.h(1)), (5, 2, 2))
        self.assertEqual(self.left, ["prog.h: its decorators differ"])

    def test_defaults(self):
        module, (held,) = self.adopt("""
            ONE = 1
            def f(a, b=1, c=[], *, d=3): return a, b, c, d
            class A:
                size = 5
                def m(self, n=1): return n
            """, """
            ONE = 1
            def f(a, b=ONE + 1, c=[], *, d=4, e=5): return a, b, c, d, e
            class A:
                size = 5
                more = 0
                def m(self, n=size + more): return n
            """, lambda module: (module.f.__defaults__[1],))
        found = module.f(0)
        self.assertEqual(found, (0, 2, [], 4, 5))
        self.assertIs(found[2], held)
        self.assertEqual((module.A().m(), self.left), (5, []))

    def test_generators_and_redefinitions(self):
        module = self.adopt("""
            def f(n):
                for x in range(n): yield x
            def g(): return 1
            old = g
            def g(): return 2
            async def h(): return 1
            """, """
            def f(n):
                for x in range(n): yield x + 1
            def g(): return 3
            old = g
            def g(): return 4
            async def h(): return 2
            """)
        self.assertEqual((list(module.f(2)), module.old(), module.g(), asyncio.run(module.h())), ([1, 2], 3, 4, 2))

    def test_a_function_made_anew_is_so_everywhere(self):
        module, one = self.adopt("""
            class A:
                def m(self, n=1): return n
                again = m
            class B(A):
                def m(self): return super().m()
            held = [A().m, A.m, B().m]
            """, """
            class A:
                def m(self, n=2): return n, __class__
                again = m
            class B(A):
                def m(self): return 0
            held = [A().m, A.m, B().m]
            """, lambda module: module.A())
        both = (2, module.A)
        first, second, third = module.held
        self.assertEqual([one.m(), one.again(), first(), second(one), third()], [both, both, both, both, 0])
        self.assertEqual((one.m(n=3)[0], module.B().m(), self.left), (3, 0, []))

    def test_a_script_in_the_middle(self):
        """What the program has not come to yet is not run."""
        text = "def f(x): return %s\nseen = []\nfor one in [1]:\n    hook()\nlate = f(seen.append(1))\n"
        live = self.write("live/script.py", text % "x")
        good = self.write("good/script.py", text % "helper(x)" + "def helper(x): return -x\n")
        module = types.ModuleType("script")
        module.__file__ = live
        def hook():
            self.left = adopt(Reference("file", good, self.base), {"__main__": module})
            self.found = module.f(3), module.seen, hasattr(module, "late")
            raise KeyboardInterrupt
        module.hook = hook
        with self.assertRaises(KeyboardInterrupt):
            exec(compile(text % "x", live, "exec"), vars(module))
        self.assertEqual((self.found, self.left), ((-3, [], False), []))

    def test_module_as_reference(self):
        self.write("live/old/one.py", "def f(): return 1\n")
        self.write("live/old/__init__.py", "")
        self.write("good/new/__init__.py", "raise RuntimeError")
        self.write("good/new/one.py", "from .two import g\ndef f(): return g()\n")
        self.write("good/new/two.py", "def g(): return 2\n")
        sys.path[:0] = [self.base + "/live", self.base + "/good"]
        importlib.invalidate_caches()
        module = importlib.import_module("old.one")
        self.assertEqual(adopt(Reference("module", "new", self.base), {"old.one": module}), [])
        self.assertEqual(module.f(), 2)

    @unittest.skipIf(sys.version_info < (3, 12), "type parameters")
    def test_type_parameters(self):
        module = self.adopt("def f[T](x: T) -> T: return x\nclass A[T]:\n def m(self): return 1\n",
                            "def f[T](x: T) -> T: return -x\nclass A[T]:\n def m(self): return 2\n")
        self.assertEqual((module.f(1), module.A().m(), self.left), (-1, 2, []))

    def test_package(self):
        buggy = {"pkg/__init__.py": "from .one import f\n",
                 "pkg/one.py": "from .two import g\ndef f(x): return g(x)\n",
                 "pkg/two.py": "def g(x): return x\n"}
        good = {"pkg/__init__.py": "from .one import f\n",
                "pkg/one.py": "from .two import g, k\nfrom .three import t\ndef f(x): return t(k(g(x)))\n",
                "pkg/two.py": "def g(x): return x + 1\ndef k(x): return x * 10\n",
                "pkg/three.py": "from . import two\ndef t(x): return [two.g(x)]\n"}
        modules = self.modules(buggy, good, "pkg", "pkg.one", "pkg.two")
        self.assertEqual(adopt(self.reference, modules), [])
        self.assertEqual(modules["pkg"].f(1), [21])

    def test_moved_imports(self):
        module = self.adopt("from math import floor as up\ndef f(x): return up(x)\n",
                            "from math import ceil as up\ndef f(x): return up(x)\n")
        self.assertEqual((module.f(1.5), self.left), (2, []))

    def test_what_is_left(self):
        self.adopt("class A: pass\nclass B(A):\n def m(self): pass\ndef only(): pass\nbroken = 1\n",
                   "class A: pass\nclass B(dict):\n def m(self): pass\nbroken = 1\nmissing = 1 / 0\n")
        self.assertEqual(self.left, ["prog.only: is not in the reference", "prog.B: its bases differ",
                                     "prog.missing: ZeroDivisionError('division by zero')"])

    def test_places(self):
        live = self.write("live/src/pkg/one.py", "")
        good = self.write("good/pkg/one.py", "")
        self.write("good/pkg/__init__.py", "raise RuntimeError")
        folder = Reference("folder", self.base + "/good", self.base + "/live")
        self.assertEqual(folder.source_for("pkg.one", live), good)
        package = self.base + "/good/pkg/__init__.py"
        self.assertEqual(folder.source_for("pkg", self.base + "/live/src/pkg/__init__.py"), package)
        self.assertIsNone(folder.source_for("pkg.two", self.base + "/live/src/pkg/two.py"))
        file = Reference("file", good, self.base)
        found = [file.source_for("one", live), file.source_for("__main__", "/x.py"), file.source_for("x", "/x.py"),
                 file.source_for("x", "/x.py", only=True)]
        self.assertEqual(found, [good, good, None, good])
        sys.path.insert(0, self.base + "/good")
        importlib.invalidate_caches()
        self.assertEqual(Reference("module", "pkg.one", "/").source_for("one", live), good)
        release = Reference("module", "pkg", "/")
        self.assertEqual(release.source_for("old.one", "/old/one.py"), good)
        self.assertEqual(release.source_for("old", "/old/__init__.py"), package)
        self.assertNotIn("pkg", sys.modules)

    def test_call(self):
        module, (function, code, defaults, names) = self.adopt("""
            def f(a, /, b, c=None, *rest, d=1, e, **more): return a, b, c, rest, d, e, more
            """, """
            def f(a, /, x, c=7, *rest, d=2, e, **more): return a, x, c, rest, d, e, more
            """, lambda module: (module.f, module.f.__code__, module.f.__defaults__, module.f.__kwdefaults__))
        arguments = {"a": 1, "b": 2, "c": None, "d": 1, "e": 5, "*rest": (), "**more": {"z": 6}}
        self.assertEqual(call(function, arguments, code, defaults, names), (1, 2, 7, (), 2, 5, {"z": 6}))
        arguments.update({"c": 3, "*rest": (8, 9), "d": 4})
        self.assertEqual(call(function, arguments, code, defaults, names), (1, 2, 3, (8, 9), 4, 5, {"z": 6}))

    def test_calls_that_cannot_be(self):
        module, (function, code) = self.adopt("def f(a, b=1): return a\n", "def f(a): return -a\n",
                                              lambda module: (module.f, module.f.__code__))
        self.assertEqual(call(function, {"a": 1, "b": 1}, code, (1,)), -1)
        with self.assertRaises(Unanswerable):
            call(function, {"a": 1, "b": 2}, code, (1,))

    def test_call_of_a_method_made_anew(self):
        module, (function, code) = self.adopt(
            "class A:\n def m(self): return 1\n", "class A:\n def m(self): return super().__init__(), __class__\n",
            lambda module: (module.A.m, module.A.m.__code__))
        self.assertEqual(call(function, {"self": module.A()}, code), (None, module.A))


if __name__ == "__main__":
    unittest.main()
