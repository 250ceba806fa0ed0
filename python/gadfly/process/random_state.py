"""Random numbers: a program that is run again gets the same ones.

The module `random` takes its first state from the system, which the program cannot know; so it does not notice if the state comes from
a seed. What a program asks the system itself (`secrets`, `os.urandom`, the clock) is not the same in another run."""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def seed(number: int) -> None:
    """Has the numbers of `random` come from a seed."""
    import random

    random.seed(int(number))


def kept() -> "Any":
    """The states of what gives numbers by chance, as far as that is there."""
    states = {}
    if "random" in sys.modules:
        states["random"] = sys.modules["random"].getstate()
    if "numpy.random" in sys.modules:
        states["numpy.random"] = sys.modules["numpy.random"].get_state()
    return states


def restore(states: "dict[str, Any]") -> None:
    """Goes on from states that were kept."""
    if "random" in states:
        import random

        random.setstate(states["random"])
    if "numpy.random" in states and "numpy.random" in sys.modules:
        sys.modules["numpy.random"].set_state(states["numpy.random"])
