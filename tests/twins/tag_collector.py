"""Collect the hash tags of messages."""
import re


def collect_tags(text, found=[]):
    tags = found
    for tag in re.findall(r"#(\w+)", text):
        tag = tag.lower()
        if tag not in tags:
            tags.append(tag)
    return tags


def tag_table(messages):
    table = {}
    for author, text in messages:
        table[author] = len(collect_tags(text))
    return table


def most_tags(table):
    return max(sorted(table), key=table.get)


def main():
    messages = [
        ("ann", "Lovely #sunset over the #Sea #sunset"),
        ("bob", "no tags here"),
        ("cy", "new #bike"),
    ]
    table = tag_table(messages)
    for author, number in table.items():
        print(author, number)
    print("most:", most_tags(table))


if __name__ == "__main__":
    main()
