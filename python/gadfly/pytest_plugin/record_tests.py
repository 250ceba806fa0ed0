"""Records every test until one fails, and debugs that one.

The test itself is the root of the tree, and taken to be right: what it calls is looked at. Test files, fixtures and installed
packages are trusted. The tests run as they always do, and pytest's exit status is its own.

The test that failed is run again in processes of their own, by the same plugin with a job: to be recorded alone, and to answer requests
about its calls."""

import atexit
import functools
import importlib.metadata
import importlib.util
import json
import os
import pickle
import re
import shutil
import subprocess
import sys
import tempfile
import time

import pytest

from gadfly import _native
from gadfly.job import VARIABLE, Job, RecordTask, ReplayTask, TestToRun, syntax_error, write
from gadfly.messages import VERSION
from gadfly.process import random_state
from gadfly.pytest_plugin.hypothesis_examples import Examples, is_failure, is_made_up
from gadfly.pytest_plugin.test_code import TestDescriber, code_of, known_by
from gadfly.recording.suspects import configured

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator
    from types import CodeType
    from typing import Any

    from gadfly.replay.server import ReplayServer

# A test that is run once more may take so many seconds beside what all of them took.
RERUN_GRACE = 60
# What came of debugging, as a dictionary: `config.stash[VERDICT]`.
VERDICT: "Any" = pytest.StashKey()


class RecordTests:
    failed: "tuple[str, str, str] | None"
    last: "tuple[str, str, str] | None"
    code: "CodeType | None"
    met: "CodeType | None"
    folder: str
    examples: "Examples | None"

    def __init__(self, config: "pytest.Config", job: "Job | None") -> None:
        self.config = config
        self.began = time.monotonic()
        self.table = configured(str(config.rootpath))
        self.oracles = config.getoption("--gadfly-oracle") or self.table.get("oracle", [])
        task = job.task if job else None
        # If this is a process that runs one test again: how it is recorded, or where it answers requests about its calls.
        self.rerun = task if isinstance(task, RecordTask) else None
        self.rerun_trail = (self.rerun and self.rerun.trail) or ""
        self.replay = task if isinstance(task, ReplayTask) else None
        self.test = job.test if job else None
        self.notes = job.notes if job else None
        if job:
            job.forget_hash_seed()
        # Of a test with examples that are made up: those of the one that failed.
        self.examples = None
        # The states of random numbers before the test that is recorded, or that failed.
        self.states: dict[Any, Any] = {}
        self.failed = self.last = None
        # The code of the test that runs, and of the one that is recorded.
        self.code = self.met = None
        self.folder = ""
        packages = [package for oracle in self.oracles for package in released(oracle)]
        self.describer = TestDescriber(
            str(config.rootpath),
            config.getoption("--gadfly-trust") + self.table.get("trust", []),
            config.getoption("--gadfly-suspect") + self.table.get("suspect", []),
            config.getini("python_files"),
            packages,
        )
        names = [os.path.splitext(os.path.basename(file))[0] for file in reference_files(self.oracles)]
        self.describer.counterparts = frozenset(names)
        self.server: ReplayServer | None = None
        if self.rerun and self.rerun.detail:
            from gadfly.recording import instrument

            instrument.everywhere(self.describer)

    def pytest_collection_modifyitems(self, config: "pytest.Config", items: "list[pytest.Item]") -> None:
        if self.test is not None:
            items[:] = [item for item in items if item.nodeid == self.test.nodeid]

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: "pytest.Item") -> None:
        if self.test is not None:
            with open(self.test.random_state, "rb") as states:
                random_state.restore(pickle.load(states))
        elif self.failed is None:
            self.states = random_state.kept()

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_call(self, item: "pytest.Item") -> "Generator[None, Any, None]":
        if self.failed is not None:
            yield
            return
        self.code = code_of(item)
        self.describer.test = self.code and known_by(self.code)
        if not self.folder:
            self.folder = tempfile.mkdtemp(prefix="gadfly-")
            atexit.register(shutil.rmtree, self.folder, True)
        if is_made_up(item):
            seed = int.from_bytes(os.urandom(4), "big")
            around = functools.partial(self.example_again if self.test else self.record_example, item)
            with Examples(item, seed, around, self.test.example if self.test else None) as self.examples:
                yield
            if self.replay:
                self.new_server(item).ended()
            return
        if self.replay:
            self.new_server(item).start()
            yield
            self.new_server(item).ended()
            return
        try:
            self.start(item)
        except (RuntimeError, OSError) as error:
            item.warn(pytest.PytestWarning(f"gadfly: this test is not recorded: {error}"))
            yield
            return
        outcome = yield
        self.stop(item, outcome.excinfo and outcome.excinfo[0])
        self.examples = None

    def start(self, item: "pytest.Item") -> None:
        """Begins to record a test: into memory, until it is known whether it fails; or into a file if it is run again for that."""
        if self.rerun:
            if os.path.exists(self.rerun_trail):
                os.unlink(self.rerun_trail)
            detailed = self.describer.detailed
            self.describer = self.describer.anew()
            self.describer.detailed = detailed
            _native.start(self.rerun_trail, item.nodeid, self.describer)
            return
        if self.code is not self.met:
            # The test that runs is recorded, and no other one.
            for code in (self.code, self.met):
                if code is not None:
                    _native.forget(code)
            self.met = self.code
        _native.watch(os.path.join(self.folder, "new.trail"), "pytest", self.describer)

    def stop(self, item: "pytest.Item", error: type[BaseException] | None) -> None:
        """A test is over, by an exception of this class if there is one."""
        status, message = (0, None) if error is None else (1, error.__name__)
        if self.rerun:
            if not self.rerun.detail:
                self.describer.show_files()
            _native.stop(status, message)
            with open(self.rerun_trail + ".outcome", "w") as out:
                out.write(str(message))
            return
        # Methods of unittest keep their exceptions to themselves; pytest has them until it reports.
        wanted = error is not None or getattr(item, "_excinfo", is_unittest(item))
        if wanted:
            self.describer.show_files()
        _native.unwatch(bool(wanted), status, message)
        if wanted:
            # Another recording has to know all files once more.
            self.describer = self.describer.anew()
            trail = os.path.join(self.folder, "test.trail")
            os.replace(os.path.join(self.folder, "new.trail"), trail)
            self.last = item.nodeid, trail, str(message)

    def drop(self) -> None:
        """What was recorded last is not wanted."""
        if self.rerun:
            _native.stop(0)
        else:
            _native.unwatch(False)

    def record_example(self, item: "pytest.Item", examples: "Examples", text: str, run: "Callable[[], Any]") -> "Any":
        """Records a test with one of its examples; what is kept is the last one that fails."""
        self.start(item)
        try:
            result = run()
        except BaseException as error:
            if is_failure(error):
                self.stop(item, type(error))
                examples.fails(text)
            else:
                self.drop()
            raise
        self.drop()
        examples.passes(text)
        return result

    def example_again(self, item: "pytest.Item", examples: "Examples", text: str, run: "Callable[[], Any]") -> "Any":
        """The test is run again: only the example that failed is of interest."""
        if self.server is not None or not examples.is_wanted(text):
            return run()
        if self.rerun:
            return self.record_example(item, examples, text, run)
        self.new_server(item).start()
        try:
            return run()
        finally:
            self.new_server(item).ended()

    def new_server(self, item: "pytest.Item") -> "ReplayServer":
        from gadfly.replay import server

        assert self.replay is not None
        self.server = self.server or server.ReplayServer(self.replay.socket, self.describer, item.nodeid, self.notes)
        return self.server

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item: "pytest.Item", call: object) -> "Generator[None, Any, None]":
        # What a test comes to is known here: unittest keeps its exceptions to itself, and some failures are expected.
        outcome = yield
        report = outcome.get_result()
        if report.when == "call" and report.failed and self.failed is None and self.last and self.last[0] == item.nodeid:
            self.failed = self.last

    @pytest.hookimpl(trylast=True)
    def pytest_unconfigure(self, config: "pytest.Config") -> None:
        if self.failed is None:
            if self.test is None:
                print("gadfly: no failing test")
            return
        for file in reference_files(self.oracles):
            wrong = syntax_error(file) if os.path.isfile(file) else None
            if wrong is not None:
                print(_native.shown(f"error: {wrong}\nhint: the reference must be valid Python"), file=sys.stderr)
                return
        nodeid, *_ = self.failed
        path = os.path.join(self.folder, "debug.json")
        with open(path, "w") as out:
            json.dump(self.debug_job(config), out)
        if config.getoption("--gadfly-format") == "text":
            print(_native.shown(f"\ngadfly: {nodeid}"))
        sys.stdout.flush()
        release_terminal(config)
        _, report = _native.debug_test(path)
        if report is not None:
            verdict = config.stash[VERDICT] = json.loads(report)
            config.hook.pytest_gadfly_verdict(config=config, nodeid=nodeid, verdict=verdict)

    def debug_job(self, config: "pytest.Config") -> "dict[Any, Any]":
        """What is to be debugged: the test that failed, and how it is run again."""
        assert self.failed is not None
        nodeid, trail, message = self.failed
        states = os.path.join(self.folder, "random-state")
        with open(states, "wb") as out:
            pickle.dump(self.states, out)
        example = self.examples.to_find() if self.examples is not None and self.examples.failed else None
        job = Job(RecordTask(None), test=TestToRun(nodeid, example, states))
        command = rerun_command(config)
        environment = {}
        for environment in hash_seeds():
            job.own_hash_seed = bool(environment)
            alone = self.recorded_alone(command, environment, job, message)
            if alone:
                trail = alone
                break
        return {
            "type": "debug-test",
            "version": VERSION,
            "trail": trail,
            "command": command,
            "environment": list(environment.items()),
            "folder": str(config.invocation_params.dir),
            "job": job.fields(),
            "oracles": self.oracles,
            "strategy": config.getoption("--gadfly-strategy") or self.table.get("strategy"),
            "format": config.getoption("--gadfly-format"),
        }

    def recorded_alone(self, command: list[str], environment: dict[str, str], job: Job, message: str) -> "Any":
        """The trail of the test that failed, run once more and alone: among others, little is kept of its values. Nothing if it does
        not fail then, or in another way."""
        trail, place = (os.path.join(self.folder, name) for name in ("alone.trail", "job.json"))
        job.task = RecordTask(trail)
        write(job, place)
        try:
            subprocess.run(
                command,
                env={**os.environ, **environment, VARIABLE: place},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd=self.config.invocation_params.dir,
                timeout=RERUN_GRACE + 5 * (time.monotonic() - self.began),
            )
            with open(trail + ".outcome") as outcome:
                return trail if outcome.read() == message else None
        except (OSError, subprocess.SubprocessError):
            return None


def rerun_command(config: "pytest.Config") -> "Any":
    """The command that runs pytest as this process does."""
    command = [sys.executable, *sys.orig_argv[1:]]
    if not is_command(config):
        command = [sys.executable, "-m", "pytest", *map(str, config.invocation_params.args)]
    # Folders for tests have to have the same names.
    base = getattr(getattr(config, "_tmp_path_factory", None), "_basetemp", None)
    command += ["--basetemp", str(base)] if base is not None else []
    return command + ["-p", "no:cacheprovider", "-p", "no:randomly", "-p", "no:xdist"]


def is_command(config: "pytest.Config") -> bool:
    """Whether this process is nothing but pytest: not one that uses it."""
    arguments = [str(argument) for argument in config.invocation_params.args]
    return not arguments or sys.orig_argv[-len(arguments) :] == arguments


def release_terminal(config: "pytest.Config") -> None:
    """Has pytest let go of the terminal."""
    capture = config.pluginmanager.getplugin("capturemanager")
    if capture is not None:
        capture.suspend_global_capture(in_=True)


def hash_seeds() -> "Iterator[Any]":
    """What has the order of sets be the same in other runs, as variables of the environment. A test may fail with some of them only."""
    if "PYTHONHASHSEED" in os.environ:
        yield {}
        return
    for _ in range(3):
        yield {"PYTHONHASHSEED": str(int.from_bytes(os.urandom(4), "big"))}


def is_unittest(item: "pytest.Item") -> bool:
    """Whether a test is a method of unittest's."""
    unittest = sys.modules.get("unittest")
    return unittest is not None and isinstance(getattr(item, "instance", None), unittest.TestCase)


def reference_files(oracles: list[str]) -> "list[Any]":
    """Files that are references."""
    return [oracle.partition(":")[2] for oracle in oracles if oracle.startswith("reference:") and oracle.endswith(".py")]


def released(oracle: str) -> "Any":
    """Where the modules of a package are that another release of it answers for."""
    kind, _, name = oracle.partition(":")
    if kind != "release":
        return []
    name = re.split(r"[=<>!~;\[ ]", name)[0]
    modules = (
        [
            module
            for module, distributions in importlib.metadata.packages_distributions().items()
            if normal(name) in map(normal, distributions)
        ]
        if hasattr(importlib.metadata, "packages_distributions")
        else []
    )
    found: list[str] = []
    for module in modules or [name.replace("-", "_")]:
        try:
            spec = importlib.util.find_spec(module)
        except (ImportError, ValueError):
            continue
        if spec is not None:
            found += spec.submodule_search_locations or filter(None, [spec.origin])
    return found


def normal(name: str) -> "Any":
    return re.sub(r"[-_.]+", "-", name).lower()
