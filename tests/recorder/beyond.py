#!/usr/bin/env python3
"""The law of what is not kept: a change of it is shown, or it is said that it was not compared; what is the same is never said to change.

    tests/recorder/beyond.py [--count N] [--seed N] [--package FOLDER]

Random values that are larger than what is kept (long lists, dictionaries, sets and strings, deep nesting, in objects and variables of the
module) are given to functions, which change a place in them or do not. Ends with 1 if the law does not hold."""
import argparse
import os
import random
import subprocess
import sys
import tempfile

import trail

PRELUDE = """
class Box:
    def __init__(self, inside):
        self.inside = inside


class Slotted:
    __slots__ = ("first", "inside")

    def __init__(self, inside):
        self.first, self.inside = 1, inside


VALUE = None


"""


class Place:
    """An expression for a value, a statement that changes a place in it given as `x`, and one that puts something equal there."""

    def __init__(self, value, change, same):
        self.value, self.change, self.same = value, change, same


def leaf(chance):
    size = chance.choice([3, 150, 250, 1000, 1900, 30_000])
    at = chance.randrange(size)
    return chance.choice([
        Place(f"list(range({size}))", f"x[{at}] += 1", f"x[{at}] += 0"),
        Place(f"[float(one) for one in range({size})]", f"x[{at}] += 0.5", f"x[{at}] += 0.0"),
        Place(f"[str(one) * 9 for one in range({size})]", f"x[{at}] += 'y'", f"x[{at}] = ''.join(list(x[{at}]))"),
        Place(f"[[one] for one in range({size})]", f"x[{at}].append(2)", f"x[{at}] = list(x[{at}])"),
        Place(f"[(one, [one]) for one in range({size})]", f"x[{at}][1][0] -= 7", f"x[{at}] = (x[{at}][0], list(x[{at}][1]))"),
        Place(f"[Box(one) for one in range({size})]", f"x[{at}].inside = None", f"x[{at}] = Box(x[{at}].inside)"),
        Place(f"dict.fromkeys(range({size}), 0)", f"x[{at}] = 2", f"x[{at}] = 0"),
        Place(f"{{one: [one] for one in range({size})}}", f"x[{at}].pop()", f"x[{at}].copy()"),
        Place(f"set(range({size}))", f"x.discard({at})", f"x.discard({at}); x.add({at})"),
        Place(f"__import__('collections').deque(range({size}))", f"x[{at}] = -1", f"x[{at}] = {at}"),
        Place(f"tuple([one] for one in range({size}))", f"x[{at}].append(1)", f"x[{at}].append(1); x[{at}].pop()"),
    ])


def place(chance, depth=0):
    if depth > 12 or chance.random() < 0.5:
        return leaf(chance)
    inner = place(chance, depth + 1)
    wrap, reach = chance.choice([
        ("[{}]", "x[0]"), ("[*range(300), {}]", "x[300]"), ("{{'k': {}}}", "x['k']"), ("Box({})", "x.inside"), ("Slotted({})", "x.inside"),
        ("(1, {})", "x[1]"), ("[[[[[[{}]]]]]]", "x[0][0][0][0][0][0]"),
    ])
    return Place(wrap.format(inner.value), f"x = {reach}; {inner.change}", f"x = {reach}; {inner.same}")


def string(chance):
    size = chance.choice([1000, 3000, 100_000])
    kind = chance.choice(["'x'", "b'x'", "'\\u20ac'"])
    return Place(f"Box({kind} * {size})", f"x.inside = x.inside[:-1] + x.inside[:1] * 2", "x.inside = x.inside[:-1] + x.inside[-1:]")


def program(chance):
    lines, expected = [PRELUDE], {}
    for number in range(chance.randint(1, 6)):
        one = string(chance) if chance.random() < 0.2 else place(chance)
        changes, of_module = chance.random() < 0.6, chance.random() < 0.3
        statement = one.change if changes else one.same
        name = f"f{number}"
        body = f"    x = VALUE\n    {statement}\n" if of_module else f"    {statement.replace('x', 'x')}\n"
        argument = "" if of_module else "given"
        first = "" if of_module else "    x = given\n"
        lines.append(f"def {name}({argument}):\n{first}{body}\n")
        call = f"VALUE = {one.value}\n{name}()\n" if of_module else f"{name}({one.value})\n"
        lines.append(call)
        expected[name] = ("VALUE" if of_module else "given", changes)
    return "\n".join(lines), expected


class Exact(trail.Values):
    """Values with everything that their rows have."""

    def constructed(self, number, references):
        name, of, fields = self.document.constructors[number]
        parts = tuple(self.value(reference) for reference in references)
        if of == "python.omitted":
            return ("omitted", *parts)
        if of in ("python.str", "python.bytes"):
            words = (parts[1] + 6) // 7
            unseen = parts[1] < parts[0] and trail.unpacked(parts).decode(errors="replace") != "" and len(parts) == 2 + words
            return ("omitted", 0) if unseen and self.is_cut(parts) else (of, parts)
        return super().constructed(number, references)

    @staticmethod
    def is_cut(parts):
        return len(trail.unpacked(parts).decode(errors="replace")) < parts[0]


def is_unsure(value):
    """Whether something in it was not compared."""
    if type(value) is not tuple:
        return False
    return value[:1] == ("omitted",) and len(value) == 2 or any(map(is_unsure, value))


def difference(calls, expected):
    for name, (variable, changes) in expected.items():
        call = next(call for call in calls if call.name == name)
        told = {which: (before, after) for which, before, after in call.changes}
        if variable not in told:
            if changes:
                return f"{name}: {variable} changes, and nothing is said"
            continue
        before, after = told[variable]
        if not changes and before != after:
            return f"{name}: {variable} is said to change"
        if not changes and not is_unsure(after):
            return f"{name}: {variable} is said to change, though all of it was compared"
        if changes and before == after and not is_unsure(after):
            return f"{name}: {variable} changes, and the same is said before and after"
    return None


def record(text, python, folder):
    path, kept = os.path.join(folder, "play.py"), os.path.join(folder, "play.trail")
    with open(path, "w") as out:
        out.write(text)
    from gadfly.job import Job, RecordTask

    job = os.path.join(folder, "job")
    with open(job, "wb") as out:
        out.write(Job(RecordTask(kept)).line())
    run = subprocess.run([python, "-m", "gadfly.run_script", path], env=dict(os.environ, GADFLY_JOB=job), capture_output=True, text=True, timeout=120)
    if run.returncode:
        raise SystemExit(f"it ended with {run.returncode}: {run.stderr}\n{text}")
    with open(kept, "rb") as file:
        document = trail.Document(file.read())
    trail.Values, usual = Exact, trail.Values
    try:
        return trail.calls(document)
    finally:
        trail.Values = usual


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--package")
    options = parser.parse_args()
    if options.package:
        sys.path.insert(0, options.package)
        os.environ["PYTHONPATH"] = options.package
    wrong = unsure = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(options.seed, options.seed + options.count):
            text, expected = program(random.Random(seed))
            calls = record(text, sys.executable, folder)
            found = difference(calls, expected)
            unsure += any(is_unsure(after) for call in calls for _, _, after in call.changes)
            if found:
                wrong += 1
                print(f"program {seed}: {found}")
    print(f"{options.count} programs, {wrong} differ ({unsure} say that something was not compared)")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
