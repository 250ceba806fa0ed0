"""Scores, the best first."""


def ranking(scores):
    return dict(sorted(scores.items(), key=lambda item: item[1]))


def shown(scores):
    return " > ".join(ranking(scores))


print(shown({"ann": 1, "bob": 5, "eve": 3}))
