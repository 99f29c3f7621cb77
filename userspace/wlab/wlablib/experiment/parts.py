# SPDX-License-Identifier: GPL-2.0
"""The parts of an experiment's file as classes, and the kinds of their keys."""

from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Annotated, Any

from ..lib.keys import SEED_MAX, name, text, texts, whole, yes_no
from ..lib.paths import WLAB
from . import words
from .words import Axes, Values

SEEDS_MAX = 1000
Text = Annotated[str, text]
YesNo = Annotated[bool, yes_no]
Item = Annotated[str, words.item]
Items = Annotated[list[str], words.items]
Some = Annotated[list[str], words.some]
Cells = Annotated[list[Values], words.cells]
Grids = Annotated[Axes, words.axes]


@dataclass
class Part:
    """A part of a file, and its place there for messages."""

    place: str = field(default="", kw_only=True, compare=False)


@dataclass
class Rule(Part):
    """How values of a cell change the scenario; `when` maps keys to the values that match."""

    when: Annotated[Axes, words.alternatives]
    set: Annotated[list[str], texts] = field(default_factory=list)
    merge: Annotated[dict[str, Any], words.tables] = field(default_factory=dict)
    # Of a file that experiments share, or of a base: it need not apply to any cell of this one.
    shared: bool = False


@dataclass
class Grid(Part):
    """A product of cells and axes; quick is None if a quick run leaves it out.

    seeds: of a full run where they are more than the experiment's; 0 for those.
    """

    items: Items
    cells: Cells
    axes: Grids = field(default_factory=dict)
    quick: Annotated[Axes | None, words.quick_axes] = field(default_factory=Axes)
    seeds: Annotated[int, whole(1, SEEDS_MAX)] = 0

    def quick_axes(self) -> Axes:
        return {**self.axes, **(self.quick or {})}


@dataclass
class Printed:
    """A value that a paper prints."""

    value: Annotated[float, words.number]
    half_width: Annotated[float | None, words.width] = None


@dataclass
class Published(Part):
    """What a paper prints for one cell; None for a value that is withheld."""

    item: Item
    cell: Annotated[Values, words.values]
    values: dict[str, Printed | None]


@dataclass
class Derived(Part):
    """A metric of two cells: the relative difference to another cell in percent."""

    item: Item
    metric: Annotated[str, name]
    of: Annotated[str, words.metric]
    against: Annotated[Values, words.values]


@dataclass
class Figure(Part):
    """How the report draws an item."""

    item: Item
    x: Text
    y: Some
    series: Some = field(default_factory=list)
    log_x: YesNo = False
    log_y: YesNo = False
    title: Text = ""


@dataclass
class Table(Part):
    """How the report prints an item."""

    item: Item
    rows: Some
    metrics: Some
    columns: Some = field(default_factory=list)
    title: Text = ""


@dataclass
class Trace(Part):
    """An item that shows one seed over time."""

    item: Item
    seed: Annotated[int | None, whole(0, SEED_MAX)] = None
    title: Text = ""


@dataclass
class Ordering(Part):
    """A sentence of a paper about an item: the sum (ratio: the product) of cells with `more` is above that
    of the same cells with `less`, or at most `margin` percent below; the metric, or the difference of both
    sums, falls or rises along a key. It may be a part of a claim of the set."""

    item: Item
    text: Text
    metric: Text
    where: Annotated[Axes, words.alternatives] = field(default_factory=dict)
    more: Annotated[list[Values], words.one_or_more_cells] = field(default_factory=list)
    less: Annotated[list[Values], words.one_or_more_cells] = field(default_factory=list)
    falls: Text = ""
    rises: Text = ""
    ratio: YesNo = False
    margin: Annotated[float, words.width] = 0.0
    claim: Text = ""


@dataclass
class Explain(Part):
    """An explanation why an item differs from the paper or a claim does not hold, with cells that show it.

    of: the items of the claims' page that it is for; empty for all.
    """

    item: Item
    text: Text
    cells: Cells = field(default_factory=list)
    metrics: Some = field(default_factory=list)
    claims: Some = field(default_factory=list)
    of: Items = field(default_factory=list)


@dataclass
class Own(Part):
    """An own metric: a function in a file beside the experiment's."""

    name: Annotated[str, words.identifier]
    file: Text
    text: Text = ""


@dataclass
class Quick:
    """The settings of a quick run."""

    seeds: int
    set: list[str]


@dataclass
class Experiment:
    """An experiment; `paper` is its page of a set or "", and quick is None without [quick]."""

    path: Path
    name: Annotated[str, name]
    paper: Annotated[str, name]
    title: Text
    scenario: Annotated[str, name]
    seeds: Annotated[int, whole(1, SEEDS_MAX)]
    first_seed: Annotated[int, whole(0, 1 << 40)]
    confidence: Annotated[float, words.confidence]
    metrics: Annotated[list[str], words.metrics]
    set: Annotated[list[str], texts]
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
