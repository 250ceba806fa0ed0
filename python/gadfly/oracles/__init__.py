"""What a program says of itself: type hints, contracts, properties, examples in its documentation."""
