# SPDX-License-Identifier: GPL-2.0
"""The experiments of the bench, restricted to some cases and controls, and what the cases are judged by.

The experiments and cases.toml are in userspace/bench-cc.
"""

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any

from ..experiment import experiment
from ..experiment.check import among
from ..experiment.parts import Experiment, Quick, Rule
from ..experiment.words import number
from ..lib import toml
from ..lib.faults import within
from ..lib.keys import Table, tables_named, tables_of, text
from ..lib.paths import ROOT, LabError
from ..lib.units import BadValue, near
from ..scenario import controls as own

FOLDER = ROOT / "userspace" / "bench-cc"
CASES = FOLDER / "cases.toml"
Text = Annotated[str, text]
@dataclass
class Bound:
    """Where a metric must lie."""

    metric: Text
    text: Text
    least: Annotated[float, number] = float("-inf")
    most: Annotated[float, number] = float("inf")

    @property
    def words(self) -> str:
        return f"≥ {self.least:g}" if self.most == float("inf") else f"≤ {self.most:g}"


BOUNDS = tables_of(BOUND := Table.of(Bound), 1)


@dataclass
class Case:
    """A case; not_run is why it has no cell."""

    name: str
    of: Text = ""
    bounds: Annotated[list[Bound], BOUNDS] = field(default_factory=list)
    not_run: Text = ""


CASE = Table.of(Case)
OF_EXPERIMENT = Table({"source": text, "bounds": BOUNDS, "case": tables_named(CASE)}, ("source", "case"))


@dataclass
class Part:
    """An experiment of the bench with its cases."""

    experiment: Experiment
    source: str
    cases: list[Case]


def read_bounds(raw: list[Any], where: str, metrics: list[str]) -> list[Bound]:
    out = []
    for i, one in enumerate(raw):
        bound = Bound(**BOUND.read(one, f"{where}.{i}"))
        among(f"{where}.{i}.metric", [bound.metric], metrics, "a metric of the experiment")
        if (bound.least == float("-inf")) == (bound.most == float("inf")):
            raise LabError(f"{where}.{i}: either least or most")
        out.append(bound)
    return out


def cells_of(exp: Experiment) -> list[str]:
    """The cases that an experiment has cells of."""
    return [str(case) for grid in exp.grids for case in grid.axes["case"]]


def read_part(name: str, raw: object) -> Part:
    """Parse [EXPERIMENT]; the cases must be those of the experiment."""
    exp = experiment.load(FOLDER / f"{name}.toml")
    top, metrics = OF_EXPERIMENT.read(raw, name), exp.measured()
    shared = read_bounds(top.get("bounds", []), f"{name}.bounds", metrics)
    cases = []
    for key, value in top["case"].items():
        where = f"{name}.case.{key}"
        one = CASE.read(value, where)
        bounds = read_bounds(one["bounds"], f"{where}.bounds", metrics) if "bounds" in one else shared
        cases.append(Case(key, **{k: v for k, v in one.items() if k != "bounds"}, bounds=bounds))
        if not bounds:
            raise LabError(f"{where}.bounds is missing")
    with_cells = [case.name for case in cases if not case.not_run]
    if with_cells != cells_of(exp):
        raise LabError(f"{name}.case: not the cases of {exp.path}, in their order")
    return Part(exp, top["source"], cases)


def load() -> list[Part]:
    """All cases of the bench."""
    raw = toml.load(CASES)
    with within(f"{CASES}: "):
        return [read_part(name, value) for name, value in raw.items()]


def restricted(exp: Experiment, cases: list[str], controls: list[str], seeds: int | None) -> Experiment:
    """The experiment with these cases and controls only; a module is called by its control's name."""
    names = {own.name_of(one) or one: one for one in controls}
    grid = replace(exp.grids[0], axes={"cc": [*names], "case": [*cases]})
    quick = exp.quick and Quick(seeds or exp.quick.seeds, exp.quick.set)
    # A rule need not apply to any of the cases that are left.
    rules = [replace(rule, shared=True) for rule in exp.rules]
    for name, path in names.items():
        if path != name:
            rules.append(Rule({"cc": [name]}, [f"tcp.congestion={Path(path).absolute()}"]))
    return replace(exp, grids=[grid], rules=rules, seeds=seeds or exp.seeds, quick=quick)


def chosen(word: str, controls: list[str], seeds: int | None) -> list[Part]:
    """The parts with the cases whose name, or whose experiment's, has the word in it."""
    for name in controls:
        with within("--cc ", BadValue):
            own.control(name)
        if controls.count(name) > 1:
            raise LabError(f"--cc {name}: named twice")
    out = []
    parts = load()
    for part in parts:
        cases = [c for c in part.cases if word in c.name or word in part.experiment.name]
        with_cells = [c.name for c in cases if not c.not_run]
        if with_cells:
            exp = restricted(part.experiment, with_cells, controls, seeds)
            out.append(replace(part, experiment=exp, cases=cases))
        elif cases:
            raise LabError(f"--cases {word}: {cases[0].name} is not run: {cases[0].not_run}")
    if not out:
        names = [case.name for part in parts for case in part.cases]
        raise LabError(f"--cases {word}: no case has this in its name; {near(word, names)}")
    return out
