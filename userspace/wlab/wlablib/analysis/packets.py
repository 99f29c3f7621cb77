# SPDX-License-Identifier: GPL-2.0
"""Follows packets over both legs to the UE, in a run's event log. The code is hashed, see inputs.py."""

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from ..lib.paths import LabError

WIRED, DOWN = "wired.down", "radio.down"
Key = tuple[bytes, bytes, bytes]
Number = TypeVar("Number", int, float)

# The line of one SDU; guest/log/event.c has the columns. One regular expression over the log
# takes a third of the time that splitting all lines would.
SDU = re.compile(
    rb"^sdu\t\d+\t(wired|radio)\.down\t([^\t]+)\tforth(?:\t\d+){6}\t(\w+)"
    rb"\t(-?\d+)\t-?\d+\t(-?\d+)\t(-?\d+)\t(\d+)\t([1-9]\d*)\t",
    re.MULTILINE,
)


def sdus(log: bytes, flows: set[bytes]) -> Iterator[tuple[bool, Key, bytes, int, int]]:
    """(on the wired leg?, key, drop reason, arrival, delivery) of each SDU with payload."""
    for leg, flow, drop, arrival, end, deliver, seq, payload in SDU.findall(log):
        # Packets that arrive while the links are removed have end = arrival.
        if flow in flows and not (drop == b"flush" and arrival == end):
            yield leg == b"wired", (flow, seq, payload), drop, int(arrival), int(deliver)


def rank(order: list[Number], percent: int) -> Number:
    """A percentile by nearest rank, as in result.json."""
    return order[(len(order) * percent + 99) // 100 - 1]


def path_delays(folder: Path, flows: list[str], from_ns: int = 0) -> list[int]:
    """Delays in ns of data packets from arrival at the server's device to delivery at the UE.

    Packets that arrive at the server's device before from_ns are left out. A packet is identified by its
    flow, TCP sequence number and payload length. Of retransmissions the n-th copy that leaves the wired
    leg, a FIFO queue, is the n-th that arrives at
    the radio leg; arrivals that are dropped there count, too.
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
