# SPDX-License-Identifier: GPL-2.0
"""Draws variants of one scenario in columns."""

from pathlib import Path
from typing import Any

from ...lib import page
from ..compare import Story
from .data import Rates, Result, rate_heads
from .run import draw_buffer, draw_cwnd, draw_seq, from_zero, mark_rates, panels

COLOURS = ("#222222", "#e08214", "#1f4e8c", "#7b3294", "#4d9221")


def draw(results: dict[str, Result], png: Path) -> None:
    """A column for each variant: occupancy, congestion windows, then the packets of each flow."""
    flows = list(next(iter(results.values())).flows)
    heights = [1.6] + [1.0] * len(flows) + [2.1] * len(flows)
    size, shared = (1.0 + 4.6 * len(results), 0.9 + 0.95 * sum(heights)), {"sharex": True, "sharey": "row"}
    plt, figure, axes = panels(len(heights), len(results), size, height_ratios=heights, **shared)
    for column, (title, result) in enumerate(results.items()):
        column_axes = axes[:, column]
        draw_buffer(column_axes[0], result, result.link)
        for i, name in enumerate(flows):
            draw_cwnd(column_axes[1 + i], result, name)
            draw_seq(column_axes[1 + len(flows) + i], result, name)
        for i, ax in enumerate(column_axes):
            mark_rates(ax, result.rates(), [] if i else result.heads(result.link))
            ax.set_xlim(0, result.end)
            if column:
                ax.set_ylabel("")
        column_axes[0].set_title(title, pad=18, fontsize=11)
        column_axes[-1].set_xlabel("time (s)")
    for row in axes[1:]:
        row[0].set_ylim(0, 1.05 * max(ax.dataLim.y1 for ax in row))
    figure.align_ylabels()
    page.save(plt, figure, png, dpi=100)


def draw_delays(stories: dict[str, Story], rates: Rates, end: float, png: Path) -> None:
    """Draw the one-way delay of each packet on the radio link, and its distribution."""
    plt, figure, ((left, right),) = panels(1, 2, (10.0, 3.4), width_ratios=(2, 1))
    for (title, story), colour in zip(stories.items(), COLOURS):
        style: dict[str, Any] = {"color": colour, "label": title}
        left.plot(story.arrivals_s, story.delays_ms, linestyle="none", marker=".", markersize=2.2, **style)
        order = sorted(story.delays_ms)
        right.step(order, [(i + 1) / len(order) for i in range(len(order))], **style)
    mark_rates(left, rates, rate_heads(rates, end))
    left.set(xlabel="time of arrival in the buffer (s)", xlim=(0, end))
    from_zero(left, "one-way delay (ms)")
    left.legend(loc="upper left", frameon=False, markerscale=4)
    right.set(xlabel="one-way delay (ms)", xlim=(0, None))
    from_zero(right, "share of packets below", 1.02)
    page.save(plt, figure, png, dpi=100)
