# SPDX-License-Identifier: GPL-2.0
"""`wlab verify`: is a cell's result what its runs give, to the last bit?"""

import copy
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..analysis.interval import interval
from ..analysis.metrics import METRICS
from ..lib import toml
from ..lib.paths import LabError
from ..scenario import scenario
from ..scenario.files import Digests, kept
from . import cells, experiment
from .cellrun import Measured, measure_seeds, signature

SHAPE: dict[str, type | tuple[type, ...]] = {
    "experiment": str,
    "paper": str,
    "title": str,
    "id": str,
    "cell": dict,
    "items": list,
    "confidence": (int, float),
    "quick": bool,
    "scenario": dict,
    "scenario_sha256": str,
    "seeds": list,
    "values": dict,
    "metrics": dict,
    "event_sha256": dict,
    "versions": dict,
    "stack": dict,
    "cost": dict,
    "sha256": str,
}
SHOWN = 16
Again = Callable[[scenario.Scenario, list[int], list[str]], Measured]


@dataclass
class Verdict:
    """What has been found: what is wrong, and what is worth knowing."""

    wrong: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def read(path: Path) -> dict[str, Any]:
    """A result file; LabError where it is none."""
    try:
        found = json.loads(path.read_text())
        toml.check_bounds(found)
    except OSError as e:
        raise LabError(f"{path}: {e.strerror}") from None
    except (ValueError, RecursionError) as e:
        raise LabError(f"{path}: no JSON: {e}") from None
    if not isinstance(found, dict):
        raise LabError(f"{path}: no result of wlab cell")
    for key, kind in SHAPE.items():
        if key not in found:
            raise LabError(f"{path}: '{key}' is missing; this is no result of wlab cell")
        if not isinstance(found[key], kind):
            raise LabError(f"{path}: {key}: {found[key]!r} is of the wrong kind")
    check_files(path, found.get("files", {}))
    check_lists(path, found)
    return found


def check_files(path: Path, found: object) -> None:
    """Names and digests; a digest is a file's name."""
    if not isinstance(found, dict):
        raise LabError(f"{path}: files: {found!r} is no table of names and digests")
    for name, digest in found.items():
        if not isinstance(digest, str) or not re.fullmatch(r"[0-9a-f]{64}(\+x)?", digest):
            raise LabError(f"{path}: files.{name}: {digest!r} is no digest")


def check_lists(path: Path, record: dict[str, Any]) -> None:
    """Each metric has a number for each seed."""
    seeds = record["seeds"]
    if not seeds or not all(isinstance(s, int) and not isinstance(s, bool) for s in seeds):
        raise LabError(f"{path}: seeds: {seeds!r} is no list of whole numbers")
    for name, values in record["values"].items():
        if name not in METRICS:
            raise LabError(f"{path}: values.{name}: no metric is called so")
        if not isinstance(values, list) or len(values) != len(seeds):
            raise LabError(f"{path}: values.{name}: not one number for each of {len(seeds)} seeds")
        for v in values:
            if not isinstance(v, int | float) or isinstance(v, bool):
                raise LabError(f"{path}: values.{name}: {v!r} is not a number")


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
    """What is not as the experiment has it today, and why that cannot be told."""
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
        got = again(sc, seeds or record["seeds"], list(record["values"]))
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
