"""Settings read by one thread and put together by another."""
import queue, threading
DONE = object()


def produce(lines, out):
    for line in lines:
        out.put(line.strip().lower())
    out.put(DONE)


def parse(line):
    name, _, value = line.partition("=")
    return name.strip(), int(value)


def consume(source, table):
    while (line := source.get()) is not DONE:
        name, value = parse(line)
        if name in table:
            table[name] = value
        else:
            table[name] = value + table.get(name, 0)


def load(lines):
    channel, table = queue.Queue(maxsize=2), {}
    producer = threading.Thread(target=produce, args=(lines, channel))
    consumer = threading.Thread(target=consume, args=(channel, table))
    producer.start(); consumer.start()
    producer.join(); consumer.join()
    return table


print(load(["A=1", "b = 2", "a=5", "B=1"]))
