# SPDX-License-Identifier: GPL-2.0
"""A table or figure on its page: our numbers beside printed ones, with intervals and verdicts."""

import os
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

from ..analysis.metrics import sentence
from ..experiment.cells import cell_id
from ..experiment.parts import Experiment, Explain, Figure, Table, Trace
from ..experiment.results import LINES
from ..experiment.words import Value
from . import order as reportorder, verdict as rules
from .data import Slot, Study
from .entries import Entry, of_item
from .figures import by_cell
from .words import (
    cell_text,
    count,
    first_line,
    key_title,
    key_value,
    link,
    metric_title,
    number,
    plain,
    slug,
    some,
    table,
    value_text,
)

SHA_SHOWN = 12
HOLES_SHOWN = 12


Shown = TypeVar("Shown", Figure, Table, Trace)


@dataclass
class Item:
    """An item with its entries and the parts of experiments that show it."""

    page: str
    name: str
    entries: list[Entry]
    said: list[reportorder.Said]
    # Whether its page shows measurements alone, without a paper's numbers.
    own: bool
    figures: list[tuple[Experiment, Figure]] = field(default_factory=list)
    tables: list[tuple[Experiment, Table]] = field(default_factory=list)
    traces: list[tuple[Experiment, Trace]] = field(default_factory=list)
    explains: list[tuple[Experiment, Explain]] = field(default_factory=list)
    pictures: list[str] = field(default_factory=list)

    def slots(self) -> list[Slot]:
        return list({(e.slot.exp.name, e.slot.id): e.slot for e in self.entries}.values())

    @property
    def compares(self) -> bool:
        """Whether a paper's numbers are shown."""
        return not self.own or any(e.printed or e.withheld for e in self.entries)

    def picture(self, kind: str, i: int) -> str:
        """The file name of a picture; the first one of an item has no number."""
        return f"{self.page}-{slug(self.name)}{kind}{f'-{i + 1}' if i else ''}.png"

    def shown(self) -> list[str]:
        """The metrics that figures and tables show; all without figures and tables."""
        named = [m for _, f in self.figures for m in [*f.y, f.x]]
        named += [m for _, t in self.tables for m in t.metrics]
        metrics = list(dict.fromkeys(e.metric for e in self.entries))
        return [m for m in metrics if m in named] or metrics

    def part(self, exp: Experiment, parts: list[tuple[Experiment, Shown]]) -> "Item":
        """The item restricted to the cells of one experiment, if several have parts of it."""
        if all(e is exp for e, _ in parts):
            return self
        return replace(self, entries=[e for e in self.entries if e.slot.exp is exp])

    def verdicts(self) -> Counter[str]:
        """The verdicts on metrics that are shown or printed."""
        shown = self.shown()
        return Counter(e.verdict for e in self.entries if e.metric in shown or e.printed or e.withheld)


def plain_figures(item: Item) -> list[Figure]:
    """Default figures: one for each metric over the key with most numbers; other keys make the lines."""
    slots = item.slots()
    keys = varying(slots)
    if not keys:
        return []

    def room(key: str) -> tuple[bool, int]:
        values = {s.values[key] for s in slots if key in s.values}
        return not any(isinstance(v, str | bool) for v in values), len(values)

    x = max(keys, key=room)
    lines = [k for k in keys if k != x]
    return [Figure(item.name, x, [m], lines) for m in dict.fromkeys(e.metric for e in item.entries)]


def collect(study: Study, page: str, name: str) -> Item:
    """Collect an item's entries and parts from the experiments of its page."""
    own = not study.about(page).compares
    out = Item(page, name, of_item(study, page, name), reportorder.of_item(study, page, name), own)
    for exp in study.experiments(page):
        out.figures += [(exp, f) for f in exp.figures if f.item == name]
        out.tables += [(exp, t) for t in exp.tables if t.item == name]
        out.traces += [(exp, t) for t in exp.traces if t.item == name]
        out.explains += [(exp, e) for e in exp.explains if e.item == name]
        if out.own and name in exp.items() and not out.figures and not out.tables:
            out.figures = [(exp, f) for f in plain_figures(out)]
    return out


@dataclass(frozen=True)
class Links:
    """Links from a page to the cells' files."""

    pages: Path
    copied: bool

    def path(self, slot: Slot) -> str:
        if self.copied:
            return f"cells/{slot.exp.name}{LINES}#{slot.id}"
        return os.path.relpath(slot.path, self.pages)

    def data(self, study: Study) -> str:
        """The link to the data: results.json of the sweep, or the copied cells."""
        if self.copied:
            return link("`cells`", "cells") if any(s.record for s in study.slots) else "`cells`"
        return link("`results.json`", os.path.relpath(study.out / "results.json", self.pages))

    def cell(self, slot: Slot) -> str:
        """The link to a cell's file, with the first digits of its digest."""
        return link(f"`{slot.sha[:SHA_SHOWN]}`", self.path(slot)) if slot.record else rules.HOLE

    def value(self, entry: Entry) -> str:
        """A number that links to its file; without an interval if the seeds gave one run."""
        if entry.value is None:
            return "**hole**"
        # Two digits of the interval, as papers print it; else one.
        digits = 2 if entry.slot.exp.paper else 1
        text = number(entry.value, None if entry.slot.deterministic() else entry.half, digits)
        return link(text, self.path(entry.slot), f"sha256 {entry.slot.sha[:SHA_SHOWN]}")


def printed_text(entry: Entry) -> str:
    """The value as printed."""
    if entry.withheld:
        return rules.WITHHELD
    if not entry.printed:
        return "-"
    text, both = plain(entry.printed.value, entry.printed.half_width), entry.of_both
    return f"{text} ({number(both.value, both.half_width)} of both values)" if both else text


def ratio_text(entry: Entry) -> str:
    """Ours over theirs, or by how many points they differ."""
    sides = entry.sides()
    if not sides or not sides.compared:
        return "-"
    return f"{number(*sides.points())} points" if sides.small else number(*sides.ratio())


def varying(slots: list[Slot]) -> list[str]:
    """The keys whose values differ between the cells."""
    keys = list(dict.fromkeys(k for s in slots for k in s.values))
    return [k for k in keys if len({str(s.values.get(k)) for s in slots}) > 1]


def order(values: list[Value | None]) -> list[tuple[int, float, str]]:
    """A sort key: numbers by size, then strings."""
    return [
        (1, 0.0, "" if v is None else str(v)) if v is None or isinstance(v, str | bool) else (0, float(v), "")
        for v in values
    ]


def long_table(item: Item, keys: list[str], metrics: list[str], links: Links) -> list[str]:
    """A table with a row for each cell and metric."""
    value_heads = ["ours", "theirs", "ours / theirs", "verdict"] if item.compares else ["mean"]
    head = [*(key_title(k) for k in keys), "metric", *value_heads, "file"]
    body = []
    slots = sorted(item.slots(), key=lambda s: order([s.values.get(k) for k in keys]))
    by_slot = by_cell(item.entries)
    for slot in slots:
        by_metric = by_slot[slot.exp.name, slot.id]
        words = [value_text(slot.values[k]) if k in slot.values else "" for k in keys]
        for entry in (by_metric[m] for m in metrics if m in by_metric):
            numbers = [links.value(entry), printed_text(entry), ratio_text(entry), entry.verdict]
            numbers = numbers[: len(value_heads)]
            body.append([*words, metric_title(entry.metric), *numbers, links.cell(slot)])
    return table(head, body, len(keys) + 1)


def pivot(item: Item, fig: Figure, links: Links) -> list[str]:
    """A table with a row for each position on the x axis, and a column for each series."""
    slots = item.slots()
    other_keys = [k for k in varying(slots) if k not in fig.series]
    keys = [fig.x] * (fig.x in other_keys) + [k for k in other_keys if k != fig.x]
    metrics = [m for m in dict.fromkeys([*fig.y, fig.x]) if any(e.metric == m for e in item.entries)]
    cells = by_cell(item.entries)
    by_row: dict[tuple[str, ...], dict[tuple[str, ...], list[str]]] = {}
    heads: dict[tuple[str, ...], str] = {}
    for slot in sorted(slots, key=lambda s: order([s.values.get(k) for k in [*keys, *fig.series]])):
        by_metric = cells[slot.exp.name, slot.id]
        row = tuple(value_text(slot.values[k]) if k in slot.values else "" for k in keys)
        column = tuple(value_text(slot.values.get(k, "")) for k in fig.series)
        heads[column] = ", ".join(key_value(k, slot.values[k]) for k in fig.series if k in slot.values)
        place = by_row.setdefault(row, {}).setdefault(column, [])
        place += [entry_text(by_metric[m], links) for m in metrics if m in by_metric]
    columns = list(heads)
    body = [
        [*row, *("<br>".join(by_column.get(c, ["-"])) for c in columns)] for row, by_column in by_row.items()
    ]
    text = "In each cell of the table: " + ", then ".join(metric_title(m) for m in metrics) + "."
    single_head = "ours" if item.compares else "mean"
    head = [*(key_title(k) for k in keys), *(heads[c] or single_head for c in columns)]
    return [text, "", *table(head, body, len(keys))]


def entry_text(entry: Entry, links: Links) -> str:
    """A cell of the table: our number, and the printed one with its verdict."""
    text = links.value(entry)
    if entry.printed:
        text += f" (theirs {printed_text(entry)}: {entry.verdict})"
    return text


def verdict_lines(item: Item) -> list[str]:
    """The verdicts in sentences."""
    counts = item.verdicts() if item.compares else Counter()
    words = [f"{counts[v]} {v}" for v in rules.ALL if counts[v]]
    says = "Expected" if item.own else "The paper says"
    out = [f"Verdicts on its numbers: {', '.join(words)}."] if words else []
    for said in item.said:
        out += ["", f"* {says}: {said.order.text}: **{said.verdict}**. {said.found.figures()}"]
    return out


def hole_lines(item: Item) -> list[str]:
    """The missing cells with reasons."""
    found: dict[str, str] = {}
    for e in item.entries:
        if e.value is None:
            found.setdefault(f"{e.slot.exp.name}: {cell_text(e.slot.values)}", first_line(e.trouble))
    if not found:
        return []
    shown = [f"* {where}: {why}" for where, why in list(found.items())[:HOLES_SHOWN]]
    left = len(found) - len(shown)
    return ["", "Holes:", "", *shown, *([f"* and {left} more."] if left else [])]


def explain_lines(study: Study, exp: Experiment, explanation: Explain, links: Links) -> list[str]:
    """An explanation with the cells that show it."""
    of = f" ({', '.join(explanation.of)})" if explanation.of else ""
    out = ["", f"Why{of}: {explanation.text}"]
    slots = {s.id: s for s in study.of(exp)}
    metrics = explanation.metrics or exp.measured()
    body = []
    for values in explanation.cells:
        slot = slots.get(cell_id(values))
        if slot is None:
            body.append([cell_text(values), *("no cell of this set" for _ in metrics), ""])
            continue
        numbers = [number(slot.value(m), slot.half(m)) if slot.record else "**hole**" for m in metrics]
        body.append([cell_text(values), *numbers, links.cell(slot)])
    if body:
        out += ["", *table(["cell", *(metric_title(m) for m in metrics), "file"], body)]
    return out


def title(item: Item) -> str:
    """The heading of an item: `Figure 6: ...`."""
    titles = [f.title for _, f in item.figures] + [t.title for _, t in item.tables]
    titles += [t.title for _, t in item.traces]
    named = list(dict.fromkeys(t for t in titles if t))
    head = item.name[0].upper() + item.name[1:]
    return f"{head}: {named[0]}" if len(named) == 1 else head


def figure_head(item: Item, i: int, exp: Experiment, fig: Figure) -> list[str]:
    """The lines above a figure's numbers; with measurements alone also its picture and definitions."""
    if not item.own:
        return subtitle(item, fig)
    out = [f"### {fig.title or ', '.join(map(metric_title, fig.y))}", ""]
    sentences = {m: sentence(m) for m in fig.y} | {own.name: own.text for own in exp.own if own.name in fig.y}
    out += [f"`{m}`: {text.rstrip('.')}.\n" for m, text in sentences.items() if text]
    name = item.picture("", i)
    return [*out, f"![{fig.title or title(item)}]({name})", ""] if name in item.pictures else out


def random_lines(item: Item) -> list[str]:
    """A note on cells in which nothing is random."""
    slots = [s for s in item.slots() if s.record]
    same = [s for s in slots if s.deterministic()]
    if not same:
        return []
    keys = varying(slots)
    cells = [cell_text({k: v for k, v in s.values.items() if k in keys}) for s in same]
    where = "here" if len(same) == len(slots) else f"in {some(cells)}"
    return [f"Nothing is random {where}: all seeds of a cell gave the same run.", ""]


def subtitle(item: Item, shown: Figure | Table) -> list[str]:
    """The title of one of several figures or tables, if it is not in the item's heading."""
    return [f"{shown.title}:", ""] if shown.title and shown.title not in title(item) else []


def lines(study: Study, item: Item, links: Links) -> list[str]:
    """The section of an item."""
    slots = item.slots()
    seeds = sorted({e.seeds for e in item.entries if e.seeds})
    names = ", ".join(f"`{exp}`" for exp in dict.fromkeys(s.exp.name for s in slots))
    seed_count = f"{seeds[0]}" if len(seeds) == 1 else f"{seeds[0]} to {seeds[-1]}" if seeds else "no"
    confidence = " or ".join(f"{c:g}" for c in dict.fromkeys(s.exp.confidence for s in slots))
    out = [f'<a id="{anchor(item)}"></a>', "", f"## {title(item)}", ""]
    out += [f"{count(len(slots), 'cell')} of {names}; {seed_count} seeds each, {confidence} % intervals.", ""]
    out += random_lines(item)
    inside = [item.picture("", i) for i in range(len(item.figures))] if item.own else []
    own_pictures = [name for name in item.pictures if name not in inside]
    out += [line for name in own_pictures for line in (f"![{title(item)}]({name})", "")]
    for i, (exp, fig) in enumerate(item.figures):
        out += [*figure_head(item, i, exp, fig), *pivot(item.part(exp, item.figures), fig, links), ""]
    for exp, tab in item.tables:
        part = item.part(exp, item.tables)
        out += [*subtitle(item, tab), *long_table(part, [*tab.rows, *tab.columns], tab.metrics, links), ""]
    if not item.figures and not item.tables:
        out += [*long_table(item, varying(slots), item.shown(), links), ""]
    out += verdict_lines(item) + hole_lines(item)
    for exp, one in item.explains:
        out += explain_lines(study, exp, one, links)
    return [*out, *([] if item.explains else explained(study, item)), ""]


def explained(study: Study, item: Item) -> list[str]:
    """Where an item without an explanation differs from the paper: those of its sentences' claims."""
    whys = [
        why for exp in study.experiments() for why in exp.explains if item.name in (why.of or [item.name])
    ]
    known = {claim for why in whys for claim in why.claims}
    wrong = dict.fromkeys(s.order.claim for s in item.said if s.verdict == rules.FAILS)
    named = [claim for claim in wrong if claim in known]
    out = ["", f"Explanations: {', '.join(f'claim `{claim}`' for claim in named)}."] if named else []
    if item.verdicts()[rules.FAR] or len(named) < len(wrong):
        of = "the other" if named else "the"
        out += ["", f"No explanation of {of} differences has been tested yet."]
    return out


def anchor(item: Item) -> str:
    return item.name.replace(" ", "-")
