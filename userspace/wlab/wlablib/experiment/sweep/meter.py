# SPDX-License-Identifier: GPL-2.0
"""How far a sweep is: what has come, what has failed, how long the rest will take."""

import json
from collections import defaultdict
from typing import Any

from .plan import Task

# Of a job besides its runs: programs to start, digests.
JOB_S = 1.0


def mark(task: Task) -> tuple[tuple[int, int], tuple[int, int]]:
    """Changes when a result or an error is written."""
    out = []
    for path in (task.result, task.error):
        try:
            st = path.stat()
            out.append((st.st_mtime_ns, st.st_ino))
        except OSError:
            out.append((0, 0))
    return out[0], out[1]


def words(seconds: float) -> str:
    """As a person would say it."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def cost_of(task: Task) -> dict[str, float] | None:
    """Of its result, where there is one, with the number of runs."""
    try:
        said: dict[str, Any] = json.loads(task.result.read_text())
        cost = {k: float(said["cost"][k]) for k in ("wall_s", "cpu_s", "virtual_s")}
        return {**cost, "runs": len(said["seeds"])} if said["seeds"] else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


class Meter:
    """Of the cells to run. A run costs what it did last time, or what runs of its experiment do.

    How much of a scenario's duration a run needs is not known before where it has an `until`.
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
            have = self.costs[task.cell.experiment.name]
            have[0] += cost["wall_s"]
            have[1] += cost["runs"]

    def look(self) -> None:
        """See what has come since."""
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
        """None as long as no cell has said what it costs."""
        wall, runs = (sum(have[i] for have in self.costs.values()) for i in (0, 1))
        if not runs:
            return None
        left = 0.0
        for task in self.todo:
            if task.name not in self.done | self.failed:
                own = self.costs.get(task.cell.experiment.name, [wall, runs])
                left += JOB_S + self.last.get(task.name, own[0] / own[1]) * len(task.cell.seeds)
        return left / self.jobs

    def count(self) -> tuple[int, int]:
        return len(self.done), len(self.failed)

    def summary(self) -> str:
        """In one line."""
        left = self.left_s() if len(self.done | self.failed) < len(self.todo) else None
        done = f"cells {self.fresh + len(self.done)} of {self.fresh + len(self.todo)}"
        failed = f", {len(self.failed)} failed" if self.failed else ""
        return done + failed + (f", about {words(left)} left" if left else "")
