"""What is told of code, against what `dis` tells of it."""
import dis
import importlib
import types
import unittest

from gadfly.recording import code_facts

MODULES = ["argparse", "ast", "asyncio.base_events", "collections", "csv", "dataclasses", "difflib", "email.message", "enum", "functools",
           "inspect", "json.decoder", "logging", "pickle", "random", "shutil", "subprocess", "tarfile", "threading", "typing", "unittest.case"]


def codes(module):
    """All code of a module."""
    with open(importlib.import_module(module).__file__, "rb") as file:
        waiting = [compile(file.read(), module, "exec")]
    while waiting:
        code = waiting.pop()
        yield code
        waiting += [constant for constant in code.co_consts if isinstance(constant, types.CodeType)]


class Globals(unittest.TestCase):
    def test_steps_are_those_that_dis_tells_of(self):
        steps = {"LOAD_GLOBAL": False, "STORE_GLOBAL": True, "DELETE_GLOBAL": True}
        seen = 0
        for module in MODULES:
            for code in codes(module):
                told = [(steps[step.opname], step.argval) for step in dis.get_instructions(code) if step.opname in steps]
                self.assertEqual(list(code_facts.global_steps(code)), told, code)
                seen += len(told)
        self.assertGreater(seen, 1000)

    def test_names_beyond_the_first_256_are_found(self):
        lines = ["def f():"] + [f"    v{row} = name{row}" for row in range(700)] + ["    global last", "    last = name699"]
        space = {}
        exec("\n".join(lines), space)
        used = dict(code_facts.used_globals(space["f"].__code__))
        self.assertEqual(used, {f"name{row}": False for row in range(700)} | {"last": True})


if __name__ == "__main__":
    unittest.main()
