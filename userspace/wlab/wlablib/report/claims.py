# SPDX-License-Identifier: GPL-2.0
"""Judges the claims of a set, each a check that can fail.

A claim is about pairs of cells. By the interval of its difference over the same seeds a pair
shows the claim, contradicts it, is equal (the interval holds 0 and is small, or is near 0 as a whole), or
cannot be told; so is a value beside a printed one, which may be too wide in the paper, too.
The claim does not hold if any pair contradicts it or all are equal, cannot be judged while cells
are missing, cannot be told while a pair cannot, is too wide in the paper while a pair is, and holds
otherwise.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from math import prod
from statistics import fmean
from typing import Any

from ..analysis.interval import half_width
from ..experiment.words import Values
from . import verdict as rules
from .data import Slot, Study
from .entries import Entry, of_item
from .words import cell_text, number, some

# Two cells, or gaps, are equal if their difference is within its interval and this is no more than so
# many percent of the larger.
EQUAL_PERCENT = 5.0
# So are two cells, not sums of cells, if their difference with its interval is less than that, however
# sure it is: no curve of a paper shows as little.
SLIGHT_PERCENT = 0.5


@dataclass
class Claim:
    """A claim and its verdict."""

    name: str
    paper: str
    sentence: str
    verdict: str
    figures: str
    items: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Gap:
    """The difference of two cells, or of two sums of cells, over the same seeds.

    size: the larger cell; of sums the larger gap between two cells that have the same place in both.
    """

    a: float
    b: float
    mean: float
    half: float | None
    size: float
    sums: bool = False

    def above(self, margin: float = 0.0) -> bool | None:
        """Whether a is above b, or less than `margin` percent of the larger below it; None: within the
        interval, which one seed lacks, or without a margin slight."""
        off = self.mean + margin / 100 * self.size
        if self.half is None or abs(off) <= self.half:
            return None
        if not self.sums and not margin and abs(off) + self.half <= SLIGHT_PERCENT / 100 * self.size:
            return None
        return off > 0

    def power(self) -> float:
        """The least difference that would have been seen, in percent of the size."""
        if self.half is None:
            return float("inf")
        return 100 * self.half / self.size if self.size else 0.0

    def words(self) -> str:
        return f"{number(self.a)} against {number(self.b)}, difference {number(self.mean, self.half)}"


Agrees = Callable[[Gap], bool | None]
Cells = Slot | list[Slot]


def listed(cells: Cells) -> list[Slot]:
    return [cells] if isinstance(cells, Slot) else cells


def gap(a: Cells, b: Cells, metric: str, of_many: int = 1, ratio: bool = False) -> Gap | None:
    """The difference of a metric in two cells, or of the sums (ratio: products) of two lists of cells;
    None without a seed in common.

    of_many: how many differences are tested for one claim; the interval is widened so that
    one of them is significant by chance no more often than the confidence allows
    (Bonferroni).
    """
    cells = [*listed(a), *listed(b)]
    tables = [slot.by_seed(metric) for slot in cells]
    seeds = [seed for seed in tables[0] if all(seed in table for table in tables)]
    if not seeds:
        return None
    sides = tables[: len(listed(a))], tables[len(listed(a)) :]
    by_seed = [[[table[seed] for table in side] for seed in seeds] for side in sides]
    a_values, b_values = ([prod(v) if ratio else sum(v) for v in values] for values in by_seed)
    confidence = 100 - (100 - cells[0].exp.confidence) / of_many
    differences = [x - y for x, y in zip(a_values, b_values)]
    half = half_width(differences, confidence)
    mean_a, mean_b, sums = fmean(a_values), fmean(b_values), len(cells) > 2
    size = max(abs(mean_a), abs(mean_b))
    if sums and not ratio:
        size = max(abs(fmean(x[s] - y[s] for s in seeds)) for x, y in zip(tables, tables[len(listed(a)) :]))
    return Gap(mean_a, mean_b, fmean(differences), half, size, sums)


@dataclass
class Evidence:
    """The evidence for one claim on the cells of some items of a page, pair by pair."""

    study: Study
    page: str
    of: list[str]
    shown: list[str] = field(default_factory=list)
    equal: list[str] = field(default_factory=list)
    against: list[str] = field(default_factory=list)
    untold: list[str] = field(default_factory=list)
    wide: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    items: dict[str, None] = field(default_factory=dict)
    # Of the comparison that sees least: percent of the larger cell or gap.
    power: float = 0.0

    def having(self, item: str = "", /, **wanted: Any) -> list[Slot]:
        """The claim's cells with these values, of all its items or of one."""
        return self.study.having(self.page, [item] if item else self.of, **wanted)

    def partner(self, slot: Slot, against: Values) -> Slot | None:
        """The cell that differs only by these values."""
        return self.study.partner(slot, against, self.of)

    def entries(self) -> list[Entry]:
        """The numbers of the claim's items, beside those that are printed."""
        return [entry for item in self.of for entry in of_item(self.study, self.page, item)]

    def near(
        self, ratio: float, half: float | None, percent: float, words: str, slot: Slot, wide: bool = False
    ) -> None:
        """Add whether a ratio is within so many percent of 1, with all of its interval; wide: see add()."""
        self.power = max(self.power, float("inf") if half is None else 100 * half)
        self.add(rules.judge_ratio(ratio, half, percent), words, slot, wide=wide)

    def add(self, holds: bool | None, words: str, *slots: Slot, wide: bool = False) -> None:
        """Add the verdict on a pair; the items of pairs that contradict the claim are kept.

        wide: what cannot be told could not be told with the paper's interval alone.
        """
        untold = self.wide if wide else self.untold
        {True: self.shown, False: self.against, None: untold}[holds].append(words)
        if holds is False:
            self.items |= dict.fromkeys(item for s in slots for item in s.plan.items)

    def lack(self, what: str) -> None:
        if what not in self.missing:
            self.missing.append(what)

    def lack_cell(self, slot: Slot) -> None:
        self.lack(f"{slot.exp.name}: {cell_text(slot.values)}")

    def compare(
        self,
        a: Cells,
        b: Cells | None,
        metric: str,
        agrees: Agrees,
        where: str = "",
        of_many: int = 1,
        ratio: bool = False,
        step: bool = False,
    ) -> Gap | None:
        """Compare two cells, or sums of cells, and add the verdict; see gap(). A step can only contradict."""
        if b is None:
            self.lack(f"what {cell_text(listed(a)[0].values)} is compared with")
            return None
        cells = [*listed(a), *listed(b)]
        difference = gap(a, b, metric, of_many, ratio)
        if difference is None:
            for slot in [s for s in cells if not s.by_seed(metric)] or cells:
                self.lack_cell(slot)
            return None
        # The cell with most keys says most of the place.
        named = max(cells, key=lambda slot: len(slot.values))
        told, words = agrees(difference), f"{where or cell_text(named.values)}: {difference.words()}"
        if not step:
            self.power = max(self.power, difference.power())
        if told is False:
            self.add(False, words, cells[0])
        elif not step:
            if told is None and difference.above() is None and difference.power() <= EQUAL_PERCENT:
                self.equal.append(words)
            else:
                self.add(told, words)
        return difference

    def verdict(self) -> str:
        if self.against:
            return rules.FAILS
        if self.missing or not (self.shown or self.equal or self.untold or self.wide):
            return rules.UNJUDGED
        if self.untold:
            return rules.UNTOLD
        if self.wide:
            return rules.WIDE
        return rules.HOLDS if self.shown else rules.FAILS

    def figures(self, closest: str = "") -> str:
        """The evidence in sentences: how many comparisons, what they could see, contradictions, holes."""
        counts = {
            "show it": self.shown,
            f"are equal within {EQUAL_PERCENT:g} %": self.equal,
            "contradict it": self.against,
            "are too wide in the paper": self.wide,
            "cannot be told": self.untold,
        }
        total = sum(map(len, counts.values()))
        said = ", ".join(f"{len(found)} {words}" for words, found in counts.items() if found)
        out = [f"Of {total} comparisons {said}." if total else "Nothing to compare."]
        if self.power:
            least = f"{self.power:.2g} %" if self.power < 100 else "more than 100 %"
            out.append(f"A difference of {least} would have been seen in each.")
        out += [closest] if closest else []
        out += [f"Against it: {some(self.against)}."] if self.against else []
        out += [f"Missing: {some(self.missing)}."] if self.missing else []
        return " ".join(out)


def tap(claims: list[Claim]) -> list[str]:
    """The claims as TAP, with their figures as comments."""
    out = [f"1..{len(claims)}"]
    for i, claim in enumerate(claims, 1):
        word = "not ok" if claim.verdict == rules.FAILS else "ok"
        skip = "" if claim.verdict in (rules.HOLDS, rules.FAILS) else f" # SKIP {claim.verdict}"
        out += [f"{word} {i} - {claim.name}: {claim.sentence}{skip}", f"#   {claim.figures}"]
    return out
