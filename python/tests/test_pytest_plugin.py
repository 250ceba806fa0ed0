"""The plugin for pytest, as a user meets it: each test runs pytest in a folder of its own."""
import os
import subprocess
import sys
import tempfile
import textwrap
import unittest

SAME_FILE = """
    import pytest

    def double(n):
        return helper(n) + 1

    def helper(n):
        return n + n

    @pytest.fixture
    def three():
        return double(1)

    def test_double(three):
        assert double(three) == 6
"""


class Sessions(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.state = tempfile.TemporaryDirectory()
        self.addCleanup(self.state.cleanup)
        self.write("pyproject.toml", "")

    def write(self, name, text):
        path = os.path.join(self.folder.name, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as out:
            out.write(textwrap.dedent(text))

    def pytest(self, *arguments, typed=""):
        """What pytest prints, with what is typed at its prompts."""
        command = [sys.executable, "-B", "-m", "gadfly.pytest_plugin", "-q", "-p", "no:cacheprovider", "--gadfly", *arguments]
        environment = {**os.environ, "GADFLY_STATE": self.state.name}
        environment.pop("PYTEST_ADDOPTS", None)
        done = subprocess.run(
            command, cwd=self.folder.name, env=environment, input=typed, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300
        )
        return done.stdout

    def test_a_function_and_its_test_in_one_file(self):
        self.write("test_same.py", SAME_FILE)
        said = self.pytest(typed="n\ny\n")
        self.assertIn("double(n=3) = 7", said)
        self.assertIn("helper(n=3) = 6", said)
        self.assertIn("Bug found in test_same.double, test_same.py:5", said)
        # The fixture is no part of the program, and nor is the test.
        self.assertNotIn("three()", said)

    def test_a_function_beside_its_test_is_judged_by_a_reference(self):
        self.write("test_same.py", SAME_FILE)
        self.write("good/test_same.py", SAME_FILE.replace("helper(n) + 1", "helper(n)"))
        said = self.pytest("--gadfly-oracle", "reference:good/test_same.py", "test_same.py")
        self.assertIn("Bug found in test_same.double, test_same.py:5", said)

    def test_what_helps_with_tests_is_asked_about_after_the_program(self):
        self.write("shop.py", "def price(n):\n    return n * 3\n")
        self.write("test_shop.py", """
            from shop import price

            def make(n):
                return [n]

            def test_price():
                assert price(make(2)[0]) == 4
        """)
        said = self.pytest(typed="n\n")
        self.assertIn("Bug found in shop.price", said)
        self.assertNotIn("make(", said.partition("gadfly: test_shop")[2])

    def test_an_error_in_collection_is_reported_as_that(self):
        self.write("test_broken.py", "import there_is_no_such_module\n")
        said = self.pytest()
        self.assertIn("gadfly: test_broken.py could not be collected", said)
        self.assertNotIn("no failing test", said)

    def test_an_error_in_a_fixture_is_reported_as_that(self):
        self.write("test_broken.py", """
            import pytest

            @pytest.fixture
            def broken():
                raise ValueError(1)

            def test_it(broken):
                pass
        """)
        said = self.pytest()
        self.assertIn("gadfly: test_broken.py::test_it failed in its setup", said)
        self.assertNotIn("no failing test", said)

    def test_a_wrong_strategy_is_noticed_before_the_tests_run(self):
        self.write("test_side.py", "def test_it():\n    open('ran', 'w').close()\n    assert False\n")
        said = self.pytest("--gadfly-strategy", "fastest")
        self.assertIn("--gadfly-strategy: there is no strategy `fastest`", said)
        said = self.pytest("--gadfly-oracle", "refrence:x.py")
        self.assertIn("--gadfly-oracle: `refrence:x.py` is not an oracle", said)
        self.assertFalse(os.path.exists(os.path.join(self.folder.name, "ran")))

    def test_unknown_keys_are_reported(self):
        self.write("pyproject.toml", '[tool.gadfly]\ntrsut = ["x"]\ntrust = 3\n')
        self.write("test_it.py", "def test_it():\n    pass\n")
        said = self.pytest()
        self.assertIn("warning: pyproject.toml: [tool.gadfly] has no key `trsut`", said)
        self.assertIn("warning: pyproject.toml: `trust` in [tool.gadfly] must be a name or a list of names", said)

    def test_a_session_is_resumed(self):
        self.write("test_same.py", SAME_FILE)
        said = self.pytest(typed="n\nq\n")
        self.assertIn("`--gadfly-resume` continues", said)
        said = self.pytest("--gadfly-resume", typed="y\n")
        self.assertIn("Question 2", said)
        self.assertNotIn("Question 1", said)
        self.assertIn("Bug found in test_same.double, test_same.py:5", said)


if __name__ == "__main__":
    unittest.main()
