#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""An independent judge of the engine.

Reads scenarios and what the engine made of them (from the program emit), works
each out anew from Documentation/model.md, PDU by PDU and TTI by TTI in exact
fractions, and compares: oracle.py FILE
Only scenarios without chance; no number of the engine is used but the first
state of the channel.
"""

from __future__ import annotations

import math
import sys
from collections import deque
from dataclasses import dataclass, field
from fractions import Fraction

from verdicts import main

NEVER = 2**64 - 1
ALWAYS = 2**32 - 1
SECOND = 10**9
NONE, OVERFLOW, CHANNEL, FLUSH = 0, 1, 2, 4
UNIFORM, GILBERT = 1, 2
LIMIT_PACKETS, LIMIT_BYTES = 0, 1


@dataclass(frozen=True)
class Cfg:
    """One line `cfg` of a scenario."""

    rate: int
    tti: int
    delay: int
    pdu: int
    header: int
    limit_kind: int
    limit: int
    kind: int
    loss: int
    p: int
    r: int
    loss_good: int
    loss_bad: int


@dataclass
class Sdu:
    """Its life; times as in the engine's record."""

    seq: int
    arrival: int
    bytes: int
    left: int
    start: int = NEVER
    end: int = 0
    deliver: int = 0
    drop: int = NONE
    pdus: int = 0
    lost: int = 0
    generation: int = 0


@dataclass
class Pdu:
    """On the air of a link without TTIs."""

    sdu: Sdu
    bytes: int
    lost: bool
    bits_left: Fraction
    since: Fraction


@dataclass
class Totals:
    """Counters that are compared at the end."""

    pdus: int = 0
    lost: int = 0
    air: int = 0
    sdus_max: int = 0
    bytes_max: int = 0


@dataclass
class Link:
    """The model. Events at one time: end, change, start, arrival."""

    cfg: Cfg
    origin: int
    bad: bool
    usual: int = 0
    waiting: Cfg | None = None
    change_at: int = 0
    generation: int = 0
    queue: deque[Sdu] = field(default_factory=deque)
    air: list[Sdu] = field(default_factory=list)
    air_ends: int = 0
    pipe: deque[Sdu] = field(default_factory=deque)
    pdu: Pdu | None = None
    start_at: int | None = None
    debt_free_from: Fraction | None = None
    credit: Fraction = Fraction(0)
    frame_at: int = 0
    last_deliver: int = 0
    seq: int = 0
    done: list[Sdu] = field(default_factory=list)
    totals: Totals = field(default_factory=Totals)

    def __post_init__(self) -> None:
        self.frame_at = self.origin
        self.usual = self.cfg.rate

    # --- channel ---------------------------------------------------------

    def frame(self) -> None:
        """One frame passes; p and r are 0 or 1."""
        if self.cfg.kind == GILBERT:
            turn = self.cfg.r if self.bad else self.cfg.p
            assert turn in (0, ALWAYS)
            self.bad ^= turn == ALWAYS

    def frames_until(self, now: int) -> None:
        """The TTIs that have begun since the last look, idle or not."""
        if self.cfg.kind == GILBERT:
            for _ in range(self._parity((now - self.frame_at) // self.cfg.tti)):
                self.frame()
        self.frame_at = now

    @staticmethod
    def _parity(frames: int) -> int:
        """Where p and r are 0 or 1, more than four frames only repeat."""
        return frames if frames < 4 else 4 + frames % 2

    def fatal(self) -> bool:
        """Whether a PDU that begins now is lost."""
        chance = 0
        if self.cfg.kind == UNIFORM:
            chance = self.cfg.loss
        elif self.cfg.kind == GILBERT:
            chance = self.cfg.loss_bad if self.bad else self.cfg.loss_good
        assert chance in (0, ALWAYS)
        return chance == ALWAYS

    # --- life of a SDU -----------------------------------------------------

    def buffered(self) -> list[Sdu]:
        """Arrived and not sent to the last bit."""
        return self.air + list(self.queue)

    def finish(self, sdu: Sdu, now: int, why: int) -> None:
        """It is dropped; one whose last bit has gone ended then."""
        if sdu not in self.pipe:
            sdu.end = now
        sdu.drop, sdu.generation = why, self.generation
        self.done.append(sdu)

    def full(self, others: list[Sdu], size: int) -> bool:
        """Whether a SDU has no room beside others."""
        held = sum(s.bytes for s in others)
        if self.cfg.limit_kind == LIMIT_PACKETS:
            return len(others) >= self.cfg.limit
        room = self.cfg.limit
        if self.cfg.limit_kind != LIMIT_BYTES:
            room = self.usual * self.cfg.limit // (8 * SECOND)
        return bool(others) and held + size > room

    def trim(self, now: int) -> None:
        """The limit has changed: the last go, but none that has been begun."""
        kept = self.air + [sdu for sdu in self.queue if sdu.start != NEVER]
        waiting = [sdu for sdu in self.queue if sdu.start == NEVER]
        while waiting and not self.full(kept, waiting[0].bytes):
            kept.append(waiting.pop(0))
        for sdu in waiting:
            self.queue.remove(sdu)
            self.finish(sdu, now, OVERFLOW)

    def arrive(self, now: int, size: int) -> None:
        """A SDU comes."""
        sdu = Sdu(self.seq, now, size, size)
        self.seq += 1
        count = len(self.buffered())
        held = sum(s.bytes for s in self.buffered())
        if self.full(self.buffered(), size):
            self.finish(sdu, now, OVERFLOW)
            return
        self.queue.append(sdu)
        self.totals.sdus_max = max(self.totals.sdus_max, count + 1)
        self.totals.bytes_max = max(self.totals.bytes_max, held + size)
        if self.start_at is None and self.pdu is None:
            self.wake(now)

    def wake(self, now: int) -> None:
        """The queue has something: when does sending begin?"""
        if not self.cfg.rate:
            return
        if self.cfg.tti:
            passed = (now - self.origin) // self.cfg.tti
            self.start_at = self.origin + (passed + 1) * self.cfg.tti
        else:
            self.start_at = now

    def sent(self, sdu: Sdu, now: int) -> None:
        """Its last bit has gone."""
        if sdu.lost:
            self.finish(sdu, now, CHANNEL)
            return
        sdu.end, sdu.generation = now, self.generation
        sdu.deliver = max(now + self.cfg.delay, self.last_deliver)
        self.last_deliver = sdu.deliver
        self.pipe.append(sdu)

    def next_pdu(self, sdu: Sdu) -> int:
        """Size of its next PDU."""
        return min(self.cfg.pdu, sdu.left) if self.cfg.pdu else sdu.left

    def account(self, sdu: Sdu, lost: bool) -> None:
        """A PDU of it goes on the air."""
        sdu.pdus += 1
        sdu.lost += lost

    def count(self, size: int, lost: bool) -> None:
        """The same for the link's counters."""
        self.totals.pdus += 1
        self.totals.lost += lost
        self.totals.air += size + self.cfg.header

    # --- sending -------------------------------------------------------------

    def start(self, now: int) -> None:
        """A TTI or a PDU begins."""
        self.start_at = None
        if self.cfg.tti:
            self.start_tti(now)
            return
        sdu = self.queue[0]
        sdu.start = min(sdu.start, now)
        self.frame()
        size = self.next_pdu(sdu)
        begin = Fraction(now)
        if self.debt_free_from is not None:
            begin = self.debt_free_from
        self.debt_free_from = None
        self.pdu = Pdu(sdu, size, self.fatal(), Fraction(8 * size), begin)
        self.count(size, self.pdu.lost)

    def start_tti(self, now: int) -> None:
        """Send whole PDUs while bits last."""
        self.frames_until(now)
        self.credit += Fraction(self.cfg.rate * self.cfg.tti, SECOND)
        while self.queue:
            sdu = self.queue[0]
            if self.credit >= 1:
                sdu.start = min(sdu.start, now)
            size = self.next_pdu(sdu)
            if 8 * size > self.credit:
                break
            self.credit -= 8 * size
            sdu.left -= size
            self.account(sdu, self.fatal())
            self.count(size, self.fatal())
            if not sdu.left:
                self.air.append(self.queue.popleft())
                self.air_ends = now + self.cfg.tti
        if self.queue:
            self.start_at = now + self.cfg.tti
        else:
            self.credit = Fraction(0)

    def exact_end(self) -> Fraction:
        """When the last bit of the PDU on the air is gone."""
        assert self.pdu
        return self.pdu.since + self.pdu.bits_left * SECOND / self.cfg.rate

    def end_pdu(self, now: int) -> None:
        """Its end, on the next whole ns."""
        pdu, exact = self.pdu, self.exact_end()
        assert pdu
        self.pdu = None
        pdu.sdu.left -= pdu.bytes
        self.account(pdu.sdu, pdu.lost)
        if not pdu.sdu.left:
            self.queue.popleft()
        if self.queue:
            self.wake(now)
            if not self.cfg.tti:
                self.debt_free_from = exact
        if not pdu.sdu.left:
            self.sent(pdu.sdu, now)

    # --- change --------------------------------------------------------------

    def ask(self, now: int, cfg: Cfg) -> None:
        """A change is asked for; all up to now has happened."""
        if not self.cfg.tti:
            self.apply(now, cfg)
            return
        if not self.waiting:
            passed = (now - self.origin) // self.cfg.tti
            self.change_at = self.origin + (passed + 1) * self.cfg.tti
        self.waiting = cfg

    def apply(self, now: int, cfg: Cfg) -> None:
        """A change is in force."""
        self.waiting = None
        self.generation += 1
        if self.cfg.tti:
            self.frames_until(now)
        if self.pdu:
            gone = (now - self.pdu.since) * self.cfg.rate / SECOND
            self.pdu.bits_left -= gone
            self.pdu.since = Fraction(now)
        was, self.cfg = self.cfg, cfg
        self.usual = cfg.rate or self.usual
        if (was.limit_kind, was.limit) != (cfg.limit_kind, cfg.limit):
            self.trim(now)
        if cfg.kind != GILBERT:
            self.bad = False
        elif was.kind != GILBERT:
            # The stationary state: p without r is always bad.
            self.bad = cfg.p == ALWAYS and cfg.r == 0
        if not cfg.rate:
            # Silence: what has been collected for a PDU stays, a pause owes nothing.
            self.start_at = self.debt_free_from = None
        elif not was.rate and self.queue and not self.pdu:
            self.start_at = now
        if was.tti != cfg.tti:
            self.origin = self.frame_at = now
            self.credit = Fraction(0)
            self.debt_free_from = None
            if cfg.rate and self.queue and not self.pdu:
                self.start_at = now

    def flush(self, now: int) -> None:
        """All is dropped, what waits is in force."""
        for sdu in [*self.pipe, *self.buffered()]:
            self.finish(sdu, now, FLUSH)
        self.pipe.clear()
        self.air.clear()
        self.queue.clear()
        self.pdu = self.start_at = self.debt_free_from = None
        self.credit = Fraction(0)
        self.origin = now
        self.last_deliver = 0
        if self.waiting:
            self.apply(now, self.waiting)

    # --- time ------------------------------------------------------------------

    def run(self, until: int) -> None:
        """All events up to a time, that time included."""
        while True:
            ends = NEVER
            if self.air:
                ends = self.air_ends
            elif self.pdu and self.cfg.rate:
                ends = math.ceil(self.exact_end())
            change = self.change_at if self.waiting else NEVER
            start = NEVER if self.start_at is None else self.start_at
            now = min(ends, change, start)
            if now > until:
                break
            if now == ends and self.air:
                self.sent(self.air.pop(0), now)
            elif now == ends:
                self.end_pdu(now)
            elif now == change and self.waiting:
                self.apply(now, self.waiting)
            else:
                self.start(now)
        while self.pipe and self.pipe[0].deliver <= until:
            self.done.append(self.pipe.popleft())


def record(sdu: Sdu) -> list[int]:
    """As the engine prints it."""
    start = -1 if sdu.start == NEVER else sdu.start
    deliver = 0 if sdu.drop else sdu.deliver
    # How far a PDU on the air had come is not told of what is flushed.
    pdus = [0, 0] if sdu.drop == FLUSH else [sdu.pdus, sdu.lost]
    times = [sdu.seq, sdu.arrival, start, sdu.end, deliver, sdu.drop]
    return [*times, *pdus, sdu.generation]


def judge(lines: list[list[str]]) -> str:
    """Work out one scenario; return what differs first, or nothing."""
    link: Link | None = None
    origin, bad = (int(word) for word in lines[0][1:])
    theirs: list[list[int]] = []
    stats: list[int] = []
    flushed = False
    for word, *rest in lines[1:]:
        values = [int(value) for value in rest]
        if word == "cfg" and link is None:
            link = Link(Cfg(*values[1:]), origin, bool(bad))
            continue
        assert link
        if word == "sdu":
            if values[5] == FLUSH:
                values[6:8] = [0, 0]
            theirs.append(values)
            continue
        if word == "stats":
            stats = values
            continue
        link.run(values[0])
        if word == "cfg":
            link.ask(values[0], Cfg(*values[1:]))
        elif word == "send":
            link.arrive(*values)
            link.run(values[0])
        else:
            flushed = True
            link.flush(values[0])
    assert link
    link.run(NEVER - 1)
    ours = sorted(record(sdu) for sdu in link.done)
    for mine, other in zip(ours, sorted(theirs)):
        if mine != other:
            return f"SDU: engine {other}, oracle {mine}"
    if len(ours) != len(theirs):
        return f"{len(theirs)} SDUs, not {len(ours)}"
    totals = link.totals
    mine = [totals.pdus, totals.lost, totals.air]
    mine += [totals.sdus_max, totals.bytes_max]
    if not flushed and mine != stats:
        return f"stats: engine {stats}, oracle {mine}"
    return ""


if __name__ == "__main__":
    sys.exit(main("scenarios", judge))
