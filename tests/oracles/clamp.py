"""Values between bounds."""


def clamp(value, low, high):
    if value < low:
        return high
    return min(value, high)


def clamped(values):
    return [clamp(value, 0, 10) for value in values]


if __name__ == "__main__":
    print(clamped([3, -2, 40]))
