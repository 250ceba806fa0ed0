"""Parse comma separated lines with quoted fields."""


def parse_line(line):
    fields = []
    field = ""
    quoted = False
    i = 0
    while i < len(line):
        char = line[i]
        if quoted:
            if char == '"' and line[i + 1:i + 2] == '"':
                field += '"'
                i += 1
            elif char == '"':
                quoted = False
            else:
                field += char
        elif char == '"':
            quoted = True
        elif char == ",":
            fields.append(field)
            field = ""
        else:
            field += char
        i += 1
    fields.append(field)
    return fields


def widths(rows):
    return [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]


def main():
    lines = ['id,name,note', '1,"Smith, Ann","said ""hi"" twice"', '2,Bob,']
    rows = [parse_line(line) for line in lines]
    for row in rows:
        print(" | ".join(cell.ljust(w) for cell, w in zip(row, widths(rows))))


if __name__ == "__main__":
    main()
