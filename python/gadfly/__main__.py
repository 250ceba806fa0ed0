"""`python -m gadfly`: the command line. A file that is named alone is debugged."""

import os
import sys

from gadfly import _native

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

COMMANDS = {"run", "record", "debug", "tree", "check", "help"}


def main() -> "Any":
    os.environ.setdefault("GADFLY_PYTHON", sys.executable)
    arguments = sys.argv[1:]
    if arguments and arguments[0] not in COMMANDS and not arguments[0].startswith("-"):
        arguments.insert(0, "debug")
    return _native.main(["gadfly", *arguments])


if __name__ == "__main__":
    sys.exit(main())
