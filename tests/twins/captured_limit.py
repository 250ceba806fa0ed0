"""Prices with a surcharge above a limit."""


def priced(amounts, limit, surcharge):
    extra = surcharge * 2

    def price(amount):
        return amount + 1 if amount > limit else amount

    return [price(amount) for amount in amounts], extra


print(priced([1, 5, 9], 4, 3))
