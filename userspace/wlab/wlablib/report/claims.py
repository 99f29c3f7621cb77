# SPDX-License-Identifier: GPL-2.0
"""The claims of a set, each a check that can fail.

A claim is false as soon as one pair of cells speaks against it, cannot be judged (None) while
cells that it is about are missing, and holds otherwise.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any

from ..analysis.interval import half_width
from ..experiment.functions import call
from ..experiment.words import Values
from ..lib.paths import LabError
from .data import Slot, Study
from .entries import paired
from .words import cell_text, number, some


@dataclass
class Claim:
    """One claim and how it has come out."""

    name: str
    paper: str
    sentence: str
    holds: bool | None
    figures: str
    items: list[str] = field(default_factory=list)


@dataclass
class Evidence:
    """What is gathered for one claim on the cells of some items of a page, pair by pair."""

    study: Study
    page: str
    of: list[str]
    for_it: list[str] = field(default_factory=list)
    against: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    items: dict[str, None] = field(default_factory=dict)

    def having(self, item: str = "", /, **wanted: Any) -> list[Slot]:
        """Its cells with these values, of all its items or of one."""
        return self.study.having(self.page, [item] if item else self.of, **wanted)

    def partner(self, slot: Slot, against: Values) -> Slot | None:
        """The cell that differs by these values only."""
        return self.study.partner(slot, against, self.of)

    def add(self, holds: bool, words: str, *slots: Slot) -> None:
        """A pair that was looked at; the items of what speaks against it are kept."""
        (self.for_it if holds else self.against).append(words)
        if not holds:
            self.items |= dict.fromkeys(item for s in slots for item in s.plan.items)

    def lack(self, what: str) -> None:
        if what not in self.missing:
            self.missing.append(what)

    def lack_cell(self, slot: Slot) -> None:
        self.lack(f"{slot.exp.name}: {cell_text(slot.values)}")

    def lack_pair(self, metric: str, a: Slot, b: Slot) -> None:
        """They have no seed in common: what has none at all, or both."""
        for slot in [s for s in (a, b) if not s.by_seed(metric)] or [a, b]:
            self.lack_cell(slot)

    def compare(
        self, a: Slot, b: Slot | None, metric: str, agrees: "Agrees", where: str = "", of_many: int = 1
    ) -> "Gap | None":
        """Adds a pair; see gap()."""
        have = gap(a, b, metric, of_many) if b else None
        if b is None:
            self.lack(f"what {cell_text(a.values)} is compared with")
        elif have is None:
            self.lack_pair(metric, a, b)
        else:
            self.add(agrees(have), f"{where or cell_text(a.values)}: {have.words()}", a)
        return have

    def holds(self) -> bool | None:
        if self.against:
            return False
        return None if self.missing or not self.for_it else True

    def seen(self) -> str:
        """What speaks for it, where that is worth reading."""
        return f"Seen: {some(self.for_it)}." if self.for_it else ""

    def figures(self, closest: str = "") -> str:
        """In sentences: how many, what speaks against it, what is missing."""
        seen = len(self.for_it) + len(self.against)
        out = [f"{len(self.for_it)} of {seen} comparisons hold."] if seen else ["Nothing to compare."]
        if closest:
            out.append(closest)
        if self.against:
            out.append(f"Against it: {some(self.against)}.")
        if self.missing:
            out.append(f"Missing: {some(self.missing)}.")
        return " ".join(out)


@dataclass(frozen=True)
class Gap:
    """By how much a is above b, of the same seeds."""

    a: float
    b: float
    mean: float
    half: float | None

    def above(self) -> bool:
        """By the means."""
        return self.mean > 0

    def below_surely(self) -> bool:
        """By more than the interval of the difference; one seed has none."""
        return self.half is not None and self.mean < -self.half

    def above_surely(self) -> bool:
        return self.half is not None and self.mean > self.half

    def words(self) -> str:
        return f"{number(self.a)} against {number(self.b)}, difference {number(self.mean, self.half)}"


Agrees = Callable[[Gap], bool]


def gap(a: Slot, b: Slot, metric: str, of_many: int = 1) -> Gap | None:
    """None without a seed in common.

    of_many: so many differences are tested for one claim; the interval is made wider so that
    chance alone makes one of all of them stand out no more often than the confidence allows
    (Bonferroni).
    """
    ours, theirs = paired(a, b, metric)
    if not ours:
        return None
    confidence = 100 - (100 - a.exp.confidence) / of_many
    rest = [x - y for x, y in zip(ours, theirs)]
    return Gap(fmean(ours), fmean(theirs), fmean(rest), half_width(rest, confidence))


def judge(study: Study) -> list[Claim]:
    """All of a set, in its order; what a function returns is the sentence between numbers and faults."""
    out = []
    for page in study.set.pages if study.set else []:
        for one in page.claims:
            found = Evidence(study, page.name, one.items)
            try:
                closest = call(one.function, page.code, found, **one.given) if page.code else None
            except LabError as e:
                raise LabError(f"{one.name}: {e}") from None
            figures = found.figures(str(closest or ""))
            out.append(Claim(one.name, page.name, one.text, found.holds(), figures, list(found.items)))
    return out


def tap(claims: list[Claim]) -> list[str]:
    """A line each, and what it rests on."""
    out = [f"1..{len(claims)}"]
    for i, one in enumerate(claims, 1):
        word = "not ok" if one.holds is False else "ok"
        skip = " # SKIP cannot be judged" if one.holds is None else ""
        out += [f"{word} {i} - {one.name}: {one.sentence}{skip}", f"#   {one.figures}"]
    return out
