# SPDX-License-Identifier: GPL-2.0
"""Checks a paper's sentences, [[ordering]], and the claims of a set against our cells.

A sentence is that a sum of cells is above another sum of cells, so that it can also be about a gap:
A - B is above C - D if A + D is above C + B. Along a key, from one end to the other, and no step
between may contradict it.
"""

from dataclasses import dataclass

from ..experiment.functions import call
from ..experiment.parts import Ordering
from ..experiment.sets import Page
from ..experiment.words import Values
from ..lib.faults import within
from .claims import Claim, Evidence
from .data import Slot, Study
from .words import cell_text


@dataclass(frozen=True)
class Said:
    """One sentence and its evidence."""

    order: Ordering
    found: Evidence

    @property
    def verdict(self) -> str:
        return self.found.verdict()


@dataclass(frozen=True)
class Pair:
    """The cells of two sums, the first of which is to be above; those at one place have a gap."""

    more: list[Slot]
    less: list[Slot]
    step: bool = False

    def key(self) -> tuple[list[int], list[int]]:
        return [id(s) for s in self.more], [id(s) for s in self.less]


def beside(found: Evidence, slot: Slot, values: Values) -> Slot | None:
    """The cell with these values instead, of the same item or else of another of its page."""
    if not values:
        return slot
    return found.partner(slot, values) or found.study.partner(slot, values)


def sums(found: Evidence, slot: Slot, order: Ordering) -> Pair | None:
    """The cells to compare with one cell's other values; None if one of them is not of this set."""
    if not order.more:
        return Pair([slot], [])
    sides = [[beside(found, slot, values) for values in side] for side in (order.more, order.less)]
    for values, other in zip([*order.more, *order.less], [*sides[0], *sides[1]]):
        if other is None:
            found.lack(f"{cell_text({**slot.values, **values})}")
    more, less = ([s for s in side if s] for side in sides)
    return Pair(more, less) if len(more) + len(less) == len(order.more) + len(order.less) else None


def pairs(found: Evidence, order: Ordering) -> list[Pair]:
    """All comparisons of a sentence, each once."""
    key, out = order.falls or order.rises, list[Pair]()
    lines: dict[tuple[tuple[str, str], ...], list[tuple[float, Pair]]] = {}
    slots = found.having(order.item, **order.where)
    for slot in slots:
        one = sums(found, slot, order)
        if one and not key:
            out.append(one)
        elif one and key in slot.values:
            rest = tuple(sorted((k, str(v)) for k, v in slot.values.items() if k != key))
            lines.setdefault(rest, []).append((float(slot.values[key]), one))
    for line in lines.values():
        line.sort(key=lambda at: at[0], reverse=bool(order.rises))
        along = [one for _, one in line]
        for a, b in [*zip(along, along[1:]), *([(along[0], along[-1])] if len(along) > 2 else [])]:
            step = len(along) > 2 and (a, b) != (along[0], along[-1])
            out.append(Pair([*a.more, *b.less], [*a.less, *b.more], step))
    if not slots:
        found.lack(f"cells of {order.item}")
    return [one for i, one in enumerate(out) if one.key() not in [other.key() for other in out[:i]]]


def weigh(found: Evidence, orders: list[Ordering]) -> None:
    """Add the comparisons of some sentences; intervals are widened for the number of all."""
    every = [(order, one) for order in orders for one in pairs(found, order)]
    for order, one in every:
        found.compare(
            one.more,
            one.less,
            order.metric,
            lambda difference, margin=order.margin: difference.above(margin),  # type: ignore[misc]
            of_many=len(every),
            ratio=order.ratio,
            step=one.step,
        )


def of_item(study: Study, page: str, item: str) -> list[Said]:
    """Judge all sentences about an item."""
    out = []
    for order in (o for exp in study.experiments(page) for o in exp.orderings if o.item == item):
        out.append(Said(order, Evidence(study, page, [item])))
        weigh(out[-1].found, [order])
    return out


def judge_page(study: Study, page: Page) -> list[Claim]:
    """Judge a page's claims: by the sentences that name it, or by its function, which may return a
    sentence for the figures."""
    out = []
    for claim in page.claims:
        orders = [o for exp in study.experiments(page.name) for o in exp.orderings if o.claim == claim.name]
        found = Evidence(study, page.name, claim.items or list(dict.fromkeys(o.item for o in orders)))
        weigh(found, orders)
        closest: object = ""
        with within(f"{claim.name}: "):
            if claim.function and page.code:
                closest = call(claim.function, page.code, found, **claim.given)
        figures = found.figures(str(closest or ""))
        out.append(Claim(claim.name, page.name, claim.text, found.verdict(), figures, list(found.items)))
    return out


def judge(study: Study) -> list[Claim]:
    """Judge all claims of a set."""
    return [claim for page in (study.set.pages if study.set else []) for claim in judge_page(study, page)]
