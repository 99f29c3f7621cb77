# SPDX-License-Identifier: GPL-2.0
"""`wlab verify`: is a cell's result what its runs give, to the last bit?"""

import copy
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..analysis.interval import interval
from ..lib.paths import LabError
from ..scenario import scenario
from ..scenario.files import Digests, kept
from . import cells, experiment
from .cellrun import Measured, measure_seeds
from .results import read, signature

SHOWN = 16
Again = Callable[[scenario.Scenario, list[int], list[str]], Measured]


@dataclass
class Verdict:
    """What has been found: what is wrong, and what is worth knowing."""

    wrong: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def differences(ours: object, theirs: object, where: str) -> Iterator[str]:
    """Where two trees differ, each with both its values."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        for key in [*ours, *(k for k in theirs if k not in ours)]:
            yield from differences(ours.get(key), theirs.get(key), f"{where}.{key}")
    elif isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        for i, (a, b) in enumerate(zip(ours, theirs)):
            yield from differences(a, b, f"{where}.{i}")
    elif ours != theirs:
        yield f"{where}: {json.dumps(ours)} in the file, {json.dumps(theirs)} "


def files_of(record: dict[str, Any]) -> Digests:
    """What its runs have read; kept results of before there were any say nothing."""
    have: Digests = record.get("files", {})
    return have


def inside(record: dict[str, Any]) -> list[str]:
    """Values that other values of the file contradict."""
    out = []
    for name, values in record["values"].items():
        follows = interval(values, record["confidence"])
        have = record["metrics"].get(name)
        out += [d + "from the seeds' values" for d in differences(have, follows, f"metrics.{name}")]
    for name in record["metrics"].keys() - record["values"].keys():
        out.append(f"metrics.{name}: there are no values of it")
    name = cells.cell_id(record["cell"])
    if record["id"] != name:
        out.append(f"id: '{record['id']}' in the file, '{name}' from its cell")
    if list(record["event_sha256"]) != [str(s) for s in record["seeds"]]:
        out.append("event_sha256: not of the seeds in the file")
    digest = scenario.digest(record["scenario"], files_of(record))
    if record["scenario_sha256"] != digest:
        out.append(f"scenario: its digest is {digest[:SHOWN]}, not {record['scenario_sha256'][:SHOWN]}")
    return out


def planned(record: dict[str, Any]) -> tuple[list[str], list[str]]:
    """What is not as the experiment has it today, and why that cannot be known."""
    if record["experiment"] not in experiment.names():
        return [], [f"there is no experiment '{record['experiment']}' today"]
    try:
        cell = cells.find(experiment.load(record["experiment"]), record["id"], record["quick"])
    except LabError as e:
        return [], [f"not in the experiment today: {e}"]
    plan = cell.as_json()
    out = []
    ours = {**record, "files": files_of(record)}
    for key in ("paper", "title", "cell", "items", "confidence", "seeds", "scenario", "files"):
        out += [d + "in the experiment" for d in differences(ours[key], plan[key], key)]
    return out, []


def rerun(record: dict[str, Any], got: Measured) -> list[str]:
    """Where runs of today differ from the file."""
    out = []
    at = {seed: i for i, seed in enumerate(record["seeds"])}
    for i, seed in enumerate(got.seeds):
        have, new = str(record["event_sha256"].get(str(seed))), got.event_sha256[str(seed)]
        if have != new:
            out.append(f"seed {seed}: event_sha256: {have[:SHOWN]} in the file, {new[:SHOWN]} in the run")
        for name, values in got.values.items():
            old = record["values"][name][at[seed]]
            if old != values[i]:
                out.append(f"seed {seed}: {name}: {old} in the file, {values[i]} in the run")
    return out


def surroundings(record: dict[str, Any], got: Measured) -> list[str]:
    """Another kernel, module or TCP than those that made the file."""
    now = got.versions
    out = [d + "in the run" for d in differences(record["stack"], got.stack, "stack")]
    for key, what in (("kernel", "kernel"), ("module_sha256", "module"), ("tc", "tc")):
        then = str(record["versions"].get(key))
        if then != now[key]:
            out.append(f"another {what}: {then[:24]} made the file, {now[key][:24]} runs now")
    return out


def read_scenario(path: Path, record: dict[str, Any]) -> scenario.Scenario:
    """With the copies of its files that belong to the result."""
    try:
        return scenario.read(copy.deepcopy(record["scenario"]), kept(path, files_of(record)))
    except LabError as e:
        raise LabError(f"{path}: scenario: {e}") from None


def verify(path: Path, seeds: list[int], again: Again = measure_seeds) -> Verdict:
    """Judge a file by itself, then by running it again; all of its seeds where none is named."""
    record = read(path)
    for seed in seeds:
        if seed not in record["seeds"]:
            raise LabError(f"{path}: it has no seed {seed}; there are {record['seeds']}")
    out = Verdict(wrong=inside(record))
    plan, out.notes = planned(record)
    around: list[str] = []
    whole = signature(record) == record["sha256"]
    if not out.wrong:
        # Nothing in the file contradicts the rest of it: only its runs can.
        sc = read_scenario(path, record)
        own = record.get("functions", {})
        got = again(sc, seeds or record["seeds"], [n for n in record["values"] if n not in own])
        out.notes += [f"{name}: a function of one's own, which is not called again" for name in own]
        around = surroundings(record, got)
        out.wrong = rerun(record, got)
        if not out.wrong:
            out.notes.append(f"{len(got.seeds)} seeds run again: the same events and values")
    if whole:
        out.notes += around + plan
    else:
        # What is neither measured nor follows from it is of the experiment or the machine.
        out.wrong = ["edited by hand: sha256 is not that of the rest", *(out.wrong or plan + around)]
    return out
