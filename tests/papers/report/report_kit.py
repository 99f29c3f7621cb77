# SPDX-License-Identifier: GPL-2.0
"""Sweeps made by hand: experiments, and the files of cells with given values of each seed."""

import copy
from dataclasses import replace
from functools import cache
from pathlib import Path

from kit import HERE, SCENARIO
from wlablib.analysis.interval import interval
from wlablib.experiment import cells, experiment, sets
from wlablib.experiment.cellrun import Measured, record
from wlablib.experiment.parts import Experiment
from wlablib.experiment.results import write_json
from wlablib.experiment.words import Values
from wlablib.report import data as reportdata, order
from wlablib.report.claims import Claim
from wlablib.report.data import Slot, Study

VERSIONS = {"kernel": "6.1.1", "module_sha256": "c" * 64, "tc": "tc 6.1", "wlink": "123abc"}
STACK = {
    "name": "reno-2006",
    "congestion": "reno",
    "route": "initcwnd 1",
    "set": {"net.ipv4.tcp_sack": "0"},
    "missing": ["net.ipv4.tcp_plb_enabled"],
    "differs": [{"name": "net.ipv4.tcp_frto", "wanted": "0", "is": "2"}],
    "offloads": {},
}
Seeds = list[float]


def head(name: str, paper: str, metrics: list[str], confidence: float = 90, seeds: int = 3) -> str:
    """An experiment up to its first grid; a cell's values may be anything."""
    listed = ", ".join(f'"{m}"' for m in metrics)
    return f"""name = "{name}"
paper = "{paper}"
title = "The experiment {name}"
scenario = "base"
seeds = {seeds}
confidence = {confidence}
metrics = [{listed}]
[quick]
seeds = 2
"""


def accept(**axes: list[object]) -> str:
    """A rule for each key, so that it counts as used."""
    return "".join(f"[[rule]]\nwhen = {{ {key} = {toml(v)} }}\n" for key, v in axes.items())


def toml(v: object) -> str:
    """As a file has it."""
    if isinstance(v, bool):
        return "true" if v else "false"
    if isinstance(v, list):
        return "[" + ", ".join(toml(x) for x in v) + "]"
    if isinstance(v, dict):
        return "{ " + ", ".join(f"{k} = {toml(x)}" for k, x in v.items()) + " }"
    return f'"{v}"' if isinstance(v, str) else str(v)


def grid(items: list[str], ones: list[Values]) -> str:
    return f"[[grid]]\nitems = {toml(items)}\ncells = {toml(ones)}\n"


@cache
def papers() -> sets.Set:
    return sets.load()


def judged(study: Study, page: str = "") -> dict[str, Claim]:
    """All claims by name, or those of a page."""
    found = order.judge_page(study, study.about(page)) if page else order.judge(study)
    return {one.name: one for one in found}


@cache
def loaded() -> Study:
    return reportdata.load(HERE.parent.parent / "Documentation" / "results", papers())


def kept() -> Study:
    """The results in Documentation/results, to be changed at will."""
    return Study(loaded().out, [copy.copy(slot) for slot in loaded().slots], papers())


def change(slot: Slot, metric: str, values: Seeds) -> None:
    """Give a cell other values, one for each of its seeds."""
    assert slot.record
    fresh = {metric: interval(values, slot.exp.confidence)}
    record = {**slot.record, "metrics": {**slot.record["metrics"], **fresh}}
    slot.record = {**record, "values": {**record["values"], metric: values}}


class Sweep:
    """A folder with experiments, their scenario, and the cells that are put there."""

    def __init__(self, where: Path, texts: dict[str, str]) -> None:
        self.where, self.out = where, where / "out"
        (where / "scenarios").mkdir()
        (where / "scenarios" / "base.toml").write_text(SCENARIO)
        (self.out / "cells").mkdir(parents=True)
        self.exps: list[Experiment] = []
        self.known: dict[bool, dict[str, cells.Cell]] = {}
        for name, text in texts.items():
            (where / f"{name}.toml").write_text(text)
            self.exps.append(experiment.load(where / f"{name}.toml"))

    def cell(self, values: Values, quick: bool = False) -> cells.Cell:
        """Expanded once; a sweep of a hundred cells asks a hundred times."""
        if quick not in self.known:
            found = [one for exp in self.exps for one in cells.expand(exp, quick)]
            self.known[quick] = {one.id: one for one in found}
        return self.known[quick][cells.cell_id(values)]

    def path(self, values: Values) -> Path:
        one = self.cell(values)
        return self.out / "cells" / one.experiment.name / f"{one.id}.json"

    def put(
        self, values: Values, quick: bool = False, first: int = 1, same: bool = False, **metrics: Seeds
    ) -> Path:
        """A cell's file; each metric has a value for each seed from the first on, of runs that are
        the same or not."""
        one = self.cell(values, quick)
        seeds = list(range(first, first + len(next(iter(metrics.values())))))
        got = Measured(
            seeds,
            dict(metrics),
            {str(s): f"{0 if same else s:064x}" for s in seeds},
            VERSIONS,
            copy.deepcopy(STACK),
            20.0 * len(seeds),
        )
        got.clock.cpu_s, got.clock.wall_s = 36.0, 18.0
        write_json(self.path(values), record(one, got))
        return self.path(values)

    def study(self, quick: bool | None = None) -> Study:
        """With the papers' pages and claims."""
        return reportdata.load(self.out, self.set, quick)

    @property
    def set(self) -> sets.Set:
        return replace(papers(), experiments=self.exps)
