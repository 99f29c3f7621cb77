# SPDX-License-Identifier: GPL-2.0
"""`wlab report`: results.json, and a page for each paper or experiment: tables, figures, claims."""

import sys
from dataclasses import dataclass, field
from pathlib import Path

from ..experiment import experiment, results, verify
from ..experiment.parts import Experiment
from ..lib.paths import LabError
from ..lib.units import near
from ..scenario.files import FOLDER, Input, keep
from . import (
    data as reportdata,
    entries as reportentries,
    figures,
    index as reportindex,
    item as reportitem,
    page as reportpage,
)
from .claims import claim as claims
from .claims.claim import Claim
from .data import Study
from .item import Item, Links
from .page import Paper
from .words import count


@dataclass
class Made:
    """What a report has left and what the user should know of it."""

    notes: list[str] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)
    files: list[Path] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)


def experiments() -> list[Experiment]:
    """All there are, in the order of the papers; those of none come last."""
    found = [experiment.load(name) for name in experiment.names()]
    if not found:
        raise LabError(f"{experiment.EXPERIMENTS} has no experiment")
    order = [*experiment.PAPERS, ""]
    return sorted(found, key=lambda e: (order.index(e.paper), e.name))


def named(names: list[str]) -> list[Experiment]:
    """These, each once."""
    found = {exp.path.resolve(): exp for exp in map(experiment.load, names)}
    for one in found.values():
        if sum(one.name == other.name for other in found.values()) > 1:
            raise LabError(f"two experiments are called '{one.name}'")
    return list(found.values())


def check_explains(study: Study, judged: list[Claim]) -> None:
    """A claim that none is called would explain nothing."""
    known = [c.name for c in judged]
    for exp in study.experiments():
        for i, why in enumerate(exp.explains):
            for name in why.claims:
                if name not in known:
                    raise LabError(f"{exp.path}: explain.{i}.claims: no claim '{name}'; {near(name, known)}")


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


def again(study: Study) -> str:
    """The command that makes it all."""
    quick = all(s.plan.quick for s in study.slots)
    return f"`make papers{'-quick' if quick else ''}` makes everything again"


def build(study: Study, to: Path, traces: bool = True) -> Made:
    """Write it all; cells that are missing are holes. What the papers say is not for a page alone."""
    made = Made()
    if not study.alone:
        results.write_json(study.out / "results.json", reportentries.results(study))
        made.claims = claims.judge(study)
        check_explains(study, made.claims)
    links = Links(to, copied=not inside(to, study.out))
    if links.copied:
        copy_cells(study, to)
    papers = []
    for name in study.pages():
        items = [reportitem.collect(study, name, item) for item in reportentries.items_of(study, name)]
        for item in items:
            draw(study, item, to, traces, made)
        papers.append(Paper(name, study, items, made.claims))
    for paper in papers:
        made.files.append(to / f"{paper.name}.md")
        results.write_file(made.files[-1], reportpage.page(paper, links))
    if not study.alone:
        have = {p.name for p in papers}
        told = [c for c in made.claims if c.paper in have]
        results.write_file(to / "README.md", reportindex.index(study, papers, told, again(study), links))
        made.files = [study.out / "results.json", to / "README.md"]
    made.broken = [s.trouble for s in study.holes() if s.broken]
    return made


def tell(study: Study, made: Made) -> int:
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
    print(f"{count(len(study.slots), 'cell')}, {count(len(holes), 'hole')}{'' if study.alone else claimed}")
    print("\n".join(map(str, made.files)))
    return 1 if made.broken else 0


def load(out: Path, quick: bool | None, names: list[str] | None = None) -> Study:
    """Of all experiments, or of those named alone."""
    return reportdata.load(out, named(names) if names else experiments(), quick, bool(names))
