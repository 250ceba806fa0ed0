"""Squares computed by several processes, and joined."""
import multiprocessing


def squares(n):
    return [i * i for i in range(n)]


def join(parts):
    joined = []
    for part in parts:
        joined = part + joined
    return joined


def run(numbers):
    with multiprocessing.get_context("fork").Pool(2) as pool:
        parts = pool.map(squares, numbers)
    return join(parts)


if __name__ == "__main__":
    print(run([2, 3, 4]))
