"""Find which starting number below a limit has the longest Collatz chain."""


def next_number(n):
    if n % 2 == 0:
        return n // 2
    return 3 * n + 1


def chain_length(n):
    length = 1
    while n != 1:
        n = next_number(n)
        length += 1
    return length


def longest_chain(limit):
    best_start = 1
    best_length = 1
    for n in range(1, limit):
        length = chain_length(n)
        if length > best_length:
            best_start = n
            best_length = n
    return best_start, best_length


def main():
    for limit in (10, 30):
        start, length = longest_chain(limit)
        print(f"below {limit}: start {start}, length {length}")


if __name__ == "__main__":
    main()
