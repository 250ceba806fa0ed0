"""Which arm of an `if` with all its `elif`s the reference would take, where the program takes one.

What stands in an arm is asked about in the state that the program has there. If the reference would not come there, since its tests are
others, nothing that is done there is to blame: the tests are."""
import ast
import copy

from gadfly.messages import Failed


class Arms:
    """An arm that the program takes: the reference's `if`, and the number of the arm there that corresponds to it."""

    def __init__(self, its, number):
        self.number = number
        chain = copy.deepcopy(its)
        found = branches(chain)
        for at, branch in enumerate(found):
            branch.body = returns(branch, at)
        found[-1].orelse = returns(found[-1], len(found))
        self.statements = [chain]

    def is_taken(self, trial, frame):
        """Whether the reference takes it, too; nothing if that is not known."""
        come = trial.of(frame, self.statements, False)
        rows = None if isinstance(come, Failed) else come["result"]
        if not rows or come["how"] != "return" or len(rows[0]) == 1:
            return None
        value = rows[rows[0][3][0]]
        return value[2] == self.number if len(value) > 1 else None


def arms(alignment, path):
    """The arms that a place is in, from outside, where the tests of the reference are others."""
    found = []
    end = 1
    while end < len(path):
        mine, its = alignment.partners.get(path[:end], (None, None))
        if not isinstance(mine, ast.If) or not isinstance(its, ast.If):
            end += 1
            continue
        top = its
        tests = [ast.dump(branch.test) for branch in branches(mine)] != [ast.dump(branch.test) for branch in branches(its)]
        while path[end] == ("orelse", 0) and is_elif(mine) and end + 1 < len(path):
            end += 1
            mine = mine.orelse[0]
        number = place(top, alignment.branches.get(path[:end]), path[end][0])
        if tests and number is not None:
            found.append(Arms(top, number))
        end += 1
    return found


def place(top, branch, field):
    """The number of an arm of a chain; that of `else` comes last."""
    chain = branches(top)
    if field != "body":
        return len(chain)
    return next((at for at, one in enumerate(chain) if one is branch), None)


def branches(node):
    """An `if` and its `elif`s."""
    found = [node]
    while is_elif(found[-1]):
        found.append(found[-1].orelse[0])
    return found


def is_elif(node):
    return len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If)


def returns(node, number):
    return [ast.copy_location(ast.Return(ast.copy_location(ast.Constant(number), node)), node)]
