"""The worst of some levels."""
import enum


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 1


def worst(names):
    return max(Level[name] for name in names).name


print(worst(["LOW", "HIGH"]))
