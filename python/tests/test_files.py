"""Files that a copy of the process writes: what counts, and what is put back."""
import os
import tempfile
import unittest

from gadfly.process.written_files import Files


class Written(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.files = Files(os.path.join(self.folder.name, "own"))
        self.files.listen()
        self.old, self.new = (os.path.join(self.folder.name, name) for name in ("old", "new"))
        self.files.done = True
        with open(self.old, "w") as out:
            out.write("one")
        self.files.done = False

    def read(self, path):
        with open(path) as file:
            return file.read()

    def test_written_and_put_back(self):
        with open(self.old, "a") as out:
            out.write(" two")
        with open(self.new, "w") as out:
            out.write("three")
        self.assertEqual(self.files.changed(), {self.old: b"one two", self.new: b"three"})
        self.files.put_back()
        self.assertEqual(self.read(self.old), "one")
        self.assertFalse(os.path.exists(self.new))

    def test_removed_and_renamed(self):
        os.rename(self.old, self.new)
        os.remove(self.new)
        self.assertEqual(self.files.changed(), {self.old: None})
        self.files.put_back()
        self.assertEqual(self.read(self.old), "one")

    def test_reading_is_nothing(self):
        self.read(self.old)
        self.assertEqual(self.files.changed(), {})

    def test_a_copy_puts_back_its_own(self):
        with open(self.old, "w") as out:
            out.write("the call's")
        self.files.copied()
        with open(self.old, "w") as out:
            out.write("the copy's")
        self.assertEqual(self.files.changed(), {self.old: b"the copy's"})
        self.files.put_back()
        self.assertEqual(self.read(self.old), "the call's")


if __name__ == "__main__":
    unittest.main()
