# SPDX-License-Identifier: GPL-2.0
"""Claims on cells."""

from typing import Any

from wlablib.report.claims import Evidence
from wlablib.report.entries import of_item
from wlablib.report.words import cell_text


def near_ns3(
    found: Evidence, percent: float, reports_percent: dict[str, float], pf_airtime: dict[str, float]
) -> str:
    """Goodput is that of ns-3, but for blocks that carry its status reports alone, and for the part of
    an equal share that its pf gives to users at different distances.
    """
    offs = []
    for item in found.of:
        for entry in of_item(found.study, found.page, item):
            words = f"{entry.metric}, {cell_text(entry.slot.values)}"
            if entry.value is None or entry.printed is None:
                found.lack(words)
                continue
            share = 1 - reports_percent.get(entry.slot.plan.id, 0) / 100
            if entry.slot.values["sched"] == "pf":
                share *= pf_airtime.get(entry.metric, 1)
            off = 100 * (entry.value * share / entry.printed.value - 1)
            offs.append((abs(off), f"{words}: {off:+.1f} %"))
            found.add(abs(off) <= percent, offs[-1][1], entry.slot)
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
        have = slot.value(metric)
        less = slot.value(without) if without else 0
        if have is None or less is None:
            found.lack_cell(slot)
            continue
        off = 100 * ((have - less) / value - 1)
        tells.append(f"{have - less:.1f} ms, {off:+.1f} %")
        found.add(abs(off) <= percent, tells[-1], slot)
    return "; ".join(tells)


def longer(found: Evidence, more: dict[str, Any], less: dict[str, Any], metric: str, factor: float) -> str:
    """The metric of cells with the values of more is so many times that of the others."""
    tells = []
    for slot in found.having(**more):
        other = found.partner(slot, less)
        a, b = slot.value(metric), other and other.value(metric)
        if a is None or not b:
            found.lack_cell(slot)
            continue
        tells.append(f"{cell_text(slot.values)}: {a / b:.1f} times")
        found.add(a >= factor * b, tells[-1], slot)
    return "; ".join(tells)
