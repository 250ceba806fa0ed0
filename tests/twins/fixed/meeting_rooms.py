"""Assign meetings to the rooms of an office."""

ROOMS = {"small": 4, "medium": 8, "large": 20}


def overlaps(first, second):
    return first[0] < second[1] and second[0] < first[1]


def is_free(bookings, room, slot):
    for other_room, other_slot in bookings:
        if other_room == room and overlaps(slot, other_slot):
            return False
    return True


def find_room(bookings, people, slot):
    for room, capacity in ROOMS.items():
        if capacity >= people and is_free(bookings, room, slot):
            return room
    else:
        return None


def plan(meetings):
    bookings = []
    result = {}
    for title, people, slot in meetings:
        room = find_room(bookings, people, slot)
        if room:
            bookings.append((room, slot))
        result[title] = room
    return result


def main():
    meetings = [("standup", 3, (9, 10)), ("review", 4, (9, 11)),
                ("board", 12, (10, 12)), ("chat", 2, (10, 11))]
    for title, room in plan(meetings).items():
        print(title, "->", room)


if __name__ == "__main__":
    main()
