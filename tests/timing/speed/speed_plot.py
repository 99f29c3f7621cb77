# SPDX-License-Identifier: GPL-2.0
"""Draws the lab's speed: against rate, flows and size of PDUs, and beside ns-3."""

import json
import math
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "userspace" / "wlab"))

from wlablib.analysis.plots.run import pyplot

plt = pyplot()
One = dict[str, Any]

# Axis, what it is of a load, its label.
AXES = (
    ("rate", "rate_bps", "rate (bit/s)"),
    ("flows", "flows", "TCP flows at 1 Mbit/s"),
    ("pdu", "pdu", "PDU (bytes) at 1 Mbit/s"),
    ("bulk", "rate_bps", "rate of 4 flows (bit/s), no RLC"),
)
LAB, NS3 = "#1f4e8c", "#e08214"


def curve(ax: Any, ones: list[One], key: str, label: str) -> None:
    xs = [one[key] for one in ones]
    ax.plot(xs, [one["virtual_per_cpu_s"] for one in ones], "o-", color=LAB, markersize=4)
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.set_xlabel(label)
    ax.grid(True, which="major", linewidth=0.4)


def bars(ax: Any, pairs: list[One]) -> None:
    """The lab and the faster of the two simulations beside it."""
    for i, one in enumerate(pairs):
        best = max(x["virtual_per_cpu_s"] for x in one["ns3"])
        have = one["lab"]["virtual_per_cpu_s"]
        ax.bar([i - 0.2], [have], 0.36, color=LAB, label="wlab" if not i else None)
        ax.bar([i + 0.2], [best], 0.36, color=NS3, label="ns-3 LTE" if not i else None)
        ax.annotate(f"×{one['factor']:.1f}", (i - 0.2, have), ha="center", va="bottom", fontsize=8)
    ax.set_yscale("log")
    names = [f"{one['ues']} UE\n{one['lab']['goodput_bps'] / 1e6:.1f} Mbit/s" for one in pairs]
    ax.set_xticks(range(len(pairs)), names)
    ax.legend(frameon=False, fontsize=7)


def decade(value: float, rounded: Callable[[float], int]) -> float:
    """The power of ten on one side of it, for all axes to be alike."""
    return float(10 ** rounded(math.log10(value)))


def draw(path: Path) -> None:
    """speed.png beside the JSON file."""
    told = json.loads(path.read_text())
    panels = [axis for axis in AXES if any(one["axis"] == axis[0] for one in told["loads"])]
    count = len(panels) + bool(told["ns3"])
    figure, axes = plt.subplots(1, count, figsize=(3.1 * count, 2.9), squeeze=False, layout="constrained")
    speeds = [one["virtual_per_cpu_s"] for one in told["loads"]]
    for ax, (axis, key, label) in zip(axes[0], panels):
        curve(ax, [one for one in told["loads"] if one["axis"] == axis], key, label)
        ax.set_ylim(decade(min(speeds), math.floor), decade(max(speeds), math.ceil))
    if told["ns3"]:
        bars(axes[0][-1], told["ns3"])
    axes[0][0].set_ylabel("virtual s per processor s")
    figure.savefig(path.with_suffix(".png"), dpi=110)
    plt.close(figure)


if __name__ == "__main__":
    draw(Path(sys.argv[1]))
