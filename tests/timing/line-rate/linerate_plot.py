# SPDX-License-Identifier: GPL-2.0
"""Draws actual against requested line rate, and the error in time."""

import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "userspace" / "wlab"))

from wlablib.analysis.plots.run import pyplot

plt = pyplot()
Cell = dict[str, Any]

COLOURS = {"wlink": "#1f4e8c", "netem": "#e08214", "tbf": "#4d9221"}
MARKERS = {25: "o", 100: "s", 200: "^", 1000: "D", 1500: "v"}
TITLES = {
    "lab": "lab, virtual time",
    "vm": "Debian's kernel in QEMU (TCG), real time",
}
# Beside each other, for they are often the same.
ASIDE = {"wlink": 1.0, "netem": 1.16, "tbf": 0.86}
# Errors below this are drawn on a linear scale around zero.
LINEAR_PPM = 1e-3


def x(cell: Cell) -> float:
    return float(cell["rate"] * ASIDE[cell["method"]])


def panel(ax: Any, cells: list[Cell], title: str) -> None:
    """Error of the delivered rate in ppm; hollow where the machine could not."""
    for cell in cells:
        style = {"color": COLOURS[cell["method"]], "marker": MARKERS[cell["size"]], "markersize": 4.5}
        if not cell["carried"]:
            style["markerfacecolor"] = "none"
        ax.plot(x(cell), cell["error_ppm"], linestyle="none", alpha=0.8, **style)
    ax.axhline(0, color="#999999", linewidth=0.7)
    ax.set(xscale="log", xlabel="requested line rate (bit/s)", title=title)
    ax.set_yscale("symlog", linthresh=LINEAR_PPM)


def legend(ax: Any, cells: list[Cell]) -> None:
    methods = [m for m in COLOURS if any(c["method"] == m for c in cells)]
    sizes = sorted({c["size"] for c in cells})
    for method in methods:
        ax.plot([], [], color=COLOURS[method], marker="o", linestyle="none", label=method)
    for size in sizes:
        ax.plot([], [], color="#555555", marker=MARKERS[size], linestyle="none", label=f"{size} bytes")
    if not all(c["carried"] for c in cells):
        style = {"color": "#555555", "marker": "o", "markerfacecolor": "none", "linestyle": "none"}
        ax.plot([], [], label="not carried", **style)
    ax.legend(frameon=False, fontsize=7, loc="lower center", bbox_to_anchor=(0.5, -0.3), ncols=5)


def rates(cells: list[Cell], png: Path) -> None:
    places = [place for place in TITLES if any(c["where"] == place for c in cells)]
    size = (6.2 * len(places), 4.2)
    figure, axes = plt.subplots(1, len(places), figsize=size, squeeze=False, layout="constrained")
    for ax, place in zip(axes[0], places):
        here = [c for c in cells if c["where"] == place]
        panel(ax, here, TITLES[place])
        legend(ax, here)
    axes[0][0].set_ylabel("error of the delivered rate (ppm)")
    figure.savefig(png, dpi=110)
    plt.close(figure)


def accumulated(cells: list[Cell], png: Path) -> None:
    """(last departure - first) - model, in PDU times: below 1 is what must hold."""
    places = [place for place in TITLES if any(c["where"] == place for c in cells)]
    size = (6.2 * len(places), 4.2)
    figure, axes = plt.subplots(1, len(places), figsize=size, squeeze=False, layout="constrained")
    for ax, place in zip(axes[0], places):
        here = [c for c in cells if c["where"] == place and c["carried"]]
        for cell in here:
            ax.plot(
                x(cell), cell["accumulated_ns"] / cell["pdu_ns"], linestyle="none", alpha=0.8,
                color=COLOURS[cell["method"]], marker=MARKERS[cell["size"]], markersize=4.5,
            )  # fmt: skip
        ax.axhspan(-1, 1, color="#1f4e8c", alpha=0.08)
        ax.set(xscale="log", xlabel="requested line rate (bit/s)", title=TITLES[place])
        ax.set_yscale("symlog", linthresh=1)
        legend(ax, here)
    axes[0][0].set_ylabel("accumulated error (PDU times)")
    figure.savefig(png, dpi=110)
    plt.close(figure)


def draw(path: Path) -> None:
    """line-rate.png and line-rate-accumulated.png beside the JSON file."""
    told = json.loads(path.read_text())
    if not told["cells"]:
        print(f"{path}: no cell has been measured, so no plot", file=sys.stderr)
        return
    rates(told["cells"], path.with_suffix(".png"))
    accumulated(told["cells"], path.with_name(path.stem + "-accumulated.png"))


if __name__ == "__main__":
    draw(Path(sys.argv[1]))
