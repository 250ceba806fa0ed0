"""Judges the recorder by random programs: python tests/recorder/judge.py --count 20000 --seed 1 --package FOLDER

Each program of `programs.py` is run three times, each time in a process of its own:

- under an empty hook, which is the control: frames are evaluated as when something is recorded, but nothing is;
- the same with the slow recorder of `slow.py` listening;
- recorded by the recorder that is judged, into a trail that `trail.py` reads.

All three must say the same of themselves (log, deaths, how they ended). The calls of the trail must be those that the slow
recorder saw: the same order, callers, arguments, changes, results, exceptions, and what generators gave and were given.

What may differ all the same, and why, is said in `compare.py`.

The control is no plain run: from 3.11 on, evaluating frames by itself keeps arguments alive until the call is over."""
import argparse
import gc
import io
import os
import pickle
import signal
import sys
import tempfile
import time
import traceback

import compare
import programs
import slow
import stage
import trail

FILE = os.path.join(os.sep, "judged", "program.py")
SECONDS = 30
# How many smaller programs are tried to show one that differs.
TRIES = 250


def main():
    options = parse_options()
    run_as_asked(options)
    if hasattr(sys, "set_int_max_str_digits"):
        # Values are sorted and shown by their texts, however long a number is.
        sys.set_int_max_str_digits(0)
    if options.package:
        sys.path.insert(0, os.path.abspath(options.package))
    judge = Judge(options)
    seeds = options.only or range(options.seed, options.seed + options.count)
    count, failed = judge.judge_files(options.file) if options.file else judge.judge_all(seeds)
    print(f"{count} programs, {failed} differ")
    return 1 if failed else 0


def parse_options():
    parser = argparse.ArgumentParser(description="Judges the recorder by random programs.")
    parser.add_argument("--count", type=int, default=1000, help="how many programs")
    parser.add_argument("--seed", type=int, default=1, help="the first program's number; the others follow it")
    parser.add_argument("--only", type=int, nargs="+", help="these programs instead")
    parser.add_argument("--package", help="the folder that the package `gadfly` is in, if it is not installed")
    parser.add_argument("--malloc-debug", action="store_true", help="have freed memory overwritten (PYTHONMALLOC=debug)")
    parser.add_argument("--threshold", type=int, help="let the collector run by itself after so many allocations")
    parser.add_argument("--documented", action="store_true", help="record by documented events only (3.12 and later)")
    parser.add_argument("--most", type=int, default=20, help="stop after so many programs that differ")
    parser.add_argument("--no-shrink", action="store_true", help="show programs as they are")
    parser.add_argument("--print", action="store_true", help="print the programs, and do not run them")
    parser.add_argument("--file", nargs="+", help="judge these programs instead; their generator functions need a line `@generator` above them")
    return parser.parse_args()


def run_as_asked(options):
    """Begins anew with the settings that only a new interpreter takes: the same order of sets everywhere, and a strict allocator."""
    wanted = {"PYTHONHASHSEED": "0"}
    if options.malloc_debug:
        wanted["PYTHONMALLOC"] = "debug"
    if options.documented:
        wanted["GADFLY_EVENTS"] = "documented"
    if any(os.environ.get(name) != value for name, value in wanted.items()):
        os.environ.update(wanted)
        os.execv(sys.executable, [sys.executable, "-B", *sys.argv])


class Run:
    """What came of one run of a program: what it noted and printed, how it ended, its calls."""

    def __init__(self):
        self.log, self.printed, self.collected, self.compared, self.end, self.calls = [], [], [], [], "", []
        # How the process ended, if not as it should have, and what it said.
        self.crash = None


class Judge:
    def __init__(self, options):
        self.options = options
        self.folder = tempfile.TemporaryDirectory(prefix="judge-", dir="/dev/shm" if os.path.isdir("/dev/shm") else None)
        from gadfly import _native
        from gadfly.recording.suspects import Describer
        self.native, self.describer = _native, describer_of(Describer)()
        # What is here already is none of the programs' business, and looking at it would copy it.
        gc.collect()
        gc.freeze()

    def judge_files(self, files):
        failed = 0
        for name in files:
            with open(name, encoding="utf-8") as file:
                difference = self.difference(programs.Program(0, [file.read()]))
            print(f"{name}: {difference or 'no difference'}", flush=True)
            failed += bool(difference)
        return len(files), failed

    def judge_all(self, seeds):
        failed, began = 0, time.monotonic()
        told = began
        for count, seed in enumerate(seeds, 1):
            program = programs.generate(seed, self.options.threshold)
            if self.options.print:
                print(program.alone())
                continue
            difference = self.difference(program)
            if difference:
                failed += 1
                self.report(program, difference)
                if failed >= self.options.most:
                    return count, failed
            if time.monotonic() - told > 10:
                told = time.monotonic()
                print(f"  {count} programs, {failed} differ, {1000 * (told - began) / count:.1f} ms each", flush=True)
        return len(seeds), failed

    def report(self, program, difference):
        if not self.options.no_shrink:
            program, difference = self.shrunk(program, difference)
        print(f"\n==== program {program.seed} differs: {difference}")
        print("---- program")
        print(program.alone())
        print("----", flush=True)

    def shrunk(self, program, difference):
        """The program without what it does not need to differ in the same way."""
        kind, tries = difference.split(":")[0], 0

        def is_enough(smaller):
            nonlocal program, difference, tries
            tries += 1
            other = self.difference(smaller)
            if not other or other.split(":")[0] != kind:
                return False
            program, difference = smaller, other
            return True

        step = max(1, len(program.pieces) // 2)
        while tries < TRIES:
            at, is_smaller = 0, False
            unused = program.without_unused()
            if len(unused.pieces) < len(program.pieces):
                is_smaller = is_enough(unused)
            while at < len(program.pieces) and tries < TRIES:
                if is_enough(program.without(at, at + step)):
                    is_smaller = True
                else:
                    at += step
            if step == 1 and not is_smaller:
                break
            step = max(1, step // 2)
        return program, difference

    def difference(self, program):
        """What is first found to differ, as a text that begins with a kind and a colon; None if nothing does."""
        source = program.source()
        self.describer.tell_source(source)
        code = compile(source, FILE, "exec", dont_inherit=True)
        return compare.difference(*(self.run(kind, code) for kind in ("control", "slow", "fast")), program.is_automatic)

    def run(self, kind, code):
        """Runs a program in a process of its own."""
        recorded, errors = (os.path.join(self.folder.name, name) for name in ("trail", "errors"))
        sys.stdout.flush()
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            status = 1
            try:
                os.close(read)
                signal.alarm(SECONDS)
                error = os.open(errors, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
                os.dup2(error, 2)
                done = self.perform(kind, code, recorded)
                with open(write, "wb") as out:
                    pickle.dump(done, out)
                status = 0
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(status)
        os.close(write)
        with open(read, "rb") as given:
            data = given.read()
        status = os.waitpid(child, 0)[1]
        if status == 0:
            return pickle.loads(data)
        run = Run()
        with open(errors, errors="replace") as file:
            said = file.read()
        run.crash = f"{ended(status)}\n{said[-3000:]}".strip()
        return run

    def perform(self, kind, code, recorded):
        """The same in this process."""
        run, listener = Run(), None
        variables = stage.globals_for("program")
        variables["program_file"] = FILE
        sys.stdout = io.StringIO()
        sys.unraisablehook = lambda told: stage.note("ignored", told.exc_type.__name__)
        gc.disable()
        if kind == "slow":
            listener = stage.listener = slow.recorder(self.describer)
        if kind == "fast":
            self.native.start(recorded, "judged", self.describer)
        else:
            self.native.start(None, "judged", lambda code, variables: None)
        if listener:
            listener.stack()
            listener.listen()
        try:
            exec(code, variables)
            run.end = "came to its end"
        except BaseException as raised:
            run.end = f"raised {type(raised).__name__}"
        gc.collect()
        gc.disable()
        if listener:
            listener.stop()
        self.native.stop(0)
        run.log, run.collected, run.compared = stage.log, sorted(stage.collected), stage.compared
        run.printed = sys.stdout.getvalue().splitlines()
        if listener:
            if listener.failure:
                raise listener.failure
            run.calls = listener.calls
        if kind == "fast":
            with open(recorded, "rb") as file:
                run.calls = trail.read(file.read())
        return run


def describer_of(base):
    """A describer for programs that are in no file: their code is the program's, everything else is trusted."""
    from gadfly.recording.suspects import names

    class InMemory(base):
        def __init__(self):
            super().__init__(os.path.dirname(FILE))
            self.texts.add(FILE)

        def tell_source(self, source):
            # Before 3.11 code does not know the whole name of its function.
            if sys.version_info < (3, 11):
                self.names[FILE] = names(source)

        def is_suspect_file(self, file):
            return file == FILE
    return InMemory


def ended(status):
    if os.WIFSIGNALED(status):
        name = signal.Signals(os.WTERMSIG(status)).name
        return f"took longer than {SECONDS} seconds" if name == "SIGALRM" else f"killed by {name}"
    return f"ended with status {os.WEXITSTATUS(status)}"


if __name__ == "__main__":
    sys.exit(main())
