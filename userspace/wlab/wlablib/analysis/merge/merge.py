# SPDX-License-Identifier: GPL-2.0
"""`wlab merge`: merges logs of wlinkctl record of several machines by time.

The order of two events of different machines is certain if they are further
apart than the sum of their errors. Logs of one boot share a clock, without error.
"""

import heapq
import io
import json
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from ...lib.files import replacing
from ...lib.paths import LabError
from .clock import Clock
from .log import Event, Log, events, scan

PROGRESS_S = 5.0


@dataclass
class Member:
    """A log with its machine's clock."""

    log: Log
    machine: int
    clock: Clock
    events: int = 0
    error: int | None = 0

    def as_dict(self, index: int) -> dict[str, Any]:
        """Its entry in the first line; offset_ns converts the other times to TAI."""
        return {
            "log": index,
            "file": self.log.name,
            "host": self.log.host,
            "machine": self.machine,
            "synchronised": self.clock.synchronised,
            "offset_ns": self.clock.offset,
            "uncertainty_ns": self.clock.uncertainty,
            "steps_ns": self.clock.steps,
            "tai_utc_s": max(self.clock.tai_utc) if self.clock.tai_utc else None,
            "lost": self.log.lost,
            "truncated": self.log.truncated,
        }


@dataclass
class Merged:
    """The result of merging."""

    members: list[Member]
    events: int = 0
    unsure: int = 0
    last: tuple[int, int, int | None] | None = field(default=None, repr=False)

    @property
    def lost(self) -> int | None:
        counts = [m.log.lost for m in self.members]
        return None if None in counts else sum(c or 0 for c in counts)

    @property
    def order_error(self) -> int | None:
        """The sum of the errors of the two worst machines; 0 if there is only one."""
        worst: dict[int, int] = {}
        for m in self.members:
            if m.error is None and len({other.machine for other in self.members}) > 1:
                return None
            worst[m.machine] = max(worst.get(m.machine, 0), m.error or 0)
        return sum(sorted(worst.values())[-2:]) if len(worst) > 1 else 0

    def count(self, event: Event, error: int | None) -> None:
        """Count the next event."""
        member = self.members[event.log]
        member.events += 1
        member.error = None if error is None or member.error is None else max(member.error, error)
        if self.last and self.last[0] != member.machine:
            _, before, other = self.last
            self.unsure += error is None or other is None or event.tai - before <= error + other
        self.events += 1
        self.last = member.machine, event.tai, error

    def as_dict(self) -> dict[str, Any]:
        """What --json prints."""
        logs = [m.as_dict(i) | {"events": m.events, "error_ns": m.error} for i, m in enumerate(self.members)]
        return {
            "lost": self.lost,
            "events": self.events,
            "order_error_ns": self.order_error,
            "unsure": self.unsure,
            "logs": logs,
        }


def members(paths: list[Path]) -> list[Member]:
    """The logs, each with the clock of its boot."""
    logs: list[Log] = []
    for path in paths:
        if path.exists() and any(path.samefile(log.path) for log in logs):
            raise LabError(f"{path} is given twice")
        logs.append(scan(path))
    machines: dict[str, list[Log]] = {}
    for i, log in enumerate(logs):
        machines.setdefault(log.boot or f"unknown {i}", []).append(log)
    out: dict[str, Member] = {}
    for number, same in enumerate(machines.values()):
        clock = Clock(s for log in same for s in log.samples)
        out |= {log.name: Member(log, number, clock) for log in same}
    return [out[log.name] for log in logs]


def check_tai(among: list[Member]) -> None:
    """Refuse logs whose TAI - UTC differ: their times are seconds apart."""
    known = [m for m in among if m.clock.tai_utc]
    for m in known[1:]:
        if m.clock.tai_utc & known[0].clock.tai_utc:
            continue
        texts = [f"{member.log.name} has {offset(member)}" for member in (known[0], m)]
        raise LabError(
            f"TAI - UTC differs: {texts[0]}, {texts[1]}; set it in the kernels (chronyd: leapsectz,"
            " ntpd: leapfile), or order by UTC with --utc"
        )


def offset(member: Member) -> str:
    seconds = max(member.clock.tai_utc, default=0)
    return f"{seconds} s" if seconds else "0 s (not set)"


def to_utc(among: list[Member]) -> None:
    """Convert all offsets to UTC."""
    done = set()
    for m in among:
        if m.machine in done:
            continue
        done.add(m.machine)
        if not m.clock.tai_utc:
            raise LabError(f"{m.log.name} has no TAI - UTC, so UTC is unknown")
        m.clock.offset -= max(m.clock.tai_utc) * 10**9


def meter(total: int) -> Callable[[int], None]:
    """Progress lines every PROGRESS_S, by bytes read."""
    done, printed_at = 0, time.monotonic()

    def read(n: int) -> None:
        nonlocal done, printed_at
        done += n
        now = time.monotonic()
        if now - printed_at >= PROGRESS_S:
            printed_at = now
            print(f"# merge: {done / 1e6:.0f} of {total / 1e6:.0f} MB", file=sys.stderr, flush=True)

    return read


def write(among: list[Member], f: IO[str], utc: bool) -> Merged:
    """Write all lines: the description of the logs, the events, the totals."""
    result = Merged(among)
    read = meter(sum(m.log.size for m in among))
    scale = "utc" if utc else "tai"
    key = f"{scale}_ns"
    encode = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode
    f.write(encode({"merge": {"clock": scale, "logs": [m.as_dict(i) for i, m in enumerate(among)]}}) + "\n")
    for event in heapq.merge(*(events(m.log, i, m.clock, read) for i, m in enumerate(among))):
        error = among[event.log].clock.error(event.mono)
        result.count(event, error)
        record = event.record
        record.pop("tai_ns", None)
        f.write(encode({"log": event.log, key: event.tai, "error_ns": error, **record}) + "\n")
    end = result.as_dict()
    del end["logs"]
    f.write(encode(end) + "\n")
    return result


def merge(paths: list[Path], out: Path | None, utc: bool) -> Merged:
    """Merge into a file, atomically, or to standard output."""
    among = members(paths)
    if utc:
        to_utc(among)
    else:
        check_tai(among)
    if out is None:
        with open(1, "w", encoding="utf-8", closefd=False) as f:
            try:
                result = write(among, f, utc)
                f.flush()
            except BrokenPipeError:
                os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
                raise LabError("standard output was closed") from None
        return result
    if any(out.exists() and out.samefile(m.log.path) for m in among):
        raise LabError(f"--out {out} is one of the logs")
    with replacing(out) as file:
        f = io.TextIOWrapper(file, encoding="utf-8")
        result = write(among, f, utc)
        f.detach()
    return result


def span(ns: int) -> str:
    """Print a time with three digits."""
    for unit, size in (("s", 10**9), ("ms", 10**6), ("us", 10**3)):
        if ns >= size:
            return f"{ns / size:.3g} {unit}"
    return f"{ns} ns"


def as_text(result: Merged) -> str:
    """What `wlab merge` prints."""
    lost = "an unknown number of" if result.lost is None else str(result.lost)
    lines = [f"{len(result.members)} logs, {result.events} events, {lost} lost"]
    for m in result.members:
        words = [f"{m.events} events"]
        if m.error is None:
            words.append("NOT SYNCHRONISED: the order of its events among the others' is unknown")
        else:
            words.append(f"synchronised, error at most {span(m.error)}")
        if m.clock.steps:
            words.append(f"clock set {len(m.clock.steps)} times, first by {m.clock.steps[0] / 1e9:+.9f} s")
        if not max(m.clock.tai_utc, default=0):
            words.append("TAI - UTC not set")
        if m.log.truncated:
            words.append("last line cut off")
        if m.log.lost is None:
            words.append("no last line, so the number of lost events is unknown")
        elif m.log.lost:
            words.append(f"{m.log.lost} lost")
        lines.append(f"{m.log.name} ({m.log.host or 'unknown host'}): {'; '.join(words)}")
    lines.append(order_text(result))
    return "\n".join(lines)


def order_text(result: Merged) -> str:
    if len({m.machine for m in result.members}) == 1:
        return "one clock, one boot: the order is exact"
    if result.order_error is None:
        return f"order of events of different machines: no bound; {result.unsure} neighbours may be swapped"
    return (
        f"order of events of different machines: certain where they are more than"
        f" {span(result.order_error)} apart; {result.unsure} neighbours are closer than their errors"
    )
