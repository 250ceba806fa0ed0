"""Cubes of numbers, computed by other processes."""
import multiprocessing


def cube(n):
    return n ** 3


def total(numbers):
    with multiprocessing.get_context("fork").Pool(2) as pool:
        return sum(pool.map(cube, numbers))


if __name__ == "__main__":
    print(total([0, 1, 2, 3]))
