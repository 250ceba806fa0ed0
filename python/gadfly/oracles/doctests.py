"""Runs the examples in the documentation of files, and keeps the trails of those that hold: python -m gadfly.oracles.doctests FILES

The job (`job.py`) says where."""

import doctest
import importlib
import io
import os
import sys

from gadfly import _native
from gadfly.job import CollectTask, take
from gadfly.recording.suspects import Describer, project


def main() -> None:
    job = take()
    if job is None or not isinstance(job.task, CollectTask):
        sys.exit("gadfly.oracles.doctests needs a job that says where to keep trails")
    folder = job.task.folder
    count = 0
    for file in sys.argv[1:]:
        if not os.path.isfile(file):
            continue
        place = os.path.dirname(os.path.abspath(file))
        name = os.path.splitext(os.path.basename(file))[0]
        while os.path.exists(os.path.join(place, "__init__.py")):
            place, package = os.path.split(place)
            name = f"{package}.{name}" if name != "__init__" else package
        sys.path.insert(0, place)
        out, sys.stdout = sys.stdout, io.StringIO()
        try:
            module = importlib.import_module(name)
        except BaseException:
            continue
        finally:
            sys.stdout = out
        describer = Describer(project(place))
        for test in doctest.DocTestFinder(exclude_empty=True).find(module):
            # Each example is run by itself, after those that it may need.
            for last in range(len(test.examples)):
                part = doctest.DocTest(test.examples[: last + 1], dict(test.globs), test.name, test.filename, test.lineno, test.docstring)
                trail = os.path.join(folder, f"{count}.trail")
                count += 1
                _native.start(trail, test.name, describer.anew())
                failed = doctest.DocTestRunner(verbose=False).run(part, out=lambda text: None).failed
                _native.stop(0)
                if failed:
                    os.unlink(trail)
                    break
                if last:
                    os.unlink(os.path.join(folder, f"{count - 2}.trail"))


if __name__ == "__main__":
    main()
