"""Gadfly, an algorithmic debugger: `python -m gadfly script.py`, `pytest --gadfly`.

PYTEST_DONT_REWRITE: pytest would like to rewrite the assertions of its plugins, and warns if one was imported before."""
