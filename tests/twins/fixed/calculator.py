"""Evaluate arithmetic expressions with + - * / and parentheses."""
import re


def tokenize(text):
    return re.findall(r"\d+|[-+*/()]", text)


def parse_factor(tokens, pos):
    if tokens[pos] == "(":
        value, pos = parse_expression(tokens, pos + 1)
        return value, pos + 1
    return int(tokens[pos]), pos + 1


def parse_term(tokens, pos):
    value, pos = parse_factor(tokens, pos)
    while pos < len(tokens) and tokens[pos] in "*/":
        operator = tokens[pos]
        right, pos = parse_factor(tokens, pos + 1)
        value = value * right if operator == "*" else value / right
    return value, pos


def parse_expression(tokens, pos):
    value, pos = parse_term(tokens, pos)
    while pos < len(tokens) and tokens[pos] in "+-":
        operator = tokens[pos]
        right, pos = parse_term(tokens, pos + 1)
        value = value + right if operator == "+" else value - right
    return value, pos


def evaluate(text):
    value, _ = parse_expression(tokenize(text), 0)
    return value


def main():
    for text in ("2 + 3 * 4", "10 - 4 - 3", "2 * (7 - (2 - 1)) - 1"):
        print(text, "=", evaluate(text))


if __name__ == "__main__":
    main()
