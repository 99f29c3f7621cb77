# SPDX-License-Identifier: GPL-2.0
"""Reads what tc-netem(8) takes, in its order and units."""

import json
import re
from collections.abc import Sequence
from fractions import Fraction

from ..lib.beside import USAGE, Stop
from ..lib.units import BYTES, RATE, as_rate, as_time

TIMES = {"s": 10**9, "sec": 10**9, "secs": 10**9, "ms": 10**6, "msec": 10**6, "msecs": 10**6,
         "us": 10**3, "usec": 10**3, "usecs": 10**3, "ns": 1, "nsec": 1, "nsecs": 1, "": 10**3}  # fmt: skip
RATES = {**RATE, "tbit": 10**12, "kibit": 1 << 10, "mibit": 1 << 20, "gibit": 1 << 30}
WORDS = ("limit", "delay", "latency", "distribution", "loss", "drop", "duplicate", "corrupt", "reorder",
         "gap", "rate", "slot", "ecn", "seed")  # fmt: skip
ALIKE = {"latency": "delay", "drop": "loss"}
NUMBER = re.compile(r"(\d+\.?\d*|\.\d+)([a-z]*|%)", re.I)
# From the half width of a uniform distribution to its deviation, of which none may be below 0.
ROOT3 = Fraction("1.7320508075688772935274463")
LIMIT, TABLES = 1000, ("normal", "pareto", "paretonormal", "experimental")
KEPT = "keeps its distribution in wlink and changes it in netem"


def number(word: str, units: dict[str, int], what: str) -> Fraction:
    found = NUMBER.fullmatch(word)
    if not found or found[2].lower() not in units:
        raise Stop(USAGE, f'"{word}" is not {what}')
    return Fraction(found[1]) * units[found[2].lower()]


def time_ns(word: str) -> int:
    return round(number(word, TIMES, "a time of netem, as in 10ms"))


def probability(word: str) -> Fraction:
    value = number(word, {"%": 1, "": 1}, "a percentage, as in 1%") / 100
    if value > 1:
        raise Stop(USAGE, f'"{word}" is above 100%')
    return value


def percent(value: Fraction) -> str:
    return f"{float(value * 100):.10g}%"


class Line:
    """A line of netem, word by word; what becomes of it."""

    def __init__(self, words: Sequence[str]) -> None:
        self.rest = list(words)
        self.words: dict[str, str] = {"rate": "rate unlimited", "limit": f"limit {LIMIT}"}
        self.differs: list[str] = []
        self.delay_ns = self.jitter_ns = 0
        self.correlation = Fraction(0)
        self.distribution = ""

    def numbers(self, most: int) -> list[str]:
        """The words up to the next that is no number."""
        found: list[str] = []
        while self.rest and len(found) < most and self.rest[0][:1] in "0123456789.":
            found.append(self.rest.pop(0))
        return found

    def some(self, word: str, most: int) -> list[str]:
        found = self.numbers(most)
        if not found:
            raise Stop(USAGE, f"{word} has no value")
        return found

    def read(self) -> None:
        while self.rest:
            word = self.rest.pop(0)
            if word not in WORDS:
                raise Stop(USAGE, f'"{word}" is no word of netem that is known here: {", ".join(WORDS)}')
            getattr(self, f"read_{ALIKE.get(word, word)}")()
        self.late()

    def read_limit(self) -> None:
        self.words["limit"] = f"limit {int(number(self.some('limit', 1)[0], BYTES, 'a number of packets'))}"

    def read_seed(self) -> None:
        self.words["seed"] = f"seed {int(self.some('seed', 1)[0])}"

    def read_delay(self) -> None:
        given = self.some("delay", 3)
        self.delay_ns = time_ns(given[0])
        self.jitter_ns = time_ns(given[1]) if len(given) > 1 else 0
        self.correlation = probability(given[2]) if len(given) > 2 else Fraction(0)

    def read_distribution(self) -> None:
        self.distribution = self.rest.pop(0) if self.rest else ""
        if self.distribution not in ("uniform", *TABLES):
            raise Stop(USAGE, f'distribution "{self.distribution}" is not uniform, {", ".join(TABLES)}')

    def read_rate(self) -> None:
        given = self.some("rate", 4)
        self.words["rate"] = f"rate {as_rate(round(number(given[0], RATES, 'a rate')))}"
        if len(given) > 1:
            self.words["header"] = f"header {int(given[1])}"
        if len(given) > 2:
            self.differs.append("cells of the rate have no word in wlink; tc's stab has: stab linklayer atm")

    def read_loss(self) -> None:
        most = {"random": 2, "gemodel": 4, "state": 5}
        kind = self.rest.pop(0) if self.rest and self.rest[0] in most else "random"
        given = [probability(word) for word in self.some(f"loss {kind}", most[kind])]
        if kind == "random":
            self.words["channel"] = f"channel uniform loss {percent(given[0])}"
            if len(given) > 1:
                self.differs.append("correlation of loss is left out; bursts are loss gemodel, here gilbert")
            return
        if kind == "state" and len(given) > 2:
            raise Stop(USAGE, "loss state with more than p13 and p31 has no counterpart; gemodel has")
        p = given[0]
        r = given[1] if len(given) > 1 else 1 - p
        bad = given[2] if len(given) > 2 else Fraction(1)
        good = given[3] if len(given) > 3 else Fraction(0)
        words = f"channel gilbert p {percent(p)} r {percent(r)} loss_bad {percent(bad)}"
        self.words["channel"] = words + (f" loss_good {percent(good)}" if good else "")

    def simple(self, word: str) -> None:
        given = self.some(word, 2)
        self.words[word] = f"{word} {percent(probability(given[0]))}"
        if len(given) > 1:
            self.differs.append(f"correlation of {word} is left out")

    def read_duplicate(self) -> None:
        self.simple("duplicate")

    def read_corrupt(self) -> None:
        self.simple("corrupt")

    def read_reorder(self) -> None:
        share = probability(self.some("reorder", 2)[0])
        early = f"0ms,{float(share * 100):g} and {as_time(self.delay_ns)},{float(100 - share * 100):g}"
        self.differs.append(f"reorder is jitter_table FILE jitter_reorder on without delay; FILE has {early}")

    def read_gap(self) -> None:
        self.some("gap", 1)
        self.differs.append("gap has no counterpart: every Nth packet at once")

    def read_slot(self) -> None:
        while self.rest and self.rest[0] not in WORDS:
            self.rest.pop(0)
        self.differs.append("slot is tti TIME, or opportunities: wlinkctl trace play")

    def read_ecn(self) -> None:
        self.differs.append("ecn marks what loss would drop; in wlink an AQM marks: aqm codel ecn on")

    def late(self) -> None:
        """Delay and jitter, which wlink adds to it."""
        mean, half = self.delay_ns, self.jitter_ns
        if not half:
            self.words["delay"] = f"delay {as_time(mean)}" if mean else ""
            return
        if self.distribution in ("", "uniform") and half > mean:
            zero, rest = (half - mean) * 50 / half, (half + mean) * 50 / half
            self.differs.append(
                f"netem cuts what is below 0: jitter_table FILE has that, with 0ms,{zero:.6g} and"
                f" 0ms,{as_time(mean + half)},{rest:.6g}; the words here keep the mean of {as_time(mean)}"
            )
            half = mean
        if self.distribution in ("", "uniform"):
            dev = as_time(int(half / ROOT3))
            fixed = f"delay {as_time(mean - half)} " if mean > half else ""
            jitter = f"{fixed}jitter {as_time(half)} jitter_dist uniform jitter_dev {dev}" if half else fixed
        else:
            jitter = f"jitter {as_time(mean)} jitter_dev {as_time(half)}"
            named = self.distribution == "normal"
            jitter += " jitter_dist normal" if named else f" jitter_table {self.distribution}"
        if self.correlation:
            jitter += f" jitter_correlation {percent(self.correlation)}"
            self.differs.append(f"correlation of the delay {KEPT}")
        if self.words["rate"] == "rate unlimited":
            jitter += " jitter_reorder on"
        else:
            self.differs.append("packets stay in order; jitter_reorder on lets them overtake each other")
        self.words["delay"] = jitter

    def said(self) -> str:
        order = ("rate", "header", "delay", "limit", "channel", "duplicate", "corrupt", "seed")
        return " ".join(filter(None, (self.words.get(word, "") for word in order)))


def main(argv: list[str]) -> int:
    """wlinkctl from-netem "delay 50ms 10ms loss 1% rate 10mbit limit 1000"."""
    as_json = argv[:1] == ["--json"]
    given = " ".join(argv[as_json:]).split()
    if given[:1] == ["netem"]:
        del given[0]
    if not given:
        raise Stop(USAGE, 'from-netem needs words of netem, as in "delay 50ms 10ms loss 1% rate 10mbit"')
    line = Line(given)
    line.read()
    line.differs.append("limit counts what waits for its turn; netem's counts what is on its way, too")
    if as_json:
        print(json.dumps({"words": line.said(), "differs": line.differs}))
    else:
        print("\n".join([line.said(), *(f"# differs: {text}" for text in line.differs)]))
    return 0
