"""The plugin for pytest: its options, and which of its two recorders runs.

`pytest --gadfly` records every test until one fails, and debugs that one (`record_tests.py`). For the oracle `tests`, the trails of tests
that pass are kept instead (`collect_passing.py`)."""

import sys

import pytest

from gadfly import _native
from gadfly.job import CollectTask, take
from gadfly.pytest_plugin.collect_passing import CollectPassing
from gadfly.pytest_plugin.record_tests import RecordTests
from gadfly.recording.suspects import configured

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def pytest_addoption(parser: "pytest.Parser") -> None:
    group = parser.getgroup("gadfly", "algorithmic debugging")
    group.addoption("--gadfly", action="store_true", help="debug the first test that fails: answer questions until the bug is found")
    group.addoption(
        "--gadfly-oracle",
        action="append",
        default=[],
        metavar="ORACLE",
        help="who answers: person, reference:PLACE, revision:REV, release:PACKAGE==VERSION, ...; may be repeated",
    )
    group.addoption("--gadfly-trust", action="append", default=[], metavar="NAME", help="a function or module that is right")
    group.addoption(
        "--gadfly-suspect",
        action="append",
        default=[],
        metavar="NAME",
        help="a function or module that is suspected although it is installed",
    )
    group.addoption("--gadfly-format", default="text", choices=["text", "json"], help="how the result is printed")
    group.addoption("--gadfly-strategy", metavar="STRATEGY", help="how the next question is chosen")
    group.addoption("--gadfly-resume", action="store_true", help="continue the last session about the test")


class Hooks:
    """What other plugins may implement."""

    @pytest.hookspec
    def pytest_gadfly_verdict(self, config: "pytest.Config", nodeid: str, verdict: "dict[str, Any]") -> None:
        """A test was debugged: the verdict is what `--gadfly-format json` prints, as a dictionary."""


def pytest_addhooks(pluginmanager: "pytest.PytestPluginManager") -> None:
    pluginmanager.add_hookspecs(Hooks)


def refuse_unknown(config: "pytest.Config") -> None:
    """Says what is wrong with an option before any test runs."""
    table = configured(str(config.rootpath), lambda text: print(f"warning: {text}", file=sys.stderr))
    strategy = config.getoption("--gadfly-strategy") or table.get("strategy")
    oracles = config.getoption("--gadfly-oracle") or table.get("oracle", [])
    wrong = _native.refused(oracles, strategy)
    if wrong is not None:
        raise pytest.UsageError(wrong)


def pytest_configure(config: "pytest.Config") -> None:
    job = take()
    if job is not None and isinstance(job.task, CollectTask):
        config.pluginmanager.register(CollectPassing(config, job.task.folder), "gadfly-collect")
    elif config.getoption("--gadfly"):
        refuse_unknown(config)
        config.pluginmanager.register(RecordTests(config, job), "gadfly-session")
