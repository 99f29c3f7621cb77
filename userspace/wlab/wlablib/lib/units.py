# SPDX-License-Identifier: GPL-2.0
"""Quantities as tc spells them, exact."""

import re
import sys
from functools import cache

from .kinds import Schema, kind, whole_text

TIME = {"s": 10**9, "ms": 10**6, "us": 10**3, "ns": 1}
RATE = {
    "": 1,
    "bit": 1,
    "kbit": 10**3,
    "mbit": 10**6,
    "gbit": 10**9,
    "bps": 8,
    "kbps": 8 * 10**3,
    "mbps": 8 * 10**6,
    "gbps": 8 * 10**9,
}
BYTES = {"": 1, "b": 1, "kb": 10**3, "mb": 10**6, "kib": 1 << 10, "mib": 1 << 20}
# What each is called, and an example.
A_TIME, A_RATE, A_SIZE = ("a time", "10ms"), ("a rate", "384kbit"), ("a number of bytes", "64kib")

# As the kernel says that sending takes no time.
UNLIMITED_BPS = (1 << 64) - 1

NUMBER = re.compile(r"([0-9]{1,20})(?:\.([0-9]{1,20}))?([a-z]*)$")


def spelled(units: dict[str, int], what: str, example: str) -> Schema:
    """What quantity() takes; 0 needs no unit."""
    zero, named = r"0{1,20}(\.0{1,20})?", "|".join(units)
    texts = {"type": "string", "pattern": whole_text(rf"{zero}|[0-9]{{1,20}}(\.[0-9]{{1,20}})?({named})")}
    numbers = {"type": "integer", "minimum": 0} if "" in units else {"enum": [0]}
    return {"description": f'{what}, as in "{example}"', "anyOf": [texts, numbers]}


class BadValue(ValueError):
    """What is wrong with a value, without its name."""


def near(word: str, known: list[str]) -> str:
    """' (did you mean ...?)' or a list of what there is."""
    from difflib import get_close_matches

    close = get_close_matches(word.lower(), known, 1, 0.5)
    return f"did you mean '{close[0]}'?" if close else "there is: " + ", ".join(known)


def quantity(text: object, units: dict[str, int], what: str, example: str) -> int:
    """A number with a unit, as a whole number of the base unit."""
    if isinstance(text, int) and not isinstance(text, bool):
        text = str(text)
    found = NUMBER.match(text) if isinstance(text, str) else None
    if not found:
        raise BadValue(f"{text!r} is not {what}, as in \"{example}\"")
    whole: str = found[1]
    part: str = found[2] or ""
    unit: str = found[3]
    if int(whole + part) == 0 and not unit:
        return 0
    if unit not in units:
        named = [u for u in units if u]
        hint = near(unit, named) if unit else f"it needs a unit, as in \"{example}\""
        raise BadValue(f"'{text}' is not {what}: {hint}")
    value: int
    value, rest = divmod(int(whole + part) * units[unit], 10 ** len(part))
    if rest:
        raise BadValue(f"'{text}' is not a whole number of the smallest unit")
    return value


@kind(**spelled(TIME, *A_TIME))
def time_ns(text: object) -> int:
    """A time in ns."""
    return quantity(text, TIME, *A_TIME)


@cache
def note(text: str) -> None:
    """Print it once."""
    print(f"wlab: note: {text}", file=sys.stderr)


@kind(**spelled(RATE, *A_RATE))
def rate_bps(text: object) -> int:
    """A rate in bit/s; 0 is silence."""
    value = quantity(text, RATE, *A_RATE)
    if str(text).endswith("ps"):
        # Many who type kbps mean kbit; tc has always meant bytes.
        note(f"rate {text} counts bytes, it is {as_rate(value)}")
    return value


@kind(**spelled(BYTES, *A_SIZE))
def size_bytes(text: object) -> int:
    """A number of bytes."""
    return quantity(text, BYTES, *A_SIZE)


def as_time(ns: int) -> str:
    """Short spelling of a time."""
    for unit, size in TIME.items():
        if ns % size == 0:
            return f"{ns // size}{unit}"
    return f"{ns}ns"


def as_rate(bps: int) -> str:
    """Short spelling of a rate."""
    for unit in ("gbit", "mbit", "kbit"):
        if bps % RATE[unit] == 0:
            return f"{bps // RATE[unit]}{unit}"
    return f"{bps}bit"
