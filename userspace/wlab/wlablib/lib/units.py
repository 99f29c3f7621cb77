# SPDX-License-Identifier: GPL-2.0
"""Parse and print quantities in tc's units, exactly."""

import re
import sys
from functools import cache

from .kinds import BadValue as BadValue, Schema, kind, whole_text

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
# The name of each quantity in messages, and an example.
A_TIME, A_RATE, A_SIZE = ("a time", "10ms"), ("a rate", "384kbit"), ("a number of bytes", "64kib")

# The kernel's value for `rate unlimited`.
UNLIMITED_BPS = (1 << 64) - 1

NUMBER = re.compile(r"([0-9]{1,20})(?:\.([0-9]{1,20}))?([a-z]*)$")


def spelled(units: dict[str, int], what: str, example: str) -> Schema:
    """The JSON Schema of what quantity() accepts; 0 needs no unit."""
    zeros, named = r"0{1,20}(\.0{1,20})?", "|".join(units)
    strings = {"type": "string", "pattern": whole_text(rf"{zeros}|[0-9]{{1,20}}(\.[0-9]{{1,20}})?({named})")}
    integers = {"type": "integer", "minimum": 0} if "" in units else {"enum": [0]}
    return {"description": f'{what}, as in "{example}"', "anyOf": [strings, integers]}


def near(word: str, known: list[str]) -> str:
    """"did you mean ...?", or the list of known words."""
    from difflib import get_close_matches

    close = get_close_matches(word.lower(), known, 1, 0.5)
    return f"did you mean '{close[0]}'?" if close else "one of: " + ", ".join(known)


def quantity(text: object, units: dict[str, int], what: str, example: str) -> int:
    """Parse a number with a unit into an integer of the base unit."""
    if isinstance(text, int) and not isinstance(text, bool):
        text = str(text)
    found = NUMBER.match(text) if isinstance(text, str) else None
    if not found:
        raise BadValue(f"{text!r} is not {what}, as in \"{example}\"")
    integer: str = found[1]
    fraction: str = found[2] or ""
    unit: str = found[3]
    if int(integer + fraction) == 0 and not unit:
        return 0
    if unit not in units:
        named = [u for u in units if u]
        hint = near(unit, named) if unit else f"it needs a unit, as in \"{example}\""
        raise BadValue(f"'{text}' is not {what}: {hint}")
    value: int
    value, remainder = divmod(int(integer + fraction) * units[unit], 10 ** len(fraction))
    if remainder:
        raise BadValue(f"'{text}' is not a whole number of the smallest unit")
    return value


@kind(**spelled(TIME, *A_TIME))
def time_ns(text: object) -> int:
    """Parse a time into ns."""
    return quantity(text, TIME, *A_TIME)


@cache
def note(text: str) -> None:
    """Print a note to standard error, each text once."""
    print(f"wlab: note: {text}", file=sys.stderr)


@kind(**spelled(RATE, *A_RATE))
def rate_bps(text: object) -> int:
    """Parse a rate into bit/s; 0 is an outage."""
    value = quantity(text, RATE, *A_RATE)
    if str(text).endswith("ps"):
        # In tc kbps is kilobytes per second; users often mean kbit.
        note(f"rate {text} counts bytes, it is {as_rate(value)}")
    return value


@kind(**spelled(BYTES, *A_SIZE))
def size_bytes(text: object) -> int:
    """Parse a number of bytes."""
    return quantity(text, BYTES, *A_SIZE)


def as_time(ns: int) -> str:
    """Print a time in the largest unit that keeps it exact."""
    for unit, size in TIME.items():
        if ns % size == 0:
            return f"{ns // size}{unit}"
    return f"{ns}ns"


def as_rate(bps: int) -> str:
    """Print a rate in the largest unit that keeps it exact."""
    for unit in ("gbit", "mbit", "kbit"):
        if bps % RATE[unit] == 0:
            return f"{bps // RATE[unit]}{unit}"
    return f"{bps}bit"
