"""Runs a program again up to a call, and answers for that call: what it did in detail, and what a correct version would do.

A player is a process that stands at the beginning of a call and does what it is told through a socket, one JSON object a
line. `go` makes a copy of the process, which runs on to another call and stands there as a player of its own; `record` and
`ask` make a copy that does the call, tells what came of it, and ends. So the state of a call is always the real one, with
everything that cannot be written down, and no copy sees what another one did."""
import ast
import asyncio
import builtins
import difflib
import gc
import itertools
import json
import os
import pickle
import signal
import socket
import sys
import traceback
import types

from gadfly import _adopt, _align, _compare, _describe, _detail, _fragment, _native
from gadfly._source import Source, locate, origins

GENERATOR, COROUTINE, ASYNC_GENERATOR, OPTIMIZED = 0x20, 0x80, 0x200, 0x1
SOME = 1000
# What has not ended after so many events is taken not to end.
MANY = 2_000
# What the reference's code raises where it has names that the program does not.
STRANGE = (AttributeError, NameError, ImportError)
# What a generator that is made to go on has given since somebody looked.
YIELDED = []
# How many calls deep we may be where the program may not, and how many of them we are when it goes on.
ROOM, OWN = 200, 6
# The program may have another one by now.
leave = os._exit


class Player:
    """One process, at the beginning of a call."""

    def __init__(self, place, describer, command):
        self.place = place
        self.describer = describer
        self.command = command
        self.printed = []
        self.copying = False
        self.stands = None

    def connect(self):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(self.place)
        self.lines = self.socket.makefile("rb")

    def hear(self, text):
        """The program prints something."""
        self.printed.append(text)
        _native.wrote(text)

    def tell(self, **what):
        self.socket.sendall(json.dumps(what).encode() + b"\n")

    def start(self):
        """Begins to follow a run; comes back in a process that is to run on."""
        os.register_at_fork(after_in_child=self.forked)
        _native.start(None, self.command, self.describer)
        self.connect()
        self.tell(at=0)
        self.serve()

    def forked(self):
        if not self.copying:
            _native.abandon()

    def copy(self):
        """Makes a copy of this process; gives 0 in the copy."""
        self.copying = True
        try:
            pid = os.fork()
        finally:
            self.copying = False
        if pid == 0:
            reopen()
        return pid

    def reached(self, function, code, variables, names, arguments):
        """The run has come to the call that it was to go to."""
        signal.setitimer(signal.ITIMER_REAL, 0)
        self.stands = Stand(function, code, variables, names, arguments)
        self.tell(at=1, name=_describe.Describer.qualified(self.describer, code), line=code.co_firstlineno)
        self.serve()

    def serve(self):
        """Does what it is told; comes back in a copy that is to run on."""
        while True:
            line = self.lines.readline()
            if not line:
                leave(0)
            told = json.loads(line)
            pid = self.copy()
            if pid == 0:
                limit(told.get("seconds"))
                if "go" in told:
                    self.connect()
                    self.tell(started=True)
                    _native.wait_for(told["go"], self.reached)
                    return
                self.do(told)
            if "go" not in told:
                self.wait(pid)

    def wait(self, pid):
        """Waits for a copy that does something; one that could not tell is told of."""
        _, status = os.waitpid(pid, 0)
        if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGALRM:
            self.tell(unknown="there was no end in time")
        elif status != 0:
            self.tell(unknown="the process that was to answer came to an unexpected end")

    def ended(self):
        """The run is over, and did not come to the call."""
        self.tell(ended=True)
        leave(0)

    def do(self, told):
        """Does one thing in a process of its own, and ends it."""
        status = 1
        try:
            _native.abandon()
            self.printed.clear()
            if "record" in told:
                answer = self.record(told)
            elif "fragment" in told:
                answer = self.ask_inside(told)
            elif "constants" in told:
                answer = self.constants(told)
            elif "check" in told:
                answer = self.check(told)
            elif "differing" in told:
                answer = self.differing(told)
            else:
                answer = self.ask(told)
            self.tell(**answer)
            status = 0
        except _adopt.Unanswerable as why:
            self.tell(unknown=str(why))
            status = 0
        except BaseException as error:
            note(error)
            self.tell(unknown=f"the call could not be made again: {type(error).__name__}")
            status = 0
        finally:
            leave(status)

    def detailed(self):
        """The code of the call with events in it, and what they mean."""
        plain = self.stands.code
        text = _describe.read(plain.co_filename)
        detailed = _detail.Detailed(text, plain.co_filename, plain) if text is not None else None
        code = detailed and detailed.find(plain)
        if code is None or detailed.details(code) is None:
            raise _adopt.Unanswerable("the code of the call is not in its file")
        return detailed, code

    def record(self, told):
        """Makes the call as the program does, and records it; with what happens inside, if that is wanted."""
        stands = self.stands
        code = None
        describer = self.describer.anew()
        if told.get("detail"):
            detailed, code = self.detailed()
            describer.detailed[stands.code.co_filename] = detailed
            _detail.listen()
        endless = told.get("endless")
        _native.start(told["record"], self.command, describer, *([MANY] if endless else []))
        deep = told.get("deep", False)
        how, value = stands.do(code or stands.code, code, told.get("items"), deep)
        _native.stop(0, None, bool(endless))
        if endless:
            return {"done": True}
        if deep and type(value) is not RecursionError:
            # It was only too deep inside of others.
            return {"done": True, "answer": "correct"}
        picture = self.picture(how, value, None)
        with open(told["values"], "wb") as out:
            pickle.dump(picture, out)
        return {"done": True}

    def ask(self, told):
        """Makes the call with the reference's code, and compares what comes of it with what was."""
        before = None
        if "values" in told:
            with open(told["values"], "rb") as values:
                before = pickle.load(values)
        stands = self.stands
        reference = self.reference(told["reference"])
        code, _ = self.adopted(reference)
        how, value = stands.do(code or stands.code, None, told.get("items"), told.get("deep", False))
        if how == "raise" and isinstance(value, STRANGE) and (before is None or before["how"] != "raise"):
            raise _adopt.Unanswerable("the reference's code does not fit the program's state")
        if before is None:
            return {"answer": "wrong", "why": "it comes to an end"}
        return judged(before, self.picture(how, value, before), reference.kind != "file")

    def check(self, told):
        """Makes the call, and asks what the program says itself of what it takes and gives."""
        from gadfly import _check
        stands = self.stands
        if stands.function is None:
            raise _adopt.Unanswerable("the function of the call is not known")
        if told["check"] == "contracts":
            import copy
            try:
                before = copy.deepcopy(stands.arguments)
            except Exception:
                before = stands.arguments
            how, value = stands.do(stands.code, None, told.get("items"))
            answer = _check.contracts(stands.function, stands.arguments, before, how, value)
        else:
            how, value = stands.do(stands.code, None, told.get("items"))
            answer = _check.hints(stands.function, stands.arguments, how, value)
        return answer or {"unknown": "what the program says of itself does not tell"}

    def reference(self, told):
        kind, place = told["kind"], told["place"]
        if kind == "module":
            spec = locate(place)
            if spec is None:
                raise _adopt.Unanswerable(f"there is no module {place}")
            if spec.submodule_search_locations is None:
                kind, place = "file", spec.origin
        reference = _adopt.Reference(kind, place, told.get("root", self.describer.root))
        if reference.kind == "file":
            # One file is the counterpart of one module: of the one that has most of what it defines.
            defined = set(reference.source(reference.place).origins)
            stem = os.path.splitext(os.path.basename(reference.place))[0]
            fits = lambda item: (len(defined & set(item[1].__dict__)), item[0] == stem)
            modules = self.modules()
            reference.chosen = max(modules.items(), key=fits)[0] if modules else None
        return reference

    def modules(self):
        """The modules of the program that are suspected."""
        found = {}
        for name, module in list(sys.modules.items()):
            file = module.__dict__.get("__file__") if isinstance(module, types.ModuleType) else None
            if type(file) is str and self.describer.is_suspect_file(file):
                found[name] = module
        return found

    def adopted(self, reference):
        """Has the program run the reference's code; gives the code and the tree that are the counterpart of the call's."""
        stands, modules = self.stands, self.modules()
        source = self.source(reference)
        if source is None:
            # What the reference does not have is taken to be right; what it calls may not be.
            _adopt.adopt(reference, modules, self.describer.is_suspect_file)
            return None, None
        tree = reference.tree(source)
        name = self.describer.qualified(stands.code)
        if stands.code.co_name == "<module>":
            return reference.code(source), tree
        node = _align.find(tree, name, None)
        if node is None and "<lambda>" not in name:
            raise _adopt.Unanswerable(f"the reference has no {name}")
        code = None
        if not stands.code.co_flags & OPTIMIZED:
            name, order = Source(stands.code.co_filename).place(stands.code)
            code = reference.source(source).codes[name][order]
        _adopt.adopt(reference, modules, self.describer.is_suspect_file)
        return code, node

    def source(self, reference):
        name = self.stands.variables.get("__name__", "")
        only = sum(1 for _ in self.modules()) == 1
        return reference.source_for(name, self.stands.code.co_filename, only=only)

    def picture(self, how, value, before):
        """What came of a call, as something that can be compared."""
        stands = self.stands
        variables = {}
        for name, module in self.modules().items():
            names = {key: data for key, data in module.__dict__.items() if is_data(key, data)}
            if before is not None:
                known = before["names"].get(name, ())
                names = {key: data for key, data in names.items() if key in known}
            variables[name] = names
        cells = [cell.cell_contents for cell in stands.cells() if is_full(cell)]
        return {
            "how": how,
            "result": _compare.canonical((value, list(stands.arguments.items()), cells, "".join(self.printed))),
            "globals": _compare.canonical(variables),
            "names": {name: list(known) for name, known in variables.items()},
            # Last, since it may do anything.
            "gives": _compare.canonical(taken(value)),
        }

    def aligned(self, told):
        """The code of the call with its details, and how it corresponds to the reference's."""
        stands = self.stands
        detailed, code = self.detailed()
        details = detailed.details(code)
        reference = self.reference(told["reference"])
        source = self.source(reference)
        if source is None:
            raise _adopt.Unanswerable(f"the reference has no counterpart of {stands.code.co_filename}")
        name = self.describer.qualified(stands.code)
        good = _align.find(reference.tree(source), name, None)
        mine = ast.parse(_describe.read(stands.code.co_filename))
        mine = _align.find(mine, name, stands.code.co_firstlineno)
        if good is None or mine is None:
            raise _adopt.Unanswerable(f"the reference has no {name}")
        return code, details, reference, _align.align(mine, good), (mine, good)

    def differing(self, told):
        """Where the statements of the call are that the reference has otherwise, and its own beginning, if that differs."""
        _, details, _, alignment, (mine, good) = self.aligned(told)
        found = []
        if own(mine) != own(good):
            found.append(details.header)
        for fragment in details.fragments:
            if fragment.path and fragment.path[-1][0] != "round":
                statements = alignment.of(fragment.path)
                node, partner = alignment.partners.get(fragment.path, (None, None))
                if node is None or statements != [partner] or own(node) != own(partner):
                    found += fragment.own
        return {"differing": [(line, column + 1, last, end + 1) for line, column, last, end in found]}

    def constants(self, told):
        """Where the suspected modules set variables that the reference sets to something else, once and for all."""
        reference = self.reference(told["reference"])
        found = []
        for name, module in self.modules().items():
            path = reference.source_for(name, module.__file__)
            if path is None:
                continue
            good = reference.source(path).origins
            for node in Source(module.__file__).tree.body:
                for key, (_, origin) in origins([node]).items():
                    other = good.get(key, (0, None))
                    if origin[0] == "value" and other[0] == 1 and other[1][0] == "value" and other[1] != origin:
                        found.append([_describe.shown(module.__file__), name, key, node.lineno, node.end_lineno,
                                      *changed(node, reference.tree(path), key)])
        return {"constants": found}

    def ask_inside(self, told):
        """Makes the call up to a fragment inside of it, and compares the fragment with the reference's."""
        stands = self.stands
        code, details, reference, alignment, _ = self.aligned(told)
        inside = Inside(self, details, (told["fragment"], told["until"]), alignment, reference, code)
        builtins.__gadfly_at__ = inside.at
        builtins.__gadfly_give__ = inside.give
        stands.do(code, code, told.get("items"), told.get("deep", False))
        return inside.judged or {"unknown": "the call went another way than before"}


class Inside:
    """Follows the events of a call up to a fragment; there a copy does what the reference does, and the rest is compared.

    Several fragments that follow each other are right if each of them is."""

    def __init__(self, player, details, targets, alignment, reference, code):
        self.player, self.details = player, details
        self.first, self.last = targets
        self.parent = None
        self.alignment, self.reference, self.code = alignment, reference, code
        self.begun = self.events = 0
        self.fragment = None
        self.leaves = None
        self.judged = None
        # Variables of modules that only the reference has.
        self.added = {}

    def at(self, number):
        if sys._getframe(1).f_code is not self.code:
            return
        fragment = None
        self.events += self.fragment is not None
        if self.events > MANY:
            return self.left(sys._getframe(1), "endless", None)
        if number >= _detail.FIRST:
            fragment = self.details.fragments[number - _detail.FIRST]
        if self.fragment is not None:
            frame = sys._getframe(1)
            if number <= _detail.RAISED or not self.is_inside(number - _detail.FIRST):
                error = sys.exc_info()[1]
                raised = number == _detail.RAISED or fragment is not None and fragment.kind == _detail.HANDLES
                how = "raise" if raised and error is not None else self.leaves or "normal"
                self.left(frame, how, error if how == "raise" else None)
            elif fragment.kind in (_detail.BREAK, _detail.CONTINUE):
                self.leaves = self.goes(number - _detail.FIRST)
        if fragment is None or fragment.kind in (_detail.ENDS, _detail.HANDLES):
            if number <= _detail.RAISED and self.judged:
                self.tell(self.judged)
            return
        self.begun += 1
        if self.fragment is None and self.begun >= self.first:
            if self.begun > self.last:
                self.tell(self.judged)
            if self.parent is None or fragment.parent == self.parent:
                self.parent, self.fragment, self.leaves = fragment.parent, number - _detail.FIRST, None
                self.begin(sys._getframe(1), fragment)

    def give(self, value):
        if self.fragment is not None and sys._getframe(1).f_code is self.code:
            self.left(sys._getframe(1), "return", value)
        return value

    def is_inside(self, number):
        """Whether a fragment is inside of the one that is followed."""
        at = self.details.fragments[number].parent
        while at >= 0:
            if at == self.fragment:
                return True
            at = self.details.fragments[at].parent
        return False

    def goes(self, number):
        """What a `break` or a `continue` does to the fragment that is followed: nothing if its loop is inside."""
        fragments = self.details.fragments
        kind, at = fragments[number].kind, number
        while at >= 0 and fragments[at].kind != _detail.LOOP:
            at = fragments[at].parent
        if at == self.fragment or self.is_inside(at):
            return None
        if kind == _detail.CONTINUE and fragments[self.fragment].kind == _detail.ROUND:
            return None
        return "break" if kind == _detail.BREAK else "continue"

    def begin(self, frame, fragment):
        """Copies of the process do what the reference does here: with what it has more than this code, and without."""
        path = fragment.path
        if fragment.kind in (_detail.BREAK, _detail.CONTINUE):
            self.leaves = self.goes(self.fragment)
        mine, partner = self.alignment.partners.get(path, (None, None))
        if path[-1][0] == "round":
            statements = self.alignment.body_of(path[:-1])
            own = self.alignment.partners.get(path[:-1], (None, None))[0]
            own = own.body if own is not None else []
        else:
            statements, own = self.alignment.of(path), [mine]
        self.is_same = statements is not None and None not in own and written(statements) == written(own)
        if self.is_same:
            # What is written the same does the same, since the calls that it makes have been found right.
            return
        if statements is None:
            # Nothing may be raised here: it is the program that runs.
            self.tell({"unknown": "the reference has no counterpart of this code"})
        self.good = self.elsewhere(frame, fragment, statements)
        self.alone = self.lacks = None
        if partner in statements and len(statements) > 1:
            self.lacks = "after" if statements[0] is partner else "before"
            self.alone = self.elsewhere(frame, fragment, [partner])
        self.player.printed.clear()
        self.given = len(YIELDED)
        if "unknown" in self.good:
            self.tell(self.good)

    def elsewhere(self, frame, fragment, statements):
        """What statements come to in a copy of the process, which tells it through a file."""
        kept = os.path.join(os.path.dirname(self.player.place), f"inside-{os.getpid()}")
        pid = self.player.copy()
        if pid:
            _, status = os.waitpid(pid, 0)
            if status != 0:
                return {"unknown": "the reference's statements came to an unexpected end"}
            with open(kept, "rb") as told:
                good = pickle.load(told)
            os.unlink(kept)
            return good
        status = 1
        try:
            try:
                good = self.do(frame, fragment, statements)
            except _adopt.Unanswerable as why:
                good = {"unknown": str(why)}
            with open(kept, "wb") as out:
                pickle.dump(good, out)
            status = 0
        except BaseException as error:
            note(error)
        finally:
            leave(status)

    def do(self, frame, fragment, statements):
        """What the reference's statements come to."""
        player = self.player
        before = {name: set(module.__dict__) for name, module in player.modules().items()}
        player.adopted(self.reference)
        self.added = {name: set(module.__dict__) - before.get(name, set())
                      for name, module in player.modules().items()}
        player.printed.clear()
        builtins.__gadfly_at__ = lambda number: None
        builtins.__gadfly_give__ = lambda value: value
        variables = dict(frame.f_locals)
        is_function = bool(self.code.co_flags & OPTIMIZED)
        names = set(self.code.co_varnames) | set(self.code.co_cellvars) | set(self.code.co_freevars)
        if is_function:
            # Names that the statements have and the function does not: the reference's own.
            shared = assigned_globals(statements, names)
            local = names
        else:
            shared, local, variables = set(), set(), {}
        if not statements:
            how, value, after = "normal", None, variables
        elif is_function:
            name = player.describer.qualified(player.stands.code)
            class_name = name.split(".")[-2] if "." in name and "<locals>" not in name.split(".")[-2:] else None
            first = self.code.co_varnames[0] if self.code.co_argcount else None
            code = _fragment.fragment_code(statements, [key for key in variables if key.isidentifier()], local, shared,
                                           "<reference>", first_argument=first, class_name=class_name)
            function = types.FunctionType(code, frame.f_globals, "__fragment__")
            given = {key: one for key, one in variables.items() if key.isidentifier()}
            if "__class__" in variables:
                given["__class__"] = variables["__class__"]
            told = function(**given)
            how, value, after = run(told) if code.co_flags & COROUTINE else told
        else:
            how, value, after = "normal", None, {}
            module = ast.Module(body=statements, type_ignores=[])
            try:
                exec(compile(module, "<reference>", "exec", dont_inherit=True), frame.f_globals, frame.f_locals)
            except BaseException as error:
                how, value = "raise", error
        if how == "raise" and isinstance(value, NameError):
            raise _adopt.Unanswerable("the reference's code uses other variables")
        self.is_strange = how == "raise" and isinstance(value, STRANGE)
        if how == "continue" and fragment.kind == _detail.ROUND:
            how = "normal"
        if not is_function:
            after = dict(frame.f_locals)
        return {**self.picture(frame, how, value, after, after.pop("yields", [])), "strange": self.is_strange}

    def picture(self, frame, how, value, after, yields):
        names = [name for name in (*self.code.co_varnames, *self.code.co_cellvars, *self.code.co_freevars)]
        if not self.code.co_flags & OPTIMIZED:
            added = self.added.get(frame.f_globals.get("__name__"), ())
            names = [name for name, data in after.items() if is_data(name, data) and name not in added]
        kept = {name: after[name] for name in dict.fromkeys(names) if name in after}
        others = {name: {key: data for key, data in module.__dict__.items()
                         if is_data(key, data) and key not in self.added.get(name, ())}
                  for name, module in self.player.modules().items()}
        return {
            "how": how,
            "result": _compare.canonical((value, kept, yields, "".join(self.player.printed))),
            "globals": _compare.canonical(others),
            "gives": _compare.canonical([taken(value), *(taken(one) for one in kept.values())]),
        }

    def left(self, frame, how, value):
        """The fragment is over."""
        self.fragment = None
        if self.is_same:
            self.judged = {"answer": "correct"}
            if self.first == self.last or how != "normal":
                self.tell(self.judged)
            return
        mine = self.picture(frame, how, value, dict(frame.f_locals), YIELDED[self.given:])
        self.judged = judged(mine, self.good, self.reference.kind != "file")
        if "unknown" in self.judged:
            self.tell(self.judged)
        if self.judged["answer"] == "wrong" and self.alone and "unknown" not in self.alone:
            if judged(mine, self.alone, self.reference.kind != "file").get("answer") == "correct":
                self.judged["missing"] = self.lacks
        if self.judged["answer"] == "wrong" or self.first == self.last or how != "normal":
            self.tell(self.judged)

    def tell(self, answer):
        """There is nothing more to see."""
        self.player.tell(**(answer or {"unknown": "the call went another way than before"}))
        leave(0)


class Stand:
    """A call that is about to be made."""

    def __init__(self, function, code, variables, names, arguments):
        self.code, self.variables, self.names = code, variables, names
        parameters = list(code.co_varnames)
        self.arguments = {parameters[at]: value for at, value in sorted(arguments.items())}
        self.function = function if isinstance(function, types.FunctionType) else None
        if self.function is None and code.co_flags & OPTIMIZED:
            owners = [one for one in gc.get_referrers(code) if type(one) is types.FunctionType and one.__code__ is code]
            self.function = owners[0] if len(owners) == 1 else None
        self.original = (code, *((self.function.__defaults__, self.function.__kwdefaults__) if self.function else (None, None)))

    def cells(self):
        return (self.function and self.function.__closure__) or ()

    def do(self, code, replacement, items, deep=False):
        """Makes the call: with its function, or with other code in place of the function's.

        It may be as deep as the program's own would have been; or, if `deep`, as if nothing were around it."""
        if not self.code.co_flags & OPTIMIZED:
            try:
                exec(code, self.variables, self.names)
            except BaseException as error:
                return "raise", error
            return "normal", None
        function = self.function
        if function is None:
            raise _adopt.Unanswerable("the function of the call is not known")
        if replacement is not None:
            defaults, keywords = function.__defaults__, function.__kwdefaults__
            function = types.FunctionType(replacement, function.__globals__, function.__name__, defaults,
                                          function.__closure__)
            function.__kwdefaults__ = keywords
        try:
            sys.setrecursionlimit(sys.getrecursionlimit() - ROOM + (depth() if deep else OWN))
            value = _adopt.call(function, self.arguments, *self.original)
            sys.setrecursionlimit(sys.getrecursionlimit() + ROOM)
            flags = function.__code__.co_flags
            if flags & (GENERATOR | COROUTINE | ASYNC_GENERATOR):
                value = finished(value, flags, SOME if items is None else items)
        except _adopt.Unanswerable:
            raise
        except BaseException as error:
            sys.setrecursionlimit(sys.getrecursionlimit() + ROOM)
            return "raise", error
        return "normal", value


def depth():
    """How many calls deep we are."""
    frame, count = sys._getframe(), 0
    while frame is not None:
        frame, count = frame.f_back, count + 1
    return count


def finished(value, flags, items):
    """What a generator or a coroutine comes to."""
    if isinstance(value, types.GeneratorType):
        YIELDED.clear()
        for one in itertools.islice(value, items + 1):
            YIELDED.append(one)
        return list(YIELDED)
    if isinstance(value, types.AsyncGeneratorType):
        async def some():
            found = []
            async for one in value:
                found.append(one)
                if len(found) > items:
                    break
            return found
        return run(some())
    return run(value) if isinstance(value, types.CoroutineType) else value


def run(coroutine):
    """Runs a coroutine in a loop of its own."""
    asyncio._set_running_loop(None)
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    return loop.run_until_complete(coroutine)


def written(statements):
    """What statements say, wherever they stand."""
    return [ast.dump(statement) for statement in statements]


def changed(node, tree, name):
    """The first and the last line of what differs in the statements that set a variable."""
    other = next((one for one in tree.body if name in origins([one])), None)
    while other is not None:
        parts, others = list(ast.iter_child_nodes(node)), list(ast.iter_child_nodes(other))
        if type(node) is not type(other):
            break
        pairs = [(one, two) for one, two in zip(parts, others) if ast.dump(one) != ast.dump(two) and hasattr(one, "lineno")]
        if len(parts) != len(others):
            # Something was put in or taken out.
            spans = [span for span in parts if hasattr(span, "lineno")]
            matcher = difflib.SequenceMatcher(None, written(spans), written(one for one in others if hasattr(one, "lineno")), False)
            touched = [spans[at] for kind, low, high, _, _ in matcher.get_opcodes() if kind != "equal"
                       for at in (range(low, high) if high > low else (low - 1, low)) if 0 <= at < len(spans)]
            return (min((one.lineno for one in touched), default=node.lineno),
                    max((one.end_lineno for one in touched), default=node.end_lineno))
        if len(pairs) != 1:
            return (min((one.lineno for one, _ in pairs), default=node.lineno),
                    max((one.end_lineno for one, _ in pairs), default=node.end_lineno))
        node, other = pairs[0]
    return node.lineno, node.end_lineno


def own(node):
    """What a statement or a function says without the statements inside of it."""
    return [ast.dump(part) if isinstance(part, ast.AST) else part
            for field, value in ast.iter_fields(node) if field not in ("body", "orelse", "finalbody", "cases")
            for part in (value if isinstance(value, list) else [value]) if not isinstance(part, ast.ExceptHandler)] + \
        [ast.dump(handler.type) if handler.type else None for handler in getattr(node, "handlers", ())]


def note(error):
    """Tells those who look for mistakes of ours."""
    place = os.environ.get("GADFLY_PLAYER_TRACE")
    if place:
        with open(place, "a") as out:
            traceback.print_exception(type(error), error, error.__traceback__, file=out)


def taken(value):
    """What an iterator would give: this process ends before anybody else could have it."""
    if type(value) in (tuple, list) and len(value) < SOME:
        return [taken(one) for one in value if is_iterator(one)]
    if not is_iterator(value):
        return None
    try:
        return list(itertools.islice(value, SOME))
    except BaseException as error:
        return error


def is_iterator(value):
    kind = type(value)
    return kind is types.GeneratorType or kind.__module__ in ("builtins", "itertools") and hasattr(kind, "__next__")


def judged(one, other, lenient=False):
    """The answer: whether two pictures are of the same."""
    if one["how"] != other["how"] and other.get("strange"):
        return {"unknown": "the reference's code does not fit the program's state"}
    if one["how"] != other["how"]:
        return {"answer": "wrong", "why": f"{other['how']} instead of {one['how']}"}
    for part in ("result", "globals", "gives"):
        if _compare.same(one[part], other[part], lenient) is False:
            return {"answer": "wrong", "why": _compare.difference(one[part], other[part], lenient)}
    return {"answer": "correct"}


def assigned_globals(statements, names):
    """Names that statements declare `global`."""
    return {name for statement in statements for node in ast.walk(statement) if isinstance(node, ast.Global)
            for name in node.names} - names


def is_data(name, value):
    """Whether a variable of a module is data of the program's."""
    if type(name) is not str or name.startswith("__"):
        return False
    return not isinstance(value, (types.FunctionType, types.BuiltinFunctionType, types.ModuleType, type)) \
        and not name.startswith("@")


def is_full(cell):
    try:
        cell.cell_contents
    except ValueError:
        return False
    return True


def reopen():
    """Has a copy of the process read its input by itself: what one copy reads, others have not read."""
    try:
        at = os.lseek(0, 0, os.SEEK_CUR)
        again = os.open("/proc/self/fd/0", os.O_RDONLY)
    except OSError:
        return
    os.lseek(again, at, os.SEEK_SET)
    os.dup2(again, 0)
    os.close(again)


def limit(seconds):
    """Ends this process if it takes too long."""
    if seconds:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, seconds)
