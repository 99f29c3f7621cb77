# SPDX-License-Identifier: GPL-2.0
"""Draws the users of a network, a row each: received and sent rates over time."""

from collections import defaultdict
from pathlib import Path
from typing import Any

from ...lib import page
from ..resultfile import link_of
from ..traffic import DELIVERED, NO_FLOW
from .data import RATE_UNITS, Result, fit, rate_text
from .run import CHOSEN, QUIET, RECEIVED, panels, say

SLOTS = 100
COLOURS = {"received": RECEIVED, "sent": CHOSEN}
ROW_INCHES = 0.55
# Bits in each slot of time, by user and "received" or "sent".
Bits = dict[tuple[str, str], list[float]]


def users_of(result: Result, bits: Bits) -> list[str]:
    """The users of cells that have packets, cell by cell; without a cell all nodes that have a flow."""
    nodes, cells = (result.data["metrics"][key] for key in ("nodes", "cells"))
    users = [user for cell in cells.values() for user in cell["users"]]
    busy = {*nodes, *(user for user, _ in bits)}
    return [node for node in users or nodes if node in busy]


def counted(result: Result, flow: str, link: str) -> list[tuple[str, str]]:
    """The (user, direction) for which a flow's packets on a link count, once for each end.

    Packets of a cell's user count on the air of any cell; without cells they count on the last link.
    """
    have, cells = result.flows[flow], result.data["metrics"]["cells"]
    cell, _, way = link.rpartition(".")
    if cell in cells:
        return [(have["to"], "received") if way == "down" else (have["from"], "sent")]
    if not cells and link == link_of(have):
        return [(have["to"], "received"), (have["from"], "sent")]
    return []


def bits_of(result: Result) -> Bits:
    """Count the bits of IP packets by user and time of delivery, of flows and of programs."""
    out: Bits = defaultdict(lambda: [0.0] * SLOTS)
    of = {(f, link): counted(result, f, link) for f in result.flows for link in result.data["links"]}
    for p in (p for some in result.traffic.sdus.values() for p in some if p.fate == DELIVERED):
        whose = of.get((p.flow, p.link), [])
        if p.flow == NO_FLOW and (user := result.traffic.user(p.link, p.bearer)):
            whose = [(user, "received" if p.link.endswith(".down") else "sent")]
        slot = min(int(p.end / 1e9 / result.end * SLOTS), SLOTS - 1)
        for one in whose:
            out[one][slot] += 8 * p.bytes
    return out


def draw_user(ax: Any, user: str, bits: Bits, unit: tuple[float, str], result: Result) -> None:
    """Draw one row; all rows have the same scale."""
    slot_s = result.end / SLOTS
    at_s = [n * slot_s for n in range(SLOTS + 1)]
    words = []
    for did, colour in COLOURS.items():
        if (user, did) in bits:
            rates = [b / slot_s / unit[0] for b in bits[user, did]]
            ax.step(at_s, [*rates, rates[-1]], where="post", color=colour, linewidth=0.8, label=did)
        if (bps := result.data["metrics"]["nodes"].get(user, {}).get(f"{did}_bps")) is not None:
            words.append(f"{did} {rate_text(bps)}")
    for one in result.data.get("moves", []):
        if one["user"] == user:
            ax.axvline(one["time_s"], color=QUIET, linewidth=0.9, linestyle=(0, (4, 3)))
            at = (one["time_s"], 1.0)
            ax.annotate(one["to"], at, xycoords=("data", "axes fraction"), fontsize=7, va="top")
    ax.set_xlim(0, result.end)
    ax.set_ylabel(user, rotation=0, ha="right", va="center")
    ax.annotate(
        ", ".join(words), (1.0, 0.5), xycoords="axes fraction", xytext=(4, 0), textcoords="offset points",
        va="center", fontsize=8,
    )  # fmt: skip


def draw(result: Result, png: Path) -> None:
    """Draw all rows in the order of cells, with one scale of the rate."""
    bits = bits_of(result)
    users = users_of(result, bits)
    most = max([8.0, *(b for some in bits.values() for b in some)]) * SLOTS / result.end
    unit = fit(most, RATE_UNITS)
    size = page.inches(10.0, 1.2 + ROW_INCHES * max(1, len(users)))
    plt, figure, axes = panels(len(users), 1, size, sharex=True, sharey=True)
    if not users:
        say(axes[0, 0], "no flow; packets of programs have no user where there is no cell")
    for ax, user in zip(axes[:, 0], users):
        draw_user(ax, user, bits, unit, result)
        ax.set_ylim(0, 1.1 * most / unit[0])
        ax.locator_params(axis="y", nbins=2)
    fair = [
        f"Jain's index {did} {have:.4f}"
        for did in COLOURS
        if (have := result.data["metrics"]["users"].get(f"{did}_jain")) is not None
    ]
    figure.suptitle(", ".join([f"Users of {result.data['name']}, seed {result.data['seed']}", *fair]))
    if legend := {label: line for ax in axes[:, 0] for line, label in zip(*ax.get_legend_handles_labels())}:
        figure.legend(legend.values(), legend, loc="upper right", ncol=2, frameon=False, fontsize=8)
    means = "; means on the right of payload" if result.data["metrics"]["nodes"] else ""
    axes[-1, 0].set_xlabel(f"time (s); rates of IP packets in {unit[1]}{means}")
    page.save(plt, figure, png, dpi=110)
