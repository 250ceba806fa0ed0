"""Find the groups of friends in a network."""

FRIENDS = [("ann", "bob"), ("bob", "cy"), ("dan", "eve"), ("fay", "fay"), ("cy", "ann")]


def neighbours(pairs):
    table = {}
    for a, b in pairs:
        table.setdefault(a, set()).add(b)
        table.setdefault(b, set()).add(a)
    return table


def component(table, start):
    found = {start}
    todo = [start]
    while todo:
        person = todo.pop()
        for friend in sorted(table[person] - found):
            found.add(friend)
            todo.append(friend)
    return found


def groups(pairs):
    table = neighbours(pairs)
    seen = set()
    result = []
    for person in sorted(table):
        if person not in seen:
            group = component(table, person)
            seen |= group
            result.append(sorted(group))
    return result


def main():
    found = groups(FRIENDS)
    print(len(found), "groups")
    for group in found:
        print("-", ", ".join(group))


if __name__ == "__main__":
    main()
