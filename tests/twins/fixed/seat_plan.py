"""Book seats in a small theatre and draw the plan."""


def empty_plan(rows, seats):
    return [["."] * seats for _ in range(rows)]


def book(plan, row, seat):
    if plan[row][seat] != ".":
        return False
    plan[row][seat] = "X"
    return True


def free_seats(plan):
    free = 0
    for row in plan:
        free += row.count(".")
    return free


def draw(plan):
    return "\n".join(f"{number + 1} {''.join(row)}" for number, row in enumerate(plan))


def main():
    plan = empty_plan(3, 6)
    wishes = [(0, 2), (1, 2), (2, 5), (0, 2)]
    for row, seat in wishes:
        print(f"row {row + 1} seat {seat + 1}:", "ok" if book(plan, row, seat) else "taken")
    print(draw(plan))
    print("free:", free_seats(plan))


if __name__ == "__main__":
    main()
