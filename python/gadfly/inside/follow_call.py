"""Follows what happens inside of a call, and compares a part of it with what the reference does in its place."""

import ast
import sys

from gadfly.code_flags import AGAIN
from gadfly.comparing.judge_outcomes import differs_in_globals, gives, judged
from gadfly.inside.branches import arms
from gadfly.inside.try_statements import Trial
from gadfly.messages import (
    AFTER,
    BEFORE,
    CORRECT,
    DOES_NOT_FIT,
    INADMISSIBLE,
    NO_COUNTERPART,
    NOT_REPEATABLE,
    OTHER_RUN,
    WRONG,
    Failed,
    Judged,
)
from gadfly.process.run_to_end import YIELDED
from gadfly.recording import instrument, statement_effects
from gadfly.reference import align

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType, FrameType
    from typing import Any, NoReturn

    from gadfly._types import Node, Picture, Statements, Value
    from gadfly.messages import JudgeInside
    from gadfly.process.copying import CopyingProcess
    from gadfly.recording.instrument import Details, Fragment
    from gadfly.reference.align import Alignment
    from gadfly.reference.program import Program
    from gadfly.reference.source import Reference


class Inside:
    """Follows the events of a call up to a fragment; there a copy does what the reference does, and the rest is compared.

    Several fragments that follow each other are right if each of them is."""

    # The fragment that is followed, and the one around it, by their numbers.
    fragment: "int | None"
    parent: "int | None"
    leaves: "str | None"
    judged: "Judged | Failed | None"
    unmatched: "Statements | None"
    good: "Picture | Failed"
    alone: "Picture | Failed | None"
    returned: "Picture | Failed | None"
    lacks: "str | None"

    def __init__(
        self,
        process: "CopyingProcess",
        program: "Program",
        details: "Details",
        alignment: "Alignment",
        reference: "Reference",
        code: "CodeType",
        theirs: "Any",
        request: "JudgeInside",
        careful: bool,
        most: int | None,
    ) -> None:
        self.process, self.details = process, details
        # So many events it may take; or any number.
        self.most = most
        self.first, self.last = request.first, request.last
        self.parent = None
        self.alignment, self.reference, self.code = alignment, reference, code
        self.begun = self.events = 0
        self.fragment = None
        self.leaves = None
        self.judged = None
        self.strict, self.careful = request.strict, careful
        # The reference's function, and its statements that nothing of the program corresponds to.
        self.reference_code, self.unmatched = theirs, None
        self.trial = Trial(process, program, reference, code, request.strict, careful)
        self.trial.mentioned = align.mentioned(theirs)

    def at(self, number: int) -> None:
        frame = sys._getframe(1)
        if frame.f_code is not self.code:
            return
        for one in self.details.begun(number):
            self.reach(frame, one)

    def reach(self, frame: "FrameType", number: int) -> None:
        fragment = None
        self.events += self.fragment is not None
        if self.most is not None and self.events > self.most:
            self.left(frame, "endless", None)
            return
        if number >= instrument.FIRST:
            fragment = self.details.fragments[number - instrument.FIRST]
        if self.fragment is not None:
            if number <= instrument.RAISED or not self.is_inside(number - instrument.FIRST):
                error = sys.exc_info()[1]
                raised = number == instrument.RAISED or fragment is not None and fragment.kind == instrument.HANDLES
                how = "raise" if raised and error is not None else self.leaves or "normal"
                self.left(frame, how, error if how == "raise" else None)
            elif fragment is not None and fragment.kind in (instrument.BREAK, instrument.CONTINUE):
                self.leaves = self.goes(number - instrument.FIRST)
        if fragment is None or fragment.kind in (instrument.ENDS, instrument.HANDLES):
            if number <= instrument.RAISED and self.judged:
                self.send(self.judged)
            return
        self.begun += 1
        if self.fragment is None and self.begun >= self.first:
            if self.begun > self.last:
                self.send(self.judged)
            if self.parent is None or fragment.parent == self.parent:
                self.parent, self.fragment, self.leaves = fragment.parent, number - instrument.FIRST, None
                self.begin(frame, fragment)

    def give(self, value: "Value") -> "Any":
        if self.fragment is not None and sys._getframe(1).f_code is self.code:
            if not self.is_same and self.returned is not None:
                if isinstance(self.returned, Failed):
                    self.send(self.returned)
                self.good, self.alone = self.returned, None
            self.left(sys._getframe(1), "return", value)
        return value

    def is_inside(self, number: int) -> bool:
        """Whether a fragment is inside of the one that is followed."""
        at = self.details.fragments[number].parent
        while at >= 0:
            if at == self.fragment:
                return True
            at = self.details.fragments[at].parent
        return False

    def goes(self, number: int) -> "Any":
        """What a `break` or a `continue` does to the fragment that is followed: nothing if its loop is inside."""
        fragments = self.details.fragments
        kind, at = fragments[number].kind, number
        while at >= 0 and fragments[at].kind != instrument.LOOP:
            at = fragments[at].parent
        if at == self.fragment or self.is_inside(at):
            return None
        if kind == instrument.CONTINUE and self.fragment is not None and fragments[self.fragment].kind in instrument.ROUNDS:
            return None
        return "break" if kind == instrument.BREAK else "continue"

    def is_rebound(self, statements: "Statements") -> bool:
        """Whether the reference has statements before, which the program has none for, that set what these read: in the program's state
        they would do something else than in their own."""
        if self.unmatched is None:
            self.unmatched = self.alignment.unmatched(self.reference_code)
        inside = {id(node) for one in statements for node in ast.walk(one)}
        first = min((one.lineno for one in statements), default=0)
        before = [one for one in self.unmatched if one.lineno < first and id(one) not in inside]
        bound = {node.id for one in before for node in ast.walk(one) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        read = {node.id for one in statements for node in ast.walk(one) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
        own = {node.id for one in statements for node in ast.walk(one) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        return bool(bound & read - own)

    def begin(self, frame: "FrameType", fragment: "Fragment") -> None:
        """Copies of the process do what the reference does here: with what it has more than this code, and without."""
        path = fragment.path
        if fragment.kind in (instrument.BREAK, instrument.CONTINUE):
            assert self.fragment is not None
            self.leaves = self.goes(self.fragment)
        ours, partner = self.alignment.partners.get(path, (None, None))
        if path[-1][0] == "round":
            statements = self.alignment.body_of(path[:-1])
            own = self.alignment.partners.get(path[:-1], (None, None))[0]
            own = own.body if own is not None else []
        else:
            statements, own = self.alignment.of(path), [ours]
        self.is_same = statements is not None and None not in own and align.written(statements) == align.written(own)
        if self.is_same:
            # What is written the same does the same, since the calls that it makes have been found right.
            return
        if self.trial.is_function and any(arm.is_taken(self.trial, frame) is False for arm in arms(self.alignment, path)):
            self.send(Judged(INADMISSIBLE, "the reference would not come here"))
        if statements is None:
            # Nothing may be raised here: it is the program that runs.
            self.send(Failed(NO_COUNTERPART, "the reference has no counterpart of this code"))
        if self.is_rebound(statements):
            self.send(Failed(DOES_NOT_FIT, "the reference has set other variables before"))
        if takes(statements):
            self.send(Failed(NOT_REPEATABLE, "it waits for what it is sent"))
        is_round = fragment.kind in instrument.ROUNDS
        self.good = self.trial.of(frame, statements, is_round)
        # What stands behind `finally` is looked at by itself if the call returns before.
        self.returned = None
        if len(statements) == 1 and ends_finally(statements[0]) and ends_finally(ours):
            self.returned = self.trial.of(frame, without_finally(statements[0]), is_round)
        self.alone = self.lacks = None
        if partner in statements and len(statements) > 1:
            self.lacks = AFTER if statements[0] is partner else BEFORE
            self.alone = self.trial.of(frame, [partner], is_round)
        self.process.printed.clear()
        self.given = len(YIELDED)
        if isinstance(self.good, Failed):
            self.send(self.good)

    def left(self, frame: "FrameType", how: str, value: "Value") -> None:
        """The fragment is over."""
        self.fragment = None
        if self.is_same:
            self.judged = Judged(CORRECT)
            if self.first == self.last or how != "normal":
                self.send(self.judged)
            return
        variables, yields = dict(frame.f_locals), YIELDED[self.given :]
        picture = lambda: self.trial.picture(frame, how, value, variables, yields)
        is_last = self.first == self.last or how != "normal"
        # What iterators would give is looked at elsewhere if the program is to go on.
        ours = picture() if is_last or not any(map(gives, variables.values())) else self.trial.elsewhere(picture)
        self.judged = ours if isinstance(ours, Failed) else self.compared(ours, self.good)
        if isinstance(self.judged, Failed):
            self.send(self.judged)
        if self.judged.judgement == WRONG and self.alone and not isinstance(self.alone, Failed):
            if self.compared(ours, self.alone) == Judged(CORRECT):
                self.judged.missing = self.lacks
        if self.judged.judgement == WRONG or is_last:
            self.send(self.judged)

    def compared(self, ours: "Any", theirs: "Any") -> "Any":
        return judged(ours, theirs, self.reference.kind != "file", theirs.get("touched", ()), self.strict)

    def send(self, reply: "Judged | Failed | None") -> "NoReturn":
        """There is nothing more to see: sends the reply, and ends this process."""
        self.process.files.put_back()
        if differs_in_globals(reply) and not self.careful:
            self.process.end(AGAIN)
        self.process.send(reply or Failed(OTHER_RUN, "the call took another path than before"))
        self.process.end()


def takes(statements: "Statements") -> bool:
    """Whether statements take a value that is sent into a generator."""
    nodes = [node for one in statements for node in ast.walk(one)]
    plain = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    return any(isinstance(node, ast.Yield) and id(node) not in plain for node in nodes)


def ends_finally(node: "Node") -> bool:
    return isinstance(node, statement_effects.TRIES) and bool(node.finalbody)


def without_finally(node: "Node") -> "list[Any]":
    """What a statement does before what it does in any case."""
    if not node.handlers:
        return [*node.body, *node.orelse]
    fields = {name: [] if name == "finalbody" else part for name, part in ast.iter_fields(node)}
    return [ast.copy_location(type(node)(**fields), node)]
