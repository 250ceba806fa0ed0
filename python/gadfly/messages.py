"""The messages between the binary and a program that is run again, one JSON object a line, and why a request may fail.

A process of the program connects, and says `Hello` first. It gets a `Request` at a time and sends one `Reply`. The other end is
`crates/gadfly/src/python/messages.rs`; `python/messages.jsonl` has an example of every message, which both ends are tested with. A
change of one of the three changes `VERSION`.

The program is in the same process: the classes are plain, since `dataclasses`, `typing` and `enum` would be imported into it."""

import json

# What both ends have to agree on.
VERSION = 1

# What is said of a call, or of a piece of code.
CORRECT, WRONG, INADMISSIBLE = "correct", "wrong", "inadmissible"
# On which side of a piece of code the reference has more.
BEFORE, AFTER = "before", "after"
# How code is the same as the reference's: in what is written, or in what its names mean as well.
TEXT, MEANING = "text", "meaning"
# Which differences outside of a call are wanted: of the statements of modules and classes, or of functions.
STATEMENTS, FUNCTIONS = "statements", "functions"
# What a program says of itself.
TYPES, CONTRACTS, PROPERTIES = "types", "contracts", "properties"
# What a reference is.
FILE, FOLDER, MODULE = "file", "folder", "module"

# Why a request has no answer.
TIMED_OUT = "timed-out"
# The reference's code needs names or attributes that the program does not have.
DOES_NOT_FIT = "does-not-fit"
# A part of the program cannot be given the reference's code.
CANNOT_SWAP = "cannot-swap"
# The reference takes other arguments.
OTHER_PARAMETERS = "other-parameters"
# It waits for a thread or a task that the copied process does not have.
WAITS_FOR_OTHERS = "waits-for-others"
# The program took another path when it was run again.
OTHER_RUN = "other-run"
# The reference has no such function, file or statement.
NO_COUNTERPART = "no-counterpart"
# There is no such reference, or it is not valid Python.
BAD_REFERENCE = "bad-reference"
# The call cannot be made again from what is known of it.
NOT_REPEATABLE = "not-repeatable"
# What was asked does not say anything about this call.
SAYS_NOTHING = "says-nothing"
# The process that was to answer has ended, or raised an exception of its own.
CRASHED = "crashed"


class Unanswerable(Exception):
    """A request has no answer."""

    def __init__(self, failure: str, detail: str) -> None:
        super().__init__(detail)
        self.failure = failure
        self.detail = detail

    def reply(self) -> "Failed":
        return Failed(self.failure, self.detail)


class Message:
    """What one end says to the other; the slots of a class are the fields of its message."""

    __slots__: tuple[str, ...] = ()
    TYPE = ""

    def fields(self) -> dict[str, object]:
        found: dict[str, object] = {"type": self.TYPE} if self.TYPE else {}
        for name in self.__slots__:
            value = getattr(self, name)
            found[name] = value.fields() if isinstance(value, Message) else value
        return found

    def line(self) -> bytes:
        return json.dumps(self.fields()).encode() + b"\n"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={getattr(self, name)!r}' for name in self.__slots__)})"

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and isinstance(other, Message) and self.fields() == other.fields()

    __hash__ = None  # type: ignore[assignment]


# Parts of messages.


class CallShape(Message):
    """How a call went, as far as that is needed to make it again: how many values a generator gave, whether the call never ended, whether
    it was too deep, and what a generator was sent, as Python writes it."""

    __slots__ = ("items", "endless", "too_deep", "sent")

    def __init__(self, items: int = 1000, endless: bool = False, too_deep: bool = False, sent: "str | None" = None) -> None:
        self.items = items
        self.endless = endless
        self.too_deep = too_deep
        self.sent = sent


class ReferencePlace(Message):
    """Where the reference is: a file, a folder that stands for another one (the project's, if `root` is None), or a module's name."""

    __slots__ = ("kind", "place", "root")

    def __init__(self, kind: str, place: str, root: "str | None" = None) -> None:
        self.kind = kind
        self.place = place
        self.root = root


class Difference(Message):
    """The first difference that was found: in which part, in which variable of that, and the way down from there. A step has one entry:
    an `index`, an `attribute`, or a `key` as text."""

    __slots__ = ("part", "name", "steps")

    def __init__(self, part: str, name: "str | None" = None, steps: "tuple[dict[str, int | str], ...]" = ()) -> None:
        self.part = part
        self.name = name
        self.steps = list(steps)


# Requests.


class Request(Message):
    __slots__ = ()
    limit_seconds: int


class GoTo(Request):
    """Have a copy of the process run on to a call, by its number, and pause there."""

    __slots__ = ("limit_seconds", "call")
    TYPE = "go-to"

    def __init__(self, limit_seconds: int, call: int) -> None:
        self.limit_seconds = limit_seconds
        self.call = call


class Record(Request):
    """Make the call as the program does: write its trail, and a snapshot of what came of it."""

    __slots__ = ("limit_seconds", "shape", "trail", "values")
    TYPE = "record"

    def __init__(self, limit_seconds: int, shape: CallShape, trail: str, values: str) -> None:
        self.limit_seconds = limit_seconds
        self.shape = shape
        self.trail = trail
        self.values = values


class RecordInside(Request):
    """Make the call as the program does, and write a trail with what happens inside of it."""

    __slots__ = ("limit_seconds", "shape", "trail")
    TYPE = "record-inside"

    def __init__(self, limit_seconds: int, shape: CallShape, trail: str) -> None:
        self.limit_seconds = limit_seconds
        self.shape = shape
        self.trail = trail


class Judge(Request):
    """Make the call with the reference's code, and compare what comes of it with the snapshot; without one, the call is to end."""

    __slots__ = ("limit_seconds", "shape", "reference", "strict", "values")
    TYPE = "judge"

    def __init__(self, limit_seconds: int, shape: CallShape, reference: ReferencePlace, strict: bool, values: "str | None") -> None:
        self.limit_seconds = limit_seconds
        self.shape = shape
        self.reference = reference
        self.strict = strict
        self.values = values


class JudgeInside(Request):
    """Make the call up to a piece of code inside of it, by number, and compare it, up to a last one, with the reference's."""

    __slots__ = ("limit_seconds", "shape", "reference", "strict", "first", "last")
    TYPE = "judge-inside"

    def __init__(self, limit_seconds: int, shape: CallShape, reference: ReferencePlace, strict: bool, first: int, last: int) -> None:
        self.limit_seconds = limit_seconds
        self.shape = shape
        self.reference = reference
        self.strict = strict
        self.first = first
        self.last = last


class Check(Request):
    """Ask what the program says of itself: `TYPES`, `CONTRACTS`, or `PROPERTIES`, which may have a place."""

    __slots__ = ("limit_seconds", "shape", "check", "place")
    TYPE = "check"

    def __init__(self, limit_seconds: int, shape: CallShape, check: str, place: str) -> None:
        self.limit_seconds = limit_seconds
        self.shape = shape
        self.check = check
        self.place = place


class Prepare(Request):
    """Read what a reference has that the program has not: this process and its copies need not do so for every answer."""

    __slots__ = ("limit_seconds", "reference")
    TYPE = "prepare"

    def __init__(self, limit_seconds: int, reference: ReferencePlace) -> None:
        self.limit_seconds = limit_seconds
        self.reference = reference


class SameCode(Request):
    """Whether the reference has the same code for the call."""

    __slots__ = ("limit_seconds", "reference", "how")
    TYPE = "same-code"

    def __init__(self, limit_seconds: int, reference: ReferencePlace, how: str) -> None:
        self.limit_seconds = limit_seconds
        self.reference = reference
        self.how = how


class DifferingCode(Request):
    """Which code of the call differs from the reference's."""

    __slots__ = ("limit_seconds", "reference")
    TYPE = "differing-code"

    def __init__(self, limit_seconds: int, reference: ReferencePlace) -> None:
        self.limit_seconds = limit_seconds
        self.reference = reference


class DifferencesElsewhere(Request):
    """What differs from the reference in modules; if `test_passes`, what makes the call, which is a test, pass."""

    __slots__ = ("limit_seconds", "reference", "of", "test_passes")
    TYPE = "differences-elsewhere"

    def __init__(self, limit_seconds: int, reference: ReferencePlace, of: str, test_passes: bool) -> None:
        self.limit_seconds = limit_seconds
        self.reference = reference
        self.of = of
        self.test_passes = test_passes


class TestPassesWith(Request):
    """Which of some functions, by file and name, make the call, which is a test, pass if they are the reference's."""

    __slots__ = ("limit_seconds", "reference", "functions")
    TYPE = "test-passes-with"

    def __init__(self, limit_seconds: int, reference: ReferencePlace, functions: "list[list[str]]") -> None:
        self.limit_seconds = limit_seconds
        self.reference = reference
        self.functions = functions


class TestPassesWithout(Request):
    """Whether the call, which is a test, passes with all of the reference's functions but one, by file and name, and fails with that one
    alone."""

    __slots__ = ("limit_seconds", "reference", "function")
    TYPE = "test-passes-without"

    def __init__(self, limit_seconds: int, reference: ReferencePlace, function: "list[str]") -> None:
        self.limit_seconds = limit_seconds
        self.reference = reference
        self.function = function


# Replies.


class Hello(Message):
    """The first message of a process."""

    __slots__ = ("version",)
    TYPE = "hello"

    def __init__(self, version: int = VERSION) -> None:
        self.version = version


class Paused(Message):
    """The process has come to the call; `alone` if it has no other threads, which copies of it would lack."""

    __slots__ = ("alone",)
    TYPE = "paused"

    def __init__(self, alone: bool) -> None:
        self.alone = alone


class Prepared(Message):
    """The reference was read."""

    __slots__ = ()
    TYPE = "prepared"


class RunEnded(Message):
    """The run is over, and did not come to the call."""

    __slots__ = ()
    TYPE = "run-ended"


class Recorded(Message):
    """The call was made; `ended` if it was only too deep inside of others, and came to an end by itself."""

    __slots__ = ("ended",)
    TYPE = "recorded"

    def __init__(self, ended: bool = False) -> None:
        self.ended = ended


class Judged(Message):
    """A judgement, its reason as half a sentence, where the first difference is, and where the reference has more code."""

    __slots__ = ("judgement", "because", "first_difference", "missing")
    TYPE = "judged"

    def __init__(
        self, judgement: str, because: "str | None" = None, first_difference: "Difference | None" = None, missing: "str | None" = None
    ) -> None:
        self.judgement = judgement
        self.because = because
        self.first_difference = first_difference
        self.missing = missing


class Same(Message):
    __slots__ = ("same",)
    TYPE = "same"

    def __init__(self, same: bool) -> None:
        self.same = same


class Differing(Message):
    """Where code differs, each as first line and column, last line and column: statements, and parts of statements with those that they
    are in."""

    __slots__ = ("statements", "parts")
    TYPE = "differing"

    def __init__(self, statements: "list[list[int]]", parts: "list[list[list[int]]]") -> None:
        self.statements = statements
        self.parts = parts


class DifferingPlaces(Message):
    """Files with first and last lines; `pass_test` if each of them makes the test pass."""

    __slots__ = ("places", "pass_test")
    TYPE = "differing-places"

    def __init__(self, places: "list[list[object]]", pass_test: bool) -> None:
        self.places = places
        self.pass_test = pass_test


class Passing(Message):
    """Functions that make the test pass, by their place in the request."""

    __slots__ = ("functions",)
    TYPE = "passing"

    def __init__(self, functions: "list[int]") -> None:
        self.functions = functions


class PassesWithout(Message):
    __slots__ = ("passes",)
    TYPE = "passes-without"

    def __init__(self, passes: bool) -> None:
        self.passes = passes


class Failed(Message):
    """There is no answer: why, and the particulars as half a sentence."""

    __slots__ = ("failure", "detail")
    TYPE = "failed"

    def __init__(self, failure: str, detail: str) -> None:
        self.failure = failure
        self.detail = detail


REQUESTS: "tuple[type[Request], ...]" = (
    GoTo,
    Record,
    RecordInside,
    Judge,
    JudgeInside,
    Check,
    Prepare,
    SameCode,
    DifferingCode,
    DifferencesElsewhere,
    TestPassesWith,
    TestPassesWithout,
)
REPLIES: "tuple[type[Message], ...]" = (
    Hello,
    Paused,
    Prepared,
    RunEnded,
    Recorded,
    Judged,
    Same,
    Differing,
    DifferingPlaces,
    Passing,
    PassesWithout,
    Failed,
)
PARTS: "dict[str, type[Message]]" = {"shape": CallShape, "reference": ReferencePlace, "first_difference": Difference}
KNOWN: "dict[str, type[Message]]" = {kind.TYPE: kind for kind in (*REQUESTS, *REPLIES)}


def read(line: "str | bytes") -> Message:
    """The message of a line; a `ValueError` if it is none."""
    fields = json.loads(line)
    kind = KNOWN.get(fields.pop("type", None)) if isinstance(fields, dict) else None
    if kind is None:
        raise ValueError(f"not a message: {line!r}")
    return build(kind, fields)


def read_request(line: "str | bytes") -> Request:
    message = read(line)
    if not isinstance(message, Request):
        raise ValueError(f"not a request: {line!r}")
    return message


def build(kind: "type[Message]", fields: "dict[str, object]") -> Message:
    if fields.keys() != set(kind.__slots__):
        raise ValueError(f"{kind.__name__} has the fields {kind.__slots__}, not {tuple(fields)}")
    parts = {
        name: build(PARTS[name], dict(value)) if name in PARTS and isinstance(value, dict) else value for name, value in fields.items()
    }
    return kind(**parts)
