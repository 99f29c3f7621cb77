# SPDX-License-Identifier: GPL-2.0
"""`wlab verify`: runs a cell again and compares its result bit by bit."""

import copy
import json
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..analysis.interval import interval
from ..lib.faults import within
from ..lib.paths import LabError
from ..run import run
from ..scenario import scenario
from ..scenario.files import Digests, kept
from . import cells, experiment
from .cellrun import Measured, measure_seeds
from .results import read, signature

SHOWN = 16
# Of two floating point numbers, as a share.
SAME = 1e-7
Rerun = Callable[[list[run.Run], list[str]], Measured]


@dataclass
class Verdict:
    """The faults of a result, and notes."""

    wrong: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def same(one: object, other: object) -> bool:
    """Quantiles of scipy differ by version in their last digits."""
    return one == other or (
        isinstance(one, float) and isinstance(other, float) and math.isclose(one, other, rel_tol=SAME)
    )


def differences(in_file: object, found: object, where: str) -> Iterator[str]:
    """The differences of two trees, with both values."""
    if isinstance(in_file, dict) and isinstance(found, dict):
        for key in [*in_file, *(k for k in found if k not in in_file)]:
            yield from differences(in_file.get(key), found.get(key), f"{where}.{key}")
    elif isinstance(in_file, list) and isinstance(found, list) and len(in_file) == len(found):
        for i, (a, b) in enumerate(zip(in_file, found)):
            yield from differences(a, b, f"{where}.{i}")
    elif not same(in_file, found):
        yield f"{where}: {json.dumps(in_file)} in the file, {json.dumps(found)} "


def files_of(record: dict[str, Any]) -> Digests:
    """The files that the runs have read; older results do not name them."""
    files: Digests = record.get("files", {})
    return files


def contradictions(record: dict[str, Any]) -> list[str]:
    """Values that contradict other values of the file."""
    out = []
    for name, values in record["values"].items():
        computed = interval(values, record["confidence"])
        stored = record["metrics"].get(name)
        out += [d + "from the seeds' values" for d in differences(stored, computed, f"metrics.{name}")]
    for name in record["metrics"].keys() - record["values"].keys():
        out.append(f"metrics.{name}: it has no values")
    name = cells.cell_id(record["cell"])
    if record["id"] != name:
        out.append(f"id: '{record['id']}' in the file, '{name}' from its cell")
    if list(record["event_sha256"]) != [str(s) for s in record["seeds"]]:
        out.append("event_sha256: not of the seeds in the file")
    digest = cells.digest(record["scenario"], record.get("scenarios", {}), files_of(record))
    if record["scenario_sha256"] != digest:
        out.append(f"scenario: its digest is {digest[:SHOWN]}, not {record['scenario_sha256'][:SHOWN]}")
    return out


def planned(record: dict[str, Any]) -> tuple[list[str], list[str]]:
    """(differences from the experiment of today, why they cannot be found)."""
    if record["experiment"] not in experiment.names():
        return [], [f"there is no experiment '{record['experiment']}' any more"]
    try:
        cell = cells.find(experiment.load(record["experiment"]), record["id"], record["quick"])
    except LabError as e:
        return [], [f"not in the experiment any more: {e}"]
    plan: dict[str, Any] = {"scenarios": {}, **cell.as_json()}
    out = []
    stored = {"scenarios": {}, **record, "files": files_of(record)}
    keys = ("paper", "title", "cell", "items", "confidence", "seeds", "scenario", "scenarios", "files")
    for key in keys:
        out += [d + "in the experiment" for d in differences(stored[key], plan[key], key)]
    return out, []


def rerun_differences(record: dict[str, Any], measured: Measured) -> list[str]:
    """The differences of new runs from the file."""
    out = []
    index = {seed: i for i, seed in enumerate(record["seeds"])}
    for i, seed in enumerate(measured.seeds):
        stored, new = str(record["event_sha256"].get(str(seed))), measured.event_sha256[str(seed)]
        if stored != new:
            out.append(f"seed {seed}: event_sha256: {stored[:SHOWN]} in the file, {new[:SHOWN]} in the run")
        for name, values in measured.values.items():
            old = record["values"][name][index[seed]]
            if old != values[i]:
                out.append(f"seed {seed}: {name}: {old} in the file, {values[i]} in the run")
    return out


def environment_differences(record: dict[str, Any], measured: Measured) -> list[str]:
    """Differences of kernel, module, tc, programs and TCP settings."""
    now = measured.versions
    out = []
    named, have = (one.get("programs", {}) for one in (record["versions"], now))
    for program in named:
        if named[program] != have.get(program):
            out.append(f"another {program}: {named[program]} made the file, {have.get(program)} runs now")
    for key, what in (("kernel", "kernel"), ("module_sha256", "module"), ("tc", "tc")):
        then = str(record["versions"].get(key))
        if then != now[key]:
            out.append(f"another {what}: {then[:24]} made the file, {now[key][:24]} runs now")
    return out + [d + "in the run" for d in differences(record["stack"], measured.stack, "stack")]


def read_scenario(path: Path, record: dict[str, Any], seed: int) -> scenario.Scenario:
    """The result's scenario, with this seed where each has its own, with the copies of its files."""
    raw = record.get("scenarios", {}).get(str(seed), record["scenario"])
    with within(f"{path}: scenario: "):
        return scenario.read(copy.deepcopy(raw), kept(path, files_of(record)))


def verify(path: Path, seeds: list[int], measure: Rerun = measure_seeds) -> Verdict:
    """Check a file by itself, then by running its seeds, or those given, again."""
    record = read(path)
    for seed in seeds:
        if seed not in record["seeds"]:
            raise LabError(f"{path}: it has no seed {seed}; there are {record['seeds']}")
    out = Verdict(wrong=contradictions(record))
    plan, out.notes = planned(record)
    environment: list[str] = []
    unchanged = signature(record) == record["sha256"]
    if not out.wrong:
        # Nothing in the file contradicts the rest of it: only its runs can.
        runs = [(read_scenario(path, record, seed), seed) for seed in seeds or record["seeds"]]
        own_functions = record.get("functions", {})
        measured = measure(runs, [n for n in record["values"] if n not in own_functions])
        out.notes += [f"{name}: a function of one's own, which is not called again" for name in own_functions]
        environment = environment_differences(record, measured)
        out.wrong = rerun_differences(record, measured)
        if not out.wrong:
            out.notes.append(f"{len(measured.seeds)} seeds run again: the same events and values")
    if unchanged and out.wrong:
        # What explains other events goes before them.
        out.wrong = environment + out.wrong
        out.notes += plan
    elif unchanged:
        out.notes += environment + plan
    else:
        # What is neither measured nor follows from it is of the experiment or the machine.
        out.wrong = ["edited by hand: sha256 is not that of the rest", *(out.wrong or plan + environment)]
    return out
