"""Quote shipping costs, remembering the quotes already computed."""
import functools


def memo(function):
    cache = {}

    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        key = args
        if key not in cache:
            cache[key] = function(*args, **kwargs)
        return cache[key]

    return wrapper


@memo
def shipping(weight, zone, express=False):
    base = 4 + 2 * zone
    cost = base + 0.5 * weight
    if express:
        cost *= 2
    return cost


def quote(orders):
    lines = []
    for weight, zone, express in orders:
        cost = shipping(weight, zone, express=express)
        lines.append(f"{weight} kg zone {zone}{' express' if express else ''}: {cost:.2f}")
    return lines


def main():
    for line in quote([(2, 1, False), (2, 1, True), (5, 3, True), (5, 3, False)]):
        print(line)


if __name__ == "__main__":
    main()
