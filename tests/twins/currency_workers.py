"""Amounts converted by a pool of threads that never end."""
import queue, threading
RATES = {"eur": 100, "usd": 90, "gbp": 120}


def convert(amount, currency):
    return amount * RATES[currency] // 10


class Pool:
    def __init__(self, count):
        self.jobs = queue.Queue()
        self.results = {}
        self.lock = threading.Lock()
        self.threads = [threading.Thread(target=self.work, daemon=True) for _ in range(count)]
        for thread in self.threads:
            thread.start()

    def work(self):
        while True:
            key, amount, currency = self.jobs.get()
            value = convert(amount, currency)
            with self.lock:
                self.results[key] = value
            self.jobs.task_done()

    def submit(self, key, amount, currency):
        self.jobs.put((key, amount, currency))

    def wait(self):
        self.jobs.join()
        return dict(sorted(self.results.items()))


def main():
    pool = Pool(3)
    for i, currency in enumerate(["eur", "usd", "gbp", "eur"]):
        pool.submit(i, 10 * (i + 1), currency)
    print(pool.wait())


main()
