# SPDX-License-Identifier: GPL-2.0
"""Draws what held each TCP flow: the shares of each part over time."""

from pathlib import Path
from typing import Any

from ...lib import page
from .. import held
from .data import Result
from .run import from_zero, legend_below, panels, say

SHADES = (
    *("#1f4e8c", "#222222", "#e08214", "#fdb863", "#d62728", "#7b3294", "#c51b7d", "#5aa7c8"),
    *("#8c510a", "#d9d9d9", "#f0f0f0"),
)
COLOURS = dict(zip(held.TITLES, SHADES, strict=True))
SLOTS = 100
FLOWS_MAX = 12
LEGEND_INCHES = 0.6


def shares(one: held.Held, end_s: float) -> dict[str, list[float]]:
    """By part, its share of each of equal parts of the run; 0 while there is no flow."""
    width_ns = end_s * 1e9 / SLOTS
    out = {part: [0.0] * SLOTS for part in held.TITLES}
    open_as = one.open_as()
    for begin, end, part in one.spans:
        for i in range(int(begin / width_ns), min(int(end / width_ns) + 1, SLOTS)):
            common = max(0.0, min(end, (i + 1) * width_ns) - max(begin, i * width_ns)) / width_ns
            for name, share in (open_as if part == "open" else {part: 1.0}).items():
                out[name][i] += common * share
    return out


def draw_flow(ax: Any, one: held.Held, end_s: float) -> None:
    """Draw the parts that the flow has, stacked."""
    have = {part: values for part, values in shares(one, end_s).items() if any(values)}
    at_s = [(n + 0.5) * end_s / SLOTS for n in range(SLOTS)]
    colours, titles = [COLOURS[part] for part in have], [held.TITLES[part] for part in have]
    ax.stackplot(at_s, [*have.values()], colors=colours, labels=titles, step="mid", linewidth=0)
    ax.set_xlim(0, end_s)
    from_zero(ax, f"{one.name}\nshare", 1)


def draw(result: Result, png: Path) -> None:
    """Draw a row for each TCP flow, at most FLOWS_MAX."""
    flows, left_out = held.flows(result.traffic)
    some, more = flows[:FLOWS_MAX], flows[FLOWS_MAX:]
    size = page.inches(9.0, 1.5 + 1.1 * max(1, len(some)))
    plt, figure, axes = panels(len(some), 1, size, sharex=True)
    for ax, one in zip(axes[:, 0], some):
        draw_flow(ax, one, result.end)
    if not some:
        say(axes[0, 0], "\n".join(left_out))
    else:
        legend_below(figure, axes[:, 0], LEGEND_INCHES, 6)
    axes[-1, 0].set_xlabel("time (s)")
    title = f"What held each TCP flow: {result.data['name']}, seed {result.data['seed']}"
    undrawn = [f"not drawn, but in the text of wlab why: {len(more)} flows"] if more else []
    figure.suptitle("\n".join([title, *undrawn]))
    page.save(plt, figure, png, dpi=110)
