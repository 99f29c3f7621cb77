# SPDX-License-Identifier: GPL-2.0
"""Runs one cell: all its seeds, and of them one small file of all results."""

import contextlib
import resource
import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..analysis.interval import interval
from ..analysis.metrics import measure
from ..lab import build
from ..lab.boot import scratch
from ..lib.paths import LabError
from ..lib.progress import Progress
from ..run import place, run
from ..scenario.scenario import Scenario
from . import functions
from .cells import Cell
from .results import signature, write_json


@dataclass
class Clock:
    """What a block of work has cost, its children included."""

    wall_s: float = 0.0
    cpu_s: float = 0.0

    @staticmethod
    def cpu() -> float:
        uses = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
        return sum(u.ru_utime + u.ru_stime for u in uses)

    @contextlib.contextmanager
    def runs(self) -> Iterator[None]:
        wall, cpu = time.monotonic(), self.cpu()
        yield
        self.wall_s += time.monotonic() - wall
        self.cpu_s += self.cpu() - cpu


@dataclass
class Measured:
    """What the runs of a cell have given."""

    seeds: list[int]
    values: dict[str, list[float]]
    event_sha256: dict[str, str]
    versions: dict[str, str]
    stack: dict[str, Any]
    virtual_s: float = 0.0
    clock: Clock = field(default_factory=Clock)


def lab() -> build.Kernel:
    """The lab, up to date."""
    kernel = build.kernel()
    build.make_parts(kernel)
    return kernel


def measure_seeds(
    sc: Scenario,
    seeds: list[int],
    names: list[str],
    stall_s: float = 60.0,
    title: str = "",
    kernel: build.Kernel | None = None,
    own: functions.Functions | None = None,
) -> Measured:
    """Run these seeds and keep what the metrics say; all else is gone afterwards.

    With a kernel, the lab is taken as it is.
    """
    # What is made once for all cells is no cost of this one.
    on = place.lab(kernel or lab())
    own = own or {}
    out = Measured(seeds, {n: [] for n in [*names, *own]}, {}, run.versions(on), {})
    with scratch() as folder, out.clock.runs():
        progress = Progress(title or sc.name)
        left = run.play(progress, on, [(sc, seed) for seed in seeds], folder, stall_s)
        for one, seed in zip(left, seeds):
            progress.tick(f"reading the events of seed {seed}")
            keep_figures(sc, seed, one, out, own)
        progress.done(f"{out.virtual_s:.0f} virtual seconds")
    return out


def keep_figures(
    sc: Scenario, seed: int, left: run.RunDir, out: Measured, own: functions.Functions
) -> None:
    """Measure one run; a log takes many MB, so that it goes before the next one is made."""
    folder = left.boot / f"{left.run}.result"
    folder.mkdir()
    result = run.result(sc, seed, left, folder)
    theirs = measure([n for n in out.values if n not in own], result, folder)
    for name, value in {**theirs, **functions.measure(own, result, folder)}.items():
        out.values[name].append(value)
    if result["event_sha256"] is None:
        raise LabError(f"seed {seed}: the run has no event that could be verified; it needs a wlink or TCP")
    out.event_sha256[str(seed)] = result["event_sha256"]
    out.virtual_s += result["ended_s"]
    # TCP is set the same for all seeds.
    out.stack = out.stack or result["stack"]
    shutil.rmtree(folder)
    if left.run != left.first:
        shutil.rmtree(left.folder)


def record(cell: Cell, got: Measured) -> dict[str, Any]:
    """The result of a cell."""
    out: dict[str, Any] = {
        **cell.summary(),
        "scenario_sha256": cell.scenario_sha256(),
        "seeds": got.seeds,
        "values": got.values,
        "metrics": {name: interval(v, cell.experiment.confidence) for name, v in got.values.items()},
        "event_sha256": got.event_sha256,
        "versions": got.versions,
        "stack": got.stack,
        "cost": {
            "wall_s": round(got.clock.wall_s, 3),
            "cpu_s": round(got.clock.cpu_s, 3),
            "virtual_s": round(got.virtual_s, 9),
        },
    }
    return {**out, "sha256": signature(out)}


def run_cell(
    cell: Cell, out: Path, stall_s: float = 60.0, kernel: build.Kernel | None = None
) -> dict[str, Any]:
    """Run a cell and write its result."""
    title = f"{cell.experiment.name} {cell.id}"
    try:
        names, own = cell.experiment.metrics, cell.functions
        got = measure_seeds(cell.scenario, cell.seeds, names, stall_s, title, kernel, own)
    except OSError as e:
        raise LabError(f"{title}: {e.filename or 'run'}: {e.strerror}") from None
    except LabError as e:
        raise LabError(f"{title}: {e}") from None
    what = record(cell, got)
    write_json(out, what)
    return what
