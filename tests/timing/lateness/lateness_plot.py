# SPDX-License-Identifier: GPL-2.0
"""Draws how late packets leave: a histogram for each load and boot, a line a method."""

import json
import math
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "userspace" / "wlab"))

from wlablib.analysis.plots.run import pyplot

plt = pyplot()
One = dict[str, Any]

STYLES = {
    "wlink": ("#1f4e8c", "-"),
    "netem": ("#e08214", "-"),
    "wlink below htb": ("#1f4e8c", "--"),
    "netem below htb": ("#e08214", "--"),
    "wlink below tbf": ("#4d9221", "--"),
}


def panel(ax: Any, ones: list[One], title: str) -> None:
    for one in ones:
        colour, line = STYLES[one["method"]]
        width, total = one["bins_a_decade"], one["packets"]
        edges = [one["first_ns"] / 1000 * 10 ** (i / width) for i in range(len(one["bins"]) + 1)]
        ax.stairs([n / total for n in one["bins"]], edges, color=colour, linestyle=line, label=one["method"])
        ax.axvline(one["median_ns"] / 1000, color=colour, linestyle=line, linewidth=0.6, alpha=0.5)
    ax.set_title(title, fontsize=9)


def rows_of(ones: list[One]) -> list[list[list[One]]]:
    """Boots with as many loads stand side by side; those with one only share a row."""
    boots: dict[str, dict[str, list[One]]] = {}
    for one in ones:
        boots.setdefault(one["boot"], {}).setdefault(load(one), []).append(one)
    short = [loads for loads in boots.values() if len(loads) == 1]
    long = [loads for loads in boots.values() if len(loads) > 1]
    rows = [[here for loads in short for here in loads.values()]] if short else []
    for name in dict.fromkeys(name for loads in long for name in loads):
        rows.append([loads[name] for loads in long if name in loads])
    return rows


def ends(ones: list[One]) -> tuple[float, float]:
    """Of the axis of time: whole decades of what there is, in us; the first bar has all below it, too."""
    times = []
    for one in ones:
        used = [i for i, n in enumerate(one["bins"]) if n]
        first = math.log10(one["first_ns"] / 1000)
        times += [first + i / one["bins_a_decade"] for i in (used[0], used[-1] + 1)]
    return 10.0 ** math.floor(min(times)), 10.0 ** math.ceil(max(times))


def draw(path: Path) -> None:
    """lateness.png beside the JSON file."""
    told = json.loads(path.read_text())
    ones = [one for one in told["late"] if one["by"] == "departure"]
    if not ones:
        print(f"{path}: nothing has been measured, so no plot", file=sys.stderr)
        return
    rows = rows_of(ones)
    figure = plt.figure(figsize=(11, 1.0 + 1.6 * len(rows)), layout="constrained")
    grids = figure.subfigures(len(rows), 1, squeeze=False)
    low, high = ends(ones)
    for grid, row in zip(grids[:, 0], rows, strict=True):
        last = row is rows[-1]
        axes = grid.subplots(1, len(row), squeeze=False)[0]
        for ax, here in zip(axes, row, strict=True):
            panel(ax, here, f"{here[0]['boot']}, {load(here[0])}")
            ax.set_xscale("log")
            ax.set_xlim(0.6 * low, high)
            if last:
                ax.set_xlabel("departure after the model's (µs)")
        axes[0].set_ylabel("part of packets", fontsize=8)
    figure.axes[0].legend(frameon=False, fontsize=7)
    figure.savefig(path.with_suffix(".png"), dpi=110)
    plt.close(figure)


def load(one: One) -> str:
    """What the phase was called."""
    slack = f", timer slack {one['slack_ns'] / 1e6:g} ms" if one["slack_ns"] else ""
    return f"{one['load']}{slack}"


if __name__ == "__main__":
    draw(Path(sys.argv[1]))
