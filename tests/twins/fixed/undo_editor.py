"""A line editor with undo."""


class Editor:
    def __init__(self):
        self.lines = []
        self.history = []

    def snapshot(self):
        self.history.append(list(self.lines))

    def insert(self, text):
        self.snapshot()
        self.lines.append(text)

    def replace(self, old, new):
        self.snapshot()
        for i, line in enumerate(self.lines):
            self.lines[i] = line.replace(old, new)

    def undo(self):
        if not self.history:
            return False
        self.lines = self.history.pop()
        return True


def main():
    editor = Editor()
    editor.insert("the cat sat")
    editor.insert("the cat ran")
    editor.replace("cat", "dog")
    print(editor.lines)
    editor.undo()
    print(editor.lines)
    editor.undo()
    print(editor.lines)


if __name__ == "__main__":
    main()
