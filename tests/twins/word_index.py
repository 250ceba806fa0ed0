"""Build the index of a text: for every word the numbers of its lines."""

STOP = {"the", "a", "and", "of"}

TEXT = """\
The cat and the mouse
a house of the cat
the mouse left the house
"""


def words(line):
    for word in line.lower().split():
        if word not in STOP:
            yield word


def build_index(text):
    index = {}
    for number, line in enumerate(text.splitlines(), start=1):
        for word in words(line):
            lines = index.get(word, set())
            index[word] = {number}
    return index


def common(index, first, second):
    return index.get(first, set()) & index.get(second, set())


def main():
    index = build_index(TEXT)
    for word in sorted(index):
        print(f"{word:8s}", *sorted(index[word]))
    print("cat+mouse:", sorted(common(index, "cat", "mouse")))


if __name__ == "__main__":
    main()
