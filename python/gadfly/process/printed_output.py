"""What a program prints: through the standard output that is listened to, and into what stands in the place of the standard streams, as
pytest or `contextlib.redirect_stdout` have it. And what it warns of."""

import io
import os
import sys
import warnings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Printed(list):
    """Pieces of text since it was cleared."""

    def __init__(self) -> None:
        super().__init__()
        self.begun: list[Any] = []
        self.before = 0
        self.kept: list[Any] = []

    def clear(self) -> None:
        super().clear()
        self.begun = [(stream, len(content(stream))) for stream in (sys.stdout, sys.stderr)]
        self.kept = keeper()
        self.before = len(self.kept)

    def warnings(self) -> "list[Any]":
        """What was warned of: the kinds of warnings, and what they were made with."""
        kept = keeper()
        return [
            (one.category, one.message.args)
            for one in kept[self.before if kept is self.kept else 0 :]
            if isinstance(one, warnings.WarningMessage) and isinstance(one.message, Warning)
        ]

    def text(self) -> "Any":
        """All that was printed: what was heard, and what streams hold now that were there, or are."""
        found = ["".join(self)]
        for stream, length in self.begun:
            found.append(content(stream)[length:])
        for stream in (sys.stdout, sys.stderr):
            if all(stream is not one for one, _ in self.begun):
                found.append(content(stream))
        return tuple(found)


def keeper() -> "Any":
    """The list that warnings are kept in, as `pytest.warns` and `warnings.catch_warnings` have it."""
    kept = getattr(getattr(warnings, "_showwarnmsg_impl", None), "__self__", None)
    return kept if type(kept) is list else []


def content(stream: "Any") -> "Any":
    """What a stream holds, if it holds what was written to it."""
    try:
        if isinstance(stream, io.StringIO):
            return io.StringIO.getvalue(stream)
        if not isinstance(stream, io.TextIOWrapper):
            return ""
        io.TextIOWrapper.flush(stream)
        buffer = io.TextIOWrapper.buffer.__get__(stream)
        if isinstance(buffer, io.BytesIO):
            return io.BytesIO.getvalue(buffer)
        # A temporary file of pytest's: others have none that can be read and is open for writing.
        if "+" in getattr(buffer, "mode", ""):
            number = buffer.fileno()
            return os.pread(number, os.fstat(number).st_size, 0)
    except (OSError, ValueError, AttributeError):
        pass
    return ""
