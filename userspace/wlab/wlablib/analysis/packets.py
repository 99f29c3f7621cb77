# SPDX-License-Identifier: GPL-2.0
"""Packets followed through both legs of the way to the UE, from the event log of a run."""

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from ..lib.paths import LabError

WIRED, DOWN = "wired.down", "radio.down"
Key = tuple[bytes, bytes, bytes]
Number = TypeVar("Number", int, float)

# One SDU's line; guest/log/event.c has the columns. A regular expression over the whole log
# takes a third of the time of splitting all its lines.
SDU = re.compile(
    rb"^sdu\t\d+\t(wired|radio)\.down\t([^\t]+)\tforth(?:\t\d+){6}\t(\w+)"
    rb"\t(-?\d+)\t-?\d+\t(-?\d+)\t(-?\d+)\t(\d+)\t([1-9]\d*)\t",
    re.MULTILINE,
)


def sdus(log: bytes, flows: set[bytes]) -> Iterator[tuple[bool, Key, bytes, int, int]]:
    """(on the wired leg?, key, why dropped, arrival, delivery) of each SDU with payload."""
    for leg, flow, drop, arrival, end, deliver, seq, payload in SDU.findall(log):
        # Packets still move while the links are removed; the log has those arrivals at the end.
        if flow in flows and not (drop == b"flush" and arrival == end):
            yield leg == b"wired", (flow, seq, payload), drop, int(arrival), int(deliver)


def rank(order: list[Number], percent: int) -> Number:
    """Nearest rank, as in result.json."""
    return order[(len(order) * percent + 99) // 100 - 1]


def path_delays(folder: Path, flows: list[str], from_ns: int = 0) -> list[int]:
    """Times, in ns, of data packets from arrival at the server's device to delivery at the UE.

    Of packets that arrive at the server's device from from_ns on. A packet is known by its
    flow, its TCP sequence number and its payload. Where TCP sends the same again, the wired leg,
    which is a queue, keeps the order: the n-th copy that leaves it is the n-th that arrives at
    the radio leg. All arrivals there count for this, also those that are dropped.
    """
    wired: dict[Key, list[int]] = defaultdict(list)
    radio: dict[Key, list[tuple[int, int]]] = defaultdict(list)
    log = (folder / "events.tsv").read_bytes()
    for on_wire, key, drop, arrival, deliver in sdus(log, {f.encode() for f in flows}):
        if not on_wire:
            radio[key].append((arrival, deliver if drop == b"none" else -1))
        elif drop == b"none":
            wired[key].append(arrival)
    out = []
    for key, arrivals in radio.items():
        sent = sorted(wired[key])
        if len(sent) < len(arrivals):
            raise LabError(f"the event log lacks packets of {WIRED}, which must be a wlink")
        for begin, (_, end) in zip(sent, sorted(arrivals)):
            if end >= 0 and begin >= from_ns:
                out.append(end - begin)
    return out
