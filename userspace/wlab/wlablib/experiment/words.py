# SPDX-License-Identifier: GPL-2.0
"""Parsers of values in an experiment's file; a BadValue names the fault, not the key."""

import re
from collections.abc import Callable
from typing import Any, TypeVar

from ..analysis.metrics import BY_FLOW, BY_LINK, METRICS
from ..lib.keys import NAME, text, texts
from ..lib.kinds import by_name, checked, kind, one_or_more, whole_text
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


@kind(**by_name(KEY, value.schema))
def values(found: object) -> Values:
    """The values of a cell, or of a part of one."""
    if not isinstance(found, dict):
        raise BadValue(f"{found!r} is not a table, as in {{ rate_kbit = 384 }}")
    for key in found:
        if not re.fullmatch(KEY, key):
            raise BadValue(f"{key!r} is not a key of small letters, digits and '_'")
    return {k: _named(k, value, v) for k, v in found.items()}


def _named(key: str, parse: Callable[[object], T], found: object) -> T:
    try:
        return parse(found)
    except BadValue as e:
        raise BadValue(f"{key}: {e}") from None


@kind(**one_or_more(value, uniqueItems=True))
def value_list(found: object) -> list[Value]:
    if not isinstance(found, list) or not found:
        raise BadValue(f"{found!r} is not a list of one value or more")
    out = [value(v) for v in found]
    for v in out:
        if sum(same(v, w) for w in out) > 1:
            raise BadValue(f"{v!r} appears twice")
    return out


def same(a: object, b: object) -> bool:
    """Equality that distinguishes True from 1, unlike Python's."""
    return a == b and isinstance(a, bool) == isinstance(b, bool)


@kind(**by_name(KEY, value_list.schema))
def axes(found: object) -> Axes:
    if not isinstance(found, dict):
        raise BadValue(f"{found!r} is not a table, as in {{ tr_ms = [50, 100] }}")
    values(dict.fromkeys(found, 0))
    return {k: _named(k, value_list, v) for k, v in found.items()}


@kind(**by_name(KEY, {"anyOf": [value.schema, value_list.schema]}))
def alternatives(found: object) -> Axes:
    """`when`: a value or a list of values for each key."""
    if isinstance(found, dict):
        found = {k: v if isinstance(v, list) else [v] for k, v in found.items()}
    return axes(found)


@kind(**one_or_more(values))
def cells(found: object) -> list[Values]:
    if not isinstance(found, list) or not found:
        raise BadValue("not a list of one table or more, as in [ { rate_kbit = 384 } ]")
    return [values(v) for v in found]


@kind(anyOf=[values.schema, cells.schema])
def one_or_more_cells(found: object) -> list[Values]:
    """A table of values or a list of such."""
    return cells([found] if isinstance(found, dict) else found)


@kind(type="string", pattern=whole_text(KEY))
def identifier(found: object) -> str:
    """An identifier of Python that is usable in a file's name."""
    if not isinstance(found, str) or not re.fullmatch(KEY, found):
        raise BadValue(f"{found!r} is not a name of small letters, digits and '_'")
    return found


@kind(anyOf=[{"enum": [False]}, axes.schema])
def quick_axes(found: object) -> Axes | None:
    """The axes of a quick run; false leaves the grid out."""
    return None if found is False else axes(found)


@kind(type="object")
def tables(found: object) -> dict[str, Any]:
    if not isinstance(found, dict):
        raise BadValue(f"{found!r} is not a table")
    return found


@kind(type="string", pattern=whole_text(ITEM))
def item(found: object) -> str:
    if not isinstance(found, str) or not re.fullmatch(ITEM, found):
        raise BadValue(f"{found!r} is not the name of a table or figure, as in \"table 3\"")
    return found


@kind(anyOf=[text.schema, one_or_more(text)])
def some(found: object) -> list[str]:
    """One string or a list of strings."""
    out = texts([found] if isinstance(found, str) else found)
    if not out:
        raise BadValue("an empty list")
    return out


@kind(**one_or_more(item))
def items(found: object) -> list[str]:
    if not isinstance(found, list) or not found:
        raise BadValue(f"{found!r} is not a list of items, as in [\"figure 6\"]")
    return [item(v) for v in found]


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


@kind(type="array", items=metric.schema, uniqueItems=True)
def metrics(found: object) -> list[str]:
    if not isinstance(found, list):
        raise BadValue("not a list of metrics")
    for one in found:
        if found.count(one) > 1:
            raise BadValue(f"{one!r} appears twice")
    return [metric(v) for v in found]
