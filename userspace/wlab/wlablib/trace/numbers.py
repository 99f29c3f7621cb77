# SPDX-License-Identifier: GPL-2.0
"""Numbers of traces: measured ones are rounded to the nearest unit, what has a unit of tc is exact.

Each reader returns None for what it cannot read.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from ..lib.units import BYTES, RATE, TIME, as_rate, as_time

MOST = 2**64 - 1
LONGEST = 4096
PROB_ONE = 2**32 - 1
LENGTH_MAX_NS = 864000 * 10**9
PROB = {"": 1, "%": 100}

DECIMAL = re.compile(r"([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]{1,20}))?")
WITH_UNIT = re.compile(r"([0-9]*)(?:\.([0-9]*))?([A-Za-z%]*)")


def is_number(text: str) -> bool:
    """Whether it begins like one."""
    return re.match(r"[+-]?\.?[0-9]", text) is not None


def count(text: str) -> int | None:
    """Digits alone; what is decoded as Latin-1 has no other decimals than 0 to 9."""
    return value if text.isdecimal() and (value := int(text)) <= MOST else None


def decimal(text: str, places: int) -> int | None:
    """12, 0.25 or 1.5e-3, times 10^places."""
    if text.isdecimal():
        return value if (value := int(text) * 10**places) <= MOST else None
    found = DECIMAL.fullmatch(text)
    if not found or not re.match(r"\.?[0-9]", text) or abs(int(found[3] or 0)) > 99:
        return None
    part = found[2] or ""
    places += int(found[3] or 0) - len(part)
    value = int(found[1] + part)
    value = (2 * value + 10**-places) // (2 * 10**-places) if places < 0 else value * 10**places
    return value if value <= MOST else None


def take_apart(text: str, units: Mapping[str, int]) -> tuple[int, int, int] | None:
    """Digits, how many of them are behind the point, and the unit."""
    found = WITH_UNIT.fullmatch(text)
    if not found or not (found[1] or found[2]) or len(text) > LONGEST:
        return None
    part = found[2] or ""
    digits = int(found[1] + part)
    scale = units.get(found[3].lower(), 1 if not found[3] and not digits else 0)
    return (digits, len(part), scale) if scale else None


def exact(units: Mapping[str, int], text: str) -> int | None:
    """As tc reads it: a whole number of the smallest unit."""
    if not (found := take_apart(text, units)):
        return None
    value, rest = divmod(found[0] * found[2], 10 ** found[1])
    return None if rest or value > MOST else value


def probability(text: str) -> int | None:
    """0 to 1 or percent, as the nearest multiple of 2^-32."""
    if not (found := take_apart(text, PROB)):
        return None
    digits, one = found[0], found[2] * 10 ** found[1]
    return None if digits > one else min(((digits << 33) // one + 1) >> 1, PROB_ONE)


def as_probability(value: int) -> str:
    """The shortest decimal that is read as the same."""
    for places in range(11):
        near = (value * 10**places + 2**31) >> 32
        text = f"{near // 10**places}.{near % 10**places:0{places}}" if places else str(near)
        if probability(text) == value:
            break
    return text


def time(text: str, bare_places: int = -1) -> int | None:
    """With a unit; or bare, s with 9 places and ms with 6."""
    value = decimal(text, bare_places) if bare_places >= 0 else None
    return exact(TIME, text) if value is None else value


def rate(text: str) -> int | None:
    """With a unit, or in bit/s."""
    value = decimal(text, 0)
    return exact(RATE, text) if value is None else value


def number(text: str) -> int | None:
    """Also 0x hexadecimal."""
    if re.fullmatch(r"0[xX][0-9a-fA-F]+", text):
        return value if (value := int(text, 16)) <= MOST else None
    return exact({"": 1}, text)


@dataclass(frozen=True)
class Column:
    """What a step may set: how it is read and written, its bounds."""

    read: Callable[[str], int | None]
    write: Callable[[int], str]
    least: int
    most: int


# In the order of enum wlink_column. A rate of 0 is an outage.
COLUMNS = {
    "rate": Column(partial(exact, RATE), lambda bps: as_rate(bps) if bps else "0", 0, 100 * 10**9),
    "delay": Column(time, lambda ns: as_time(ns) if ns else "0", 0, 2592000 * 10**9),
    "loss": Column(probability, as_probability, 0, PROB_ONE),
    "limit_packets": Column(number, str, 1, 1000000),
    "limit_bytes": Column(partial(exact, BYTES), str, 1, 1 << 30),
    "grant": Column(partial(exact, BYTES), str, 0, 1 << 30),
    "bler": Column(probability, as_probability, 0, PROB_ONE),
    "background": Column(partial(exact, RATE), lambda bps: as_rate(bps) if bps else "0", 0, 100 * 10**9),
}
