# SPDX-License-Identifier: GPL-2.0
"""Variants of one scenario, for --vary: one boot, a folder each."""

import re
from itertools import product
from pathlib import Path

from ..lib.keys import SEED_MAX
from ..lib.paths import RESULTS, LabError
from ..scenario import scenario
from ..scenario.scenario import Scenario
from . import resultdir
from .run import Batch

FOLDER_MAX = 120


def settings_of(vary: list[str]) -> list[list[str]]:
    """The --set options of each variant: all combinations of --vary KEY=A,B,..."""
    choices = []
    for option in vary:
        key, eq, values = option.partition("=")
        words = values.split(",")
        if not eq or not key or not all(words):
            raise LabError(f"--vary {option}: not KEY=VALUE,VALUE...")
        if len({*words}) < len(words):
            raise LabError(f"--vary {option}: a value comes twice")
        choices.append([f"{key}={word}" for word in words])
    return [list(combination) for combination in product(*choices)]


def folder_name(settings: list[str]) -> str:
    """A variant's folder, named by the last parts of the keys, without characters special to a shell."""
    words = (setting.partition("=") for setting in settings)
    text = ",".join(f"{key.rpartition('.')[2]}={value}" for key, _, value in words)
    return re.sub(r"[^A-Za-z0-9_.,=+%-]+", "_", text)[:FOLDER_MAX]


def seeds(sc: Scenario, first: int | None, runs: int) -> list[int]:
    """The seeds of a batch, from the scenario's on if no other is the first."""
    first = sc.seed if first is None else first
    if first + runs - 1 > SEED_MAX:
        raise LabError(f"--runs {runs}: the last seed would be above {SEED_MAX}")
    return list(range(first, first + runs))


def batches(
    path: Path, settings: list[str], vary: list[str], seed: int | None, runs: int, out: Path | None
) -> list[Batch]:
    """A batch for each variant; all are checked before any is run."""
    by_name: dict[str, Batch] = {}
    for varied in settings_of(vary):
        sc = scenario.load(path, [*settings, *varied])
        keys = (setting.partition("=")[0].rpartition(".")[2] for setting in varied)
        home = out or RESULTS / "results" / "-".join([sc.name, *keys])
        name = folder_name(varied)
        if name in by_name:
            raise LabError(f"--vary: two variants would go to {home / name}")
        by_name[name] = Batch(sc, seeds(sc, seed, runs), home / name)
    for batch in by_name.values():
        if any((batch.out.parent / name).exists() for name in resultdir.RESULT_FILES):
            raise LabError(f"{batch.out.parent} holds the result of one run; name another --out")
    return list(by_name.values())
