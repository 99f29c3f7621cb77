# SPDX-License-Identifier: GPL-2.0
"""Judges a paper's sentences once for each reading of what the paper leaves open.

A reading takes the cells of another page, which were measured as it reads the paper. What has no such
cell is left out, so that all readings are judged by the same sentences.
"""

from collections import Counter
from dataclasses import dataclass

from ..experiment.sets import Reading
from ..experiment.words import Values, same
from . import verdict as rules
from .data import Slot, Study, matches
from .order import Said, of_item
from .words import table


@dataclass(frozen=True)
class Judged:
    """A reading, and the paper's sentences about each item by its cells."""

    reading: Reading
    said: list[tuple[str, Said]]

    def counts(self) -> Counter[str]:
        return Counter(said.verdict for _, said in self.said)


def read(study: Study, page: str, reading: Reading) -> Study:
    """The cells of the paper's page, as this page has them by a reading."""
    here, out = [s for s in study.slots if study.page(s.exp) == page], list[Slot]()
    for slot in (s for s in study.slots if study.page(s.exp) == reading.of):
        found = (values for when, values in reading.cells if matches(slot.values, when))
        wanted: Values = {**slot.values, **next(found, {})}
        for other in here:
            if other.values.keys() == wanted.keys() and all(same(other.values[k], wanted[k]) for k in wanted):
                out.append(Slot(slot.plan, other.path, other.record, other.trouble))
    return Study(study.out, out, study.set)


def judge(study: Study, page: str) -> list[Judged]:
    """All readings of a page."""
    out = []
    for reading in study.about(page).readings:
        cells = read(study, page, reading)
        items = dict.fromkeys(item for slot in cells.slots for item in slot.plan.items)
        said = [(item, one) for item in items for one in of_item(cells, reading.of, item)]
        out.append(Judged(reading, said))
    return out


def best(judged: list[Judged]) -> list[Judged]:
    """The readings by which most sentences hold."""
    most = max(one.counts()[rules.HOLDS] for one in judged)
    return [one for one in judged if one.counts()[rules.HOLDS] == most]


def lines(judged: list[Judged]) -> list[str]:
    """A table with a row for each sentence and a column for each reading; which reading agrees most."""
    if not judged:
        return []
    most, chosen = best(judged), [one for one in judged if one.reading.chosen]
    out = ["## Readings", ""]
    if len(judged) > 1:
        named = [" and ".join(f"'{one.reading.text}'" for one in some) for some in (most, chosen)]
        out += [f"Most sentences hold by {named[0]}. The paper is judged by {named[1] or 'none'}.", ""]
    for one in [*(one for one in most if one not in chosen), *chosen]:
        out += [f"Those that do not hold by '{one.reading.text}':", ""]
        wrong = [(item, said) for item, said in one.said if said.verdict == rules.FAILS]
        out += [f"* {item}: {said.order.text}. {said.found.figures()}" for item, said in wrong] or ["None."]
        out.append("")
    body = []
    for i, (item, said) in enumerate(judged[0].said):
        body.append([f"{item}: {said.order.text}", *(one.said[i][1].verdict for one in judged)])
    for verdict in rules.SAID:
        body.append([f"all: {verdict}", *(str(one.counts()[verdict]) for one in judged)])
    head = ["the paper says", *(one.reading.text for one in judged)]
    return [*out, *table(head, body, len(head)), ""]
