# SPDX-License-Identifier: GPL-2.0
"""Stretches of time in which nothing changes, and what a trace offers in equal ones, exactly.

Bits are counted in 10^-9, so that a rate times any time in ns is whole.
"""

from collections.abc import Iterable, Iterator

from .lines import Bad
from .trace import STEPS_MAX, Step, Trace

BIT = 10**9
# Line, begin, end, and by column what has been set last.
Piece = tuple[int, int, int, dict[str, int]]

NO_RATE = "there is no rate yet"
OPPORTUNITIES = "opportunities are no rates; say bin 100ms, or another time, to average them"


def pieces(trace: Trace, steps: Iterable[Step]) -> Iterator[Piece]:
    now: dict[str, int] = {}
    begin = line = 0
    for number, offset, values in steps:
        if not line and offset:
            raise Bad("the first step is not at 0; this format begins there")
        if offset > begin:
            yield line, begin, offset, now
            begin = offset
        line = number
        for name, value in zip(trace.columns, values):
            if value is not None:
                now[name] = value
    if trace.length_ns > begin:
        yield line, begin, trace.length_ns, now


def and_end(trace: Trace, steps: Iterable[Step]) -> Iterator[Step]:
    yield from steps
    yield 0, trace.length_ns, ()


def in_bins(trace: Trace, steps: Iterable[Step], width_ns: int) -> Iterator[tuple[int, int, int]]:
    """Begin, end and bits of each; the last may be shorter, and has an opportunity at the very end."""
    begin = at = bits = bps = grant = 0
    for _, offset, values in and_end(trace, steps):
        if offset > at:
            # One that ends at a step's time is left open until the next: it may have been the last.
            if at - begin == width_ns:
                yield begin, at, bits
                begin, bits = at, 0
            bits += grant * 8 * BIT
            grant = 0
            while begin + width_ns < offset:
                end = begin + width_ns
                yield begin, end, bits + bps * (end - at)
                begin = at = end
                bits = 0
            bits += bps * (offset - at)
            at = offset
        now = dict(zip(trace.columns, values))
        if "grant" in now:
            grant += now["grant"] or 0
        elif now.get("rate") is not None:
            bps = now["rate"] or 0
    if at > begin:
        yield begin, at, bits + grant * 8 * BIT


def averages(trace: Trace, steps: Iterable[Step], width_ns: int, unit_bps: int = 1) -> Iterator[Piece]:
    """Rates; what rounding takes from one bin goes to the next."""
    carry = 0
    for begin, end, bits in in_bins(trace, steps, width_ns):
        if unit_bps > 1:
            end = begin + width_ns  # rows of equal length
        rate, carry = divmod(bits + carry, unit_bps * (end - begin))
        yield trace.lines.number, begin, end, {"rate": rate * unit_bps}
    left_out(trace, "rate", "grant")


def need_rate(trace: Trace, bin_ns: int) -> None:
    if "grant" in trace.columns and not bin_ns:
        raise Bad(OPPORTUNITIES)
    if not {"rate", "grant"} & set(trace.columns):
        raise Bad("there is no column rate in it")


def rows_of(rows: Iterable[Piece]) -> Iterator[Piece]:
    for n, row in enumerate(rows):
        if n == STEPS_MAX:
            raise Bad(f"more than {STEPS_MAX} rows; take longer bins")
        yield row


def left_out(trace: Trace, *has: str) -> None:
    """Tell of columns that the format has not."""
    for name in trace.columns:
        if name not in has:
            trace.warn(f"column {name} has no place in this format and is left out")
