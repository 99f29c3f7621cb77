# SPDX-License-Identifier: GPL-2.0
"""How far a sweep is: what has come, what has failed, how long the rest will take."""

import json
from collections import defaultdict
from typing import Any

from .sweepplan import Task

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


def virtual_s(task: Task) -> float:
    """At the most; a run may end sooner."""
    return task.cell.scenario.duration_ns / 1e9 * len(task.cell.seeds)


def words(seconds: float) -> str:
    """As a person would say it."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def cost_of(task: Task) -> dict[str, float] | None:
    """Of its result, where there is one."""
    try:
        cost: dict[str, Any] = json.loads(task.result.read_text())["cost"]
        return {k: float(cost[k]) for k in ("wall_s", "cpu_s", "virtual_s")}
    except (OSError, ValueError, KeyError, TypeError):
        return None


class Meter:
    """Of the cells to run, by what results say of their cost; others of an experiment cost alike."""

    def __init__(self, todo: list[Task], rest: list[Task], jobs: int) -> None:
        self.todo, self.jobs, self.fresh = todo, jobs, len(rest)
        self.before = {t.name: mark(t) for t in todo}
        self.done: set[str] = set()
        self.failed: set[str] = set()
        # Wall and virtual seconds, by experiment.
        self.costs: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
        for task in rest:
            self.learn(task)

    def learn(self, task: Task) -> None:
        if cost := cost_of(task):
            have = self.costs[task.cell.experiment.name]
            have[0] += cost["wall_s"]
            have[1] += virtual_s(task)

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
        """None as long as no cell has told what it costs."""
        wall, virtual = (sum(have[i] for have in self.costs.values()) for i in (0, 1))
        if not virtual:
            return None
        left = 0.0
        for task in self.todo:
            if task.name not in self.done | self.failed:
                own = self.costs.get(task.cell.experiment.name)
                speed = own[0] / own[1] if own and own[1] else wall / virtual
                left += JOB_S + speed * virtual_s(task)
        return left / self.jobs

    def count(self) -> tuple[int, int]:
        return len(self.done), len(self.failed)

    def told(self) -> str:
        """In one line."""
        left = self.left_s() if len(self.done | self.failed) < len(self.todo) else None
        done = f"cells {self.fresh + len(self.done)} of {self.fresh + len(self.todo)}"
        failed = f", {len(self.failed)} failed" if self.failed else ""
        return done + failed + (f", about {words(left)} left" if left else "")
