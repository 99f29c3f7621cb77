# SPDX-License-Identifier: GPL-2.0
"""The files that say what a sweep has to do, and what is left to do by them.

Snakemake goes by the times of files. So each is written only when what it says changes.
"""

import json
import tomllib
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from ...lib import toml
from ...lib.paths import LabError
from ...scenario.files import FOLDER, Input, Origin, keep
from ..cells import Cell
from ..inputs import guest_sha256, metrics_sha256
from ..parts import Experiment, Quick
from ..results import write_file, write_json

# What people read, and what no value depends on.
WORDS = ("paper", "title", "items")
ENGINE = "engine.json"


@dataclass
class Task:
    """One cell and its files in the folder of a sweep."""

    cell: Cell
    out: Path
    plan: dict[str, Any] = field(init=False)

    def __post_init__(self) -> None:
        self.plan = as_plan(self.cell)

    @property
    def name(self) -> str:
        return f"{self.cell.experiment.name}/{self.cell.id}"

    @property
    def plan_path(self) -> Path:
        return self.out / "plan" / f"{self.name}.toml"

    @property
    def result(self) -> Path:
        return self.out / "cells" / f"{self.name}.json"

    @property
    def error(self) -> Path:
        return self.out / "cells" / f"{self.name}.error"


def as_plan(cell: Cell) -> dict[str, Any]:
    """All that a job needs, and all that decides what it gives."""
    metrics = cell.experiment.metrics
    return {
        **cell.summary(),
        # Those of one's own are in `functions`.
        "metrics": metrics,
        "seeds": cell.seeds,
        "guest_sha256": guest_sha256(cell),
        "metrics_sha256": metrics_sha256(metrics),
    }


def from_plan(said: dict[str, Any], path: Path) -> Cell:
    """The cell of a plan; of its experiment only what a result has is there."""
    rest: dict[str, Any] = {f.name: [] for f in fields(Experiment)}
    words = {k: said[k] for k in ("paper", "title", "confidence", "metrics")}
    own = {"path": path, "name": said["experiment"], "quick": Quick(len(said["seeds"]), [])}
    exp = Experiment(**{**rest, **words, **own})
    store = path.parents[2] / FOLDER
    origin = Origin(store, said.get("files", {}))
    own = {name: Input(name, store / digest, digest) for name, digest in said.get("functions", {}).items()}
    return Cell(exp, said["cell"], said["items"], said["scenario"], said["quick"], said["seeds"], origin, own)


def read_plan(path: Path) -> dict[str, Any] | None:
    """None where there is none, or not a whole one."""
    try:
        return tomllib.loads(path.read_text())
    except (OSError, ValueError):
        return None


def read_engine(out: Path) -> dict[str, Any] | None:
    try:
        said = json.loads((out / ENGINE).read_text())
        return said if isinstance(said, dict) else None
    except (OSError, ValueError):
        return None


def deciding(said: dict[str, Any] | None) -> dict[str, Any] | None:
    return said and {k: v for k, v in said.items() if k not in WORDS}


def differing(a: dict[str, Any], b: dict[str, Any]) -> list[str]:
    """Keys of values that are not the same."""
    return [k for k in {**a, **b} if a.get(k) != b.get(k)]


def time_of(path: Path) -> int:
    """0 where it is not there."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def reason(task: Task, changed: list[str]) -> str:
    """Why a cell must be run, or nothing; `changed` are the keys of engine.json that have."""
    made = time_of(task.result)
    if not made:
        return "failed before" if task.error.exists() else "no result yet"
    before = deciding(read_plan(task.plan_path))
    if before is None:
        return "not planned here"
    if what := differing(before, deciding(task.plan) or {}):
        return f"{', '.join(what)}: not as in the result"
    if changed:
        return f"{', '.join(changed)}: not as in the result"
    if made < max(time_of(task.plan_path), time_of(task.out / ENGINE)):
        return "planned anew since"
    return ""


def write_plan(task: Task) -> None:
    """Other words alone leave the file its time."""
    before = read_plan(task.plan_path)
    if before == task.plan:
        return
    same = before and deciding(before) == deciding(task.plan)
    write_file(task.plan_path, toml.dumps(task.plan), time_of(task.plan_path) if same else 0)


def write(tasks: list[Task], have: dict[str, Any], out: Path) -> None:
    """All plans, what they run on, and the list that the Snakefile reads."""
    try:
        for task in tasks:
            keep(task.cell.inputs(), out / FOLDER)
            write_plan(task)
        if read_engine(out) != have:
            write_json(out / ENGINE, have)
        write_file(out / "sweep.json", json.dumps([t.name for t in tasks], indent=1) + "\n")
    except OSError as e:
        raise LabError(f"{e.filename or out}: cannot be written: {e.strerror}") from None


def check_quick(tasks: list[Task]) -> None:
    """A whole set costs hours; a quick one must not take its place."""
    whole = [
        t
        for t in tasks
        if t.cell.quick and t.result.exists() and not (read_plan(t.plan_path) or {}).get("quick", True)
    ]
    if whole:
        out = whole[0].out
        raise LabError(
            f"{out} has {len(whole)} results of a whole sweep, such as {whole[0].name}, which a quick one"
            f" would replace; name another --out, or remove {out / 'cells'}"
        )
