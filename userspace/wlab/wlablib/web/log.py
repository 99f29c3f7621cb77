# SPDX-License-Identifier: GPL-2.0
"""The log of `wlinkctl record` as samples."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..lib.delay import parts_of
from ..lib.files import parse_json, read_lines
from ..lib.units import UNLIMITED_BPS, BadValue
from . import replay
from .backend import Refused
from .replay import DELIVERED, Link, Packet

Record = dict[str, Any]
# A packet has about 1 KB of memory.
LINES_MAX = 1 << 20
# In `impaired`: it is a copy that the link has made.
COPY = 2
TIMES = ("arrival_ns", "start_ns", "end_ns", "due_ns", "whole_ns", "deliver_ns")
# The bearer of a record.
Bearer = tuple[str, int, str, int]


def number(record: Record, name: str, missing: int | None = None) -> int:
    value = record[name] if missing is None else record.get(name, missing)
    if type(value) is not int:
        raise KeyError(name)
    return value


def bearer_of(record: Record) -> Bearer:
    ifindex, handle = number(record, "ifindex", 0), str(record["handle"])
    return str(record["dev"]), ifindex, handle, number(record, "bearer")


def packet(record: Record) -> Packet:
    arrival, size = number(record, "arrival_ns"), number(record, "bytes")
    if record["drop"] != DELIVERED:
        end = max(number(record, "ts_ns"), arrival)
        left = min(max(number(record, "end_ns", arrival), arrival), end)
        return Packet(arrival, left, end, size, str(record["drop"]))
    times = [number(record, name) for name in TIMES]
    waits = (number(record, f"{name}_ns", 0) for name in ("access", "access_tx", "jitter"))
    return Packet(arrival, times[2], times[-1], size, DELIVERED, parts_of(times, *waits))


def limit(bps: int | float) -> int | float | None:
    """A rate; the greatest number is no limit."""
    return None if bps >= UNLIMITED_BPS else bps


def change(at_ns: int, key: str, bps: int | float, bearer: int = 0) -> Record:
    whose = f"bearer {bearer}: " if bearer else ""
    text = "unlimited" if limit(bps) is None else f"{bps:.0f} bit/s"
    return {"t": at_ns, "keys": [key], "text": f"{whose}rate {text}"}


@dataclass
class Log:
    """What a log has; times in ns."""

    path: Path
    links: dict[Bearer, Link] = field(default_factory=dict)
    rates: list[tuple[Bearer, int, int]] = field(default_factory=list)
    # Rates of what there was when it began, and when it ended.
    first: dict[Bearer, int | None] = field(default_factory=dict)
    last: dict[Bearer, int | None] = field(default_factory=dict)
    times: list[int] = field(default_factory=list)
    lost: int | None = None
    notes: list[str] = field(default_factory=list)

    def records(self) -> Iterator[tuple[int, Record]]:
        for at, line in enumerate(read_lines(self.path), 1):
            try:
                record = parse_json(line)
            except BadValue:
                record = None
                if not line.endswith(b"\n") and at > 1:
                    self.notes.append(
                        f"the log ends in the middle of line {at}; what came after it is not known"
                    )
                    return
            if at > LINES_MAX:
                raise Refused(f"{self.path}: more than {LINES_MAX} lines, which no page shows")
            if not isinstance(record, dict):
                raise Refused(f"{self.path}:{at}: not a line of wlinkctl record")
            yield at, record

    def read(self) -> None:
        for at, record in self.records():
            if "merge" in record:
                raise Refused(f"{self.path} is a merged log; name one of the logs that it was made from")
            try:
                self.take(record)
            except (KeyError, TypeError) as error:
                raise Refused(f"{self.path}:{at}: a record without {error}") from None
        if not self.links:
            raise Refused(f"{self.path}: no packet in it")
        if self.lost is None and not self.notes:
            self.notes.append("the log has no last line: the recording was cut off")
        elif self.lost:
            self.notes.append(f"{self.lost} events were lost in the recording: packets are missing here")

    def take(self, record: Record) -> None:
        if "clock" in record:
            self.times.append(number(record["clock"], "mono_ns"))
        elif "lost" in record:
            self.lost = number(record, "lost")
        elif "link" in record:
            self.take_look(record["link"])
        elif "event" in record:
            self.take_event(record, str(record["event"]).removeprefix("wlink_"))

    def take_look(self, look: Record) -> None:
        """What there was when the recording began, behind its first clock line, or when it ended."""
        bearer = bearer_of(look)
        known = self.first if len(self.times) < 2 else self.last
        known[bearer] = None if look["rate_bps"] is None else number(look, "rate_bps")
        self.links.setdefault(bearer, Link())

    def take_event(self, record: Record, kind: str) -> None:
        if kind not in ("sdu", "rate", "grant"):
            return
        bearer = bearer_of(record)
        link = self.links.setdefault(bearer, Link())
        if kind == "grant":
            link.grants.append((number(record, "at_ns"), number(record, "bytes")))
        elif kind == "rate":
            at_ns, old, new = (number(record, name) for name in ("at_ns", "old_bps", "new_bps"))
            self.rates.append((bearer, at_ns, new))
            # The first change says what the rate was before.
            link.rates = [*(link.rates or [(0, limit(old))]), (at_ns, limit(new))]
        elif not number(record, "impaired", 0) & COPY:
            link.packets.append(packet(record))

    def complete(self) -> None:
        """Rates that never change, and what is gone at the end."""
        known = {**self.last, **self.first}
        for bearer, link in self.links.items():
            if not link.rates and bearer in known:
                link.rates = [(0, known[bearer])]
            if self.lost is not None and bearer in self.first and bearer not in self.last:
                self.notes.append(f"{self.keys()[bearer]}: removed before the end of the recording")

    def keys(self) -> dict[Bearer, str]:
        """Names of bearers, with the number of a device where several had its name."""
        several = {dev for dev, *_ in self.links if len({one[1] for one in self.links if one[0] == dev}) > 1}
        return {
            one: f"{one[0]}{f' ifindex {one[1]}' if one[0] in several else ''} {one[2]} {one[3]}"
            for one in self.links
        }

    def span(self) -> tuple[int, int]:
        """From the first clock line to the last one, or the last packet after it."""
        packets = [p for link in self.links.values() for p in link.packets]
        first = min(self.times) if self.times else min((p.arrival for p in packets), default=0)
        return first, max(*self.times, *(p.end for p in packets), first + 1)


def page(path: Path) -> tuple[bytes, list[str]]:
    """A page of all links in it, and what is to be said of the log."""
    log = Log(path)
    log.read()
    log.complete()
    keys = log.keys()
    changes = [change(at_ns, keys[bearer], new) for bearer, at_ns, new in log.rates]
    links = {keys[bearer]: link for bearer, link in log.links.items()}
    return replay.of_links(str(path.name), links, log.span(), changes, log.notes), log.notes
