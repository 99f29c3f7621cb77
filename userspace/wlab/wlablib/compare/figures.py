# SPDX-License-Identifier: GPL-2.0
"""The figures of the table: means over seeds with their confidence intervals."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from math import floor, fsum, log10
from typing import Any

from ..analysis.interval import difference, interval
from ..analysis.packets import rank
from ..analysis.plots.data import RATE_UNITS, Unit, fit
from ..analysis.plots.run import pyplot
from ..analysis.traffic import DELIVERED, lost
from .series import CONFIDENCE, Curve, delays_s, jain, trips_s
from .sources import Run

TIME_UNITS: list[Unit] = [(10.0, "s"), (1e-3, "ms"), (1e-6, "us")]
# The scale of units whose threshold in TIME_UNITS is another: from 10 s on times are in s.
SIZES = {"s": 1.0}
RESAMPLES, GRID = 1000, 2000
Numbers = dict[str, float | None]


def time_unit(most_s: float) -> Unit:
    """The unit of times: ms up to 10 s."""
    size, name = fit(most_s, TIME_UNITS)
    return SIZES.get(name, size), name


def rate_unit(most_bps: float) -> Unit:
    return fit(most_bps, RATE_UNITS)


def plain(_: float) -> Unit:
    return 1.0, ""


def percent(_: float) -> Unit:
    return 0.01, "%"


@dataclass(frozen=True)
class Figure:
    """A column of the table."""

    title: str
    key: str
    unit: Callable[[float], Unit]


FIGURES = [
    Figure("goodput", "goodput_bps", rate_unit),
    Figure("throughput", "throughput_bps", rate_unit),
    Figure("delay p50", "delay_p50_s", time_unit),
    Figure("delay p95", "delay_p95_s", time_unit),
    Figure("delay p99", "delay_p99_s", time_unit),
    Figure("loss", "loss", percent),
    Figure("retransmissions", "retransmissions", plain),
    Figure("RTT p50", "rtt_p50_s", time_unit),
    Figure("RTT p95", "rtt_p95_s", time_unit),
    Figure("RTT p99", "rtt_p99_s", time_unit),
    Figure("pings lost", "pings_lost", percent),
    Figure("Jain's fairness", "fairness", plain),
]


def of_run(curve: Curve, run: Run) -> Numbers:
    """The figures of one run after its warm-up."""
    flows = [run.result.flows[name] for name in curve.flows(run) if name in run.result.flows]
    packets, span_ns = curve.packets(run), run.end_ns - run.warmup_ns
    logged = any(map(run.logs, curve.flows(run)))
    come = sum(p.bytes for p in packets if p.fate == DELIVERED and p.end >= run.warmup_ns)
    delays = sorted(delays_s(curve, run))
    dropped = len(lost(packets, run.warmup_ns))
    tcp = [run.result.flows[name] for name in curve.tcp(run)]
    pings = [answered for sent, answered in curve.trips(run) if sent >= run.warmup_ns]
    trips = sorted(trips_s(curve, run))
    good = [f["goodput_bps"] for f in flows if f["goodput_bps"] is not None]
    retransmissions = [f["retransmissions"] for f in flows if f["kind"] in ("tcp", "web")]
    return {
        "goodput_bps": fsum(good) if good else None,
        "throughput_bps": 8e9 * come / span_ns if logged and span_ns > 0 else None,
        **{f"delay_p{p}_s": rank(delays, p) if delays else None for p in (50, 95, 99)},
        "loss": dropped / (dropped + len(delays)) if dropped + len(delays) else None,
        "retransmissions": fsum(retransmissions) if retransmissions else None,
        **{f"rtt_p{p}_s": rank(trips, p) if trips else None for p in (50, 95, 99)},
        "pings_lost": 1 - len(trips) / len(pings) if pings else None,
        "fairness": jain([f["goodput_bps"] or 0.0 for f in tcp]),
    }


def of_curve(curve: Curve) -> dict[str, dict[str, Any]]:
    """Each figure of a curve: mean, half width of its interval, and the value of each seed.

    A rate is none where no seed has got anything; a note says why.
    """
    runs = [of_run(curve, run) for run in curve.group.runs]
    out: dict[str, dict[str, Any]] = {}
    for figure in FIGURES:
        values = [one[figure.key] for one in runs]
        if figure.unit is rate_unit and not any(values):
            values = [None] * len(runs)
        have = [v for v in values if v is not None]
        empty: dict[str, Any] = {"value": None, "half_width": None}
        out[figure.key] = {**(interval(have, CONFIDENCE) if have else empty), "values": values}
    return out


def differences(a: dict[str, dict[str, Any]], b: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """The differences of all figures, second curve minus first."""
    sides = [{k: [v for v in one[k]["values"] if v is not None] for k in one} for one in (a, b)]
    return {k: difference(sides[1][k], sides[0][k], CONFIDENCE) for k in a}


def number(value: float | None, half: float | None = None) -> str:
    """Print a number with the digits that its interval supports; four digits without an interval."""
    if value is None:
        return "-"
    if not half:
        text = f"{value:.0f}" if abs(value) >= 1000 else f"{value:.4g}"
        return text if half is None else f"{text} ± 0"
    last = floor(log10(half))
    # Rounding may carry, as from 0.096 to 0.1.
    last = floor(log10(round(half, -last)))
    digits = max(0, -last)
    return f"{round(value, -last):.{digits}f} ± {round(half, -last):.{digits}f}"


def table(labels: list[str], numbers: list[dict[str, dict[str, Any]]]) -> list[list[str]]:
    """The table with a row for each label; one unit in a column; columns without values are left out."""
    out = [[""], *([label] for label in labels)]
    for figure in FIGURES:
        column = [one[figure.key] for one in numbers]
        sizes = [abs(c["value"]) for c in column if c["value"] is not None]
        if not sizes:
            continue
        size, unit = figure.unit(max(sizes))
        out[0].append(f"{figure.title} {unit}".strip())
        for line, c in zip(out[1:], column):
            value, half = (None if v is None else v / size for v in (c["value"], c["half_width"]))
            line.append(number(value, half))
    return out


def kolmogorov(a: Curve, b: Curve) -> dict[str, Any] | None:
    """The Kolmogorov distance of two distributions of delays; its interval by bootstrap over seeds."""
    # numpy is installed with matplotlib.
    pyplot()
    np = import_module("numpy")
    sides = [[np.sort(delays_s(curve, run)) for run in curve.group.runs] for curve in (a, b)]
    pooled = [np.sort(np.concatenate(side)) if side else np.array([]) for side in sides]
    if not all(len(p) for p in pooled):
        return None
    points = np.unique(np.concatenate(pooled))
    below = [np.searchsorted(p, points, "right") / len(p) for p in pooled]
    out: dict[str, Any] = {"distance": float(np.abs(below[0] - below[1]).max()), "interval": None}
    if min(map(len, sides)) > 1:
        grid = points[:: max(1, len(points) // GRID)]
        draw = np.random.default_rng(1)
        parts = []
        for side in sides:
            counts = np.array([np.searchsorted(one, grid, "right") for one in side], float)
            sizes = np.array([len(one) for one in side], float)
            times = draw.multinomial(len(side), [1 / len(side)] * len(side), RESAMPLES)
            parts.append((times @ counts) / np.maximum(times @ sizes, 1)[:, None])
        found = np.abs(parts[0] - parts[1]).max(axis=1)
        edge = (100 - CONFIDENCE) / 2
        out["interval"] = [float(v) for v in np.percentile(found, [edge, 100 - edge])]
    return out
