# SPDX-License-Identifier: GPL-2.0
"""Mahimahi: each line is a time in ms at which a packet of 1500 bytes may be sent; the last is the period."""

import re
from collections.abc import Iterator
from itertools import chain

from ..bins import BIT, NO_RATE, left_out, pieces
from ..lines import LINES_MAX, Bad
from ..numbers import COLUMNS, LENGTH_MAX_NS, count, is_number
from ..trace import Step, Trace, is_not

PACKET_BYTES = 1500
MS_NS = 10**6
LINES_OF_MS = COLUMNS["grant"].most // PACKET_BYTES


class Reader:
    """All opportunities of one ms are one step."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        trace.columns = ["grant"]
        self.ms = self.first = self.packets = 0

    def line(self, text: str) -> Step | None:
        if not text or text[0] == "#":
            return None
        ms = count(text)
        if ms is None:
            raise not_a_time(text)
        if ms > LENGTH_MAX_NS // MS_NS:
            raise Bad(f"{ms} ms is past the greatest length of {LENGTH_MAX_NS // MS_NS} ms")
        step = None
        if ms != self.ms or not self.packets:
            if self.packets and ms < self.ms:
                hint = "; if these are rates, say format jens" if self.trace.why else ""
                raise Bad(f"time goes backwards: {ms} ms after {self.ms} ms{hint}")
            step = self.step()
            self.ms, self.first, self.packets = ms, self.trace.lines.number, 0
        self.packets += 1
        if self.packets > LINES_OF_MS:
            raise Bad(f"more than {LINES_OF_MS} lines of {ms} ms", stop=True)
        return step

    def step(self) -> Step | None:
        return (self.first, self.ms * MS_NS, (self.packets * PACKET_BYTES,)) if self.packets else None

    def finish(self) -> Step | None:
        if self.packets and not self.ms:
            raise Bad("the last time, which is the period, is 0")
        self.trace.length_ns = self.ms * MS_NS
        return self.step()


def not_a_time(text: str) -> Bad:
    if not is_number(text):
        return is_not(text, "a time in whole ms, one on each line")
    if "," in text:
        return Bad("a row of several columns; mahimahi has one")
    return is_not(text, "a time in whole ms" + ("; are these seconds?" if re.search("[.eE]", text) else ""))


def of_rates(trace: Trace, steps: Iterator[Step]) -> Iterator[int]:
    """Each comes at the first whole ms at which its last bit could have been sent."""
    packet = PACKET_BYTES * 8 * BIT
    sent = 0
    for _, at, end, values in pieces(trace, steps):
        bps = values.get("rate")
        if bps is None:
            raise Bad(NO_RATE)
        while bps and (wait := -((sent - packet) // bps)) <= end - at:
            at += wait
            sent += bps * wait - packet
            yield -(-at // MS_NS)
        sent += bps * (end - at)


def of_grants(steps: Iterator[Step], at: int) -> Iterator[int]:
    for _, offset, values in steps:
        size = values[at]
        if size is None:
            continue
        if offset % MS_NS:
            raise Bad(f"{offset} ns is no whole ms, as Mahimahi has them")
        if size % PACKET_BYTES:
            raise Bad(f"{size} bytes are no multiple of Mahimahi's {PACKET_BYTES}")
        for _ in range(size // PACKET_BYTES):
            yield offset // MS_NS


def head(_: Trace, __: int) -> str:
    return ""


def write(trace: Trace, steps: Iterator[Step], bin_ns: int) -> Iterator[str]:
    if bin_ns:
        raise Bad("a bin is for rates; mahimahi has opportunities")
    steps = chain([next(steps)], steps)
    kind = "grant" if "grant" in trace.columns else "rate"
    if kind not in trace.columns:
        raise Bad("there is no column rate or grant in it")
    last = 0
    grants = kind == "grant"
    times = of_grants(steps, trace.columns.index(kind)) if grants else of_rates(trace, steps)
    for rows, last in enumerate(times):
        if rows == LINES_MAX:
            raise Bad(f"more than {LINES_MAX} lines")
        yield f"{last}\n"
    left_out(trace, kind)
    if not last:
        raise Bad("there is no opportunity after 0 in it, so no period")
    if last * MS_NS != trace.length_ns:
        period = f"at {last} ms, which is Mahimahi's period; the trace has {trace.length_ns} ns"
        trace.warn(f"the last opportunity is {period}")
