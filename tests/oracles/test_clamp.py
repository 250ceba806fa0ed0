"""What is true of values between bounds."""
from clamp import clamp
from hypothesis import given, strategies


@given(strategies.integers(), strategies.integers(0, 5), strategies.integers(6, 20))
def test_is_nearest(value, low, high):
    nearest = clamp(value, low, high)
    assert low <= nearest <= high
    assert abs(nearest - value) <= min(abs(value - low), abs(value - high)) or nearest == value
