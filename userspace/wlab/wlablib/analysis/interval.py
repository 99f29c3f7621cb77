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
def student(freedom: float, confidence: float) -> float:
    """The two-sided quantile: |t| is below it with a probability of confidence percent."""
    return float(package("scipy.special", "papers").stdtrit(freedom, 0.5 + confidence / 200))


def variance(values: list[float]) -> float:
    """Of a population, from a sample of at least two."""
    centre = fmean(values)
    return fsum((v - centre) ** 2 for v in values) / (len(values) - 1)


def half_width(values: list[float], confidence: float) -> float | None:
    """Of the interval around the mean; None for one value, which has no spread."""
    n = len(values)
    if n < 2:
        return None
    return student(n - 1, confidence) * sqrt(variance(values)) / sqrt(n)


def interval(values: list[float], confidence: float) -> dict[str, float | None]:
    """As result files have it."""
    return {"value": fmean(values), "half_width": half_width(values, confidence)}


def difference(values: list[float], against: list[float], confidence: float) -> dict[str, float | None]:
    """By how much the mean of values is above that of against, also in percent of it.

    The interval is Welch's, of independent seeds.
    """
    if not values or not against:
        return {"value": None, "half_width": None, "percent": None}
    base = fmean(against)
    out: dict[str, float | None] = {"value": fmean(values) - base, "half_width": None}
    out["percent"] = 100 * (fmean(values) - base) / base if base else None
    if min(len(values), len(against)) > 1:
        parts = [(variance(some) / len(some), len(some)) for some in (values, against)]
        both = fsum(v for v, _ in parts)
        least = fsum(v * v / (n - 1) for v, n in parts)
        out["half_width"] = student(both * both / least, confidence) * sqrt(both) if least else 0.0
    return out


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
