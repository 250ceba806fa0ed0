"""Scenes of random programs: what once was recorded wrongly, or crashed a recorder, with small variations.

Each function gets a `programs.Writer`, and gives the statements of the scene as a list of texts, which is empty if the program has no class
that the scene needs."""
import repertoire


def methods_die(writer):
    """Bound methods and their objects die, and what is made next lies where they were."""
    kind = writer.pick(writer.kinds)
    if not kind.has_method:
        return []
    return [f"for i in times({writer.pick((5, 20))}):\n    {writer.pick(('look', 'call'))}(({kind.of('i')}).go)\n"
            f"    junk = [b'\\xff' * {writer.pick((24, 40))} for k in times(20)]"]


def methods_change(writer):
    """Methods of two objects in turn: a method that is gone must not stand for the next one at its address."""
    kind = writer.pick(writer.kinds)
    if not kind.has_method:
        return []
    writer.held.update(v0=kind, v1=kind)
    one, two = (kind.of(writer.fresh()) for _ in range(2))
    return [f"v0, v1 = {one}, {two}\nfor o in (v0, v1, v0, v1): {writer.pick(('look', 'call'))}(o.go)\no = None"]


def sets_change(writer):
    """A set of objects gets one more, and none of those that it had has changed."""
    writer.held.update(v2="set")
    return [f"v2 = {{{writer.new_member()}, {writer.new_member()}}}\nlook(v2)\nadd(v2, {writer.new_member()})\nlook(v2)"]


def sets_die(writer):
    """An element of a set dies between two looks."""
    writer.held.update(v3="set")
    make = writer.new_member()
    return [f"v3 = {{{make}, -1}}\nfor i in times({writer.pick((4, 15))}):\n    look(v3)\n    o = {make}\n    v3.add(o)\n    look(v3)\n"
            "    v3.discard(o)\n    o = None\n    junk = [b'\\xff' * 24 for k in times(20)]"]


def names_die(writer):
    """Names of attributes die, and the next one lies where they were."""
    kinds = [kind for kind in writer.kinds if kind.is_plain]
    if not kinds:
        return []
    writer.held.update(v4=None)
    own = writer.pick(("v4.__dict__ = {}", "pass", "v4.__dict__ = dict(n=0)"))
    return [f"for i in times({writer.pick((5, 30))}):\n    v4 = {writer.pick(kinds).of(writer.fresh())}; {own}\n    v4.__dict__['n'] = 0\n"
            f"    setattr(v4, 'name_%06d' % i, [i])\n    look(v4)\n    v4 = None"]


def tuples_change(writer):
    """A named tuple takes the place of another one of another class."""
    name, made = writer.with_attributes()
    if not name:
        return []
    number, second = writer.fresh(), writer.pick(("2", "[2]"))
    return [*made, f"One{number}, Two{number} = collections.namedtuple('One', 'x y'), collections.namedtuple('Two', 'a b')\n"
                   f"for i in times(6):\n    {name}.extra = (One{number}, Two{number})[i % 2](1, {second})\n    look({name})\n    {name}.extra = None"]


def stored_by_hint(writer):
    """An object looks at its owner while it is replaced there: specialized code drops the old value before it says that anything changed."""
    if writer.automatic is not None:
        return []
    text = repertoire.HINT.format(writer.fresh(), writer.pick((3, 40)))
    return [f"exec(compile({text!r}, program_file, 'exec'), globals())"]


def strangers_slots(writer):
    """A class has the member descriptor of another one, which would be read outside of its objects."""
    number = writer.fresh()
    return [f"class Lender{number}: __slots__ = tuple('abcdefghij') + ('v',)\nclass Borrower{number}: pass\n"
            f"Borrower{number}.v = Lender{number}.__dict__['v']\n"
            f"for i in times({writer.pick((3, 30))}):\n    o = Borrower{number}(); junk = b'\\xff' * (i % 64); look(o)\no = None"]


def foreign_keys(writer):
    """A key of a dictionary that is no string has the hash of a name, and notices when it is compared."""
    number = writer.fresh()
    where = writer.pick(("globals", "globals", "class", "object"))
    if where == "globals":
        return [repertoire.FOREIGN_KEY.format(number, writer.pick(("total", "spot", "place")))
                + f"globals()[Key{number}()] = 1\ngrow(1)\nset_spot([2])\nkeep(1, 2)\ngrow_inside(3)"]
    name = writer.pick(("_fields", "__dict__", "__module__", "n", "_name_"))
    if where == "class":
        return [repertoire.FOREIGN_KEY.format(number, name) + f"Own{number} = type('Own', ({writer.pick(('', 'tuple,'))}), {{Key{number}(): 1}})\n"
                f"o = Own{number}()\no.n = [1]\nlook(o)\nlook([o])\no = None"]
    return [repertoire.FOREIGN_KEY.format(number, name) + f"class Own{number}: pass\n"
            f"o = Own{number}()\no.__dict__[Key{number}()] = [1]\no.n = [2]\nlook(o)\nstore(o, [o])\no.__dict__.clear()\no = None"]


def named_like(writer):
    """A class has the full name of one of the library's, and notices when it is asked anything."""
    number = writer.fresh()
    bases = writer.pick(("()", "(dict,)", "(list,)"))
    text = repertoire.LIKE.format(number, writer.pick(repertoire.FULL_NAMES), bases)
    return [text.replace("\nlook(o)", f"\nLike{number}.__module__ = 'pandas.core'\nlook(o)") if writer.chance(0.05) else text]


def rings(writer):
    """Objects without dictionaries, read while the collector may run."""
    make = writer.pick(writer.kinds).of("i")
    return [f"for i in times(10): Ring(i)\njunk = [{make} for i in times(20)]\nlook(junk)\nfor i in times(10): Ring(i)\nlook(junk)\njunk = None"]


def risen(writer):
    """Objects that put themselves into a list when they die."""
    if writer.automatic is not None:
        return []
    return [repertoire.PHOENIX.format(writer.fresh(), writer.value(1))]


SCENES = [methods_die, methods_change, sets_change, sets_die, names_die, tuples_change, stored_by_hint, strangers_slots, foreign_keys, named_like,
          rings, risen]
