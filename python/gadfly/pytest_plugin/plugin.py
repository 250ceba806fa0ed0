"""The plugin for pytest: `pytest --gadfly` records every test until one fails, and asks questions about that one.

The test itself is the root of the tree, and taken to be right: what it calls is looked at. Test files, fixtures and installed
packages are trusted. The tests run as they always do, and pytest's exit status is its own."""
import atexit
import fnmatch
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
import types

import pytest

from gadfly import _native
from gadfly.process import random_state
from gadfly.pytest_plugin.hypothesis_examples import Examples, is_failure, is_made_up
from gadfly.recording.suspects import Describer, configured


def pytest_addoption(parser):
    group = parser.getgroup("gadfly", "algorithmic debugging")
    group.addoption("--gadfly", action="store_true", help="ask questions about the first test that fails, until the bug is found")
    group.addoption("--gadfly-oracle", action="append", default=[], metavar="ORACLE",
                    help="who answers: person, reference:PLACE, revision:REV, release:PACKAGE==VERSION, ...; may be repeated")
    group.addoption("--gadfly-trust", action="append", default=[], metavar="NAME", help="a function or module that is right")
    group.addoption("--gadfly-suspect", action="append", default=[], metavar="NAME",
                    help="a function or module that is suspected although it is installed")
    group.addoption("--gadfly-format", default="text", choices=["text", "json"], help="how the result is printed")
    group.addoption("--gadfly-strategy", metavar="STRATEGY", help="how the next question is chosen")


def release(config):
    """Has pytest let go of the terminal."""
    capture = config.pluginmanager.getplugin("capturemanager")
    if capture is not None:
        capture.suspend_global_capture(in_=True)


def is_command(config):
    """Whether this process is nothing but pytest: not one that uses it."""
    arguments = [str(argument) for argument in config.invocation_params.args]
    return not arguments or sys.orig_argv[-len(arguments):] == arguments


def pytest_configure(config):
    folder = os.environ.pop("GADFLY_COLLECT", None)
    if folder:
        config.pluginmanager.register(Collect(config, folder), "gadfly-collect")
    elif config.getoption("--gadfly"):
        config.pluginmanager.register(Gadfly(config), "gadfly-session")


# A test that is run once more may take so many seconds beside what all of them took.
PATIENCE = 60


class Collect:
    """Keeps the trails of tests that pass."""

    def __init__(self, config, folder):
        self.folder = folder
        self.describer = TestDescriber(str(config.rootpath), [], [], config.getini("python_files"), [])
        self.count = 0

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_call(self, item):
        trail = os.path.join(self.folder, f"{self.count}.trail")
        self.count += 1
        code = code_of(item)
        self.describer.test = code and known_by(code)
        _native.start(trail, item.nodeid, self.describer.anew())
        outcome = yield
        _native.stop(0)
        if outcome.excinfo is not None:
            os.unlink(trail)


class TestDescriber(Describer):
    """Suspects what the tests are about, and the test that runs, but no other test code."""
    __test__ = False

    def __init__(self, root, trusted, suspected, patterns, packages):
        super().__init__(root, trusted, suspected)
        self.patterns = patterns
        self.packages = tuple(os.path.realpath(package) for package in packages)
        self.test = None

    def anew(self):
        other = TestDescriber(self.root, self.trusted, self.suspected, self.patterns, self.packages)
        other.files, other.names, other.test = self.files, self.names, self.test
        other.counterparts = self.counterparts
        return other

    def suspects(self, file, path):
        if any(path == package or path.startswith(package + os.sep) for package in self.packages):
            return True
        name = os.path.basename(file)
        if name == "conftest.py" or any(fnmatch.fnmatch(name, pattern) for pattern in self.patterns):
            return False
        return super().suspects(file, path)

    def __call__(self, code, variables):
        if self.test is not None and (code.co_name, code.co_firstlineno, code.co_filename) == self.test:
            files, self.files = self.files, {code.co_filename: True}
            try:
                return super().__call__(code, variables)
            finally:
                self.files = files
        return super().__call__(code, variables)


class Gadfly:
    def __init__(self, config):
        self.config = config
        self.began = time.monotonic()
        self.table = configured(str(config.rootpath))
        self.oracles = config.getoption("--gadfly-oracle") or self.table.get("oracle", [])
        self.play = os.environ.pop("GADFLY_PLAY", None)
        # Where the test is to be recorded once more, if that is all that is wanted, and whether with what happens inside of its calls.
        self.detailed = os.environ.pop("GADFLY_TRAIL", None)
        self.inside = os.environ.pop("GADFLY_DETAIL", None)
        self.wanted = os.environ.pop("GADFLY_TEST", None)
        self.chance = os.environ.pop("GADFLY_CHANCE", None)
        # Of a test with examples that are made up: which one is looked for, and those of the one that failed.
        self.example = os.environ.pop("GADFLY_EXAMPLE", None)
        self.examples = None
        # Where `random` stood before the test that is recorded, or that failed.
        self.states = {}
        self.failed = self.last = None
        # The code of the test that runs, and of the one that is recorded.
        self.code = self.met = None
        self.folder = None
        if os.environ.pop("GADFLY_SEEDED", None):
            os.environ.pop("PYTHONHASHSEED", None)
        patterns = config.getini("python_files")
        packages = [package for oracle in self.oracles for package in released(oracle)]
        self.describer = TestDescriber(str(config.rootpath), config.getoption("--gadfly-trust") + self.table.get("trust", []),
                                       config.getoption("--gadfly-suspect") + self.table.get("suspect", []), patterns, packages)
        names = [os.path.splitext(os.path.basename(oracle))[0] for oracle in self.oracles
                 if oracle.startswith("reference:") and oracle.endswith(".py")]
        self.describer.counterparts = frozenset(names)
        self.player = None
        if self.inside:
            from gadfly.recording import instrument
            instrument.everywhere(self.describer)

    def pytest_collection_modifyitems(self, config, items):
        if self.wanted is not None:
            items[:] = [item for item in items if item.nodeid == self.wanted]

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item):
        if (self.play or self.detailed) and self.chance:
            with open(self.chance, "rb") as states:
                random_state.restore(pickle.load(states))
        elif self.failed is None:
            self.states = random_state.kept()

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_call(self, item):
        if self.failed is not None:
            yield
            return
        self.code = code_of(item)
        self.describer.test = self.code and known_by(self.code)
        if self.folder is None:
            self.folder = tempfile.mkdtemp(prefix="gadfly-")
            atexit.register(shutil.rmtree, self.folder, True)
        if is_made_up(item):
            seed = int.from_bytes(os.urandom(4), "big")
            again = self.play or self.detailed
            around = functools.partial(self.play_example if again else self.record_example, item)
            with Examples(item, seed, around, self.example) as self.examples:
                yield
            if self.play:
                self.new_player(item).ended()
            return
        if self.play:
            self.new_player(item).start()
            yield
            self.player.ended()
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

    def start(self, item):
        """Begins to record a test: into memory, until it is known whether it fails, unless a file is wanted anyway."""
        if self.detailed:
            if os.path.exists(self.detailed):
                os.unlink(self.detailed)
            detailed = self.describer.detailed
            self.describer = self.describer.anew()
            self.describer.detailed = detailed
            _native.start(self.detailed, item.nodeid, self.describer)
            return
        if self.code is not self.met:
            # The test that runs is recorded, and no other one.
            for code in (self.code, self.met):
                if code is not None:
                    _native.forget(code)
            self.met = self.code
        _native.watch(os.path.join(self.folder, "new.trail"), "pytest", self.describer)

    def stop(self, item, error):
        """A test is over, by an exception of this class if there is one."""
        status, message = (0, None) if error is None else (1, error.__name__)
        if self.detailed:
            if not self.inside:
                self.describer.show_files()
            _native.stop(status, message)
            with open(self.detailed + ".outcome", "w") as out:
                out.write(str(message))
            return
        # Methods of unittest keep their exceptions to themselves; pytest has them until it reports.
        wanted = error is not None or getattr(item, "_excinfo", is_unittest(item))
        if wanted:
            self.describer.show_files()
        _native.unwatch(bool(wanted), status, message)
        if wanted:
            # Another recording has to be told of all files once more.
            self.describer = self.describer.anew()
            trail = os.path.join(self.folder, "test.trail")
            os.replace(os.path.join(self.folder, "new.trail"), trail)
            self.last = item.nodeid, trail, str(message)

    def drop(self):
        """Nobody will ask about what was recorded last."""
        if self.detailed:
            _native.stop(0)
        else:
            _native.unwatch(False)

    def record_example(self, item, examples, text, run):
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

    def play_example(self, item, examples, text, run):
        if self.player is not None or not examples.is_wanted(text):
            return run()
        if self.detailed:
            return self.record_example(item, examples, text, run)
        self.new_player(item).start()
        try:
            return run()
        finally:
            self.player.ended()

    def new_player(self, item):
        from gadfly.replay.server import ReplayServer
        self.player = self.player or ReplayServer(self.play, self.describer, item.nodeid)
        return self.player

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item, call):
        # What a test comes to is known here: unittest keeps its exceptions to itself, and some failures are expected.
        outcome = yield
        report = outcome.get_result()
        if report.when == "call" and report.failed and self.failed is None and self.last and self.last[0] == item.nodeid:
            self.failed = self.last

    @pytest.hookimpl(trylast=True)
    def pytest_unconfigure(self, config):
        if self.failed is None:
            if not self.play and not self.detailed:
                print("gadfly: no test failed, so there is nothing to ask")
            return
        nodeid, trail, message = self.failed
        recipe = os.path.join(self.folder, "recipe.json")
        environment = {"GADFLY_TEST": nodeid}
        if self.examples is not None and self.examples.failed:
            environment["GADFLY_EXAMPLE"] = self.examples.recipe()
        environment["GADFLY_CHANCE"] = os.path.join(self.folder, "chance")
        with open(environment["GADFLY_CHANCE"], "wb") as out:
            pickle.dump(self.states, out)
        command = [sys.executable, *sys.orig_argv[1:]]
        if not is_command(config):
            command = [sys.executable, "-m", "pytest", *map(str, config.invocation_params.args)]
        # Folders for tests have to have the same names.
        base = getattr(getattr(config, "_tmp_path_factory", None), "_basetemp", None)
        command += ["--basetemp", str(base)] if base is not None else []
        command += ["-p", "no:cacheprovider", "-p", "no:randomly", "-p", "no:xdist"]
        for seeded in seeds():
            environment.update(seeded)
            alone = self.recorded_alone(command, environment, message)
            if alone:
                trail = alone
                break
        with open(recipe, "w") as out:
            json.dump({"command": command, "environment": environment, "folder": str(config.invocation_params.dir)}, out)
        arguments = ["gadfly", "debug", trail, "--replay", recipe, "--format", config.getoption("--gadfly-format")]
        for oracle in self.oracles:
            arguments += ["--oracle", oracle]
        strategy = config.getoption("--gadfly-strategy") or self.table.get("strategy")
        arguments += ["--strategy", strategy] if strategy else []
        if config.getoption("--gadfly-format") == "text":
            print(f"\ngadfly: {nodeid}")
        sys.stdout.flush()
        release(config)
        _native.main(arguments)

    def recorded_alone(self, command, environment, message):
        """The trail of the test that failed, run once more and alone: among others, little is kept of its values. Nothing if it does
        not fail then, or in another way."""
        trail = os.path.join(self.folder, "alone.trail")
        try:
            subprocess.run(command, env={**os.environ, **environment, "GADFLY_TRAIL": trail}, stdin=subprocess.DEVNULL,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=self.config.invocation_params.dir,
                           timeout=PATIENCE + 5 * (time.monotonic() - self.began))
            with open(trail + ".outcome") as outcome:
                return trail if outcome.read() == message else None
        except (OSError, subprocess.SubprocessError):
            return None


def seeds():
    """What has the order of sets be the same in other runs. A test may fail with some of them only."""
    if "PYTHONHASHSEED" in os.environ:
        yield {}
        return
    for _ in range(3):
        seed = str(int.from_bytes(os.urandom(4), "big"))
        yield {"PYTHONHASHSEED": seed, "GADFLY_SEEDED": seed}


def is_unittest(item):
    """Whether a test is a method of unittest's."""
    unittest = sys.modules.get("unittest")
    return unittest is not None and isinstance(getattr(item, "instance", None), unittest.TestCase)


def known_by(code):
    """What the code of a test is known by."""
    return code.co_name, code.co_firstlineno, code.co_filename


def code_of(item):
    """The code of a test, if it has any."""
    function = getattr(item, "function", None) or getattr(item, "obj", None)
    function = item.obj.hypothesis.inner_test if is_made_up(item) else function
    while hasattr(function, "__wrapped__"):
        function = function.__wrapped__
    code = getattr(getattr(function, "__func__", function), "__code__", None)
    return code if isinstance(code, types.CodeType) else None


def released(oracle):
    """Where the modules of a package are that another release of it answers for."""
    kind, _, name = oracle.partition(":")
    if kind != "release":
        return []
    name = re.split(r"[=<>!~;\[ ]", name)[0]
    modules = [module for module, distributions in importlib.metadata.packages_distributions().items()
               if normal(name) in map(normal, distributions)] if hasattr(importlib.metadata, "packages_distributions") else []
    found = []
    for module in modules or [name.replace("-", "_")]:
        try:
            spec = importlib.util.find_spec(module)
        except (ImportError, ValueError):
            continue
        if spec is not None:
            found += list(spec.submodule_search_locations or [spec.origin])
    return found


def normal(name):
    return re.sub(r"[-_.]+", "-", name).lower()
