# SPDX-License-Identifier: GPL-2.0
"""`wlab report`: writes results.json and the pages of a set, or the page of each experiment."""

import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..experiment import results, sets, verify
from ..lib.files import write_file
from ..lib.paths import LabError
from ..scenario.files import FOLDER, Input, keep
from . import (
    data as reportdata,
    entries as reportentries,
    figures,
    index as reportindex,
    item as reportitem,
    order,
    page as reportpage,
    readings,
    verdict as rules,
)
from .claims import Claim
from .data import Study
from .item import Item, Links
from .page import Page
from .words import count


@dataclass
class Written:
    """The files of a report and what the user should know of it."""

    notes: list[str] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)
    files: list[Path] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)


def is_inside(folder: Path, above: Path) -> bool:
    return folder.resolve().is_relative_to(above.resolve())


def copy_cells(study: Study, to: Path) -> None:
    """Copy the results that the pages link to; kept results of cells that no longer exist are removed."""
    for exp in study.experiments():
        records = [slot.record for slot in study.of(exp) if slot.record]
        results.keep(to, exp.name, records)
        for record in records:
            files = {**verify.files_of(record), **record.get("functions", {})}.items()
            keep((Input(name, study.out / FOLDER / d, d) for name, d in files), to / FOLDER)


def draw(study: Study, item: Item, to: Path, traces: bool, written: Written) -> None:
    """Draw all pictures of an item."""
    for i, (exp, fig) in enumerate(item.figures):
        name = item.picture("", i)
        if figures.draw(fig, item.part(exp, item.figures).entries, to / name):
            item.pictures.append(name)
    for i, (exp, trace) in enumerate(item.traces):
        name = item.picture("-trace", i)
        try:
            if traces:
                from . import trace as reporttrace

                slots = item.part(exp, item.traces).slots()
                drawn = reporttrace.draw(trace, slots, study.out, to / name)
            else:
                drawn = (to / name).exists()
        except LabError as e:
            written.notes.append(f"{item.page}, {item.name}: no picture: {e}")
            continue
        if drawn:
            item.pictures.append(name)


def build(study: Study, to: Path, traces: bool = True) -> Written:
    """Write all pages; missing cells are shown as holes. Claims are part of sets only."""
    written = Written()
    if study.set:
        results.write_json(study.out / "results.json", reportentries.results(study))
        written.claims = order.judge(study)
    links = Links(to, copied=not is_inside(to, study.out))
    if links.copied:
        copy_cells(study, to)
    pages = []
    for name in study.pages():
        items = [reportitem.collect(study, name, item) for item in reportentries.items_of(study, name)]
        for item in items:
            draw(study, item, to, traces, written)
        claims = [c for c in written.claims if c.paper == name]
        pages.append(Page(name, study, items, claims, readings.judge(study, name)))
    for page in pages:
        written.files.append(to / f"{page.name}.md")
        write_file(written.files[-1], reportpage.whole(page, links))
    if study.set:
        write_file(to / "README.md", reportindex.index(study, study.set, pages, links))
        written.files = [study.out / "results.json", to / "README.md"]
    written.broken = [s.trouble for s in study.holes() if s.broken]
    return written


def as_dict(study: Study, written: Written) -> dict[str, Any]:
    """What --json prints."""
    return {
        "cells": len(study.slots),
        "holes": len(study.holes()),
        "outdated": sum(s.outdated() for s in study.slots),
        "claims": {claim.name: claim.verdict for claim in written.claims},
        "notes": [*written.notes, *written.broken],
        "files": [str(file) for file in written.files],
    }


def announce(study: Study, written: Written) -> int:
    """Print a summary; the exit status is 1 if a cell's file is damaged."""
    holes = study.holes()
    outdated = sum(s.outdated() for s in study.slots)
    for line in (*written.notes, *written.broken):
        print(f"report: {line}", file=sys.stderr)
    if outdated:
        print(f"report: {count(outdated, 'cell')} of a scenario that has changed since", file=sys.stderr)
    counts = Counter(claim.verdict for claim in written.claims)
    claimed = f"; claims: {rules.counted(counts, always=True)}"
    print(f"{count(len(study.slots), 'cell')}, {count(len(holes), 'hole')}{claimed if study.set else ''}")
    print("\n".join(map(str, written.files)))
    return 1 if written.broken else 0


def load(out: Path, quick: bool | None, names: list[str] | None = None) -> Study:
    """Load the results of a set or of experiments."""
    return reportdata.load(out, sets.named(names or []), quick)
