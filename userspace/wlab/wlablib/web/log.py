# SPDX-License-Identifier: GPL-2.0
"""The log of `wlinkctl record` as samples."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..lib.files import parse_json, read_lines
from ..lib.units import BadValue
from . import replay
from .backend import Refused

Record = dict[str, Any]
# A packet has about 1 KB of memory.
LINES_MAX = 1 << 20
# Links of a log that a page shows, those with most packets.
SHOWN = ("down", "up")


def records(path: Path) -> Iterator[Record]:
    for number, line in enumerate(read_lines(path), 1):
        try:
            record = parse_json(line)
        except BadValue:
            record = None
        if number > LINES_MAX:
            raise Refused(f"{path}: more than {LINES_MAX} lines, which no page shows")
        if not isinstance(record, dict):
            raise Refused(f"{path}:{number}: not a line of wlinkctl record")
        yield record


def packet(record: Record) -> Record:
    """Times and parts of one SDU, as in `wlab why`; what it waited for access is a part of its own."""
    out = {"arrival_ns": record["arrival_ns"], "bytes": record["bytes"], "drop": record["drop"]}
    if record["drop"] != "none":
        return {**out, "end_ns": max(record["ts_ns"], record["arrival_ns"])}
    times = [record[f"{name}_ns"] for name in ("arrival", "start", "end", "due", "whole", "deliver")]
    spans = [after - before for before, after in zip(times, times[1:])]
    waits = (record.get("access_ns", 0), record.get("access_tx_ns", 0))
    spans = [spans[0] - waits[0], spans[1] - waits[1], *spans[2:], sum(waits)]
    parts = dict(zip(("queue", "serial", "prop", "retx", "hol", "access"), spans))
    return {**out, "end_ns": times[-1], "parts": parts}


Rates = dict[str, list[tuple[int, int | None]]]


def add_rate(name: str, at_ns: int, old: int, new: int, rates: Rates, changes: list[Record]) -> None:
    """One change of a rate; the first one says what it was before. The greatest number is no limit."""
    known: list[int | None] = [None if bps >= 1 << 63 else bps for bps in (old, new)]
    rates.setdefault(name, [(0, known[0])]).append((at_ns, known[1]))
    text = f"rate {'unlimited' if known[1] is None else f'{known[1]} bit/s'}"
    changes.append({"t": at_ns, "keys": [name], "text": text})


def key(record: Record) -> str:
    return f"{record['dev']} {record['handle']} {record['bearer']}"


def page(path: Path) -> bytes:
    """A page of the two links with most packets, the one with more bytes as the downlink."""
    packets: dict[str, list[Record]] = {}
    rates: Rates = {}
    changes: list[Record] = []
    try:
        for record in records(path):
            if record.get("event") == "wlink_sdu":
                packets.setdefault(key(record), []).append(packet(record))
            elif record.get("event") == "wlink_rate":
                add_rate(key(record), record["at_ns"], record["old_bps"], record["new_bps"], rates, changes)
    except KeyError as error:
        raise Refused(f"{path}: a record without {error}") from None
    if not packets:
        raise Refused(f"{path}: no packet in it")
    size = {one: sum(int(packet["bytes"]) for packet in packets[one]) for one in packets}
    shown = sorted(packets, key=lambda one: -size[one])[: len(SHOWN)]
    keys = dict(zip(SHOWN, shown))
    return replay.of_packets(str(path.name), keys, packets, rates, changes)
