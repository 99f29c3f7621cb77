# SPDX-License-Identifier: GPL-2.0
"""TheaterQ, github.com/cs7org/TheaterQ, README.md at 0afe866.

simple:   KEEP,LATENCY,RATE,LOSS,LIMIT
extended: KEEP,LATENCY,JITTER,RATE,LOSS,LIMIT,DUP_PROB,DUP_DELAY[,ROUTE_ID]
KEEP is how long a row holds in us, not 0; LATENCY, JITTER and DUP_DELAY are ns; RATE is bit/s, 0 for none;
LOSS and DUP_PROB are p * 2^32; LIMIT is packets, or bytes if its qdisc is told so. Rows that do not begin
with a digit say nothing.
"""

from collections.abc import Iterator

from ..bins import averages, need_rate, pieces, rows_of
from ..lines import Bad
from ..numbers import COLUMNS, LENGTH_MAX_NS, PROB_ONE, count
from ..trace import Step, Trace, is_not

SIMPLE = ("KEEP", "LATENCY", "RATE", "LOSS", "LIMIT")
EXTENDED = ("KEEP", "LATENCY", "JITTER", "RATE", "LOSS", "LIMIT", "DUP_PROB", "DUP_DELAY", "ROUTE_ID")
NAMES = {5: SIMPLE, 8: EXTENDED, 9: EXTENDED}
LEFT_OUT = {"JITTER": "JITTER", "DUP_PROB": "DUP_PROB, duplicates,", "ROUTE_ID": "ROUTE_ID, reordering,"}
LIMIT_DEFAULT = 1000


class Reader:
    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        trace.columns = ["rate", "delay", "loss", "limit_bytes" if trace.bytes_limit else "limit_packets"]
        self.fields = 0
        self.at_ns = 0
        # By name the lines with it, and the first of them.
        self.left: dict[str, tuple[int, int]] = {}

    def row(self, text: str) -> dict[str, int]:
        words = [word.strip(" \t") for word in text.split(",")]
        n = len(words)
        if n not in NAMES:
            raise Bad(f"{n} columns; TheaterQ has 5, or 8 or 9 if extended")
        self.fields = self.fields or n
        if n != self.fields:
            raise Bad(f"{n} columns after rows of {self.fields}")
        values = {}
        for name, word in zip(NAMES[n], words):
            value = count(word)
            if value is None:
                raise is_not(word, name)
            values[name] = value
        return values

    def line(self, text: str) -> Step | None:
        if not "0" <= text[:1] <= "9":
            return None
        values = self.row(text)
        if not values["KEEP"]:
            raise Bad("KEEP 0: a row must last")
        if values["KEEP"] > LENGTH_MAX_NS // 1000:
            raise Bad(f"KEEP {values['KEEP']} us is above {LENGTH_MAX_NS // 1000} us")
        if not values["RATE"]:
            most = COLUMNS["rate"].most
            raise Bad(f"RATE 0 is no limit in TheaterQ; a wlink has one: write it, up to {most}")
        if values["LOSS"] > PROB_ONE:
            raise Bad(f"LOSS {values['LOSS']} is above {PROB_ONE}")
        for name in LEFT_OUT:
            if values.get(name):
                n, first = self.left.get(name, (0, self.trace.lines.number))
                self.left[name] = n + 1, first
        at = self.at_ns
        self.at_ns += 1000 * values["KEEP"]
        return self.trace.lines.number, at, [values[name] for name in ("RATE", "LATENCY", "LOSS", "LIMIT")]

    def finish(self) -> None:
        for name, text in LEFT_OUT.items():
            if name in self.left:
                n, first = self.left[name]
                gone = f"is left out, here and in {n - 1} further rows"
                self.trace.warn(f"{text} has no counterpart in a wlink and {gone}", first)
        self.trace.length_ns = self.at_ns


def head(_: Trace, __: int) -> str:
    return ""


def write(trace: Trace, steps: Iterator[Step], bin_ns: int) -> Iterator[str]:
    told: set[str] = set()

    def once(text: str) -> None:
        if text not in told:
            told.add(text)
            trace.warn(text)

    for _, begin, end, values in rows_of(averages(trace, steps, bin_ns) if bin_ns else pieces(trace, steps)):
        if bin_ns or "grant" in trace.columns:
            need_rate(trace, bin_ns)
        if "rate" not in values:
            raise Bad("there is no rate yet; TheaterQ would have no limit")
        if end % 1000:
            raise Bad(f"{end} ns is no whole us, as TheaterQ has them")
        if not values["rate"]:
            once("rate 0 is no limit in TheaterQ: 1 bit/s is written")
        limit = values.get("limit_packets")
        if limit is None:
            limit = values.get("limit_bytes", LIMIT_DEFAULT)
            if "limit_bytes" in values:
                once("LIMIT is in bytes: give TheaterQ the word byteqlen")
            else:
                once("there is no limit: 1000 packets are written, which is TheaterQ's own")
        delay, loss = values.get("delay", 0), values.get("loss", 0)
        yield f"{(end - begin) // 1000},{delay},{values['rate'] or 1},{loss},{limit}\n"
