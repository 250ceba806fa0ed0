"""The files that a call writes: what is in them afterwards counts, and a copy of the process that only tries something leaves none behind.

An audit hook hears of every file before it is opened, removed or renamed; what was in the
file is kept until then, and put back at the end."""

import os
import stat
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Files that are longer are let be, and so are all if there are very many.
LONG, MANY = 1 << 20, 200
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


class Files:
    """What files were when they were first written to: since the call began, and in this process."""

    before: "dict[Any, Any]"
    here: "dict[Any, Any]"

    def __init__(self, own: str) -> None:
        # Files that are ours: everything in this folder.
        self.own = os.path.realpath(own)
        self.before, self.here = {}, {}
        self.listens = self.done = False

    def copied(self) -> None:
        """This process is a copy, which puts back only what it writes itself."""
        self.here = {}

    def listen(self) -> None:
        if not self.listens:
            self.listens = True
            sys.addaudithook(self.hear)

    def hear(self, event: str, arguments: "tuple[Any, ...]") -> None:
        if self.done:
            return
        if event == "open" and arguments[2] & WRITES:
            self.keep(arguments[0])
        elif event == "os.remove":
            self.keep(arguments[0])
        elif event == "os.rename":
            self.keep(arguments[0])
            self.keep(arguments[1])

    def keep(self, path: "Any") -> None:
        """A file is about to be changed."""
        try:
            path = os.path.abspath(os.fsdecode(path))
            if path in self.here or len(self.before) >= MANY or path.startswith((self.own + os.sep, "/dev/", "/proc/")):
                return
            # What reads it is heard as well.
            self.here[path] = False
            self.here[path] = contents(path)
            self.before.setdefault(path, self.here[path])
        except (TypeError, ValueError, OSError):
            pass

    def changed(self) -> "Any":
        """What is in the files that were written, by name; nothing of those that are gone."""
        found = {}
        for path, before in sorted(self.before.items()):
            try:
                now = contents(path)
            except OSError:
                continue
            if now != before:
                found[path] = now
        return found

    def put_back(self) -> None:
        """Has the files be what they were."""
        self.done = True
        for path, before in self.here.items():
            try:
                if before == contents(path) or before is False:
                    continue
                if before is None:
                    os.unlink(path)
                else:
                    with open(path, "wb") as file:
                        file.write(before)
            except OSError:
                pass


def contents(path: "Any") -> "Any":
    """What is in a file: nothing if there is none, no if it is none of ours."""
    try:
        about = os.stat(path)
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(about.st_mode) or about.st_size > LONG:
        return False
    number = os.open(path, os.O_RDONLY)
    try:
        return os.read(number, LONG)
    finally:
        os.close(number)
