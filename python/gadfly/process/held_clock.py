"""The clock, for copies of a process that are compared: what they do takes no time, as far as the program sees, unless it takes long.

The library has the real time, since it waits by it. Only code that asks the module `time`, or a loop of asyncio, gets the held one; dates
are real."""

import os
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType
    from typing import Any

# The clock stands still for so long, and goes on by as much then.
STEP = 0.25
CLOCKS = ("time", "monotonic", "perf_counter")
LIBRARY = os.path.dirname(os.__file__) + os.sep
LOOP = os.path.join(LIBRARY, "asyncio", "base_events.py")
REAL = {name: getattr(time, name) for name in CLOCKS}


def read() -> "dict[Any, Any]":
    """What the clocks show the program."""
    return {name: getattr(time, name)() for name in CLOCKS}


def hold(shown: dict[str, float]) -> None:
    """Has the clocks go on from what they showed, in steps."""
    begun = REAL["monotonic"]()
    passed = lambda: (REAL["monotonic"]() - begun) // STEP * STEP

    def clock(name: str, start: float) -> "Any":
        def now() -> "Any":
            return REAL[name]() if is_library(sys._getframe(1)) else start + passed()

        def now_ns() -> int:
            seconds = REAL[name]() if is_library(sys._getframe(1)) else start + passed()
            return int(seconds * 1_000_000_000)

        return now, now_ns

    for name, start in shown.items():
        now, now_ns = clock(name, start)
        setattr(time, name, now)
        setattr(time, name + "_ns", now_ns)


def is_library(frame: "FrameType") -> bool:
    """Whether it is the library that asks for the time."""
    if frame.f_code.co_filename == LOOP and frame.f_code.co_name == "time" and frame.f_back is not None:
        frame = frame.f_back
    file = frame.f_code.co_filename
    return file.startswith("<frozen") or file.startswith(LIBRARY) and "site-packages" not in file
