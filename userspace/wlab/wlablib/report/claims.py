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
from dataclasses import dataclass, field, replace
from math import prod, sqrt
from statistics import fmean
from typing import Any

from ..analysis.interval import half_width, student
from ..experiment.words import Values
from . import verdict as rules
from .data import Slot, Study
from .entries import Entry, of_item
from .words import cell_text, count, number, some

# Two cells, or gaps, are equal if their difference is within its interval and this is no more than so
# many percent of the larger.
EQUAL_PERCENT = 5.0
# So are two cells, not sums of cells, if their difference with its interval is less than that, however
# sure it is: no curve of a paper shows as little.
SLIGHT_PERCENT = 0.5
# More seeds than that are not asked for.
MANY_SEEDS = 100


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
    seeds: int = 0
    confidence: float = 0.0

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

    def equal(self) -> bool:
        """Whether the interval holds 0 or is near it, and is small."""
        return self.above() is None and self.power() <= EQUAL_PERCENT

    def needed(self, agrees: "Agrees") -> int:
        """How many seeds would tell, if mean and deviation stay what they are; 0 if MANY_SEEDS would not."""
        if self.half is None:
            return 0
        deviation = self.half * sqrt(self.seeds) / student(self.seeds - 1, self.confidence)
        for n in range(self.seeds + 1, MANY_SEEDS + 1):
            more = replace(self, half=deviation * student(n - 1, self.confidence) / sqrt(n))
            if agrees(more) is not None or more.equal():
                return n
        return 0

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
    return Gap(mean_a, mean_b, fmean(differences), half, size, sums, len(seeds), confidence)


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
    # Of comparisons that more seeds may tell: how many would, 0 without an estimate, and their cells.
    needs: list[tuple[int, list[Slot]]] = field(default_factory=list)

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
        if holds is None and not wide:
            self.needs.append((0, list(slots)))

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
            if told is None and difference.equal():
                self.equal.append(words)
            elif told is None:
                self.untold.append(words)
                self.needs.append((difference.needed(agrees), cells))
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

    def wanting(self) -> list[str]:
        """What it costs to tell what cannot be told, in sentences; for what does not hold nobody asks."""
        if self.against or self.missing or not self.needs:
            return []
        sure = [(seeds, cells) for seeds, cells in self.needs if seeds]
        rest = [cells for seeds, cells in self.needs if not seeds]
        out = []
        if sure:
            fewest, most = min(n for n, _ in sure), max(n for n, _ in sure)
            seeds = f"{fewest} to {most}" if fewest < most else f"{most}"
            cost = f"{sum(costs(sure).values()) / 60:.2g} core-minutes"
            out.append(f"By their spread {seeds} seeds would tell {len(sure)} of these, in {cost} more.")
        if rest:
            each = sum(costs([(-1, cells) for cells in rest]).values())
            which = f"the {count(len(rest), 'other')}" if sure else "these"
            out.append(f"One more seed of {which} takes {each:.2g} core-seconds.")
        return out

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
        out += self.wanting()
        out += [f"Against it: {some(self.against)}."] if self.against else []
        out += [f"Missing: {some(self.missing)}."] if self.missing else []
        return " ".join(out)


def costs(needs: list[tuple[int, list[Slot]]]) -> dict[str, float]:
    """Processor time, s, by cell, to have so many seeds of each, or -1: one more."""
    out: dict[str, float] = {}
    for seeds, cells in needs:
        for slot in (s for s in cells if s.record):
            assert slot.record
            have, cost_s = len(slot.record["seeds"]), slot.record["cost"]["cpu_s"]
            more = 1 if seeds < 0 else max(0, seeds - have)
            name = f"{slot.exp.name} {slot.id}"
            out[name] = max(out.get(name, 0.0), more * cost_s / have)
    return out


def tap(claims: list[Claim]) -> list[str]:
    """The claims as TAP, with their figures as comments."""
    out = [f"1..{len(claims)}"]
    for i, claim in enumerate(claims, 1):
        word = "not ok" if claim.verdict == rules.FAILS else "ok"
        skip = "" if claim.verdict in (rules.HOLDS, rules.FAILS) else f" # SKIP {claim.verdict}"
        out += [f"{word} {i} - {claim.name}: {claim.sentence}{skip}", f"#   {claim.figures}"]
    return out
