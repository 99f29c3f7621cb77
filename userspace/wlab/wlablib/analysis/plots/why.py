# SPDX-License-Identifier: GPL-2.0
"""Draws the parts of the delay, stacked: over time, and by percentile."""

from pathlib import Path
from typing import Any

from ...lib import page
from .. import why
from .data import Result
from .run import from_zero, legend_below, mark_rates, panels, say

SHADES = ("#9fb6d4", "#4d9221", "#d9d9d9", "#d62728", "#e08214", "#7b3294", "#8c510a")
COLOURS = dict(zip(why.PARTS, SHADES, strict=True))
SLOTS = 100
PERCENTS = (0, 10, 25, 50, 75, 90, 95, 99, 100)
PANELS_MAX = 6
LEGEND_INCHES = 0.3


def mean(values: list[int], picked: list[int]) -> float:
    """The mean of the picked values in ms; 0 if none is picked."""
    return sum(values[i] for i in picked) / len(picked) / 1e6 if picked else 0.0


def shown(group: why.Group) -> list[str]:
    """The parts to draw: without those that few have where no SDU has them."""
    return [p for p in why.PARTS if p not in why.RARE or any(group.parts[p])]


def over_time(ax: Any, group: why.Group, end_s: float) -> None:
    """Draw the mean of each part by time of arrival."""
    slots: list[list[int]] = [[] for _ in range(SLOTS)]
    for i, at in enumerate(group.arrivals):
        slots[min(int(at / 1e9 / end_s * SLOTS), SLOTS - 1)].append(i)
    at_s = [(n + 0.5) * end_s / SLOTS for n in range(SLOTS)]
    parts = shown(group)
    stack = [[mean(group.parts[p], s) for s in slots] for p in parts]
    colours, titles = [COLOURS[p] for p in parts], [why.TITLES[p] for p in parts]
    ax.stackplot(at_s, stack, colors=colours, labels=titles, step="mid", linewidth=0)
    ax.set_xlim(0, end_s)
    from_zero(ax, f"{group.link} 1:{group.bearer:x}\nmean delay (ms)")


def by_rank(ax: Any, group: why.Group) -> None:
    """Draw the mean of each part in ranges of percentiles of the delay."""
    order = sorted(range(len(group.totals)), key=group.totals.__getitem__)
    cuts = [len(order) * p // 100 for p in PERCENTS]
    chunks = [order[a:b] for a, b in zip(cuts, cuts[1:])]
    names = [f"{a}-{b}" for a, b in zip(PERCENTS, PERCENTS[1:])]
    below = [0.0] * len(chunks)
    for part in shown(group):
        heights = [mean(group.parts[part], c) for c in chunks]
        ax.bar(names, heights, bottom=below, color=COLOURS[part], width=0.9)
        below = [b + h for b, h in zip(below, heights)]
    ax.tick_params(axis="x", rotation=45)


def left_out(bearers: list[str]) -> str:
    """Which bearers have no row."""
    few = ", ".join(bearers[:PANELS_MAX]) + (", ..." if len(bearers) > PANELS_MAX else "")
    return f"not drawn, but in the text of wlab why: {len(bearers)} bearers ({few})"


def draw(result: Result, png: Path) -> None:
    """Draw a row for each bearer that has delivered SDUs, at most PANELS_MAX."""
    bearers, _ = why.read(result.folder)
    groups = [g for g in bearers if g.totals]
    # The links that plot.png shows come first.
    groups.sort(key=lambda g: (g.link not in result.links, g.link, g.bearer))
    more = [f"{g.link} 1:{g.bearer:x}" for g in groups[PANELS_MAX:]]
    groups = groups[:PANELS_MAX]
    size = page.inches(10.0, 0.9 + 2.3 * max(1, len(groups)))
    plt, figure, axes = panels(len(groups), 2, size, width_ratios=(2, 1))
    for i, group in enumerate(groups):
        over_time(axes[i, 0], group, result.end)
        by_rank(axes[i, 1], group)
        if group.link in result.links:
            mark_rates(axes[i, 0], result.rates_of(group.link, group.bearer), [])
    if not groups:
        say(axes[0, 0], "no packet was delivered by a wlink")
    else:
        legend_below(figure, axes[:, 0], LEGEND_INCHES, 7)
    axes[-1, 0].set_xlabel("time of arrival (s)")
    axes[-1, 1].set_xlabel("percentile of the delay")
    title = f"Why late: {result.data['name']}, seed {result.data['seed']}"
    figure.suptitle("\n".join([title, *([left_out(more)] if more else [])]))
    page.save(plt, figure, png, dpi=110)
