# SPDX-License-Identifier: GPL-2.0
"""JENS: kbit/s, one value per line, ten lines a second if no header says else."""

from collections.abc import Iterator

from ..bins import NO_RATE, averages, need_rate, pieces, rows_of
from ..lines import Bad
from ..numbers import count, decimal
from ..trace import Step, Trace, is_not

LINE_NS = 10**8
# As JENS spells it, and as others may.
FREQUENCIES = (":recommended_freqeuncy=", ":recommended_frequency=")


class Reader:
    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        trace.columns = ["rate"]
        self.line_ns = LINE_NS

    def comment(self, text: str) -> None:
        for word in FREQUENCIES:
            _, found, value = text.partition(word)
            if not found:
                continue
            per_s = count(value)
            if not per_s or 10**9 % per_s:
                what = "a number of lines per second that divides a second into whole ns"
                raise is_not(text, f"a header with {what}")
            if self.trace.count:
                raise Bad("the number of lines per second comes after the first line")
            self.line_ns = 10**9 // per_s

    def line(self, text: str) -> Step | None:
        if not text or text[0] == "#":
            self.comment(text)
            return None
        if text[0] == "-":
            raise is_not(text, "a rate, which is 0 or more kbit/s")
        bps = decimal(text, 3)
        if bps is None:
            raise is_not(text, "a rate in kbit/s, one on each line")
        return self.trace.lines.number, self.trace.count * self.line_ns, (bps,)

    def finish(self) -> None:
        self.trace.length_ns = self.trace.count * self.line_ns


def aligned(trace: Trace, steps: Iterator[Step]) -> Iterator[Step]:
    """Rows of equal length without a bin: steps must come at their begins."""
    told = False
    for line, begin, end, values in pieces(trace, steps):
        need_rate(trace, 0)
        bps = values.get("rate")
        if bps is None:
            raise Bad(NO_RATE)
        if end % LINE_NS:
            raise Bad(f"{end} ns is no multiple of 100 ms; say bin 100ms to average")
        if bps % 1000 and not told:
            told = True
            trace.warn("rates are rounded to kbit/s; what is cut from a row goes to the next")
        yield line, begin, [bps if name == "rate" else None for name in trace.columns]


def head(_: Trace, bin_ns: int) -> str:
    return f"# kbit/s\n# :recommended_freqeuncy={10**9 // (bin_ns or LINE_NS)}\n"


def write(trace: Trace, steps: Iterator[Step], bin_ns: int) -> Iterator[str]:
    if bin_ns and 10**9 % bin_ns:
        raise Bad("a bin of jens must divide a second")
    if not bin_ns:
        steps = aligned(trace, steps)
    for _, _, _, values in rows_of(averages(trace, steps, bin_ns or LINE_NS, unit_bps=1000)):
        need_rate(trace, bin_ns or LINE_NS)
        yield f"{values['rate'] // 1000}\n"
    if trace.length_ns % (bin_ns or LINE_NS):
        trace.warn("the last row is longer than what is left of the trace")
