# SPDX-License-Identifier: GPL-2.0
"""time,rate: seconds and bit/s, or with units of tc. Times count from that of the first row.
Under a header time,background the rates are those of users in the background.

The last row lasts as long as the one before it, if no comment "# length TIME" says else.
"""

import re
from collections.abc import Iterator

from ..bins import NO_RATE, averages, left_out, need_rate, pieces, rows_of
from ..lines import Bad
from ..numbers import is_number, rate, time
from ..trace import Step, Trace, is_not, seconds

ALONE_NS = 10**9
OTHER_UNITS = {"ms", "us", "msec", "usec", "kbit", "mbit", "kbps", "mbps"}


class Reader:
    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        trace.columns = ["rate"]
        self.header = self.twice = False
        self.first_ns = self.gap_ns = self.length_ns = 0

    def comment(self, text: str) -> None:
        found = re.match(r"[# \t]*length (.*)", text)
        if found:
            self.length_ns = time(found[1], 9) or 0
            if not self.length_ns:
                raise is_not(found[1], "a length, such as 12.5s")

    def names(self, text: str) -> None:
        """A header that names other units than ours is worth a word."""
        self.header = True
        if re.fullmatch(r"[ \t\"]*time[ \t\"]*,[ \t\"]*background[ \t\"]*", text):
            self.trace.columns = ["background"]
        for word in re.split(r'[ \t,_()\[\]/"]', text):
            if word.lower() in OTHER_UNITS:
                ours = "bare times are read as s and bare rates as bit/s"
                self.trace.warn(f'the header says "{word}", but {ours}')

    def line(self, text: str) -> Step | None:
        trace = self.trace
        if not text or text[0] == "#":
            self.comment(text)
            return None
        if not trace.count and not self.header and not is_number(text):
            self.names(text)
            return None
        when, bps = row(text)
        if not trace.count:
            self.first_ns = when
        if when < self.first_ns + trace.last_ns:
            last = seconds(self.first_ns + trace.last_ns)
            raise Bad(f"time goes backwards: {seconds(when)} s after {last} s")
        offset = when - self.first_ns
        if trace.count and offset == trace.last_ns and not self.twice:
            self.twice = True
            trace.warn("a second row of one time: of such rows the last one holds", grade="note")
        if offset > trace.last_ns:
            self.gap_ns = offset - trace.last_ns
        return trace.lines.number, offset, (bps,)

    def finish(self) -> None:
        trace = self.trace
        if self.first_ns:
            first = seconds(self.first_ns)
            trace.warn(f"times count from that of the first row, {first} s", grade="note")
        if self.length_ns and self.length_ns < trace.last_ns:
            raise Bad("its length is before its last row")
        trace.length_ns = self.length_ns or trace.last_ns + (self.gap_ns or ALONE_NS)


def row(text: str) -> tuple[int, int]:
    words = [word.strip(" \t") for word in text.split(",")]
    if len(words) != 2:
        raise Bad(f"{'one column' if len(words) == 1 else 'more than two columns'}; a row is time,rate")
    if words[0].startswith("-"):
        raise is_not(words[0], "a time from 0 on")
    when = time(words[0], 9)
    if when is None:
        raise is_not(words[0], "a time in s, or with ns, us, ms or s")
    if words[1].startswith("-"):
        raise is_not(words[1], "a rate, which is 0 or more")
    bps = rate(words[1])
    if bps is None:
        raise is_not(words[1], "a rate in bit/s, or with bit, kbit, mbit or gbit")
    return when, bps


def in_seconds(ns: int) -> str:
    """With as many decimals as it takes."""
    return seconds(ns).rstrip("0").rstrip(".")


def head(trace: Trace, _: int) -> str:
    return f"# length {in_seconds(trace.length_ns)}\ntime,rate\n"


def write(trace: Trace, steps: Iterator[Step], bin_ns: int) -> Iterator[str]:
    for _, begin, _, values in rows_of(averages(trace, steps, bin_ns) if bin_ns else pieces(trace, steps)):
        need_rate(trace, bin_ns)
        if "rate" not in values:
            raise Bad(NO_RATE)
        yield f"{in_seconds(begin)},{values['rate']}\n"
    if not bin_ns:
        left_out(trace, "rate")
