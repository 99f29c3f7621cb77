# SPDX-License-Identifier: GPL-2.0
"""Draws how one SDU came over a link, with those beside it: sent, lost, asked for, repeated, delivered."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...lib import page
from ...lib.paths import LabError
from .. import why
from .data import Result
from .run import CHOSEN, DROPPED, RECEIVED, SENT, panels

# SDUs before it and behind it.
BEFORE, BEHIND = 1, 2
SEQ = 7
SENDER, RECEIVER, ABOVE = 1.0, 0.0, -0.4


@dataclass(frozen=True)
class Way:
    """An SDU that was delivered; times in ms from the arrival of the first one of a picture."""

    seq: int
    pdus: int
    lost: int
    start: float
    end: float
    due: float
    whole: float
    deliver: float

    @property
    def repeated(self) -> float:
        """When the repetition that made it whole had been sent: as long before its reception as the rest."""
        return self.whole - (self.due - self.end)


def ways(result: Result, seq: int) -> list[Way]:
    """SDU `seq` of the link that plots show, and those beside it; a LabError if it was not delivered."""
    have = {}
    for words, _, _, copy in why.sdus(result.folder):
        number = int(words[SEQ])
        near = seq - BEFORE <= number <= seq + BEHIND
        if words[why.LINK] == result.link and near and words[why.DROP] == "none" and not copy:
            have[number] = words
    if seq not in have:
        raise LabError(f"--sdu {seq}: {result.folder} has no SDU {seq} that {result.link} has delivered")
    zero = min(int(words[why.ARRIVAL]) for words in have.values())
    out = []
    for number, words in sorted(have.items()):
        _, start, end, due, whole, deliver = ((int(words[i]) - zero) / 1e6 for i in why.TIMES)
        out.append(Way(number, int(words[why.PDUS]), int(words[why.LOST]), start, end, due, whole, deliver))
    return out


def status_ms(result: Result, way: Way) -> float | None:
    """When the report that answers the poll of its last PDU comes to the sender, by the reverse path.

    None where that is not how its repetition came about.
    """
    options = result.options(result.link)
    back = options.get("reverse") or {}
    if options.get("mode") != "am" or not back.get("rate_bps") or way.whole <= way.due:
        return None
    size = options["pdu_bytes"] + options["header_bytes"]
    delay_ns = options["delay_ns"] if back.get("delay_ns") is None else back["delay_ns"]
    at = way.due + 8e3 * size / back["rate_bps"] + delay_ns / 1e6
    return at if at <= way.repeated - options["tti_ns"] / 1e6 else None


def arrow(ax: Any, begin: tuple[float, float], end: tuple[float, float], colour: str, text: str = "") -> None:
    style = {"arrowstyle": "-|>", "color": colour, "linewidth": 1.2, "shrinkA": 0, "shrinkB": 0}
    ax.annotate("", end, begin, arrowprops=style)
    if text:
        middle = ((begin[0] + end[0]) / 2, (begin[1] + end[1]) / 2)
        box = {"facecolor": "white", "edgecolor": "none", "pad": 1.0}
        ax.annotate(text, middle, color=colour, va="center", ha="center", fontsize=8, bbox=box)


def draw_way(ax: Any, result: Result, way: Way) -> None:
    """Draw one SDU between sender and receiver."""
    bar = {"linewidth": 7, "solid_capstyle": "butt"}
    again = way.whole > way.due
    ax.plot([way.start, way.end], [SENDER] * 2, color=RECEIVED, **bar)
    ax.annotate(f"{way.seq}", ((way.start + way.end) / 2, SENDER + 0.1), fontsize=8, ha="center")
    text = f"{way.lost} of {way.pdus - way.lost} PDUs lost" if again else ""
    arrow(ax, (way.end, SENDER), (way.due, RECEIVER), DROPPED if again else SENT, text)
    if again:
        tti = result.options(result.link).get("tti_ns", 0) / 1e6
        if (status := status_ms(result, way)) is not None:
            arrow(ax, (way.due, RECEIVER), (status, SENDER), CHOSEN, "status")
        ax.plot([way.repeated - tti, way.repeated], [SENDER] * 2, color=DROPPED, **bar)
        arrow(ax, (way.repeated, SENDER), (way.whole, RECEIVER), DROPPED, "repeated")
        ax.plot([way.due, way.whole], [RECEIVER] * 2, color="#e6a0a0", **bar)
    if way.deliver > way.whole:
        ax.plot([way.whole, way.deliver], [RECEIVER - 0.06] * 2, color="#f0c890", **bar)
    ax.plot([way.deliver], [ABOVE], marker="v", color="#222222", markersize=5)


def draw(result: Result, seq: int, png: Path) -> None:
    """Draw the ways of an SDU and those beside it; what is delivered at once is named together."""
    some = ways(result, seq)
    plt, figure, ((ax,),) = panels(1, 1, page.inches(9.0, 3.6))
    for way in some:
        draw_way(ax, result, way)
    for at in sorted({way.deliver for way in some}):
        text = ", ".join(str(way.seq) for way in some if way.deliver == at)
        ax.annotate(text, (at, ABOVE - 0.22), fontsize=8, ha="center")
    ax.set_yticks([SENDER, RECEIVER, ABOVE], ["sender", "receiver", "delivered"])
    ax.set_ylim(ABOVE - 0.3, SENDER + 0.3)
    ax.grid(axis="y", visible=False)
    ax.set_xlabel("time (ms)")
    figure.suptitle(f"{result.data['name']}, {result.link}, SDU {seq}")
    page.save(plt, figure, png, dpi=110)
