# SPDX-License-Identifier: GPL-2.0
"""The progress of a sweep: cells done and failed, and an estimate of the remaining time."""

from collections import defaultdict
from typing import Any

from ...lib.files import read_json
from ...lib.paths import LabError
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


def cost_of(task: Task) -> dict[str, float] | None:
    """The cost of a task's result with the number of its runs; None without a result."""
    try:
        result: dict[str, Any] = read_json(task.result)
        cost = {k: float(result["cost"][k]) for k in ("wall_s", "cpu_s", "virtual_s")}
        return {**cost, "runs": len(result["seeds"])} if result["seeds"] else None
    except (LabError, ValueError, KeyError, TypeError):
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
        # Wall seconds and runs, by experiment; seconds of a run, by cell.
        self.costs: dict[str, list[float]] = defaultdict(lambda: [0.0, 0])
        self.last: dict[str, float] = {}
        for task in (*rest, *todo):
            self.learn(task)

    def learn(self, task: Task) -> None:
        if cost := cost_of(task):
            self.last[task.name] = cost["wall_s"] / cost["runs"]
            sums = self.costs[task.cell.experiment.name]
            sums[0] += cost["wall_s"]
            sums[1] += cost["runs"]

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

    def left_s(self) -> float | None:
        """The estimate in s; None until a first cost is known."""
        wall, runs = (sum(sums[i] for sums in self.costs.values()) for i in (0, 1))
        if not runs:
            return None
        seconds = 0.0
        for task in self.todo:
            if task.name not in self.done | self.failed:
                experiment_sums = self.costs.get(task.cell.experiment.name, [wall, runs])
                seconds += JOB_S + self.last.get(task.name, experiment_sums[0] / experiment_sums[1]) * len(
                    task.cell.seeds
                )
        return seconds / self.jobs

    def count(self) -> tuple[int, int]:
        return len(self.done), len(self.failed)

    def summary(self) -> str:
        """The progress line."""
        left = self.left_s() if len(self.done | self.failed) < len(self.todo) else None
        done = f"cells {self.fresh + len(self.done)} of {self.fresh + len(self.todo)}"
        failed = f", {len(self.failed)} failed" if self.failed else ""
        return done + failed + (f", about {words(left)} left" if left else "")
