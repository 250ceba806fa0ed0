"""List the warehouse items that must be reordered, with the quantity and the cost."""

STOCK = [
    ("bolt", 120, 100, 0.05),
    ("nut", 40, 100, 0.04),
    ("washer", 310, 200, 0.01),
    ("hinge", 12, 25, 1.20),
    ("bracket", 3, 10, 2.50),
]


def quantity_to_order(on_hand, minimum):
    missing = minimum - on_hand
    if missing <= 0:
        return 0
    # suppliers sell in packs of ten
    packs = (missing + 9) // 10
    return packs * 10


def reorder_list(stock):
    orders = []
    for i in range(len(stock)):
        name, on_hand, minimum, price = stock[i]
        quantity = quantity_to_order(on_hand, minimum)
        if quantity:
            orders.append((name, quantity, round(quantity * price, 2)))
    return orders


def total_cost(orders):
    total = 0.0
    for _, _, cost in orders:
        total += cost
    return total


def main():
    orders = reorder_list(STOCK)
    for name, quantity, cost in orders:
        print(f"{name:10s} {quantity:4d} {cost:8.2f}")
    print(f"total      {total_cost(orders):13.2f}")


if __name__ == "__main__":
    main()
