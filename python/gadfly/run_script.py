"""Runs a program as Python does, and records it: GADFLY_TRAIL=FILE python -m gadfly.run_script script.py ARGUMENTS

The program notices nothing: its name is `__main__`, its arguments, output, exceptions and exit status are its own.
With GADFLY_PLAY=SOCKET nothing is recorded: the run is followed, to look into single calls."""
import _frozen_importlib_external
import argparse
import contextlib
import io
import os
import sys
import threading
import types

from gadfly import _native
from gadfly.process import random_state
from gadfly.recording.suspects import Describer, configured, printable, project


def main():
    parser = argparse.ArgumentParser(prog="gadfly", add_help=False)
    parser.add_argument("--root")
    parser.add_argument("--trust", action="append", default=[])
    parser.add_argument("--suspect", action="append", default=[])
    parser.add_argument("--expression")
    parser.add_argument("--memory", type=int)
    parser.add_argument("--monitoring", action="store_true")
    parser.add_argument("script")
    parser.add_argument("arguments", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    _native.configure(options.memory, options.monitoring)
    trail, play, detail = (os.environ.pop(name, None) for name in ("GADFLY_TRAIL", "GADFLY_PLAY", "GADFLY_DETAIL"))
    folder = os.path.dirname(os.path.abspath(options.script))
    # As Python makes it: the program may go to another folder.
    script = os.path.join(os.getcwd(), options.script)
    sys.argv = [options.script, *options.arguments]
    sys.path[0] = folder
    with open(options.script, "rb") as source:
        text = source.read()
    try:
        code = compile(text, script, "exec", dont_inherit=True)
        expression = options.expression and compile(options.expression, "<expression>", "eval", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        tell(error, None)
        return 1
    # Where an expression is evaluated, the program is only what defines its names.
    name = os.path.splitext(os.path.basename(options.script))[0] if expression else "__main__"
    program = types.ModuleType(name)
    program.__loader__ = _frozen_importlib_external.SourceFileLoader(name, script)
    # Later versions of Python make it when it is needed.
    if "__annotations__" in sys.modules["__main__"].__dict__:
        program.__annotations__ = {}
    program.__dict__.update(__builtins__=__builtins__, __file__=script, __cached__=None)
    sys.modules[name] = program
    root = options.root or project(folder)
    table = configured(root)
    describer = Describer(root, options.trust + table.get("trust", []), options.suspect + table.get("suspect", []))
    describer.counterparts = frozenset(os.environ.pop("GADFLY_COUNTERPARTS", "").split(":")) - {""}
    if expression:
        describer.expression = options.expression
    leave, player = os._exit, None
    forget_seed()
    chance = os.environ.pop("GADFLY_CHANCE", None)
    if chance:
        random_state.seed(chance)
    if detail:
        from gadfly.recording import instrument
        instrument.everywhere(describer)
        code = instrument.compiled(describer, text, script)
    if expression:
        try:
            exec(code, program.__dict__)
        except BaseException as ended:
            tell(ended, ended.__traceback__.tb_next)
            return 1
    if play:
        from gadfly.replay.server import ReplayServer
        player = ReplayServer(play, describer, printable(" ".join(sys.argv)))
        listen(player.hear)
        player.start()
    else:
        os.register_at_fork(after_in_child=_native.abandon)
        try:
            _native.start(trail, printable(" ".join(sys.argv)), describer)
        except RuntimeError as error:
            print(f"error: {error}", file=sys.stderr)
            return 2
        listen(_native.wrote)

    def leave_now(status):
        if player:
            player.ended()
        _native.stop(status)
        leave(status)

    os._exit = leave_now
    status, message, interrupted, left, raised = 0, None, False, None, None
    try:
        try:
            if expression:
                value = eval(expression, program.__dict__)
            else:
                exec(code, program.__dict__)
            for thread in threading.enumerate():
                if thread is not threading.current_thread() and not thread.daemon:
                    thread.join()
        except SystemExit as ended:
            left, status = ended, exit_status(SystemExit.code.__get__(ended))
        except BaseException as ended:
            raised = ended
            interrupted = isinstance(ended, KeyboardInterrupt)
            status = 130 if interrupted else 1
            message = type(ended).__name__
            if message_is_safe(ended):
                # Numbers that are too long have no text.
                with contextlib.suppress(ValueError):
                    message = printable(f"{message}: {ended}")
        # Nothing is being handled any more when Python tells of an exception.
        if raised is not None:
            trace = raised.__traceback__
            tell(raised, trace.tb_next if trace else None)
            raised = trace = None
    finally:
        os._exit = leave
        if player:
            player.ended()
        _native.stop(status, message, interrupted)
    if left is not None:
        # What it says, and the status, are left to Python.
        raise left
    if expression and status == 0:
        try:
            print(repr(value))
        except BaseException as ended:
            tell(ended, ended.__traceback__.tb_next)
            return 1
    return status


def forget_seed():
    """Takes out of the environment what was put there so that another run is the same: the seed of the hashes of strings."""
    if os.environ.pop("GADFLY_SEEDED", None):
        os.environ.pop("PYTHONHASHSEED", None)


def tell(exception, trace):
    """Tells of an exception as Python does, without the frames of this file."""
    exception.__traceback__ = trace
    try:
        sys.excepthook(type(exception), exception, trace)
    except SystemExit:
        raise
    except BaseException as failed:
        failed.__traceback__ = failed.__traceback__.tb_next
        print("Error in sys.excepthook:", file=sys.stderr)
        sys.__excepthook__(type(failed), failed, failed.__traceback__)
        print("\nOriginal exception was:", file=sys.stderr)
        sys.__excepthook__(type(exception), exception, trace)


def listen(hear):
    """Has somebody hear what goes to the standard output, if that is the usual one."""
    out = sys.stdout
    if type(out) is io.TextIOWrapper:
        out.write = _native.heard(out.write, hear)


# Values of these have texts that no code of the program makes.
PLAIN = (str, int, float, complex, bool, bytes, types.NoneType)


def message_is_safe(ended):
    """Whether the text of an exception can be had without running the program's code."""
    if type(ended).__str__ not in (BaseException.__str__, Exception.__str__, KeyError.__str__, OSError.__str__):
        return False
    parts = BaseException.args.__get__(ended)
    if isinstance(ended, OSError):
        parts += tuple(part.__get__(ended) for part in (OSError.errno, OSError.strerror, OSError.filename, OSError.filename2))
    return all(type(part) in PLAIN for part in parts)


def exit_status(code):
    """What Python makes of the argument of `sys.exit`, without what it prints."""
    if code is None:
        return 0
    if not issubclass(type(code), int):
        return 1
    number = int.__int__(code)
    # What is too large for C is -1.
    return (number if -2**63 <= number < 2**63 else -1) & 0xFF


if __name__ == "__main__":
    sys.exit(main())
