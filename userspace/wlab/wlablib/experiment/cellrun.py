# SPDX-License-Identifier: GPL-2.0
"""Runs one cell with all its seeds, and writes one file with the results."""

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
from ..lib.paths import LabError
from ..lib.progress import Progress
from ..lib.scratch import scratch
from ..run import place, run
from ..scenario.scenario import Scenario
from . import functions
from .cells import Cell
from .results import signature, write_json


@dataclass
class Clock:
    """The wall and processor time of blocks of work, child processes included."""

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
    """The values and digests that the runs of a cell gave."""

    seeds: list[int]
    values: dict[str, list[float]]
    event_sha256: dict[str, str]
    versions: dict[str, Any]
    stack: dict[str, Any]
    virtual_s: float = 0.0
    clock: Clock = field(default_factory=Clock)


def lab() -> build.Kernel:
    """The lab kernel, with everything built."""
    kernel = build.kernel()
    build.make_parts(kernel)
    return kernel


def measure_seeds(
    runs: list[run.Run],
    names: list[str],
    stall_s: float = 60.0,
    title: str = "",
    kernel: build.Kernel | None = None,
    own_functions: functions.Functions | None = None,
) -> Measured:
    """Run scenarios with their seeds and keep their metrics; all other files are removed.

    With a kernel given, nothing is built.
    """
    # Building is not part of the cell's cost.
    on = place.lab(kernel or lab())
    own_functions = own_functions or {}
    seeds = [seed for _, seed in runs]
    versions = run.versions(on, [sc for sc, _ in runs])
    out = Measured(seeds, {n: [] for n in [*names, *own_functions]}, {}, versions, {})
    with scratch() as folder, out.clock.runs():
        progress = Progress(title or runs[0][0].name)
        left = run.play(progress, on, runs, folder, stall_s)
        for one, (sc, seed) in zip(left, runs):
            progress.tick(f"reading the events of seed {seed}")
            keep_figures(sc, seed, one, out, own_functions)
        progress.done(f"{out.virtual_s:.0f} virtual seconds")
    return out


def keep_figures(
    sc: Scenario, seed: int, run_dir: run.RunDir, out: Measured, own_functions: functions.Functions
) -> None:
    """Measure one run, then remove its event log, which takes many MB."""
    folder = run_dir.boot / f"{run_dir.run}.result"
    folder.mkdir()
    result = run.result(sc, seed, run_dir, folder)
    # Functions of one's own read it where `wlab why` does.
    write_json(folder / "result.json", result)
    built_in = measure([n for n in out.values if n not in own_functions], result, folder)
    for name, value in {**built_in, **functions.measure(own_functions, result, folder)}.items():
        out.values[name].append(value)
    if result["event_sha256"] is None:
        raise LabError(f"seed {seed}: the run has no events to verify it by; it needs a wlink or TCP")
    out.event_sha256[str(seed)] = result["event_sha256"]
    out.virtual_s += result["ended_s"]
    # All seeds have the same TCP settings.
    out.stack = out.stack or result["stack"]
    shutil.rmtree(folder)
    if run_dir.run != run_dir.first:
        shutil.rmtree(run_dir.folder)


def record(cell: Cell, measured: Measured) -> dict[str, Any]:
    """The result of a cell, as its file has it."""
    out: dict[str, Any] = {
        **cell.summary(),
        "scenario_sha256": cell.scenario_sha256(),
        "seeds": measured.seeds,
        "values": measured.values,
        "metrics": {name: interval(v, cell.experiment.confidence) for name, v in measured.values.items()},
        "event_sha256": measured.event_sha256,
        "versions": measured.versions,
        "stack": measured.stack,
        "cost": {
            "wall_s": round(measured.clock.wall_s, 3),
            "cpu_s": round(measured.clock.cpu_s, 3),
            "virtual_s": round(measured.virtual_s, 9),
        },
    }
    return {**out, "sha256": signature(out)}


def run_cell(
    cell: Cell, out: Path, stall_s: float = 60.0, kernel: build.Kernel | None = None
) -> dict[str, Any]:
    """Run a cell and write its result file."""
    title = f"{cell.experiment.name} {cell.id}"
    try:
        names, own_functions = cell.experiment.metrics, cell.functions
        runs = list(zip(cell.scenarios, cell.seeds))
        measured = measure_seeds(runs, names, stall_s, title, kernel, own_functions)
    except OSError as e:
        raise LabError(f"{title}: {e.filename or 'run'}: {e.strerror}") from None
    except LabError as e:
        raise LabError(f"{title}: {e}") from None
    result = record(cell, measured)
    write_json(out, result)
    return result
