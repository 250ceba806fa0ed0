"""Whether two pictures of values are the same, and where they differ.

They are when no path from their first rows leads to a difference (bisimulation). Elements of sets and keys of
dicts, which have no place, are matched by colours, that are equal where everything below is."""

import cmath
import collections
import decimal

from gadfly.comparing.snapshot import DICT, LEAF, NUMBER, OMITTED, ORDER, SET

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from gadfly._types import Snapshot, Step

TOLERANCE = 1e-9
ROUNDS = 50
# So many steps of a way are shown.
MOST_STEPS = 8
NUMBERS = {int, float, bool, complex}
UNCHANGING = {
    "tuple",
    "frozenset",
    "range",
    "slice",
    "function",
    "method",
    "Pattern",
    "Match",
    "date",
    "datetime",
    "time",
    "timedelta",
    "timezone",
    "partial",
}


def same(one: "Snapshot", other: "Snapshot", lenient: bool = False, strict: bool = False) -> "Any":
    """Whether two pictures are of the same value; None if what was omitted decides.

    If `lenient`, attributes that only one of two objects has do not count. If `strict`, numbers have to be of one type and the same to
    the last digit, and dictionaries have to have one order."""
    if not strict and are_equal(one, other):
        return None if OMITTED in one else True
    trail, vague = compare(one, other, lenient, strict)
    return False if trail is not None else None if vague else True


def are_equal(one: "Snapshot", other: "Snapshot") -> bool:
    """Whether two pictures are the same row by row, which most large ones are."""
    try:
        return bool(one == other)
    except ArithmeticError:
        # A decimal that signals when it is compared.
        return False


def difference(one: "Snapshot", other: "Snapshot", lenient: bool = False, strict: bool = False) -> "Any":
    """The way to the first difference as text, such as `[3].name`; empty if it is the value itself; None without one."""
    steps = first_difference(one, other, lenient, strict)
    return None if steps is None else path_text(steps)


def path_text(steps: "list[Any]") -> "Any":
    return "".join(map(shown, steps[:MOST_STEPS])) + ("…" if len(steps) > MOST_STEPS else "")


def first_difference(one: "Snapshot", other: "Snapshot", lenient: bool = False, strict: bool = False) -> "Any":
    """The steps to the first difference; None without one."""
    trail, _ = compare(one, other, lenient, strict)
    if trail is None:
        return None
    steps = []
    while trail:
        trail, step = trail
        steps.append(step)
    return steps[::-1]


def shown(step: "Step") -> "Any":
    """A step is the place in a sequence, the name of an attribute, or the row of a key or of an element."""
    if type(step) is int:
        return f"[{step}]"
    if type(step) is str:
        return f".{step}"
    form, (label, _, data, *_) = step if len(step[1]) > 1 else (step[0], (*OMITTED, None, None))
    text = repr(data) if label in (NUMBER, "str", "bytes") else str(data or label)
    text = text if len(text) <= 40 else text[:39] + "…"
    return f"[{text}]" if form == DICT else f"{{{text}}}"


def tagged(step: "Step") -> "Any":
    """A step as a message has it."""
    if type(step) is int:
        return {"index": step}
    return {"attribute": step} if type(step) is str else {"key": shown(step)[1:-1]}


def key_text(step: "Step") -> "Any":
    """The key that a step leads to, if it is a text."""
    data = step[1][2] if type(step) is tuple and len(step[1]) > 1 else None
    return data if type(data) is str else None


def unlike(one: "Snapshot", other: "Snapshot") -> "Any":
    """Where two pictures of dictionaries of dictionaries differ: pairs of keys."""
    seen: set[Any]
    found, matching, seen = set(), Matching(one, other), set()
    ours, theirs = ({key: entries(tree, row) for key, row in entries(tree, 0).items()} for tree in (one, other))
    for first in ours.keys() | theirs.keys():
        inner, others = ours.get(first, {}), theirs.get(first, {})
        for second in inner.keys() | others.keys():
            pair = inner.get(second), others.get(second)
            known = set(seen)
            if None in pair or compare(one, other, start=pair, matching=matching, seen=known)[0] is not None:
                found.add((first, second))
            else:
                # What has been found to be the same need not be looked at again.
                seen = known
    return found


def entries(tree: "Snapshot", row: int) -> "dict[Any, Any]":
    """The rows of the values of a dictionary with texts for keys."""
    _, _, _, parts, names = tree[row] if len(tree[row]) > 1 else (*OMITTED, None, None, (), ())
    parts = parts[: len(parts) - len(names)]
    return {tree[key][2]: value for key, value in zip(parts[::2], parts[1::2]) if len(tree[key]) > 1}


def without(tree: "Snapshot", pairs: "Any") -> "Any":
    """A picture of a dictionary of dictionaries, without some of its entries."""
    if not pairs:
        return tree
    tree = list(tree)
    for first, row in entries(tree, 0).items():
        inner = {second: value for second, value in entries(tree, row).items() if (first, second) not in pairs}
        label, form, _, parts, names = tree[row]
        keys = {tree[key][2]: key for key in parts[: len(parts) - len(names) : 2] if len(tree[key]) > 1}
        tree[row] = (label, form, len(inner), tuple(part for second, value in inner.items() for part in (keys[second], value)), ())
    return tree


def compare(
    one: "Snapshot",
    other: "Snapshot",
    lenient: bool = False,
    strict: bool = False,
    start: "Any" = (0, 0),
    matching: "Matching | None" = None,
    seen: set[tuple[int, int]] | None = None,
) -> "Any":
    """The trail to the first difference or None, and whether something that was omitted could hold one."""
    vague = False
    twins: dict[Any, Any]
    siblings: dict[Any, Any]
    twins, siblings = {}, {}
    seen = set() if seen is None else seen
    waiting = collections.deque([(*start, ())])
    while waiting:
        here, there, trail = waiting.popleft()
        if (here, there) in seen:
            continue
        seen.add((here, there))
        ours, theirs = one[here], other[there]
        if len(ours) == 1 or len(theirs) == 1:
            vague = True
            continue
        label, form, data, parts, names = ours
        if (label, form) != theirs[:2] or not alike(data, theirs[2], strict):
            return trail, vague
        count, others = len(parts) - len(names), len(theirs[3]) - len(theirs[4])
        vague |= count != others
        pairs = []
        if form in (SET, DICT):
            matching = matching or Matching(one, other)
            pairs, lost, unsure = matching.pairs(form, parts[:count], theirs[3][:others])
            vague |= unsure
            if lost is not None:
                return (trail, lost), vague
            if strict and form == DICT and not unsure and [there for _, there, _ in pairs] != list(theirs[3][1:others:2]):
                return trail, vague
        else:
            pairs = list(zip(parts[:count], theirs[3][:others], range(count)))
        named, theirs_named = dict(zip(names, parts[count:])), dict(zip(theirs[4], theirs[3][others:]))
        # What a function has from where it was made is compared where both have it: the rest is how it is written.
        odd = set(names) ^ set(theirs[4])
        if odd and odd != {ORDER} and label != "function" and not lenient:
            return (trail, min(odd)), vague
        pairs += [(part, theirs_named[name], name) for name, part in named.items() if name in theirs_named]
        # One object where there should be two, or two where there should be one: what is done to one of them shows.
        if form != LEAF and label not in UNCHANGING:
            if twins.setdefault(here, there) != there or siblings.setdefault(there, here) != here:
                return trail, vague
        waiting += [(here, there, (trail, step)) for here, there, step in pairs]
    return None, vague


def alike(one: "Snapshot", other: "Snapshot", strict: bool = False) -> "Any":
    """Whether the data of two rows are the same; numbers need not be so to the last bit, unless `strict`."""
    if strict and type(one) in NUMBERS:
        return type(one) is type(other) and (one == other or one != one and other != other)
    if type(one) in NUMBERS and type(other) in NUMBERS:
        if one == other or one != one and other != other:
            return True
        if type(one) not in (float, complex) and type(other) not in (float, complex):
            return False
        try:
            return cmath.isclose(one, other, rel_tol=TOLERANCE)
        except OverflowError:
            return False
    if type(one) is decimal.Decimal and type(other) is decimal.Decimal:
        return str(one) == str(other) or not one.is_nan() and not other.is_nan() and one == other
    return type(one) is type(other) and one == other


class Matching:
    """Colours of the rows of two pictures: equal ones have the same below them."""

    def __init__(self, one: "Snapshot", other: "Snapshot") -> None:
        self.trees = one, other
        self.colours: tuple[list[Any], list[Any]] = [None] * len(one), [None] * len(other)
        self.vague: set[Any] = set()
        self.table: dict[Any, Any] = {}
        left = [self.finite(side) for side in (0, 1)]
        self.settled = not any(left) or self.refine(left)

    def pairs(self, form: "Any", ours: "Any", theirs: "Any") -> "Any":
        """What corresponds in two sets or dicts, the step to what does not, and whether that is unsure."""
        stride = 2 if form == DICT else 1
        buckets: Any = collections.defaultdict(collections.deque)
        for place in range(0, len(theirs) // stride * stride, stride):
            buckets[self.colours[1][theirs[place]]].append(place)
        found, lonely = [], []
        for place in range(0, len(ours) // stride * stride, stride):
            bucket = buckets.get(self.colours[0][ours[place]])
            if bucket:
                found.append((place, self.choose(bucket, ours, theirs, place) if form == DICT else bucket.popleft()))
            else:
                lonely.append(place)
        rest = [place for bucket in buckets.values() for place in bucket]
        keys = [self.colours[side][row] for side, parts in ((0, ours), (1, theirs)) for row in parts[::stride]]
        unsure = not self.settled or any(colour in self.vague for colour in keys)
        if (lonely or rest) and not unsure and not self.near(lonely, rest, ours, theirs, found):
            row = self.trees[0][ours[lonely[0]]] if lonely else self.trees[1][theirs[rest[0]]]
            return [], (form, row), False
        if form == SET:
            return [], None, unsure
        named = lambda place: (form, self.trees[0][ours[place]])
        return [(ours[here + 1], theirs[there + 1], named(here)) for here, there in found], None, unsure

    def choose(self, bucket: "Any", ours: "Any", theirs: "Any", place: int) -> "Any":
        """Among equal keys, the one with the same value."""
        if len(bucket) > 1:
            for other in bucket:
                if self.colours[1][theirs[other + 1]] == self.colours[0][ours[place + 1]]:
                    bucket.remove(other)
                    return other
        return bucket.popleft()

    def near(self, lonely: list[int], rest: list[int], ours: "Any", theirs: "Any", found: "Any") -> bool:
        """Numbers may be the same and yet have colours of their own."""
        for here in lonely:
            row = self.trees[0][ours[here]]
            close = [
                there
                for there in rest
                if row[0] == NUMBER == self.trees[1][theirs[there]][0] and alike(row[2], self.trees[1][theirs[there]][2])
            ]
            if not close:
                return False
            rest.remove(close[0])
            found.append((here, close[0]))
        return not rest

    def finite(self, side: int) -> "list[Any]":
        """Colours the rows that reach no cycle, from the leaves up; gives the others."""
        tree, colours = self.trees[side], self.colours[side]
        above: Any = [[] for _ in tree]
        open_parts = [0] * len(tree)
        for index, row in enumerate(tree):
            for part in row[3] if len(row) > 1 else ():
                above[part].append(index)
                open_parts[index] += 1
        ready = [index for index, count in enumerate(open_parts) if not count]
        while ready:
            index = ready.pop()
            colours[index] = self.colour(side, index, colours)
            for upper in above[index]:
                open_parts[upper] -= 1
                if not open_parts[upper]:
                    ready.append(upper)
        return [index for index, count in enumerate(open_parts) if count]

    def refine(self, left: "Any") -> bool:
        """Tells the rows of cycles apart until no more can be."""
        count = 0
        for side in (0, 1):
            for index in left[side]:
                self.colours[side][index] = 0
        for _ in range(ROUNDS):
            before = [list(colours) for colours in self.colours]
            for side in (0, 1):
                for index in left[side]:
                    self.colours[side][index] = self.colour(side, index, before[side])
            distinct = len({self.colours[side][index] for side in (0, 1) for index in left[side]})
            if distinct == count:
                return True
            count = distinct
        return False

    def colour(self, side: int, index: int, colours: "Any") -> "Any":
        row = self.trees[side][index]
        if len(row) == 1:
            key, below = row, []
        else:
            label, form, data, parts, names = row
            if label == "function":
                # What a function has from where it was made is compared only where both have it.
                parts, names = parts[: len(parts) - len(names)], ()
            below = [colours[part] for part in parts]
            count = len(parts) - len(names)
            inner = below[:count]
            if form == SET:
                inner.sort()
            elif form == DICT:
                inner = sorted(zip(inner[::2], inner[1::2]))
            key = (label, form, type(data) in NUMBERS, rounded(data), tuple(inner), tuple(below[count:]), names)
        found = self.table.setdefault(key, len(self.table) + 1)
        if len(row) == 1 or any(part in self.vague for part in below):
            self.vague.add(found)
        return found


def rounded(data: "Any") -> "Any":
    """Data as a key of a dict: numbers that are the same should have the same one."""
    if type(data) is decimal.Decimal:
        return data if data.is_finite() else str(data)
    if type(data) is complex:
        return data if data == data else "nan"
    if type(data) is not float or data.is_integer():
        return data
    return "nan" if data != data else float(f"{data:.9g}")
