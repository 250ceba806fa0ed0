"""A call that is about to be made, and how to make it: as the program does, or with other code."""
import asyncio
import gc
import selectors
import sys
import threading
import types

from gadfly.reference import swap_code
from gadfly.process import sent_values
from gadfly.code_flags import OPTIMIZED, SUSPENDED
from gadfly.comparing.judge_outcomes import is_member

# So many values of a generator are taken if nobody knows how many were.
SOME = 1000
# What a generator that is made to go on has given since somebody looked.
YIELDED = []
# How many calls deep we may be where the program may not, and how many of them we are when it goes on.
ROOM, OWN = 200, 6


class Stand:
    """A call that is about to be made."""

    def __init__(self, function, code, variables, names, arguments, around):
        self.code, self.variables, self.names = code, variables, names
        parameters = list(code.co_varnames)
        self.arguments = {parameters[at]: value for at, value in sorted(arguments.items())}
        self.function = function if isinstance(function, types.FunctionType) else None
        if self.function is None and code.co_flags & OPTIMIZED:
            owners = [one for one in gc.get_referrers(code) if type(one) is types.FunctionType and one.__code__ is code]
            fitting = [one for one in owners if is_closure(one.__closure__ or (), around)]
            self.function = (fitting or owners)[0] if len(owners) == 1 or len(fitting) == 1 else None
        # What is sent into it, if it is a generator: by how many values it has given.
        self.sent = None
        self.original = (code, *((self.function.__defaults__, self.function.__kwdefaults__) if self.function else (None, None)))

    def has_defaults(self):
        return self.function is None or bool(self.function.__defaults__ or self.function.__kwdefaults__)

    def closure(self):
        """The values of the variables of functions around it."""
        cells = (self.function and self.function.__closure__) or ()
        return [cell.cell_contents for cell in cells if is_full(cell)]

    def shared(self):
        """What the body of a class has set for all of its objects."""
        if self.code.co_flags & OPTIMIZED or self.names is None or self.names is self.variables:
            return None
        return {name: value for name, value in dict.items(self.names) if is_member(name, value)}

    def do(self, code, replacement, items, deep=False):
        """Makes the call: with its function, or with other code in place of the function's.

        It may be as deep as the program's own would have been; or, if `deep`, as if nothing were around it."""
        if not self.code.co_flags & OPTIMIZED:
            try:
                exec(code, self.variables, self.names)
            except BaseException as error:
                return "raise", error
            return "normal", None
        function = self.function
        if function is None:
            raise swap_code.Unanswerable("the function of the call is not known")
        if replacement is not None:
            defaults, keywords = function.__defaults__, function.__kwdefaults__
            function = types.FunctionType(replacement, function.__globals__, function.__name__, defaults,
                                          function.__closure__)
            function.__kwdefaults__ = keywords
        try:
            sys.setrecursionlimit(sys.getrecursionlimit() - ROOM + (depth() if deep else OWN))
            value = swap_code.call(function, self.arguments, *self.original)
            sys.setrecursionlimit(sys.getrecursionlimit() + ROOM)
            if function.__code__.co_flags & SUSPENDED:
                value = finished(value, SOME if items is None else items, self.sent or {})
        except swap_code.Unanswerable:
            raise
        except BaseException as error:
            sys.setrecursionlimit(sys.getrecursionlimit() + ROOM)
            return "raise", error
        return "normal", value


def depth():
    """How many calls deep we are."""
    frame, count = sys._getframe(), 0
    while frame is not None:
        frame, count = frame.f_back, count + 1
    return count


def finished(value, items, sent):
    """What a generator or a coroutine comes to."""
    if isinstance(value, types.GeneratorType):
        YIELDED.clear()
        # One more than it gave, to see whether it ends there; but not of one that waits for what it is sent.
        for at in range(max(items, max(sent) + 1) if sent else items + 1):
            try:
                YIELDED.append(sent_values.go_on(value, sent.get(at)))
            except StopIteration:
                break
        return list(YIELDED)
    if isinstance(value, types.AsyncGeneratorType):
        async def some():
            found = []
            async for one in value:
                found.append(one)
                if len(found) > items:
                    break
            return found
        return run(some())
    return run(value) if isinstance(value, types.CoroutineType) else value


def run(coroutine):
    """Runs a coroutine in a loop of its own."""
    asyncio._set_running_loop(None)
    loop = asyncio.SelectorEventLoop(Busy())
    asyncio.set_event_loop(loop)
    return loop.run_until_complete(coroutine)


class Busy(selectors.DefaultSelector):
    """What a loop waits with; it does not wait for what nobody will do, since others are not here."""

    def select(self, timeout=None):
        # The loop itself has one file, to be woken up by other threads.
        if timeout is None and len(self.get_map()) <= 1 and threading.active_count() == 1:
            raise swap_code.Unanswerable("it waits for what others do")
        return super().select(timeout)


def is_full(cell):
    try:
        cell.cell_contents
    except ValueError:
        return False
    return True


def is_closure(cells, around):
    """Whether these are the cells of a call, or have in them what its cells have."""
    return len(cells) == len(around) and all(cell is one or is_full(cell) and cell.cell_contents is one
                                             for cell, one in zip(cells, around))
