# SPDX-License-Identifier: GPL-2.0
"""Variants of one scenario, by keys with several values: one boot, a folder each."""

import re
from itertools import product
from pathlib import Path

from ..lib.paths import RESULTS, LabError
from ..scenario import scenario
from . import resultdir
from .run import Batch

FOLDER_MAX = 120


def settings_of(vary: list[str]) -> list[list[str]]:
    """What --set would get for each variant, of --vary KEY=A,B,... all combinations."""
    choices = []
    for one in vary:
        key, eq, values = one.partition("=")
        words = values.split(",")
        if not eq or not key or not all(words):
            raise LabError(f"--vary {one}: not KEY=VALUE,VALUE...")
        if len({*words}) < len(words):
            raise LabError(f"--vary {one}: a value comes twice")
        choices.append([f"{key}={word}" for word in words])
    return [list(some) for some in product(*choices)]


def folder_name(settings: list[str]) -> str:
    """Of the last parts of the keys, and nothing that a shell or a file system would mind."""
    words = (setting.partition("=") for setting in settings)
    text = ",".join(f"{key.rpartition('.')[2]}={value}" for key, _, value in words)
    return re.sub(r"[^A-Za-z0-9_.,=+%-]+", "_", text)[:FOLDER_MAX]


def batches(
    path: Path, settings: list[str], vary: list[str], seed: int | None, runs: int, out: Path | None
) -> list[Batch]:
    """A batch for each variant; all of them are judged before one is run."""
    made: dict[str, Batch] = {}
    for some in settings_of(vary):
        sc = scenario.load(path, [*settings, *some])
        keys = (setting.partition("=")[0].rpartition(".")[2] for setting in some)
        home = out or RESULTS / "results" / "-".join([sc.name, *keys])
        name = folder_name(some)
        if name in made:
            raise LabError(f"--vary: two variants would go to {home / name}")
        first = sc.seed if seed is None else seed
        made[name] = Batch(sc, list(range(first, first + runs)), home / name)
    for batch in made.values():
        if any((batch.out.parent / name).exists() for name in resultdir.OURS):
            raise LabError(f"{batch.out.parent} holds the result of one run; name another --out")
    return list(made.values())
