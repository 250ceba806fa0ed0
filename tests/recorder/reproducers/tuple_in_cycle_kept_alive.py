# All versions (seen on the old recorder, 3.10 and 3.14). A tuple that is part of a cycle is taken for a constant: inside the look,
# the object that it contains is cut off ("omitted", is_object = false), so the tuple looks as if it had only atoms in it,
# and `hold` keeps it, with the object, for as long as it likes. Expected: "gone 1" is printed. (values.rs see_parts: `lasts && !value.is_object`)
import gc
class B:
    def __init__(self, n): self.n = n
    def __del__(self): print("gone", self.n)
def store(o, name, x): setattr(o, name, x)
def main():
    v = B(1)
    store(v, "a", (1.5, v))
    v = None
    gc.collect()
    print("end")
main()
