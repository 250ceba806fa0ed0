"""Gadfly: an algorithmic debugger. `python -m gadfly debug script.py` runs a program, asks a few questions about it, and
points at the code that is wrong."""
