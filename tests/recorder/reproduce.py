#!/usr/bin/env python3
"""Programs that the recorder once crashed, changed, or showed wrongly, each recorded in three ways.

    python tests/recorder/reproduce.py [--package FOLDER] [NAME ...]

The Python that runs this records them: as it is, with PYTHONMALLOC=debug, which fills memory that is freed, and with a collector that runs at
every allocation. A program must end and print as it does plainly, and its tree must be what its check below says. `--package` is
the folder with the built package, if it is not installed. A program that needs a package which is not there is left out, and said so."""
import argparse
import importlib.util
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "reproducers")
COLLECTS = "import gc; gc.set_threshold(1)\n"


def equations(tree, function):
    """What is said of the calls of a function, in order."""
    return [node["equation"] for node in tree["nodes"] if node["function"] == function]


def shows(function, *expected):
    """A check: these are the calls of a function."""
    def check(tree, printed):
        found = equations(tree, function)
        assert found == list(expected), f"{function}: {found}"
    return check


def calls(function, count):
    """A check: a function was called so often."""
    def check(tree, printed):
        found = len(equations(tree, function))
        assert found == count, f"{found} calls of {function}, not {count}"
    return check


def fresh_names(tree, printed):
    for at, said in enumerate(equations(tree, "look")):
        name = f"name_{at:06}"
        assert said == f"look(o=O({name}=[{at}])) = '{name}'", said


def hint(tree, printed):
    deaths = [node for node in tree["nodes"] if node["function"] == "H.__del__"]
    assert len(deaths) >= 40, len(deaths)
    looks = {node["parent"]: node["equation"] for node in tree["nodes"] if node["function"] == "look"}
    for death in deaths[:40]:
        # The object that dies has been replaced by then.
        dies = int(re.search(r"K\(n=(-?\d+)", death["equation"])[1])
        there = int(re.search(r"h=H\(k=K\(n=(-?\d+)", looks[death["node"]])[1])
        assert there == dies + 1, (death["equation"], looks[death["node"]])


def code_leak(tree, printed):
    first, *_, last = [int(line.split()[0]) for line in printed.splitlines()]
    assert last - first <= 4, f"memory grows from {first} to {last} MB"


def greenlet_exit(tree, printed):
    runs = [node["node"] for node in tree["nodes"] if node["function"] == "run"]
    works = [node["parent"] for node in tree["nodes"] if node["function"] == "work"]
    assert len(works) == 1011 and set(works) == set(runs), "a greenlet's calls hang under what made it"
    assert all(said.startswith("work(hub=<greenlet>) = None") for said in equations(tree, "work"))


def eqglobal(tree, printed):
    assert [said.partition("  ")[2] for said in equations(tree, "add")] == ["{total: [] → [1]}", "{total: [1] → [1, 2]}"]



def tuple_in_cycle(tree, printed):
    said, = equations(tree, "put")
    assert said.startswith("put(d={1: [2]}, k=255, x=(frozenset([-1, 0]), {1: [2]})) = None  {d: {1: [2]} → {1: [2], 255: (frozenset"), said


def q(n):
    return f"Q(n={n}, l=[{n}, [{n}]], m={{{n}: [{n}]}}, k={{1: 2}})"


CHECKS = {
    "bound_method": calls("leaf", 3000),
    "code_leak": code_leak,
    "eqglobal": eqglobal,
    "foreign_slot": shows("look", *["look(o=A) = 1"] * 2000),
    "fresh_names": fresh_names,
    "gc_while_reading": calls("look", 2),
    "generator_argument_held": calls("f", 1),
    "greenlet_exit": greenlet_exit,
    "hint": hint,
    "life": calls("f", 2),
    "method_memo_crash": calls("run", 300),
    "method_memo_wrong_value": shows("f", *[f"f(g=method({q(n)}, Q.go)) = {n}" for n in (1, 2, 1, 2)]),
    "named_arguments_held": calls("f", 1),
    "named_range": shows("look", *[f"look(o=O(a={{1: [{n}]}}, r=range(n={n}), b={{2: [{n}]}})) = 1" for n in (1, 2, 3)]),
    "says_that_it_is_pandas": shows("look", "look(o=Own(n=[1])) = 1"),
    "set_memo_crash": calls("look", 300),
    "set_memo_wrong_value": shows(
        "add", "add(s=set([P(n=1), P(n=2)]), p=P(n=3)) = None  {s: set([P(n=1), P(n=2)]) → set([P(n=1), P(n=2), P(n=3)])}"),
    "tuple_in_cycle_kept_alive": lambda tree, printed: None,
    "tuple_in_cycle_wrong_value": tuple_in_cycle,
    "tuples": shows("look", *["look(o=O(a=[1, [2]], b={1: 2}, p=P(x=1, y=2))) = 1",
                              "look(o=O(a=[1, [2]], b={1: 2}, p=V(a=1, b=2))) = 1"] * 3),
}
# What these print says how much memory they take, or how long arguments live, which is not as in a plain run.
PRINT_OTHERWISE = {"code_leak", "life"}
NEEDS = {"greenlet_exit": "greenlet"}
# It makes code three hundred thousand times, and is about nothing but memory.
TAKES_LONG = {("code_leak", "collecting")}


def run(arguments, environment, folder):
    return subprocess.run(arguments, env=environment, cwd=folder, capture_output=True, text=True, timeout=120)


def reproduce(name, way, environment, place):
    """Records a program in one way; complains if anything is not as it should be."""
    with open(os.path.join(HERE, name + ".py")) as source:
        text = source.read()
    with open(os.path.join(place, name + ".py"), "w") as out:
        out.write((COLLECTS if way == "collecting" else "") + text)
    if way == "malloc":
        environment = {**environment, "PYTHONMALLOC": "debug"}
    plain = run([sys.executable, name + ".py"], environment, place)
    trail = name + ".trail"
    recorded = run([sys.executable, "-m", "gadfly", "record", name + ".py", "-o", trail], environment, place)
    said = recorded.stderr[-300:]
    assert recorded.returncode == plain.returncode == 0, f"status {recorded.returncode}, plainly {plain.returncode}: {said}"
    assert "warning" not in said and "panicked" not in said, said
    assert name in PRINT_OTHERWISE or recorded.stdout == plain.stdout, f"printed {recorded.stdout!r}, plainly {plain.stdout!r}"
    told = run([sys.executable, "-m", "gadfly", "tree", trail, "--format", "json"], environment, place)
    CHECKS[name](json.loads(told.stdout), recorded.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--package")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    environment = dict(os.environ)
    if options.package:
        environment["PYTHONPATH"] = os.path.abspath(options.package)
    failed, count = [], 0
    with tempfile.TemporaryDirectory() as place:
        for name in options.names or sorted(CHECKS):
            if name in NEEDS and importlib.util.find_spec(NEEDS[name]) is None:
                print(f"{name}: left out, there is no {NEEDS[name]}")
                continue
            for way in ("as it is", "malloc", "collecting"):
                if (name, way) in TAKES_LONG:
                    continue
                count += 1
                try:
                    reproduce(name, way, environment, place)
                except (AssertionError, ValueError, KeyError, TypeError, subprocess.TimeoutExpired) as problem:
                    failed.append(name)
                    print(f"{name}, {way}: {problem}")
    print(f"{count - len(failed)} passed, {len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
