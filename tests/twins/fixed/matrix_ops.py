"""Multiply and transpose small matrices."""


def shape(matrix):
    return len(matrix), len(matrix[0])


def transpose(matrix):
    rows, columns = shape(matrix)
    return [[matrix[i][j] for i in range(rows)] for j in range(columns)]


def multiply(a, b):
    if shape(a)[1] != shape(b)[0]:
        raise ValueError(f"shapes {shape(a)} and {shape(b)} do not fit")
    columns = transpose(b)
    return [[sum(x * y for x, y in zip(row, column)) for column in columns] for row in a]


def show(matrix):
    for row in matrix:
        print(" ".join(f"{value:4d}" for value in row))


def main():
    a = [[1, 2], [3, 4]]
    b = [[5, 6, 7], [8, 9, 10]]
    show(multiply(a, b))
    print("shape", shape(multiply(a, b)))


if __name__ == "__main__":
    main()
