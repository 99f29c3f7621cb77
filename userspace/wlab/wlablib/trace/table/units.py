# SPDX-License-Identifier: GPL-2.0
"""Columns of a table and their units: as they are named, or as names and values make likely."""

import re
from collections.abc import Callable, Iterable, Sequence
from statistics import median
from typing import NamedTuple

from ..lines import Bad
from ..numbers import decimal, probability
from ..trace import is_not

DATE, BYTES = "date", "bytes"
# Decimal places to the smallest unit, and what it is multiplied with.
TIMES = {"s": (9, 1), "ms": (6, 1), "us": (3, 1), "ns": (0, 1)}
RATES = {
    "bit": (0, 1), "kbit": (3, 1), "mbit": (6, 1), "gbit": (9, 1),
    "bps": (0, 8), "kbps": (3, 8), "mbps": (6, 8),
}  # fmt: skip
SPELT = {
    "bit": "bit/s", "kbit": "kbit/s", "mbit": "Mbit/s", "gbit": "Gbit/s", "bps": "byte/s", "kbps": "kB/s",
    "mbps": "MB/s", BYTES: "bytes since the row before", DATE: "a date",
}  # fmt: skip
UNITS: dict[str, Sequence[str]] = {
    "time": [*TIMES, DATE],
    "rate": [*RATES, BYTES],
    # Of a whole round trip, half goes one way.
    "delay": [*TIMES, *(f"{unit}/2" for unit in TIMES)],
    "loss": ["", "%"],
}
# A link's mean rate is likely between these.
LIKELY_BPS = range(50 * 10**3, 2 * 10**9)
# Epochs from 2001 on: by digits in front of the point.
EPOCH = {10: "s", 13: "ms", 16: "us", 19: "ns"}
LOOKED_AT = 1000

TIME_NAMES = re.compile(r"time|timestamp|date|datetime|t|ts|epoch|seconds|elapsed", re.I)
RATE_NAMES = re.compile(
    r"rate|bitrate|throughput|tput|thrpt|bandwidth|bw|goodput|capacity|[kmg]?bps|[kmg]bit|mbits|kbits", re.I
)
NOT_DOWN = re.compile(r"(^|[^a-z])(ul|up|uplink|upload|tx|sent|sender)([^a-z]|$)", re.I)
NAMED_TIMES = [
    (re.compile(r"(^|[ _(\[])(s|sec|secs|seconds?)[)\]]?$", re.I), "s"),
    (re.compile(r"(^|[ _(\[])(ms|msec|millis|milliseconds?)[)\]]?$", re.I), "ms"),
    (re.compile(r"(^|[ _(\[])(us|usec|micros|microseconds?)[)\]]?$", re.I), "us"),
    (re.compile(r"(^|[ _(\[])(ns|nsec|nanos|nanoseconds?)[)\]]?$", re.I), "ns"),
]
# The case of "b" parts bits from bytes where nothing else does.
NAMED_RATES = [
    (re.compile(r"([kKmM]?)B(/s|ps)"), 8),
    (re.compile(r"([kmg]?)i?bytes?[ _]?(/|p|per)", re.I), 8),
    (re.compile(r"([kmg]?)bits?", re.I), 1),
    (re.compile(r"([kmg]?)bps", re.I), 1),
]


class Source(NamedTuple):
    """A column that is read: its name and unit."""

    column: str
    unit: str

    def __str__(self) -> str:
        return f"{self.column} is {SPELT.get(self.unit, self.unit or 'from 0 to 1')}"


def source(role: str, text: str) -> Source:
    """COLUMN[:UNIT] as it is typed."""
    column, colon, unit = text.rpartition(":")
    if colon and unit in UNITS[role]:
        return Source(column, unit)
    return Source(text, "")


def reads(role: str, unit: str) -> Callable[[str], int | None]:
    """From text to ns, bit/s or a multiple of 2^-32; None for what it cannot read."""
    if role == "loss":
        return lambda text: probability(text + unit)
    half = unit.endswith("/2")
    places, factor = (RATES if role == "rate" else TIMES)[unit.removesuffix("/2")]

    def read(text: str) -> int | None:
        value = decimal(text, places)
        return None if value is None else value * factor // (1 + half)

    return read


def words(name: str) -> list[str]:
    """Of a column's name, also where capitals begin them."""
    return re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)


def proposed(role: str, names: Iterable[str]) -> list[str]:
    """Columns whose names are of a time or a rate; those of an uplink last."""
    like = TIME_NAMES if role == "time" else RATE_NAMES
    found = [name for name in names if any(like.fullmatch(word) for word in [name, *words(name)])]
    return sorted(found, key=lambda name: NOT_DOWN.search(" ".join(words(name))) is not None)


def named_unit(role: str, name: str) -> str:
    """The unit that a name says, or nothing."""
    if role == "time":
        return next((unit for like, unit in NAMED_TIMES if like.search(name)), "")
    for like, factor in NAMED_RATES:
        if found := like.search(name):
            return found[1].lower() + ("bps" if factor == 8 else "bit")
    return ""


def likely_time(values: Sequence[str]) -> list[str]:
    if not all(re.fullmatch(r"[0-9.eE+]+", text) for text in values):
        return [DATE]
    whole = [text.partition(".")[0] for text in values]
    if len(set(map(len, whole))) == 1 and len(whole[0]) in EPOCH:
        return [EPOCH[len(whole[0])]]
    if any("." in text for text in values):
        return ["s"]
    steps = [b - a for a, b in zip(map(int, whole), map(int, whole[1:])) if b > a]
    usual = median(steps) if steps else 1
    return ["s"] if usual < 10 else ["ms"] if usual >= 50 else ["s", "ms"]


def likely_rate(values: Sequence[str]) -> list[str]:
    numbers = [bps for text in values if (bps := decimal(text, 3)) is not None]
    mean = sum(numbers) / len(numbers) / 1000 if numbers else 0
    return [unit for unit in ("bit", "kbit", "mbit") if int(mean * 10 ** RATES[unit][0]) in LIKELY_BPS]


def with_unit(role: str, one: Source, values: Sequence[str]) -> Source:
    """A unit that is said, that the name says, or that alone is likely."""
    if one.unit or role == "loss":
        return one
    if unit := named_unit(role, one.column):
        return Source(one.column, unit)
    likely = [] if role == "delay" else (likely_time if role == "time" else likely_rate)(values[:LOOKED_AT])
    if len(likely) == 1:
        return Source(one.column, likely[0])
    said = f" or {one.column}:".join(likely or UNITS[role])
    why = "could be of two units" if likely else "has no unit that is likely"
    raise Bad(f"column {one.column} {why}: say {role} {one.column}:{said}", stop=True)


def read(role: str, one: Source, text: str) -> int:
    """A value, or Bad."""
    what = {"time": "a time from 0 on", "rate": "a rate, which is 0 or more", "delay": "a delay"}
    value = reads(role, one.unit)(text)
    if value is None:
        raise is_not(text, f"{what.get(role, 'a loss from 0 to 1')}, in column {one}")
    return value
