# SPDX-License-Identifier: GPL-2.0
"""What a trace comes to, and what looks wrong in it."""

import json
from collections.abc import Iterator
from itertools import chain

from ..lib.units import as_rate
from .bins import BIT, in_bins
from .numbers import LENGTH_MAX_NS
from .table.units import Source
from .trace import Step, Trace, seconds

BIN_NS = 10**8
GAPS_TOLD = 10

# Mean rates that no link has: below, what it may be instead, above, what it may be.
SUSPECTS = {
    "mahimahi": (10**4, "are the times us, not ms?", 5 * 10**9, "are the times s, not ms?"),
    "jens": (10**4, "are these Mbit/s, not kbit/s?", 10**10, "are these bit/s, not kbit/s?"),
    "theaterq": (10**4, "are the rates kbit/s, not bit/s?", 10**11, ""),
    "csv": (10**4, "are the rates kbit/s or Mbit/s, not bit/s?", 5 * 10**10, "is the second column a rate?"),
}
OF_A_TABLE = (10**4, "is its unit a larger one?", 5 * 10**10, "is its unit a smaller one?")
SHORT_NS = 10**9


class Check:
    """Reads a trace to its end; what is found is said on the way."""

    def __init__(self, trace: Trace, steps: Iterator[Step], gap_ns: int) -> None:
        self.trace = trace
        self.gap_ns = gap_ns
        self.gaps = self.gap_max_ns = 0
        # Since when nothing has been sent, where that begins, and whether rates are 0.
        self.idle_ns = self.idle_line = 0
        self.idle = False
        self.delay_max_ns = 0
        self.whole_seconds = True
        self.rates: list[int] = []
        self.bits = 0
        first = next(steps)
        self.grants, self.has_rate = ("grant" in trace.columns), ("rate" in trace.columns)
        steps = self.watched(chain([first], steps))
        # Bins are for opportunities; a short rest says little of their rate.
        for begin, end, bits in in_bins(trace, steps, BIN_NS if self.grants else LENGTH_MAX_NS):
            self.bits += bits
            if self.grants and (not begin or end - begin >= BIN_NS):
                self.count(mean(bits, end - begin))
        self.min_bps, self.max_bps = self.rates or (0, 0)
        self.mean_bps = mean(self.bits, trace.length_ns)

    def count(self, bps: int) -> None:
        low, high = self.rates or (bps, bps)
        self.rates = [min(low, bps), max(high, bps)]

    def gap(self, line: int, to_ns: int) -> None:
        idle_ns = to_ns - self.idle_ns
        if not self.gap_ns or idle_ns <= self.gap_ns:
            return
        self.gap_max_ns = max(self.gap_max_ns, idle_ns)
        self.gaps += 1
        if self.gaps <= GAPS_TOLD:
            since = seconds(self.idle_ns, 3)
            self.trace.warn(f"nothing is sent for {seconds(idle_ns, 3)} s, from {since} s on", line)

    def watched(self, steps: Iterator[Step]) -> Iterator[Step]:
        for step in steps:
            line, offset, values = step
            now = dict(zip(self.trace.columns, values))
            if self.grants:
                if now["grant"]:
                    self.gap(line, offset)
                    self.idle_ns = offset
                    self.whole_seconds &= not offset % 10**9
            elif (bps := now.get("rate")) is not None:
                if self.idle and bps:
                    self.gap(self.idle_line, offset)
                if not self.idle and not bps:
                    self.idle_ns, self.idle_line = offset, line
                self.idle = not bps
                self.count(bps)
            self.delay_max_ns = max(self.delay_max_ns, now.get("delay") or 0)
            yield step

    def ended(self) -> None:
        """Say what the whole of it looks like."""
        trace = self.trace
        if self.grants or (self.has_rate and self.idle):
            self.gap(self.idle_line if self.idle else 0, trace.length_ns)
        if self.gaps > GAPS_TOLD:
            trace.warn(f"{self.gaps - GAPS_TOLD} further times without sending")
        if self.grants or self.has_rate:
            if not self.max_bps:
                trace.warn("nothing is ever sent")
            self.suspicious()
        if trace.lines.cut and not trace.sources:
            trace.warn("the last line has no end; it is read all the same", grade="note")

    def suspicious(self) -> None:
        trace, row_ns = self.trace, self.trace.length_ns // self.trace.count
        suspects = OF_A_TABLE if trace.sources else SUSPECTS.get(trace.format)
        if self.max_bps and suspects:
            low, why_low, high, why_high = suspects
            is_low = self.mean_bps < low
            if is_low or self.mean_bps > high:
                rate = as_rate(self.mean_bps) if self.mean_bps else "0"
                how = f"low: {why_low}" if is_low else f"high: {why_high}"
                trace.warn(f"the mean rate is {rate}, implausibly {how}")
        for kind, wrong, text in (
            ("mahimahi", trace.count > 2 and self.whole_seconds,
             "all times are multiples of 1000 ms: are they us, not ms?"),
            ("csv", trace.count > 2 and row_ns >= 50 * 10**9,
             "a row lasts 50 s and more on average: are the times ms, not s?"),
            ("theaterq", row_ns > 3600 * 10**9,
             "a row lasts an hour and more on average: is KEEP in ns, not us?"),
            ("theaterq", 0 < self.delay_max_ns < 1000,
             "no LATENCY reaches 1 us: are they ms or us, not ns?"),
        ):  # fmt: skip
            if trace.format == kind and wrong:
                trace.warn(text)
        if (trace.sources or trace.format == "csv") and trace.count > 1 and trace.length_ns < SHORT_NS:
            trace.warn(f"it lasts {seconds(trace.length_ns)} s: is the unit of its times a larger one?")

    def figures(self) -> dict[str, str]:
        """As JSON spells them; seconds are exact."""
        trace = self.trace
        guessed = {"guessed_from": json.dumps(trace.why)} if trace.why else {}
        return {
            "format": json.dumps(trace.format),
            **guessed,
            **({"sources": json.dumps(trace.sources)} if trace.sources else {}),
            "columns": json.dumps(trace.columns, separators=(",", ":")),
            "lines": str(trace.lines.number),
            "steps": str(trace.count),
            "seconds": seconds(trace.length_ns),
            "length_ns": str(trace.length_ns),
            "bytes": str(self.bits // (8 * BIT)),
            "mean_bps": str(self.mean_bps),
            "min_bps": str(self.min_bps),
            "max_bps": str(self.max_bps),
            "gaps": str(self.gaps),
            "longest_gap": seconds(self.gap_max_ns),
        }

    def text(self) -> str:
        trace = self.trace
        guessed = f" (guessed: {trace.why})" if trace.why else ""
        length = seconds(trace.length_ns, 3)
        text = f"{trace.name}: {trace.format}{guessed}, {trace.count} steps, {length} s\n"
        for role, one in trace.sources.items():
            text += f"  {role}: {Source(**one)}\n"
        if not self.grants and not self.has_rate:
            return text
        rates = (f"{bps // 1000}.{bps % 1000:03}" for bps in (self.mean_bps, self.min_bps, self.max_bps))
        where = " in 100 ms" if self.grants else ""
        offers = "  offers {} bytes; rate{} mean {}, min {}, max {} kbit/s\n"
        text += offers.format(self.bits // (8 * BIT), where, *rates)
        if self.gap_ns:
            longest = f"the longest {self.gap_max_ns / 1e9:.3f} s"
            gap = f"{self.gap_ns / 1e9:.3f} s"
            text += f"  {self.gaps} times without sending for more than {gap}, {longest}\n"
        return text


def mean(bits: int, time_ns: int) -> int:
    """Rounded to the nearest."""
    return (bits + time_ns // 2) // time_ns if time_ns else 0
