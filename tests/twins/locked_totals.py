"""A lock that calls hold while they make others that want it, too (issue: a held lock stalled every answer)."""
import multiprocessing

LOCK = multiprocessing.RLock()
TOTALS = {}


def add(name, amount):
    with LOCK:
        TOTALS[name] = amount + TOTALS.get(name, 0) // 2
    return TOTALS[name]


def add_all(rows):
    with LOCK:
        for name, amount in rows:
            add(name, amount)
    return sorted(TOTALS.items())


def report(rows):
    with LOCK:
        return ", ".join(f"{name}: {total}" for name, total in add_all(rows))


print(report([("tea", 3), ("milk", 4), ("tea", 5)]))
