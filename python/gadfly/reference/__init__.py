"""A reference program: its sources, how its code replaces the program's own, and where the two differ."""
