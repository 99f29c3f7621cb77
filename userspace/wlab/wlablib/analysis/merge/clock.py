# SPDX-License-Identifier: GPL-2.0
"""The clock of a log: the offset from CLOCK_MONOTONIC to CLOCK_TAI, and its error bound.

The kernel slews both clocks alike, so their offset changes only when CLOCK_TAI
is set or the machine sleeps. Between two such steps all clock lines have the same
offset. One offset is used for all events of a log, also of one with steps: the order
within a log is that of CLOCK_MONOTONIC, whatever happened to CLOCK_TAI.
"""

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from ...lib.maxerror import grown

# Each clock is rounded to a whole ns.
ROUNDING_NS = 1


@dataclass(frozen=True)
class Sample:
    """A clock line."""

    mono: int
    tai: int
    uncertainty: int
    maxerror: int | None  # of a clock that is synchronised
    tai_utc: int | None

    @property
    def offset(self) -> int:
        return self.tai - self.mono


@dataclass
class Stretch:
    """The period between two steps of CLOCK_TAI."""

    least: int
    most: int
    samples: list[Sample] = field(default_factory=list)

    def takes(self, sample: Sample) -> bool:
        """Add a sample if its offset agrees with the others'; narrows the interval of the offset."""
        slack = sample.uncertainty + ROUNDING_NS
        least, most = max(self.least, sample.offset - slack), min(self.most, sample.offset + slack)
        if least > most:
            return False
        self.least, self.most = least, most
        self.samples.append(sample)
        return True

    @property
    def length(self) -> int:
        return self.samples[-1].mono - self.samples[0].mono

    @property
    def good(self) -> list[Sample]:
        return [s for s in self.samples if s.maxerror is not None]


def stretches(samples: Iterable[Sample]) -> list[Stretch]:
    """The periods between steps, in order of time."""
    out: list[Stretch] = []
    for sample in sorted(samples, key=lambda s: s.mono):
        if not out or not out[-1].takes(sample):
            slack = sample.uncertainty + ROUNDING_NS
            out.append(Stretch(sample.offset - slack, sample.offset + slack, [sample]))
    return out


class Clock:
    """One machine's clock since its boot, from the clock lines of all its logs.

    The offset is that of the last synchronised stretch, since a clock is set to correct it;
    without one, that of the longest stretch.
    """

    def __init__(self, samples: Iterable[Sample]) -> None:
        parts = stretches(samples)
        synchronised = [part for part in parts if part.good]
        best = synchronised[-1] if synchronised else max(parts, key=lambda part: part.length)
        middles = [(part.least + part.most) // 2 for part in parts]
        self.steps = [b - a for a, b in zip(middles, middles[1:])]
        self.offset = (best.least + best.most) // 2
        self.uncertainty = (best.most - best.least + 1) // 2
        self.good = best.good
        self._times = [s.mono for s in self.good]
        self.tai_utc = {s.tai_utc for s in best.samples if s.tai_utc is not None}

    @property
    def synchronised(self) -> bool:
        return bool(self.good)

    def error(self, mono: int) -> int | None:
        """The bound on the error of mono + offset; None if it is unknown.

        Between two clock lines the error grows from the first on, until the clock hears
        from a server; the second line has the new error.
        """
        if not self.good:
            return None
        after = bisect_right(self._times, mono)
        before = self.good[max(after - 1, 0)]
        assert before.maxerror is not None
        error = before.maxerror + grown(abs(mono - before.mono))
        if 0 < after < len(self.good):
            error = max(error, self.good[after].maxerror or 0)
        return error + self.uncertainty


def sample(clock: dict[str, Any]) -> Sample:
    """Parse the object in a clock line; a KeyError or TypeError if it is malformed."""
    numbers = [clock[name] for name in ("mono_ns", "tai_ns", "uncertainty_ns")]
    maxerror, tai_utc = clock.get("maxerror_ns"), clock.get("tai_utc_s")
    for number in (*numbers, maxerror or 0, tai_utc or 0):
        if type(number) is not int:
            raise TypeError(f"{number!r} is not an integer")
    if type(clock["synchronised"]) is not bool or min(numbers[0], numbers[2], maxerror or 0) < 0:
        raise TypeError("a negative time, or synchronised is not a boolean")
    mono, tai, uncertainty = numbers
    return Sample(mono, tai, uncertainty, maxerror if clock["synchronised"] else None, tai_utc)
