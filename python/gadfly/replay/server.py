"""Runs a program again up to a call, and answers for that call: what it did in detail, and what a correct version would do.

A player is a process that stands at the beginning of a call and does what it is told through a socket, one JSON object a
line. `go` makes a copy of the process, which runs on to another call and stands there as a player of its own; `record` and
`ask` make a copy that does the call, tells what came of it, and ends. So the state of a call is always the real one, with
everything that cannot be written down, and no copy sees what another one did."""
import fcntl
import json
import os
import signal
import socket
import stat
import sys
import traceback
from select import POLLIN, poll
from time import monotonic

from gadfly import _native
from gadfly.reference import swap_code
from gadfly.recording import suspects
from gadfly.process import forked, held_clock, random_state
from gadfly.replay.requests import Answers, Careless
from gadfly.process.written_files import Files
from gadfly.code_flags import AGAIN
from gadfly.process.printed_output import Printed
from gadfly.replay.paused_call import Stand

# The program may have another one by now.
leave = os._exit


class Player:
    """One process, at the beginning of a call."""

    def __init__(self, place, describer, command):
        self.place = place
        self.describer = describer
        self.command = command
        self.printed = Printed()
        self.copying = False
        # Whether this is not a process that the program has forked off, which has nothing to tell.
        self.is_own = True
        self.stands = None
        self.clock = {}
        # Copies that run on to other calls.
        self.runners = []
        self.files = Files(os.path.dirname(place))

    def connect(self):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(self.place)
        self.lines = self.socket.makefile("rb")

    def hear(self, text):
        """The program prints something."""
        self.printed.append(text)
        _native.wrote(text)

    def tell(self, **what):
        self.socket.sendall(json.dumps(what).encode() + b"\n")

    def start(self):
        """Begins to follow a run; comes back in a process that is to run on."""
        os.register_at_fork(after_in_child=self.forked)
        _native.start(None, self.command, self.describer)
        self.connect()
        self.tell(at=0)
        self.serve()

    def forked(self):
        """The program has made a process of its own, or a copy was made."""
        if not self.copying:
            self.is_own = False
            _native.abandon()

    def copy(self):
        """Makes a copy of this process; gives 0 in the copy."""
        self.copying, states, loop = True, random_state.kept(), running_loop()
        try:
            pid = os.fork()
        finally:
            self.copying = False
        if pid == 0:
            # Copies of a process have other luck otherwise.
            random_state.restore(states)
            go_on_limiting()
            self.runners = []
            self.files.copied()
            reopen()
            if loop is not None:
                # A loop that runs is not taken to run in a copy.
                sys.modules["asyncio"]._set_running_loop(loop)
        return pid

    def reached(self, function, code, variables, names, arguments, around):
        """The run has come to the call that it was to go to."""
        forget_limit()
        self.clock = held_clock.read()
        self.stands = Stand(function, code, variables, names, arguments, around)
        self.tell(at=1, alone=len(sys._current_frames()) == 1, name=suspects.Describer.qualified(self.describer, code), line=code.co_firstlineno)
        self.serve()

    def serve(self):
        """Does what it is told; comes back in a copy that is to run on."""
        while True:
            self.watch()
            line = self.lines.readline()
            if not line:
                leave(0)
            told = json.loads(line)
            pid = self.copy()
            if pid == 0:
                limit(told.get("seconds"))
                if "go" in told:
                    self.connect()
                    self.tell(started=True)
                    _native.wait_for(told["go"], self.reached)
                    return
                self.do(told)
            if "go" in told:
                self.runners.append(pid)
            else:
                self.wait(pid, told)

    def watch(self):
        """Waits until there is something to do; meanwhile, copies that run on and wait in vain are ended."""
        told, patience = poll(), forked.FIRST
        told.register(self.socket, POLLIN)
        while self.runners and not told.poll(patience):
            self.runners = [pid for pid in self.runners if forked.goes_on(pid)]
            # Most of them stand somewhere by now, and wait as this does.
            patience = min(2 * patience, forked.MOST)

    def wait(self, pid, told):
        """Waits for a copy that does something; one that could not tell is told of."""
        status = forked.wait(pid)
        if status == forked.IN_VAIN:
            self.tell(unknown="it waits for what others do")
        elif os.WIFEXITED(status) and os.WEXITSTATUS(status) == AGAIN and not told.get("careful"):
            told["careful"] = True
            pid = self.copy()
            if pid == 0:
                limit(told.get("seconds"))
                self.do(told)
            self.wait(pid, told)
        elif os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGALRM:
            self.tell(unknown="there was no end in time")
        elif status != 0:
            self.tell(unknown="the process that was to answer came to an unexpected end")

    def note(self, what):
        """Tells those who look for mistakes of ours: an error, or an answer."""
        place = os.environ.get("GADFLY_PLAYER_TRACE")
        if place:
            with open(place, "a") as out:
                if isinstance(what, BaseException):
                    traceback.print_exception(type(what), what, what.__traceback__, file=out)
                else:
                    print(self.stands and self.stands.code.co_name, what, file=out)

    def end(self, status=0):
        self.files.put_back()
        leave(status)

    def ended(self):
        """The run is over, and did not come to the call."""
        if self.is_own:
            self.tell(ended=True)
            leave(0)

    def do(self, told):
        """Does one thing in a process of its own, and ends it."""
        status = 1
        try:
            _native.abandon()
            self.printed.clear()
            self.files.listen()
            answer = Answers(self).to(told)
            self.files.put_back()
            self.note(answer)
            self.tell(**answer)
            status = 0
        except Careless:
            status = AGAIN
        except swap_code.Unanswerable as why:
            self.tell(unknown=str(why))
            status = 0
        except BaseException as error:
            self.note(error)
            self.tell(unknown=f"the call could not be made again: {type(error).__name__}")
            status = 0
        finally:
            self.end(status)


def running_loop():
    """The loop of asyncio that this runs in, if it does."""
    asyncio = sys.modules.get("asyncio")
    return asyncio and asyncio._get_running_loop()


def reopen():
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


def limit(seconds):
    """Ends this process if it takes too long."""
    global until
    if seconds:
        until = monotonic() + seconds
        go_on_limiting()


def go_on_limiting():
    """A copy of a process has no alarm of its own until it is set."""
    if until is not None:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, max(until - monotonic(), 0.01))


def forget_limit():
    global until
    until = None
    signal.setitimer(signal.ITIMER_REAL, 0)
