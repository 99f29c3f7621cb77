# SPDX-License-Identifier: GPL-2.0
"""Draws an item of the report from its [[figure]]: points with intervals, series by series."""

import io
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from ..analysis.plots.run import pyplot
from ..experiment.parts import Figure
from ..experiment.results import write_file
from ..experiment.words import Value
from .entries import Entry
from .words import key_title, key_value, metric_title, value_text

# Told apart without colour by marker and dash; the colours differ in lightness, too.
STYLES = (
    ("#1f4e8c", "o", "-"),
    ("#e08214", "s", "--"),
    ("#222222", "^", ":"),
    ("#4d9221", "D", "-."),
    ("#7b3294", "v", (0, (5, 1, 1, 1, 1, 1))),
    ("#d62728", "P", (0, (8, 2))),
    ("#5aa7c8", "X", (0, (2, 1))),
    ("#888888", "<", (0, (6, 1, 2, 1))),
)
TICKS_MAX = 10
DPI = 90
PANEL_INCHES = (4.6, 3.5)
BYTES_MAX = 60_000
PALETTES = (128, 64, 32, 16)


@dataclass(frozen=True)
class Spot:
    """A point: place and half width on both axes, None where there is no interval."""

    x: float
    x_half: float | None
    y: float
    y_half: float | None


@dataclass
class Series:
    """Points that a line joins, and where the paper has them."""

    name: str
    ours: list[Spot] = field(default_factory=list)
    theirs: list[Spot] = field(default_factory=list)


@dataclass
class Panel:
    """One metric over the figure's x; names are those of the places where x is not a number."""

    metric: str
    series: list[Series]
    names: list[str] = field(default_factory=list)


Cells = dict[tuple[str, str], dict[str, Entry]]


def by_cell(entries: list[Entry]) -> Cells:
    """The entries of each cell, by metric."""
    out: Cells = {}
    for one in entries:
        out.setdefault((one.slot.exp.name, one.slot.id), {})[one.metric] = one
    return out


def series_name(fig: Figure, have: dict[str, Entry]) -> str:
    """What the legend calls the line of a cell."""
    values = next(iter(have.values())).slot.values
    words = [key_value(k, values[k]) for k in fig.series if k in values]
    if len(fig.series) == 1 and isinstance(values.get(fig.series[0]), str):
        return str(values[fig.series[0]])
    return ", ".join(words)


def places(fig: Figure, cells: Cells) -> dict[Value, float] | None:
    """Where values of x that are no numbers stand; None where all are numbers."""
    found = [next(iter(h.values())).slot.values.get(fig.x) for h in cells.values()]
    have = [v for v in dict.fromkeys(found) if v is not None]
    if all(isinstance(v, int | float) and not isinstance(v, bool) for v in have):
        return None
    return {v: float(i) for i, v in enumerate(have)}


def spot(fig: Figure, where: dict[Value, float] | None, have: dict[str, Entry], metric: str) -> Spot | None:
    """Ours."""
    y = have.get(metric)
    if y is None or y.value is None:
        return None
    if fig.x in have:
        x = have[fig.x]
        return None if x.value is None else Spot(x.value, x.half, y.value, y.half)
    at = y.slot.values.get(fig.x)
    if at is None:
        return None
    return Spot(where[at] if where else float(at), None, y.value, y.half)


def printed_spot(ours: Spot, have: dict[str, Entry], x: str, metric: str) -> Spot | None:
    """Theirs, of the same cell."""
    y = have[metric].printed
    if y is None:
        return None
    if x not in have:
        return Spot(ours.x, None, y.value, y.half_width)
    at = have[x].printed
    return None if at is None else Spot(at.value, at.half_width, y.value, y.half_width)


def panels(fig: Figure, entries: list[Entry]) -> list[Panel]:
    """What is drawn."""
    cells = by_cell(entries)
    where = None if any(fig.x in h for h in cells.values()) else places(fig, cells)
    out = []
    for metric in fig.y:
        lines: dict[str, Series] = {}
        for have in cells.values():
            ours = spot(fig, where, have, metric)
            if ours is None:
                continue
            name = series_name(fig, have)
            line = lines.setdefault(name, Series(name))
            line.ours.append(ours)
            theirs = printed_spot(ours, have, fig.x, metric)
            if theirs:
                line.theirs.append(theirs)
        for line in lines.values():
            # Over a key the line follows it; in a plane of two metrics it follows the cells.
            if not any(fig.x in h for h in cells.values()):
                line.ours.sort(key=lambda s: s.x)
        names = [value_text(v) for v in where] if where else []
        out.append(Panel(metric, list(lines.values()), names))
    return out


def bars(spots: list[Spot]) -> dict[str, Any]:
    """Half widths for matplotlib, 0 where there is none."""
    out: dict[str, Any] = {"yerr": [s.y_half or 0.0 for s in spots]}
    if any(s.x_half for s in spots):
        out["xerr"] = [s.x_half or 0.0 for s in spots]
    return out


def draw_panel(ax: Any, fig: Figure, panel: Panel) -> None:
    """Lines with error bars; theirs are large and hollow."""
    theirs_named = False
    # Between names nothing can be measured.
    joined = len(panel.series) > 1 or not panel.names
    for i, line in enumerate(panel.series):
        colour, marker, dash = STYLES[i % len(STYLES)]
        fill = "white" if i >= len(STYLES) else colour
        ax.errorbar(
            [s.x for s in line.ours],
            [s.y for s in line.ours],
            **bars(line.ours),
            color=colour,
            marker=marker,
            markersize=4.5,
            markerfacecolor=fill,
            linestyle=dash if joined else "none",
            capsize=2.5,
            elinewidth=0.9,
            label=line.name or "wlink",
        )
        if line.theirs:
            ax.errorbar(
                [s.x for s in line.theirs],
                [s.y for s in line.theirs],
                **bars(line.theirs),
                color=colour,
                marker=marker,
                markersize=10,
                markerfacecolor="none",
                linestyle="none",
                capsize=5,
                elinewidth=0.9,
                label=None if theirs_named else "hollow: the paper",
            )
            theirs_named = True
    set_x(ax, fig, panel)
    if fig.log_y:
        ax.set_yscale("log")
    elif 0 < ax.dataLim.y0 < ax.dataLim.y1 / 2:
        # From 0 on, unless that would leave half of the panel empty.
        ax.set_ylim(bottom=0.0)
    ax.set_ylabel(metric_title(panel.metric))


def set_x(ax: Any, fig: Figure, panel: Panel) -> None:
    """Ticks where the cells are, as far as there is room for their numbers."""
    if panel.names:
        ax.set_xticks(range(len(panel.names)), panel.names)
        return
    if fig.log_x:
        ax.set_xscale("log")
    at = sorted({s.x for line in panel.series for s in line.ours})
    wide = at[-1] - at[0] if at else 0.0
    crowded = not fig.log_x and any(b - a < wide / 12 for a, b in zip(at, at[1:]))
    keys = not any(s.x_half for line in panel.series for s in line.ours)
    if keys and not crowded and len(at) <= TICKS_MAX:
        ax.set_xticks(at, [f"{x:g}" for x in at])
        ax.minorticks_off()


def x_title(fig: Figure, entries: list[Entry]) -> str:
    return metric_title(fig.x) if any(e.metric == fig.x for e in entries) else key_title(fig.x)


def draw(fig: Figure, entries: list[Entry], png: Path) -> bool:
    """Whether there was anything to draw."""
    have = panels(fig, entries)
    if not any(panel.series for panel in have):
        return False
    plt = pyplot()
    wide = PANEL_INCHES[0] * len(have)
    figure, axes = plt.subplots(
        1, len(have), squeeze=False, figsize=(wide, PANEL_INCHES[1]), layout="constrained"
    )
    for ax, panel in zip(axes[0], have):
        draw_panel(ax, fig, panel)
        ax.set_xlabel(x_title(fig, entries))
    handles, labels = axes[0, 0].get_legend_handles_labels()
    if any(line.name for line in have[0].series) or len(handles) > 1:
        axes[0, -1].legend(
            handles, labels, loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False, fontsize=8
        )
    buffer = io.BytesIO()
    figure.savefig(buffer, dpi=DPI, metadata={"Software": None})
    plt.close(figure)
    save_small(buffer.getvalue(), png)
    return True


def save_small(data: bytes, png: Path) -> None:
    """With as many colours as fit into BYTES_MAX."""
    # matplotlib cannot be without it, and has set the path where Debian puts both.
    image = import_module("PIL.Image").open(io.BytesIO(data)).convert("RGB")
    for colours in PALETTES:
        buffer = io.BytesIO()
        image.quantize(colours).save(buffer, "PNG", optimize=True)
        if buffer.tell() <= BYTES_MAX or colours == PALETTES[-1]:
            break
    write_file(png, buffer.getvalue())
