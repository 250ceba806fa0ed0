"""What a process of this package is to do, as the binary (or the pytest plugin) writes it to a file: `GADFLY_JOB` has its path.

The other end is `crates/gadfly/src/python/job.rs`; `python/messages.jsonl` has examples. The first thing that a process does is to write
its version beside the job (`Hello`); if a reference is not valid Python, it writes that, too, and ends."""

import json
import os

from gadfly.messages import BAD_REFERENCE, VERSION, Failed, Hello, Message, build

VARIABLE = "GADFLY_JOB"


class Task(Message):
    """What the run is for."""

    __slots__ = ()


class RecordTask(Task):
    """Record the program or the test, perhaps with what happens inside of calls; without a place, only follow it."""

    __slots__ = ("trail", "detail")
    TYPE = "record"

    def __init__(self, trail: "str | None", detail: bool = False) -> None:
        self.trail = trail
        self.detail = detail


class ReplayTask(Task):
    """Answer requests about calls through a socket."""

    __slots__ = ("socket",)
    TYPE = "replay"

    def __init__(self, socket: str) -> None:
        self.socket = socket


class CollectTask(Task):
    """Keep the trails of what passes in a folder."""

    __slots__ = ("folder",)
    TYPE = "collect"

    def __init__(self, folder: str) -> None:
        self.folder = folder


class ExampleToFind(Message):
    """The example of a test of hypothesis's that is looked for: by its text, or by its number if texts do not tell examples apart."""

    __slots__ = ("seed", "number", "text")

    def __init__(self, seed: int, number: int, text: "str | None") -> None:
        self.seed = seed
        self.number = number
        self.text = text


class TestToRun(Message):
    """The only test that is run, its example, and the file with the states of random numbers before it."""

    __slots__ = ("nodeid", "example", "random_state")

    def __init__(self, nodeid: str, example: "ExampleToFind | None", random_state: str) -> None:
        self.nodeid = nodeid
        self.example = example
        self.random_state = random_state


class Job(Message):
    __slots__ = (
        "version",
        "task",
        "trust",
        "suspect",
        "counterparts",
        "references",
        "expression",
        "memory",
        "trail_limit",
        "monitoring",
        "seed",
        "own_hash_seed",
        "test",
        "notes",
    )
    TYPE = "job"

    def __init__(
        self,
        task: Task,
        *,
        version: int = VERSION,
        trust: "list[str] | None" = None,
        suspect: "list[str] | None" = None,
        counterparts: "list[str] | None" = None,
        references: "list[str] | None" = None,
        expression: "str | None" = None,
        memory: "int | None" = None,
        trail_limit: "int | None" = None,
        monitoring: bool = False,
        seed: "int | None" = None,
        own_hash_seed: bool = False,
        test: "TestToRun | None" = None,
        notes: "str | None" = None,
    ) -> None:
        self.version = version
        self.task: Task = task
        self.trust = trust or []
        self.suspect = suspect or []
        # Modules that there is a reference of: they are suspected wherever they are.
        self.counterparts = counterparts or []
        # Files that have to be valid Python.
        self.references = references or []
        # What is evaluated instead of the program.
        self.expression = expression
        self.memory = memory
        # How many bytes the trail may have.
        self.trail_limit = trail_limit
        self.monitoring = monitoring
        # Of the module `random`.
        self.seed = seed
        # Whether the seed of the hashes of strings in the environment is ours: the program is not to see it.
        self.own_hash_seed = own_hash_seed
        self.test = test
        # Where errors of ours, and answers, are written down.
        self.notes = notes

    def forget_hash_seed(self) -> None:
        if self.own_hash_seed:
            os.environ.pop("PYTHONHASHSEED", None)


TASKS = {kind.TYPE: kind for kind in (RecordTask, ReplayTask, CollectTask)}


def parse(text: str) -> Job:
    """The job that a text describes; a `ValueError` if it does not."""
    fields = json.loads(text)
    if fields.pop("type", None) != Job.TYPE:
        raise ValueError("not a job")
    kind = TASKS[fields["task"].pop("type", None)]
    fields["task"] = build(kind, fields["task"])
    if fields["test"] is not None:
        example = fields["test"]["example"]
        fields["test"]["example"] = example and build(ExampleToFind, example)
        fields["test"] = build(TestToRun, fields["test"])
    job = build(Job, fields)
    assert isinstance(job, Job)
    return job


def write(job: Job, path: str) -> None:
    with open(path, "wb") as out:
        out.write(job.line())


def take() -> "Job | None":
    """The job of this process, which the program does not get to see. If it is of another version, or if a reference is not valid Python,
    the process ends: the writer of the job finds that beside it."""
    path = os.environ.get(VARIABLE)
    # A folder is not a job: it is where notes are kept.
    if not path or os.path.isdir(path):
        return None
    del os.environ[VARIABLE]
    with open(path, encoding="utf-8") as file:
        text = file.read()
    reply(path, Hello())
    if json.loads(text).get("version") != VERSION:
        raise SystemExit(2)
    job = parse(text)
    for reference in job.references:
        wrong = syntax_error(reference)
        if wrong is not None:
            reply(path, Failed(BAD_REFERENCE, wrong))
            raise SystemExit(2)
    return job


def reply(path: str, message: Message) -> None:
    with open(path + ".reply", "ab") as out:
        out.write(message.line())


def syntax_error(path: str) -> "str | None":
    """What is wrong with a file that should be Python."""
    try:
        with open(path, "rb") as file:
            compile(file.read(), path, "exec", dont_inherit=True)
    except SyntaxError as error:
        return f"{path}, line {error.lineno}: {error.msg}" if error.lineno else f"{path}: {error.msg}"
    except (OSError, ValueError) as error:
        return f"{path}: {error}"
    return None
