"""Which arm of an `if` with all its `elif`s the reference would take, where the program takes one.

What stands in an arm is asked about in the state that the program has there. If the reference would not come there, since its tests are
others, nothing that is done there is to blame: the tests are."""

import ast
import copy

from gadfly.messages import Failed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType
    from typing import Any

    from gadfly._types import FragmentPath, Node
    from gadfly.inside.try_statements import Trial
    from gadfly.reference.align import Alignment


class Arms:
    """An arm that the program takes: the reference's `if`, and the number of the arm there that corresponds to it."""

    def __init__(self, theirs: "Node", number: int) -> None:
        self.number = number
        chain = copy.deepcopy(theirs)
        found = branches(chain)
        for at, branch in enumerate(found):
            branch.body = returns(branch, at)
        found[-1].orelse = returns(found[-1], len(found))
        self.statements = [chain]

    def is_taken(self, trial: "Trial", frame: "FrameType") -> bool | None:
        """Whether the reference takes it, too; nothing if that is not known."""
        come = trial.of(frame, self.statements, False)
        rows = None if isinstance(come, Failed) else come["result"]
        if not rows or come["how"] != "return" or len(rows[0]) == 1:
            return None
        value = rows[rows[0][3][0]]
        return value[2] == self.number if len(value) > 1 else None


def arms(alignment: "Alignment", path: "FragmentPath") -> "Any":
    """The arms that a place is in, from outside, where the tests of the reference are others."""
    found = []
    end = 1
    while end < len(path):
        ours, theirs = alignment.partners.get(path[:end], (None, None))
        if not isinstance(ours, ast.If) or not isinstance(theirs, ast.If):
            end += 1
            continue
        top = theirs
        tests = [ast.dump(branch.test) for branch in branches(ours)] != [ast.dump(branch.test) for branch in branches(theirs)]
        while path[end] == ("orelse", 0) and is_elif(ours) and end + 1 < len(path):
            end += 1
            ours = ours.orelse[0]
        number = place(top, alignment.branches.get(path[:end]), path[end][0])
        if tests and number is not None:
            found.append(Arms(top, number))
        end += 1
    return found


def place(top: "Node", branch: "Node", field: str) -> "Any":
    """The number of an arm of a chain; that of `else` comes last."""
    chain = branches(top)
    if field != "body":
        return len(chain)
    return next((at for at, one in enumerate(chain) if one is branch), None)


def branches(node: "Node") -> "Any":
    """An `if` and its `elif`s."""
    found = [node]
    while is_elif(found[-1]):
        found.append(found[-1].orelse[0])
    return found


def is_elif(node: "Node") -> bool:
    return len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If)


def returns(node: "Node", number: int) -> "list[Any]":
    return [ast.copy_location(ast.Return(ast.copy_location(ast.Constant(number), node)), node)]
