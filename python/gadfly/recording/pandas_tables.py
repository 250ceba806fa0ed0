"""Tables of pandas, as far as they are shown: the recorder asks when it meets one. Nothing of the program's runs for that."""

import sys
import zlib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from gadfly._types import Value

# So many rows and columns are shown, so many characters of a text; and so many rows tell whether something has changed.
ROWS, COLUMNS, TEXT, LOOKED_AT = 12, 12, 60, 10_000
PLAIN = (int, float, complex, bool, str, bytes, type(None))


def seen(value: "Value") -> "Any":
    """A value of a class of pandas, as text, and a number that stands for what is in it; nothing if it is something else."""
    pandas = sys.modules.get("pandas")
    kind = type(value)
    name = kind.__name__
    if pandas is None or getattr(pandas, name, None) is not kind and name not in ("NaTType", "NAType"):
        return None
    if name == "DataFrame":
        return frame(value)
    if name == "Series":
        named = "" if value.name is None else f", name={one(value.name)}"
        return f"Series({column(value)}{index(value.index)}{named})", digest(value) ^ digest(value.index.to_series())
    if isinstance(value, pandas.Index):
        return f"{name}({listed(value[:ROWS].tolist(), len(value))})", digest(value.to_series())
    if name in ("Timestamp", "Timedelta", "Period", "NaTType", "NAType", "Interval", "Categorical"):
        text = f"Categorical({listed(value[:ROWS].tolist(), len(value))})" if name == "Categorical" else repr(value)
        return text, zlib.crc32(text.encode())
    return None


def frame(value: "Value") -> "Any":
    rows, count = value.shape
    shown = [f"{one(value.columns[at])}: {column(value.iloc[:, at])}" for at in range(min(count, COLUMNS))]
    shown += ["…"] if count > COLUMNS else []
    columns = [value.iloc[:, at] for at in range(min(count, 200))]
    content = digest(value.index.to_series())
    for place, one_column in enumerate(columns):
        content = zlib.crc32(f"{place} {value.columns[place]!s} {digest(one_column)} {content}".encode())
    return f"DataFrame({{{', '.join(shown)}}}{index(value.index)}, shape=({rows}, {count}))", content


def column(values: "Any") -> "Any":
    return listed(values.iloc[:ROWS].tolist(), len(values))


def index(values: "Any") -> str:
    """The names of rows, unless they are numbers in order."""
    if type(values).__name__ == "RangeIndex" and values.start == 0 and values.step == 1:
        return ""
    return f", index={listed(values[:ROWS].tolist(), len(values))}"


def listed(values: "Any", count: int) -> "Any":
    return "[" + ", ".join([*map(one, values), *(["…"] if count > len(values) else [])]) + "]"


def one(value: "Value") -> "Any":
    """One element: only what is no object of the program's is shown by its own words."""
    if type(value) is tuple:
        return "(" + ", ".join(map(one, value)) + ")"
    if type(value) not in PLAIN and type(value).__module__.partition(".")[0] not in ("pandas", "numpy", "datetime", "decimal"):
        return f"<{type(value).__name__}>"
    text = repr(value)
    return text if len(text) <= TEXT else text[: TEXT - 1] + "…"


def digest(values: "Any") -> "Any":
    """A number for what is in a column."""
    values = values.iloc[:LOOKED_AT]
    array = values.to_numpy()
    if array.dtype.kind in "biufcmM":
        return zlib.crc32(array.tobytes())
    return zlib.crc32(" ".join(map(one, values.iloc[:200].tolist())).encode("utf-8", "replace"))
