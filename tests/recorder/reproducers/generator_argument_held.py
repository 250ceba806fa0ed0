# New recorder, 3.10 only. An argument of a generator belongs to its frame alone; it is held (watched) until the first yield.
# Control: "gone 1", "after". Recorded: "after", "gone 1".
class P:
    def __init__(self, n): self.n = n
    def __del__(self): print("gone", self.n)
def f(x):
    x = None
    print("after")
    yield 1
g = f(P(1))
next(g)
