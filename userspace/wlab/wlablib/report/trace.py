# SPDX-License-Identifier: GPL-2.0
"""The course of one seed, for [[trace]]: run again, since event logs are not kept."""

import hashlib
import json
from pathlib import Path

from ..analysis.plots import compare as compareplot
from ..analysis.plots.data import Result
from ..experiment.parts import Trace
from ..experiment.results import write_file
from ..experiment.verify import files_of
from ..lab.boot import scratch
from ..lib.paths import LabError
from ..run import run
from ..scenario import scenario
from ..scenario.files import kept
from .data import Slot
from .figures import save_small
from .item import varying
from .words import cell_text


def key(slots: list[Slot], seed: int) -> str:
    """What the picture depends on."""
    return hashlib.sha256(json.dumps([seed, *(s.sha for s in slots)]).encode()).hexdigest()


def seed_of(trace: Trace, slots: list[Slot]) -> int:
    """The one named, or the first that all have."""
    have = [set(s.by_seed(next(iter(s.exp.metrics)))) for s in slots]
    both = set.intersection(*have)
    if trace.seed is None and both:
        return min(both)
    if trace.seed not in both:
        raise LabError(f"{trace.item}: its cells have no seed {trace.seed}")
    return trace.seed


def run_one(slot: Slot, seed: int, folder: Path) -> Result:
    """The events must be those of the cell's file."""
    assert slot.record is not None
    sc = scenario.read(slot.record["scenario"], kept(slot.path, files_of(slot.record)))
    (one,), _ = run.run(sc, [seed], folder)
    wanted = slot.record["event_sha256"][str(seed)]
    if one["event_sha256"] != wanted:
        raise LabError(
            f"{slot.path}: seed {seed} gives other events now; see wlab verify {slot.path}"
        )
    return Result(folder)


def draw(trace: Trace, slots: list[Slot], out: Path, png: Path) -> bool:
    """Whether there was anything to draw; out keeps the picture for the next report."""
    slots = [s for s in slots if s.record]
    if not slots:
        return False
    seed = seed_of(trace, slots)
    keys = varying(slots) if len(slots) > 1 else ["aqm"]
    kept = out / "traces" / f"{key(slots, seed)}.png"
    if not kept.exists():
        with scratch() as folder:
            results = {}
            for i, slot in enumerate(slots):
                name = cell_text({k: v for k, v in slot.values.items() if k in keys})
                results[f"{name}, seed {seed}"] = run_one(slot, seed, folder / f"{i}")
            compareplot.draw(results, folder / "trace.png")
            save_small((folder / "trace.png").read_bytes(), kept)
    write_file(png, kept.read_bytes())
    return True
