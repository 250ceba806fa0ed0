"""What random programs are made of, as text: functions, generators, values, and methods that nobody but the program may call.

Every program has all the functions; what they do to their arguments shows in what a recorder says of their calls. Classes and
statements are put together by `programs.py`."""

# `times` is `range`: a class of the program may have that name. So may others have the names of modules.
HEADER = """\
import builtins, collections, enum, functools, gc, sys, weakref
import array as arrays, datetime as moments, decimal as decimals, re as patterns
from builtins import range as times
"""

FUNCTIONS = [
    "def look(x): return 1",
    "def look_twice(x, y): return 2",
    "def looks(*xs, **named): return len(xs) + len(named)",
    "def many(a, b, c, d, e, f, g=7, *, h=8): return h",
    "def give(x): return x",
    "def give_all(x, y): return [x, (y, x)]",
    "def ended(x): return None",
    "class Problem(Exception): pass",
    "def fail(x): raise Problem(x, 1)",
    "def fail_at_once(x): raise Problem",
    "def fail_deeper(x):\n    look(x)\n    return fail(x)",
    "def fail_after(x, y):\n    try:\n        fail(y)\n    finally:\n        look(x)",
    "def find(d, k): return d[k]",
    "def divide(x, y): return x // y",
    "def add(s, x): s.add(x)",
    "def push(l, x): l.append(x)",
    "def put(d, k, x): d[k] = x",
    "def store(o, x): o.extra = x",
    "def store_named(o, name, x): setattr(o, name, x)",
    "def remove(o, name): delattr(o, name)",
    "def empty(l):\n    del l[:]\n    look(l)\n    return l",
    "def rebind(x):\n    look(x)\n    x = None\n    return look(x)",
    "def let_go(x):\n    del x\n    note('let go')\n    return look(0)",
    "def take(make, **named):\n    named['own'] = make()\n    look(named)\n    del named\n    note('let go')\n    return look(0)",
    "def take_all(*rest, **named):\n    rest = named = None\n    return look(0)",
    "def call(f): return f()",
    "def call_with(f, x): return f(x)",
    "def deep(n, x): return look(x) if n == 0 else deep(n - 1, [x])",
    "def down(n, x): return look(x) if n == 0 else down(n - 1, x)",
    "def outer(x, y):\n    def inner(z):\n        nonlocal x\n        x = [z]\n        look(x)\n        return len(y)\n    return inner",
    "def counter():\n    n = 0\n    def step():\n        nonlocal n\n        n += 1\n        return n\n    return step",
    "def emptied(x):\n    def inner():\n        nonlocal x\n        del x\n        return 1\n    return inner",
    "total = []\nplace = {}\nspot = None\nkept = []",
    "def grow(x):\n    global total\n    total = total + [x]\n    return len(total)",
    "def grow_inside(x):\n    total.append(x)\n    return len(total)",
    "def keep(k, x): place[k] = x",
    "def set_spot(x):\n    global spot\n    spot = x",
    "def unset_spot():\n    global spot\n    del spot",
    "def forget():\n    global total, place\n    total, place = [], {}",
    "def local(x):\n    a = [x]\n    b = {1: a}\n    look(b)\n    return 3",
    "def advance(g): return next(g, None)",
    "class Text(str): pass",
    "class Color(enum.Enum):\n    RED = 1\n    BLUE = [2]",
]

# How each is called, with things for its arguments.
GENERATORS = {
    "count": ("({0})", "@generator\ndef count(x):\n    n = 0\n    while True:\n        got = yield n\n        look(got)\n        n += 1"),
    "each": ("([{0}, {1}])", "@generator\ndef each(l):\n    for x in list(l):\n        yield x\n    return len(l)"),
    "careful": ("({0}, {1})", "@generator\ndef careful(x, y):\n    try:\n        yield x\n        look(x)\n        x = None\n        yield y\n"
                              "    finally:\n        ended(1)"),
    "patient": ("({0})", "@generator\ndef patient(x):\n    for n in times(5):\n        try:\n            yield [n, x]\n"
                         "        except Problem as problem:\n            look(problem)"),
    "growing": ("([{0}])", "@generator\ndef growing(l):\n    for n in times(4):\n        l.append(n)\n        yield l"),
    "failing": ("({0})", "@generator\ndef failing(x):\n    yield x\n    fail(x)"),
    "through": ("([{0}])", "@generator\ndef through(l):\n    yield from each(l)\n    yield 0"),
    "inward": ("({0})", "def inward(x):\n    @generator\n    def inner(y):\n        nonlocal x\n        while True:\n            yield [x, y]\n            x = y\n"
                        "    return inner([1])"),
}
# Arguments of a generator are its frame's alone.
GENERATORS["careless"] = "([{0}])", "@generator\ndef careless(x):\n    x = None\n    note('let go')\n    yield 1\n    yield look(0)"
# What is sent into these is sent on, which the stage does not know.
DELEGATING = ("through",)

COROUTINES = [
    "@generator\nasync def waiting(x):\n    y = await Pause()\n    look(y)\n    return [x, await Pause()]",
    "@generator\nasync def waiting_for(x):\n    look(x)\n    y = await waiting([x])\n    return y[0]",
]

# Names that classes of the library have, and some that they do not.
NAMES = ("P", "Q", "Node", "range", "slice", "OrderedDict", "defaultdict", "deque", "Match", "Pattern", "Decimal", "date", "Box", "array")
# Names that only a definition in C can have, or a class that is renamed.
FULL_NAMES = ("range", "slice", "decimal.Decimal", "datetime.date", "datetime.datetime", "datetime.time", "collections.OrderedDict",
              "collections.deque", "collections.defaultdict", "re.Match", "re.Pattern", "array.array", "numpy.ndarray", "EnumType")

# Names of attributes, and values for them in a constructor that has `n`.
ATTRIBUTES = {
    "l": ("[n]", "[n, [n]]", "[]"), "m": ("{n: [n]}", "{1: 2}", "{}"), "s": ("'strict'", "'x' * 60", "''"), "t": ("(n, 'a')", "(n, [n])"),
    "z": ("{n, n + 1}", "set()"), "f": ("n + 0.5", "1e300"), "b": ("b'x' * n", "b''"), "k": ("len", "look", "Problem", "None", "...")}

NUMBERS = (0, 1, 2, 3, 7, -1, 255, 1000, 2**30, -2**31, 2**61, 10**25)
ATOMS = ("None", "True", "1.5", "-0.0", "1e-320", "float('nan')", "'a'", "'some words that are longer'", "'é' * 3", "'\\ud800'", "'x' * 50", "b'ab'",
         "...", "''", "('a', 1)", "2j")
# Values of the library's.
LIBRARY = (
    "look", "len", "Problem", "list(times(250))", "'y' * 2500", "times(3)", "builtins.slice(1, None)", "builtins.slice([1])", "collections.deque([1, [2]])",
    "collections.OrderedDict(a=[1])", "collections.defaultdict(list, a=[1])", "object()", "weakref", "(1, 2, ('a', 'b'))", "[[[[[[[[[[[[[1]]]]]]]]]]]]]",
    "((((((((((((1, 2),),),),),),),),),),),)", "moments.date(2020, 1, 2)", "moments.datetime(2020, 1, 2, 3)", "moments.timedelta(1)",
    "moments.datetime(2020, 1, 2, tzinfo=moments.timezone.utc)", "decimals.Decimal('1.50')", "arrays.array('i', [1, 2])",
    "patterns.compile('a(b)?').search('xab')", "Color.RED", "[Color.BLUE]", "functools.partial(look, [1])", "Text('words')", "{Text('k'): 1}",
    "Problem([1], 2)", "KeyError('k')", "[].append", "property(look)", "iter([1])", "frozenset([('a', 1), 2])", "memoryview(b'ab')", "bytearray(b'ab')")

# More methods of classes. None of them is called unless the program itself does; a recorder that calls one is heard.
EXTRAS = (
    "    @property\n    def asked(self):\n        note('property')\n        return look(2)",
    "    def __getattr__(self, name):\n        note('getattr', name)\n        raise AttributeError(name)",
    "    def __getattribute__(self, name):\n        note('getattribute', name)\n        return object.__getattribute__(self, name)",
    "    def __repr__(self):\n        note('repr')\n        return 'text'",
    "    def __eq__(self, other):\n        note('eq')\n        return self is other\n    def __hash__(self):\n        note('hash')\n        return 5",
    "    @property\n    def __class__(self):\n        note('class')\n        return int",
    "    @property\n    def __dict__(self):\n        note('dict')\n        return {'false': 1}",
    "    def __iter__(self):\n        note('iter')\n        return iter(())",
    "    def __reduce__(self): note('reduce')",
    "    class described:\n        def __get__(self, one, kind=None):\n            note('described')\n            return look(3)\n    described = described()",
)

HASH = "\n    def __hash__(self): return self.n"

# A class that notices when it is compared, hashed, written or asked for anything.
SHARP = """\
    def __repr__(self):
        note('asked for its text')
        return look([1]) * 'x'
    def __eq__(self, other):
        note('compared')
        return look(self) == 2
    def __hash__(self): return self.n % 3
    def __len__(self):
        note('asked for its length')
        return 1
    def __bool__(self):
        note('asked for its truth')
        return True
    def go(self): return look(1)"""

METACLASS = """\
class Meta{0}(type):
    def __getattribute__(kind, name):
        note('meta', name)
        return type.__getattribute__(kind, name)
    def __eq__(kind, other):
        note('metaclass compared')
        return kind is other
    def __hash__(kind): return 1
    def __instancecheck__(kind, one):
        note('instance?')
        return True"""

# An object that looks at its owner while it is replaced there.
HINT = """\
class Owner{0}: pass
owner = Owner{0}()
class Held{0}:
    def __init__(self, n): self.n, self.k = n, [n, [n]]
    def __del__(self): look(owner)
def replace{0}(owner):
    for i in times({1}):
        look(owner)
        h = Held{0}(i)
        look(owner)
        owner.h = h
        del h
owner.__dict__ = dict(x=0, y=0, z=0, h=Held{0}(-1))
replace{0}(owner)
owner.h = None
owner = None"""

TURNS = """\
def turns{0}(x):
    look(x)
    hand_over()
    look([x])
    hand_over()
    return x
partner = Partner(turns{0}, {1})
look({2})
partner.go_on()
{3}
partner.finish()
partner = None"""

# A class with the name of one of the library's, which a recorder must not take for it.
LIKE = """\
Like{0} = type('Like', {2}, {{
    '__repr__': lambda self: note('asked for its text') or look(1) * 'x', 'start': property(lambda self: note('asked')),
    '__len__': lambda self: note('asked for its length') or 3, '__getitem__': lambda self, at: look(at)}})
Like{0}.__name__ = {1!r}
o = Like{0}()
o.extra = [{0}]
look(o)
look([o, {{1: o}}])
o = None"""

# A key of some dictionary that is compared with the names in it.
FOREIGN_KEY = """\
class Key{0}:
    def __hash__(self): return hash({1!r})
    def __eq__(self, other):
        note_compared('compared')
        look([other])
        return False
"""

PHOENIX = """\
class Phoenix{0}:
    def __init__(self, n): self.n = n
    def __del__(self):
        note('rises')
        kept.append(self)
look(Phoenix{0}(1))
look(kept)
o = Phoenix{0}(2)
o.me = [o, {1}]
o = None
gc.collect()
look(kept)
kept.clear()
gc.collect()
look(kept)"""
