# SPDX-License-Identifier: GPL-2.0
"""Parsers of values in an experiment's file; a BadValue names the fault, not the key."""

import re
from typing import Any, TypeVar

from ..analysis.metrics import BY_FLOW, BY_LINK, METRICS
from ..lib.keys import NAME, text, texts
from ..lib.kinds import Kind, by_name, checked, kind, list_of, spelt, table_by, whole_text
from ..lib.units import BadValue, near

Value = str | int | float | bool
Values = dict[str, Value]
Axes = dict[str, list[Value]]
T = TypeVar("T")
VALUE = r"[A-Za-z0-9][A-Za-z0-9_.+-]{0,39}"
KEY = r"[a-z][a-z0-9_]*"
ITEM = r"[a-z][a-z0-9 _.-]{0,59}"


@kind(anyOf=[{"type": "string", "pattern": whole_text(VALUE)}, {"type": ["number", "boolean"]}])
def value(found: object) -> Value:
    """A value of a cell, which must be usable in a file's name."""
    if isinstance(found, str):
        if not re.fullmatch(VALUE, found):
            raise BadValue(f"{found!r} is not 1 to 40 letters, digits, '-', '+', '_' and '.'")
        return found
    if isinstance(found, float):
        if found != found or abs(found) == float("inf"):
            raise BadValue(f"{found} is not a value of a cell")
        return int(found) if found.is_integer() else found
    if isinstance(found, int):
        return found
    raise BadValue(f"{found!r} is neither a string, a number nor a boolean")


KEYS = spelt(KEY, "{0!r} is not a key of small letters, digits and '_'")
# Of a cell, or of a part of one.
values = table_by(KEYS, value, "{0!r} is not a table, as in {{ rate_kbit = 384 }}")


def same(a: object, b: object) -> bool:
    """Equality that distinguishes True from 1, unlike Python's."""
    return a == b and isinstance(a, bool) == isinstance(b, bool)


def unlike(of: Kind[list[T]]) -> Kind[list[T]]:
    """A list that has each value once."""

    def parse(found: object) -> list[T]:
        out = of(found)
        for v in out:
            if sum(same(v, w) for w in out) > 1:
                raise BadValue(f"{v!r} appears twice")
        return out

    return Kind(parse, {**of.schema, "uniqueItems": True})


value_list = unlike(list_of(value, "{0!r} is not a list of one value or more", 1))
axes = table_by(KEYS, value_list, "{0!r} is not a table, as in {{ tr_ms = [50, 100] }}")


@kind(**by_name(KEY, {"anyOf": [value.schema, value_list.schema]}))
def alternatives(found: object) -> Axes:
    """`when`: a value or a list of values for each key."""
    if isinstance(found, dict):
        found = {k: v if isinstance(v, list) else [v] for k, v in found.items()}
    return axes(found)


cells = list_of(values, "not a list of one table or more, as in [ {{ rate_kbit = 384 }} ]", 1)


@kind(anyOf=[values.schema, cells.schema])
def one_or_more_cells(found: object) -> list[Values]:
    """A table of values or a list of such."""
    return cells([found] if isinstance(found, dict) else found)


# Of Python, and usable in a file's name.
identifier = spelt(KEY, "{0!r} is not a name of small letters, digits and '_'")


@kind(anyOf=[{"enum": [False]}, axes.schema])
def quick_axes(found: object) -> Axes | None:
    """The axes of a quick run; false leaves the grid out."""
    return None if found is False else axes(found)


@kind(type="object")
def tables(found: object) -> dict[str, Any]:
    if not isinstance(found, dict):
        raise BadValue(f"{found!r} is not a table")
    return found


item = spelt(ITEM, "{0!r} is not the name of a table or figure, as in \"table 3\"")
items = list_of(item, "{0!r} is not a list of items, as in [\"figure 6\"]", 1)


@kind(anyOf=[text.schema, list_of(text, "", 1).schema])
def some(found: object) -> list[str]:
    """One string or a list of strings."""
    out = texts([found] if isinstance(found, str) else found)
    if not out:
        raise BadValue("an empty list")
    return out


@kind(type="number")
def number(found: object) -> float:
    if not isinstance(found, int | float) or isinstance(found, bool) or not abs(found) < float("inf"):
        raise BadValue(f"{found!r} is not a number")
    return found


confidence = checked(
    number, lambda found: 0 < found < 100, "{0!r} is outside 0..100 percent", exclusiveMinimum=0,
    exclusiveMaximum=100,
)  # fmt: skip
width = checked(number, lambda found: found >= 0, "{0!r} is below 0", minimum=0)


OF_PART = rf"({'|'.join((*BY_FLOW, *BY_LINK))})@{NAME}"


@kind(anyOf=[{"enum": list(METRICS)}, {"type": "string", "pattern": whole_text(OF_PART)}])
def metric(found: object) -> str:
    """METRIC, METRIC@FLOW, METRIC@NODE or METRIC@LINK."""
    head, at, what = str(found).partition("@")
    if not isinstance(found, str) or head not in METRICS:
        raise BadValue(f"no metric {found!r}; {near(head, list(METRICS))}")
    if at and head not in (*BY_FLOW, *BY_LINK):
        raise BadValue(
            f"{head} is of the whole run only; per flow or node: {', '.join(BY_FLOW)};"
            f" per link: {', '.join(BY_LINK)}"
        )
    if at and not re.fullmatch(NAME, what):
        example = "flow1" if head in BY_FLOW else "a.down"
        raise BadValue(f"{found!r} does not name a flow, node or link, as in '{head}@{example}'")
    return found


metrics = unlike(list_of(metric, "not a list of metrics"))
