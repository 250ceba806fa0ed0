"""A log of what is open."""
from contextlib import contextmanager


@contextmanager
def opened(log, name):
    log.append("open " + name)
    try:
        yield
    finally:
        log.append("close " + name)


def use(log):
    try:
        with opened(log, "file"):
            raise ValueError
    except ValueError:
        log.append("failed")


def main():
    log = []
    use(log)
    print(log)


main()
