"""What a paused call is asked: to be made again and recorded, to be judged by a reference or by what the program says of itself."""

import copy
import pickle

from gadfly import _native
from gadfly.code_flags import OPTIMIZED
from gadfly.comparing import compare, snapshot
from gadfly.comparing.judge_outcomes import CALL_PARTS, STRANGE, data_of, differs_in_globals, is_iterator, judged, taken
from gadfly.inside.follow_call import Inside
from gadfly.messages import (
    BAD_REFERENCE,
    CANNOT_SWAP,
    CONTRACTS,
    DOES_NOT_FIT,
    NO_COUNTERPART,
    NOT_REPEATABLE,
    OTHER_RUN,
    PROPERTIES,
    SAYS_NOTHING,
    WRONG,
    Check,
    DifferencesElsewhere,
    DifferingCode,
    Failed,
    Judge,
    Judged,
    JudgeInside,
    Message,
    PassesWithout,
    Passing,
    Record,
    Recorded,
    RecordInside,
    Request,
    Same,
    SameCode,
    TestPassesWith,
    TestPassesWithout,
    Unanswerable,
)
from gadfly.process import copying, held_clock, sent_values
from gadfly.recording import instrument, suspects
from gadfly.reference import align, review
from gadfly.reference.program import Program
from gadfly.reference.script_runs import ScriptRuns
from gadfly.reference.source import Source
from gadfly.reference.swap_code import Unfit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from gadfly._types import Picture, Value
    from gadfly.reference.source import Reference
    from gadfly.replay.server import ReplayServer

# What has not ended after so many events is taken not to end.
ENDLESS_AFTER = 2_000


class RetryCarefully(Exception):
    """The request is to be answered again, with more care."""


class TouchedGlobals:
    """What is done to the variables of modules from now on."""

    def __init__(self, program: "Program") -> None:
        self.program = program
        self.before = snapshot.canonical(data_of(program.modules()))

    def since(self) -> "Any":
        return compare.unlike(self.before, snapshot.canonical(data_of(self.program.modules())))


class RequestHandler:
    """Answers one request, in a process of its own. If `careful`, it looks at what giving the program the reference's code does to
    variables of modules."""

    def __init__(self, server: "ReplayServer", careful: bool) -> None:
        self.server, self.call, self.describer, self.careful = server, server.call, server.describer, careful
        self.program = Program(self.describer, self.call.code, self.call.variables, server.references)
        # What could be reached when the call began.
        self.reached: list[Any] = []
        # How long the call may take.
        self.limit_seconds = 0

    def reply(self, request: Request) -> Message:
        try:
            return self.answer(request)
        except SyntaxError as error:
            # What the program's own code raises is a part of the answer.
            file = suspects.shown(error.filename) if error.filename else "the reference"
            raise Unanswerable(BAD_REFERENCE, f"{file}, line {error.lineno}: {error.msg}") from None

    def answer(self, request: Request) -> Message:
        shape, self.limit_seconds = getattr(request, "shape", None), request.limit_seconds
        self.call.sent = sent_values.read(shape.sent) if shape is not None and shape.sent else None
        if isinstance(request, (Record, RecordInside)):
            return self.record(request)
        if isinstance(request, Judge):
            return self.judge(request)
        if isinstance(request, JudgeInside):
            return self.judge_inside(request)
        if isinstance(request, Check):
            return self.check(request)
        if isinstance(request, DifferingCode):
            reference = self.program.reference(request.reference)
            _, _, details = self.detailed()
            ours, theirs = self.program.aligned(reference)
            return review.differing_code(details, align.align(ours, theirs), ours, theirs)
        assert isinstance(request, (SameCode, DifferencesElsewhere, TestPassesWith, TestPassesWithout))
        reference = self.program.reference(request.reference)
        if isinstance(request, SameCode):
            return Same(review.is_same_code(self.program, self.call, reference, request.how))
        # A script is run from its beginning; a test, as it is called.
        kind = review.TestRuns if self.call.code.co_flags & OPTIMIZED else ScriptRuns
        runs = kind(self.server, self.program, self.call, reference)
        if isinstance(request, DifferencesElsewhere):
            return runs.differences_elsewhere(request.of, request.test_passes)
        if isinstance(request, TestPassesWith):
            return Passing(runs.passing([(file, name) for file, name in request.functions]))
        file, name = request.function
        return PassesWithout(runs.passes_without((file, name)))

    def begin(self) -> None:
        """The call is about to be made: what it may change is not always to be found afterwards."""
        if self.limit_seconds:
            copying.limit(self.limit_seconds)
        held_clock.hold(self.server.clock)
        self.reached = snapshot.reachable([list(self.call.arguments.items()), self.call.closure()])

    def detailed(self) -> "Any":
        """The code of the call with events in it, and what they mean."""
        plain = self.call.code
        text = suspects.read(plain.co_filename)
        detailed = instrument.Detailed(text, plain.co_filename, plain) if text is not None else None
        code = detailed.find(plain) if detailed is not None else None
        if detailed is None or code is None or detailed.details(code) is None:
            raise Unanswerable(NOT_REPEATABLE, "the code of the call is not in its file")
        return detailed, code, detailed.details(code)

    def record(self, request: "Record | RecordInside") -> Recorded:
        """Makes the call as the program does, and records it: with a snapshot of what came of it, or with what happens inside."""
        shape, code, describer = request.shape, None, self.describer.anew()
        if isinstance(request, RecordInside):
            detailed, code, _ = self.detailed()
            describer.detailed[self.call.code.co_filename] = detailed
            instrument.listen()
        _native.start(request.trail, self.server.command, describer, *([ENDLESS_AFTER] if shape.endless else []))
        self.begin()
        # Not from a function of its own: the reference's call is to have as many calls around it.
        how, value = self.call.make(code or self.call.code, code, shape.items, shape.too_deep)
        _native.stop(0, None, shape.endless)
        if isinstance(request, RecordInside) or shape.endless:
            return Recorded()
        if shape.too_deep and type(value) is not RecursionError:
            # It was only too deep inside of others.
            return Recorded(ended=True)
        with open(request.values, "wb") as out:
            pickle.dump(self.picture(how, value, None), out)
        return Recorded()

    def judge(self, request: Judge) -> Message:
        """Makes the call with the reference's code, and compares what comes of it with what was."""
        before = None
        if request.values is not None:
            with open(request.values, "rb") as values:
                before = pickle.load(values)
        reference = self.program.reference(request.reference)
        watch = TouchedGlobals(self.program) if self.careful else None
        if request.strict and self.call.sent is None and align.is_driven(self.call.code, self.program.tree()):
            raise Unanswerable(NOT_REPEATABLE, "how the generator went on is not known")
        code = self.swap_code(reference, request.strict)
        touched = watch.since() if watch else ()
        self.begin()
        how, value = self.call.make(code or self.call.code, None, request.shape.items, request.shape.too_deep)
        if isinstance(value, Unfit):
            raise Unanswerable(CANNOT_SWAP, str(value))
        if how == "raise" and isinstance(value, STRANGE) and (before is None or before["how"] != "raise"):
            raise Unanswerable(DOES_NOT_FIT, "the reference's code does not fit the program's state")
        if before is None:
            return Judged(WRONG, "the reference's call ends")
        now = self.picture(how, value, before)
        if self.call.variables.get("__name__") == "__main__" and self.call.code.co_name == "<module>":
            # What is left in variables when a program ends, nobody sees: it prints, writes and ends as it should, or does not.
            before["globals"] = now["globals"]
        return self.confirm_globals(judged(before, now, reference.kind != "file", touched, request.strict))

    def confirm_globals(self, reply: "Any") -> "Any":
        """What differs in variables of modules may be what was done to them to have the reference's code run: that is seen by
        looking at them before and after, which is done only where it matters."""
        if differs_in_globals(reply) and not self.careful:
            raise RetryCarefully
        return reply

    def swap_code(self, reference: "Reference", strict: bool) -> "Any":
        """Has the program run the reference's code; gives the counterpart of the call's code if it is not a function's."""
        program, code, modules = self.program, self.call.code, self.program.modules()
        source = program.source(reference)
        found = None
        if source is None:
            # What the reference does not have is taken to be right; what it calls may not be.
            pass
        elif code.co_name == "<module>":
            modules.pop(self.call.variables.get("__name__"), None)
            program.adoption(reference, modules, strict).run()
            return reference.code(source)
        elif align.find(reference.tree(source), program.name, None) is None and "<lambda>" not in program.name:
            raise Unanswerable(NO_COUNTERPART, f"the reference has no {program.name}")
        elif not code.co_flags & OPTIMIZED:
            name, order = Source(code.co_filename).place(code)
            found = reference.source(source).codes[name][order]
        program.adoption(reference, modules, strict).run()
        return found

    def check(self, request: Check) -> Message:
        """Makes the call, and asks what the program says of what it takes and gives."""
        call, items = self.call, request.shape.items
        if call.function is None:
            raise Unanswerable(NOT_REPEATABLE, "the function of the call is not known")
        if request.check == PROPERTIES:
            from gadfly.oracles import properties

            reply = properties.answer(call, self.describer.is_suspect_file, self.describer.root, request.place)
        elif request.check == CONTRACTS:
            from gadfly.oracles import contracts

            try:
                before = copy.deepcopy(call.arguments)
            except Exception:
                before = call.arguments
            how, value = call.make(call.code, None, items)
            reply = contracts.answer(call.function, call.arguments, before, how, value)
        else:
            from gadfly.oracles import type_hints

            how, value = call.make(call.code, None, items)
            reply = type_hints.answer(call.function, call.arguments, how, value)
        return reply or Failed(SAYS_NOTHING, "what the program says of itself does not apply to this call")

    def picture(self, how: str, value: "Value", before: "Picture | None") -> "dict[Any, Any]":
        """What came of a call, as something that can be compared."""
        call = self.call
        variables = data_of(self.program.modules(), before and before["names"])
        return {
            "how": how,
            "parts": CALL_PARTS,
            "arguments": list(call.arguments),
            "result": snapshot.canonical(
                (
                    value,
                    list(call.arguments.items()),
                    call.closure(),
                    self.server.printed.text(),
                    self.reached,
                    call.shared(),
                    self.server.files.changed(),
                )
            ),
            "warned": snapshot.canonical(self.server.printed.warnings()),
            "globals": snapshot.canonical(variables),
            "names": {name: list(known) for name, known in variables.items()},
            # Last, since it may do anything.
            "gives": snapshot.canonical([taken(value), *(taken(one) for one in call.arguments.values() if is_iterator(one))]),
        }

    def judge_inside(self, request: JudgeInside) -> Message:
        """Makes the call up to a piece of code inside of it, and compares that with the reference's."""
        _, code, details = self.detailed()
        reference = self.program.reference(request.reference)
        ours, theirs = self.program.aligned(reference)
        inside = Inside(
            self.server,
            self.program,
            details,
            align.align(ours, theirs),
            reference,
            code,
            theirs,
            request,
            self.careful,
            ENDLESS_AFTER if request.shape.endless else None,
        )
        held_clock.hold(self.server.clock)
        instrument.listen(inside.at, inside.give)
        self.call.make(code, code, request.shape.items, request.shape.too_deep)
        return inside.judged or Failed(OTHER_RUN, "the call took another path than before")
