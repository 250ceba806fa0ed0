"""Which code a test is, and which code is suspected while it runs."""

import fnmatch
import os
import types

from gadfly.pytest_plugin.hypothesis_examples import is_made_up
from gadfly.recording.suspects import Describer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import CodeType
    from typing import Any


class TestDescriber(Describer):
    """Suspects what the tests are about, and the test that runs, but no other test code."""

    __test__ = False

    def __init__(
        self, root: str, trusted: "Iterable[str]", suspected: "Iterable[str]", patterns: list[str], packages: "Iterable[str]"
    ) -> None:
        super().__init__(root, trusted, suspected)
        self.patterns = patterns
        self.packages = tuple(os.path.realpath(package) for package in packages)
        self.test = None
        # Tests and fixtures: their files, and the names of functions or of classes, which stand for their methods.
        self.tests: set[tuple[str, str]] = set()
        # Files of tests that have functions of other kinds.
        self.test_files: set[str] = set()

    def anew(self) -> "Any":
        other = TestDescriber(self.root, self.trusted, self.suspected, self.patterns, self.packages)
        other.files, other.names, other.test = self.files, self.names, self.test
        other.counterparts = self.counterparts
        other.tests, other.test_files = self.tests, self.test_files
        return other

    def set_tests(self, items: "Iterable[Any]") -> None:
        """Learns which functions are tests or fixtures: other functions in the same files may be what is tested, or help with that."""
        for item in items:
            code = code_of(item)
            if code is not None:
                self.add_test(code)
            manager = getattr(item.session, "_fixturemanager", None)
            for definitions in getattr(manager, "_arg2fixturedefs", {}).values():
                for definition in definitions:
                    function = unwrapped(definition.func)
                    if function is not None:
                        self.add_test(function)

    def add_test(self, code: "CodeType") -> None:
        name = self.qualified(code)
        # What is local to a test, and what a class of tests has besides, belongs to the test.
        outer = name.partition(".")[0]
        self.tests.add((code.co_filename, outer))

    def is_test_code(self, code: "CodeType") -> bool:
        return (code.co_filename, self.qualified(code).partition(".")[0]) in self.tests

    def is_of_tests(self, file: str) -> bool:
        return any(known == file for known, _ in self.tests)

    def suspects(self, file: str, path: str) -> "Any":
        if any(path == package or path.startswith(package + os.sep) for package in self.packages):
            return True
        name = os.path.basename(file)
        if name == "conftest.py":
            return False
        if any(fnmatch.fnmatch(name, pattern) for pattern in self.patterns):
            # Without the tests in it, which are known by name.
            suspected = any(known == file for known, _ in self.tests) and super().suspects(file, path)
            if suspected:
                self.test_files.add(file)
            return suspected
        return super().suspects(file, path)

    def __call__(self, code: "CodeType", variables: "Any") -> "Any":
        if self.test is not None and (code.co_name, code.co_firstlineno, code.co_filename) == self.test:
            files, self.files = self.files, {code.co_filename: True}
            try:
                return super().__call__(code, variables)
            finally:
                self.files = files
        if self.is_test_code(code):
            return None
        return super().__call__(code, variables)


def known_by(code: "CodeType") -> "Any":
    """What the code of a test is known by."""
    return code.co_name, code.co_firstlineno, code.co_filename


def code_of(item: "Any") -> "Any":
    """The code of a test, if it has any."""
    function: Any = getattr(item, "function", None) or getattr(item, "obj", None)
    function = item.obj.hypothesis.inner_test if is_made_up(item) else function
    return unwrapped(function)


def unwrapped(function: "Any") -> "CodeType | None":
    """The code of a function, beneath what decorators have made of it."""
    while hasattr(function, "__wrapped__"):
        function = function.__wrapped__
    code = getattr(getattr(function, "__func__", function), "__code__", None)
    return code if isinstance(code, types.CodeType) else None
