# SPDX-License-Identifier: GPL-2.0
"""A set: the experiments in a folder, and set.toml beside them with their pages and claims.

The format is in wlab-experiment(5).
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..lib import toml
from ..lib.keys import Table, paragraphs, tables_named, tables_of, text, yes_no
from ..lib.paths import LabError
from ..scenario.files import Input
from . import experiment, functions
from .check import among
from .experiment import EXPERIMENTS, SET, array
from .parts import Experiment
from .words import identifier, items, some, tables

# That of the papers.
OURS = EXPERIMENTS / SET
NEED = ("text", "items", "function")
CLAIM = Table({"text": text, "items": items, "function": identifier, "given": tables}, NEED)
PAGE = Table(
    {"title": text, "text": paragraphs, "compares": yes_no, "file": text, "claim": tables_named(CLAIM)},
    ("title",),
)
TCP = Table({"pages": some, "text": paragraphs}, ("pages", "text"))
FILE = Table(
    {"title": text, "again": text, "quick": text, "page": tables_named(PAGE), "tcp": tables_of(TCP)},
    ("title", "page"),
)


@dataclass
class Claim:
    """A sentence on the cells of some items, and the function that looks whether it holds."""

    name: str
    text: str
    items: list[str]
    function: str
    given: dict[str, Any] = field(default_factory=dict)


@dataclass
class Page:
    """What a set says of a page; `compares`: what a paper prints, or that it does not, is beside all."""

    name: str
    title: str
    text: str = ""
    compares: bool = False
    code: Input | None = None
    claims: list[Claim] = field(default_factory=list)
    tcp: list[str] = field(default_factory=list)


@dataclass
class Set:
    """The whole; the experiments are in the order of their pages, those of none come last."""

    path: Path
    title: str
    pages: list[Page]
    experiments: list[Experiment]
    # Commands that make everything again, of a whole and of a quick set.
    again: str = ""
    quick: str = ""

    @property
    def words(self) -> list[Path]:
        """How a command is called for it."""
        return [] if self.path.resolve() == OURS else [self.path]


def each(of: Table, raw: dict[str, object], where: str) -> list[dict[str, Any]]:
    """[where.NAME], in the order of the file."""
    return [{"name": key, **of.read(one, f"{where}.{key}")} for key, one in raw.items()]


def read_page(top: dict[str, Any], folder: Path, exps: list[Experiment]) -> Page:
    """Beside these experiments."""
    where, file, code = f"page.{top['name']}", top.pop("file", ""), None
    mine = [e for e in exps if e.paper == top["name"]]
    if any(not e.paper and e.name == top["name"] for e in exps):
        raise LabError(f"{where}: an experiment of no page is called so")
    if not mine:
        raise LabError(f"{where}: no experiment has paper = '{top['name']}'")
    claims = [Claim(**one) for one in each(CLAIM, top.pop("claim", {}), f"{where}.claim")]
    if claims and not file:
        raise LabError(f"{where}.file is missing")
    if file:
        try:
            code, known = functions.named(folder, file)
        except LabError as e:
            raise LabError(f"{where}.{e}") from None
    have = [item for e in mine for item in e.items()]
    for one in claims:
        among(f"{where}.claim.{one.name}.items", one.items, have, "an item of this page")
        among(f"{where}.claim.{one.name}.function", [one.function], known, f"a function of {file}")
    return Page(**top, code=code, claims=claims)


def read(raw: dict[str, Any], path: Path, exps: list[Experiment]) -> Set:
    """Judge a whole file beside these experiments."""
    top = FILE.read(raw, "")
    pages = [read_page(one, path.parent, exps) for one in each(PAGE, top.pop("page"), "page")]
    names = [p.name for p in pages]
    claims = [c.name for p in pages for c in p.claims]
    for one in claims:
        if claims.count(one) > 1:
            raise LabError(f"page: two claims are called '{one}'")
    for exp in exps:
        among(f"{exp.path.name}: paper", [exp.paper], [*names, ""], "a page of the set")
        for i, why in enumerate(exp.explains):
            among(f"{exp.path.name}: explain.{i}.claims", why.claims, claims, "a claim of the set")
    for i, said in enumerate(array(top, "tcp")):
        note = TCP.read(said, f"tcp.{i}")
        among(f"tcp.{i}.pages", note["pages"], names, "a page of the set")
        for page in pages:
            page.tcp += [note["text"]] if page.name in note["pages"] else []
    top.pop("tcp", None)
    exps = sorted(exps, key=lambda e: ([*names, ""].index(e.paper), e.name))
    return Set(path=path, pages=pages, experiments=exps, **top)


def load(path: Path = OURS) -> Set:
    """A set's file, with all experiments beside it."""
    raw = toml.load(path)
    exps = [experiment.load(one) for one in experiment.files(path.parent)]
    try:
        return read(raw, path, exps)
    except LabError as e:
        raise LabError(f"{path}: {e}") from None


def named(what: list[str]) -> Set | list[Experiment]:
    """Experiments, each once; or a set, by the path of its file, or ours where nothing is named."""
    if not what:
        return load()
    paths = [Path(one) for one in what]
    if any(path.name == SET for path in paths):
        if len(set(paths)) > 1:
            raise LabError(f"{' '.join(what)}: a set is named alone")
        return load(paths[0])
    found = {exp.path.resolve(): exp for exp in map(experiment.load, what)}
    names = [exp.name for exp in found.values()]
    for one in names:
        if names.count(one) > 1:
            raise LabError(f"two experiments are called '{one}'")
    return list(found.values())
