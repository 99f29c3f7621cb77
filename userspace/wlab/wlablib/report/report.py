# SPDX-License-Identifier: GPL-2.0
"""`wlab report`: results.json, and a page for each of a set or for an experiment: tables, figures, claims."""

import sys
from dataclasses import dataclass, field
from pathlib import Path

from ..experiment import results, sets, verify
from ..lib.paths import LabError
from ..scenario.files import FOLDER, Input, keep
from . import (
    claims,
    data as reportdata,
    entries as reportentries,
    figures,
    index as reportindex,
    item as reportitem,
    page as reportpage,
)
from .claims import Claim
from .data import Study
from .item import Item, Links
from .page import Page
from .words import count


@dataclass
class Made:
    """What a report has left and what the user should know of it."""

    notes: list[str] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)
    files: list[Path] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)


def inside(folder: Path, above: Path) -> bool:
    return folder.resolve().is_relative_to(above.resolve())


def copy_cells(study: Study, to: Path) -> None:
    """The results that the pages lead to; those of cells that are gone go, too."""
    for exp in study.experiments():
        have = [slot.record for slot in study.of(exp) if slot.record]
        results.keep(to, exp.name, have)
        for record in have:
            files = {**verify.files_of(record), **record.get("functions", {})}.items()
            keep((Input(name, study.out / FOLDER / d, d) for name, d in files), to / FOLDER)


def draw(study: Study, item: Item, to: Path, traces: bool, made: Made) -> None:
    """All pictures of an item."""
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
            made.notes.append(f"{item.page}, {item.name}: no picture: {e}")
            continue
        if drawn:
            item.pictures.append(name)


def build(study: Study, to: Path, traces: bool = True) -> Made:
    """Write it all; cells that are missing are holes. What a set claims is not for a page alone."""
    made = Made()
    if study.set:
        results.write_json(study.out / "results.json", reportentries.results(study))
        made.claims = claims.judge(study)
    links = Links(to, copied=not inside(to, study.out))
    if links.copied:
        copy_cells(study, to)
    pages = []
    for name in study.pages():
        items = [reportitem.collect(study, name, item) for item in reportentries.items_of(study, name)]
        for item in items:
            draw(study, item, to, traces, made)
        pages.append(Page(name, study, items, [c for c in made.claims if c.paper == name]))
    for page in pages:
        made.files.append(to / f"{page.name}.md")
        results.write_file(made.files[-1], reportpage.whole(page, links))
    if study.set:
        results.write_file(to / "README.md", reportindex.index(study, study.set, pages, links))
        made.files = [study.out / "results.json", to / "README.md"]
    made.broken = [s.trouble for s in study.holes() if s.broken]
    return made


def announce(study: Study, made: Made) -> int:
    """For a person; the exit status is 1 where a cell's file is broken."""
    holes = study.holes()
    old = sum(s.old() for s in study.slots)
    for line in (*made.notes, *made.broken):
        print(f"report: {line}", file=sys.stderr)
    if old:
        print(f"report: {count(old, 'cell')} of a scenario that has changed since", file=sys.stderr)
    said = {True: "hold", False: "do not hold", None: "cannot be judged"}
    counts = [(sum(c.holds is k for c in made.claims), words) for k, words in said.items()]
    claimed = "; claims: " + ", ".join(f"{n} {words}" for n, words in counts)
    print(f"{count(len(study.slots), 'cell')}, {count(len(holes), 'hole')}{claimed if study.set else ''}")
    print("\n".join(map(str, made.files)))
    return 1 if made.broken else 0


def load(out: Path, quick: bool | None, names: list[str] | None = None) -> Study:
    """Of a set, or of each experiment alone."""
    return reportdata.load(out, sets.named(names or []), quick)
