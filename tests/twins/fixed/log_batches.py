"""Send log lines in batches and report the size of every batch."""


def clean_lines(text):
    for line in text.split("\n"):
        line = line.strip()
        if line and not line.startswith("#"):
            yield line


def batches(items, size):
    batch = []
    for item in items:
        batch.append(item)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch


def send(text, size):
    sent = []
    for number, batch in enumerate(batches(clean_lines(text), size), start=1):
        sent.append((number, len(batch), batch[-1]))
    return sent


def main():
    text = "\n".join(["# header", "boot ok", "net up", "", "disk ok",
                      "user ann", "user bob", "# note", "halt"])
    for number, count, last in send(text, 4):
        print(f"batch {number}: {count} lines, last: {last}")


if __name__ == "__main__":
    main()
