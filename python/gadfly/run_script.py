"""Runs a program as Python does, and records it: GADFLY_JOB=FILE python -m gadfly.run_script script.py ARGUMENTS

The program notices nothing: its name is `__main__`, its arguments, output, exceptions and exit status are its own. The job (`job.py`) may
also be to follow the run without recording it, and to answer requests about single calls."""

import _frozen_importlib_external
import contextlib
import io
import os
import sys
import threading
import types

from gadfly import _native
from gadfly.job import Job, RecordTask, ReplayTask, take
from gadfly.process import random_state
from gadfly.recording.suspects import Describer, configured, printable, project

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType
    from typing import Any

    from gadfly.replay.server import ReplayServer


def main() -> "Any":
    job = take() or Job(RecordTask(None))
    task = job.task
    _native.configure(job.memory, job.monitoring, job.trail_limit)
    del sys.argv[0]
    given = sys.argv[0]
    folder = os.path.dirname(os.path.abspath(given))
    # As Python makes it: the program may go to another folder.
    script = os.path.join(os.getcwd(), given)
    sys.path[0] = folder
    with open(given, "rb") as source:
        text = source.read()
    try:
        code = compile(text, script, "exec", dont_inherit=True)
        expression = job.expression and compile(job.expression, "<expression>", "eval", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        report(error, None)
        return 1
    # Where an expression is evaluated, the program is only what defines its names.
    program = main_module(os.path.splitext(os.path.basename(given))[0] if expression else "__main__", script)
    describer = describe(job, project(folder))
    leave = os._exit
    job.forget_hash_seed()
    if job.seed is not None:
        random_state.seed(job.seed)
    if isinstance(task, RecordTask) and task.detail:
        from gadfly.recording import instrument

        instrument.everywhere(describer)
        code = instrument.compiled(describer, text, script)
    if expression:
        try:
            exec(code, program.__dict__)
        except BaseException as ended:
            report(ended, behind(ended.__traceback__))
            return 1
    server: ReplayServer | None = None
    if isinstance(task, ReplayTask):
        from gadfly.replay.server import ReplayServer as Server

        server = Server(task.socket, describer, printable(" ".join(sys.argv)), job.notes)
        listen(server.hear)
        server.start()
    else:
        os.register_at_fork(after_in_child=_native.abandon)
        try:
            _native.start(task.trail if isinstance(task, RecordTask) else None, printable(" ".join(sys.argv)), describer)
        except RuntimeError as error:
            print(_native.shown(f"error: {error}"), file=sys.stderr)
            return 2
        listen(_native.wrote)

    def leave_now(status: int) -> None:
        if server:
            server.ended()
        _native.stop(status)
        leave(status)

    os._exit = leave_now  # type: ignore[assignment]
    status, message, interrupted, left, raised = 0, None, False, None, None
    try:
        # Not in a function of its own: the program is to be as many calls deep as it would be.
        try:
            if expression:
                value = eval(expression, program.__dict__)
            else:
                exec(code, program.__dict__)
            for thread in threading.enumerate():
                if thread is not threading.current_thread() and not thread.daemon:
                    thread.join()
        except SystemExit as ended:
            left, status = ended, exit_status(code_of(ended))
        except BaseException as ended:
            raised = ended
            interrupted = isinstance(ended, KeyboardInterrupt)
            status = 130 if interrupted else 1
            message = described(ended)
        # Nothing is being handled any more when Python reports an exception.
        if raised is not None:
            trace = raised.__traceback__
            report(raised, behind(trace))
            raised = trace = None
    finally:
        os._exit = leave
        if server:
            server.ended()
        _native.stop(status, message, interrupted)
    if left is not None:
        # What it says, and the status, are left to Python.
        raise left
    if expression and status == 0:
        try:
            print(repr(value))
        except BaseException as ended:
            report(ended, behind(ended.__traceback__))
            return 1
    return status


def main_module(name: str, script: str) -> "Any":
    """The module that the program runs as."""
    program = types.ModuleType(name)
    program.__loader__ = _frozen_importlib_external.SourceFileLoader(name, script)
    # Later versions of Python make it when it is needed.
    if "__annotations__" in sys.modules["__main__"].__dict__:
        program.__annotations__ = {}
    program.__dict__.update(__builtins__=__builtins__, __file__=script, __cached__=None)
    sys.modules[name] = program
    return program


def describe(job: "Job", root: str) -> "Any":
    """Who decides what is recorded."""
    table = configured(root)
    describer = Describer(root, job.trust + table.get("trust", []), job.suspect + table.get("suspect", []))
    describer.counterparts = frozenset(job.counterparts)
    describer.expression = job.expression or None
    return describer


def report(exception: BaseException, trace: "TracebackType | None") -> None:
    """Reports an exception as Python does, without the frames of this file."""
    exception.__traceback__ = trace
    try:
        sys.excepthook(type(exception), exception, trace)
    except SystemExit:
        raise
    except BaseException as failed:
        failed.__traceback__ = behind(failed.__traceback__)
        print("Error in sys.excepthook:", file=sys.stderr)
        sys.__excepthook__(type(failed), failed, failed.__traceback__)
        print("\nOriginal exception was:", file=sys.stderr)
        sys.__excepthook__(type(exception), exception, trace)


def behind(trace: "TracebackType | None") -> "TracebackType | None":
    """A traceback without its first frame."""
    return trace.tb_next if trace else None


def listen(hear: "Callable[[str], object]") -> None:
    """Has what goes to the standard output heard, if that is the usual one."""
    out = sys.stdout
    if type(out) is io.TextIOWrapper:
        out.write = _native.heard(out.write, hear)  # type: ignore[method-assign]


# What exceptions have, whatever the program has put in the place of that.
code_of: "Any" = SystemExit.__dict__["code"].__get__
arguments_of: "Any" = BaseException.__dict__["args"].__get__
DETAILS: "tuple[Any, ...]" = tuple(OSError.__dict__[name] for name in ("errno", "strerror", "filename", "filename2"))
# Values of these have texts that no code of the program makes.
PLAIN = (str, int, float, complex, bool, bytes, types.NoneType)


def described(ended: BaseException) -> "Any":
    """The name of an exception's class, and its text if that can be had without running the program's code."""
    message = type(ended).__name__
    if message_is_safe(ended):
        # Numbers that are too long have no text.
        with contextlib.suppress(ValueError):
            message = printable(f"{message}: {ended}")
    return message


def message_is_safe(ended: BaseException) -> bool:
    """Whether the text of an exception can be had without running the program's code."""
    if type(ended).__str__ not in (BaseException.__str__, Exception.__str__, KeyError.__str__, OSError.__str__):
        return False
    parts = arguments_of(ended)
    if isinstance(ended, OSError):
        parts += tuple(part.__get__(ended) for part in DETAILS)
    return all(type(part) in PLAIN for part in parts)


def exit_status(code: "Any") -> "Any":
    """What Python makes of the argument of `sys.exit`, without what it prints."""
    if code is None:
        return 0
    if not issubclass(type(code), int):
        return 1
    number = int.__int__(code)
    # What is too large for C is -1.
    return (number if -(2**63) <= number < 2**63 else -1) & 0xFF


if __name__ == "__main__":
    sys.exit(main())
