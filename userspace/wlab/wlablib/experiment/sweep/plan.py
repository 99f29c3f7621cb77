# SPDX-License-Identifier: GPL-2.0
"""The plan files of a sweep, and the reason why each cell must be run.

Snakemake compares times of files, so each is written only when its contents change.
"""

from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from ...lib import files
from ...lib.paths import LabError
from ...scenario.files import FOLDER, Input, Origin, keep
from ..cells import Cell
from ..inputs import guest_sha256, metrics_sha256
from ..parts import Experiment, Quick
from ..results import write_json

# Keys on which no result depends.
WORDS = ("paper", "title", "items")
ENGINE = "engine.json"


@dataclass
class Task:
    """A cell and its files in the folder of a sweep."""

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
        return self.out / "plan" / f"{self.name}.json"

    @property
    def result(self) -> Path:
        return self.out / "cells" / f"{self.name}.json"

    @property
    def error(self) -> Path:
        return self.out / "cells" / f"{self.name}.error"


def as_plan(cell: Cell) -> dict[str, Any]:
    """The plan of a cell: all that a job needs and all that decides its result."""
    metrics = cell.experiment.metrics
    return {
        **cell.summary(),
        # Own metrics are in `functions`.
        "metrics": metrics,
        "seeds": cell.seeds,
        "guest_sha256": guest_sha256(cell),
        "metrics_sha256": metrics_sha256(metrics),
    }


def from_plan(plan: dict[str, Any], path: Path) -> Cell:
    """The cell of a plan; of its experiment it has only what results have."""
    empty: dict[str, Any] = {f.name: [] for f in fields(Experiment)}
    shared = {k: plan[k] for k in ("paper", "title", "confidence", "metrics")}
    named = {"path": path, "name": plan["experiment"], "quick": Quick(len(plan["seeds"]), [])}
    exp = Experiment(**{**empty, **shared, **named})
    store = path.parents[2] / FOLDER
    origin = Origin(store, plan.get("files", {}))
    named = {name: Input(name, store / digest, digest) for name, digest in plan.get("functions", {}).items()}
    return Cell(
        exp, plan["cell"], plan["items"], plan["scenario"], plan["quick"], plan["seeds"], origin, named,
        plan.get("scenarios", {}),
    )  # fmt: skip


def read_json(path: Path) -> dict[str, Any] | None:
    """Read a plan or engine.json; None if it is missing or incomplete."""
    try:
        parsed = files.read_json(path)
        return parsed if isinstance(parsed, dict) else None
    except LabError:
        return None


def deciding(plan: dict[str, Any] | None) -> dict[str, Any] | None:
    return plan and {k: v for k, v in plan.items() if k not in WORDS}


def differing(a: dict[str, Any], b: dict[str, Any]) -> list[str]:
    """The keys whose values differ."""
    return [k for k in {**a, **b} if a.get(k) != b.get(k)]


def time_of(path: Path) -> int:
    """The time of a file; 0 if it is missing."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def reason(task: Task, changed: list[str]) -> str:
    """Why a cell must be run, "" if it need not; `changed` are the changed keys of engine.json."""
    result_ns = time_of(task.result)
    if not result_ns:
        return "failed before" if task.error.exists() else "no result yet"
    before = deciding(read_json(task.plan_path))
    if before is None:
        return "not planned here"
    if keys := differing(before, deciding(task.plan) or {}):
        return f"{', '.join(keys)}: changed since the result"
    if changed:
        return f"{', '.join(changed)}: changed since the result"
    if result_ns < max(time_of(task.plan_path), time_of(task.out / ENGINE)):
        return "planned again since"
    return ""


def write_plan(task: Task) -> None:
    """Write a plan; a change of keys on which no result depends keeps the file's time."""
    before = read_json(task.plan_path)
    if before == task.plan:
        return
    same_result = before and deciding(before) == deciding(task.plan)
    write_json(task.plan_path, task.plan, time_of(task.plan_path) if same_result else 0)


def write(tasks: list[Task], engine: dict[str, Any], out: Path) -> None:
    """Write all plans, engine.json, and the list of cells for the Snakefile."""
    try:
        for task in tasks:
            keep(task.cell.inputs(), out / FOLDER)
            write_plan(task)
        if read_json(out / ENGINE) != engine:
            write_json(out / ENGINE, engine)
        write_json(out / "sweep.json", [t.name for t in tasks])
    except OSError as e:
        raise LabError(f"{e.filename or out}: cannot be written: {e.strerror}") from None


def check_quick(tasks: list[Task]) -> None:
    """Refuse to replace results of a full sweep, which takes hours, by those of a quick one."""
    full = [
        t
        for t in tasks
        if t.cell.quick and t.result.exists() and not (read_json(t.plan_path) or {}).get("quick", True)
    ]
    if full:
        out = full[0].out
        raise LabError(
            f"{out} has {len(full)} results of a full sweep, such as {full[0].name}, which a quick one"
            f" would replace; name another --out, or remove {out / 'cells'}"
        )
