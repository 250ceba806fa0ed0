"""`python -m gadfly.pytest_plugin`: pytest with this plugin, whether it is installed or only importable."""

import importlib.metadata
import sys

import pytest

from gadfly.pytest_plugin import plugin

if __name__ == "__main__":
    points = importlib.metadata.entry_points(group="pytest11")
    known = any(point.value == plugin.__name__ for point in points)
    sys.exit(pytest.main(sys.argv[1:], plugins=[] if known else [plugin]))
