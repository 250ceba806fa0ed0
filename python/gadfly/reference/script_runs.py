"""Runs of a whole program, each in a process of its own, with some of the reference's code: what does the same as the reference is what
matters.

A script has no test that says when it is right. With all of the reference's code it prints, writes and ends as it should; a difference
matters if without it the program does not come to that. The modules are imported anew in each run, so that what is computed from a
difference when they are imported is computed from it."""

import os
import pickle
import signal
import sys
from time import monotonic

from gadfly.comparing import compare, snapshot
from gadfly.comparing.judge_outcomes import STRANGE
from gadfly.messages import FUNCTIONS, DifferingPlaces
from gadfly.process import copying, forked
from gadfly.recording import suspects
from gadfly.reference import module_differences
from gadfly.reference.import_hook import Instead, reach
from gadfly.reference.mixed_code import mixed
from gadfly.reference.review import TestRuns, all_but, only
from gadfly.reference.source import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from gadfly._types import PausedCall
    from gadfly.process.copying import CopyingProcess
    from gadfly.reference.program import Program
    from gadfly.reference.source import Reference

# So many edits are left out one by one, once the others are known not to be needed.
MOST_TRIED = 20

# The program with some of the reference's code may take so many times as long as with all of it, and a second. What takes longer
# never ends.
MAY_TAKE_TIMES = 10

# What comes of a run that never ends.
ENDLESS = (False, None)

# An edit: the file, and its number among the edits of that.
Edit = tuple[str, int]


def everything(function: tuple[str, str]) -> bool:
    return True


def is_same(one: "Any", other: "Any") -> bool:
    """Whether two runs came to the same."""
    if ENDLESS in (one, other):
        return one == other
    return compare.same(one[1], other[1], lenient=True) is True


def nothing(function: tuple[str, str]) -> bool:
    return False


class ScriptRuns(TestRuns):
    """Runs of the program from its beginning, at which it is paused."""

    def __init__(self, process: "CopyingProcess", program: "Program", call: "PausedCall", reference: "Reference") -> None:
        super().__init__(process, program, call, reference)
        name, file = str(call.variables.get("__name__", "__main__")), call.code.co_filename
        self.files: dict[str, str] = {}
        for module, (place, _) in {name: (file, None), **reach(name, file, program.describer.is_suspect_file)}.items():
            path = reference.source_for(module, place)
            if path is not None and not reference.is_same_file(place, path):
                self.files[place] = path
        self.known: dict[Any, Any] = {}
        self.right: list[Any] = []
        # How many seconds a run may take; none as long as it is not known how long one takes that ends.
        self.seconds: float | None = None

    def expected(self) -> "Any":
        """What comes of the program with all of the reference's code; None if that is not known, or if it is what comes of the program."""
        if not self.right:
            start = monotonic()
            right = self.outcome(everything, self.edits())
            self.seconds = MAY_TAKE_TIMES * (monotonic() - start) + 1
            own = right and self.outcome(nothing, ())
            unknown = own is None or right is None or right[0] and not own[0]
            self.right.append(None if unknown or is_same(own, right) else right)
        return self.right[0]

    def edits(self) -> "list[Edit]":
        """All that differs outside of functions."""
        return [(file, place) for file in self.files for place in range(len(self.places(file)))]

    def places(self, file: str) -> "list[Any]":
        if file not in self.known:
            self.known[file] = module_differences.edits(Source(file).tree, self.reference.tree(self.files[file]))
        return self.known[file]

    def outcome(self, wanted: "Callable[[tuple[str, str]], bool]", edits: "Iterable[Edit]") -> "Any":
        """What comes of the program with some of the reference's functions and edits; None if that is not known."""
        place = f"{self.process.place}.outcome"
        chosen: dict[str, set[int]] = {}
        for file, number in edits:
            chosen.setdefault(file, set()).add(number)
        pid = self.process.copy()
        if pid == 0:
            self.run(wanted, chosen, place)
        status = forked.wait(pid)
        if self.seconds and os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGALRM:
            return ENDLESS
        if status != 0:
            return None
        with open(place, "rb") as came:
            return pickle.load(came)

    def run(self, wanted: "Callable[[tuple[str, str]], bool]", chosen: "dict[str, set[int]]", place: str) -> None:
        """In a copy of the process: runs the program, and writes down what came of it."""
        status = 1
        copying.limit(self.seconds)
        try:
            code_of = lambda file, path: mixed(file, path, wanted, chosen.get(file, ())) if file in self.files else None
            sys.meta_path.insert(0, Instead(self.reference, self.program.describer.is_suspect_file, code_of))
            # What only the reference has is imported from there.
            sys.meta_path.append(self.reference)
            self.reference.packages.update(name.partition(".")[0] for name in self.names())
            own = self.call.code.co_filename
            how, value = self.call.make(code_of(own, self.files.get(own, "")) or self.call.code)
            ending = (how, type(value).__qualname__, str(value)) if how == "raise" else (how, "", "")
            came = snapshot.canonical((ending, self.process.printed.text(), self.process.files.changed()))
            with open(place, "wb") as out:
                pickle.dump((how == "raise" and isinstance(value, STRANGE), came), out)
            status = 0
        except BaseException as error:
            self.process.note(error)
        finally:
            self.process.end(status)

    def names(self) -> "Iterable[str]":
        for file in self.files:
            yield from suspects.packages_of(file)

    def is_right(self, wanted: "Callable[[tuple[str, str]], bool]", edits: "Iterable[Edit]") -> bool:
        """Whether the program does as the reference does."""
        expected = self.expected()
        came = None if expected is None else self.outcome(wanted, edits)
        return came is not None and is_same(came, expected)

    def differences_elsewhere(self, of: str, test_passes: bool) -> DifferingPlaces:
        """What differs outside of functions and matters: without it, the program does not do as the reference does."""
        if of == FUNCTIONS:
            return super().differences_elsewhere(of, False)
        if self.expected() is None:
            return DifferingPlaces([], False)
        needed = [] if self.is_right(everything, ()) else self.narrowed(self.edits())
        found = []
        for file, number in needed:
            first, last, _ = self.places(file)[number]
            found.append([suspects.shown(file), first, last])
        return DifferingPlaces(found, bool(found))

    def narrowed(self, edits: "list[Edit]") -> "list[Edit]":
        """Few of the edits, with which all is right; none if they cannot be found."""
        while len(edits) > 1:
            half = len(edits) // 2
            part = next((part for part in (edits[:half], edits[half:]) if self.is_right(everything, part)), None)
            if part is None:
                break
            edits = part
        if len(edits) > MOST_TRIED:
            return []
        for edit in list(edits):
            rest = [one for one in edits if one != edit]
            if self.is_right(everything, rest):
                edits = rest
        return edits

    def passing(self, functions: list[tuple[str, str]]) -> "list[Any]":
        found = [one for one in functions if self.is_right(only(one), ())]
        if not found and self.is_right(everything, self.edits()):
            found = [one for one in functions if not self.is_right(all_but(one), self.edits())]
        return [functions.index(one) for one in found]

    def passes_without(self, one: tuple[str, str]) -> bool:
        # Alone it does not help, and without it all is right.
        return not self.is_right(only(one), ()) and self.is_right(all_but(one), self.edits())
