"""Where the code of the program differs from the reference's, and which of the differences make a test pass."""

import ast
import types

from gadfly.code_flags import OPTIMIZED
from gadfly.messages import FUNCTIONS, TEXT, Differing, DifferingPlaces
from gadfly.process import forked
from gadfly.recording import statement_effects, suspects
from gadfly.reference import align, module_differences
from gadfly.reference.source import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType, ModuleType
    from typing import Any

    from gadfly._types import PausedCall, Span
    from gadfly.process.copying import CopyingProcess
    from gadfly.recording.instrument import Details, Fragment
    from gadfly.reference.align import Alignment
    from gadfly.reference.program import Program
    from gadfly.reference.source import Reference

# So many statements of the reference are tried out.
MOST_TRIED = 20


def differing_code(details: "Details", alignment: "Alignment", ours: "Any", theirs: "Any") -> Differing:
    """Where the statements of a call are that differ from the reference's, and its own beginning, if that does."""
    found, exact = [], []
    if align.unhinted(ours) != align.unhinted(theirs):
        found.append(details.header)
    for fragment in details.fragments:
        if fragment.path and fragment.path[-1][0] != "round":
            statements = alignment.of(fragment.path)
            node, partner = alignment.partners.get(fragment.path, (None, None))
            if node is None or statements != [partner] or align.own(node) != align.own(partner):
                found += differing_spans(fragment, node, partner) if statements == [partner] else fragment.own
                if statements == [partner] and len(fragment.own) == 1:
                    exact += [(span, fragment.own[0]) for span in map(align.span, align.unlike(node, partner))]
    return Differing(list(map(shown, found)), [[shown(part), shown(whole)] for part, whole in exact])


def shown(span: "Span") -> "list[Any]":
    """A span with columns from 1."""
    return [span[0], span[1] + 1, span[2], span[3] + 1]


def differing_spans(fragment: "Fragment", node: "Any", partner: "Any") -> "Any":
    """What of a statement, without those in it, differs from the reference's: of one that handles exceptions, its handlers."""
    if not isinstance(node, statement_effects.TRIES) or type(node) is not type(partner):
        return fragment.own
    ours, theirs = ([handler.type and ast.dump(handler.type) for handler in one.handlers] for one in (node, partner))
    unlike = [row for row, kind in enumerate(ours) if theirs[row : row + 1] != [kind]]
    if not unlike and len(ours) < len(theirs):
        unlike = [len(ours) - 1] if ours else []
    return [fragment.own[1 + row] for row in unlike] or fragment.own


def is_same_code(program: "Program", call: "PausedCall", reference: "Reference", how: str) -> bool:
    """Whether the reference has the function of the call just as it is; with `MEANING`, its names mean the same, too, so that it does
    the same."""
    code = call.code
    path = program.source(reference)
    if path is None:
        # What the reference does not have is taken to be right; what it calls may not be.
        return how == TEXT
    live, other = reference.source(code.co_filename), reference.source(path)
    if not code.co_flags & OPTIMIZED:
        return how == TEXT and does_same(program, live.tree, other.tree)
    name, order = live.place(code)
    codes = other.codes.get(name, ())
    if order >= len(codes) or not align.same_code(code, codes[order]):
        return False
    # What it calls may differ if only its own code is of interest.
    return (
        how == TEXT
        or same_defaults(live.node(code), other.node(codes[order]))
        and (live.node(code) is not None or not call.has_defaults())
        and all(live.means(name) == other.means(name) for name in names_of(code))
    )


def does_same(program: "Program", ours: "Any", theirs: "Any") -> bool:
    """Whether a module or the body of a class does the same outside of functions."""
    if program.code.co_name != "<module>":
        ours, theirs = align.find(ours, program.name, program.code.co_firstlineno), align.find(theirs, program.name, None)
    return None not in (ours, theirs) and not module_differences.differences(ours, theirs)


def same_defaults(ours: "Any", theirs: "Any") -> bool:
    """Whether two functions have the same defaults; those of a lambda are not known, so it must have none."""
    return ours is theirs is None or None not in (ours, theirs) and ast.dump(ours.args) == ast.dump(theirs.args)


def names_of(code: "CodeType") -> "set[Any]":
    """The names that code uses, also in what is defined in it."""
    inner = [one for one in code.co_consts if type(one) is types.CodeType]
    return {*code.co_names, *(name for one in inner for name in names_of(one))}


class TestRuns:
    """Runs of a test, each in a process of its own, with some of the reference's code."""

    def __init__(self, process: "CopyingProcess", program: "Program", call: "PausedCall", reference: "Reference") -> None:
        self.process, self.program, self.call, self.reference = process, program, call, reference

    def differences_elsewhere(self, of: str, test_passes: bool) -> DifferingPlaces:
        """What differs from the reference outside of functions: variables that modules and classes set, what they do besides, and what
        they lack. If the reference's statement makes the test pass, that one. Or what differs in functions."""
        found, statements = [], []
        differences = module_differences.functions if of == FUNCTIONS else module_differences.differences
        for name, module in self.program.modules().items():
            path = self.reference.source_for(name, module.__file__)
            if path is None or self.program.describer.is_of_tests(module.__file__):
                continue
            for first, last, statement in differences(Source(module.__file__).tree, self.reference.tree(path)):
                found.append([suspects.shown(module.__file__), first, last])
                statements.append((module, statement))
        helping = []
        # If the reference's functions make it pass, nothing else is needed.
        if test_passes and found and not self.passes_with():
            helping = [
                one for one, (module, statement) in zip(found[:MOST_TRIED], statements) if statement and self.passes_with(module, statement)
            ]
        return DifferingPlaces(helping or found, bool(helping))

    def passing(self, functions: list[tuple[str, str]]) -> "list[Any]":
        """Which of some functions make the test pass if they alone are the reference's. If none does: which of them make it fail if all
        others are."""
        found = [one for one in functions if self.passes_with(wanted=only(one))]
        if not found and self.passes_with():
            found = [one for one in functions if not self.passes_with(wanted=all_but(one))]
        return [functions.index(one) for one in found]

    def passes_without(self, one: tuple[str, str]) -> bool:
        """Whether a difference in a function does not affect the test: it passes if all others are the reference's, and fails if this one
        alone is."""
        return not self.passes_with(wanted=only(one)) and self.passes_with(wanted=all_but(one))

    def passes_with(
        self, module: "ModuleType | None" = None, statement: "Any" = (), wanted: "Callable[[tuple[str, str]], bool] | None" = None
    ) -> bool:
        """Whether the test does not fail with the reference's functions, if a statement of the reference is executed before."""
        pid = self.process.copy()
        if pid:
            return forked.wait(pid) == 0
        status = 1
        try:
            self.program.adoption(self.reference, self.program.modules(), False, wanted).run()
            if module is not None and statement:
                source = self.reference.source(self.reference.source_for(module.__name__, module.__file__))
                module_differences.apply_reference_statement(module, statement, source)
            status = int(self.call.make(self.call.code)[0] != "normal")
        except BaseException as error:
            self.process.note(error)
        finally:
            self.process.end(status)


def is_of(one: tuple[str, str], function: tuple[str, str]) -> bool:
    """Whether a function, by file and name, is another one, or makes it."""
    return one[0] == function[0] and f"{one[1]}.".startswith(f"{function[1]}.")


def only(one: tuple[str, str]) -> "Callable[[tuple[str, str]], bool]":
    """Chooses one function."""
    return lambda function: is_of(one, function)


def all_but(one: tuple[str, str]) -> "Callable[[tuple[str, str]], bool]":
    """Chooses all functions but one."""
    return lambda function: not is_of(one, function)
