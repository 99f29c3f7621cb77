# SPDX-License-Identifier: GPL-2.0
"""From counters at marks to results.json, a table and a plot, and the bounds."""

import json
import sys
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import cells as bench
from cells import Cell

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "userspace" / "wlab"))

from wlablib.analysis.plots.run import pyplot

NETEM = {
    "flood": "rate+delay+loss gemodel",
    "100 Mbit/s": "rate+delay+loss gemodel",
    "umts": "rate+delay+loss gemodel",
}

GROUPS = {
    "flood": "As fast as it goes: 100-byte packets, one after the other",
    "100 Mbit/s": "1500-byte packets at 96 Mbit/s, one each 125 us",
    "umts": "1000-byte packets at 1.8 Mbit/s",
    "bearers": "The flood over many busy bearers of 1 Gbit/s in all, delay 5 ms, Gilbert",
    "queue": "100-byte packets at 8000/s through a delay that holds many",
}


# How many times more the plain path carries and connects, and KB of the program for a connection: at most.
PROXIES = {"HAProxy": (2.2, 2.0, 5.0), "wlink-pep": (2.3, 2.0, 1.0)}


@dataclass
class Row:
    """A cell and what was measured of it, one number for each repetition."""

    cell: Cell
    insns: list[float]
    ns: list[float]
    packets: int = 0

    def per_packet(self) -> tuple[float, float]:
        return median(self.insns), median(self.ns)


def spread(values: list[float]) -> float:
    """Half of the range, over the median."""
    return (max(values) - min(values)) / 2 / median(values)


def collect(todo: list[Cell], lines: list[str], marks: Path) -> dict[str, Row]:
    text = marks.read_text(encoding="ascii") if marks.exists() else ""
    at = [[int(word) for word in line.split()] for line in text.splitlines()]
    rows = {f"{cell.key}/{cell.qdisc}": Row(cell, [], []) for cell in todo}
    for line in lines:
        if not line.startswith('BENCH {"key"'):
            continue
        said = json.loads(line[6:])
        before, after = at[said["before"]], at[said["after"]]
        row = rows[said["key"]]
        row.packets = said["packets"]
        row.insns.append((after[1] - before[1]) / said["packets"])
        row.ns.append((after[2] - before[2]) / said["packets"])
    return {key: row for key, row in rows.items() if row.insns}


def ratio(row: Row, to: Row | None) -> tuple[float, float] | None:
    """Of instructions, and the spread: each repetition is compared with its neighbour."""
    if to is None:
        return None
    each = [a / b for a, b in zip(row.insns, to.insns, strict=False)]
    return median(each), (max(each) - min(each)) / 2


def yardstick(rows: dict[str, Row], cell: Cell, qdisc: str) -> Row | None:
    """The peer under the same load: of the queue cells with as many packets held. Bearers take the flood."""
    group = "flood" if cell.group == "bearers" else cell.group
    for row in rows.values():
        other = row.cell
        if other.qdisc != qdisc or other.group != group:
            continue
        if cell.group == "queue":
            if other.queue == cell.queue:
                return row
        elif qdisc == "pfifo" or other.config == NETEM.get(group):
            return row
    return None


def results(rows: dict[str, Row]) -> list[dict[str, Any]]:
    every = []
    for row in rows.values():
        cell = row.cell
        insns, ns = row.per_packet()
        netem = ratio(row, yardstick(rows, cell, "netem"))
        pfifo = ratio(row, yardstick(rows, cell, "pfifo"))
        every.append(
            {
                "qdisc": cell.qdisc,
                "config": cell.config,
                "bearers": cell.bearers,
                "queue": cell.queue,
                "packets_per_s": round(1e9 / ns),
                "packets_per_s_spread": round(spread(row.ns), 4),
                "instructions_per_packet": round(insns),
                "instructions_spread": round(spread(row.insns), 4),
                "ratio_netem": round(netem[0], 3) if netem else None,
                "ratio_netem_spread": round(netem[1], 3) if netem else None,
                "ratio_pfifo": round(pfifo[0], 3) if pfifo else None,
                "ratio_pfifo_spread": round(pfifo[1], 3) if pfifo else None,
                "group": cell.group,
                "tc": cell.tc,
                "bytes": cell.load.bytes,
                "packets": row.packets,
                "repetitions": len(row.insns),
            }
        )
    return every


def find(rows: dict[str, Row], group: str, qdisc: str, config: str, bearers: int = 1) -> Row | None:
    for row in rows.values():
        cell = row.cell
        if (cell.group, cell.qdisc, cell.config, cell.bearers) == (group, qdisc, config, bearers):
            return row
    return None


def bounds(rows: dict[str, Row]) -> list[tuple[str, float, float]]:
    """What must hold: name, ratio, bound."""
    radio = "rate+delay+Gilbert"
    netem, pfifo = ("flood", "netem", NETEM["flood"], 1), ("flood", "pfifo", "pfifo", 1)
    asked = [
        ("rate+delay+Gilbert against netem", 1.06, ("flood", "wlink", radio, 1), netem),
        (
            "rate+delay+Gilbert against netem, 96 Mbit/s",
            1.1,
            ("100 Mbit/s", "wlink", radio, 1),
            ("100 Mbit/s", "netem", NETEM["100 Mbit/s"], 1),
        ),
        ("pass-through against pfifo", 1.42, ("flood", "wlink", "pass-through", 1), pfifo),
        (
            "rate+delay+Gilbert, recorded against not",
            1.35,
            ("flood", "wlink", f"{radio}, recorded", 1),
            ("flood", "wlink", radio, 1),
        ),
    ]
    for config in bench.BEARER_CONFIGS:
        asked.append(
            (
                f"1024 bearers against one, {config}",
                1.5,
                ("bearers", "wlink", config, 1024),
                ("bearers", "wlink", config, 1),
            )
        )
    found = []
    for name, bound, one, other in asked:
        a, b = find(rows, *one), find(rows, *other)
        if a is None or b is None:
            continue
        got = ratio(a, b)
        assert got is not None
        found.append((name, got[0], bound))
    return found


def verdict(got: float, bound: float) -> str:
    return f"bound {bound:.2f}" + ("" if got <= bound else ": missed")


def number(value: Any, more: Any = None) -> str:
    if value is None:
        return ""
    return f"{value:.2f} ± {more:.2f}" if more is not None else f"{value:,}".replace(",", " ")


def table(every: list[dict[str, Any]]) -> list[str]:
    text = []
    for group, title in GROUPS.items():
        mine = [entry for entry in every if entry["group"] == group]
        if not mine:
            continue
        text += ["", f"### {title}", ""]
        names = "qdisc|configuration|bearers|held|packets/s|instructions|to netem|to pfifo".split("|")
        text += ["| " + " | ".join(names) + " |", "| --- | --- |" + " ---: |" * 6]
        for entry in mine:
            words = [
                entry["qdisc"],
                entry["config"],
                str(entry["bearers"]),
                number(entry["queue"]) if entry["queue"] else "",
                number(entry["packets_per_s"]),
                number(entry["instructions_per_packet"]),
                number(entry["ratio_netem"], entry["ratio_netem_spread"]),
                number(entry["ratio_pfifo"], entry["ratio_pfifo_spread"]),
            ]
            text.append("| " + " | ".join(words) + " |")
    return text


def proxied(lines: list[str]) -> tuple[list[dict[str, Any]], list[str], list[tuple[str, float, float]]]:
    """Of proxies what was measured, a table of it, and what is bounded; the plain path is the first."""
    every = [json.loads(line[6:]) for line in lines if line.startswith("PROXY ")]
    if not every:
        return [], [], []
    text = ["", "### TCP between two ends, through a proxy and without one", ""]
    text += ["| path | Mbit/s | to plain | connections/s | to plain | KB a connection | of the kernel |"]
    text += ["| --- |" + " ---: |" * 6]
    held: list[tuple[str, float, float]] = []
    plain = every[0]
    for one in every:
        words = [one["path"]]
        for key, unit in (("bytes_per_s", 125e3), ("connections_per_s", 1)):
            one[f"{key}_ratio"] = round(one[key] / plain[key], 3)
            words += [number(round(one[key] / unit)), f"{one[f'{key}_ratio']:.2f}"]
        words += [f"{one['idle_kb']:.1f}", f"{one['idle_kernel_kb']:.1f}"]
        text.append("| " + " | ".join(words) + " |")
        if (path := one["path"]) in PROXIES:
            figures = 1 / one["bytes_per_s_ratio"], 1 / one["connections_per_s_ratio"], one["idle_kb"]
            names = (
                f"bytes/s of the plain path, to {path}",
                f"connections/s of the plain path, to {path}",
                f"KB of {path} for an idle connection",
            )
            held += zip(names, figures, PROXIES[path], strict=True)
    return [{"group": "proxy"} | one for one in every], text, held


def plot(every: list[dict[str, Any]], to: Path) -> None:
    """Instructions of each cell as bars, one panel for each load."""
    plt = pyplot()
    groups: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for entry in every:
        groups[entry["group"]].append(entry)
    heights = [len(mine) + 2 for mine in groups.values()]
    figure, axes = plt.subplots(
        len(groups), 1, figsize=(9, 0.24 * sum(heights) + 1), height_ratios=heights, squeeze=False
    )
    colours = {"wlink": "#1f6fb2", "netem": "#d07020"}
    for axis, (group, mine) in zip(axes[:, 0], groups.items(), strict=True):
        names, values, shades = [], [], []
        for entry in reversed(mine):
            more = f", {entry['bearers']} bearers" if group == "bearers" else ""
            more += f", {entry['queue']} held" if entry["queue"] else ""
            names.append(f"{entry['qdisc']}: {entry['config']}{more}"[:58])
            values.append(entry["instructions_per_packet"])
            shades.append(colours.get(entry["qdisc"], "#888888"))
        axis.barh(names, values, color=shades)
        axis.set_title(GROUPS[group], fontsize=9, loc="left")
        axis.tick_params(labelsize=7)
    axes[-1, 0].set_xlabel("instructions per packet, of the whole machine", fontsize=8)
    figure.tight_layout()
    figure.savefig(to, dpi=110)


def write(
    todo: list[Cell], lines: list[str], marks: Path, out: Path, load: float, complete: bool, as_json: bool
) -> int:
    """Files, a table on the screen, and 1 where a bound does not hold."""
    rows = collect(todo, lines, marks)
    every = results(rows)
    more, proxy_table, proxy_bounds = proxied(lines)
    if not complete:
        every = [entry | {"partial": True} for entry in every]
    (out / "results.json").write_text(json.dumps(every + more, indent=1) + "\n", encoding="utf-8")
    held = bounds(rows) + proxy_bounds
    said = []
    for name, got, bound in held:
        said.append(f"- {name}: {got:.3f}, {verdict(got, bound)}")
    begin = (json.loads(line[6:]) for line in lines if line.startswith('BENCH {"clocksource'))
    machine: dict[str, str] = next(begin, {})
    repetitions = max((len(row.insns) for row in rows.values()), default=0)
    head = [
        f"Kernel {machine.get('release', '?')}, {repetitions} repetitions, "
        f"load of the host {load:.1f} at the start.",
        *([] if complete else ["", "**The run did not come to its end; what is there is partial.**"]),
        "",
        *said,
    ]
    text = head + table(every) + proxy_table
    (out / "table.md").write_text("\n".join([*text, ""]), encoding="utf-8")
    if every:
        plot(every, out / "bench.png")
    if as_json:
        print(json.dumps(every + more))
    else:
        print("\n".join(text))
    print(f"# {out}/results.json, table.md, bench.png")
    missed = [name for name, got, bound in held if got > bound]
    return 1 if missed or not complete else 0
