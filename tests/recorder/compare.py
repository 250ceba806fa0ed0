"""Compares the runs of a program: what it said of itself, and the calls that were recorded with those that the slow recorder saw.

What may differ, and why:

- What is cut off. The recorder may omit what is deeper than 10 levels or contains itself, and what comes after 200 elements or 2000
  characters; if a value has more than 2000 parts, or a function has shown 20,000, it may omit anything. See `looks.py`.
- When the collector runs by itself is no promise of the language, and the recorders' own allocations count. In programs that let it (and
  with --threshold), deaths are compared without their order, and the calls that are made because of them are left out.
- In which order the parts of an object die depends on whether it has a dictionary, which the slow recorder makes it have, from 3.11 on: there is no
  other way to ask for attributes. So what dies in a row is compared with it without order; but the run must have the order of the control.
- How often the interpreter compares keys that are no strings with names depends on how far it has optimized the code, and it
  optimizes less while somebody traces. Calls that are made because of it are left out; but the run must make as many as the control.
- From 3.13 on a generator that is closed where nothing would catch it just ends, but not if somebody listens to events. So that it was
  closed is not compared there.
- By documented events nothing is said of a generator that an exception is thrown into before it has begun, nor what is sent or thrown.
- From 3.12 on the interpreter clears a frame before the evaluation of it is over. What dies with the frame dies before the end of the
  call, for whoever evaluates frames, and after it for who is told by events. So callers of finalizers are not compared there."""
import itertools
import re
import sys

import looks

# Calls that the interpreter makes when something dies, by the last part of their names.
DEATHS = ("__del__", "gone")
# What programs note then, by the first word.
TELL_DEATHS = ("gone", "callback", "ring", "rises")
# Calls that the interpreter makes when it looks for a name among keys of a program's own.
COMPARED = re.compile(r"(.*\.)?Key\d+\.__eq__")


def difference(control, slow, fast, is_automatic):
    """What is first found to differ between the runs of a program, as a text that begins with a kind and a colon; None if nothing does."""
    for name, run in (("control", control), ("slow", slow), ("fast", fast)):
        if run.crash:
            return f"{name} crash: {run.crash}"
    said = "log", "printed", "collected"
    return (what_was_said("fast", fast, control, (*said, "compared")) or what_was_said("slow", slow, control, said)
            or what_was_seen(fast.calls, slow.calls, is_automatic))


def what_was_said(name, run, control, said):
    """How a run differs from the control in what the program itself says."""
    for what in said:
        one, other = vars(run)[what], vars(control)[what]
        if name == "slow":
            one, other = without_order(one), without_order(other)
        for at in range(max(len(one), len(other))):
            line, expected = (lines[at] if at < len(lines) else "nothing" for lines in (one, other))
            if line != expected:
                return f"{name} {what}: line {at + 1} is {line!r}, in the control {expected!r}"
    if run.end != control.end:
        return f"{name} end: it {run.end}, the control {control.end}"
    return None


def without_order(lines):
    """The lines of a log, of which those that tell of deaths in a row are sorted."""
    runs = itertools.groupby(lines, lambda line: line.partition(" ")[0] in TELL_DEATHS)
    return [line for is_death, run in runs for line in (sorted(run) if is_death else run)]


def is_of_death(call):
    return call.name.rpartition(".")[2] in DEATHS


class Entry:
    """A call that is compared, the entry of its caller, and where it is among all."""

    def __init__(self, call, parent):
        self.call, self.parent, self.number = call, parent, None


def compared(calls, without_deaths):
    """The calls that are compared, in the order in which they began; those that tell of deaths in a row are sorted."""
    entries = {None: None}
    for number, call in enumerate(calls):
        is_left_out = without_deaths and is_of_death(call) or COMPARED.fullmatch(call.name)
        if call.parent in entries and not is_left_out:
            entries[number] = Entry(call, entries[call.parent])
    del entries[None]
    callers = {entry.parent for entry in entries.values()}
    # A thread in which nothing is called that is compared may go unnoticed.
    kept = [entry for entry in entries.values() if entry.call.name != "thread" or entry in callers]
    kept = [entry for blocks in rows_of_deaths(kept) for block in blocks for entry in block]
    for number, entry in enumerate(kept):
        entry.number = number
    return kept


def rows_of_deaths(entries):
    """The entries in blocks, each a call that tells of a death with those below it, or any other alone; blocks of deaths in a row are together."""
    rows, was_death = [], False
    for entry in entries:
        if was_death and any(entry.parent is one for one in rows[-1][-1]):
            rows[-1][-1].append(entry)
            continue
        is_death = is_of_death(entry.call)
        if not (is_death and was_death):
            rows.append([])
        rows[-1].append([entry])
        was_death = is_death
    return [sorted(blocks, key=lambda block: (block[0].call.name, repr(looks.shown(block[0].call.arguments)))) for blocks in rows]


def what_was_seen(fast, slow, without_deaths):
    """How the recorded calls differ from those that the slow recorder saw."""
    fast, slow = compared(fast, without_deaths), compared(slow, without_deaths)
    for recorded, known in zip(fast, slow):
        call, seen = recorded.call, known.call
        where = f"call {recorded.number + 1}, {call.name}"
        if call.name != seen.name:
            return f"call: {where} should be {seen.name}"
        if not is_same_caller(recorded, known):
            names = [f"call {one.parent.number + 1}, {one.parent.call.name}" if one.parent else "nobody" for one in (recorded, known)]
            return f"caller: {where} is made by {names[0]}, and should be by {names[1]}"
        differs = (
            what_differs("argument", call.arguments, seen.arguments, seen.is_short)
            or what_changed(call.changes, seen.changes, seen.is_short)
            or what_differs("progress", call.progress, seen.progress, seen.is_short)
            or what_differs("outcome", outcomes(call), outcomes(seen), seen.is_short))
        if differs:
            kind, _, text = differs.partition(":")
            return f"{kind}: of {where},{text}"
    if len(fast) != len(slow):
        shown = [f"{len(calls)} calls{f', then {calls[least].call.name}' if len(calls) > least else ''}"
                 for calls in (fast, slow) for least in [min(len(fast), len(slow))]]
        return f"calls: there are {shown[0]}, and should be {shown[1]}"
    return None


def is_same_caller(recorded, known):
    if is_of_death(known.call) and sys.version_info >= (3, 12):
        return True
    return (recorded.parent and recorded.parent.number) == (known.parent and known.parent.number)


def outcomes(call):
    """What became of a call, as far as it is compared."""
    if sys.version_info < (3, 13):
        return call.outcomes
    return [outcome for outcome in call.outcomes if outcome != ("raised", ("con", "GeneratorExit", ()))]


def what_changed(fast, slow, is_short):
    # What changed in what is cut off the slow recorder does not see; nor what was not compared (`beyond.py` tries that).
    fast = [change for change in fast if not (change[1] == change[2] and "omitted" in repr(change[1]))]
    if is_short:
        # Where little is shown, changes may not be seen; but those that are must be true.
        slow = [change for change in slow if any(change[0] == other[0] for other in fast)]
    return what_differs("change", fast, slow, is_short)


def what_differs(kind, fast, slow, is_short):
    """The first difference between what was told and what should have been: sequences of a name or kind, and values."""
    for one, other in zip(fast, slow):
        if one[0] != other[0] or len(one) != len(other):
            return f"{kind}: {one[0]} is told, and should be {other[0]}"
        for value, seen in zip(one[1:], other[1:]):
            if not is_same(value, seen, is_short):
                return f"{kind}: {one[0]}\n  recorded {shown(value)}\n  is       {shown(seen)}"
    if len(fast) > len(slow):
        return f"{kind}: {fast[len(slow)]} is told, and is not so"
    if len(fast) < len(slow):
        return f"{kind}: {slow[len(fast)]} is not told"
    return None


def shown(value):
    text = repr(value)
    return text if len(text) < 2000 else text[:2000] + "…"


def is_same(fast, slow, is_short):
    """Whether a recorded value is the one that was seen, but for what may be omitted; if it may be short, that is anything."""
    if is_short and is_omitted(fast):
        return True
    if type(slow) is not tuple or type(fast) is not tuple:
        return type(fast) is type(slow) and fast == slow
    if slow[:1] == ("cut",):
        _, why, beyond = slow
        return fast == ("omitted", 0) or why == "depth" and (beyond is None or is_same(fast, beyond, is_short))
    if is_short and slow[:1] in (("set",), ("frozenset",)) and fast[:1] == slow[:1]:
        return all(is_omitted(one) or any(is_same(one, other, is_short) for other in slow[1]) for one in fast[1])
    if is_short and len(fast) < len(slow) and fast and is_rest(fast[-1]):
        fast, slow = fast[:-1], slow[: len(fast) - 1]
    return len(fast) == len(slow) and all(is_same(one, other, is_short) for one, other in zip(fast, slow))


def is_omitted(value):
    return type(value) is tuple and value[:1] == ("omitted",)


def is_rest(value):
    """Whether it stands for elements or fields that were cut off."""
    return is_omitted(value) or type(value) is tuple and value[:1] == ("…",)
