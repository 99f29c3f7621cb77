# SPDX-License-Identifier: GPL-2.0
"""[clock] of a scenario."""

import re
from datetime import datetime

from ..lab.boot import Clock
from ..lib.keys import Table
from ..lib.kinds import kind
from ..lib.units import BadValue, as_time, time_ns

DATE = r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z"
# The kernel counts ns in 63 bits.
YEARS = range(1971, 2201)
PRICE_NS = range(1000, 10**6 + 1)


@kind(type="string", pattern=f"^{DATE}$")
def read_start(value: object) -> int:
    """A date and time in UTC, into ns since 1970."""
    what = 'a date and time in UTC, as in "2026-01-01T00:00:00Z"'
    if not isinstance(value, str) or not re.fullmatch(DATE, value):
        raise BadValue(f"{value!s:.40} is not {what}, in quotes")
    try:
        date = datetime.fromisoformat(value)
    except ValueError as e:
        raise BadValue(f"{value} is not {what}: {e}") from None
    if date.year not in YEARS:
        raise BadValue(f"{value} is not in the years {YEARS[0]} to {YEARS[-1]}")
    return int(date.timestamp()) * 10**9


@kind(**time_ns.schema)
def read_price(value: object) -> int:
    ns = time_ns(value)
    if ns not in PRICE_NS:
        raise BadValue(f"{as_time(ns)} is outside {as_time(PRICE_NS[0])}..{as_time(PRICE_NS[-1])}")
    return ns


CLOCK = Table({"start": read_start, "price": read_price})


def read_clock(value: object) -> Clock:
    return Clock(**{f"{key}_ns": ns for key, ns in CLOCK.read(value, "clock").items()})
