"""Smooth a series of temperatures with a moving average and report the warmest window."""


def window_mean(values, start, size):
    total = 0
    for k in range(start, start + size):
        total += values[k]
    return total / size


def moving_average(values, size):
    means = []
    start = 0
    while start + size < len(values):
        means.append(window_mean(values, start, size))
        start += 1
    return means


def warmest(means):
    best = 0
    for i, mean in enumerate(means):
        if mean > means[best]:
            best = i
    return best


def main():
    temperatures = [12, 14, 13, 17, 19, 18, 23, 26]
    means = moving_average(temperatures, 3)
    print([round(m, 2) for m in means])
    best = warmest(means)
    print("warmest window starts at day", best, "mean", round(means[best], 2))


if __name__ == "__main__":
    main()
