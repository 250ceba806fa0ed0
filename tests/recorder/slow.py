"""The slow recorder: what the quick one must show, said as plainly as possible.

It hears of every call and every end of a call of the program's code, and copies the values deeply, at once (`looks.py`). It keeps nothing
of the program's between two events but what is in `Open`: the arguments of calls that are open, which live as long as the call anyway. So
there is nothing to go stale, and it runs no code of the program's.

How it hears: up to 3.11 as a trace function, from 3.12 on through `sys.monitoring`. The trace function is registered as one that is
written in C (with `ctypes`), not by `sys.setprofile` or `sys.settrace`: these copy the variables of every frame into a dictionary before they
call anybody, and that dictionary keeps objects alive that the program has let go. Of events that no interpreter tells (that a
generator was made, what it was sent) the stage tells: see `stage.Listener`.

Which code is the program's, and which variables it uses, is what the package's own description says (`python/gadfly/recording/suspects.py`), for both
recorders: that is not what is judged here."""
import ctypes
import dis
import functools
import gc
import os
import sys
import threading
import types

import stage
from looks import ELEMENTS, MISSING, NOTHING, VALUE_PARTS, Look, by_name, class_name, is_kind_of, is_one_of, shown
from trail import Call

# How many parts all values of one function's calls together may have before anything of them may be left out.
FUNCTION_PARTS = 20_000
YIELDS = 1
YIELD, YIELD_FROM = dis.opmap["YIELD_VALUE"], bytes([dis.opmap.get("YIELD_FROM", 255)])
NONE = ("constant", "None")


class Function:
    """Code of the program, as its description (see `python/gadfly/recording/suspects.py`) has it."""

    def __init__(self, described):
        self.name = described[0]
        self.parameters = described[6]
        self.captured = described[7]
        self.globals = described[8]
        # Whether calls go on later: of a generator, which yields, or of a coroutine, which waits.
        self.resumes = described[9][0] != 0
        # Arguments in whose place the code puts something else.
        self.replaced = {name for told in described[9][3:] for name, is_replaced in zip(described[6], told) if is_replaced}
        self.yields = described[9][0] == YIELDS
        self.was_called = False
        self.parts = 0

    def look(self, value):
        """A look on behalf of a call; together they may become too many for all to be shown."""
        look = Look(value)
        self.parts += look.parts
        return look

    @property
    def may_be_short(self):
        return self.parts > FUNCTION_PARTS - VALUE_PARTS


class Open:
    """A call that is open, or goes on later."""

    def __init__(self, number, call, function):
        self.number = number
        self.call = call
        self.function = function
        self.frame = None
        # What it may change: a name, the object if it is held, where it is if not, and what it was.
        self.watched = []
        # What it raised last, as far as is known.
        self.exception = None


def undisturbed(work):
    """Has the collector wait while this recorder works: what it finds is the program's, and is to die in the program."""
    @functools.wraps(work)
    def done(*given):
        was_enabled = gc.isenabled()
        gc.disable()
        try:
            return work(*given)
        finally:
            if was_enabled:
                gc.enable()
    return done


class Recorder(stage.Listener):
    """What is done at events, whoever tells of them. `calls` is as `trail.read` has it."""

    def __init__(self, describe):
        self.describe = describe
        self.calls = []
        # Functions by the address of their code, which is held.
        self.codes = {}
        self.functions = {}
        # Open calls by thread, the innermost last.
        self.stacks = {}
        self.roots = {}
        self.first = None
        # Generators that were made or have yielded, by the address of their frames.
        self.paused = {}
        # What the stage has announced for the generator that goes on next.
        self.announced = None

    # What the stage tells.

    def generator(self, function):
        if not sees_generators_made():
            return function
        recorder = self

        @functools.wraps(function)
        def made(*arguments):
            return recorder.made(function, arguments)
        return made

    @undisturbed
    def sending(self, value):
        self.announced = ("sent", Look(value).structure) if value is not None and not is_told_by_events() else None

    @undisturbed
    def throwing(self, exception):
        # A class stands for an exception that will be made of it.
        is_made = not is_kind_of(type(exception), type)
        if not is_told_by_events():
            self.announced = "thrown", Look(exception).structure if is_made else ("con", class_name(exception), ())

    def given(self):
        self.announced = None

    @undisturbed
    def thread_begins(self):
        number = len(self.calls)
        first = self.stacks.get(self.first)
        call = Call(first[0].number if first else None, "thread", ())
        call.outcomes.append(("became", NONE))
        self.calls.append(call)
        self.roots[threading.get_ident()] = number
        self.listen()

    def thread_ends(self):
        self.stop()
        self.stacks.pop(threading.get_ident(), None)
        self.roots.pop(threading.get_ident(), None)

    # What events tell.

    def function(self, code, variables):
        """The function of a piece of code; None if it is not the program's."""
        known = self.codes.get(id(code))
        if known is None:
            described = self.describe(code, variables)
            if described is not None:
                key = repr(described[:3] + described[4:])
                described = self.functions.setdefault(key, Function(described))
            known = self.codes[id(code)] = code, described
        return known[1]

    def stack(self):
        thread = threading.get_ident()
        if self.first is None:
            self.first = thread
        return self.stacks.setdefault(thread, [])

    def enter(self, function, arguments, captured, variables):
        """A call begins. What is given are the values of its arguments, of variables around by name, and of its module."""
        stack = self.stack()
        parent = stack[-1].number if stack else self.roots.get(threading.get_ident())
        call = Call(parent, function.name, None)
        opened = Open(len(self.calls), call, function)
        seen = []
        for name, value in zip(function.parameters, arguments):
            look = NOTHING if value is MISSING else function.look(value)
            seen.append((name, look.structure))
            call.is_short |= look.is_large
            if look.is_mutable:
                opened.watched += watched_argument(function, name, value, look)
        for name, is_stored in function.captured:
            look = self.look_up(function, captured, name)
            seen.append((name, look.structure))
            call.is_short |= look.is_large
            if look.is_mutable or is_stored:
                opened.watched.append((name, None, "captured", look))
        self.watch_globals(opened, function, variables)
        call.arguments = tuple(seen)
        call.is_short |= function.may_be_short
        self.calls.append(call)
        return opened

    def watch_globals(self, opened, function, variables):
        if not function.globals:
            return
        variables = by_name(variables)
        if not function.was_called:
            # What is no data the first time, or cannot change in place, is not looked at later either, unless it is assigned.
            function.globals = [(name, is_stored) for name, is_stored in function.globals
                                if is_stored or is_data(variables.get(name)) and Look(variables[name]).is_mutable]
        for name, is_stored in function.globals:
            look = self.look_up(function, variables, name)
            if is_stored or look.is_mutable:
                opened.watched.append((name, None, "global", look))
        function.was_called = True

    def look_up(self, function, variables, name):
        return function.look(variables[name]) if name in variables else NOTHING

    def tell_changes(self, opened, own, variables):
        """What a call has changed: `own` gives its variables by name, `variables` are those of its module."""
        function = opened.function
        watched, opened.watched = opened.watched, []
        for name, value, where, before in watched:
            if where == "held":
                after = function.look(value)
            elif where == "global":
                after = self.look_up(function, by_name(variables), name)
            else:
                after = self.look_up(function, own(), name.lstrip("*"))
            opened.call.is_short |= before.is_large or after.is_large
            if shown(after.structure) != shown(before.structure):
                opened.call.changes.append((name, before.structure, after.structure))
        opened.call.is_short |= function.may_be_short

    @undisturbed
    def made(self, function, arguments):
        """A generator function is called, where the interpreter tells that only by what follows."""
        described = self.function(function.__code__, function.__globals__)
        cells = function.__closure__ or ()
        captured = {name: cell.cell_contents for name, cell in zip(function.__code__.co_freevars, cells) if is_filled(cell)}
        opened = self.enter(described, arguments, captured, function.__globals__)
        opened.watched.clear()
        result = function(*arguments)
        if described.yields:
            opened.call.outcomes.append(("became", Look(result).structure))
        self.paused[id(result.gi_frame if described.yields else result.cr_frame)] = opened
        return result

    def begin(self, function, frame):
        """The frame of the program's begins, or goes on."""
        opened = self.paused.pop(id(frame), None) if function.resumes else None
        if opened is None:
            variables = variables_of(frame) if function.parameters or function.captured else {}
            arguments = [variables.get(name.lstrip("*"), MISSING) for name in function.parameters]
            opened = self.enter(function, arguments, variables, frame.f_globals)
        elif self.announced is not None and function.yields:
            opened.call.progress.append(self.announced)
        self.announced = None
        opened.frame, opened.exception = id(frame), None
        self.stack().append(opened)

    def leave(self, frame, how, value):
        """The frame that was begun last is left: "returned" or "yielded" with a value, or "raised" with the structure of one."""
        opened = self.stack().pop()
        if opened.frame != id(frame):
            raise AssertionError(f"{opened.call.name} is open, and another frame is left")
        call, function = opened.call, opened.function
        self.tell_changes(opened, lambda: variables_of(frame), frame.f_globals)
        if how == "raised":
            call.outcomes.append(("raised", value))
            if function.yields and value[1] != "GeneratorExit":
                call.progress.append(("failed", value))
            return
        look = function.look(value)
        call.is_short |= look.is_large or function.may_be_short
        if how == "yielded":
            if not call.outcomes and not (sees_generators_made() and function.resumes):
                call.outcomes.append(("became", NONE))
            if function.yields:
                call.progress.append(("yielded", look.structure))
            self.paused[id(frame)] = opened
        elif not (function.yields and value is None and call.outcomes):
            call.outcomes.append(("became", look.structure))


def watched_argument(function, name, value, look):
    """How an argument is watched that may change: nothing, or what stands in `Open.watched`."""
    if is_told_by_events():
        # The frame has it, unless the code puts something else in its place.
        return [] if name in function.replaced else [(name, None, "argument", look)]
    # An ordinary argument lives until the call is over. But some are the frame's alone, and may die before that: the dictionary of named
    # ones, of which only what is in it is held; and before 3.11 those of a generator.
    if function.resumes and sys.version_info < (3, 11):
        return []
    if name.startswith("**"):
        return [(name, dict(value), "held", look)] if len(value) <= ELEMENTS else []
    return [(name, value, "held", look)]


NO_DATA = (types.FunctionType, types.ModuleType, int, str, float, bool, types.BuiltinFunctionType, types.NoneType)


def is_data(value):
    return not is_one_of(type(value), NO_DATA) and not is_kind_of(type(value), type)


def is_filled(cell):
    try:
        cell.cell_contents
    except ValueError:
        return False
    return True


def is_told_by_events():
    """Whether the recorder that is judged does not evaluate frames, but is told by documented events, as this one is."""
    return os.environ.get("GADFLY_EVENTS") == "documented"


def sees_generators_made():
    """Whether a generator function's call is told when it gives a generator: from 3.11 on, where its frame is evaluated up to there."""
    return sys.version_info >= (3, 11) and not is_told_by_events()


def variables_of(frame):
    """The variables of a function by name. Up to 3.12 the frame keeps the dictionary, which must not keep the objects."""
    variables = frame.f_locals
    if sys.version_info >= (3, 13):
        return dict(variables)
    found = dict(variables)
    variables.clear()
    return found


class Traced(Recorder):
    """Hears as a trace function in C."""

    CALL, EXCEPTION, RETURN = 0, 1, 3
    Function = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.py_object, ctypes.c_int, ctypes.c_void_p)

    def __init__(self, describe):
        super().__init__(describe)
        self.heard = self.Function(self.hear)
        self.texts = {}
        self.failure = None

    def listen(self):
        ctypes.pythonapi.PyEval_SetTrace(self.heard, None)

    def stop(self):
        ctypes.pythonapi.PyEval_SetTrace(None, None)

    @undisturbed
    def hear(self, _, frame, event, value):
        try:
            if event in (self.CALL, self.EXCEPTION, self.RETURN):
                self.tell(frame, event, value)
        except BaseException as raised:
            self.failure = self.failure or raised
        return 0

    def tell(self, frame, event, value):
        function = self.function(frame.f_code, frame.f_globals)
        if event == self.CALL:
            frame.f_trace_lines = False
        if function is None:
            return
        if event == self.CALL:
            self.begin(function, frame)
        elif event == self.EXCEPTION:
            exception = ctypes.cast(value, ctypes.py_object).value[1]
            self.stack()[-1].exception = function.look(exception).structure
        elif not value:
            # Nobody says with which exception; but it was told when it came here, and nothing of the program's ran in between.
            self.leave(frame, "raised", self.stack()[-1].exception)
        else:
            how = "yielded" if function.resumes and self.is_at_yield(frame) else "returned"
            self.leave(frame, how, ctypes.cast(value, ctypes.py_object).value)

    def is_at_yield(self, frame):
        code = frame.f_code
        if id(code) not in self.texts:
            self.texts[id(code)] = code.co_code
        text, at = self.texts[id(code)], frame.f_lasti
        # In 3.10, `yield from` waits one instruction before itself.
        return text[at] == YIELD or text[at + 2 : at + 3] == YIELD_FROM


class Monitored(Recorder):
    """Hears through `sys.monitoring`."""

    TOOL = 1

    def __init__(self, describe):
        super().__init__(describe)
        self.failure = None
        self.is_heard = False

    def listen(self):
        if self.is_heard:
            return
        self.is_heard = True
        monitoring, events = sys.monitoring, sys.monitoring.events
        monitoring.use_tool_id(self.TOOL, "the slow recorder")
        told = {events.PY_START: self.started, events.PY_RESUME: self.started, events.PY_THROW: self.thrown,
                events.PY_RETURN: self.returned, events.PY_YIELD: self.yielded, events.PY_UNWIND: self.unwound}
        for event, callback in told.items():
            monitoring.register_callback(self.TOOL, event, self.safely(callback))
        monitoring.set_events(self.TOOL, functools.reduce(int.__or__, told))

    def stop(self):
        if threading.get_ident() == self.first:
            sys.monitoring.set_events(self.TOOL, 0)
            sys.monitoring.free_tool_id(self.TOOL)

    def safely(self, callback):
        @undisturbed
        def heard(code, _, value=None):
            frame = sys._getframe(2)
            try:
                function = self.function(code, frame.f_globals)
                if function is not None:
                    callback(function, frame, value)
            except BaseException as raised:
                self.failure = self.failure or raised
        return heard

    def started(self, function, frame, _):
        self.begin(function, frame)

    def thrown(self, function, frame, exception):
        # Nothing begins of a generator that has not begun, for who is told by events only.
        if not is_told_by_events() or id(frame) in self.paused:
            self.begin(function, frame)

    def returned(self, function, frame, value):
        self.leave(frame, "returned", value)

    def yielded(self, function, frame, value):
        self.leave(frame, "yielded", value)

    def unwound(self, function, frame, exception):
        stack = self.stack()
        if not is_told_by_events() or stack and stack[-1].frame == id(frame):
            self.leave(frame, "raised", function.look(exception).structure)


def recorder(describe):
    """The one for this interpreter."""
    return Traced(describe) if sys.version_info < (3, 12) else Monitored(describe)
