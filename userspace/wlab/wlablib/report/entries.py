# SPDX-License-Identifier: GPL-2.0
"""One entry for each item, cell and metric, with what the paper prints: results.json."""

from dataclasses import dataclass, replace
from typing import Any

from ..analysis.interval import gain
from ..experiment.cells import cell_id
from ..experiment.parts import Derived, Printed
from . import verdict as rules
from .data import Slot, Study


@dataclass(frozen=True)
class Entry:
    """A number of the report; value is None in a hole."""

    slot: Slot
    item: str
    metric: str
    value: float | None
    half: float | None
    seeds: int
    printed: Printed | None = None
    withheld: bool = False
    verdict: str = rules.NOT_PRINTED
    trouble: str = ""

    def as_json(self) -> dict[str, Any]:
        """As results.json has it."""
        printed = self.printed
        return {
            "paper": self.slot.exp.paper,
            "item": self.item,
            "cell": self.slot.values,
            "metric": self.metric,
            "value": self.value,
            "half_width": self.half,
            "seeds": self.seeds,
            "published": {"value": printed.value, "half_width": printed.half_width} if printed else None,
        }

    def sides(self) -> rules.Sides | None:
        """Ours and theirs, where both are there."""
        if self.value is None or self.printed is None:
            return None
        return rules.Sides(self.value, self.half, self.printed.value, self.printed.half_width)


def paired(slot: Slot, other: Slot, metric: str) -> tuple[list[float], list[float]]:
    """The values of the seeds that both have, in the same order."""
    a, b = slot.by_seed(metric), other.by_seed(metric)
    both = [seed for seed in a if seed in b]
    return [a[s] for s in both], [b[s] for s in both]


def measured(slot: Slot, item: str, metric: str) -> Entry:
    """As the cell's file has it."""
    value = slot.value(metric)
    trouble = slot.trouble
    if slot.record is not None and value is None:
        trouble = f"no {metric} in its file"
    return Entry(slot, item, metric, value, slot.half(metric), len(slot.by_seed(metric)), trouble=trouble)


def derived(study: Study, slot: Slot, one: Derived) -> Entry | None:
    """The gain over another cell of the same seeds; None for that cell itself."""
    other = study.partner(slot, one.against)
    if other is slot:
        return None
    hole = Entry(slot, one.item, one.metric, None, None, 0)
    if other is None:
        return replace(hole, trouble="there is no cell to compare with")
    if slot.record is None:
        return replace(hole, trouble=slot.trouble)
    if other.record is None:
        return replace(hole, trouble=f"{other.id}: {other.trouble}")
    ours, base = paired(slot, other, one.of)
    if not ours:
        return replace(hole, trouble=f"no seed in common with {other.id}")
    have = gain(ours, base, slot.exp.confidence)
    if have["value"] is None:
        return replace(hole, trouble=f"{one.of} of {other.id} is 0")
    return replace(hole, value=have["value"], half=have["half_width"], seeds=len(ours))


def with_published(one: Entry) -> Entry:
    """What the paper prints beside it."""
    for pub in one.slot.exp.published:
        if pub.item == one.item and cell_id(pub.cell) == one.slot.id and one.metric in pub.values:
            printed = pub.values[one.metric]
            return replace(one, printed=printed, withheld=printed is None)
    return one


def judged(entries: list[Entry]) -> list[Entry]:
    """Verdicts on the entries of one item."""
    out = []
    for one in entries:
        sides = one.sides()
        if one.value is None:
            said = rules.HOLE
        elif one.withheld:
            said = rules.WITHHELD
        elif sides is None:
            said = rules.NOT_PRINTED
        else:
            rest = [o.sides() for o in entries if o is not one and o.metric == one.metric]
            said = rules.judge(sides, [s for s in rest if s])
        out.append(replace(one, verdict=said))
    return out


def of_item(study: Study, page: str, item: str) -> list[Entry]:
    """All entries of an item, cell by cell; several experiments may have cells of it."""
    out: list[Entry] = []
    for exp in study.experiments(page):
        ways = [d for d in exp.derived if d.item == item]
        for slot in study.of(exp, item):
            out += [measured(slot, item, metric) for metric in exp.measured()]
            out += [entry for one in ways if (entry := derived(study, slot, one))]
    return judged([with_published(one) for one in out])


def items_of(study: Study, page: str) -> list[str]:
    """The items of a page by their numbers: figure 2 before figure 10, before tables."""
    return sorted({item for exp in study.experiments(page) for item in exp.items()}, key=natural)


def natural(item: str) -> tuple[tuple[int, int, str], ...]:
    return tuple((0, int(w), "") if w.isdigit() else (1, 0, w) for w in item.split())


def results(study: Study) -> list[dict[str, Any]]:
    """What is measured; the pages list the holes."""
    return [
        entry.as_json()
        for page in study.pages()
        for item in items_of(study, page)
        for entry in of_item(study, page, item)
        if entry.value is not None
    ]

