"""Compute mean and variance of the valid measurements."""


def filter_valid(values, low, high):
    return [value for value in values if low <= value <= high]


def count(values):
    number = 0
    for _ in values:
        number += 1
    return number


def mean_and_variance(values):
    number = count(values)
    mean = sum(values) / number
    variance = sum((value - mean) ** 2 for value in values) / number
    return mean, variance


def main():
    measured = [9.5, 10.5, 99.0, 10.0, 11.0, -5.0, 9.0]
    valid = filter_valid(measured, 0.0, 20.0)
    mean, variance = mean_and_variance(valid)
    print(f"mean {mean:.2f} variance {variance:.3f}")


if __name__ == "__main__":
    main()
