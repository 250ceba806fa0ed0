"""Print an invoice with tax; books have a reduced rate, all else the standard rate of 20 %."""


def net(items):
    return sum(quantity * price for _, quantity, price, _ in items)


def with_tax(amount, rate=0.02):
    return round(amount * (1 + rate), 2)


def line_total(quantity, price, kind):
    amount = quantity * price
    if kind == "book":
        return with_tax(amount, rate=0.05)
    return with_tax(amount)


def gross(items):
    total = 0
    for _, quantity, price, kind in items:
        total += line_total(quantity, price, kind)
    return round(total, 2)


def main():
    items = [
        ("Atlas", 1, 30.00, "book"),
        ("Lamp", 2, 25.00, "home"),
        ("Pen", 10, 1.50, "office"),
    ]
    for name, quantity, price, kind in items:
        print(f"{name:8s}{quantity:3d} x {price:6.2f} {line_total(quantity, price, kind):8.2f}")
    print(f"net {net(items):.2f}, gross {gross(items):.2f}")


if __name__ == "__main__":
    main()
