# SPDX-License-Identifier: GPL-2.0
"""The numbers of the report: an entry for each item, cell and metric, with the printed value."""

from dataclasses import dataclass, replace
from typing import Any

from ..analysis.interval import gain
from ..experiment.cells import cell_id
from ..experiment.parts import Derived, Printed
from . import verdict as rules
from .data import Slot, Study


@dataclass(frozen=True)
class Entry:
    """A number of the report; value is None if the cell is missing."""

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
    # Of a gain: what the two printed values that it compares give, with the interval that theirs do.
    of_both: Printed | None = None

    def as_json(self) -> dict[str, Any]:
        """The entry in results.json."""
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
        """Our and the printed value, if both exist."""
        if self.value is None or self.printed is None:
            return None
        theirs = self.of_both or self.printed
        gain = self.metric in (one.metric for one in self.slot.exp.derived)
        return rules.Sides(self.value, self.half, theirs.value, theirs.half_width, gain)


def paired(slot: Slot, other: Slot, metric: str) -> tuple[list[float], list[float]]:
    """The values of the common seeds, in the same order."""
    a, b = slot.by_seed(metric), other.by_seed(metric)
    both = [seed for seed in a if seed in b]
    return [a[s] for s in both], [b[s] for s in both]


def measured(slot: Slot, item: str, metric: str) -> Entry:
    """The entry of a measured metric."""
    value = slot.value(metric)
    trouble = slot.trouble
    if slot.record is not None and value is None:
        trouble = f"no {metric} in its file"
    return Entry(slot, item, metric, value, slot.half(metric), len(slot.by_seed(metric)), trouble=trouble)


def printed_of(slot: Slot, metric: str) -> Printed | None:
    """What the paper prints of a cell with an interval, in any of its items."""
    for one in slot.exp.published:
        found = one.values.get(metric)
        if cell_id(one.cell) == slot.id and found and found.half_width is not None:
            return found
    return None


def printed_gain(slot: Slot, other: Slot, metric: str) -> Printed | None:
    """The gain in percent of what the paper prints of both cells; it says nothing of common seeds."""
    ours, base = printed_of(slot, metric), printed_of(other, metric)
    if not ours or not base:
        return None
    ratio, half = rules.Sides(ours.value, ours.half_width, base.value, base.half_width).ratio()
    return Printed(100 * (ratio - 1), 100 * half if half is not None else None)


def derived(study: Study, slot: Slot, one: Derived) -> Entry | None:
    """The entry of a derived metric; None for the cell that it refers to."""
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
    values, reference = paired(slot, other, one.of)
    if not values:
        return replace(hole, trouble=f"no seed in common with {other.id}")
    result = gain(values, reference, slot.exp.confidence)
    if result["value"] is None:
        return replace(hole, trouble=f"{one.of} of {other.id} is 0")
    both = printed_gain(slot, other, one.of)
    return replace(hole, value=result["value"], half=result["half_width"], seeds=len(values), of_both=both)


def with_published(entry: Entry) -> Entry:
    """Add the value that the paper prints."""
    for published in entry.slot.exp.published:
        same_cell = published.item == entry.item and cell_id(published.cell) == entry.slot.id
        if same_cell and entry.metric in published.values:
            printed = published.values[entry.metric]
            return replace(entry, printed=printed, withheld=printed is None)
    return entry


def with_verdicts(entries: list[Entry]) -> list[Entry]:
    """Set the verdicts of one item's entries."""
    out = []
    for entry in entries:
        sides = entry.sides()
        if entry.value is None:
            verdict = rules.HOLE
        elif entry.withheld:
            verdict = rules.WITHHELD
        elif sides is None:
            verdict = rules.NOT_PRINTED
        else:
            verdict = rules.judge(sides)
        out.append(replace(entry, verdict=verdict))
    return out


def of_item(study: Study, page: str, item: str) -> list[Entry]:
    """All entries of an item, which may have cells of several experiments."""
    out: list[Entry] = []
    for exp in study.experiments(page):
        derived_metrics = [d for d in exp.derived if d.item == item]
        for slot in study.of(exp, item):
            out += [measured(slot, item, metric) for metric in exp.measured()]
            out += [entry for metric_ in derived_metrics if (entry := derived(study, slot, metric_))]
    return with_verdicts([with_published(metric_) for metric_ in out])


def items_of(study: Study, page: str) -> list[str]:
    """The items of a page in the order of their numbers, figures before tables."""
    return sorted({item for exp in study.experiments(page) for item in exp.items()}, key=natural)


def natural(item: str) -> tuple[tuple[int, int, str], ...]:
    return tuple((0, int(w), "") if w.isdigit() else (1, 0, w) for w in item.split())


def results(study: Study) -> list[dict[str, Any]]:
    """results.json: all entries with values."""
    return [
        entry.as_json()
        for page in study.pages()
        for item in items_of(study, page)
        for entry in of_item(study, page, item)
        if entry.value is not None
    ]
