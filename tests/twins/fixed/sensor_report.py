"""Average the readings of several sensors; empty readings do not count."""

RAW = """\
kitchen;21.5;22.0;
cellar;12,5;13.5;14.5
attic;30.0;;31.0
"""


def to_number(text):
    if not text:
        raise LookupError("empty reading")
    return float(text)


def read_number(text):
    try:
        return to_number(text)
    except LookupError: return None
    except ValueError: return to_number(text.replace(",", "."))


def parse(raw):
    table = {}
    for line in raw.splitlines():
        name, *fields = line.split(";")
        numbers = [read_number(field) for field in fields]
        table[name] = [n for n in numbers if n is not None]
    return table


def average(numbers):
    return sum(numbers) / len(numbers)


def main():
    for name, numbers in parse(RAW).items():
        print(f"{name}: {len(numbers)} readings, average {average(numbers):.2f}")


if __name__ == "__main__":
    main()
