# SPDX-License-Identifier: GPL-2.0
"""The parts of an experiment's file as classes."""

from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

from ..lib.paths import WLAB
from .words import Axes, Value, Values


@dataclass
class Part:
    """A part of a file, and its place there for messages."""

    place: str = field(default="", kw_only=True, compare=False)


@dataclass
class Rule(Part):
    """How values of a cell change the scenario; `when` maps keys to the values that match."""

    when: dict[str, list[Value]]
    set: list[str] = field(default_factory=list)
    merge: dict[str, Any] = field(default_factory=dict)
    # Of a file that experiments share, or of a base: it need not apply to any cell of this one.
    shared: bool = False


@dataclass
class Grid(Part):
    """A product of cells and axes; quick is None if a quick run leaves it out.

    seeds: of a full run where they are more than the experiment's; 0 for those.
    """

    items: list[str]
    cells: list[Values]
    axes: Axes = field(default_factory=dict)
    quick: Axes | None = field(default_factory=Axes)
    seeds: int = 0

    def quick_axes(self) -> Axes:
        return {**self.axes, **(self.quick or {})}


@dataclass
class Printed:
    """A value that a paper prints."""

    value: float
    half_width: float | None = None


@dataclass
class Published(Part):
    """What a paper prints for one cell; None for a value that is withheld."""

    item: str
    cell: Values
    values: dict[str, Printed | None]


@dataclass
class Derived(Part):
    """A metric of two cells: the relative difference to another cell in percent."""

    item: str
    metric: str
    of: str
    against: Values


@dataclass
class Figure(Part):
    """How the report draws an item."""

    item: str
    x: str
    y: list[str]
    series: list[str] = field(default_factory=list)
    log_x: bool = False
    log_y: bool = False
    title: str = ""


@dataclass
class Table(Part):
    """How the report prints an item."""

    item: str
    rows: list[str]
    metrics: list[str]
    columns: list[str] = field(default_factory=list)
    title: str = ""


@dataclass
class Trace(Part):
    """An item that shows one seed over time."""

    item: str
    seed: int | None = None
    title: str = ""


@dataclass
class Ordering(Part):
    """A sentence of a paper about an item: the sum (ratio: the product) of cells with `more` is above that
    of the same cells with `less`, or at most `margin` percent below; the metric, or the difference of both
    sums, falls or rises along a key. It may be a part of a claim of the set."""

    item: str
    text: str
    metric: str
    where: Axes = field(default_factory=dict)
    more: list[Values] = field(default_factory=list)
    less: list[Values] = field(default_factory=list)
    falls: str = ""
    rises: str = ""
    ratio: bool = False
    margin: float = 0.0
    claim: str = ""


@dataclass
class Explain(Part):
    """An explanation why an item differs from the paper or a claim does not hold, with cells that show it.

    of: the items of the claims' page that it is for; empty for all.
    """

    item: str
    text: str
    cells: list[Values] = field(default_factory=list)
    metrics: list[str] = field(default_factory=list)
    claims: list[str] = field(default_factory=list)
    of: list[str] = field(default_factory=list)


@dataclass
class Own(Part):
    """An own metric: a function in a file beside the experiment's."""

    name: str
    file: str
    text: str = ""


@dataclass
class Quick:
    """The settings of a quick run."""

    seeds: int
    set: list[str]


@dataclass
class Experiment:
    """An experiment; `paper` is its page of a set or "", and quick is None without [quick]."""

    path: Path
    name: str
    paper: str
    title: str
    scenario: str
    seeds: int
    first_seed: int
    confidence: float
    metrics: list[str]
    set: list[str]
    quick: Quick | None
    rules: list[Rule]
    grids: list[Grid]
    published: list[Published]
    derived: list[Derived]
    figures: list[Figure]
    tables: list[Table]
    traces: list[Trace]
    orderings: list[Ordering]
    explains: list[Explain]
    own: list[Own]

    @property
    def group(self) -> str:
        """The name of the experiments whose cells are compared: a page of a set, or this one alone."""
        return self.paper or self.name

    @property
    def channel(self) -> Path | None:
        """The file from which wlab channel makes the scenario of each seed, where there is one."""
        own = self.path.parent / "channels" / f"{self.scenario}.toml"
        return own if own.exists() else None

    def scenario_path(self) -> Path:
        """The scenario's file beside the experiment's, or else among wlab's own."""
        own = self.path.parent / "scenarios" / f"{self.scenario}.toml"
        built_in = WLAB / "scenarios" / own.name
        return built_in if built_in.exists() and not own.exists() else own

    def items(self) -> list[str]:
        """The items in the order of the file."""
        return list(dict.fromkeys(item for grid in self.grids for item in grid.items))

    def keys(self) -> list[str]:
        """The keys of the cells."""
        return list(dict.fromkeys(k for g in self.grids for k in [*chain(*g.cells), *g.axes]))

    def measured(self) -> list[str]:
        """Built-in and own metrics."""
        return [*self.metrics, *(one.name for one in self.own)]

    def all_metrics(self) -> list[str]:
        """Measured and derived metrics."""
        return [*self.measured(), *dict.fromkeys(d.metric for d in self.derived)]
