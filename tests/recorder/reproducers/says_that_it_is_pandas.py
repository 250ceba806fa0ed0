# New recorder (12:01), 3.11. A class of the program's whose __module__ is "pandas..." is shown as <Own>, not by its fields (the old one did).
# Expected look(o={Own, n: [1]}).
class Own: pass
Own.__module__ = "pandas.core"
o = Own()
o.n = [1]
def look(o): return 1
look(o)
