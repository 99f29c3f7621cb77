# SPDX-License-Identifier: GPL-2.0
"""Draws how late packets leave: a histogram for each load and boot, a line a method."""

import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "userspace" / "wlab"))

from wlablib.plot import pyplot

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
    ax.set_xscale("log")
    ax.set_title(title, fontsize=9)


def draw(path: Path) -> None:
    """lateness.png beside the JSON file."""
    told = json.loads(path.read_text())
    ones = [one for one in told["late"] if one["by"] == "departure"]
    if not ones:
        print(f"{path}: nothing has been measured, so no plot", file=sys.stderr)
        return
    boots = list(dict.fromkeys(one["boot"] for one in ones))
    loads = list(dict.fromkeys(load(one) for one in ones))
    figure, axes = plt.subplots(
        len(loads), len(boots), figsize=(4.6 * len(boots), 1.0 + 1.6 * len(loads)),
        squeeze=False, sharex="col", layout="constrained",
    )  # fmt: skip
    for row, name in enumerate(loads):
        for column, boot in enumerate(boots):
            here = [one for one in ones if one["boot"] == boot and load(one) == name]
            if here:
                panel(axes[row][column], here, f"{boot}, {name}")
            else:
                axes[row][column].set_axis_off()
        axes[row][0].set_ylabel("part of packets")
    for ax in axes[-1]:
        ax.set_xlabel("departure after the model's (µs)")
    axes[0][0].legend(frameon=False, fontsize=7)
    figure.savefig(path.with_suffix(".png"), dpi=110)
    plt.close(figure)


def load(one: One) -> str:
    """What the phase was called."""
    slack = f", timer slack {one['slack_ns'] / 1e6:g} ms" if one["slack_ns"] else ""
    return f"{one['load']}{slack}"


if __name__ == "__main__":
    draw(Path(sys.argv[1]))
