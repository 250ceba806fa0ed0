"""The folders of the package: each imports only what stands below it, and a recorded program gets few modules with the recorder."""
import ast
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PACKAGE = pathlib.Path(__file__).resolve().parent.parent / "gadfly"
# From the floor to the top. What is in no folder is the floor, but for the doors, which may use everything.
FLOOR = {"__init__", "_native", "_types", "code_flags", "job", "messages"}
DOORS = {"__main__", "run_script"}
LAYERS = ["process", "recording", "comparing", "reference", "inside", "oracles", "replay", "pytest_plugin"]
# They take long to import, or are seen by programs that look for them.
HEAVY = {"argparse", "dataclasses", "inspect", "tomllib", "typing"}


def imports(path):
    """The modules of the package that a file imports, but for those that only mypy does."""
    tree = ast.parse(path.read_text())
    only_types = {id(node) for one in ast.walk(tree) if isinstance(one, ast.If) and isinstance(one.test, ast.Name)
                  and one.test.id == "TYPE_CHECKING" for node in ast.walk(one)}
    for node in ast.walk(tree):
        if id(node) in only_types:
            continue
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                yield f"{node.module}.{alias.name}"
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def layer(parts):
    """How high a module is, by the parts of its name."""
    if len(parts) > 1 and parts[1] in LAYERS:
        return 1 + LAYERS.index(parts[1])
    return 0


class Layers(unittest.TestCase):
    def test_nothing_imports_what_stands_above_it(self):
        for path in sorted(PACKAGE.rglob("*.py")):
            parts = ("gadfly", *path.relative_to(PACKAGE).with_suffix("").parts)
            if parts[1] in DOORS:
                continue
            self.assertTrue(parts[1] in FLOOR or parts[1] in LAYERS, f"{path} is in no layer")
            for name in imports(path):
                wanted = name.split(".")
                if wanted[0] == "gadfly" and len(wanted) > 1:
                    self.assertLessEqual(layer(wanted), layer(parts), f"{path} imports {name}")
                    self.assertNotIn(wanted[1], DOORS, f"{path} imports {name}")
                self.assertNotEqual(name.split(".")[:2], ["gadfly", "_types"], f"{path} imports types while the program runs")

    def test_a_recorded_program_has_few_modules_more(self):
        with tempfile.TemporaryDirectory() as folder:
            script = os.path.join(folder, "shown.py")
            with open(script, "w") as out:
                out.write("import sys\nprint(*sys.modules)\n")
            plain = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True, cwd=folder).stdout.split()
            command = [sys.executable, "-m", "gadfly", "record", script, "-o", os.path.join(folder, "shown.trail")]
            recorded = subprocess.run(command, capture_output=True, text=True, check=True, cwd=folder).stdout.split()
        self.assertEqual(HEAVY & set(recorded) - set(plain), set())


if __name__ == "__main__":
    unittest.main()
