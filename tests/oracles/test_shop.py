from shop import price, total


def test_price():
    assert price("tea") == 2.5


def test_total():
    assert total(["tea", "tea"]) == 5
