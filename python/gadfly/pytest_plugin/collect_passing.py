"""Keeps the trails of tests that pass, for the oracle `tests`."""

import os

import pytest

from gadfly import _native
from gadfly.pytest_plugin.test_code import TestDescriber, code_of, known_by

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator
    from typing import Any


class CollectPassing:
    """Keeps the trails of tests that pass."""

    def __init__(self, config: "pytest.Config", folder: str) -> None:
        self.folder = folder
        self.describer = TestDescriber(str(config.rootpath), [], [], config.getini("python_files"), [])
        self.count = 0

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_call(self, item: "pytest.Item") -> "Generator[None, Any, None]":
        trail = os.path.join(self.folder, f"{self.count}.trail")
        self.count += 1
        code = code_of(item)
        self.describer.test = code and known_by(code)
        _native.start(trail, item.nodeid, self.describer.anew())
        outcome = yield
        _native.stop(0)
        if outcome.excinfo is not None:
            os.unlink(trail)
