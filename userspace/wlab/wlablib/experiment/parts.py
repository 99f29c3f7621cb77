# SPDX-License-Identifier: GPL-2.0
"""The parts of an experiment as read from its file."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..lib.paths import WLAB
from .words import Axes, Value, Values


@dataclass
class Rule:
    """What a cell's values do to the scenario; each value of `when` is a list of those that match."""

    when: dict[str, list[Value]]
    set: list[str] = field(default_factory=list)
    merge: dict[str, Any] = field(default_factory=dict)


@dataclass
class Grid:
    """A product of cells and axes; quick is None where it is left out of a quick run."""

    items: list[str]
    cells: list[Values]
    axes: Axes = field(default_factory=dict)
    quick: Axes | None = field(default_factory=Axes)

    def quick_axes(self) -> Axes:
        return {**self.axes, **(self.quick or {})}


@dataclass
class Printed:
    """A value as the paper prints it."""

    value: float
    half_width: float | None = None


@dataclass
class Published:
    """What a paper prints for one cell; None where it is withheld from us."""

    item: str
    cell: Values
    values: dict[str, Printed | None]


@dataclass
class Derived:
    """A metric of two cells: the gain over another cell, in percent of that one."""

    item: str
    metric: str
    of: str
    against: Values


@dataclass
class Figure:
    """How the report draws an item."""

    item: str
    x: str
    y: list[str]
    series: list[str] = field(default_factory=list)
    log_x: bool = False
    log_y: bool = False
    title: str = ""


@dataclass
class Table:
    """How the report prints an item."""

    item: str
    rows: list[str]
    metrics: list[str]
    columns: list[str] = field(default_factory=list)
    title: str = ""


@dataclass
class Trace:
    """An item that shows the course of one seed."""

    item: str
    seed: int | None = None
    title: str = ""


@dataclass
class Ordering:
    """What a paper says of an item in words: cells with `more` are above those with `less`
    instead, or the metric falls or rises along a key."""

    item: str
    text: str
    metric: str
    where: Values = field(default_factory=dict)
    more: Values = field(default_factory=dict)
    less: Values = field(default_factory=dict)
    falls: str = ""
    rises: str = ""


@dataclass
class Explain:
    """Why an item differs from the paper or a claim does not hold, and the cells that show it."""

    item: str
    text: str
    cells: list[Values] = field(default_factory=list)
    metrics: list[str] = field(default_factory=list)
    claims: list[str] = field(default_factory=list)


@dataclass
class Own:
    """A metric of one's own: a function of a file beside the experiment's."""

    name: str
    file: str
    text: str = ""


@dataclass
class Quick:
    """What is less in a quick run."""

    seeds: int
    set: list[str]


@dataclass
class Experiment:
    """The whole; one that is of no page of a set has no `paper`, and quick is None without [quick]."""

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
        """Those whose cells are compared: of one page of a set, or of this experiment alone."""
        return self.paper or self.name

    def scenario_path(self) -> Path:
        """Beside the file; where it is not there, the lab's own of that name."""
        own = self.path.parent / "scenarios" / f"{self.scenario}.toml"
        ours = WLAB / "scenarios" / own.name
        return ours if ours.exists() and not own.exists() else own

    def items(self) -> list[str]:
        """In the order of the file, each once."""
        return list(dict.fromkeys(item for grid in self.grids for item in grid.items))

    def measured(self) -> list[str]:
        """By the lab and by functions of one's own."""
        return [*self.metrics, *(one.name for one in self.own)]

    def all_metrics(self) -> list[str]:
        """Measured and derived."""
        return [*self.measured(), *dict.fromkeys(d.metric for d in self.derived)]
