# SPDX-License-Identifier: GPL-2.0
"""Checks a paper's sentences about figures, [[ordering]], against our cells.

A pair of cells contradicts the sentence if their difference over the same seeds has the wrong
sign and exceeds its interval; a difference within its interval is a tie, which counts as equal.
The verdict is `same ordering` if no pair contradicts it and at least one pair supports it by
more than its interval; without either it is open.
"""

from dataclasses import dataclass

from ..experiment.parts import Ordering
from . import verdict
from .claims import Gap, gap
from .data import Slot, Study, matches
from .words import cell_text, some

OPEN = "open"


@dataclass(frozen=True)
class Said:
    """The verdict on one sentence."""

    order: Ordering
    verdict: str
    pairs: int
    shown: int
    missing: int
    against: tuple[str, ...]

    def words(self) -> str:
        """The verdict's figures for the page."""
        missing = f", {self.missing} missing" if self.missing else ""
        text = f"{self.pairs} pairs of cells, {self.shown} differ in this order{missing}"
        if self.against:
            text += f", {len(self.against)} in the reverse order: {some(list(self.against), 3)}"
        return text


def pairs(study: Study, page: str, order: Ordering) -> tuple[list[tuple[Slot, Slot]], int]:
    """(pairs of larger and smaller cell, number of cells without a partner)."""
    slots = study.having(page, [order.item], **order.where)
    if order.more:
        first = [s for s in slots if matches(s.values, order.more)]
        candidates = [(a, study.partner(a, order.less)) for a in first]
        return [(a, b) for a, b in candidates if b], sum(b is None for _, b in candidates)
    key = order.falls or order.rises
    lines: dict[tuple[tuple[str, str], ...], list[Slot]] = {}
    for slot in slots:
        if key in slot.values:
            rest = tuple(sorted((k, str(v)) for k, v in slot.values.items() if k != key))
            lines.setdefault(rest, []).append(slot)
    out = []
    for line in lines.values():
        line.sort(key=lambda s: float(s.values[key]))
        ends = [*zip(line, line[1:]), *([(line[0], line[-1])] if len(line) > 2 else [])]
        out += ends if order.falls else [(b, a) for a, b in ends]
    return out, 0


def judge(study: Study, page: str, order: Ordering) -> Said:
    """Judge one sentence."""
    found, missing = pairs(study, page, order)
    against: list[str] = []
    shown = seen = 0
    for a, b in found:
        difference: Gap | None = gap(a, b, order.metric, len(found))
        if difference is None:
            missing += 1
            continue
        seen += 1
        shown += difference.above_surely()
        if difference.below_surely():
            against.append(f"{cell_text(a.values)}: {difference.words()}")
    result = verdict.DIFFERS if against else verdict.SAME if shown else OPEN
    return Said(order, result, seen, shown, missing, tuple(against))


def of_item(study: Study, page: str, item: str) -> list[Said]:
    """Judge all sentences about an item."""
    return [
        judge(study, page, order)
        for exp in study.experiments(page)
        for order in exp.orderings
        if order.item == item
    ]
