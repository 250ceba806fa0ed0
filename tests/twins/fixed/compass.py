"""Turning to the right."""


class Compass:
    names = ["N", "E", "S", "W"]

    def right_of(self, name):
        return self.names[(self.names.index(name) + 1) % len(self.names)]


def walk(start, turns):
    compass = Compass()
    for _ in range(turns):
        start = compass.right_of(start)
    return start


print(walk("N", 2))
