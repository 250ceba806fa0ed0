"""Chance: a program that is run again is to have the luck that it had.

The module `random` takes its first state from the system, which the program cannot know; so nobody notices if it comes from
elsewhere. What a program asks the system itself (`secrets`, `os.urandom`, the clock) is not the same in another run."""
import sys


def seed(number):
    """Has the numbers of `random` come from a seed."""
    import random
    random.seed(int(number))


def kept():
    """The states of what gives numbers by chance, as far as that is there."""
    states = {}
    if "random" in sys.modules:
        states["random"] = sys.modules["random"].getstate()
    if "numpy.random" in sys.modules:
        states["numpy.random"] = sys.modules["numpy.random"].get_state()
    return states


def restore(states):
    """Goes on from states that were kept."""
    if "random" in states:
        import random
        random.setstate(states["random"])
    if "numpy.random" in states and "numpy.random" in sys.modules:
        sys.modules["numpy.random"].set_state(states["numpy.random"])
