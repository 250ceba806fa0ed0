"""Hand out ticket numbers at a counter; numbering starts again every day."""

_next_number = 1
_served = []


def start_day():
    global _next_number
    _next_number = 1
    _served.clear()


def take_ticket(name):
    global _next_number
    ticket = (_next_number, name)
    _next_number += 1
    return ticket


def serve(tickets):
    for number, name in tickets:
        _served.append(f"{number:02d}-{name}")
    return list(_served)


def run_day(names):
    start_day()
    tickets = [take_ticket(name) for name in names]
    return serve(tickets)


def main():
    print("monday", run_day(["ann", "bob", "cy"]))
    print("tuesday", run_day(["dan", "eve"]))


if __name__ == "__main__":
    main()
