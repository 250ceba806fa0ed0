"""A shopping basket in cents. What is wrong: five pieces or more should get ten percent off, but see `percent_off`."""

PRICES = {"apple": 30, "pear": 45, "plum": 20}


def price(item):
    return PRICES[item]


def percent_off(count):
    if count > 5:  # wrong: should be >= 5
        return 10
    return 0


def line_total(item, count):
    full = price(item) * count
    return full - full * percent_off(count) // 100


def parse(order):
    count, item = order.split(" x ")
    price(item)
    return item, int(count)


def basket(orders):
    lines = {}
    for order in orders:
        try:
            item, count = parse(order)
            lines[item] = lines.get(item, 0) + count
        except KeyError:
            pass  # we do not sell it
    return lines


def total(orders):
    cents = 0
    for item, count in basket(orders).items():
        cents += line_total(item, count)
    return cents


if __name__ == "__main__":
    print(total(["3 x apple", "1 x melon", "2 x pear", "3 x pear"]))  # 293 is right
