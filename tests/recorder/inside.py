#!/usr/bin/env python3
"""The law of the inside of calls: before plus change is after, for every statement and every loop, whatever else has the same object.

    tests/recorder/inside.py [--count N] [--seed N] [--package FOLDER]

Random programs, whose variables share lists, dictionaries and objects, are recorded in detail; then they run under `sys.settrace`, which
says what every variable is before each line. What a statement is given must be what was there before it; what it has changed, and nothing
else, must be other after it. Ends with 1 if that does not hold."""
import argparse
import ast
import os
import random
import subprocess
import sys
import tempfile

import trail

PRELUDE = '''
class Account:
    def __init__(self, owner, balance):
        self.owner = owner
        self.balance = balance
        self.seen = []

    @property
    def total(self):
        self.seen.append(self.balance)
        return self.balance

    def pay(self, amount):
        self.balance -= amount
        return self

    def __add__(self, amount):
        self.balance += amount
        return amount


def numbers(found, count):
    for at in range(count):
        found.append(at)
        yield at


def put(found, value):
    found.append(value)
    return len(found)


'''
# What a statement may be: variables are a and b (accounts), l and m (lists), d (a dictionary), s (a set), g (a list of everything), n (a number).
STATEMENTS = [
    "a.balance = {n}", "b.balance -= {n}", "a = b", "b = g[0]", "a.pay({n})", "a.pay(n).pay(1)", "n = a.total", "n = a + {n}",
    "l.append({n})", "m.append(l)", "m = l", "l = m", "l = list(m)", "l[0] = {n}", "l += [{n}]", "l *= 1", "l += 'x'", "m[-1] = d",
    "d['k'] = {n}", "d['l'] = l", "d['a'] = a", "d.setdefault('m', m).append({n})", "d = dict(d)", "s.add({n})", "s |= {{{n}}}",
    "s.discard({n})", "g.append(l)", "g[0] = a", "g[1].append({n})", "g[1:] = [m, l]", "n += {n}", "n = put(l, n)", "n = len(g)",
    "n = sum(numbers(l, 2))", "m = sorted(numbers(l, 1))", "big[{big}] += 1", "big.append({n})", "deep[0][0][0].append({n})",
    "l.clear()", "l.extend([1, 2])", "del d['k']", "a, b = b, a", "l, m = m, l", "n = [put(m, one) for one in (1, 2)][0]",
]
HEADERS = ["for n in range(2):", "for n in l[:3]:", "for n in numbers(m, 2):", "for a in [a, b]:", "if n % 2:", "if a.total > 3:",
           "while len(m) < {few} and fuel.pop():", "for one in list(g):"]


def program(chance):
    """A program of one function, of which every line is a statement."""
    lines = ["def play():", "    a = Account('a', 5)", "    b = Account('b', 7)", "    l = [1]", "    m = [l]", "    d = {'k': 1, 'a': b}",
             "    s = {1}", "    g = [a, l, m, d]", "    n = 3", "    one = None", "    big = list(range(700))", "    deep = [[[l]]]", "    fuel = [0, 0, 1, 1, 1, 1, 1, 1]"]

    def block(depth, count, in_loop=False):
        for _ in range(count):
            if depth < 3 and chance.random() < 0.2:
                header = chance.choice(HEADERS).format(few=chance.randint(2, 5))
                lines.append("    " * depth + header)
                block(depth + 1, chance.randint(1, 4), in_loop or not header.startswith("if"))
                if header.startswith("while"):
                    lines.append("    " * (depth + 1) + "m.append(0)")
            elif in_loop and chance.random() < 0.1:
                lines.extend(["    " * depth + "if n % 3 == 1:", "    " * (depth + 1) + chance.choice(["n = a.total", "l.append(n)"]),
                              "    " * (depth + 1) + chance.choice(["continue", "break"])])
            else:
                text = chance.choice(STATEMENTS).format(n=chance.randint(0, 9), big=chance.choice([3, 250, 699]))
                lines.append("    " * depth + text)

    block(1, chance.randint(5, 25))
    return PRELUDE + "\n".join([*lines, "    return n", "", "", "try:", "    play()", "except Exception as error:", "    print(type(error))", ""])


# Like what the reader of trails makes of values; elements beyond the recorder's limits are not compared.
def seen(value, depth=0, around=()):
    if type(value) is int:
        return value
    if type(value) is str:
        return "str", value, len(value)
    if value is None:
        return "constant", "None"
    if depth >= 10 or id(value) in around:
        return ("omitted", 0)
    inner = lambda one: seen(one, depth + 1, (*around, id(value)))
    if type(value) is list:
        return "list", tuple(inner(one) for one in value)
    if type(value) is dict:
        return "dict", tuple((inner(key), inner(one)) for key, one in value.items())
    if type(value) is set:
        return "set", trail.sorted_parts([inner(one) for one in value])
    return "object", type(value).__name__, tuple((name, inner(one)) for name, one in vars(value).items())


def is_omitted(value):
    return type(value) is tuple and value[:1] == ("omitted",)


def same(recorded, true):
    """Whether a recorded value is the true one, as far as it was kept."""
    if is_omitted(recorded) or is_omitted(true):
        return True
    if type(recorded) is not tuple or type(true) is not tuple:
        return recorded == true
    if len(recorded) != len(true):
        shown = recorded[:-1]
        return bool(recorded) and is_rest(recorded[-1]) and len(shown) < len(true) and all(map(same, shown, true))
    if recorded and is_rest(recorded[-1]):
        recorded, true = recorded[:-1], true[:-1]
    return all(map(same, recorded, true))


def is_rest(value):
    """Whether it stands for elements or fields that were cut off."""
    return is_omitted(value) or type(value) is tuple and value[:1] == ("…",)


def watch(text):
    """Before each line of the function: its number and what the variables are; the last one is when it is left."""
    found = []

    def local(frame, event, _):
        if event in ("line", "return"):
            found.append((frame.f_lineno if event == "line" else None, {name: seen(one) for name, one in frame.f_locals.items()}))
        return local

    def begin(frame, event, _):
        return local if frame.f_code.co_name == "play" else None

    sys.settrace(begin)
    try:
        with open(os.devnull, "w") as nowhere:
            exec(compile(text, "play.py", "exec"), {"__name__": "__main__", "print": lambda *said: print(*said, file=nowhere)})
    finally:
        sys.settrace(None)
    return found


def whole_lines(text):
    """For each line of a statement of the function: the last line of it, and whether it is a loop."""
    function = next(node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef) and node.name == "play")
    return {node.lineno: (node.end_lineno, isinstance(node, (ast.For, ast.While)))
            for node in ast.walk(function) if isinstance(node, ast.stmt)}


def difference(text, calls):
    """Where the law does not hold; None if it does."""
    lines, spans = watch(text), whole_lines(text)
    source = text.split("\n")
    names = {source[line - 1].strip().rstrip(":") for line in spans}
    play = next(number for number, call in enumerate(calls) if call.name == "play")
    # What it calls is not inside.
    inside = [play]
    for number, call in enumerate(calls):
        if call.parent in inside and call.name.rstrip(":") in names:
            inside.append(number)
    # Events in the order of the trail's statements: a line of a loop's header is one only when the loop begins.
    at, begun = 0, []
    for row, (line, state) in enumerate(lines):
        if line is None or line not in spans:
            continue
        last, is_loop = spans[line]
        previous = lines[row - 1][0] if row else None
        if is_loop and begun_in(lines, row, line, last):
            continue
        begun.append((row, line, last, is_loop))
    headers = {}
    statements = []
    for number in inside[1:]:
        call = calls[number]
        if call.parent in headers and calls[call.parent].name == call.name:
            continue  # A round.
        statements.append(number)
        if call.name.startswith(("for ", "while ")):
            headers[number] = True
    if len(statements) != len(begun):
        return f"{len(statements)} statements are recorded, and {len(begun)} ran"
    for number, (row, line, last, is_loop) in zip(statements, begun):
        call, state = calls[number], lines[row][1]
        end = next((later for later in lines[row + 1 :] if later[0] is None or is_over(later[0], line, last, is_loop)), None)
        where = f"line {line}, {source[line - 1].strip()}"
        for name, value in call.arguments:
            if value != ("missing",) and name in state and not same(value, state[name]):
                return f"{where}: {name} is given as\n  {value}\nand is\n  {state[name]}"
        if end is None:
            continue
        changes = {name: (before, after) for name, before, after in call.changes}
        for name in state.keys() | end[1].keys():
            before, after = state.get(name, ("missing",)), end[1].get(name, ("missing",))
            if name in changes:
                told, became = changes[name]
                if not same(told, before) or not same(became, after):
                    return f"{where}: {name} is said to change\n  {told}\n  {became}\nand changes\n  {before}\n  {after}"
                # What was not compared may be the same.
                if before == after and not is_unsure(became):
                    return f"{where}: {name} is said to change, and does not: {before}"
            elif before != after:
                return f"{where}: {name} changes, which is not told\n  {before}\n  {after}"
    return None


def begun_in(lines, row, line, last):
    """Whether a loop's header runs once more: something of the loop ran just before, in this execution of it."""
    for earlier in range(row - 1, -1, -1):
        at = lines[earlier][0]
        if at is None or not line <= at <= last:
            return False
        if at == line:
            return True
    return False


def is_over(at, line, last, is_loop):
    return not line <= at <= last if last > line else True


def is_unsure(value):
    return "omitted" in repr(value)


def record(text, python, folder):
    path, kept = os.path.join(folder, "play.py"), os.path.join(folder, "play.trail")
    with open(path, "w") as out:
        out.write(text)
    job = os.path.join(folder, "job")
    with open(job, "w") as out:
        out.write(job_text(kept))
    run = subprocess.run([python, "-m", "gadfly.run_script", path], env=dict(os.environ, GADFLY_JOB=job), capture_output=True, text=True, timeout=120)
    if run.returncode not in (0, 1):
        raise SystemExit(f"it ended with {run.returncode}: {run.stderr}")
    with open(kept, "rb") as file:
        return trail.read(file.read())


def job_text(kept):
    from gadfly.job import Job, RecordTask

    return Job(RecordTask(kept, detail=True)).line().decode()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--package")
    options = parser.parse_args()
    if options.package:
        sys.path.insert(0, options.package)
        os.environ["PYTHONPATH"] = options.package
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(options.seed, options.seed + options.count):
            text = program(random.Random(seed))
            found = difference(text, record(text, sys.executable, folder))
            if found:
                wrong += 1
                print(f"program {seed}: {found}")
    print(f"{options.count} programs, {wrong} differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
