"""Count the calls of some text functions and print their results."""
import functools

CALLS = {}


def counted(function):
    @functools.wraps(function)
    def wrapper(*args):
        CALLS[function.__name__] = CALLS.get(function.__name__, 0) + 1
        return function(*args)

    return wrapper


@counted
def initials(name):
    return "".join(part[0].upper() for part in name.split())


@counted
def shout(text):
    return text.upper() + "!"


def main():
    for name in ("ada lovelace", "alan turing"):
        print(name, "->", initials(name))
    print(shout("done"))
    print(CALLS)


if __name__ == "__main__":
    main()
