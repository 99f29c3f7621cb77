# SPDX-License-Identifier: GPL-2.0
"""Results that sweeps of other machines have, taken where they are what this one would run."""

import copy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ...lib.files import read_bytes, write_file
from ...lib.paths import LabError
from .. import results
from .plan import ENGINE, Task, differing, read_json, reason


def theirs(tasks: list[Task], others: list[Path], engine: dict[str, Any]) -> Iterator[tuple[Task, Task]]:
    """(cell here, cell there) of each result there; refuses what ran on another lab or by another plan."""
    for other in others:
        if not (other / "cells").is_dir():
            raise LabError(f"--from {other}: it has no cells of a sweep")
        if keys := differing(read_json(other / ENGINE) or {}, engine):
            raise LabError(
                f"--from {other}: {', '.join(keys)}: not those of this machine's lab; cells of two labs"
                " cannot stand in one report"
            )
        for task in tasks:
            there = copy.copy(task)
            there.out = other
            if not there.result.exists():
                continue
            if why := reason(there, []):
                raise LabError(f"--from {there.result}: {why}")
            yield task, there


def sound(path: Path) -> str:
    """The digest of a result, which nobody has edited."""
    record = results.read(path)
    if results.signature(record) != record["sha256"]:
        raise LabError(f"{path}: edited by hand: sha256 is not that of the rest")
    return str(record["sha256"])


def take(tasks: list[Task], others: list[Path], engine: dict[str, Any], why: dict[str, str]) -> None:
    """Copy each result that is wanted here; what both have must be the same."""
    for task, there in theirs(tasks, others, engine):
        digest = sound(there.result)
        if why[task.name]:
            write_file(task.result, read_bytes(there.result))
            task.error.unlink(missing_ok=True)
            why[task.name] = ""
        elif sound(task.result) != digest:
            raise LabError(f"{there.result}: not what {task.result} has; wlab verify finds which is wrong")
