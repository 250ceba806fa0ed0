"""Code with events in it: it does what it did, and the events come as the code runs."""
import builtins
import glob
import os
import textwrap
import types
import unittest

from gadfly.recording.instrument import FIRST, Detailed, listen

KINDS = '''
def every(kind, items):
    """Every kind of statement."""
    global seen
    seen, total = [], 0
    for number, item in enumerate(items):
        if item < 0:
            continue
        elif item > 100:
            break
        total += item
    else:
        seen.append("all")
    while total > 10:
        total -= 10
    try:
        with Quiet(kind) as inner:
            if kind == "raise":
                raise KeyError(total)
            assert kind != "assert", total
    except KeyError as error:
        seen.append(error.args)
    else:
        seen.append(inner)
    finally:
        seen.append("end")
    match kind:
        case "a" | "b":
            seen.append("letter")
        case str(x) if len(x) > 3:
            seen.append(x)
    inside = lambda x: x + total
    def local(x, *, y=total):
        nonlocal number
        number = x
        return y
    del kind
    if total == 3: return
    return inside(local(1)), number, seen


def gives(n):
    for i in range(n):
        got = yield i
        if got: return got


class Quiet:
    kinds = {"quiet"}

    def __init__(self, kind): self.kind = kind

    def __enter__(self): return self.kind

    def __exit__(self, *raised):
        return self.kind in self.kinds
'''


class Events(unittest.TestCase):
    def setUp(self):
        self.heard = []
        listen(self.heard.append, lambda value: value)

    def tearDown(self):
        del builtins.__gadfly_at__, builtins.__gadfly_give__, builtins.__gadfly_rounds__

    def modules(self, text):
        plain, detailed = types.ModuleType("plain"), types.ModuleType("detailed")
        exec(compile(text, "<plain>", "exec"), plain.__dict__)
        exec(Detailed(text, "<detailed>").code, detailed.__dict__)
        return plain, detailed

    def test_nothing_is_changed(self):
        plain, detailed = self.modules(KINDS)
        for kind in ("a", "raise", "quiet", "assert", "longer"):
            for items in ([], [1, -1, 2], [50, 101], [1, 2]):
                results = []
                for module in (plain, detailed):
                    try:
                        results.append(module.every(kind, items))
                    except AssertionError as error:
                        results.append(error.args)
                self.assertEqual(*results)
        for module in (plain, detailed):
            generator = module.gives(3)
            self.assertEqual([next(generator), next(generator)], [0, 1])
            with self.assertRaises(StopIteration) as ended:
                generator.send("x")
            self.assertEqual(ended.exception.value, "x")

    def test_events(self):
        text = "def f(n):\n    i = 0\n    while i < n:\n        i += 1\n    return i\n"
        detailed = Detailed(text, "f.py")
        space = {}
        exec(detailed.code, space)
        self.heard.clear()
        space["f"](2)
        details = detailed.details(detailed.find(space["f"].__code__))
        begun = [one for number in self.heard for one in details.begun(number)]
        names = [details.fragments[number - FIRST].name for number in begun if number >= FIRST]
        self.assertEqual(names, ["i = 0", "while i < n:", "while i < n:", "i += 1", "while i < n:", "i += 1", "return i"])
        self.assertEqual(details.header, (1, 0, 1, 9))
        self.assertEqual([one.own for one in details.fragments if one.name == "while i < n:"], [[(3, 4, 3, 15)]] * 2)

    def test_the_library(self):
        """Files that nobody wrote for this compile, and do what they did."""
        folder = os.path.dirname(textwrap.__file__)
        for file in sorted(glob.glob(os.path.join(folder, "*.py")))[::4]:
            with open(file, encoding="utf-8") as source:
                Detailed(source.read(), file)
        with open(textwrap.__file__, encoding="utf-8") as source:
            plain, detailed = self.modules(source.read())
        text = "The quick brown fox; it jumps over the lazy dog. " * 5
        self.assertEqual(plain.fill(text, 30), detailed.fill(text, 30))
        self.assertEqual(plain.dedent("  a\n    b\n"), detailed.dedent("  a\n    b\n"))
        self.assertTrue(self.heard)


if __name__ == "__main__":
    unittest.main()
