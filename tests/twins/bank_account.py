"""A bank account with reserved amounts, and a statement of its movements."""


class Account:
    def __init__(self, owner, balance=0):
        self.owner = owner
        self.balance = balance
        self.available = balance
        self.movements = []

    def deposit(self, amount):
        self.balance += amount
        self.available += amount
        self.movements.append(("deposit", amount))

    def reserve(self, amount):
        if amount > self.available:
            raise ValueError("not enough money to reserve")
        self.available -= amount

    def withdraw(self, amount):
        if amount > self.available:
            return False
        self.available -= amount
        self.balance = self.available
        self.movements.append(("withdraw", amount))
        return True

    def reserved(self):
        return self.balance - self.available


def main():
    account = Account("Ann", 100)
    account.deposit(50)
    account.reserve(30)
    print("withdraw 60:", account.withdraw(60))
    print("withdraw 70:", account.withdraw(70))
    print("balance:", account.balance)
    print("reserved:", account.reserved())
    print(account.movements)


if __name__ == "__main__":
    main()
