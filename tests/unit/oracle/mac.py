#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""An independent judge of what the MAC does: HARQ, scheduling requests, DRX, idle, TDD, handover, cells.

Reads links, the fates of their transport blocks and what the engine made of them (from
emit_mac), works each out anew slot by slot from TS 36.321 and Documentation/model.md,
and compares to the nanosecond: mac.py FILE
Of the engine only the phases are taken, which it draws.
"""

from __future__ import annotations

import math
import sys
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from fractions import Fraction
from itertools import cycle

from verdicts import main

NEVER = 2**64 - 1
SECOND = 10**9
CHANNEL, FORWARD = 2, 11


@dataclass(frozen=True)
class Cfg:
    """The words of one link; phases are offsets from the first TTI."""

    now: int
    rate: int
    tti: int
    delay: int
    pdu: int
    tdd: str
    up: int
    symbols: int
    harq: int
    max: int
    rtt: int
    sr: int
    grant: int
    first: int
    sr_phase: int
    drx: int
    on: int
    inactivity: int
    short: int
    cycles: int
    drx_phase: int
    idle: int
    promotion: int
    paging: int
    paging_phase: int
    prio: int
    gbr: int


@dataclass
class Sdu:
    """Its life."""

    seq: int
    arrival: int
    bytes: int
    left: int
    start: int = NEVER
    tx_end: int = 0
    end: int = 0
    deliver: int = 0
    drop: int = 0
    lost: bool = False


@dataclass
class Block:
    """A transport block: what went in one slot."""

    process: int
    bits: int = 0
    parts: list[Sdu] = field(default_factory=list)
    ended: list[Sdu] = field(default_factory=list)
    sent: int = 0
    again: int = NEVER
    over: int = 0
    lost: bool = False


@dataclass(eq=False)
class Bearer:
    """Both peers. Events at one time: what waits, a slot, an arrival."""

    cfg: Cfg
    fates: Iterator[bool]
    origin: int = 0
    queue: deque[Sdu] = field(default_factory=deque)
    blocks: deque[Block] = field(default_factory=deque)
    free: list[int] = field(default_factory=list)
    handed_up: int = 0
    credit: Fraction = Fraction(0)
    debt: Fraction = Fraction(0)
    unpaid: int = NEVER
    begun: int = -1
    eligible: int = 0
    state: str = "none"
    then: str = "granted"
    until: int = NEVER
    rest: int = 0
    waits: list[tuple[int, int]] = field(default_factory=list)
    sdus: list[Sdu] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.origin = self.rest = self.cfg.now
        if self.cfg.tdd:
            length = len(self.cfg.tdd) * self.cfg.tti
            self.origin = self.cfg.now // length * length
        self.free = [0] * self.cfg.harq

    # --- slots -----------------------------------------------------------------

    def share(self, start: int) -> int:
        """How long of a slot this direction may send."""
        if not self.cfg.tdd:
            return self.cfg.tti
        slot = self.cfg.tdd[(start - self.origin) // self.cfg.tti % len(self.cfg.tdd)]
        if self.cfg.up:
            return self.cfg.tti if slot == "U" else 0
        return {"D": self.cfg.tti, "S": self.cfg.tti * self.cfg.symbols // 14, "U": 0}[slot]

    def boundary(self, time: int) -> int:
        """The first start of a slot, whichever way it goes, not before a time."""
        return time + (self.origin - time) % self.cfg.tti

    def own(self, time: int) -> int:
        """The first own slot not before a time."""
        start = self.boundary(time)
        while not self.share(start):
            start += self.cfg.tti
        return start

    def every(self, time: int, period: int, phase: int) -> int:
        """The first of what repeats not before a time."""
        return time + (self.origin + phase - time) % period

    # --- access ------------------------------------------------------------------

    def listens(self, start: int, period: int) -> int:
        """The start of the on-duration that a time is in, or of the next one."""
        following = self.every(start, period, self.cfg.drx_phase)
        before = following - period
        return before if before + self.cfg.on > start else following

    def reached(self, start: int) -> int:
        """TS 36.321 5.7: from when a connected receiver can be sent to."""
        active = self.rest + self.cfg.inactivity
        if not self.cfg.drx or start < active:
            return start
        if self.cfg.short:
            listens = self.listens(start, self.cfg.short)
            if listens < active + self.cfg.short * self.cfg.cycles:
                return max(listens, start)
        return max(self.listens(start, self.cfg.drx), start)

    def wait(self, since: int, until: int, then: str) -> None:
        """Nothing is sent before."""
        self.state, self.then, self.until = "waits", then, until
        self.waits.append((since, until))

    def ask(self, now: int) -> None:
        """The buffer has become non-empty: TS 36.321 5.4.4, 5.7, TS 36.304 7."""
        following = self.boundary(now + 1)
        start = self.own(following)
        if self.cfg.idle and now >= self.rest + self.cfg.idle:
            page = now
            if self.cfg.paging:
                page = self.every(following, self.cfg.paging, self.cfg.paging_phase)
            reach = page + self.cfg.promotion
            if reach > now:
                self.wait(now, reach, "granted")
                return
        elif (reach := self.reached(start)) > start:
            self.wait(now, reach, "granted")
            return
        elif self.cfg.sr:
            chance = self.own(self.every(following, self.cfg.sr, self.cfg.sr_phase))
            self.wait(now, chance + self.cfg.grant, "first")
            return
        self.state = "granted"

    # --- HARQ --------------------------------------------------------------------

    def transmit(self, block: Block, now: int) -> None:
        """A transmission of a block: TS 36.321 5.4.2.2."""
        round_trip = -(-self.cfg.rtt // self.cfg.tti) * self.cfg.tti
        again = self.own(now + round_trip)
        block.sent += 1
        lost = next(self.fates)
        if lost and block.sent < self.cfg.max:
            block.again = again
            self.free[block.process] = NEVER
            return
        block.again, block.over, block.lost = NEVER, now + self.cfg.tti, lost
        self.free[block.process] = again
        while self.blocks and self.blocks[0].over:
            self.hand_up(self.blocks.popleft())

    def hand_up(self, block: Block) -> None:
        """In the order of first transmissions: TS 25.321 11.6.2."""
        self.handed_up = max(self.handed_up, block.over)
        for sdu in block.parts:
            sdu.lost |= block.lost
        for sdu in block.ended:
            self.receive(sdu, self.handed_up)

    def receive(self, sdu: Sdu, end: int) -> None:
        """All of it has gone and its fate is known."""
        sdu.end = end
        if sdu.lost:
            sdu.drop = CHANNEL
        else:
            sdu.deliver = end + self.cfg.delay

    # --- sending -------------------------------------------------------------------

    def pay(self, now: int, given: Fraction) -> Fraction:
        """Slots since the first that has not paid have paid, also for what is owed since then."""
        at = self.unpaid
        while at < now:
            self.debt -= min(self.debt, Fraction(self.cfg.rate * self.share(at), SECOND))
            at += self.cfg.tti
        self.unpaid = now + self.cfg.tti
        paid = min(self.debt, given)
        self.debt -= paid
        return paid

    def slot(self, now: int) -> None:
        """An own slot: retransmissions have their bits first."""
        self.begun = now
        given = Fraction(self.cfg.rate * self.share(now), SECOND)
        if not self.sends() or now < self.eligible:
            return
        block = None
        if self.cfg.harq:
            idle = [i for i, time in enumerate(self.free) if time <= now]
            if not idle:
                return
            block = Block(idle[0])
        paid = self.pay(now, given)
        self.credit += given - paid
        if self.state == "first":
            # In whole bits; a fraction carries over.
            self.credit -= max(0, int(self.credit) - 8 * self.cfg.first)
        self.fill(now, block)
        if block and block.bits:
            self.blocks.append(block)
            self.transmit(block, now)
        if not self.queue:
            self.credit, self.state, self.rest = Fraction(0), "none", now + self.cfg.tti
        elif self.state == "first":
            self.report(now)

    def report(self, now: int) -> None:
        """A buffer status report has gone with a first grant: TS 36.321 5.4.5."""
        self.wait(now + self.cfg.tti, now + max(self.cfg.grant, self.cfg.tti), "granted")

    def fill(self, now: int, block: Block | None) -> None:
        """Whole PDUs while bits last."""
        while self.queue and self.credit >= 1:
            self.queue[0].start = min(self.queue[0].start, now)
            if self.bits() > self.credit:
                break
            self.credit -= self.bits()
            self.send(now + self.cfg.tti, block)

    def bits(self) -> int:
        """Of its next PDU."""
        left = self.queue[0].left
        return 8 * min(self.cfg.pdu or left, left)

    def send(self, end: int, block: Block | None) -> None:
        """It goes, and with the last bit of a SDU this has."""
        sdu, bits = self.queue[0], self.bits()
        sdu.left -= bits // 8
        if block:
            block.bits += bits
            if sdu not in block.parts:
                block.parts.append(sdu)
        if sdu.left:
            return
        self.queue.popleft()
        sdu.tx_end = end
        if block:
            block.ended.append(sdu)
        else:
            self.receive(sdu, end)

    def sends(self) -> bool:
        """Whether it has something to send, and may."""
        return bool(self.queue) and self.state in ("first", "granted")

    # --- time ----------------------------------------------------------------------

    def run(self, until: int) -> None:
        """All up to a time, that time included."""
        while True:
            wait = self.until if self.state == "waits" else NEVER
            again = min((block.again for block in self.blocks), default=NEVER)
            start = NEVER
            if self.sends():
                start = self.own(max(self.begun + 1, self.eligible))
            now = min(wait, again, start)
            if now > until or now == NEVER:
                return
            if now == wait:
                self.state, self.eligible = self.then, now
            elif now == again:
                self.repeat(now)
            else:
                self.slot(now)

    def repeat(self, now: int) -> None:
        """All blocks whose time has come, before anything new."""
        for block in list(self.blocks):
            if block.again == now:
                self.owe(now, block.bits)
                self.transmit(block, now)

    def owe(self, now: int, bits: int) -> None:
        """What is repeated has slots from now on."""
        if not self.debt:
            self.unpaid = now
        self.debt += bits

    def arrive(self, now: int, size: int) -> None:
        """An SDU comes."""
        sdu = Sdu(len(self.sdus), now, size, size)
        self.sdus.append(sdu)
        self.queue.append(sdu)
        if self.state == "none":
            self.eligible = now + 1
            self.ask(now)

    def forward(self, now: int) -> None:
        """What has not been delivered goes to another cell; this one begins anew."""
        for sdu in self.sdus:
            known = sdu.end and sdu.end <= now
            if sdu.drop == FORWARD or (known and (sdu.drop or sdu.deliver <= now)):
                continue
            sdu.drop, sdu.deliver = FORWARD, now
        self.waits = [(since, min(until, now)) for since, until in self.waits]
        self.queue.clear()
        self.blocks.clear()
        self.free = [0] * self.cfg.harq
        self.credit = self.debt = Fraction(0)
        self.state, self.rest = "none", now


@dataclass(eq=False)
class Member(Bearer):
    """One of several at a link, which pays for what it repeats."""

    cell: Cell | None = None
    turn: int = 0
    blocks_given: int = 0
    more: int = 0
    first_bits: int = 0
    saved: int = 0
    prepaid: Fraction = Fraction(0)
    owed: Fraction = Fraction(0)
    owed_at: int = 0
    mean: float = 0.0
    error: float = 0.0
    mean_at: int = -1
    first_at: int = -1
    sent: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        self.owed_at = self.cfg.now

    def owe(self, now: int, bits: int) -> None:
        assert self.cell
        self.cell.owe(now, -(-bits * SECOND // self.cfg.rate))

    def arrive(self, now: int, size: int) -> None:
        super().arrive(now, size)
        self.eligible = min(self.eligible, now + 1)

    def need(self, quota: int, rb: int) -> int:
        """Blocks that its data take beside those that it has, one at least in all."""
        bits = 8 * sum(sdu.left for sdu in self.queue)
        if self.state == "first":
            bits = min(bits, self.first_bits)
        bits -= int(self.credit)
        return min(rb, -(-max(0, bits) * rb // quota)) or int(not self.blocks_given)

    def give(self, blocks: int, now: int, rb: int) -> int:
        """So many blocks; a block carries whole 10^-9 bits. Return how many."""
        self.credit += Fraction(self.cfg.rate * self.share(now) // rb * blocks, SECOND)
        self.blocks_given += blocks
        return blocks

    # --- whose turn ------------------------------------------------------------------

    def accrue(self, now: int) -> None:
        """Bj of TS 36.321 5.4.3.1, of a bucket of 100 ms."""
        self.owed = min(self.owed + Fraction(self.cfg.gbr * (now - self.owed_at), SECOND),
                        Fraction(self.cfg.gbr, 10))
        self.owed_at = now

    def guaranteed(self) -> bool:
        """Whether whole bits are owed."""
        return self.owed >= 1

    def follow(self, now: int, window: int) -> None:
        """Its mean throughput, TTI by TTI, at the start of one."""
        number = (now - self.origin) // self.cfg.tti
        if self.first_at < 0:
            self.first_at = self.mean_at = number
        while self.mean_at < number:
            weight = min(self.mean_at - self.first_at + 1, window) if window else 128
            self.mean += (self.sent * SECOND / self.cfg.tti - self.mean) / weight
            self.error += (1 if self.mean else 0) - self.error / weight
            self.sent, self.mean_at = 0, self.mean_at + 1

    def ratio(self, exponent: float, off: int = 0) -> float:
        """The inverse of what pf goes by, the least is the first; with a mean that is so far off."""
        mean = max(0.0, self.mean + off * self.error) + (exponent != 1)
        return float(mean ** exponent / self.cfg.rate)


@dataclass
class Cell:
    """A link that several share, by resource blocks or airtime: Documentation/model.md, Schedulers."""

    rb: int
    sched: str
    exponent: float
    window: int
    members: list[Member]
    # From when on it may turn on what the engine rounds away of means.
    unsure: int = NEVER
    turns: int = 0
    debt: int = 0
    unpaid: int = 0
    begun: int = -1

    def owe(self, now: int, time: int) -> None:
        """As of a bearer, in ns."""
        if not self.debt:
            self.unpaid = now
        self.debt += time

    def pay(self, now: int) -> int:
        """Return: what retransmissions take of this slot, in ns."""
        one = self.members[0]
        while self.debt and self.unpaid < now:
            self.debt -= min(self.debt, one.share(self.unpaid))
            self.unpaid += one.cfg.tti
        self.unpaid = now + one.cfg.tti
        paid = min(self.debt, one.share(now))
        self.debt -= paid
        return paid

    def first(self, members: list[Member]) -> Member:
        """Whose turn it is."""
        owed = [m for m in members if m.guaranteed()]
        if owed:
            return min(owed, key=lambda m: (m.cfg.prio, m.turn))
        if self.sched == "fifo":
            return min(members, key=lambda m: m.queue[0].arrival)
        if self.sched != "pf":
            return min(members, key=lambda m: (m.cfg.prio if self.sched == "prio" else 0, m.turn))
        one = min(members, key=lambda m: m.ratio(self.exponent))
        near = [m for m in members if m.ratio(self.exponent, -1) <= one.ratio(self.exponent, 1)]
        if any(m.ratio(self.exponent) != one.ratio(self.exponent) for m in near):
            self.unsure = min(self.unsure, self.begun)
        return one

    def may(self, one: Member, now: int, sent: dict[Member, Block]) -> bool:
        """Whether it has a process of HARQ, if it has any, for the block that it fills."""
        idle = [i for i, time in enumerate(one.free) if time <= now]
        if one.cfg.harq and not idle:
            # Slots pass, and pay, until something of HARQ happens.
            one.eligible = min(t for t in (*(b.again for b in one.blocks), *one.free) if t > now)
            return False
        if one not in sent:
            sent[one] = Block(idle[0] if one.cfg.harq else -1)
        return True

    def took(self, one: Member) -> None:
        """It has had its turn."""
        self.turns += 1
        one.turn = self.turns
        if not one.queue:
            one.credit, one.state, one.saved, one.prepaid = Fraction(0), "none", 0, Fraction(0)
            one.rest = self.begun + one.cfg.tti

    def by_airtime(self, now: int, waiting: list[Member], sent: dict[Member, Block]) -> None:
        """PDU by PDU, each rounded up to a ns; what is left waits with the one that does not fit."""
        left = self.members[0].share(now) - self.pay(now)
        while waiting:
            one = self.first(waiting)
            if not self.may(one, now, sent):
                waiting.remove(one)
                continue
            if left or one.saved:
                one.queue[0].start = min(one.queue[0].start, now)
            bits = one.bits()
            if one.state == "first" and bits > one.first_bits:
                cost = max(0, math.ceil(Fraction(one.first_bits * SECOND, one.cfg.rate) - one.prepaid))
                left, one.saved = left - min(left, cost), one.saved + min(left, cost)
                one.report(now)
                waiting.remove(one)
                continue
            left, one.saved = left + one.saved, 0
            exact = Fraction(bits * SECOND, one.cfg.rate) - one.prepaid
            cost = max(0, math.ceil(exact))
            if cost > left:
                one.saved = left
                return
            left, one.prepaid = left - cost, cost - exact
            one.send(now + one.cfg.tti, sent[one] if one.cfg.harq else None)
            one.sent += bits
            one.first_bits -= bits
            if one.guaranteed():
                one.owed -= bits
            self.took(one)
            if not one.queue:
                waiting.remove(one)

    def share(self, now: int, given: list[Member], left: int) -> None:
        """Max-min fair; what does not divide goes to the first, who are last in the next slot."""
        level = max(level for level in range(self.rb + 1) if sum(min(m.more, level) for m in given) <= left)
        for one in given:
            blocks = one.give(min(one.more, level), now, self.rb)
            one.more -= blocks
            left -= blocks
        for one in [m for m in given if m.more][:left]:
            one.give(1, now, self.rb)
            given.append(given.pop(given.index(one)))

    def divide(self, now: int, waiting: list[Member], sent: dict[Member, Block]) -> list[Member]:
        """Blocks to those who want to send. Return: these, in the order of their turns."""
        given: list[Member] = []
        left, paid = self.rb, self.pay(now)
        if paid:
            # What whole blocks take has been rounded up to a ns.
            left -= -(-(paid - 1) * self.rb // self.members[0].share(now))
        while waiting and left:
            one = self.first(waiting)
            if not self.may(one, now, sent):
                waiting.remove(one)
                continue
            quota = one.cfg.rate * one.share(now) // SECOND
            need = one.need(quota, self.rb)
            blocks, again = min(need, left), False
            if one.guaranteed() and need:
                blocks = min(blocks, max(1, -(-int(one.owed) * self.rb // quota)))
                one.owed -= -(-quota * blocks // self.rb)
                again = need > blocks
            elif self.sched == "rr" and need:
                blocks, one.more = 1, need - 1
                given = [m for m in given if m != one]
            left -= one.give(blocks, now, self.rb)
            if blocks and one not in given:
                given.append(one)
            if not again:
                waiting.remove(one)
        if self.sched == "rr":
            self.share(now, given, left)
        return given

    def by_blocks(self, now: int, waiting: list[Member], sent: dict[Member, Block]) -> None:
        """First all blocks are given, then filled."""
        for one in self.divide(now, waiting, sent):
            if one.state == "first":
                one.credit -= max(0, int(one.credit) - one.first_bits)
            had = one.credit
            one.fill(now, sent[one] if one.cfg.harq else None)
            one.sent = int(had - one.credit)
            one.first_bits -= one.sent
            if one.queue and one.state == "first" and one.bits() > one.first_bits:
                one.report(now)
            self.took(one)

    def slot(self, now: int) -> None:
        """What goes, then its fates."""
        self.begun = now
        waiting = [m for m in self.members if m.sends() and m.eligible <= now]
        for one in waiting:
            one.accrue(now)
            one.follow(now, self.window)
            one.more = one.blocks_given = 0
        sent: dict[Member, Block] = {}
        if self.rb:
            self.by_blocks(now, waiting, sent)
        else:
            self.by_airtime(now, waiting, sent)
        for one in reversed(sent):
            if one.cfg.harq and sent[one].bits:
                one.blocks.append(sent[one])
                one.transmit(sent[one], now)

    def run(self, until: int) -> None:
        """All up to a time, that time included."""
        while True:
            again = min((block.again for m in self.members for block in m.blocks), default=NEVER)
            starts = [m.own(max(self.begun + 1, m.eligible)) for m in self.members if m.sends()]
            wait = min((m.until for m in self.members if m.state == "waits"), default=NEVER)
            now = min([wait, again, *starts])
            if now > until or now == NEVER:
                return
            if now == wait:
                one = next(m for m in self.members if m.state == "waits" and m.until == now)
                one.state, one.eligible, one.first_bits = one.then, now, 8 * one.cfg.first
            elif now == again:
                for member in self.members:
                    member.repeat(now)
            else:
                self.slot(now)


def overlap(wait: tuple[int, int], since: int, until: int) -> int:
    """How much of a wait is in a time."""
    return max(0, min(wait[1], until) - max(wait[0], since))


def record(bearer: Bearer, sdu: Sdu) -> list[int]:
    """As emit_mac prints it."""
    access = sum(overlap(wait, sdu.arrival, sdu.tx_end - bearer.cfg.tti) for wait in bearer.waits)
    return [sdu.seq, sdu.start, sdu.end if sdu.drop else sdu.tx_end, sdu.deliver, sdu.drop, access]


def differs(mine: list[int], theirs: list[int]) -> bool:
    """Of what did not arrive neither its access nor, if it was forwarded, its end."""
    if mine[4] == FORWARD:
        return mine[:2] + mine[3:5] != theirs[:2] + theirs[3:5]
    if mine[4]:
        return mine[:5] != theirs[:5]
    return mine != theirs


def cfg_of(words: list[str]) -> Cfg:
    """What has not been said is 0."""
    said = dict(word.split("=") for word in words)
    tdd = said.pop("tdd", "")
    values = {one.name: int(said.get(one.name, 0)) for one in fields(Cfg) if one.name != "tdd"}
    return Cfg(tdd=tdd, **values)


def build(lines: list[list[str]], fates: Iterator[bool]) -> tuple[Bearer | Cell, list[Bearer]]:
    """A link of its own, or several bearers at one. Return what runs, and they."""
    if lines[0][0] == "link":
        one = Bearer(cfg_of(lines[0][1:]), fates)
        return one, [one]
    members = [Member(cfg_of(lines[0][1:] + words), fates) for word, *words in lines if word == "bearer"]
    said = dict(word.split("=") for word in lines[0][1:])
    cell = Cell(int(said["rb"]), said["sched"], int(said["exponent"]) / 1000, int(said["window"]), members)
    for one in members:
        one.cell = cell
    return cell, [*members]


def judge(lines: list[list[str]]) -> str:
    """Work out one link; return what differs first, or nothing."""
    fates = next(words for word, *words in lines if word == "fates")[0]
    runs, bearers = build(lines, cycle([fate == "1" for fate in fates]))
    mine: list[tuple[Bearer, Sdu]] = []
    theirs: list[list[int]] = []
    for word, *rest in lines:
        if word not in ("sdu", "in", "forward"):
            continue
        values = [int(value) for value in rest]
        if word == "sdu":
            theirs.append([values[0], values[1] % 2**64, *values[2:]])
            continue
        runs.run(values[0])
        bearer = bearers[values[2] - 1] if word == "in" else bearers[0]
        if word == "in":
            bearer.arrive(*values[:2])
            mine.append((bearer, bearer.sdus[-1]))
            mine[-1][1].seq = len(mine) - 1
        else:
            bearer.forward(values[0])
    runs.run(NEVER - 1)
    unsure = runs.unsure if isinstance(runs, Cell) else NEVER
    for (bearer, sdu), other in zip(mine, theirs, strict=True):
        if max(sdu.end, sdu.deliver) < unsure and differs(record(bearer, sdu), other):
            return f"SDU: engine {other}, oracle {record(bearer, sdu)}"
    return ""


if __name__ == "__main__":
    sys.exit(main("links of the MAC", judge))
