"""A process of the program that makes copies of itself: how it talks to the binary, and how it and its copies are limited and end.

Copies share the state of the program: what one of them does, no other sees. Each has its own alarm, files and random numbers."""

import fcntl
import os
import signal
import socket
import stat
import sys
import traceback
from time import monotonic

from gadfly import _native
from gadfly.messages import Hello, Message
from gadfly.process import random_state, shared_memory
from gadfly.process.printed_output import Printed
from gadfly.process.written_files import Files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

# The program may have another one by now.
leave = os._exit


class CopyingProcess:
    """This process, with its connection to the binary."""

    def __init__(self, place: str, trace: str | None = None) -> None:
        # The socket, in a folder that is ours.
        self.place = place
        # Where errors and answers are noted, for those who look for mistakes of ours.
        self.trace = trace
        self.printed = Printed()
        self.files = Files(os.path.dirname(place))
        self.copying = False
        # Whether this is not a process that the program has forked off, which has nothing to say.
        self.is_own = True
        # Copies that run on to other calls.
        self.runners: list[Any] = []

    def connect(self) -> None:
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(self.place)
        self.lines = self.socket.makefile("rb")
        self.send(Hello())

    def send(self, message: Message) -> None:
        self.socket.sendall(message.line())

    def hear(self, text: str) -> None:
        """The program prints something."""
        self.printed.append(text)
        _native.wrote(text)

    def forked(self) -> None:
        """The program has made a process of its own, or a copy was made."""
        if not self.copying:
            self.is_own = False
            _native.abandon()

    def copy(self) -> int:
        """Makes a copy of this process; gives 0 in the copy."""
        self.copying, states, loop = True, random_state.kept(), running_loop()
        try:
            pid = os.fork()
        finally:
            self.copying = False
        if pid == 0:
            # Without this, numpy and `random` would go on differently in a copy.
            random_state.restore(states)
            shared_memory.make_private()
            keep_limit()
            self.runners = []
            self.files.copied()
            reopen_files()
            if loop is not None:
                # A loop that runs is not taken to run in a copy.
                sys.modules["asyncio"]._set_running_loop(loop)
        return pid

    def note(self, what: "Any") -> None:
        """Writes down an error, or an answer, if that is wanted."""
        if self.trace:
            with open(self.trace, "a") as out:
                if isinstance(what, BaseException):
                    traceback.print_exception(type(what), what, what.__traceback__, file=out)
                else:
                    print(what, file=out)

    def end(self, status: int = 0) -> "NoReturn":
        """Ends this process; nothing stays of what it wrote into files."""
        self.files.put_back()
        leave(status)


def running_loop() -> "Any":
    """The loop of asyncio that this runs in, if it does."""
    asyncio = sys.modules.get("asyncio")
    return asyncio and asyncio._get_running_loop()


def reopen_files() -> None:
    """Has a copy of the process read its files by itself: what one copy reads, others have not read."""
    try:
        numbers = [int(name) for name in os.listdir("/proc/self/fd")]
    except OSError:
        numbers = [0]
    for number in numbers:
        try:
            if not stat.S_ISREG(os.fstat(number).st_mode):
                continue
            at, inherited = os.lseek(number, 0, os.SEEK_CUR), os.get_inheritable(number)
            again = os.open(f"/proc/self/fd/{number}", fcntl.fcntl(number, fcntl.F_GETFL) & ~(os.O_CREAT | os.O_TRUNC))
        except OSError:
            continue
        os.lseek(again, at, os.SEEK_SET)
        os.dup2(again, number, inherited)
        os.close(again)


# When this process has to have ended, if that is limited.
until = None


def limit(seconds: float | None) -> None:
    """Ends this process if it takes too long."""
    global until
    if seconds:
        until = monotonic() + seconds
        keep_limit()


def keep_limit() -> None:
    """A copy of a process has no alarm of its own until it is set."""
    if until is not None:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, max(until - monotonic(), 0.01))


def forget_limit() -> None:
    global until
    until = None
    signal.setitimer(signal.ITIMER_REAL, 0)
