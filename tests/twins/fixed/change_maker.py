"""Count the ways to pay an amount with a set of coins."""


def ways(amount, coins):
    if amount == 0:
        return 1
    if amount < 0 or not coins:
        return 0
    first, rest = coins[0], coins[1:]
    without = ways(amount, rest)
    using = ways(amount - first, coins)
    return without + using


def main():
    coins = [5, 2, 1]
    for amount in (3, 5, 8):
        print(f"{amount}: {ways(amount, coins)} ways")


if __name__ == "__main__":
    main()
