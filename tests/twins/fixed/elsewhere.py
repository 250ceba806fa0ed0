import os

HERE = os.path.dirname(__file__)
os.chdir(os.sep)


def longest(path):
    most = 0
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            if len(line) > most:
                most = len(line)
    return most


print(longest(os.path.join(HERE, os.path.basename(__file__))) > 10)
