"""Paying what is in a queue."""


def pay(queue, amount):
    while queue:
        account = queue.pop()
        account["paid"] += 1


def main():
    accounts = [{"name": "ann", "paid": 0}, {"name": "bob", "paid": 5}]
    pay(list(accounts), 10)
    print(accounts)


main()
