"""Waits for a copy of this process, and notices if it waits for something that never happens.

A copy has none of the threads of the process that it was made of. What they would have done, and the locks that they held, it waits for in
vain: all of its threads wait for each other, without a limit, and for nothing outside. Where the system does not show that, the copy's own
limit is waited for."""

import os
import signal
from select import POLLIN, poll
from time import sleep

from gadfly import _native

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# How long a copy may take before it is looked at, and between two looks, at first and at most, in milliseconds; and so many looks have
# to show the same.
FIRST, NEXT, MOST, LOOKS = 100, 50, 2000, 3
# What a thread is doing that waits for a lock of its own process: `futex`, by the machine's number, for one of these purposes, without
# a limit.
FUTEX = {"x86_64": 202, "aarch64": 98}.get(os.uname().machine)
WAIT, WAIT_BITSET, PRIVATE, CLOCK = 0, 9, 128, 256
# The status of a copy that was ended because it waited in vain, and what is said of it then.
IN_VAIN = -1
WAITS = "it waits for a thread or a task that does not exist in the copied process"


def wait(pid: int) -> "Any":
    """How a copy ended; `IN_VAIN` if it would not have."""
    try:
        file = os.pidfd_open(pid)
    except (AttributeError, OSError):
        return os.waitpid(pid, 0)[1]
    try:
        ended = poll()
        ended.register(file, POLLIN)
        patience = FIRST
        while not ended.poll(patience):
            patience = NEXT
            if is_stuck(pid):
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
                return IN_VAIN
    finally:
        os.close(file)
    return os.waitpid(pid, 0)[1]


def is_running(pid: int) -> bool:
    """Whether a copy that runs on still does; one that waits in vain is ended."""
    if os.waitpid(pid, os.WNOHANG)[0]:
        return False
    if is_stuck(pid):
        os.kill(pid, signal.SIGKILL)
    return True


def is_stuck(pid: int) -> bool:
    """Whether a process waits only for itself."""
    before = waiting(pid)
    for _ in range(LOOKS - 1):
        if before is None:
            break
        sleep(NEXT / 1000 / LOOKS)
        if waiting(pid) != before:
            return False
    return before is not None


def waiting(pid: int) -> "Any":
    """What each thread of a process waits for; None if one of them does not wait, or waits for another process, or with a limit."""
    found = {}
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):
            call = read(pid, thread, "syscall")
            if is_endless(call.split()):
                found[thread] = call
            elif read(pid, thread, "comm").rstrip("\n") != _native.WRITER_THREAD:
                # The thread that writes a trail does nothing for others.
                return None
    except OSError:
        return None
    return found or None


def read(pid: int, thread: str, what: str) -> "Any":
    with open(f"/proc/{pid}/task/{thread}/{what}") as told:
        return told.read()


def is_endless(call: list[str]) -> bool:
    """Whether a call to the system waits for a lock of the same process, without a limit."""
    if len(call) < 5 or call[0] != str(FUTEX):
        return False
    purpose, limit = int(call[2], 16) & 0xFFFFFFFF, int(call[4], 16)
    return bool(purpose & PRIVATE) and purpose & ~(PRIVATE | CLOCK) in (WAIT, WAIT_BITSET) and limit == 0
