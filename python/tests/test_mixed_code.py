"""Modules that are the program's but for chosen pieces of the reference's."""
import os
import tempfile
import textwrap
import unittest

from gadfly.recording.suspects import Describer
from gadfly.reference import mixed_code, module_differences


class Files(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def write(self, name, text):
        path = os.path.join(self.folder.name, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as out:
            out.write(textwrap.dedent(text))
        return path


class Mixed(Files):
    def variables(self, ours, theirs, wanted=(), chosen=()):
        found = {"__name__": "tried"}
        exec(mixed_code.mixed(ours, theirs, lambda function: function[1] in wanted, chosen), found)
        return found

    def test_each_difference_can_be_taken_over_alone(self):
        ours = self.write("one.py", """
            '''A text.'''
            LIMIT = 1
            TABLE = [1, 2]
            class Item:
                size = 3
                def area(self):
                    return self.size
            def double(n):
                return n + n + LIMIT
        """)
        theirs = self.write("other.py", """
            '''A text.'''
            from math import floor
            LIMIT = 0
            TABLE = [1, 2, 3]
            class Item:
                size = 4
                def area(self):
                    return self.side() ** 2
                def side(self):
                    return floor(self.size)
            def double(n):
                return twice(n)
            def twice(n):
                return 2 * n + LIMIT
        """)
        places = [first for first, _, _ in module_differences.edits(mixed_code.read(ours), mixed_code.read(theirs))]
        state = lambda found: (found["LIMIT"], found["TABLE"], found["Item"].size, found["Item"]().area(), found["double"](5))
        self.assertEqual(state(self.variables(ours, theirs)), (1, [1, 2], 3, 3, 11))
        self.assertEqual(state(self.variables(ours, theirs, chosen={places.index(3)})), (0, [1, 2], 3, 3, 10))
        self.assertEqual(state(self.variables(ours, theirs, chosen={places.index(4)})), (1, [1, 2, 3], 3, 3, 11))
        self.assertEqual(state(self.variables(ours, theirs, chosen={places.index(6)})), (1, [1, 2], 4, 4, 11))
        # What swapped code needs comes with it, and nothing else does.
        self.assertEqual(state(self.variables(ours, theirs, {"Item.area"})), (1, [1, 2], 3, 9, 11))
        self.assertEqual(state(self.variables(ours, theirs, {"double"})), (1, [1, 2], 3, 3, 11))
        self.assertNotIn("floor", self.variables(ours, theirs))
        self.assertNotIn("twice", self.variables(ours, theirs, {"Item.area"}))

    def test_a_method_of_another_name_is_a_difference_of_the_class(self):
        ours = self.write("one.py", "class A:\n    def noise(self):\n        return 1\n")
        theirs = self.write("other.py", "class A:\n    def sound(self):\n        return 1\n")
        self.assertFalse(hasattr(self.variables(ours, theirs, {"A.noise", "A.sound"})["A"], "sound"))
        places = [first for first, _, _ in module_differences.edits(mixed_code.read(ours), mixed_code.read(theirs))]
        self.assertEqual(places, [2, 2])
        self.assertTrue(hasattr(self.variables(ours, theirs, chosen={0, 1})["A"], "sound"))


class Packages(Files):
    def test_a_package_means_its_modules(self):
        inner = self.write("library/shop/parts/prices.py", "")
        for folder in ("shop", "shop/parts"):
            self.write(f"library/{folder}/__init__.py", "")
        root = os.path.join(self.folder.name, "program")
        for pattern, is_meant in (("shop", True), ("shop.parts", True), ("shop.parts.prices", True), ("sho*", True), ("sho", False), ("parts", False)):
            self.assertEqual(Describer(root, [], [pattern]).is_suspect_file(inner), is_meant, pattern)
            self.assertEqual(Describer(os.path.join(self.folder.name, "library"), [pattern]).is_suspect_file(inner), not is_meant, pattern)
            self.assertEqual(Describer(root, [], [pattern]).chosen("f", "shop.parts.prices", False), is_meant, pattern)


if __name__ == "__main__":
    unittest.main()
