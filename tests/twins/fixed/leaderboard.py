"""Rank players: most points first, then fewest penalties, then by name."""

RESULTS = [
    ("mia", 30, 2), ("leo", 45, 1), ("ava", 45, 0),
    ("zoe", 30, 1), ("ben", 12, 0), ("kim", 30, 1),
]


def rank(results):
    return sorted(results, key=lambda row: (-row[1], row[2], row[0]))


def places(ranked):
    table = []
    for i, (name, points, penalties) in enumerate(ranked):
        if i and (points, penalties) == ranked[i - 1][1:]:
            place = table[-1][0]
        else:
            place = i + 1
        table.append((place, name, points))
    return table


def main():
    for place, name, points in places(rank(RESULTS)):
        print(f"{place}. {name:5s}{points:4d}")


if __name__ == "__main__":
    main()
