"""What a call gives that is yet to run, run to its end: a generator, a coroutine."""

import asyncio
import selectors
import threading
import types

from gadfly.messages import WAITS_FOR_OTHERS, Unanswerable
from gadfly.process import forked, sent_values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from gadfly._types import Value

# So many values of a generator are taken if it is not known how many it yielded.
YIELDS_IF_UNKNOWN = 1000
# What the generator that is being run has yielded.
YIELDED: "list[Any]" = []


def run_to_end(value: "Value", items: int, sent: "dict[int, tuple[Value, bool]]") -> "Any":
    """What a generator or a coroutine comes to; a value that is neither is itself. A generator is to yield so many items."""
    if isinstance(value, types.GeneratorType):
        YIELDED.clear()
        # One more than it yielded, to see whether it ends there; but not of one that waits for what it is sent.
        for at in range(max(items, max(sent) + 1) if sent else items + 1):
            try:
                YIELDED.append(sent_values.resume(value, sent.get(at)))
            except StopIteration:
                break
        return list(YIELDED)
    if isinstance(value, types.AsyncGeneratorType):

        async def some() -> "Any":
            found = []
            async for one in value:
                found.append(one)
                if len(found) > items:
                    break
            return found

        return run_coroutine(some())
    return run_coroutine(value) if isinstance(value, types.CoroutineType) else value


def run_coroutine(coroutine: "Any") -> "Any":
    """Runs a coroutine in a loop of its own."""
    asyncio._set_running_loop(None)
    loop = asyncio.SelectorEventLoop(LonelySelector())
    asyncio.set_event_loop(loop)
    return loop.run_until_complete(coroutine)


class LonelySelector(selectors.DefaultSelector):
    """What a loop waits with; it does not wait for threads that a copy of the process does not have."""

    def select(self, timeout: float | None = None) -> "Any":
        # The loop itself has one file, to be woken up by other threads.
        if timeout is None and len(self.get_map()) <= 1 and threading.active_count() == 1:
            raise Unanswerable(WAITS_FOR_OTHERS, forked.WAITS)
        return super().select(timeout)
