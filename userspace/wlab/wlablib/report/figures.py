# SPDX-License-Identifier: GPL-2.0
"""Draws an item's [[figure]]: points with intervals, a line for each series."""

import io
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from ..analysis.plots.run import panels as plot_panels
from ..experiment.parts import Figure
from ..experiment.words import Value
from ..lib import page
from ..lib.files import write_file
from .entries import Entry
from .words import key_title, key_value, metric_title, value_text

# Marker and dash distinguish the lines without colour; the colours differ in lightness, too.
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
    """A point: position and half width on both axes, None without an interval."""

    x: float
    x_half: float | None
    y: float
    y_half: float | None


@dataclass
class Series:
    """The points of one line, and those that the paper prints."""

    name: str
    measured: list[Spot] = field(default_factory=list)
    printed: list[Spot] = field(default_factory=list)


@dataclass
class Panel:
    """One metric over the figure's x; names are labels of positions where x is not a number."""

    metric: str
    series: list[Series]
    names: list[str] = field(default_factory=list)


Cells = dict[tuple[str, str], dict[str, Entry]]


def by_cell(entries: list[Entry]) -> Cells:
    """The entries of each cell by metric."""
    out: Cells = {}
    for entry in entries:
        out.setdefault((entry.slot.exp.name, entry.slot.id), {})[entry.metric] = entry
    return out


def series_name(fig: Figure, by_metric: dict[str, Entry]) -> str:
    """The legend's text for the line of a cell."""
    values = next(iter(by_metric.values())).slot.values
    words = [key_value(k, values[k]) for k in fig.series if k in values]
    if len(fig.series) == 1 and isinstance(values.get(fig.series[0]), str):
        return str(values[fig.series[0]])
    return ", ".join(words)


def places(fig: Figure, cells: Cells) -> dict[Value, float] | None:
    """Positions of values of x that are not numbers; None if all are numbers."""
    found = [next(iter(by_metric.values())).slot.values.get(fig.x) for by_metric in cells.values()]
    present = [v for v in dict.fromkeys(found) if v is not None]
    if all(isinstance(v, int | float) and not isinstance(v, bool) for v in present):
        return None
    return {v: float(i) for i, v in enumerate(present)}


def spot(
    fig: Figure, where: dict[Value, float] | None, by_metric: dict[str, Entry], metric: str
) -> Spot | None:
    """The measured point of a cell."""
    y = by_metric.get(metric)
    if y is None or y.value is None:
        return None
    if fig.x in by_metric:
        x = by_metric[fig.x]
        return None if x.value is None else Spot(x.value, x.half, y.value, y.half)
    x_value = y.slot.values.get(fig.x)
    if x_value is None:
        return None
    return Spot(where[x_value] if where else float(x_value), None, y.value, y.half)


def printed_spot(measured: Spot, by_metric: dict[str, Entry], x: str, metric: str) -> Spot | None:
    """The point that the paper prints for the same cell."""
    y = by_metric[metric].printed
    if y is None:
        return None
    if x not in by_metric:
        return Spot(measured.x, None, y.value, y.half_width)
    printed_x = by_metric[x].printed
    return None if printed_x is None else Spot(printed_x.value, printed_x.half_width, y.value, y.half_width)


def panels(fig: Figure, entries: list[Entry]) -> list[Panel]:
    """The panels of a figure."""
    cells = by_cell(entries)
    where = None if any(fig.x in entries_ for entries_ in cells.values()) else places(fig, cells)
    out = []
    for metric in fig.y:
        lines: dict[str, Series] = {}
        for by_metric in cells.values():
            measured = spot(fig, where, by_metric, metric)
            if measured is None:
                continue
            name = series_name(fig, by_metric)
            line = lines.setdefault(name, Series(name))
            line.measured.append(measured)
            printed = printed_spot(measured, by_metric, fig.x, metric)
            if printed:
                line.printed.append(printed)
        for line in lines.values():
            # Over a key the line follows it; in a plane of two metrics it follows the cells.
            if not any(fig.x in entries_ for entries_ in cells.values()):
                line.measured.sort(key=lambda s: s.x)
        names = [value_text(v) for v in where] if where else []
        out.append(Panel(metric, list(lines.values()), names))
    return out


def bars(spots: list[Spot]) -> dict[str, Any]:
    """Positions and half widths for matplotlib, 0 without an interval."""
    out: dict[str, Any] = {"x": [s.x for s in spots], "y": [s.y for s in spots]}
    out["yerr"] = [s.y_half or 0.0 for s in spots]
    if any(s.x_half for s in spots):
        out["xerr"] = [s.x_half or 0.0 for s in spots]
    return out


def draw_panel(ax: Any, fig: Figure, panel: Panel) -> None:
    """Draw lines with error bars; printed points are large and hollow."""
    printed_named = False
    # Nothing lies between positions that are names.
    joined = len(panel.series) > 1 or not panel.names
    for i, line in enumerate(panel.series):
        colour, marker, dash = STYLES[i % len(STYLES)]
        style = {"color": colour, "marker": marker, "elinewidth": 0.9}
        fill = "white" if i >= len(STYLES) else colour
        ours = {"markersize": 4.5, "markerfacecolor": fill, "capsize": 2.5, "label": line.name or "wlink"}
        ax.errorbar(**bars(line.measured), **style, **ours, linestyle=dash if joined else "none")
        if line.printed:
            theirs = {"markersize": 10, "markerfacecolor": "none", "capsize": 5, "linestyle": "none"}
            named = None if printed_named else "hollow: the paper"
            ax.errorbar(**bars(line.printed), **style, **theirs, label=named)
            printed_named = True
    set_x(ax, fig, panel)
    if fig.log_y:
        ax.set_yscale("log")
    elif 0 < ax.dataLim.y0 < ax.dataLim.y1 / 2:
        # Start at 0 unless that would leave half of the panel empty.
        ax.set_ylim(bottom=0.0)
    ax.set_ylabel(metric_title(panel.metric))


def set_x(ax: Any, fig: Figure, panel: Panel) -> None:
    """Set ticks at the cells, if there is room for their labels."""
    if panel.names:
        ax.set_xticks(range(len(panel.names)), panel.names)
        return
    if fig.log_x:
        ax.set_xscale("log")
    positions = sorted({s.x for line in panel.series for s in line.measured})
    width = positions[-1] - positions[0] if positions else 0.0
    crowded = not fig.log_x and any(b - a < width / 12 for a, b in zip(positions, positions[1:]))
    keys = not any(s.x_half for line in panel.series for s in line.measured)
    if keys and not crowded and len(positions) <= TICKS_MAX:
        ax.set_xticks(positions, [f"{x:g}" for x in positions])
        ax.minorticks_off()


def x_title(fig: Figure, entries: list[Entry]) -> str:
    return metric_title(fig.x) if any(e.metric == fig.x for e in entries) else key_title(fig.x)


def draw(fig: Figure, entries: list[Entry], png: Path) -> bool:
    """Draw a figure; False if there is nothing to draw."""
    drawn = panels(fig, entries)
    if not any(panel.series for panel in drawn):
        return False
    size = page.inches(PANEL_INCHES[0] * len(drawn), PANEL_INCHES[1])
    plt, figure, axes = plot_panels(1, len(drawn), size)
    for ax, panel in zip(axes[0], drawn):
        draw_panel(ax, fig, panel)
        ax.set_xlabel(x_title(fig, entries))
    handles, labels = axes[0, 0].get_legend_handles_labels()
    if any(line.name for line in drawn[0].series) or len(handles) > 1:
        place = {"loc": "upper left", "bbox_to_anchor": (1.0, 1.0)}
        axes[0, -1].legend(handles, labels, frameon=False, fontsize=8, **place)
    save_both(plt, figure, png, DPI)
    return True


def save_both(plt: Any, figure: Any, png: Path, dpi: int) -> None:
    """Save a small picture for a page, and beside it what --format asks for; close the figure."""
    buffer = io.BytesIO()
    figure.savefig(buffer, dpi=dpi, metadata={"Software": None})
    save_small(buffer.getvalue(), png)
    if page.LOOK.format not in ("", "png"):
        page.save(plt, figure, png.with_suffix(f".{page.LOOK.format}"))
    plt.close(figure)


def save_small(data: bytes, png: Path) -> None:
    """Save a picture with as many colours as fit into BYTES_MAX."""
    # Pillow is installed with matplotlib, whose import has set the path to both.
    image = import_module("PIL.Image").open(io.BytesIO(data)).convert("RGB")
    for colours in PALETTES:
        buffer = io.BytesIO()
        image.quantize(colours).save(buffer, "PNG", optimize=True)
        if buffer.tell() <= BYTES_MAX or colours == PALETTES[-1]:
            break
    write_file(png, buffer.getvalue())
