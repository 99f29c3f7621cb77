# SPDX-License-Identifier: GPL-2.0
"""Means over seeds and their confidence intervals by Student's t.

Sums are rounded once (fsum), so that the order does not matter; scipy.stats and numpy differ in this.
"""

from functools import cache
from math import fsum, sqrt
from statistics import fmean

from ..lib.packages import package
from ..lib.paths import LabError


@cache
def student(freedom: float, confidence: float) -> float:
    """The two-sided quantile of Student's t: |t| is below it with a probability of `confidence` percent."""
    return float(package("scipy.special", "papers").stdtrit(freedom, 0.5 + confidence / 200))


def variance(values: list[float]) -> float:
    """The unbiased estimate of the variance, from at least two values."""
    centre = fmean(values)
    return fsum((v - centre) ** 2 for v in values) / (len(values) - 1)


def half_width(values: list[float], confidence: float) -> float | None:
    """Half the width of the mean's interval; None for a single value."""
    n = len(values)
    if n < 2:
        return None
    return student(n - 1, confidence) * sqrt(variance(values)) / sqrt(n)


def interval(values: list[float], confidence: float) -> dict[str, float | None]:
    """The mean and half width as result files have them."""
    return {"value": fmean(values), "half_width": half_width(values, confidence)}


def difference(values: list[float], against: list[float], confidence: float) -> dict[str, float | None]:
    """The difference of the means of two independent samples, also in percent of the second.

    The interval is Welch's.
    """
    if not values or not against:
        return {"value": None, "half_width": None, "percent": None}
    base = fmean(against)
    out: dict[str, float | None] = {"value": fmean(values) - base, "half_width": None}
    out["percent"] = 100 * (fmean(values) - base) / base if base else None
    if min(len(values), len(against)) > 1:
        parts = [(variance(sample) / len(sample), len(sample)) for sample in (values, against)]
        variance_sum = fsum(v for v, _ in parts)
        denominator = fsum(v * v / (n - 1) for v, n in parts)
        out["half_width"] = (
            student(variance_sum * variance_sum / denominator, confidence) * sqrt(variance_sum)
            if denominator
            else 0.0
        )
    return out


def gain(values: list[float], against: list[float], confidence: float) -> dict[str, float | None]:
    """The relative difference of two means over the same seeds, in percent.

    The interval is that of a ratio estimator, from the seeds' residuals, so that the influence of
    a seed on both of its runs does not widen it.
    """
    if len(values) != len(against):
        raise LabError(f"a gain needs the same seeds: {len(values)} and {len(against)}")
    base = fmean(against)
    if not base:
        return {"value": None, "half_width": None}
    ratio = fmean(values) / base
    residuals = [100 * (v - ratio * a) / base for v, a in zip(values, against)]
    return {"value": 100 * (ratio - 1), "half_width": half_width(residuals, confidence)}
