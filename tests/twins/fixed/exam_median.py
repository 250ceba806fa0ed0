"""Report the median of an exam and which students are above it."""


def median(values):
    values = sorted(values)
    middle = len(values) // 2
    if len(values) % 2:
        return values[middle]
    return (values[middle - 1] + values[middle]) / 2


def above(names, scores, limit):
    result = []
    for name, score in zip(names, scores):
        if score > limit:
            result.append(name)
    return result


def spread(scores):
    return max(scores) - min(scores)


def main():
    names = ["Ana", "Bob", "Cleo", "Dan", "Eve"]
    scores = [88, 52, 71, 95, 60]
    limit = median(scores)
    print("median:", limit)
    print("spread:", spread(scores))
    print("above median:", ", ".join(above(names, scores, limit)))


if __name__ == "__main__":
    main()
