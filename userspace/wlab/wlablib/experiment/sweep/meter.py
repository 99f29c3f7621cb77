# SPDX-License-Identifier: GPL-2.0
"""The progress of a sweep: cells done and failed, and an estimate of the remaining time."""

from collections import defaultdict
from pathlib import Path
from typing import Any

from ...lib.files import read_json
from ...lib.paths import LabError
from ..results import LINES, read_lines
from .plan import Task

# The time of a job besides its runs: starting programs, digests.
JOB_S = 1.0


def mark(task: Task) -> tuple[tuple[int, int], tuple[int, int]]:
    """A value that changes when a result or an error is written."""
    out = []
    for path in (task.result, task.error):
        try:
            st = path.stat()
            out.append((st.st_mtime_ns, st.st_ino))
        except OSError:
            out.append((0, 0))
    return out[0], out[1]


def words(seconds: float) -> str:
    """Print a duration for a person."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def cost_in(result: dict[str, Any]) -> dict[str, float] | None:
    """The cost in a result with the number of its runs; None if it has none."""
    try:
        cost = {k: float(result["cost"][k]) for k in ("wall_s", "cpu_s", "virtual_s")}
        return {**cost, "runs": len(result["seeds"])} if result["seeds"] else None
    except (ValueError, KeyError, TypeError):
        return None


def cost_of(task: Task) -> dict[str, float] | None:
    """The cost of a task's result; None without a result."""
    try:
        return cost_in(read_json(task.result))
    except LabError:
        return None


class Meter:
    """Progress over the cells to run. A run is estimated by the cell's last cost or its experiment's mean.

    The scenario's duration is no estimate, since `until` may end a run early.
    """

    def __init__(self, todo: list[Task], rest: list[Task], jobs: int) -> None:
        self.todo, self.jobs, self.fresh = todo, jobs, len(rest)
        self.before = {t.name: mark(t) for t in todo}
        self.done: set[str] = set()
        self.failed: set[str] = set()
        # Wall and processor seconds, runs, by experiment; both of a run, by cell.
        self.costs: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0, 0])
        self.last: dict[str, tuple[float, float]] = {}
        for task in (*rest, *todo):
            self.learn(task)

    def learn(self, task: Task, kept: dict[str, float] | None = None) -> None:
        if cost := kept or cost_of(task):
            self.last[task.name] = cost["wall_s"] / cost["runs"], cost["cpu_s"] / cost["runs"]
            sums = self.costs[task.cell.experiment.name]
            for i, key in enumerate(("wall_s", "cpu_s", "runs")):
                sums[i] += cost[key]

    def learn_kept(self, folder: Path) -> None:
        """What cells without a result here have cost in kept results."""
        kept: dict[str, dict[str, Any]] = {}
        for task in self.todo:
            name = task.cell.experiment.name
            if task.name in self.last:
                continue
            if name not in kept:
                file = folder / "cells" / f"{name}{LINES}"
                lines = read_lines(file).values() if file.exists() else ()
                kept[name] = {str(one.get("id")): one for one in lines}
            result = kept[name].get(task.cell.id, {})
            # A run of a quick cell may be shorter.
            if result.get("quick") == task.cell.quick:
                self.learn(task, cost_in(result))

    def look(self) -> None:
        """Record results and errors written since the last call."""
        for task in self.todo:
            if task.name in self.done:
                continue
            result, error = mark(task)
            if result[0] and result != self.before[task.name][0]:
                self.done.add(task.name)
                self.learn(task)
            elif error[0] and error != self.before[task.name][1]:
                self.failed.add(task.name)
        self.failed -= self.done

    def left(self, which: int) -> list[float]:
        """Estimates in s of each cell that is left: 0 the wall time, 1 the processor's; none until a first
        cost is known."""
        wall, cpu, runs = (sum(sums[i] for sums in self.costs.values()) for i in range(3))
        out = []
        for task in self.todo if runs else ():
            if task.name not in self.done | self.failed:
                sums = self.costs.get(task.cell.experiment.name, [wall, cpu, runs])
                mean = sums[0] / sums[2], sums[1] / sums[2]
                out.append(JOB_S + self.last.get(task.name, mean)[which] * len(task.cell.seeds))
        return out

    def left_s(self) -> float | None:
        """The estimate of the time in s, at least the longest cell's."""
        cells = self.left(0)
        return max(sum(cells) / self.jobs, *cells) if cells else None

    def cpu_s(self) -> float:
        return sum(self.left(1))

    def count(self) -> tuple[int, int]:
        return len(self.done), len(self.failed)

    def summary(self) -> str:
        """The progress line."""
        left = self.left_s() if len(self.done | self.failed) < len(self.todo) else None
        done = f"cells {self.fresh + len(self.done)} of {self.fresh + len(self.todo)}"
        failed = f", {len(self.failed)} failed" if self.failed else ""
        return done + failed + (f", about {words(left)} left" if left else "")
