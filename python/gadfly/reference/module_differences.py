"""Where the program differs from the reference outside of functions: in the statements of modules and of classes."""

import ast
import difflib
from functools import partial

from gadfly.reference import align
from gadfly.reference.source import DEFINITIONS, IMPORTS, origins

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any

    from gadfly._types import Node
    from gadfly.reference.source import Source

# Names whose values differ between releases anyway.
VERSIONS = {"version", "version_info", "version_tuple"}


def differences(ours: "Node", theirs: "Node") -> "Any":
    """First and last line of what differs in the statements of a module or a class; and, if there may be one, a statement that would
    put it right if it were done now, after the names of the classes that it stands in."""
    return [(first, last, right) for first, last, right, _ in compared(ours, theirs)]


def edits(ours: "Node", theirs: "Node") -> "Any":
    """The same places, each with what makes the tree of the module the reference's there."""
    return [(first, last, edit) for first, last, _, edit in compared(ours, theirs)]


def compared(ours: "Node", theirs: "Node") -> "Any":
    """See `differences` and `edits`."""
    found: list[tuple[int, int, Any, Any]] = []
    own, others = [[node for node in tree.body if is_done(node)] for tree in (ours, theirs)]
    partners = pairs(own, others)
    for node in own:
        partner = partners.get(id(node))
        if partner is None:
            last = node.end_lineno if not isinstance(node, DEFINITIONS) else node.lineno
            found.append((node.lineno, last, None, partial(replace, ours.body, node, [])))
        elif isinstance(node, ast.ClassDef):
            if align.own(node) != align.own(partner):
                last = max(node.body[0].lineno - 1, node.lineno)
                found.append((node.lineno, last, None, partial(take_over, node, partner, ("bases", "keywords", "decorator_list"))))
            inner = compared(node, partner)
            found += [(first, last, right and (node.name, *right), edit) for first, last, right, edit in inner]
        elif isinstance(node, DEFINITIONS):
            if align.written(node.decorator_list) != align.written(partner.decorator_list):
                first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
                found.append((first, node.lineno, None, partial(take_over, node, partner, ("decorator_list",))))
        elif does(node) != does(partner):
            name = next(iter(origins([node])), None)
            lines = align.changed(node, theirs, name) if name else (node.lineno, node.end_lineno)
            found.append((*lines, (partner,) if name else None, partial(replace, ours.body, node, [partner])))
        else:
            for function, other in computing(node, ours, theirs):
                lines = align.changed(function, theirs, function.name)
                found.append((*lines, (partner,), partial(replace, ours.body, function, [other])))
    known = {id(partner) for partner in partners.values()}
    for place, other in enumerate(others):
        # Functions that nothing stands for in a module are called by code that differs anyway.
        if id(other) not in known and (isinstance(ours, ast.ClassDef) or not isinstance(other, DEFINITIONS)) and not is_new(other, ours):
            before = next((one for one in reversed(others[:place]) if id(one) in known), None)
            node = next((one for one in own if partners.get(id(one)) is before), None) if before is not None else None
            line = node.end_lineno if node is not None else max(ours.body[0].lineno - 1, 1) if ours.body else 1
            right = None if isinstance(other, DEFINITIONS) else (other,)
            found.append((line, line, right, partial(insert, ours.body, node, other)))
    return found


def replace(body: "list[Node]", node: "Node", others: "list[Node]") -> None:
    """Puts statements in the place of one."""
    place = next((place for place, one in enumerate(body) if one is node), None)
    if place is not None:
        body[place : place + 1] = others
    if not body:
        body.append(ast.Pass())


def take_over(node: "Node", partner: "Node", fields: "tuple[str, ...]") -> None:
    """Gives a definition what another one has before its body."""
    for field in fields:
        setattr(node, field, getattr(partner, field, []))


def insert(body: "list[Node]", after: "Node | None", other: "Node") -> None:
    """Puts a statement after another one; without one, where the first one may stand."""
    start = next((place for place, node in enumerate(body) if not is_text_or_future(node)), len(body))
    place = next((place + 1 for place, one in enumerate(body) if one is after), start)
    body.insert(place, other)


def is_text_or_future(node: "Node") -> bool:
    """Whether nothing may stand before a statement: a text, or what chooses the language."""
    text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return text or isinstance(node, ast.ImportFrom) and node.module == "__future__"


def functions(ours: "Node", theirs: "Node") -> "Any":
    """First and last line of what differs in the functions of a module or a class."""
    found = []
    others = {one.name: one for one in theirs.body if isinstance(one, DEFINITIONS)}
    for node in ours.body:
        other: Node = others.get(node.name) if isinstance(node, DEFINITIONS) else None
        if type(node) is not type(other):
            continue
        if isinstance(node, ast.ClassDef):
            found += functions(node, other)
        elif ast.dump(node) != ast.dump(other):
            found.append((*align.changed(node, theirs, node.name), None))
    return found


def apply_reference_statement(module: "ModuleType", right: "Any", source: "Source") -> None:
    """Does a statement of a module, or of a class in it, once more, as the reference has it."""
    *names, statement = right
    code = source.compile(ast.Module([statement], []))
    if not names:
        exec(code, module.__dict__)
        return
    holder = module
    for name in names:
        holder = holder.__dict__[name]
    body = dict(holder.__dict__)
    exec(code, module.__dict__, body)
    for name in origins([statement]):
        if name in body:
            type.__setattr__(holder, name, body[name])


def does(node: "Node") -> "Any":
    """What a statement does: another type hint does not count, as long as there is one."""
    return (ast.dump(node.target), node.value and ast.dump(node.value)) if isinstance(node, ast.AnnAssign) else ast.dump(node)


def computing(node: "Node", ours: "Node", theirs: "Node") -> "list[Any]":
    """Functions that differ and compute what a statement sets a variable to, each with the reference's."""
    if not origins([node]) or isinstance(node, DEFINITIONS):
        return []
    called = {call.func.id for call in ast.walk(node) if isinstance(call, ast.Call) and isinstance(call.func, ast.Name)}
    functions, others = ({one.name: one for one in tree.body if isinstance(one, ast.FunctionDef)} for tree in (ours, theirs))
    names = sorted(called & functions.keys() & others.keys())
    return [(functions[name], others[name]) for name in names if ast.dump(functions[name]) != ast.dump(others[name])]


def is_done(node: "Node") -> bool:
    """Whether a statement does something that a run could depend on: no import, no text, nothing that tells of the module itself."""
    if isinstance(node, IMPORTS) or isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return False
    names = [] if isinstance(node, DEFINITIONS) else origins([node])
    return not names or not all(name.startswith("__") and name.endswith("__") or name.strip("_").lower() in VERSIONS for name in names)


def is_new(node: "Node", ours: "Node") -> bool:
    """Whether a statement only sets variables that the other version does not have."""
    names = origins([node])
    return bool(names) and isinstance(ours, ast.Module) and not names.keys() & origins(ours.body).keys()


def pairs(own: "list[Node]", others: "list[Node]") -> "Any":
    """What corresponds: statements that are written the same, and those that bind the same names."""
    found, taken = {}, set()
    matcher = difflib.SequenceMatcher(None, align.written(own), align.written(others), False)
    for block in matcher.get_matching_blocks():
        for at in range(block.size):
            found[id(own[block.a + at])] = others[block.b + at]
            taken.add(id(others[block.b + at]))
    for node in own:
        if id(node) in found:
            continue
        names = named(node)
        partner = next(
            (
                one
                for one in others
                if id(one) not in taken and names and names == named(one) and isinstance(one, DEFINITIONS) == isinstance(node, DEFINITIONS)
            ),
            None,
        )
        if partner is not None:
            found[id(node)] = partner
            taken.add(id(partner))
    return found


def named(node: "Node") -> "Any":
    """The names that a statement binds, or gives a hint for."""
    return {node.target.id} if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) else set(origins([node]))
