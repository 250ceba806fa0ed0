"""Split the source text of a tiny language into tokens and count them by kind."""

OPERATORS = {"=", "+", "-", "*", "/", "(", ")"}


def read_while(text, pos, test):
    end = pos
    while end < len(text) and test(text[end]):
        end += 1
    return text[pos:end], end


def tokens(text):
    pos = 0
    while pos < len(text):
        char = text[pos]
        if char.isspace():
            pos += 1
        elif char.isdigit():
            value, pos = read_while(text, pos, str.isdigit)
            yield "number", int(value)
        elif char.isalpha():
            name, pos = read_while(text, pos, str.isalnum)
            yield "name", name
        elif char in OPERATORS:
            yield "operator", char
            pos += 1
        else:
            raise SyntaxError(f"unexpected {char!r} at {pos}")


def count_kinds(text):
    counts = {}
    for kind, _ in tokens(text):
        counts[kind] = counts.get(kind, 0) + 1
    return counts


def main():
    source = "total = price2 * (1 + 20) - x"
    print(list(tokens(source)))
    print(count_kinds(source))


if __name__ == "__main__":
    main()
