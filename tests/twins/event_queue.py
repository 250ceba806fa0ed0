"""Simulate a counter with an event queue and report the waiting times."""
import heapq


class Simulation:
    def __init__(self):
        self.queue = []
        self.people = {}
        self.free_at = 0
        self.waits = {}

    def schedule(self, time, priority, name, work):
        self.people[name] = (time, work)
        heapq.heappush(self.queue, (priority, time, name))

    def run(self):
        while self.queue:
            _, _, name = heapq.heappop(self.queue)
            time, work = self.people[name]
            begin = max(time, self.free_at)
            self.waits[name] = begin - time
            self.free_at = begin + work


def main():
    simulation = Simulation()
    simulation.schedule(10, 2, "ann", 5)
    simulation.schedule(12, 1, "bob", 3)
    simulation.schedule(11, 3, "cy", 4)
    simulation.schedule(30, 1, "dan", 2)
    simulation.run()
    for name, wait in sorted(simulation.waits.items()):
        print(f"{name} waited {wait}")
    print("closed at", simulation.free_at)


if __name__ == "__main__":
    main()
