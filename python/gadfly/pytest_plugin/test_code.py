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

    def anew(self) -> "Any":
        other = TestDescriber(self.root, self.trusted, self.suspected, self.patterns, self.packages)
        other.files, other.names, other.test = self.files, self.names, self.test
        other.counterparts = self.counterparts
        return other

    def suspects(self, file: str, path: str) -> "Any":
        if any(path == package or path.startswith(package + os.sep) for package in self.packages):
            return True
        name = os.path.basename(file)
        if name == "conftest.py" or any(fnmatch.fnmatch(name, pattern) for pattern in self.patterns):
            return False
        return super().suspects(file, path)

    def __call__(self, code: "CodeType", variables: "Any") -> "Any":
        if self.test is not None and (code.co_name, code.co_firstlineno, code.co_filename) == self.test:
            files, self.files = self.files, {code.co_filename: True}
            try:
                return super().__call__(code, variables)
            finally:
                self.files = files
        return super().__call__(code, variables)


def known_by(code: "CodeType") -> "Any":
    """What the code of a test is known by."""
    return code.co_name, code.co_firstlineno, code.co_filename


def code_of(item: "Any") -> "Any":
    """The code of a test, if it has any."""
    function: Any = getattr(item, "function", None) or getattr(item, "obj", None)
    function = item.obj.hypothesis.inner_test if is_made_up(item) else function
    while hasattr(function, "__wrapped__"):
        function = function.__wrapped__
    code = getattr(getattr(function, "__func__", function), "__code__", None)
    return code if isinstance(code, types.CodeType) else None
