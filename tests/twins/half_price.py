"""Seats of a bus."""


def halves(seats):
    return seats / 2


def plan(buses):
    return {name: halves(seats) for name, seats in buses.items()}


print(plan({"red": 40, "blue": 12}))
