# SPDX-License-Identifier: GPL-2.0
"""Judges the claims of a set, each a check that can fail.

A claim is false if any pair of cells contradicts it, cannot be judged (None) while
cells of it are missing, and holds otherwise.
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
    """A claim and its verdict."""

    name: str
    paper: str
    sentence: str
    holds: bool | None
    figures: str
    items: list[str] = field(default_factory=list)


@dataclass
class Evidence:
    """The evidence for one claim on the cells of some items of a page, pair by pair."""

    study: Study
    page: str
    of: list[str]
    for_it: list[str] = field(default_factory=list)
    against: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    items: dict[str, None] = field(default_factory=dict)

    def having(self, item: str = "", /, **wanted: Any) -> list[Slot]:
        """The claim's cells with these values, of all its items or of one."""
        return self.study.having(self.page, [item] if item else self.of, **wanted)

    def partner(self, slot: Slot, against: Values) -> Slot | None:
        """The cell that differs only by these values."""
        return self.study.partner(slot, against, self.of)

    def add(self, holds: bool, words: str, *slots: Slot) -> None:
        """Add the verdict on a pair; the items of pairs that contradict the claim are kept."""
        (self.for_it if holds else self.against).append(words)
        if not holds:
            self.items |= dict.fromkeys(item for s in slots for item in s.plan.items)

    def lack(self, what: str) -> None:
        if what not in self.missing:
            self.missing.append(what)

    def lack_cell(self, slot: Slot) -> None:
        self.lack(f"{slot.exp.name}: {cell_text(slot.values)}")

    def lack_pair(self, metric: str, a: Slot, b: Slot) -> None:
        """Record as missing the cell without this metric, or both if they have no seed in common."""
        for slot in [s for s in (a, b) if not s.by_seed(metric)] or [a, b]:
            self.lack_cell(slot)

    def compare(
        self, a: Slot, b: Slot | None, metric: str, agrees: "Agrees", where: str = "", of_many: int = 1
    ) -> "Gap | None":
        """Compare two cells and add the verdict; see gap()."""
        difference = gap(a, b, metric, of_many) if b else None
        if b is None:
            self.lack(f"what {cell_text(a.values)} is compared with")
        elif difference is None:
            self.lack_pair(metric, a, b)
        else:
            self.add(agrees(difference), f"{where or cell_text(a.values)}: {difference.words()}", a)
        return difference

    def holds(self) -> bool | None:
        if self.against:
            return False
        return None if self.missing or not self.for_it else True

    def seen(self) -> str:
        """A sentence with the pairs that support the claim, for a function to return."""
        return f"Seen: {some(self.for_it)}." if self.for_it else ""

    def figures(self, closest: str = "") -> str:
        """The evidence in sentences: number of pairs, contradictions, missing cells."""
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
    """The difference of two cells over the same seeds."""

    a: float
    b: float
    mean: float
    half: float | None

    def above(self) -> bool:
        """Whether the mean of a is above that of b."""
        return self.mean > 0

    def below_surely(self) -> bool:
        """Whether a is below b by more than the interval of the difference, which one seed lacks."""
        return self.half is not None and self.mean < -self.half

    def above_surely(self) -> bool:
        return self.half is not None and self.mean > self.half

    def words(self) -> str:
        return f"{number(self.a)} against {number(self.b)}, difference {number(self.mean, self.half)}"


Agrees = Callable[[Gap], bool]


def gap(a: Slot, b: Slot, metric: str, of_many: int = 1) -> Gap | None:
    """The difference of a metric in two cells; None without a seed in common.

    of_many: how many differences are tested for one claim; the interval is widened so that
    one of them is significant by chance no more often than the confidence allows
    (Bonferroni).
    """
    a_values, b_values = paired(a, b, metric)
    if not a_values:
        return None
    confidence = 100 - (100 - a.exp.confidence) / of_many
    differences = [x - y for x, y in zip(a_values, b_values)]
    return Gap(fmean(a_values), fmean(b_values), fmean(differences), half_width(differences, confidence))


def judge(study: Study) -> list[Claim]:
    """Judge all claims of a set; a claim's function may return a sentence for the figures."""
    out = []
    for page in study.set.pages if study.set else []:
        for claim in page.claims:
            evidence = Evidence(study, page.name, claim.items)
            try:
                closest = call(claim.function, page.code, evidence, **claim.given) if page.code else None
            except LabError as e:
                raise LabError(f"{claim.name}: {e}") from None
            figures = evidence.figures(str(closest or ""))
            out.append(
                Claim(claim.name, page.name, claim.text, evidence.holds(), figures, list(evidence.items))
            )
    return out


def tap(claims: list[Claim]) -> list[str]:
    """The claims as TAP, with their figures as comments."""
    out = [f"1..{len(claims)}"]
    for i, claim in enumerate(claims, 1):
        word = "not ok" if claim.holds is False else "ok"
        skip = " # SKIP cannot be judged" if claim.holds is None else ""
        out += [f"{word} {i} - {claim.name}: {claim.sentence}{skip}", f"#   {claim.figures}"]
    return out
