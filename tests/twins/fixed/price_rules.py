"""Apply the discount rules of a shop to a list of prices."""

DISCOUNTS = {"student": 10, "member": 20, "staff": 50}


def make_rules(discounts):
    rules = {}
    for group, percent in discounts.items():
        rules[group] = lambda price, percent=percent: price * (100 - percent) / 100
    return rules


def price_for(rules, group, price):
    rule = rules.get(group)
    if rule is None:
        return price
    return round(rule(price), 2)


def bill(rules, purchases):
    total = 0
    for group, price in purchases:
        total += price_for(rules, group, price)
    return total


def main():
    rules = make_rules(DISCOUNTS)
    purchases = [("student", 40.0), ("guest", 15.0), ("member", 60.0), ("staff", 10.0)]
    for group, price in purchases:
        print(f"{group:8s} {price:6.2f} -> {price_for(rules, group, price):6.2f}")
    print("bill", bill(rules, purchases))


if __name__ == "__main__":
    main()
