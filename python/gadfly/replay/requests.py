"""What a player answers for its call: what it did in detail, what a correct version would do, and what the program says itself."""
import ast
import os
import pickle
import sys
import types

from gadfly import _native
from gadfly.reference import align, module_differences, swap_code
from gadfly.comparing import compare
from gadfly.recording import instrument, suspects
from gadfly.process import forked, held_clock, sent_values
from gadfly.code_flags import OPTIMIZED
from gadfly.reference.import_hook import reach
from gadfly.inside.follow_call import Inside
from gadfly.comparing.judge_outcomes import STRANGE, data_of, is_iterator, judged, taken
from gadfly.reference.source import Source, locate

# What has not ended after so many events is taken not to end.
MANY = 2_000
# So many variables are tried out that the reference sets to something else.
MOST = 20


class Careless(Exception):
    """The answer is to be looked for again, with more care."""


class Touched:
    """What is done to the variables of modules from now on."""

    def __init__(self, answers):
        self.answers = answers
        self.before = compare.canonical(data_of(answers.modules()))

    def since(self):
        return compare.unlike(self.before, compare.canonical(data_of(self.answers.modules())))


class Answers:
    """Answers one thing, in a process of its own."""

    def __init__(self, player):
        self.player, self.stands, self.describer = player, player.stands, player.describer
        # Whether everything counts that could be otherwise, and what could be reached when the call began.
        self.strict, self.reached = False, ()

    def begin(self):
        """The call is about to be made: what it may change is not always to be found afterwards."""
        held_clock.hold(self.player.clock)
        self.reached = compare.reachable([list(self.stands.arguments.items()), self.stands.closure()])

    def to(self, told):
        try:
            return self.answer(told)
        except SyntaxError as error:
            # What the program's own code raises is a part of the answer.
            file = suspects.shown(error.filename) if error.filename else "the correct version"
            raise swap_code.Unanswerable(f"{file}, line {error.lineno}: {error.msg}") from None

    def answer(self, told):
        self.stands.sent = sent_values.read(told["sent"]) if told.get("sent") else None
        if "record" in told:
            return self.record(told)
        if "fragment" in told:
            return self.ask_inside(told)
        if "constants" in told:
            return self.constants(told)
        if "helping" in told:
            return self.helping(told)
        if "harmless" in told:
            return self.harmless(told)
        if "check" in told:
            return self.check(told)
        if "differing" in told:
            return self.differing(told)
        if "same" in told:
            return {"same": self.is_same(told)}
        return self.ask(told)

    def detailed(self):
        """The code of the call with events in it, and what they mean."""
        plain = self.stands.code
        text = suspects.read(plain.co_filename)
        detailed = instrument.Detailed(text, plain.co_filename, plain) if text is not None else None
        code = detailed and detailed.find(plain)
        if code is None or detailed.details(code) is None:
            raise swap_code.Unanswerable("the code of the call is not in its file")
        return detailed, code

    def record(self, told):
        """Makes the call as the program does, and records it; with what happens inside, if that is wanted."""
        stands = self.stands
        code = None
        describer = self.describer.anew()
        if told.get("detail"):
            detailed, code = self.detailed()
            describer.detailed[stands.code.co_filename] = detailed
            instrument.listen()
        endless = told.get("endless")
        _native.start(told["record"], self.player.command, describer, *([MANY] if endless else []))
        deep = told.get("deep", False)
        self.begin()
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
        watch = Touched(self) if told.get("careful") else None
        self.strict = bool(told.get("strict"))
        if self.strict and stands.sent is None and align.is_driven(stands.code, self.tree()):
            raise swap_code.Unanswerable("how the generator went on is not known")
        code, _ = self.adopted(reference)
        touched = watch.since() if watch else ()
        self.begin()
        how, value = stands.do(code or stands.code, None, told.get("items"), told.get("deep", False))
        if isinstance(value, swap_code.Unfit):
            raise swap_code.Unanswerable(str(value))
        if how == "raise" and isinstance(value, STRANGE) and (before is None or before["how"] != "raise"):
            raise swap_code.Unanswerable("the reference's code does not fit the program's state")
        if before is None:
            return {"answer": "wrong", "why": "it comes to an end"}
        answer = judged(before, self.picture(how, value, before), reference.kind != "file", touched, self.strict)
        return self.sure(answer, told)

    @staticmethod
    def sure(answer, told):
        """What differs in variables of modules may be what was done to them to have the reference's code run: that is seen if somebody
        looks at them before and after, which is done only where it matters."""
        if answer.pop("part", None) == "globals" and not told.get("careful"):
            raise Careless
        return answer

    def check(self, told):
        """Makes the call, and asks what the program says itself of what it takes and gives."""
        from gadfly.oracles import type_hints
        stands = self.stands
        if stands.function is None:
            raise swap_code.Unanswerable("the function of the call is not known")
        if told["check"] == "properties":
            from gadfly.oracles import properties
            answer = properties.answer(stands, self.describer.is_suspect_file, self.describer.root, told.get("place") or "")
        elif told["check"] == "contracts":
            import copy
            try:
                before = copy.deepcopy(stands.arguments)
            except Exception:
                before = stands.arguments
            how, value = stands.do(stands.code, None, told.get("items"))
            answer = type_hints.contracts(stands.function, stands.arguments, before, how, value)
        else:
            how, value = stands.do(stands.code, None, told.get("items"))
            answer = type_hints.hints(stands.function, stands.arguments, how, value)
        return answer or {"unknown": "what the program says of itself does not tell"}

    def tree(self):
        """The program's code of the call."""
        tree = ast.parse(suspects.read(self.stands.code.co_filename) or "")
        return align.find(tree, self.describer.qualified(self.stands.code), self.stands.code.co_firstlineno)

    def reference(self, told):
        kind, place = told["kind"], told["place"]
        if kind == "module":
            spec = locate(place)
            if spec is None:
                raise swap_code.Unanswerable(f"there is no module {place}")
            if spec.submodule_search_locations is None:
                kind, place = "file", spec.origin
        reference = swap_code.Reference(kind, place, told.get("root", self.describer.root))
        if reference.kind == "file":
            # One file is the counterpart of one module: of the one that has most of what it defines.
            defined = reference.source(reference.place).defined()
            stem = os.path.splitext(os.path.basename(reference.place))[0]
            fits = lambda item: (len(defined & item[1][1]), item[0] == stem)
            name, (file, _) = max(self.defined().items(), key=fits, default=(None, (None, None)))
            reference.choose(name, file)
        return reference

    def modules(self):
        """The modules of the program that are suspected."""
        found = {}
        for name, module in list(sys.modules.items()):
            module = behind(module, name)
            file = module.__dict__.get("__file__") if isinstance(module, types.ModuleType) else None
            if type(file) is str and self.describer.is_suspect_file(file):
                found[name] = module
        return found

    def defined(self):
        """The files of the modules of the program, and what they define; also of those that are yet to be imported."""
        stands = self.stands
        found = {name: (module.__file__, set(module.__dict__)) for name, module in self.modules().items()}
        if stands.code.co_name == "<module>":
            for name, (file, _) in list(found.items()):
                for name, (file, names) in reach(name, file, self.describer.is_suspect_file).items():
                    found[name] = file, names | found.get(name, (file, set()))[1]
        return found

    def adopted(self, reference):
        """Has the program run the reference's code; gives the code and the tree that are the counterpart of the call's."""
        stands, modules = self.stands, self.modules()
        source = self.source(reference)
        if source is None:
            # What the reference does not have is taken to be right; what it calls may not be.
            self.adoption(reference, modules).run()
            return None, None
        tree = reference.tree(source)
        name = self.describer.qualified(stands.code)
        if stands.code.co_name == "<module>":
            modules.pop(stands.variables.get("__name__"), None)
            self.adoption(reference, modules).run()
            return reference.code(source), tree
        node = align.find(tree, name, None)
        if node is None and "<lambda>" not in name:
            raise swap_code.Unanswerable(f"the reference has no {name}")
        code = None
        if not stands.code.co_flags & OPTIMIZED:
            name, order = Source(stands.code.co_filename).place(stands.code)
            code = reference.source(source).codes[name][order]
        self.adoption(reference, modules).run()
        return code, node

    def adoption(self, reference, modules, wanted=None):
        return swap_code.Adoption(reference, modules, self.describer.is_suspect_file, self.strict, wanted)

    def source(self, reference):
        name = self.stands.variables.get("__name__", "")
        path = reference.source_for(name, self.stands.code.co_filename)
        return path and reference.home(path, self.describer.qualified(self.stands.code))

    def picture(self, how, value, before):
        """What came of a call, as something that can be compared."""
        stands = self.stands
        variables = data_of(self.modules(), before and before["names"])
        return {
            "how": how,
            "result": compare.canonical((value, list(stands.arguments.items()), stands.closure(), self.player.printed.text(),
                                          self.reached, stands.shared(), self.player.files.changed())),
            "warned": compare.canonical(self.player.printed.warnings()),
            "globals": compare.canonical(variables),
            "names": {name: list(known) for name, known in variables.items()},
            # Last, since it may do anything.
            "gives": compare.canonical([taken(value), *(taken(one) for one in stands.arguments.values() if is_iterator(one))]),
        }

    def aligned(self, told):
        """The code of the call with its details, and how it corresponds to the reference's."""
        stands = self.stands
        detailed, code = self.detailed()
        details = detailed.details(code)
        reference = self.reference(told["reference"])
        source = self.source(reference)
        if source is None:
            raise swap_code.Unanswerable(f"the reference has no counterpart of {stands.code.co_filename}")
        name = self.describer.qualified(stands.code)
        good = align.find(reference.tree(source), name, None)
        mine = ast.parse(suspects.read(stands.code.co_filename))
        mine = align.find(mine, name, stands.code.co_firstlineno)
        if good is None or mine is None:
            raise swap_code.Unanswerable(f"the reference has no {name}")
        return code, details, reference, align.align(mine, good), (mine, good)

    def differing(self, told):
        """Where the statements of the call are that the reference has otherwise, and its own beginning, if that differs."""
        _, details, _, alignment, (mine, good) = self.aligned(told)
        found, exact = [], []
        if align.unhinted(mine) != align.unhinted(good):
            found.append(details.header)
        for fragment in details.fragments:
            if fragment.path and fragment.path[-1][0] != "round":
                statements = alignment.of(fragment.path)
                node, partner = alignment.partners.get(fragment.path, (None, None))
                if node is None or statements != [partner] or align.own(node) != align.own(partner):
                    found += otherwise(fragment, node, partner) if statements == [partner] else fragment.own
                    if statements == [partner] and len(fragment.own) == 1:
                        exact += [(span, fragment.own[0]) for span in map(align.span, align.unlike(node, partner))]
        shown = lambda span: (span[0], span[1] + 1, span[2], span[3] + 1)
        return {"differing": list(map(shown, found)), "exact": [(shown(part), shown(whole)) for part, whole in exact]}

    def is_same(self, told):
        """Whether the reference has the function of the call just as it is, with what its names mean: then it does the same."""
        code = self.stands.code
        reference = self.reference(told["reference"])
        path = self.source(reference)
        if path is None:
            return False
        live, other = reference.source(code.co_filename), reference.source(path)
        if not code.co_flags & OPTIMIZED:
            return told["same"] == "written" and self.does_same(code, live.tree, other.tree)
        name, order = live.place(code)
        codes = other.codes.get(name, ())
        if order >= len(codes) or not align.same_code(code, codes[order]):
            return False
        # What it calls may be otherwise if only its own code is of interest.
        return told["same"] == "written" or same_defaults(live.node(code), other.node(codes[order])) \
            and (live.node(code) is not None or not self.stands.has_defaults()) \
            and all(live.means(name) == other.means(name) for name in names_of(code))

    def does_same(self, code, mine, its):
        """Whether a module or the body of a class does the same outside of functions."""
        if code.co_name != "<module>":
            name = self.describer.qualified(code)
            mine, its = align.find(mine, name, code.co_firstlineno), align.find(its, name, None)
        return None not in (mine, its) and not module_differences.differences(mine, its)

    def constants(self, told):
        """What the reference has otherwise outside of functions: variables that modules and classes set, what they do besides, and what
        they lack. If putting the reference's value in the place of one of them helps, that one. Or, if that is asked for, what it has
        otherwise in functions."""
        reference = self.reference(told["reference"])
        found, values = [], []
        for name, module in self.modules().items():
            path = reference.source_for(name, module.__file__)
            if path is None:
                continue
            differences = module_differences.functions if told.get("functions") else module_differences.differences
            for first, last, right in differences(Source(module.__file__).tree, reference.tree(path)):
                found.append([suspects.shown(module.__file__), first, last])
                values.append((module, right))
        helping = []
        # If the reference's functions make it succeed, nothing else is needed.
        if told.get("helps") and found and not self.helps(reference):
            helping = [one for one, (module, right) in zip(found[:MOST], values) if right and self.helps(reference, module, right)]
        return {"constants": helping or found, "helping": bool(helping)}

    def helping(self, told):
        """Which of some functions make the call succeed if they alone are the reference's. If none does: which of them make it fail if all
        others are."""
        reference = self.reference(told["reference"])
        functions = list(map(tuple, told["helping"]))
        found = [one for one in functions if self.helps(reference, wanted=lambda function: is_of(one, function))]
        if not found and self.helps(reference):
            found = [one for one in functions if not self.helps(reference, wanted=lambda function: not is_of(one, function))]
        return {"helping": [functions.index(one) for one in found]}

    def harmless(self, told):
        """Whether it is no matter that the reference has a function otherwise: the call succeeds if all others are the reference's, and it
        fails if this one alone is."""
        reference = self.reference(told["reference"])
        one = tuple(told["harmless"])
        return {"harmless": not self.helps(reference, wanted=lambda function: is_of(one, function))
                and self.helps(reference, wanted=lambda function: not is_of(one, function))}

    def helps(self, reference, module=None, right=(), wanted=None):
        """Whether the call does not fail with the reference's code, if a statement of it is done before: tried in a process of its own."""
        pid = self.player.copy()
        if pid:
            return forked.wait(pid) == 0
        status = 1
        try:
            self.adoption(reference, self.modules(), wanted).run()
            if right:
                source = reference.source(reference.source_for(module.__name__, module.__file__))
                module_differences.put_right(module, right, source)
            status = int(self.stands.do(self.stands.code, None, None)[0] != "normal")
        except BaseException as error:
            self.player.note(error)
        finally:
            self.player.end(status)

    def ask_inside(self, told):
        """Makes the call up to a fragment inside of it, and compares the fragment with the reference's."""
        stands = self.stands
        code, details, reference, alignment, (_, good) = self.aligned(told)
        most = MANY if told.get("endless") else None
        self.strict = bool(told.get("strict"))
        inside = Inside(self, details, (told["fragment"], told["until"]), alignment, reference, code, good, most, told)
        inside.trial.mentioned = align.mentioned(good)
        held_clock.hold(self.player.clock)
        instrument.listen(inside.at, inside.give)
        stands.do(code, code, told.get("items"), told.get("deep", False))
        return inside.judged or {"unknown": "the call went another way than before"}


def otherwise(fragment, node, partner):
    """What of a statement, without those in it, the reference has otherwise: of one that handles exceptions, its ways to do so."""
    if not isinstance(node, instrument.TRIES) or type(node) is not type(partner):
        return fragment.own
    mine, its = ([handler.type and ast.dump(handler.type) for handler in one.handlers] for one in (node, partner))
    unlike = [row for row, kind in enumerate(mine) if its[row:row + 1] != [kind]]
    if not unlike and len(mine) < len(its):
        unlike = [len(mine) - 1] if mine else []
    return [fragment.own[1 + row] for row in unlike] or fragment.own


def behind(module, name):
    """The module that another one stands for, and holds; or itself."""
    if isinstance(module, types.ModuleType) and "__file__" not in module.__dict__:
        for one in module.__dict__.values():
            if isinstance(one, types.ModuleType) and one.__dict__.get("__name__") == name and "__file__" in one.__dict__:
                return one
    return module


def is_of(one, function):
    """Whether a function, by file and name, is another one, or makes it."""
    return one[0] == function[0] and f"{one[1]}.".startswith(f"{function[1]}.")


def same_defaults(mine, its):
    """Whether two functions have the same defaults; of a lambda, nobody knows, so it must have none."""
    return mine is its is None or None not in (mine, its) and ast.dump(mine.args) == ast.dump(its.args)


def names_of(code):
    """The names that code uses, also in what is defined in it."""
    inner = [one for one in code.co_consts if type(one) is types.CodeType]
    return {*code.co_names, *(name for one in inner for name in names_of(one))}
