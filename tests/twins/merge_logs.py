"""Merge two logs, each sorted by time stamp, into one."""


def parse(line):
    stamp, _, text = line.partition(" ")
    return int(stamp), text


def merge(left, right):
    merged = []
    i = j = 0
    while i < len(left) or j < len(right):
        if left[i][0] <= right[j][0]:
            merged.append(left[i])
            i += 1
        else:
            merged.append(right[j])
            j += 1
    merged.extend(left[i:])
    merged.extend(right[j:])
    return merged


def main():
    web = [parse(line) for line in ["1 start", "4 GET /", "9 GET /about"]]
    database = [parse(line) for line in ["2 connect", "5 SELECT", "6 COMMIT"]]
    for stamp, text in merge(web, database):
        print(f"{stamp:03d} {text}")


if __name__ == "__main__":
    main()
