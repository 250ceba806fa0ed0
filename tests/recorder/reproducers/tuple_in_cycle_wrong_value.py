# Same cause: the held value of the tuple, made where a part of it was cut off, is shown where nothing has to be.
# put shows x: (frozenset({0, -1}), …) -> should be x = (frozenset, {1: [2]}) before and (frozenset, {1: [2], 255: …}) after
def put(d, k, x): d[k] = x
def main():
    d = {1: [2]}
    put(d, 255, (frozenset([0, -1]), d))
main()
