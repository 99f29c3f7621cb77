# SPDX-License-Identifier: GPL-2.0
"""The clocks of a machine, as `wlinkctl clock` prints them, and how far two of them may be apart."""

import math
from dataclasses import dataclass, fields
from typing import Any

from ..lib.maxerror import grown

# The kernel adds the growth of maxerror a second at a time: what it tells may be that of a second ago.
ADDED_NS = 10**9


@dataclass
class Clock:
    """CLOCK_MONOTONIC and CLOCK_TAI of one moment."""

    host: str
    boot: str | None
    mono_ns: int
    tai_ns: int
    uncertainty_ns: int
    synchronised: bool
    maxerror_ns: int | None
    esterror_ns: int | None
    # TAI - UTC, 0 if nobody has told the kernel; None if unknown.
    tai_utc_s: int | None = None

    @property
    def offset_ns(self) -> int:
        return self.tai_ns - self.mono_ns

    def error_ns(self, tai_ns: int) -> float:
        """The most by which CLOCK_TAI is wrong at a time; unbounded where no server disciplines it."""
        if not self.synchronised or self.maxerror_ns is None:
            return math.inf
        since_ns = max(0, tai_ns - self.tai_ns) + ADDED_NS
        return self.uncertainty_ns + self.maxerror_ns + grown(since_ns)


def clock(shown: dict[str, Any]) -> Clock:
    of = shown["clock"]
    return Clock(**{one.name: of.get(one.name) for one in fields(Clock)})


def apart_ns(clocks: list[Clock], times_ns: list[int]) -> float:
    """The most by which the moments are apart at which each clock says its time of CLOCK_TAI.

    Clocks of one boot are the same clock: they have no error between them but that of reading them.
    """
    most = 0.0
    for i, (a, a_ns) in enumerate(zip(clocks, times_ns)):
        for b, b_ns in list(zip(clocks, times_ns))[:i]:
            if a.boot and a.boot == b.boot:
                error: float = a.uncertainty_ns + b.uncertainty_ns
            else:
                error = a.error_ns(a_ns) + b.error_ns(b_ns)
            most = max(most, abs(a_ns - b_ns) + error)
    return most
