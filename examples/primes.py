def is_prime(n):
    if n < 2:
        return False
    i = 2
    while i * i < n:
        if n % i == 0:
            return False
        i += 1
    return True


def primes(limit):
    return [n for n in range(2, limit) if is_prime(n)]


def main():
    print(primes(10))


main()

# The primes below a limit. What is wrong: is_prime stops before the root of a square; it should say i * i <= n.
