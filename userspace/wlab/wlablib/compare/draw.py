# SPDX-License-Identifier: GPL-2.0
"""Draws the picture: a panel for each named plot."""

from math import nan
from pathlib import Path
from typing import Any

from ..analysis.plots.data import LIMIT_FAR, rate_text
from ..analysis.plots.run import QUIET, panels as plot_panels
from ..lib import page
from .figures import plain, rate_unit, time_unit
from .series import DELAY, DELIVERY, PACING, PLOTS, TIME, TRIP, Plot, Series, Values

TITLE_INCHES = 0.35
# Okabe and Ito's colours without yellow, which is too faint on white; line styles differ, too.
COLOURS = ("#0072B2", "#D55E00", "#000000", "#56B4E9", "#009E73", "#E69F00", "#CC79A7")
DASHES: tuple[Any, ...] = ("-", (0, (5, 2)), (0, (1.5, 1.5)), (0, (6, 2, 1.5, 2)))
UNITS = {
    "throughput": rate_unit,
    PACING: rate_unit,
    DELIVERY: rate_unit,
    DELAY: time_unit,
    TRIP: time_unit,
    "smoothed RTT": time_unit,
}
# The distributions, by what they are of.
TIMES = (DELAY, TRIP)
BAND_FAR = 1.5
Lines = dict[str, Series]


def style(which: int) -> dict[str, Any]:
    return {"color": COLOURS[which % len(COLOURS)], "linestyle": DASHES[which % len(DASHES)]}


def scaled(values: Values, size: float) -> list[float]:
    return [nan if v is None else v / size for v in values]


def most(lines: Lines) -> float:
    return max((v for line in lines.values() for v in line.y if v is not None), default=0.0)


def draw_line(
    ax: Any, line: Series, x_size: float, y_size: float, line_style: dict[str, Any], cdf: bool
) -> None:
    """Draw a line and the band of its interval."""
    x, y = [v / x_size for v in line.x], scaled(line.y, y_size)
    if cdf:
        ax.step([x[0], *x], [0.0, *y], where="post", **line_style)
        return
    ax.plot(x, y, **line_style)
    if any(line.half_width):
        half = [h or 0.0 for h in scaled(line.half_width, y_size)]
        low, high = [a - h for a, h in zip(y, half)], [a + h for a, h in zip(y, half)]
        ax.fill_between(x, low, high, color=line_style["color"], alpha=0.15, linewidth=0)


def draw_bars(ax: Any, lines: Lines, order: list[str]) -> None:
    """Draw a group of bars for each reason, a bar for each curve."""
    reasons = sorted({reason for line in lines.values() for reason in line.x})
    width = 0.8 / len(order)
    for i, label in enumerate(order):
        line = lines.get(label, Series([], [], []))
        values_of = {r: (v or 0.0, h) for r, v, h in zip(line.x, line.y, line.half_width)}
        at = [n - 0.4 + (i + 0.5) * width for n in range(len(reasons))]
        values = [values_of.get(r, (0.0, None)) for r in reasons]
        hatch = ("", "////", "....", "xx")[i % len(DASHES)]
        bar_style = {"color": COLOURS[i % len(COLOURS)], "hatch": hatch, "edgecolor": "white"}
        ax.bar(at, [v for v, _ in values], width, **bar_style)
        known = [(x, v, h) for x, (v, h) in zip(at, values) if h]
        if known:
            x, y, half = zip(*known)
            ax.errorbar(x, y, yerr=half, linestyle="none", color="#222222", capsize=2, elinewidth=0.9)
    ax.set_xticks(range(len(reasons)), reasons)
    ax.grid(axis="x", visible=False)


def draw_capacity(ax: Any, capacities: Lines, size: float, top: float, order: list[str]) -> None:
    """Draw the capacity: a grey area if it is the same for all curves, else a thin line for each."""
    values = [line.y for line in capacities.values()]
    longest = max(capacities.values(), key=lambda line: len(line.y), default=None)
    if longest is None:
        return
    same = len(capacities) == len(order) and all(y == longest.y[: len(y)] for y in values)
    if same:
        y = scaled(longest.y, size)
        ax.fill_between(longest.x, y, step="mid", color="#dddddd", linewidth=0, zorder=0)
        ax.plot([], [], color="#dddddd", linewidth=6, label="capacity")
    else:
        for label, line in capacities.items():
            line_style = {"color": style(order.index(label))["color"], "linewidth": 0.7, "linestyle": ":"}
            ax.step(line.x, scaled(line.y, size), where="mid", zorder=1, **line_style)
        ax.plot([], [], color=QUIET, linewidth=0.7, linestyle=":", label="capacity")
    limit = max(v for y in values for v in y if v is not None)
    if top and limit > LIMIT_FAR * top:
        ax.set_ylim(0, 1.2 * top / size)
        text = f"capacity up to {rate_text(limit, 3)} ↑"
        ax.annotate(text, (1, 1), xycoords="axes fraction", ha="right", va="bottom", color=QUIET)
    else:
        ax.set_ylim(0, max(ax.get_ylim()[1], 1.04 * limit / size))
        ax.legend(loc="best", frameon=False)


def titled(title: str, unit: str) -> str:
    return f"{title} ({unit})" if unit else title


def draw_panel(ax: Any, plot: Plot, lines: Lines, capacities: Lines, order: list[str], end_s: float) -> None:
    """Draw one panel."""
    if not lines:
        ax.annotate("no packets in the log", (0.5, 0.5), xycoords="axes fraction", ha="center", color=QUIET)
    y_size, y_unit = UNITS.get(plot.y, plain)(most(lines))
    x_size, x_unit = 1.0, ""
    if plot.x in TIMES:
        x_size, x_unit = time_unit(max((line.x[-1] for line in lines.values()), default=1.0))
    if plot.x == "reason":
        draw_bars(ax, lines, order)
    else:
        for label, line in lines.items():
            draw_line(ax, line, x_size, y_size, style(order.index(label)), plot.x in TIMES)
    if plot.x == TIME:
        ax.set_xlim(0, end_s)
    if plot.x in TIMES:
        ax.set_xlim(0, None)
    # The wide interval of a few seeds must not flatten the lines.
    top = BAND_FAR * most(lines) / y_size or None
    ax.set_ylim(0, 1.04 if plot.x in TIMES or plot is PLOTS["fairness"] else None)
    if plot.x == TIME and top and ax.get_ylim()[1] > top:
        ax.set_ylim(0, top)
    if plot is PLOTS["throughput"]:
        draw_capacity(ax, capacities, y_size, most(lines), order)
    ax.set(xlabel=titled(plot.x, x_unit), ylabel=titled(plot.y, y_unit))


def draw(
    plots: dict[str, Lines], capacities: Lines, order: list[str], end_s: float, paths: list[Path]
) -> None:
    """Draw all panels, two in a row, below the legend."""
    columns_ = 2 if len(plots) > 1 else 1
    rows_ = -(-len(plots) // columns_)
    columns = max(1, min(4, 150 // (max(map(len, order)) + 8)))
    legend_inches = 0.3 + 0.19 * -(-len(order) // columns)
    size = page.inches(5.6 * columns_, 2.7 * rows_ + legend_inches)
    plt, figure, axes = plot_panels(rows_, columns_, size)
    # From the top: the title, if one is asked for, the legend, the panels.
    top = 1 - (TITLE_INCHES if page.LOOK.title else 0.0) / size[1]
    figure.get_layout_engine().set(rect=(0, 0, 1, 1 - legend_inches / size[1]))
    panels = [ax for row in axes for ax in row]
    for ax, (name, lines) in zip(panels, plots.items()):
        draw_panel(ax, PLOTS[name], lines, capacities, order, end_s)
    for ax in panels[len(plots) :]:
        ax.set_visible(False)
    handles = [plt.Line2D([], [], **style(i), linewidth=1.8) for i in range(len(order))]
    place: dict[str, Any] = {"loc": "upper left", "bbox_to_anchor": (0, top)}
    figure.legend(handles, order, ncols=columns, frameon=False, handlelength=3.2, **place)
    for path in paths:
        page.save(plt, figure, path, dpi=110)
