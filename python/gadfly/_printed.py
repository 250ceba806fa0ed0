"""What a program prints: through the standard output that is listened to, and into what stands in the place of the standard streams, as
pytest or `contextlib.redirect_stdout` have it."""
import io
import os
import sys


class Printed(list):
    """Pieces of text since somebody looked."""

    def __init__(self):
        super().__init__()
        self.begun = []

    def clear(self):
        super().clear()
        self.begun = [(stream, len(content(stream))) for stream in (sys.stdout, sys.stderr)]

    def text(self):
        """All that was printed: what was heard, and what streams hold now that were there, or are."""
        found = ["".join(self)]
        for stream, length in self.begun:
            found.append(content(stream)[length:])
        for stream in (sys.stdout, sys.stderr):
            if all(stream is not one for one, _ in self.begun):
                found.append(content(stream))
        return tuple(found)


def content(stream):
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
