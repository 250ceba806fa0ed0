"""Number the chapters of a book with Roman numerals."""

NUMERALS = [
    (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"),
    (100, "C"), (90, "XC"), (50, "L"), (40, "XL"),
    (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
]


def to_roman(number):
    text = ""
    for value, letters in NUMERALS:
        while number >= value:
            text += letters
            number -= value
    return text


def headings(numbers):
    return [f"Chapter {to_roman(number)}" for number in numbers]


def main():
    for heading in headings([4, 49, 93, 149]):
        print(heading)


if __name__ == "__main__":
    main()
