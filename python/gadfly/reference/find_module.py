"""`python -m gadfly.reference.find_module NAME`: prints the file that `python -m NAME` would run, without running any of it."""

import os
import sys

from gadfly.reference.source import locate, source_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def file_of(name: str) -> "Any":
    """The file of a module; of a package, that of its `__main__`."""
    spec = locate(name)
    if spec is not None and spec.submodule_search_locations is not None:
        spec = locate(f"{name}.__main__")
    return source_of(spec)


if __name__ == "__main__":
    sys.path[0] = os.getcwd()
    found = file_of(sys.argv[1])
    if found:
        print(os.path.relpath(found) if found.startswith(os.getcwd() + os.sep) else found)
