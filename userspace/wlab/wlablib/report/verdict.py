# SPDX-License-Identifier: GPL-2.0
"""The verdict on a measured value beside the printed one.

The rules, as in the report:

* inside their interval: our mean is within their half width of their value.
* inside our interval: they print no interval, and their value is within our half width of
  our mean.
* same ordering: neither, but among the cells of the same item and metric that have both
  values, all that differ from this one in the paper differ in the same direction in our
  means, and at least one of them by our intervals, too. Two values differ if their intervals
  do not overlap; a value without an interval has one of width 0. Values that do not differ in
  the paper are a tie, with which any order of ours agrees.
* differs: none of these.
"""

from dataclasses import dataclass

INSIDE = "inside their interval"
INSIDE_OURS = "inside our interval"
SAME = "same ordering"
DIFFERS = "differs"
WITHHELD = "withheld"
NOT_PRINTED = "not printed"
HOLE = "hole"
ALL = (INSIDE, INSIDE_OURS, SAME, DIFFERS, WITHHELD, NOT_PRINTED, HOLE)

# Sums of decimal fractions: 290.5 - 4.2 is not 286.3.
SLACK = 1e-9


@dataclass(frozen=True)
class Sides:
    """One cell and metric: ours and theirs."""

    ours: float
    ours_half: float | None
    theirs: float
    theirs_half: float | None


def within(distance: float, width: float, size: float) -> bool:
    return abs(distance) <= width + SLACK * max(1.0, abs(size))


def apart(a: float, a_half: float | None, b: float, b_half: float | None) -> bool:
    """Whether the two intervals leave a gap."""
    return not within(a - b, (a_half or 0.0) + (b_half or 0.0), a)


def ordered(one: Sides, others: list[Sides]) -> bool:
    """`same ordering`, of one among others."""
    shown = False
    for other in others:
        if not apart(one.theirs, one.theirs_half, other.theirs, other.theirs_half):
            continue
        if (one.ours - other.ours) * (one.theirs - other.theirs) <= 0:
            return False
        # One seed gives no interval and so no two values differ.
        halves = one.ours_half, other.ours_half
        shown = shown or (None not in halves and apart(one.ours, halves[0], other.ours, halves[1]))
    return shown


def judge(one: Sides, others: list[Sides]) -> str:
    """The verdict on a cell; others are the rest of its item, of the same metric."""
    distance = one.ours - one.theirs
    if one.theirs_half is not None:
        if within(distance, one.theirs_half, one.theirs):
            return INSIDE
    elif one.ours_half is not None and within(distance, one.ours_half, one.theirs):
        return INSIDE_OURS
    return SAME if ordered(one, others) else DIFFERS
