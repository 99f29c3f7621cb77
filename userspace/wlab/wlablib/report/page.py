# SPDX-License-Identifier: GPL-2.0
"""A page of a set or an experiment: summary, claims, all items, TCP settings, cost."""

import json
from collections import Counter
from dataclasses import dataclass
from typing import Any

from ..analysis.metrics import TCP
from ..experiment import sets
from . import item as reportitem, readings as reportreadings, verdict as rules
from .claims import Claim
from .data import Slot, Study, command_line
from .item import Item, Links
from .readings import Judged
from .words import cell_text, count, first_line, link, table


@dataclass
class Page:
    """The contents of a page."""

    name: str
    study: Study
    items: list[Item]
    claims: list[Claim]
    readings: list[Judged]

    def slots(self) -> list[Slot]:
        return [s for s in self.study.slots if self.study.page(s.exp) == self.name]

    @property
    def about(self) -> sets.Page:
        return self.study.about(self.name)

    def counts(self) -> Counter[str]:
        out: Counter[str] = Counter()
        for item in self.items:
            out += item.verdicts()
        return out

    def said(self) -> Counter[str]:
        """The verdicts on the sentences of all items."""
        return Counter(s.verdict for item in self.items for s in item.said)

    def by_reading(self) -> Counter[str]:
        """Those on the sentences of another page, by the reading that is chosen here."""
        return sum((one.counts() for one in self.readings if one.reading.chosen), start=Counter[str]())


COLUMNS = (*rules.ALL, *(f"said: {verdict}" for verdict in rules.SAID))


def count_words(counts: Counter[str], said: Counter[str]) -> list[str]:
    """The numbers in a row of the summary."""
    numbers = [counts[v] for v in rules.ALL] + [said[v] for v in rules.SAID]
    return [str(n) if n else "" for n in numbers]


def summary(page: Page) -> list[str]:
    """The summary, a row for each item; empty if nothing is compared."""
    if not any(item.compares for item in page.items):
        return []
    body = []
    for item in page.items:
        said = Counter(s.verdict for s in item.said)
        named = link(reportitem.title(item).split(":")[0], f"#{reportitem.anchor(item)}")
        body.append([named, *count_words(item.verdicts(), said)])
    body.append(["all", *count_words(page.counts(), page.said())])
    text = (
        "Numbers of cells and metrics with each verdict; [the first page](README.md) explains the"
        " verdicts. `said` counts the paper's sentences about an item."
    )
    return ["## Summary", "", text, "", *table(["item", *COLUMNS], body), ""]


def verdict_of(claim: Claim) -> str:
    return f"**{claim.verdict}**" if claim.verdict == rules.FAILS else claim.verdict


def claim_lines(page: Page, links: Links) -> list[str]:
    """All claims, with explanations of those that do not hold."""
    out = ["## Claims", ""] if page.claims else []
    for claim in page.claims:
        sentence = claim.sentence[0].upper() + claim.sentence[1:]
        out += [f"### `{claim.name}`: {verdict_of(claim)}", "", f"{sentence}.", "", claim.figures, ""]
        if claim.verdict != rules.FAILS:
            continue
        exps = page.study.experiments()
        whys = [(exp, why) for exp in exps for why in exp.explains if claim.name in why.claims]
        for exp, why in whys:
            out += [*reportitem.explain_lines(page.study, exp, why, links), ""]
        others = [i for i in page.items if i.name in claim.items and i.explains]
        if not whys and others:
            out += [f"See the explanations of {', '.join(i.name for i in others)}.", ""]
        elif not whys:
            out += ["No explanation has been tested yet.", ""]
    return out


def congestion_of(record: dict[str, Any]) -> list[str]:
    """The congestion controls of a cell's flows: their own, or else that of the stack."""
    default = record["stack"].get("congestion")
    flows = [flow for flow in record["scenario"].get("flow", []) if flow.get("kind") in TCP]
    return sorted({flow.get("congestion", default) for flow in flows} or {default})


def stack_lines(page: Page) -> list[str]:
    """The TCP settings, and those that could not be applied."""
    records = [s.record for s in page.slots() if s.record]
    found = Counter(
        (json.dumps(one["stack"], sort_keys=True), *(congestion_of(one) if one["stack"] else []))
        for one in records
    )
    out = ["## TCP", ""]
    for note in page.about.tcp:
        out += [note, ""]
    for (text, *controls), n in found.items():
        stack = json.loads(text)
        if not stack:
            out.append(f"* {count(n, 'cell')}: the results do not have their TCP settings.")
            continue
        line = f"* {count(n, 'cell')}: stack `{stack.get('name')}`"
        line += f", congestion control {', '.join(f'`{one}`' for one in controls)}"
        line += f", route `{stack['route']}`" if stack.get("route") else ""
        missing = ", ".join(f"`{name}`" for name in stack.get("missing", []))
        line += f"; this kernel has no {missing}" if missing else "; all its settings are in force"
        differs = [f"`{d['name']}` is {d['is']}, not {d['wanted']}" for d in stack.get("differs", [])]
        out.append(line + (f"; not as wanted: {', '.join(differs)}" if differs else "") + ".")
    return [*out, ""]


def hours(seconds: float) -> str:
    return f"{seconds / 3600:.2f}" if seconds >= 3600 else f"{seconds / 3600:.2g}"


def cost_line(name: str, slots: list[Slot]) -> list[str]:
    """A row of the table of costs."""
    records = [s.record for s in slots if s.record]
    runs = sum(len(r["seeds"]) for r in records)
    sums = [sum(float(r["cost"][k]) for r in records) for k in ("virtual_s", "wall_s", "cpu_s")]
    return [name, f"{len(records)} of {len(slots)}", str(runs), *(hours(s) for s in sums)]


COST_HEAD = ["experiment", "cells", "runs", "virtual hours", "hours in a lab", "core-hours"]


def cost_lines(page: Page) -> list[str]:
    """The table of costs by experiment."""
    exps = page.study.experiments(page.name)
    body = [cost_line(f"`{exp.name}`", page.study.of(exp)) for exp in exps]
    body.append(cost_line("all", page.slots()))
    text = "Core-hours are processor time as the cells measured it, boots and reading of logs included."
    return ["## Cost", "", text, "", *table(COST_HEAD, body), ""]


def version_lines(slots: list[Slot]) -> list[str]:
    """The versions that made the results."""
    found: Counter[str] = Counter()
    for v in (slot.record["versions"] for slot in slots if slot.record):
        module = str(v.get("module_sha256"))[:16]
        found[f"kernel {v.get('kernel')}, module `{module}`, {v.get('tc')}, wlink {v.get('wlink')}"] += 1
    out = ["## Made with", "", *(f"* {count(n, 'cell')}: {text}" for text, n in found.items()), ""]
    old = sum(s.outdated() for s in slots)
    if old:
        out += [f"{count(old, 'cell')} with a scenario that has changed in the experiments since.", ""]
    return out


def trouble_lines(page: Page) -> list[str]:
    """The missing cells by reason."""
    slots = [s for s in page.slots() if s.record is None]
    whys: dict[str, list[Slot]] = {}
    for slot in slots:
        whys.setdefault(first_line(slot.trouble), []).append(slot)
    if not slots:
        return []
    out = ["## Holes", ""]
    for why, group in whys.items():
        names = "; ".join(f"{s.exp.name}: {cell_text(s.values)}" for s in group[:4])
        more = f" and {len(group) - 4} more" if len(group) > 4 else ""
        out.append(f"* {why} ({count(len(group), 'cell')}: {names}{more})")
    return [*out, ""]


def quick_lines(slots: list[Slot]) -> list[str]:
    """A note on cells of a quick run."""
    names = list(dict.fromkeys(s.exp.name for s in slots if s.plan.quick))
    if not names:
        return []
    if all(s.plan.quick for s in slots):
        return ["This is a quick set: fewer seeds, fewer cells and shorter runs than the full set.", ""]
    named = ", ".join(f"`{name}`" for name in names)
    return [f"From a quick set (fewer seeds and cells, shorter runs than the full set): {named}.", ""]


def again_lines(page: Page) -> list[str]:
    """The commands that reproduce an experiment's own page."""
    if page.study.set:
        return []
    if page.study.again:
        return [f"Written by `{page.study.again}`.", ""]
    files = [exp.path for exp in page.study.experiments(page.name)]
    report, sweep = (command_line(word, page.study.out, files) for word in ("report", "sweep"))
    return [f"Written by `{report}`; `{sweep}` runs what is missing or out of date.", ""]


def whole(page: Page, links: Links) -> str:
    """The text of a page."""
    out = [f"# {page.about.title}", "", page.about.text, "", *again_lines(page), *quick_lines(page.slots())]
    out += [*reportreadings.lines(page.readings), *summary(page), *claim_lines(page, links)]
    for item in page.items:
        out += reportitem.lines(page.study, item, links)
    out += [*stack_lines(page), *cost_lines(page), *version_lines(page.slots()), *trouble_lines(page)]
    return "\n".join(tidy(out)) + "\n"


def tidy(lines: list[str]) -> list[str]:
    """Remove double empty lines and those at the end."""
    out: list[str] = []
    for line in lines:
        if line or (out and out[-1]):
            out.append(line)
    while out and not out[-1]:
        out.pop()
    return out
