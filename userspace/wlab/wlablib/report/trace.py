# SPDX-License-Identifier: GPL-2.0
"""Draws one seed over time, for [[trace]]; the seed is run again, since event logs are not kept."""

import hashlib
import json
from pathlib import Path

from ..analysis.plots import compare as compareplot
from ..analysis.plots.data import Result
from ..experiment.parts import Trace
from ..experiment.verify import read_scenario
from ..lib.files import write_file
from ..lib.paths import LabError
from ..lib.scratch import scratch
from ..run import run
from .data import Slot
from .figures import save_small
from .item import varying
from .words import cell_text


def key(slots: list[Slot], seed: int) -> str:
    """The digest of all that the picture depends on."""
    return hashlib.sha256(json.dumps([seed, *(s.sha for s in slots)]).encode()).hexdigest()


def seed_of(trace: Trace, slots: list[Slot]) -> int:
    """The trace's seed, or the first seed that all cells have."""
    seed_sets = [set(s.by_seed(next(iter(s.exp.metrics)))) for s in slots]
    common = set.intersection(*seed_sets)
    if trace.seed is None and common:
        return min(common)
    if trace.seed not in common:
        raise LabError(f"{trace.item}: its cells have no seed {trace.seed}")
    return trace.seed


def run_one(slot: Slot, seed: int, folder: Path) -> Result:
    """Run a seed again and check its events against the cell's file."""
    assert slot.record is not None
    sc = read_scenario(slot.path, slot.record, seed)
    (result_data,), _ = run.run(sc, [seed], folder)
    wanted = slot.record["event_sha256"][str(seed)]
    if result_data["event_sha256"] != wanted:
        raise LabError(f"{slot.path}: seed {seed} gives other events now; run wlab verify {slot.path}")
    return Result(folder)


def draw(trace: Trace, slots: list[Slot], out: Path, png: Path) -> bool:
    """Draw the trace; False if there is nothing to draw. `out` caches the picture."""
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
