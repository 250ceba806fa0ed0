"""Prices."""


def price(item: str) -> float:
    """What an item costs.

    >>> price("tea")
    2.5
    """
    return {"tea": 2.5, "cake": "3"}[item]


def total(items: list[str]) -> float:
    """
    >>> total([])
    0
    """
    result = 0
    for item in items:
        result += price(item)
    return result


if __name__ == "__main__":
    print(total(["tea", "cake"]))
