# SPDX-License-Identifier: GPL-2.0
"""Reads a log of wlinkctl record twice, first the clock lines, then the events, never all at once."""

import heapq
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...lib.files import parse_json, read_lines
from ...lib.paths import LabError
from ...lib.units import BadValue
from .clock import Clock, Sample, sample

# The recorder may write an event this many lines late.
WINDOW = 1024

CLOCK, LOST, MERGE = b'{"clock"', b'{"lost"', b'{"merge"'


@dataclass
class Log:
    """What the first pass finds."""

    path: Path
    samples: list[Sample] = field(default_factory=list)
    host: str | None = None
    boot: str | None = None
    lost: int | None = None
    truncated: bool = False
    size: int = 0

    @property
    def name(self) -> str:
        return str(self.path)

    def bad(self, number: int, what: str, line: bytes) -> LabError:
        text = line[:60].decode(errors="replace").rstrip("\n")
        return LabError(f"{self.name}, line {number}: {what}: {text!r}")


def parse(log: Log, number: int, line: bytes) -> dict[str, Any] | None:
    """Parse a line; None for a last line that is cut off."""
    try:
        record = parse_json(line)
        if isinstance(record, dict):
            return record
    except BadValue:
        if not line.endswith(b"\n"):
            return None
    raise log.bad(number, "not a JSON object", line)


def take_clock(log: Log, number: int, line: bytes) -> None:
    record = parse(log, number, line)
    if record is None:
        return
    try:
        log.samples.append(sample(record["clock"]))
        log.host = log.host or record["clock"].get("host")
        log.boot = log.boot or record["clock"].get("boot")
    except (KeyError, TypeError, AttributeError) as e:
        raise log.bad(number, f"a malformed clock line ({e})", line) from None


def take_lost(log: Log, number: int, line: bytes) -> None:
    record = parse(log, number, line)
    if record is not None:
        if type(record["lost"]) is not int or record["lost"] < 0:
            raise log.bad(number, "the count of lost events is not a number", line)
        log.lost = record["lost"]


def scan(path: Path) -> Log:
    """The first pass."""
    log = Log(path)
    number, ended, line = 0, 0, b"\n"
    # A pipe or a terminal cannot be read twice.
    if path.exists() and not path.is_file():
        raise LabError(f"{path} is not a regular file; merge reads each log twice")
    for number, line in enumerate(read_lines(path), 1):
        log.size += len(line)
        if ended:
            raise log.bad(number, f"the recording ended in line {ended}; use one file for each", line)
        if line.startswith(CLOCK):
            take_clock(log, number, line)
        elif line.startswith(LOST):
            take_lost(log, number, line)
            ended = number
        elif line.startswith(MERGE):
            raise LabError(f"{path} is a merged log; name the logs that it was made from")
    log.truncated = not line.endswith(b"\n") and parse(log, number, line) is None
    if not log.samples:
        raise LabError(f"{path} has no clock line in its {number} lines; wlinkctl record writes them")
    return log


@dataclass(order=True)
class Event:
    """An event; the fields that order events of all logs come first."""

    tai: int
    log: int
    number: int
    mono: int = field(compare=False)
    record: dict[str, Any] = field(compare=False)


def in_file(log: Log, index: int, offset: int, read: Callable[[int], None]) -> Iterator[Event]:
    """The second pass; read() gets the number of bytes of each line."""
    for number, line in enumerate(read_lines(log.path), 1):
        read(len(line))
        record = parse(log, number, line)
        if record is None:
            return
        if "event" not in record:
            if not record.keys() & {"clock", "lost", "link"}:
                raise log.bad(number, "neither an event nor a clock line", line)
            continue
        mono = record.get("ts_ns")
        if type(mono) is not int:
            raise log.bad(number, "an event without ts_ns", line)
        yield Event(mono + offset, index, number, mono, record)


def events(log: Log, index: int, clock: Clock, read: Callable[[int], None]) -> Iterator[Event]:
    """The events of a log in order of time."""
    waiting: list[Event] = []
    latest = None
    for event in in_file(log, index, clock.offset, read):
        if latest is not None and event.tai < latest:
            late = (latest - event.tai) / 1e9
            raise LabError(
                f"{log.name}, line {event.number}: {late:.6f} s earlier than an event"
                f" more than {WINDOW} lines above it; is it from another recording?"
            )
        heapq.heappush(waiting, event)
        if len(waiting) > WINDOW:
            first = heapq.heappop(waiting)
            latest = first.tai
            yield first
    while waiting:
        yield heapq.heappop(waiting)
