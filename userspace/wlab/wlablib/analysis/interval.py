# SPDX-License-Identifier: GPL-2.0
"""Means over seeds and their confidence intervals by Student's t.

Sums are rounded once, so that they do not depend on the order; those of scipy.stats and numpy do.
"""

from functools import cache
from math import fsum, sqrt
from statistics import fmean

from ..lib.packages import package
from ..lib.paths import LabError


@cache
def student(freedom: int, confidence: float) -> float:
    """The two-sided quantile: |t| is below it with a probability of confidence percent."""
    return float(package("scipy.special", "papers").stdtrit(freedom, 0.5 + confidence / 200))


def half_width(values: list[float], confidence: float) -> float | None:
    """Of the interval around the mean; None for one value, which tells nothing of its spread."""
    n = len(values)
    if n < 2:
        return None
    centre = fmean(values)
    spread = sqrt(fsum((v - centre) ** 2 for v in values) / (n - 1))
    return student(n - 1, confidence) * spread / sqrt(n)


def interval(values: list[float], confidence: float) -> dict[str, float | None]:
    """As result files have it."""
    return {"value": fmean(values), "half_width": half_width(values, confidence)}


def gain(values: list[float], against: list[float], confidence: float) -> dict[str, float | None]:
    """By how many percent the mean of values is above that of against, both of the same seeds.

    The interval is that of a ratio of two means, from the residuals of the seeds: what a
    seed does to both of its runs does not widen it.
    """
    if len(values) != len(against):
        raise LabError(f"a gain of {len(values)} seeds over {len(against)}")
    base = fmean(against)
    if not base:
        return {"value": None, "half_width": None}
    ratio = fmean(values) / base
    rest = [100 * (v - ratio * a) / base for v, a in zip(values, against)]
    return {"value": 100 * (ratio - 1), "half_width": half_width(rest, confidence)}
