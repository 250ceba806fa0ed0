"""Runs a program again up to a call, and answers for that call: what it did in detail, and what a reference would do.

A server is a process that is paused at the beginning of a call and gets requests (`messages.py`). `GoTo` makes a copy of the process,
which runs on to another call and is a server there; any other request makes a copy that answers it and ends. So the state of a call is
always the real one, with everything that cannot be written down, and no copy sees what another one did."""

import gc
import os
import signal
import sys
from select import POLLIN, poll

from gadfly import _native
from gadfly.code_flags import AGAIN
from gadfly.messages import (
    CRASHED,
    TIMED_OUT,
    WAITS_FOR_OTHERS,
    Failed,
    GoTo,
    Paused,
    Prepare,
    Prepared,
    RunEnded,
    Unanswerable,
    read_request,
)
from gadfly.process import forked, held_clock
from gadfly.process.copying import CopyingProcess, forget_limit, leave, limit
from gadfly.reference.program import Program
from gadfly.replay.paused_call import PausedCall
from gadfly.replay.requests import RequestHandler, RetryCarefully

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType
    from typing import Any

    from gadfly._types import Value
    from gadfly.messages import Request
    from gadfly.recording.suspects import Describer


# With more objects than these, those that there are by now are not looked at again for every answer: nor does the collector see them.
MANY_OBJECTS = 300_000
# So many seconds may be taken to give the program the reference's code, in addition to those that the call may take.
PREPARATION = 60


class ReplayServer(CopyingProcess):
    """One process, at the beginning of a call."""

    # The call that it is paused at.
    call: PausedCall

    def __init__(self, place: str, describer: "Describer", command: str, trace: str | None = None) -> None:
        super().__init__(place, trace)
        self.describer = describer
        self.command = command
        # What has been read of references, which copies need not read again.
        self.references: dict[Any, Any] = {}
        self.clock: dict[Any, Any] = {}

    def start(self) -> None:
        """Begins to follow a run; comes back in a process that is to run on."""
        os.register_at_fork(after_in_child=self.forked)
        _native.start(None, self.command, self.describer)
        self.connect()
        self.serve()

    def reached(
        self, function: "Any", code: "CodeType", variables: "dict[str, Value]", names: "Any", arguments: "dict[int, Value]", around: "Any"
    ) -> None:
        """The run has come to the call that it was to go to."""
        forget_limit()
        self.clock = held_clock.read()
        self.call = PausedCall(function, code, variables, names, arguments, around)
        self.send(Paused(alone=len(sys._current_frames()) == 1))
        self.serve()

    def serve(self) -> None:
        """Answers requests; comes back in a copy that is to run on."""
        while True:
            self.watch()
            line = self.lines.readline()
            if not line:
                leave(0)
            request = read_request(line)
            if isinstance(request, Prepare):
                self.prepare(request)
                continue
            pid = self.copy()
            if pid == 0:
                if isinstance(request, GoTo):
                    limit(request.limit_seconds)
                    self.connect()
                    _native.wait_for(request.call, self.reached)
                    return
                # What the call itself may take is counted from where it begins.
                limit(request.limit_seconds + PREPARATION)
                self.answer(request)
            if isinstance(request, GoTo):
                self.runners.append(pid)
            else:
                self.wait(pid, request)

    def prepare(self, request: "Prepare") -> None:
        """Reads the code of a reference for the modules that there are by now, as far as it differs."""
        collects = gc.isenabled()
        gc.disable()
        try:
            program = Program(self.describer, self.call.code, self.call.variables, self.references)
            reference = program.reference(request.reference)
            adoption = program.adoption(reference, program.modules())
            if len(gc.get_objects()) > MANY_OBJECTS and not reference.older:
                adoption.prepare()
        except Exception as error:
            # Whoever needs it says what is wrong with it.
            self.note(error)
        finally:
            if collects:
                gc.enable()
        self.send(Prepared())

    def watch(self) -> None:
        """Waits until there is something to do; meanwhile, copies that run on and wait in vain are ended."""
        ready, patience = poll(), forked.FIRST
        ready.register(self.socket, POLLIN)
        while self.runners and not ready.poll(patience):
            self.runners = [pid for pid in self.runners if forked.is_running(pid)]
            # Most of them are paused somewhere by now, and wait as this does.
            patience = min(2 * patience, forked.MOST)

    def wait(self, pid: int, request: "Request", careful: bool = False) -> None:
        """Waits for a copy that answers a request; this one answers if that could not."""
        status = forked.wait(pid)
        if status == forked.IN_VAIN:
            self.send(Failed(WAITS_FOR_OTHERS, forked.WAITS))
        elif os.WIFEXITED(status) and os.WEXITSTATUS(status) == AGAIN and not careful:
            pid = self.copy()
            if pid == 0:
                limit(request.limit_seconds + PREPARATION)
                self.answer(request, careful=True)
            self.wait(pid, request, careful=True)
        elif os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGALRM:
            self.send(Failed(TIMED_OUT, "it did not end in time"))
        elif status != 0:
            self.send(Failed(CRASHED, "the process that was to answer ended unexpectedly"))

    def ended(self) -> None:
        """The run is over, and did not come to the call."""
        if self.is_own:
            self.send(RunEnded())
            leave(0)

    def answer(self, request: "Request", careful: bool = False) -> None:
        """Answers one request in a process of its own, and ends it."""
        status = 1
        try:
            _native.abandon()
            self.printed.clear()
            self.files.listen()
            reply = RequestHandler(self, careful).reply(request)
            self.files.put_back()
            self.note(f"{self.call.code.co_name} {reply}")
            self.send(reply)
            status = 0
        except RetryCarefully:
            status = AGAIN
        except Unanswerable as why:
            self.send(why.reply())
            status = 0
        except BaseException as error:
            self.note(error)
            self.send(Failed(CRASHED, f"the call could not be made again: {type(error).__name__}"))
            status = 0
        finally:
            self.end(status)
