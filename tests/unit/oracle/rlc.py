#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""An independent judge of RLC of LTE and NR: rlc.py FILE

Reads bearers with the fates of all that they send (from the program emit_rlc) and what the
engine made of them, works each out anew from the text of TS 36.322 and TS 38.322, byte by
byte, and compares times and counts. What these leave open is as in Documentation/model.md.
Names in capitals are those of TS 36.322 clause 7.1; those of TS 38.322 are beside them.
"""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from verdicts import main

SECOND = 10**9
NEVER = 2**64 - 1
LTE_UM, LTE_AM, NR_AM = 5, 6, 7
NONE, CHANNEL, REESTABLISH = 0, 2, 8
PDU_MAX = 65535
LI_MAX = 2047


@dataclass(frozen=True)
class Cfg:
    """The line `cfg`."""

    mode: int
    rate: int
    tti: int
    delay: int
    header: int
    rev_rate: int
    rev_delay: int
    window: int
    poll_pdu: int
    poll_byte: int
    poll_timer: int
    prohibit: int
    reorder: int
    maxretx: int


@dataclass
class Sdu:
    """Its life."""

    seq: int
    arrival: int
    size: int
    sent: int = 0
    came: int = 0
    start: int = -1
    end: int = 0
    there: int = NEVER
    last_sn: int = 0
    deliver: int = 0
    drop: int = NONE
    done: bool = False


@dataclass
class Pdu:
    """What has one number: in LTE a PDU with parts of SDUs, in NR a SDU. A mask has a bit a byte."""

    sn: int
    size: int = 0
    parts: list[tuple[Sdu, int, int]] = field(default_factory=list)
    sent: int = 0
    came: int = 0
    again: int = 0
    retx_count: int = -1
    acked: bool = False


@dataclass(frozen=True)
class Air:
    """Some bytes of a number on their way."""

    at: int
    pdu: Pdu
    bytes: int
    poll: bool


@dataclass(frozen=True)
class Report:
    """A STATUS PDU on its way: all below `ack` have come but what it names."""

    at: int
    ack: int
    nacks: dict[int, int]


@dataclass
class Totals:
    """Counters, in the order of the line `stats`."""

    pdus: int = 0
    lost: int = 0
    retx: int = 0
    air: int = 0
    headers: int = 0
    polls: int = 0
    timeouts: int = 0
    duplicates: int = 0
    reports: int = 0
    reports_lost: int = 0
    report_bytes: int = 0
    failures: int = 0


def span(start: int, end: int) -> int:
    """The mask of some bytes."""
    return (1 << end) - (1 << start)


def runs(mask: int) -> Iterator[tuple[int, int]]:
    """Bytes of a mask that follow each other: first, and one past the last."""
    start = 0
    while mask:
        zeros = (mask & -mask).bit_length() - 1
        mask >>= zeros
        ones = (~mask & (mask + 1)).bit_length() - 1
        yield start + zeros, start + zeros + ones
        mask >>= ones
        start += zeros + ones


class Fates:
    """Which of those that go are lost, in order."""

    def __init__(self, lost: str) -> None:
        self.lost, self.used = lost, 0

    def next(self) -> bool:
        self.used += 1
        return self.used <= len(self.lost) and self.lost[self.used - 1] == "1"


class Bearer(ABC):
    """What both modes have: blocks are filled, and time goes on."""

    def __init__(self, cfg: Cfg, fates: Fates, back: Fates) -> None:
        self.cfg, self.fates, self.back = cfg, fates, back
        self.rate = cfg.rate
        self.changes: deque[tuple[int, int]] = deque()
        self.nr = cfg.mode == NR_AM
        self.totals = Totals()
        self.sdus: list[Sdu] = []
        self.queue: deque[Sdu] = deque()
        self.flight: deque[Air] = deque()
        self.credit = Fraction(0)
        self.start_at: int | None = None
        self.begun_at = -1
        self.next_sn = 0  # VT(S), VT(US), TX_Next
        self.pdus: dict[int, Pdu] = {}
        self.t_reorder: int | None = None  # t-Reordering, t-Reassembly
        # VR(R), VR(UR), RX_Next; VR(H), VR(UH), RX_Next_Highest; VR(X), VR(UX), RX_Next_Status_Trigger
        self.lowest = self.highest = self.trigger = 0

    # --- what a mode does ----------------------------------------------------

    @abstractmethod
    def wants(self) -> bool:
        """Whether there is something that may be sent."""

    @abstractmethod
    def send(self, now: int, room: int) -> int:
        """One PDU. Return its bytes, 0 where none fits."""

    @abstractmethod
    def protocol_at(self) -> int:
        """When the peers have something to do."""

    @abstractmethod
    def protocol(self, now: int) -> None:
        """Let them."""

    # --- PDUs ------------------------------------------------------------------

    def header(self, parts: int, segment: bool) -> int:
        """Clauses 6.2.1.3 to 6.2.1.5; TS 38.322 clause 6.2.2.4. A LI and an E have 12 bits."""
        fixed = 4 if segment else 2
        return fixed if self.nr else fixed + (12 * (parts - 1) + 7) // 8

    def put(self, pdu: Pdu, size: int, now: int) -> None:
        """The next bytes of the first SDU go into a PDU."""
        sdu = self.queue[0]
        if sdu.start < 0:
            sdu.start = now
        pdu.parts.append((sdu, sdu.sent, size))
        sdu.sent += size
        if sdu.sent == sdu.size:
            sdu.end = now + self.cfg.tti
            sdu.there = sdu.end + self.cfg.delay
            sdu.last_sn = pdu.sn
            self.queue.popleft()

    def new_lte(self, now: int, room: int) -> tuple[Pdu, int, int]:
        """Concatenation, clause 5.1.1: parts of SDUs as long as there is room."""
        pdu = Pdu(self.next_sn)
        while self.queue and (not pdu.parts or pdu.parts[-1][2] <= LI_MAX):
            left = room - self.header(len(pdu.parts) + 1, False) - pdu.size
            if left <= 0:
                break
            part = min(left, self.queue[0].size - self.queue[0].sent)
            self.put(pdu, part, now)
            pdu.size += part
        pdu.sent = pdu.size
        self.pdus[pdu.sn] = pdu
        self.next_sn += 1
        return pdu, span(0, pdu.size), self.header(len(pdu.parts), False)

    def on_air(self, now: int, pdu: Pdu, mask: int, header: int, poll: bool) -> int:
        """It goes. Return its size."""
        size, lost = header + mask.bit_count(), self.fates.next()
        self.totals.pdus += 1
        self.totals.lost += lost
        self.totals.air += size + self.cfg.header
        self.totals.headers += header
        self.totals.polls += poll
        if not lost:
            self.flight.append(Air(now + self.cfg.tti + self.cfg.delay, pdu, mask, poll))
        return size

    def comes(self, pdu: Pdu, mask: int) -> None:
        """Bytes are in the reception buffer."""
        at = 0
        for sdu, start, size in pdu.parts:
            sdu.came |= (mask >> at & span(0, size)) << start
            at += size
        pdu.came |= mask

    @staticmethod
    def deliver(sdu: Sdu, now: int, why: int = NONE) -> None:
        """It leaves the receiver, or is given up."""
        sdu.done, sdu.deliver, sdu.drop = True, now, why

    # --- time --------------------------------------------------------------------

    def wake(self, now: int, before_tti: bool) -> None:
        """There may be something to be sent: in the next TTI, or the one that is about to begin."""
        if self.start_at is not None or not self.wants():
            return
        if before_tti and now % self.cfg.tti == 0 and self.begun_at != now:
            self.start_at = now
        else:
            self.start_at = (now // self.cfg.tti + 1) * self.cfg.tti

    def begin_tti(self, now: int) -> None:
        """A block: what bits there are, in bytes."""
        self.begun_at = now
        self.credit += Fraction(self.rate * self.cfg.tti, SECOND)
        while self.wants():
            size = self.send(now, min(int(self.credit / 8), PDU_MAX))
            if not size:
                break
            self.credit -= 8 * size
        self.start_at = now + self.cfg.tti
        if not self.wants():
            self.start_at = None
            self.credit = Fraction(0)

    def run(self, until: int) -> None:
        """All up to a time, that time included."""
        while True:
            start = NEVER if self.start_at is None else self.start_at
            change = self.changes[0][0] if self.changes else NEVER
            now = min(self.protocol_at(), change, start)
            if now > until:
                return
            if self.protocol_at() == now:
                self.protocol(now)
                self.wake(now, True)
            elif change == now:
                self.rate = self.changes.popleft()[1]
            else:
                self.begin_tti(now)

    def arrive(self, now: int, size: int) -> None:
        """A SDU."""
        self.sdus.append(Sdu(len(self.sdus), now, size))
        self.queue.append(self.sdus[-1])
        self.wake(now, False)


class Um(Bearer):
    """Unacknowledged mode, clause 5.1.2."""

    def __init__(self, cfg: Cfg, fates: Fates, back: Fates) -> None:
        super().__init__(cfg, fates, back)
        self.left: deque[Sdu] = deque()

    def wants(self) -> bool:
        return bool(self.queue)

    def send(self, now: int, room: int) -> int:
        if room <= self.header(1, False):
            return 0
        return self.on_air(now, *self.new_lte(now, room), False)

    def arrive(self, now: int, size: int) -> None:
        super().arrive(now, size)
        self.left.append(self.sdus[-1])

    def given_up_at(self) -> int:
        """Nothing has come after the end of the next SDU: nobody misses it but we."""
        if not self.left or self.left[0].there == NEVER or self.t_reorder is not None:
            return NEVER
        return self.left[0].there + self.cfg.reorder

    def protocol_at(self) -> int:
        first = self.flight[0].at if self.flight else NEVER
        timer = NEVER if self.t_reorder is None else self.t_reorder
        return min(first, timer, self.given_up_at())

    def protocol(self, now: int) -> None:
        while self.flight and self.flight[0].at <= now:
            self.receive(now, self.flight.popleft())
        if self.t_reorder == now:
            # Clause 5.1.2.2.4.
            self.t_reorder = None
            self.move(now, self.trigger)
            self.start_timer(now)
        while self.given_up_at() <= now:
            self.deliver(self.left.popleft(), now, CHANNEL)

    def move(self, now: int, sn: int) -> None:
        """VR(UR) to the first from a number on that has not come; what is below it is reassembled."""
        while sn in self.pdus and self.pdus[sn].came:
            sn += 1
        self.lowest = sn
        while self.left and self.left[0].there != NEVER and self.left[0].last_sn < sn:
            sdu = self.left.popleft()
            self.deliver(sdu, now, NONE if sdu.came == span(0, sdu.size) else CHANNEL)

    def start_timer(self, now: int) -> None:
        if self.highest > self.lowest:
            self.t_reorder = now + self.cfg.reorder
            self.trigger = self.highest

    def receive(self, now: int, air: Air) -> None:
        """Clauses 5.1.2.2.2 and 5.1.2.2.3."""
        sn, window = air.pdu.sn, self.cfg.window
        if self.highest - window <= sn < self.lowest:
            return
        self.comes(air.pdu, air.bytes)
        if sn >= self.highest:
            self.highest = sn + 1
            if self.lowest < self.highest - window:
                self.move(now, self.highest - window)
        if self.lowest in self.pdus and self.pdus[self.lowest].came:
            self.move(now, self.lowest)
        if self.t_reorder is not None and self.trigger <= self.lowest:
            self.t_reorder = None
        if self.t_reorder is None:
            self.start_timer(now)


class Am(Bearer):
    """Acknowledged mode, clauses 5.1.3 and 5.2; TS 38.322 clauses 5.2.3 and 5.3."""

    def __init__(self, cfg: Cfg, fates: Fates, back: Fates) -> None:
        super().__init__(cfg, fates, back)
        self.back_free = 0
        self.establish()

    def establish(self) -> None:
        """State variables and timers as they are at first."""
        self.pdus.clear()
        self.flight.clear()
        self.next_sn = self.lowest = self.highest = self.trigger = 0
        self.t_reorder = None
        self.first_sn = 0  # VT(A), TX_Next_Ack
        self.retx: list[Pdu] = []
        self.pdu_without_poll = self.byte_without_poll = 0
        self.poll_sn = -1
        self.poll_next = False
        self.t_poll: int | None = None
        self.reports: deque[Report] = deque()
        self.status_end = 0  # VR(MS), RX_Highest_Status
        self.status = False
        self.status_from = 0
        self.polled: set[int] = set()
        self.failed = False

    # --- the sender --------------------------------------------------------------

    def stalls(self) -> bool:
        """No new number fits the window."""
        return self.next_sn - self.first_sn >= self.cfg.window

    def goes_on(self) -> Pdu | None:
        """NR: a SDU of which a segment is to come."""
        last = self.pdus.get(self.next_sn - 1)
        return last if self.nr and last and last.sent < last.size else None

    def wants(self) -> bool:
        return bool(self.retx or self.goes_on() or (self.queue and not self.stalls()))

    def send(self, now: int, room: int) -> int:
        # Retransmissions go first, clause 5.1.3.1.1. One takes an offset and a byte at least.
        if self.retx:
            return self.send_again(now, room) if room > 4 else 0
        if self.nr:
            return self.send_nr(now, room)
        if room <= self.header(1, False):
            return 0
        pdu, mask, header = self.new_lte(now, room)
        return self.on_air(now, pdu, mask, header, self.polls(now, mask.bit_count()))

    def send_nr(self, now: int, room: int) -> int:
        """A SDU or a segment of one, TS 38.322 clause 5.2.3.1.1."""
        pdu = self.goes_on()
        header = self.header(1, pdu is not None)
        if room <= header:
            return 0
        if pdu is None:
            pdu = Pdu(self.next_sn, self.queue[0].size)
            self.pdus[pdu.sn] = pdu
            self.next_sn += 1
        start = pdu.sent
        pdu.sent = min(pdu.size, start + room - header)
        self.put(pdu, pdu.sent - start, now)
        mask = span(start, pdu.sent)
        return self.on_air(now, pdu, mask, header, self.polls(now, mask.bit_count()))

    def fits(self, pdu: Pdu, start: int, end: int, segment: bool) -> int:
        """Size with the header of such bytes of a number."""
        at, parts = 0, 0
        for _, _, size in pdu.parts:
            parts += at < end and at + size > start
            at += size
        return self.header(1 if self.nr else parts, segment) + end - start

    def send_again(self, now: int, room: int) -> int:
        """The whole, or of the first bytes that are to be sent again what fits, clause 5.2.1."""
        pdu = self.retx[0]
        start, end = next(runs(pdu.again))
        segment = start > 0 if self.nr else (start, end) != (0, pdu.size)
        if self.fits(pdu, start, end, segment) > room:
            segment = start > 0 if self.nr else True
            low, high = start + 1, end
            while low < high:
                middle = (low + high + 1) // 2
                if self.fits(pdu, start, middle, segment) <= room:
                    low = middle
                else:
                    high = middle - 1
            end = low
        pdu.again &= ~span(start, end)
        if not pdu.again:
            self.retx.pop(0)
        self.totals.retx += 1
        header = self.fits(pdu, start, end, segment) - (end - start)
        return self.on_air(now, pdu, span(start, end), header, self.polls(now, 0))

    def polls(self, now: int, new: int) -> bool:
        """Clause 5.2.2.1, TS 38.322 clause 5.3.3.2; `new` bytes have not been sent before."""
        cfg, poll = self.cfg, self.poll_next
        if new:
            self.pdu_without_poll += 1
            self.byte_without_poll += new
            poll |= bool(cfg.poll_pdu) and self.pdu_without_poll >= cfg.poll_pdu
            poll |= bool(cfg.poll_byte) and self.byte_without_poll >= cfg.poll_byte
        empty = not self.retx and not self.queue and not self.goes_on()
        if not (poll or empty or self.stalls()):
            return False
        self.pdu_without_poll = self.byte_without_poll = 0
        self.poll_next = False
        self.poll_sn = self.next_sn - 1
        self.t_poll = now + cfg.poll_timer
        return True

    def consider(self, pdu: Pdu, mask: int) -> None:
        """Bytes are considered for retransmission, clause 5.2.1."""
        mask &= span(0, pdu.sent) & ~pdu.again
        if not mask:
            return
        if not pdu.again:
            self.retx.append(pdu)
        pdu.again |= mask
        pdu.retx_count += 1
        if pdu.retx_count == self.cfg.maxretx:
            self.failed = True

    def poll_expires(self) -> None:
        """Clause 5.2.2.3. Where something is to be sent again that is any PDU that is not acknowledged."""
        self.t_poll = None
        self.totals.timeouts += 1
        self.poll_next = self.first_sn != self.next_sn
        if not self.poll_next or self.wants():
            return
        last = self.pdus[self.next_sn - 1]
        if last.acked:
            last = self.pdus[self.first_sn]
        self.consider(last, span(0, last.sent))

    def take_report(self, report: Report) -> None:
        """Clauses 5.1.3.1.1, 5.2.1, 5.2.2.2. RETX_COUNT counts a report once (TS 38.322 clause 5.3.2)."""
        if report.ack > self.poll_sn:
            self.t_poll = None
        for sn in range(self.first_sn, report.ack):
            pdu = self.pdus[sn]
            if sn in report.nacks:
                self.consider(pdu, report.nacks[sn])
                if self.failed:
                    return
                continue
            pdu.acked = True
            if pdu.again:
                pdu.again = 0
                self.retx.remove(pdu)
        while self.first_sn < self.next_sn and self.pdus[self.first_sn].acked:
            self.first_sn += 1
        if self.first_sn == self.next_sn:
            # Nobody waits for an answer any more.
            self.poll_next = False

    # --- the receiver ------------------------------------------------------------

    def whole(self, sn: int) -> bool:
        pdu = self.pdus.get(sn)
        return pdu is not None and pdu.came == span(0, pdu.size)

    def not_whole(self, sn: int) -> int:
        """The first from a number on that lacks something."""
        while self.whole(sn):
            sn += 1
        return sn

    def hole(self, sn: int) -> bool:
        """A byte before the last that has come of a number is missing."""
        came = self.pdus[sn].came if sn in self.pdus else 0
        return bool(came & (came + 1))

    def behind(self, sn: int) -> bool:
        """Whether t-Reordering is to run because of what is missing from a number on."""
        if not self.nr:
            return self.highest > sn
        return self.highest > sn + 1 or (self.highest == sn + 1 and self.hole(sn))

    def start_timer(self, now: int, sn: int) -> None:
        if self.behind(sn):
            self.t_reorder = now + self.cfg.reorder
            self.trigger = self.highest

    def receive(self, now: int, air: Air) -> None:
        """Clauses 5.1.3.2.2, 5.1.3.2.3; TS 38.322 clauses 5.2.3.2.2, 5.2.3.2.3; polls: 5.2.3, 5.3.4."""
        sn = air.pdu.sn
        inside = self.lowest <= sn < self.lowest + self.cfg.window
        discard = not inside or not air.bytes & ~air.pdu.came
        self.totals.duplicates += discard
        if not discard:
            self.place(now, sn, air)
        if air.poll and discard:
            self.status = True
        elif air.poll:
            self.polled.add(sn)
        self.answer()

    def place(self, now: int, sn: int, air: Air) -> None:
        self.comes(air.pdu, air.bytes)
        self.highest = max(self.highest, sn + 1)
        self.status_end = self.not_whole(self.status_end)
        if self.nr:
            sdu = air.pdu.parts[0][0]
            if self.whole(sn):
                self.deliver(sdu, now)
        if sn == self.lowest:
            self.lowest = self.not_whole(sn)
            if not self.nr:
                self.reassemble(now)
        if self.t_reorder is not None:
            stop = self.trigger <= self.lowest
            if self.nr and self.trigger == self.lowest + 1 and not self.hole(self.lowest):
                stop = True
            if stop:
                self.t_reorder = None
        if self.t_reorder is None:
            self.start_timer(now, self.lowest)

    def reassemble(self, now: int) -> None:
        """From PDUs below VR(R), and of that PDU from the bytes that follow each other from its start."""
        came = self.pdus[self.lowest].came if self.lowest in self.pdus else 0
        in_sequence = (~came & (came + 1)).bit_length() - 1
        for sdu in self.sdus:
            if sdu.done:
                continue
            if sdu.sent < sdu.size or sdu.last_sn > self.lowest:
                return
            if sdu.last_sn == self.lowest:
                at = 0
                for part, _, size in self.pdus[self.lowest].parts:
                    at += size
                    if part is sdu:
                        break
                if at > in_sequence:
                    return
            self.deliver(sdu, now)

    def answer(self) -> None:
        """Polls below VR(MS) are answered."""
        below = {sn for sn in self.polled if sn < self.status_end}
        self.status |= bool(below)
        self.polled -= below

    def expires(self, now: int) -> None:
        """Clause 5.1.3.2.4, TS 38.322 clause 5.2.3.2.4."""
        self.t_reorder = None
        self.status_end = self.not_whole(self.trigger)
        self.status = True
        self.answer()
        self.start_timer(now, self.status_end)

    def report(self, now: int) -> None:
        """Clause 6.2.1.6; TS 38.322 clause 6.2.2.5: numbers that lack all in a row become a range."""
        bits, nacks, row = 24 if self.nr else 15, {}, 0
        for sn in range(self.lowest, self.status_end):
            pdu = self.pdus[sn]
            missing = span(0, pdu.size) & ~pdu.came
            if not missing:
                row = 0
                continue
            nacks[sn] = missing
            if pdu.came:
                row = 0
                bits += sum(1 for _ in runs(missing)) * (16 + 32 if self.nr else 12 + 30)
            elif not self.nr:
                bits += 12
            else:
                row = row % 255 + 1
                bits += {1: 16, 2: 8}.get(row, 0)
        size = (bits + 7) // 8 + self.cfg.header
        self.back_free = now + -(-8 * size * SECOND // self.cfg.rev_rate)
        lost = self.back.next()
        self.totals.reports += 1
        self.totals.reports_lost += lost
        self.totals.report_bytes += size
        if not lost:
            self.reports.append(Report(self.back_free + self.cfg.rev_delay, self.status_end, nacks))
        self.status = False
        self.status_from = 0 if self.cfg.prohibit < 0 else now + self.cfg.prohibit

    # --- time --------------------------------------------------------------------

    def report_at(self) -> int:
        return max(self.status_from, self.back_free) if self.status else NEVER

    def protocol_at(self) -> int:
        times = [self.report_at()]
        times += [self.flight[0].at] if self.flight else []
        times += [self.reports[0].at] if self.reports else []
        times += [timer for timer in (self.t_reorder, self.t_poll) if timer is not None]
        return min(times)

    def protocol(self, now: int) -> None:
        while self.flight and self.flight[0].at <= now:
            self.receive(now, self.flight.popleft())
        while self.reports and self.reports[0].at <= now and not self.failed:
            self.take_report(self.reports.popleft())
        if self.t_reorder is not None and self.t_reorder <= now:
            self.expires(now)
        if self.t_poll is not None and self.t_poll <= now:
            self.poll_expires()
        if self.report_at() <= now:
            self.report(now)
        if self.failed:
            self.fail(now)

    def fail(self, now: int) -> None:
        """A radio link failure: what has begun is lost, the rest begins anew (TS 36.331 clause 5.3.7)."""
        self.totals.failures += 1
        for sdu in self.sdus:
            if sdu.start >= 0 and not sdu.done:
                sdu.end = now
                self.deliver(sdu, now, REESTABLISH)
        self.queue = deque(sdu for sdu in self.queue if sdu.start < 0)
        self.establish()


def judge(lines: list[list[str]]) -> str:
    """Work out one bearer; return what differs first, or nothing."""
    cfg = Cfg(*(int(word) for word in lines[0][1:]))
    fates = next(line for line in lines if line[0] == "fates")
    kind = Um if cfg.mode == LTE_UM else Am
    bearer = kind(cfg, Fates(fates[1]), Fates(fates[2]))
    theirs, stats = [], []
    for word, *rest in lines[1:]:
        if word == "fates":
            continue
        values = [int(value) for value in rest]
        if word == "sdu":
            theirs.append(values)
        elif word == "stats":
            stats = values
        elif word == "in":
            bearer.run(values[0])
            bearer.arrive(*values)
        else:
            # In force from the next TTI on, before which all else is that happens then.
            bearer.changes.append(((values[0] // cfg.tti + 1) * cfg.tti, values[1]))
    bearer.run(NEVER - 1)
    for sdu, other in zip(bearer.sdus, theirs, strict=True):
        mine = [sdu.seq, sdu.start, sdu.end, sdu.deliver, sdu.drop]
        if mine != other:
            return f"SDU: engine {other}, oracle {mine}"
    mine = list(vars(bearer.totals).values())
    return "" if mine == stats else f"stats: engine {stats}, oracle {mine}"


if __name__ == "__main__":
    sys.exit(main("bearers of RLC", judge))
