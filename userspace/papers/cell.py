# SPDX-License-Identifier: GPL-2.0
"""Claims on cells."""

from statistics import fmean
from typing import Any

from wlab import Evidence, cell_text, half_width, number


def near_ns3(
    found: Evidence, percent: float, reports_percent: dict[str, float], pf_airtime: dict[str, float]
) -> str:
    """Goodput is that of ns-3, but for blocks that carry its status reports alone, and for the part of
    an equal share that its pf gives to users at different distances.
    """
    offs = []
    for entry in found.entries():
        words, sides = f"{entry.metric}, {cell_text(entry.slot.values)}", entry.sides()
        if sides is None:
            found.lack(words)
            continue
        share = 1 - reports_percent.get(entry.slot.plan.id, 0) / 100
        if entry.slot.values["sched"] == "pf":
            share *= pf_airtime.get(entry.metric, 1)
        ratio, half = sides.ratio()
        ratio, half = share * ratio, None if half is None else share * half
        off = 100 * (ratio - 1)
        offs.append((abs(off), f"{words}: {off:+.1f} %"))
        found.near(ratio, half, percent, offs[-1][1], entry.slot)
    return f"Farthest: {max(offs)[1]}." if offs else ""


def near(
    found: Evidence, of: dict[str, Any], metric: str, value: float, percent: float, without: str = ""
) -> str:
    """The metric of a cell, less another one of it, is that value."""
    tells = []
    slots = found.having(**of)
    if not slots:
        found.lack(cell_text(of))
    for slot in slots:
        have = slot.by_seed(metric)
        less = slot.by_seed(without) if without else dict.fromkeys(have, 0)
        if not have or have.keys() != less.keys():
            found.lack_cell(slot)
            continue
        rest = [have[seed] - less[seed] for seed in have]
        mean, half = fmean(rest), half_width(rest, slot.exp.confidence)
        tells.append(f"{number(mean, half)} ms, {100 * (mean / value - 1):+.1f} %")
        found.near(mean / value, None if half is None else half / value, percent, tells[-1], slot)
    return "; ".join(tells)


def longer(found: Evidence, more: dict[str, Any], less: dict[str, Any], metric: str, factor: float) -> str:
    """The metric of cells with the values of more is so many times that of the others."""
    tells = []
    for slot in found.having(**more):
        other = found.partner(slot, less)
        a, b = slot.by_seed(metric), other.by_seed(metric) if other else {}
        times = [a[seed] / b[seed] for seed in a if b.get(seed)]
        if not times:
            found.lack_cell(slot)
            continue
        mean, half = fmean(times), half_width(times, slot.exp.confidence)
        tells.append(f"{cell_text(slot.values)}: {number(mean, half)} times")
        found.power = max(found.power, float("inf") if half is None else 100 * half / factor)
        told = half is not None and abs(mean - factor) > half
        found.add(mean > factor if told else None, tells[-1], slot)
    return "; ".join(tells)
