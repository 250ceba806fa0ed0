"""A cache that forgets the entry unused for the longest time."""
from collections import OrderedDict


class Cache:
    def __init__(self, size):
        self.size = size
        self.entries = OrderedDict()
        self.misses = 0

    def get(self, key, compute):
        if key in self.entries:
            self.entries.move_to_end(key)
            return self.entries[key]
        self.misses += 1
        value = compute(key)
        self.entries[key] = value
        if len(self.entries) > self.size:
            self.entries.popitem(last=False)
        return value


def square(n):
    return n * n


def run(cache, keys):
    return [cache.get(key, square) for key in keys]


def main():
    cache = Cache(2)
    print(run(cache, [3, 4, 3, 5, 3, 4]))
    print("misses:", cache.misses)
    print("kept:", list(cache.entries))


if __name__ == "__main__":
    main()
