"""What the recorder has to know of a code object: its lines, its arguments, and the variables that it uses and sets."""

import builtins
import dis
import sys

from gadfly import _native
from gadfly.code_flags import ASYNC_GENERATOR, COROUTINE, GENERATOR, OPTIMIZED, VARARGS, VARKEYWORDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import CodeType
    from typing import Any

YIELDS, AWAITS = 1, 2


def first_line(code: "CodeType") -> "Any":
    # A decorated function begins with its decorators; the module with its first line.
    return max(code.co_firstlineno, 1)


def last_line(code: "CodeType") -> "Any":
    last = code.co_firstlineno
    waiting = [code]
    while waiting:
        one = waiting.pop()
        if hasattr(one, "co_lines"):
            last = max([last, *(line for _, _, line in one.co_lines() if line)])
        else:
            last = max([last, *(line for _, line in dis.findlinestarts(one))])
        waiting.extend(constant for constant in one.co_consts if type(constant) is type(code))
    return last


def parameters(code: "CodeType") -> "Any":
    """The names of the arguments, in the order of the frame's variables."""
    count = code.co_argcount + code.co_kwonlyargcount
    names = list(code.co_varnames[: count + bool(code.co_flags & VARARGS) + bool(code.co_flags & VARKEYWORDS)])
    if code.co_flags & VARARGS:
        names[count] = "*" + names[count]
    if code.co_flags & VARKEYWORDS:
        names[-1] = "**" + names[-1]
    return names


def cells(code: "CodeType") -> "list[Any]":
    """For every argument, the variable that is its cell, or -1: before 3.11 they were apart."""
    if sys.version_info >= (3, 11) or not code.co_cellvars:
        return []
    places = {name: code.co_nlocals + row for row, name in enumerate(code.co_cellvars)}
    return [places.get(name.lstrip("*"), -1) for name in parameters(code)]


def replaced(code: "CodeType") -> "list[Any]":
    """For every argument, whether the code puts something else in its place, or deletes it; nothing if it is not needed."""
    if not _native.monitors():
        return []
    stored = {
        name
        for step in dis.get_instructions(code)
        if step.opname.startswith(("STORE_FAST", "DELETE_FAST", "STORE_DEREF", "DELETE_DEREF"))
        for name in (step.argval if type(step.argval) is tuple else (step.argval,))
    }
    return [name.lstrip("*") in stored for name in parameters(code)]


def captured(code: "CodeType") -> "list[Any]":
    """Variables of functions around, and whether they are assigned here."""
    if not code.co_freevars:
        return []
    stored = {step.argval for step in dis.get_instructions(code) if step.opname in ("STORE_DEREF", "DELETE_DEREF")}
    return [(name, name in stored) for name in code.co_freevars]


def used_globals(code: "CodeType") -> "list[Any]":
    """Variables of the module, and whether they are assigned here."""
    if not code.co_flags & OPTIMIZED:
        return []
    found = {}
    for stored, name in global_steps(code):
        if stored:
            found[name] = True
        elif not hasattr(builtins, name):
            found.setdefault(name, False)
    return list(found.items())


STORES = {dis.opmap["STORE_GLOBAL"], dis.opmap["DELETE_GLOBAL"]}
LOAD, EXTENDED = dis.opmap["LOAD_GLOBAL"], dis.EXTENDED_ARG


def global_steps(code: "CodeType") -> "Iterator[Any]":
    """What is done with variables of the module: whether it is stored, and its name. `dis` would tell too, but it takes longer
    than most programs run."""
    names, text, above = code.co_names, code.co_code, 0
    # From 3.11 on the lowest bit of what is loaded says something else.
    shift = sys.version_info >= (3, 11)
    for step, argument in zip(text[::2], text[1::2]):
        if step == EXTENDED:
            above = (above | argument) << 8
            continue
        if step == LOAD:
            yield False, names[(above | argument) >> shift]
        elif step in STORES:
            yield True, names[above | argument]
        above = 0


def kind(code: "CodeType") -> "Any":
    if code.co_flags & (GENERATOR | ASYNC_GENERATOR):
        return YIELDS
    return AWAITS if code.co_flags & COROUTINE else 0
