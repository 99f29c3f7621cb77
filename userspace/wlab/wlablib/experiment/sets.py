# SPDX-License-Identifier: GPL-2.0
"""A set: the experiments in a folder, with set.toml for its pages and claims.

The format is in wlab-experiment(5).
"""

from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Annotated, Any

from ..lib import toml
from ..lib.faults import within
from ..lib.keys import Keys, Table, paragraphs, tables_named, tables_of, text, yes_no
from ..lib.paths import LabError
from ..scenario.files import Input
from . import experiment, functions
from .check import among, check_compared
from .experiment import EXPERIMENTS, SET, array
from .parts import Experiment, Items, Text, YesNo
from .words import Axes, Values, alternatives, identifier, some, tables, values

# The set of the papers.
PAPERS = EXPERIMENTS / SET
CELLS = Table({"when": alternatives, "values": values}, ("when", "values"))


@dataclass
class Claim:
    """What a paper says about some items, judged by the orderings that name it or by a function."""

    name: str
    text: Text
    items: Items = field(default_factory=list)
    function: Annotated[str, identifier] = ""
    given: Annotated[dict[str, Any], tables] = field(default_factory=dict)


@dataclass
class Reading:
    """A reading of what a paper leaves open: cells of a page in place of those of the paper's page, `of`.
    A cell of that is found here with more values, those of the first `when` that it matches.

    chosen: the paper is judged by this one.
    """

    name: str
    of: Text
    text: Text
    cells: Annotated[list[tuple[Axes, Values]], tables_of(CELLS, 1)]
    chosen: YesNo = False

CLAIM = Table.of(Claim, items=None, given=None)
READING = Table.of(Reading, chosen=None)
OF_PAGE: Keys = {"claim": tables_named(CLAIM), "reading": tables_named(READING)}
PAGE = Table({"title": text, "text": paragraphs, "compares": yes_no, "file": text, **OF_PAGE}, ("title",))
TCP = Table({"pages": some, "text": paragraphs}, ("pages", "text"))
FILE = Table(
    {"title": text, "again": text, "quick": text, "page": tables_named(PAGE), "tcp": tables_of(TCP)},
    ("title", "page"),
)


@dataclass
class Page:
    """A page of a set; `compares`: every number is shown beside what a paper prints, or does not."""

    name: str
    title: str
    text: str = ""
    compares: bool = False
    code: Input | None = None
    claims: list[Claim] = field(default_factory=list)
    readings: list[Reading] = field(default_factory=list)
    tcp: list[str] = field(default_factory=list)


@dataclass
class Set:
    """A set; the experiments are in the order of their pages, those without a page last."""

    path: Path
    title: str
    pages: list[Page]
    experiments: list[Experiment]
    # Commands that reproduce everything, for a full and for a quick set.
    again: str = ""
    quick: str = ""

    @property
    def words(self) -> list[Path]:
        """The argument that selects this set in a command."""
        return [] if self.path.resolve() == PAPERS else [self.path]


def each(table: Table, raw: dict[str, object], where: str) -> list[dict[str, Any]]:
    """Parse [where.NAME], in the order of the file."""
    return [{"name": key, **table.read(value, f"{where}.{key}")} for key, value in raw.items()]


def read_readings(raw: dict[str, object], where: str) -> list[Reading]:
    """Parse [page.NAME.reading.READING]."""
    out = []
    for reading in each(READING, raw, where):
        at = f"{where}.{reading['name']}.cells"
        if not array(reading, "cells"):
            raise LabError(f"{at}: an empty list")
        read_cells = [CELLS.read(one, f"{at}.{i}") for i, one in enumerate(reading.pop("cells"))]
        out.append(Reading(**reading, cells=[(one["when"], one["values"]) for one in read_cells]))
    return out


def read_page(top: dict[str, Any], folder: Path, experiments: list[Experiment]) -> Page:
    """Parse [page.NAME] of a set with these experiments."""
    where, file, code = f"page.{top['name']}", top.pop("file", ""), None
    own_experiments = [e for e in experiments if e.paper == top["name"]]
    if any(not e.paper and e.name == top["name"] for e in experiments):
        raise LabError(f"{where}: an experiment without a page has this name")
    if not own_experiments:
        raise LabError(f"{where}: no experiment has paper = '{top['name']}'")
    claims = [Claim(**claim) for claim in each(CLAIM, top.pop("claim", {}), f"{where}.claim")]
    if any(claim.function for claim in claims) and not file:
        raise LabError(f"{where}.file is missing")
    orderings = [order for e in own_experiments for order in e.orderings]
    for order in orderings:
        at, names = f"{where}: the ordering '{order.text}'", ["", *(claim.name for claim in claims)]
        among(at, [order.claim], names, "a claim of this page")
        check_compared(order, at, list(chain.from_iterable(e.keys() for e in own_experiments)))
    if file:
        with within(f"{where}."):
            code, known = functions.named(folder, file)
    known_items = [item for e in own_experiments for item in e.items()]
    for claim in claims:
        among(f"{where}.claim.{claim.name}.items", claim.items, known_items, "an item of this page")
        at = f"{where}.claim.{claim.name}"
        if claim.function:
            among(f"{at}.function", [claim.function], known, f"a function of {file}")
            if not claim.items:
                raise LabError(f"{at}.items is missing")
        elif not any(order.claim == claim.name for order in orderings):
            raise LabError(f"{at}: it has no function, and no ordering names it")
    readings = read_readings(top.pop("reading", {}), f"{where}.reading")
    return Page(**top, code=code, claims=claims, readings=readings)


def read(raw: dict[str, Any], path: Path, experiments: list[Experiment]) -> Set:
    """Parse and check set.toml beside these experiments."""
    top = FILE.read(raw, "")
    pages = [
        read_page(claim_name, path.parent, experiments) for claim_name in each(PAGE, top.pop("page"), "page")
    ]
    names = [p.name for p in pages]
    for page in pages:
        for reading in page.readings:
            among(f"page.{page.name}.reading.{reading.name}.of", [reading.of], names, "a page of the set")
    claims = [c.name for p in pages for c in p.claims]
    for claim_name in claims:
        if claims.count(claim_name) > 1:
            raise LabError(f"page: two claims have the name '{claim_name}'")
    for exp in experiments:
        among(f"{exp.path.name}: paper", [exp.paper], [*names, ""], "a page of the set")
        for explain in exp.explains:
            at = f"{exp.path.name}: {explain.place}"
            among(f"{at}.claims", explain.claims, claims, "a claim of the set")
            of = [p.name for p in pages if any(c.name in explain.claims for c in p.claims)]
            known = [item for e in experiments if e.paper in of for item in e.items()]
            among(f"{at}.of", explain.of, known, "an item of its claims' page")
    for i, raw_note in enumerate(array(top, "tcp")):
        note = TCP.read(raw_note, f"tcp.{i}")
        among(f"tcp.{i}.pages", note["pages"], names, "a page of the set")
        for page in pages:
            page.tcp += [note["text"]] if page.name in note["pages"] else []
    top.pop("tcp", None)
    experiments = sorted(experiments, key=lambda e: ([*names, ""].index(e.paper), e.name))
    return Set(path=path, pages=pages, experiments=experiments, **top)


def load(path: Path = PAPERS) -> Set:
    """Load a set with all experiments beside it."""
    raw = toml.load(path)
    experiments = [experiment.load(file) for file in experiment.files(path.parent)]
    with within(f"{path}: "):
        return read(raw, path, experiments)


def named(names: list[str]) -> Set | list[Experiment]:
    """The experiments of these names or files, or the set of this file; without arguments the papers."""
    if not names:
        return load()
    paths = [Path(name) for name in names]
    if any(path.name == SET for path in paths):
        if len(set(paths)) > 1:
            raise LabError(f"{' '.join(names)}: a set must be the only argument")
        return load(paths[0])
    found = {exp.path.resolve(): exp for exp in map(experiment.load, names)}
    experiment_names = [exp.name for exp in found.values()]
    for name in experiment_names:
        if experiment_names.count(name) > 1:
            raise LabError(f"two experiments have the name '{name}'")
    return list(found.values())
