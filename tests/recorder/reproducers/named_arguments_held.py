# deletes it. Recorded, it is held (watched) until the call ends, and with it what the function put into it.
class P:
    def __init__(self, n): self.n = n
    def __del__(self): print("gone", self.n)
def f(**named):
    named["x"] = P(1)
    del named
    print("after")
f(a=1)
