# SPDX-License-Identifier: GPL-2.0
"""Draws every published value against ours: a panel for each table and metric, with the diagonal."""

from pathlib import Path
from typing import Any

from ..analysis.plots.run import panels as plot_panels
from . import verdict as rules
from .entries import Entry
from .figures import save_both
from .item import Item
from .words import metric_title

DPI = 80
PANEL_INCHES = 2.15
ROWS = 2
ROOM = 0.08
# (colour, marker) by verdict; agreement is blue to green, what differs is red.
LOOKS = {
    rules.INSIDE: ("#1f4e8c", "o"),
    rules.INSIDE_OURS: ("#1f4e8c", "D"),
    "within 5 %": ("#5aa7c8", "o"),
    "within 10 %": ("#4d9221", "s"),
    "within 25 %": ("#e08214", "^"),
    rules.FAR: ("#d62728", "X"),
    rules.WIDE: ("#bbbbbb", "P"),
    rules.UNTOLD: ("#888888", "v"),
}


def panels(items: list[Item]) -> dict[tuple[str, str], list[Entry]]:
    """The entries with a printed value by item and metric."""
    out: dict[tuple[str, str], list[Entry]] = {}
    for item in items:
        for entry in (e for e in item.entries if e.sides()):
            out.setdefault((item.name, entry.metric), []).append(entry)
    return out


def draw_panel(ax: Any, item: str, metric: str, entries: list[Entry], drawn: set[str]) -> None:
    """One point for each cell, theirs on x and ours on y, with both intervals."""
    ends: list[float] = []
    for entry in entries:
        if not (sides := entry.sides()):
            continue
        x_half, y_half = sides.theirs_half or 0.0, sides.ours_half or 0.0
        ends += [sides.theirs - x_half, sides.theirs + x_half, sides.ours - y_half, sides.ours + y_half]
        colour, marker = LOOKS[entry.verdict]
        label = None if entry.verdict in drawn else entry.verdict
        drawn.add(entry.verdict)
        point = {"color": colour, "marker": marker, "markersize": 5, "linestyle": "none", "capsize": 2}
        ax.errorbar(sides.theirs, sides.ours, xerr=x_half, yerr=y_half, elinewidth=0.8, label=label, **point)
    room = ROOM * (max(ends) - min(ends)) or 1.0
    limits = (min(ends) - room, max(ends) + room)
    ax.plot(limits, limits, color="#222222", linewidth=0.8, zorder=0)
    ax.set(
        xlim=limits, ylim=limits, aspect="equal", title=f"{item[0].upper()}{item[1:]}: {metric_title(metric)}"
    )
    ax.title.set_fontsize(7.5)
    ax.tick_params(labelsize=7)
    ax.locator_params(nbins=4)


def draw(items: list[Item], png: Path) -> bool:
    """Draw the picture; False if nothing is printed."""
    found = list(panels(items).items())
    if not found:
        return False
    columns = -(-len(found) // ROWS)
    size = (PANEL_INCHES * columns + 1.2, PANEL_INCHES * ROWS + 0.4)
    plt, figure, axes = plot_panels(ROWS, columns, size)
    drawn: set[str] = set()
    for i, ((item, metric), entries) in enumerate(found):
        draw_panel(axes[i % ROWS][i // ROWS], item, metric, entries, drawn)
    for ax in axes.T.flat[len(found) :]:
        ax.set_axis_off()
    figure.supxlabel("printed", fontsize=8)
    figure.supylabel("here", fontsize=8)
    known = {label: handle for ax in axes.flat for handle, label in zip(*ax.get_legend_handles_labels())}
    shown = [verdict for verdict in LOOKS if verdict in known]
    handles = [known[verdict] for verdict in shown]
    place = {"loc": "upper left", "bbox_to_anchor": (1.0, 1.0)}
    axes[0, -1].legend(handles, shown, frameon=False, fontsize=7.5, **place)
    save_both(plt, figure, png, DPI)
    return True
