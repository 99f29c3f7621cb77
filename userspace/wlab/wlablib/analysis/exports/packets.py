# SPDX-License-Identifier: GPL-2.0
"""The packets and events of a result or of a log of wlinkctl record, for all formats the same."""

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from ...lib.delay import PARTS, parts_of
from ...lib.files import read_large, read_lines
from ...lib.paths import LabError
from .. import resultfile
from ..merge import log as mergelog
from ..merge.clock import Clock
from ..traffic import FORWARDED, NO_FLOW, flushes

# Fates; what is dropped has a reason, too.
DELIVERED, DROPPED, FORWARD, HELD = "delivered", "dropped", "forwarded", "held"
# Of a time that has not come.
NEVER = -1
PROTOCOLS = {1: "icmp", 6: "tcp", 17: "udp", 58: "icmp"}
# Columns of the lines before that of an SDU, where it has such lines.
BESIDE = {"access", "access_tx", "jitter", "impaired"}
# Of an SDU, in the log and, with _ns, in a recording.
TIMES = ("arrival", "start", "end", "due", "whole", "deliver")
# Columns of events that name what they are of.
WHOSE = ("link", "bearer", "flow")


class Sdu(NamedTuple):
    """A packet on one link; times in ns, NEVER if one has not come."""

    link: str
    bearer: int
    flow: str
    way: str
    seq: int
    generation: int
    bytes: int
    fate: str
    reason: str
    # When it left the link, or was dropped.
    at: int
    times: list[int]
    # Of its delay, by PARTS; empty if it was not delivered.
    parts: tuple[int, ...]
    pdus: int
    pdus_lost: int
    pdus_retx: int
    buffer: int
    # 1: with errors, 2: a copy that the link has made.
    impaired: int

    def words(self) -> dict[str, Any]:
        """What all formats say of it, in ms."""
        parts = zip(("delay", *PARTS), (sum(self.parts), *self.parts), strict=True) if self.parts else ()
        return {
            **({"reason": self.reason} if self.reason else {}),
            "flow": self.flow,
            "seq": self.seq,
            "pdus": self.pdus,
            "pdus_lost": self.pdus_lost,
            **{f"{name}_ms": ns / 1e6 for name, ns in parts},
        }


class Event(NamedTuple):
    """Anything else that the log has."""

    kind: str
    t: int
    # Of a flow's window the link is that of its data.
    link: str
    bearer: int
    flow: str
    data: dict[str, Any]


@dataclass
class Packets:
    """All that is written, in order of time."""

    name: str
    # Added to a time it is one in UTC; a run begins in 1970.
    utc_ns: int = 0
    sdus: list[Sdu] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    # Of each flow of TCP, in bytes.
    mss: dict[str, int] = field(default_factory=dict)
    # The first bytes of packets and their length on the link, by link and seq, where they are known.
    bytes: dict[tuple[str, int], tuple[bytes, int]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def number(text: str) -> int | str:
    return int(text) if re.fullmatch(r"-?\d+", text) else text


def rows(folder: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """Kind and columns of each line of the event log, whose first lines name them."""
    columns: dict[str, list[str]] = {}
    for at, raw in enumerate(read_lines(folder / "events.tsv"), 1):
        kind, *words = raw.decode(errors="replace").rstrip("\n").split("\t")
        if kind.startswith("# "):
            columns[kind[2:]] = words
        elif len(words) != len(columns.get(kind, ())):
            raise LabError(f"{folder}/events.tsv, line {at}: is from another wlab; run the scenario again")
        else:
            yield kind, dict(zip(columns[kind], words))


def rates(folder: Path, result: dict[str, Any]) -> dict[str, Iterator[dict[str, Any]]]:
    """By TCP flow the sender's rates at each of its events; none from before there were such series."""
    series = {name: resultfile.series(folder, result, f"{name}.rates") for name in result["flows"]}
    return {
        name: ({"pacing_bps": a, "delivery_bps": b} for _, a, b in resultfile.rows(path, int, int, int))
        for name, path in series.items()
    }


def of_result(folder: Path) -> Packets:
    """Those of a result folder."""
    result = resultfile.result(folder)
    resultfile.events(folder)
    out = Packets(f"{result['name']}, seed {result['seed']}", links=list(result["links"]))
    flushed = flushes(read_large(folder / "events.tsv"), result["links"])
    at_link = {name: resultfile.link_of(flow) for name, flow in result["flows"].items()}
    out.mss = {name: flow["mss"] for name, flow in result["flows"].items() if flow.get("mss")}
    before: dict[str, int] = {}
    senders = rates(folder, result)
    for kind, row in rows(folder):
        if kind in ("access", "impaired"):
            before |= {name: int(row[name]) for name in BESIDE & row.keys()}
        elif kind == "sdu":
            out.sdus.append(logged(row, before, flushed))
            before = {}
        else:
            data = {name: number(text) for name, text in row.items() if name not in ("t", *WHOSE)}
            flow = row.get("flow", NO_FLOW)
            if kind == "tcp":
                data |= next(senders[flow], {})
            where = row["link"] if "link" in row else at_link.get(flow, flow)
            out.events.append(Event(kind, int(row["t"]), where, int(row.get("bearer", 0)), flow, data))
    for path in sorted((folder / "capture").glob("*.pcapng")):
        out.bytes |= {(path.stem, seq): found for seq, found in captured(path)}
    return out


def logged(row: dict[str, str], before: dict[str, int], flushed: dict[str, set[int]]) -> Sdu:
    """A SDU of the event log, with what the lines before it have."""
    drop = row["drop"]
    held = drop == "flush" and int(row["t"]) not in flushed[row["link"]]
    fate = HELD if held else fate_of(drop)
    times = [int(row[name]) for name in TIMES]
    waits = (before.get("access", 0), before.get("access_tx", 0), before.get("jitter", 0))
    return Sdu(
        row["link"], int(row["bearer"]), row["flow"], row["way"], int(row["seq"]), int(row["gen"]),
        int(row["bytes"]), fate, drop if fate == DROPPED else "", int(row["t"]), times,
        parts_of(times, *waits) if fate == DELIVERED else (), int(row["pdus"]), int(row["pdus_lost"]),
        int(row["retx"]), int(row["buffer"]), before.get("impaired", 0),
    )  # fmt: skip


def fate_of(drop: str) -> str:
    return {"none": DELIVERED, FORWARDED: FORWARD}.get(drop, DROPPED)


def captured(path: Path) -> Iterator[tuple[int, tuple[bytes, int]]]:
    """The number of each packet of a run's capture, its bytes, and how long it was."""
    data, at = read_large(path), 0
    while at + 12 <= len(data):
        kind, length = struct.unpack_from("<II", data, at)
        if length < 12 or at + length > len(data):
            raise LabError(f"{path}, byte {at}: a block of {length} bytes")
        if kind == 6:
            have, whole = struct.unpack_from("<II", data, at + 20)
            found = re.search(rb" seq=(\d+) ", data[at + 28 + have : at + length])
            if found:
                yield int(found[1]), (data[at + 28 : at + 28 + have], whole)
        at += length


def of_log(path: Path) -> Packets:
    """Those of a log of wlinkctl record."""
    found = mergelog.scan(path)
    clock = Clock(found.samples)
    out = Packets(path.name, clock.offset - 10**9 * max(clock.tai_utc, default=0))
    if found.lost:
        out.notes.append(f"{found.lost} events were lost in the recording: packets are missing here")
    elif found.lost is None:
        out.notes.append("the log has no last line: the recording was cut off")
    for event in mergelog.events(found, 0, clock, lambda _: None):
        try:
            take(out, event.record)
        except (KeyError, TypeError, ValueError) as e:
            raise found.bad(event.number, f"a record without {e}", b"") from None
    out.links = list(dict.fromkeys([sdu.link for sdu in out.sdus] + [event.link for event in out.events]))
    return out


def take(out: Packets, record: dict[str, Any]) -> None:
    kind = record["event"].removeprefix("wlink_")
    link, bearer = f"{record['dev']} {record['handle']}", int(record["bearer"])
    if kind != "sdu":
        rest = ("event", "ts_ns", "tai_ns", "cpu", "dev", "ifindex", "handle", "bearer", "at_ns")
        data = {name: value for name, value in record.items() if name not in rest}
        out.events.append(Event(kind, int(record.get("at_ns", record["ts_ns"])), link, bearer, NO_FLOW, data))
        return
    fate = fate_of(record["drop"])
    times = [int(record[f"{name}_ns"]) or NEVER for name in TIMES]
    if fate != DELIVERED:
        times[3:] = [NEVER] * 3
    waits = [int(record.get(f"{name}_ns", 0)) for name in ("access", "access_tx", "jitter")]
    protocol = PROTOCOLS.get(int(record.get("proto", 0)))
    flow = f"{protocol}:{record['sport']}>{record['dport']}" if protocol else NO_FLOW
    out.sdus.append(
        Sdu(
            link, bearer, flow, "forth", int(record.get("seq", 0)), int(record.get("generation", 0)),
            int(record["bytes"]), fate, str(record["drop"]) if fate == DROPPED else "", int(record["ts_ns"]),
            times, parts_of(times, *waits) if fate == DELIVERED else (), int(record.get("pdus", 0)),
            int(record.get("pdus_lost", 0)), int(record.get("retx", 0)),
            int(record.get("buffer_sdus", record.get("buffer", 0))), int(record.get("impaired", 0)),
        )
    )  # fmt: skip


def read(path: Path) -> Packets:
    """Those of a result folder or of a log, with at least one packet."""
    out = of_result(path) if path.is_dir() else of_log(path)
    if not out.sdus:
        raise LabError(f"{path}: no packet has passed a wlink")
    # By when the lines were written, which follows the kernel; here by what the model says.
    out.sdus.sort(key=lambda sdu: sdu.at)
    out.events.sort(key=lambda event: event.t)
    return out
