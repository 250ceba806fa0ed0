"""Print a time sheet with durations in hours and minutes."""

ENTRIES = [("design", 95), ("coding", 245), ("review", 60), ("travel", 8)]


def duration(total_minutes):
    hours, minutes = divmod(total_minutes, 60)
    return f"{hours}:{minutes:2d}"


def row(name, minutes, width=10):
    return name.ljust(width, ".") + duration(minutes).rjust(6, ".")


def sheet(entries):
    lines = [row(name, minutes) for name, minutes in entries]
    total = sum(minutes for _, minutes in entries)
    lines.append("-" * 16)
    lines.append(row("total", total))
    return lines


def main():
    for line in sheet(ENTRIES):
        print(line)


if __name__ == "__main__":
    main()
