# SPDX-License-Identifier: GPL-2.0
"""The verdict on a measured value beside the printed one, and those on a sentence.

The rules for a value, as in the report:

* inside their interval: our mean is within their half width of their value.
* inside our interval: they print no interval, and their value is within our half width of
  our mean, with all of which ours over theirs is within 25 % of 1.
* within N %: neither, but ours over theirs, with the interval that both of theirs and ours
  give, lies wholly within N percent of 1.
* beyond 25 %: it lies wholly outside of that.
* too wide in the paper: the interval reaches across, and would with theirs alone: no number of
  seeds of ours can tell.
* cannot be told: it reaches across by ours.

They print an interval for a gain, too, where they print those of both values that it compares.
A gain of less than 10 % is compared in points, and 10 points stand for theirs: within 25 % is within
2.5 points. 5.1 beside 3 is 2.1 points, and not 1.7 times what AQM does.

Values of different rates are never compared: that a slower link has more delay shows nothing
of a model. What a paper says about protocols is a sentence, see order.py.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import hypot

INSIDE = "inside their interval"
INSIDE_OURS = "inside our interval"
BINS = (5, 10, 25)
FAR = f"beyond {BINS[-1]} %"
WIDE = "too wide in the paper"
UNTOLD = "cannot be told"
WITHHELD = "withheld"
NOT_PRINTED = "not printed"
HOLE = "hole"
AGREE = (INSIDE, INSIDE_OURS, *(f"within {n} %" for n in BINS))
ALL = (*AGREE, FAR, WIDE, UNTOLD, WITHHELD, NOT_PRINTED, HOLE)

# On a sentence or claim, with WIDE and UNTOLD.
HOLDS = "holds"
FAILS = "does not hold"
UNJUDGED = "cannot be judged"
SAID = (HOLDS, FAILS, WIDE, UNTOLD, UNJUDGED)


def counted(counts: Mapping[str, int], always: bool = False) -> str:
    """Numbers of sentences in words: `3 hold, 1 cannot be told`."""
    many = {HOLDS: "hold", FAILS: "do not hold"}
    return ", ".join(f"{counts.get(v, 0)} {many.get(v, v)}" for v in SAID if always or counts.get(v))


# Points: gains of less are compared by their difference, in parts of this.
SMALL = 10.0

# Sums of decimal fractions: 290.5 - 4.2 is not 286.3.
SLACK = 1e-9


@dataclass(frozen=True)
class Sides:
    """One cell and metric: ours and theirs; gain: how many percent two values differ."""

    ours: float
    ours_half: float | None
    theirs: float
    theirs_half: float | None
    gain: bool = False

    @property
    def small(self) -> bool:
        """Whether it is compared in points."""
        return self.gain and abs(self.theirs) < SMALL

    @property
    def compared(self) -> bool:
        """Whether there is something to take percents of."""
        return self.small or bool(self.theirs)

    def points(self) -> tuple[float, float | None]:
        """Ours less theirs, and its half width: None where one seed gives none."""
        half = None if self.ours_half is None else hypot(self.ours_half, self.theirs_half or 0.0)
        return self.ours - self.theirs, half

    def ratio(self) -> tuple[float, float | None]:
        """Ours over theirs, and its half width: None where one seed gives none; of what is compared in
        points 1 and their difference in parts of SMALL."""
        if self.small:
            off, width = self.points()
            return 1 + off / SMALL, None if width is None else width / SMALL
        value = self.ours / self.theirs
        if self.ours_half is None:
            return value, None
        parts = self.ours_half / self.theirs, value * (self.theirs_half or 0.0) / self.theirs
        return value, hypot(*parts)

    def too_wide(self, percent: float) -> bool:
        """Whether with their interval alone, and ours none, it cannot be told that the ratio is so near 1."""
        if not self.compared or not self.theirs_half:
            return False
        return judge_ratio(*replace(self, ours_half=0.0).ratio(), percent) is None


def within(distance: float, width: float, size: float) -> bool:
    return abs(distance) <= width + SLACK * max(1.0, abs(size))


def judge_ratio(value: float, half: float | None, percent: float) -> bool | None:
    """Whether a ratio is within so many percent of 1; None if its interval reaches across."""
    off = 100 * abs(value - 1)
    if half is None:
        return None
    if off + 100 * half <= percent + SLACK:
        return True
    return False if off - 100 * half > percent else None


def judge(one: Sides) -> str:
    """The verdict on a cell."""
    distance = one.ours - one.theirs
    if one.theirs_half is not None and within(distance, one.theirs_half, one.theirs):
        return INSIDE
    if not one.compared:
        return UNTOLD
    told = [percent for percent in BINS if judge_ratio(*one.ratio(), percent)]
    if told and one.theirs_half is None and within(distance, one.ours_half or 0.0, one.theirs):
        return INSIDE_OURS
    if told:
        return f"within {told[0]} %"
    if judge_ratio(*one.ratio(), BINS[-1]) is False:
        return FAR
    return WIDE if one.too_wide(BINS[-1]) else UNTOLD
