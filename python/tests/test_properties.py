"""What values a strategy of hypothesis may give, as far as its text tells."""
import unittest

from gadfly.oracles.properties import described, is_among


class Strategy:
    def __init__(self, text):
        self.text = text

    def __repr__(self):
        return self.text


class Among(unittest.TestCase):
    def check(self, text, among, others):
        for value in among:
            self.assertTrue(is_among(value, described(Strategy(text))), (text, value))
        for value in others:
            self.assertFalse(is_among(value, described(Strategy(text))), (text, value))

    def test_numbers(self):
        self.check("integers()", [0, -5, 10 ** 30], [1.0, True, "1", None])
        self.check("integers(min_value=0, max_value=5)", [0, 5], [-1, 6])
        self.check("floats()", [0.5, float("nan"), float("inf")], [1, "1"])
        self.check("floats(min_value=0.0)", [0.5], [-0.5, float("nan")])
        self.check("booleans()", [True, False], [0, 1])

    def test_texts(self):
        self.check("text()", ["", "abc"], [b"", 1, "\ud800"])
        self.check("text(alphabet='ab', max_size=2)", ["", "ab"], ["abc", "c"])
        self.check("text(alphabet=characters(), min_size=1)", ["x"], [""])
        # What is said of the characters is not known.
        self.check("text(alphabet=characters(codec='ascii'))", [""], ["x"])
        self.check("binary(max_size=1)", [b"", b"a"], [b"ab", "a"])

    def test_containers(self):
        self.check("lists(integers(), min_size=1)", [[1]], [[], ["a"], (1,)])
        self.check("lists(integers(), unique=True)", [[1, 2]], [[1, 1]])
        self.check("lists(integers(), unique_by=lambda x: x)", [], [[1]])
        self.check("tuples(integers(), text())", [(1, "a")], [(1,), ("a", 1), [1, "a"]])
        self.check("dictionaries(keys=text(), values=integers())", [{}, {"a": 1}], [{1: "a"}])
        self.check("sets(integers())", [{1}], [[1]])

    def test_choices(self):
        self.check("one_of(none(), integers())", [None, 1], ["a"])
        self.check("sampled_from([1, 'a'])", [1, "a"], [2])
        self.check("just(7)", [7], [8])

    def test_what_is_not_known(self):
        self.check("builds(Point)", [], [1, None])
        self.check("integers().filter(lambda x: x > 3)", [], [5])
        self.check("integers().map(str)", [], ["5"])
        self.check("not even Python", [], [1])
        self.check("just(<object object>)", [], [1])


if __name__ == "__main__":
    unittest.main()
