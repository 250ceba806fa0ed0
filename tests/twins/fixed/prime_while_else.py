"""List primes by trial division and factor some numbers."""


def is_prime(n):
    if n < 2:
        return False
    divisor = 2
    while divisor * divisor <= n:
        if n % divisor == 0:
            result = False
            break
        divisor += 1
    else:
        result = True
    return result


def primes(limit):
    return [n for n in range(limit) if is_prime(n)]


def factors(n):
    result = []
    for p in primes(n + 1):
        while n % p == 0:
            result.append(p)
            n //= p
    return result


def main():
    print(primes(30))
    for n in (12, 49, 90):
        print(n, "=", " * ".join(map(str, factors(n))))


if __name__ == "__main__":
    main()
