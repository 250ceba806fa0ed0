"""Walk a directory tree kept in nested dicts and list the paths of all files."""

TREE = {
    "readme.txt": 120,
    "src": {"app.py": 900, "lib": {"util.py": 300, "text.py": 250}},
    "docs": {"index.md": 80, "api.md": 400},
}


def join(prefix, name):
    return f"{prefix}/{name}" if prefix else name


def walk(tree, prefix=""):
    for name, entry in sorted(tree.items()):
        path = join(prefix, name)
        if isinstance(entry, dict):
            yield from walk(entry, path)
        else:
            yield path, entry


def total(tree):
    size = 0
    for _, amount in walk(tree):
        size += amount
    return size


def main():
    for path, size in walk(TREE):
        print(f"{size:5d} {path}")
    print(f"{total(TREE):5d} total")


if __name__ == "__main__":
    main()
