"""Compute the monthly pay of the employees of a small company."""


class Employee:
    def __init__(self, name, salary):
        self.name = name
        self.salary = salary
        self.overtime = 0

    def work_extra(self, hours):
        self.overtime += hours

    def hourly(self):
        return self.salary / 160

    def pay(self):
        return self.salary + self.overtime * self.hourly() * 1.5


class Manager(Employee):
    def __init__(self, name, salary, team):
        super().__init__(name, salary)
        self.team = team

    def bonus(self):
        return 50 * len(self.team)

    def pay(self):
        return super().pay() + self.bonus()


def main():
    ann = Employee("Ann", 3200)
    bob = Employee("Bob", 2400)
    eve = Manager("Eve", 4800, [ann, bob])
    ann.work_extra(10)
    eve.work_extra(4)
    staff = [ann, bob, eve]
    for person in staff:
        print(f"{person.name}: {person.pay():.2f}")
    print(f"total: {sum(person.pay() for person in staff):.2f}")


if __name__ == "__main__":
    main()
