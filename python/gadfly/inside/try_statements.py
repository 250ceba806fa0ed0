"""What the reference's statements come to at a place inside of a call, in the state that the program has there."""

import ast
import os
import pickle
import types

from gadfly.code_flags import COROUTINE, OPTIMIZED
from gadfly.comparing import compare, snapshot
from gadfly.comparing.judge_outcomes import STATEMENT_PARTS, STRANGE, data_of, gives, is_data, taken
from gadfly.inside import fragment_code, pure_statements
from gadfly.messages import CANNOT_SWAP, CRASHED, DOES_NOT_FIT, WAITS_FOR_OTHERS, Failed, Unanswerable
from gadfly.process import forked, held_clock
from gadfly.process.run_to_end import run_coroutine
from gadfly.recording import instrument
from gadfly.reference.swap_code import Unfit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType, FrameType
    from typing import Any

    from gadfly._types import Statements, Value
    from gadfly.process.copying import CopyingProcess
    from gadfly.reference.program import Program
    from gadfly.reference.source import Reference


class Trial:
    """Tries statements: in a copy of the process, which runs the reference's code everywhere; or here, if they only compute."""

    adoption: "Any"
    modules: "dict[Any, Any]"
    functions: "dict[Any, Any]"
    quiet: "dict[Any, Any]"

    def __init__(
        self, process: "CopyingProcess", program: "Program", reference: "Reference", code: "CodeType", strict: bool, careful: bool
    ) -> None:
        # Whether to look at what giving the program the reference's code does to variables of modules.
        self.careful = careful
        self.touched = ()
        self.process, self.program, self.strict = process, program, strict
        self.reference, self.code = reference, code
        self.is_function = bool(code.co_flags & OPTIMIZED)
        self.modules, self.adoption = {}, None
        # Variables of modules that only the reference has.
        self.added: dict[Any, Any] = {}
        self.functions, self.quiet = {}, {}
        # Variables that the reference has as well: what it does not have, it cannot set.
        self.mentioned = None

    def of(self, frame: "FrameType", statements: "Statements", is_round: bool) -> "Any":
        """What statements come to; or why that is not known."""
        variables = dict(frame.f_locals) if self.is_function else {}
        self.clock = held_clock.read()
        come = self.here(frame, statements, variables, is_round) if self.is_function else None
        if come is None:
            self.prepare()
            function = self.function(frame, statements, variables) if self.is_function else None
            come = self.elsewhere(lambda: self.there(frame, function, statements, variables, is_round))
        return come

    def here(self, frame: "FrameType", statements: "Statements", variables: "dict[str, Value]", is_round: bool) -> "Any":
        """Tries statements in this process; None if they could do more than compute."""
        key = tuple(map(id, statements))
        if key not in self.quiet:
            self.quiet[key] = pure_statements.names_of(statements)
        names = self.quiet[key]
        if names is None or any(map(gives, variables.values())):
            return None
        try:
            compared = {"variables": variables, "others": self.others()}
            copied = pure_statements.copied(names, variables, frame.f_globals, compared)
        except (pure_statements.Loud, RecursionError):
            return None
        function = self.function(frame, statements, variables)
        try:
            return self.done(frame, function, statements, copied["variables"], is_round, copied["others"])
        except Unanswerable as why:
            return why.reply()

    def prepare(self) -> None:
        """Does what all copies would have to do."""
        modules = self.program.modules()
        if modules.keys() != self.modules.keys():
            self.modules = modules
            self.adoption = self.program.adoption(self.reference, modules, self.strict)
            self.adoption.prepare()

    def elsewhere(self, does: "Callable[[], Any]") -> "Any":
        """What a copy of the process comes to, which tells it through a file."""
        kept = os.path.join(os.path.dirname(self.process.place), f"inside-{os.getpid()}")
        pid = self.process.copy()
        if pid:
            status = forked.wait(pid)
            if status == forked.IN_VAIN:
                return Failed(WAITS_FOR_OTHERS, forked.WAITS)
            if status != 0:
                return Failed(CRASHED, "the reference's statements ended the process")
            with open(kept, "rb") as told:
                come = pickle.load(told)
            os.unlink(kept)
            return come
        status = 1
        try:
            try:
                come = does()
            except Unanswerable as why:
                come = why.reply()
            with open(kept, "wb") as out:
                pickle.dump(come, out)
            status = 0
        except BaseException as error:
            self.process.note(error)
        finally:
            self.process.end(status)

    def there(self, frame: "FrameType", function: "Any", statements: "Statements", variables: "dict[str, Value]", is_round: bool) -> "Any":
        """Tries statements in a process of their own."""
        before = {name: set(module.__dict__) for name, module in self.modules.items()}
        earlier = snapshot.canonical(data_of(self.modules)) if self.careful else None
        self.adoption.run()
        self.added = {name: set(module.__dict__) - before.get(name, set()) for name, module in self.program.modules().items()}
        if self.careful:
            self.touched = compare.unlike(earlier, snapshot.canonical(data_of(self.modules)))
        self.process.printed.clear()
        held_clock.hold(self.clock)
        instrument.ignore()
        return self.done(frame, function, statements, variables, is_round)

    def function(self, frame: "FrameType", statements: "Statements", variables: "dict[str, Value]") -> "Any":
        """A function that runs statements in variables of the program's; None if there are no statements."""
        if not statements:
            return None
        bound = [name for name in variables if name.isidentifier()]
        key = (*map(id, statements), *bound)
        if key not in self.functions:
            names = {*self.code.co_varnames, *self.code.co_cellvars, *self.code.co_freevars}
            # Names that the statements have and the function does not: the reference's own.
            shared = assigned_globals(statements, names)
            parts = ["", "", *self.program.name.split(".")]
            outer = parts[-2]
            first = self.code.co_varnames[0] if self.code.co_argcount else None
            code = fragment_code.fragment_code(
                statements, bound, names, shared, "<reference>", first_argument=first, class_name=outer if outer != "<locals>" else None
            )
            self.functions[key] = types.FunctionType(code, frame.f_globals, "__fragment__")
        return self.functions[key]

    def done(
        self,
        frame: "FrameType",
        function: "Any",
        statements: "Statements",
        variables: "dict[str, Value]",
        is_round: bool,
        others: "Any" = None,
    ) -> "dict[Any, Any]":
        """Has statements done, and gives a picture of what came of it."""
        if not statements:
            how, value, after = "normal", None, variables
        elif self.is_function:
            told = function(**{name: one for name, one in variables.items() if name.isidentifier()})
            how, value, after = run_coroutine(told) if function.__code__.co_flags & COROUTINE else told
        else:
            how, value = executed(statements, frame.f_globals, frame.f_locals)
        if how == "raise" and isinstance(value, Unfit):
            raise Unanswerable(CANNOT_SWAP, str(value))
        if how == "raise" and isinstance(value, NameError):
            raise Unanswerable(DOES_NOT_FIT, "the reference's code uses other variables")
        is_strange = how == "raise" and isinstance(value, STRANGE)
        if how == "continue" and is_round:
            how = "normal"
        if not self.is_function:
            after = dict(frame.f_locals)
        picture = self.picture(frame, how, value, after, after.pop("yields", []), others)
        return {**picture, "strange": is_strange, "touched": self.touched}

    def picture(
        self, frame: "FrameType", how: str, value: "Value", after: "dict[str, Value]", yields: "list[Value]", others: "Any" = None
    ) -> "dict[Any, Any]":
        """What can be compared: the variables, what was printed, and the data of the modules."""
        if self.is_function:
            every = (*self.code.co_varnames, *self.code.co_cellvars, *self.code.co_freevars)
            names = [name for name in every if self.mentioned is None or name in self.mentioned]
        else:
            added = self.added.get(frame.f_globals.get("__name__"), ())
            names = [name for name, data in after.items() if is_data(name, data) and name not in added]
        kept = {name: after[name] for name in dict.fromkeys(names) if name in after}
        return {
            "how": how,
            "parts": STATEMENT_PARTS,
            "result": snapshot.canonical((value, kept, yields, self.process.printed.text(), self.process.files.changed())),
            "warned": snapshot.canonical(self.process.printed.warnings()),
            "globals": snapshot.canonical(self.others() if others is None else others),
            # Last, since it may do anything: a process that makes a picture with iterators ends after it.
            "gives": snapshot.canonical([taken(value), *(taken(one) for one in kept.values())]),
        }

    def others(self) -> "dict[Any, Any]":
        """The data of the program's modules."""
        data = data_of(self.modules or self.program.modules())
        return {
            name: {key: one for key, one in known.items() if key.partition(".")[0] not in self.added.get(name, ())}
            for name, known in data.items()
        }


def executed(statements: "Statements", variables: "dict[str, Value]", names: "Any") -> "Any":
    """Has statements of a module or a class done, which may leave a loop that they stand in: how that ends, and with what."""
    once: Any = ast.parse(
        "for __gadfly_turn__ in (0, 1):\n if __gadfly_turn__:\n  __gadfly_how__ = 'continue'\n  break\n"
        " __gadfly_how__ = 'break'\n __gadfly_how__ = 'normal'\n break"
    )
    once.body[0].body[2:2] = statements
    value: BaseException | None
    try:
        exec(compile(once, "<reference>", "exec", dont_inherit=True), variables, names)
        how, value = names["__gadfly_how__"], None
    except SyntaxError as error:
        # Of ours, unless the statements raised it.
        if error.filename == "<reference>":
            raise Unanswerable(DOES_NOT_FIT, "the reference's statements cannot stand alone") from None
        how, value = "raise", error
    except BaseException as other:
        how, value = "raise", other
    names.pop("__gadfly_turn__", None)
    names.pop("__gadfly_how__", None)
    return how, value


def assigned_globals(statements: "Statements", names: "Any") -> "Any":
    """Names that statements declare `global`."""
    return {name for statement in statements for node in ast.walk(statement) if isinstance(node, ast.Global) for name in node.names} - names
