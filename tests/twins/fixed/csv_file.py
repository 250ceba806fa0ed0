"""Rows in a file."""
import os
import tempfile


def write(path, rows):
    with open(path, "w") as out:
        for row in rows:
            out.write(",".join(map(str, row)) + "\n")


def read(path):
    with open(path) as lines:
        return [line.rstrip().split(",") for line in lines]


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "rows.csv")
        write(path, [(1, 2), (3, 4)])
        print(len(read(path)))


main()
