# SPDX-License-Identifier: GPL-2.0
"""Compares variants of one scenario: goodput, delay, and drops by reason. Code is hashed: inputs.py."""

from dataclasses import dataclass, field
from typing import Any

from .packets import rank
from .traffic import DELIVERED, Traffic, joined, lost

# Overflows are counted separately in the first seconds, the slow start of all flows, and after each
# change of the rate.
SPAN_S = 10.0


@dataclass
class Story:
    """The packets with payload of all flows on the radio downlinks."""

    arrivals_s: list[float] = field(default_factory=list)
    delays_ms: list[float] = field(default_factory=list)
    drops: list[tuple[float, str]] = field(default_factory=list)


def read(traffic: Traffic, links: list[str]) -> Story:
    """The packets of all flows on these links; those still held at the end are not drops."""
    some = (p for flow in traffic.flows for p in traffic.sdus.get(flow, []) if p.link in links)
    packets = sorted(joined(some, links), key=lambda p: p.end)
    come = [p for p in packets if p.fate == DELIVERED]
    drops = [(p.end / 1e9, p.fate) for p in lost(packets)]
    return Story([p.begin / 1e9 for p in come], [(p.end - p.begin) / 1e6 for p in come], drops)


def spans(changes_s: list[float]) -> dict[str, tuple[float, float]]:
    """The periods in which overflows are counted, by name."""
    out = {"start": (0.0, SPAN_S)}
    for i, t in enumerate(changes_s, 1):
        out["switch" if len(changes_s) == 1 else f"switch{i}"] = (t, t + SPAN_S)
    return out


def overflows(story: Story, changes_s: list[float]) -> dict[str, int]:
    """The number of overflows in each period."""
    times = [t for t, why in story.drops if why == "overflow"]
    out = {name: sum(a <= t < b for t in times) for name, (a, b) in spans(changes_s).items()}
    out["else"] = len(times) - sum(out.values())
    return out


def figures(result: dict[str, Any], story: Story, changes_s: list[float]) -> dict[str, Any]:
    """The figures of one variant."""
    order = sorted(story.delays_ms)
    drops: dict[str, int] = {}
    for _, why in story.drops:
        drops[why] = drops.get(why, 0) + 1
    return {
        "goodput_bps": sum(f["goodput_bps"] or 0 for f in result["flows"].values()),
        "retransmissions": sum(f["retransmissions"] for f in result["flows"].values()),
        "packets": len(order),
        "delay_mean_ms": round(sum(order) / len(order), 3) if order else None,
        "delay_p50_ms": round(rank(order, 50), 3) if order else None,
        "delay_p95_ms": round(rank(order, 95), 3) if order else None,
        "delay_p99_ms": round(rank(order, 99), 3) if order else None,
        "drops": {"overflow": 0, "aqm": 0, **drops},
        "overflow": overflows(story, changes_s),
    }
