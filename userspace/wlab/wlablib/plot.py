# SPDX-License-Identifier: GPL-2.0
"""Draws a result folder in the layout of the AQM paper's Fig. 2."""

import json
import os
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from .paths import BUILD, LabError

# wlab runs python -S; matplotlib lives where Debian puts packages.
DIST_PACKAGES = "/usr/lib/python3/dist-packages"

SENT, RECEIVED, DROPPED, LINE, QUIET = "#9fb6d4", "#1f4e8c", "#d62728", "#222222", "#888888"
CHOSEN = "#e08214"
Points = tuple[list[float], list[float]]


def pyplot() -> Any:
    """matplotlib, imported once, without a display."""
    if DIST_PACKAGES not in sys.path:
        sys.path.append(DIST_PACKAGES)
    # Its font cache; the user's home may not be writable.
    os.environ.setdefault("MPLCONFIGDIR", str(BUILD / "matplotlib"))
    try:
        import_module("matplotlib").use("Agg")
    except ImportError:
        raise LabError("matplotlib is missing; type: userspace/need plot") from None
    plt = import_module("matplotlib.pyplot")
    plt.rcParams.update(
        {
            "font.size": 9,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.grid": True,
            "grid.color": "#e4e4e4",
            "grid.linewidth": 0.6,
            "axes.axisbelow": True,
            "lines.linewidth": 1.0,
        }
    )
    return plt


def rows(path: Path) -> list[list[str]]:
    """A series, one list of words a line; none where there is no file."""
    if not path.exists():
        return []
    return [line.split("\t") for line in path.read_text().splitlines()]


def columns(path: Path, y: int, scale: float = 1.0) -> Points:
    """Time in s and one other column."""
    have = rows(path)
    return [int(r[0]) / 1e9 for r in have], [int(r[y]) * scale for r in have]


class Result:
    """A result folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        try:
            self.data: dict[str, Any] = json.loads((folder / "result.json").read_text())
        except FileNotFoundError:
            hint = ""
            if (folder / "runs.json").exists():
                hint = f"; it holds several, as {next(folder.glob('seed-*'), folder)}"
            raise LabError(f"{folder} has no result.json{hint}") from None
        self.flows: dict[str, Any] = self.data["flows"]
        ups = [f["direction"] == "up" for f in self.flows.values()]
        self.link = "radio.up" if ups and all(ups) else "radio.down"
        self.end = float(self.data["ended_s"])

    def series(self, name: str) -> Path:
        return self.folder / "series" / f"{name}.tsv"

    def rates(self) -> list[tuple[float, float]]:
        """(s, kbit/s) from the beginning on, only where the rate differs."""
        out: list[tuple[float, float]] = []
        for t, bps in zip(*columns(self.series(f"{self.link}.rate"), 1, 1e-3)):
            if not out or out[-1][1] != bps:
                out.append((t, bps))
        if not out:
            xstats = self.data["links"][self.link].get("xstats", {})
            if "rate_bps" in xstats:
                out.append((0.0, xstats["rate_bps"] / 1e3))
        return out

    def acknowledged(self) -> bool:
        """Whether SDUs stay in the buffer until they are acknowledged."""
        link = self.data["links"][self.link]
        return link.get("options", {}).get("mode") in ("am", "fsr", "asr")

    def limit(self) -> int | None:
        limit = self.data["links"][self.link].get("options", {}).get("limit_packets")
        return int(limit) if limit is not None else None


def mark_rates(ax: Any, rates: list[tuple[float, float]], end: float, label: bool) -> None:
    """A line where the rate changes; the rates above the first panel."""
    for t, _ in rates[1:]:
        ax.axvline(t, color=QUIET, linewidth=0.9, linestyle=(0, (4, 3)), zorder=1)
    if not label or len(rates) > 12:
        return
    for i, (t, kbps) in enumerate(rates):
        until = rates[i + 1][0] if i + 1 < len(rates) else end
        ax.annotate(
            f"{kbps:g} kbit/s",
            ((t + until) / 2, 1.0),
            xycoords=("data", "axes fraction"),
            xytext=(0, 3),
            textcoords="offset points",
            ha="center",
            color="#444444",
        )


def draw_buffer(ax: Any, result: Result) -> None:
    """Buffer occupancy: until acknowledged, where SDUs are."""
    t, sdus = columns(result.series(f"{result.link}.buffer"), 1)
    if result.acknowledged():
        t, sdus = columns(result.series(f"{result.link}.occupancy"), 2)
        ax.plot([0.0, *t], [0.0, *sdus], color=LINE, linewidth=0.8)
    elif t:
        ax.step([0.0, *t, result.end], [0.0, *sdus, sdus[-1]], where="post", color=LINE)
    limit = result.limit()
    if limit is not None and limit <= 3 * max(sdus, default=0):
        ax.axhline(limit, color=DROPPED, linewidth=0.8, linestyle=":")
        ax.annotate(
            f"limit {limit}",
            (1.0, limit),
            xycoords=("axes fraction", "data"),
            xytext=(-2, 2),
            textcoords="offset points",
            ha="right",
            color=DROPPED,
        )
        ax.set_ylim(0, limit * 1.18)
    ax.set_ylabel("buffer\n(SDUs)")


def draw_cwnd(ax: Any, result: Result, flow: str) -> None:
    """Congestion window, in segments."""
    t, cwnd = columns(result.series(f"{flow}.cwnd"), 1)
    if t:
        end = result.flows[flow]["end_ns"] / 1e9
        ax.step([*t, max(end, t[-1])], [*cwnd, cwnd[-1]], where="post", color=LINE)
    ax.set_ylim(0, None)
    ax.set_ylabel(f"{flow}\ncwnd (segm.)")


def draw_seq(ax: Any, result: Result, flow: str) -> None:
    """When each packet was sent, received, dropped."""
    mss = result.flows[flow]["mss"] or 1
    kinds: dict[str, Points] = {k: ([], []) for k in ("sent", "received", "dropped", "aqm")}
    for ns, kind, seq, _, *reason in rows(result.series(f"{flow}.seq")):
        if reason == ["aqm"]:
            kind = "aqm"
        kinds[kind][0].append(int(ns) / 1e9)
        kinds[kind][1].append(int(seq) / mss)
    style = {
        "sent": {"marker": ".", "color": SENT, "markersize": 3.2},
        "received": {"marker": ".", "color": RECEIVED, "markersize": 2.2},
        "dropped": {"marker": "x", "color": DROPPED, "markersize": 5.5, "markeredgewidth": 1.1},
        "aqm": {"marker": "o", "color": CHOSEN, "markersize": 4.5, "markerfacecolor": "none"},
    }
    if not kinds["aqm"][0]:
        del kinds["aqm"]
    for kind, (t, number) in kinds.items():
        many = f"{'by the AQM' if kind == 'aqm' else kind} ({len(t)})"
        ax.plot(t, number, linestyle="none", label=many, zorder=3, **style[kind])
    ax.set_ylim(0, None)
    ax.set_ylabel(f"{flow}\npacket number")
    ax.legend(loc="upper left", frameon=False, markerscale=1.8, handletextpad=0.1, borderpad=0.1)


def draw(result: Result, png: Path) -> None:
    """Occupancy on top, windows, then the packets of each flow."""
    plt = pyplot()
    tcp = [n for n, f in result.flows.items() if f["kind"] == "tcp"]
    others = [n for n in result.flows if n not in tcp]
    heights = [1.5] + [1.1] * len(tcp) + [2.3] * len(tcp) + [1.5] * len(others)
    figure, axes = plt.subplots(
        len(heights),
        1,
        sharex=True,
        squeeze=False,
        figsize=(9.0, 1.2 + 0.95 * sum(heights)),
        height_ratios=heights,
        layout="constrained",
    )
    panels = iter(axes[:, 0])
    draw_buffer(next(panels), result)
    for name in tcp:
        draw_cwnd(next(panels), result, name)
    for name in tcp:
        draw_seq(next(panels), result, name)
    for name in others:
        draw_delay(next(panels), result, name)
    rates = result.rates()
    for i, ax in enumerate(axes[:, 0]):
        mark_rates(ax, rates, result.end, i == 0)
        ax.set_xlim(0, result.end)
    axes[-1, 0].set_xlabel("time (s)")
    figure.suptitle(f"{result.data['name']}, {result.link}, seed {result.data['seed']}")
    figure.align_ylabels()
    figure.savefig(png, dpi=110)
    plt.close(figure)


def draw_delay(ax: Any, result: Result, flow: str) -> None:
    """udp: end-to-end delay by time of sending."""
    have = rows(result.series(f"{flow}.e2e"))
    sent = [int(r[1]) / 1e9 for r in have]
    delay = [(int(r[2]) - int(r[1])) / 1e6 for r in have]
    ax.plot(sent, delay, linestyle="none", marker=".", markersize=2.2, color=RECEIVED)
    ax.set_ylim(0, None)
    ax.set_ylabel(f"{flow}\ndelay (ms)")


def draw_delays(result: Result, png: Path) -> None:
    """Time through the radio link, packet by packet, and its distribution."""
    plt = pyplot()
    figure, (left, right) = plt.subplots(
        1, 2, figsize=(9.0, 3.2), width_ratios=(2, 1), layout="constrained"
    )
    for name, colour in zip(result.flows, (RECEIVED, "#e08214", "#4d9221", "#7b3294") * 64):
        t, ms = delays(result, name)
        left.plot(t, ms, linestyle="none", marker=".", markersize=2.2, color=colour, label=name)
        ms.sort()
        right.step(ms, [(i + 1) / len(ms) for i in range(len(ms))], color=colour, label=name)
    mark_rates(left, result.rates(), result.end, True)
    left.set(xlabel="time of arrival in the buffer (s)", ylabel="one-way delay (ms)")
    left.set_xlim(0, result.end)
    left.set_ylim(0, None)
    left.legend(loc="upper left", frameon=False, markerscale=3)
    right.set(xlabel="one-way delay (ms)", ylabel="part of packets below")
    right.set_xlim(0, None)
    right.set_ylim(0, 1.02)
    figure.savefig(png, dpi=110)
    plt.close(figure)


def delays(result: Result, flow: str) -> Points:
    """(s of arrival, ms through the radio link) of a flow's delivered packets."""
    t: list[float] = []
    ms: list[float] = []
    with (result.folder / "events.tsv").open() as f:
        for line in f:
            w = line.split("\t")
            if w[0] != "sdu" or w[3] != flow or w[4] != "forth" or not w[2].startswith("radio."):
                continue
            if w[11] == "none" and w[17] != "0":
                t.append(int(w[12]) / 1e9)
                ms.append((int(w[15]) - int(w[12])) / 1e6)
    return t, ms
