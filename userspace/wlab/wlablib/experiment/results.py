# SPDX-License-Identifier: GPL-2.0
"""Results of cells in files.

A sweep has a file for each, DIR/cells/EXPERIMENT/CELL.json. Kept results are one file for an
experiment, DIR/cells/EXPERIMENT.jsonl, a line for each cell in the order of their names. The
address of a result is its file, or FILE.jsonl#CELL.
"""

import hashlib
import json
import os
import re
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from ..analysis.metrics import METRICS, split_flow
from ..lib import toml
from ..lib.paths import LabError
from ..lib.units import near

LINES = ".jsonl"
# What may differ although nothing that matters does.
UNSIGNED = ("cost", "sha256")
UNSIGNED_VERSIONS = ("wlink",)
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
COST = ("wall_s", "cpu_s", "virtual_s")

Result = dict[str, Any]


def signature(result: Result) -> str:
    """Digest of all a result says but its cost and the name of the sources' commit."""
    rest = {k: v for k, v in result.items() if k not in UNSIGNED}
    rest["versions"] = {k: v for k, v in result["versions"].items() if k not in UNSIGNED_VERSIONS}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def write_file(path: Path, data: str | bytes, when_ns: int = 0) -> None:
    """All of it or nothing: a file that was there stays until the new one is whole."""
    fresh = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".wlab.", delete=False) as f:
            fresh = Path(f.name)
            f.write(data.encode() if isinstance(data, str) else data)
            f.flush()
            os.fsync(f.fileno())
        fresh.chmod(0o644)
        if when_ns:
            os.utime(fresh, ns=(when_ns, when_ns))
        fresh.replace(path)
    except OSError as e:
        raise LabError(f"{path}: cannot be written: {e.strerror}") from None
    finally:
        if fresh:
            fresh.unlink(missing_ok=True)


def write_json(path: Path, what: object) -> None:
    """For people, too."""
    write_file(path, json.dumps(what, indent=1) + "\n")


def keep(out: Path, experiment: str, results: list[Result]) -> None:
    """All that are kept of an experiment, in place of those that were."""
    file = out / "cells" / f"{experiment}{LINES}"
    if results:
        ordered = sorted(results, key=lambda one: str(one["id"]))
        write_file(file, "".join(json.dumps(one, separators=(",", ":")) + "\n" for one in ordered))
    else:
        file.unlink(missing_ok=True)


def parse(path: Path, text: str, where: str = "") -> Result:
    """What a file or a line of it has, not judged yet."""
    try:
        found = json.loads(text)
        toml.check_bounds(found)
    except (ValueError, RecursionError) as e:
        raise LabError(f"{path}: {where}no JSON: {e}") from None
    if not isinstance(found, dict):
        raise LabError(f"{path}: {where}no result of wlab cell")
    return found


def read_text(path: Path) -> str:
    try:
        return path.read_text()
    except OSError as e:
        raise LabError(f"{path}: {e.strerror}") from None
    except ValueError as e:
        raise LabError(f"{path}: no text: {e}") from None


def read_lines(path: Path) -> dict[Path, Result]:
    """What a file of several results has, by address, not judged yet."""
    out: dict[Path, Result] = {}
    for n, line in enumerate(read_text(path).splitlines(), 1):
        found = parse(path, line, f"line {n}: ")
        address = Path(f"{path}#{found.get('id')}")
        if address in out:
            raise LabError(f"{path}: line {n}: another one of {found.get('id')}")
        out[address] = found
    return out


def addresses(said: Path) -> list[Path]:
    """Of one result; of all results of a file of several."""
    return list(read_lines(said)) if said.suffix == LINES else [said]


def read(address: Path) -> Result:
    """A result; LabError where it is none."""
    file, several, cell = str(address).partition(f"{LINES}#")
    if not several:
        return judged(address, parse(address, read_text(address)))
    have = read_lines(Path(f"{file}{LINES}"))
    if address not in have:
        names = [str(one["id"]) for one in have.values() if "id" in one]
        raise LabError(f"{file}{LINES}: no cell '{cell}'; {near(cell, names)}")
    return judged(address, have[address])


def judged(address: Path, found: Result) -> Result:
    """As it is; LabError where it has not the form of a result."""
    for key, kind in SHAPE.items():
        if key not in found:
            raise LabError(f"{address}: '{key}' is missing; this is no result of wlab cell")
        if not isinstance(found[key], kind):
            raise LabError(f"{address}: {key}: {found[key]!r} is of the wrong kind")
    for key in COST:
        if not isinstance(found["cost"].get(key), int | float):
            raise LabError(f"{address}: cost.{key}: {found['cost'].get(key, 'missing')!r} is no number")
    for key in ("files", "functions"):
        check_files(address, key, found.get(key, {}))
    check_lists(address, found)
    return found


def check_files(address: Path, key: str, found: object) -> None:
    """Names and digests; a digest is a file's name."""
    if not isinstance(found, dict):
        raise LabError(f"{address}: {key}: {found!r} is no table of names and digests")
    for name, digest in found.items():
        if not isinstance(digest, str) or not re.fullmatch(r"[0-9a-f]{64}(\+x)?", digest):
            raise LabError(f"{address}: {key}.{name}: {digest!r} is no digest")


def check_lists(address: Path, result: Result) -> None:
    """Each metric has a number for each seed."""
    seeds = result["seeds"]
    if not seeds or not all(isinstance(s, int) and not isinstance(s, bool) for s in seeds):
        raise LabError(f"{address}: seeds: {seeds!r} is no list of whole numbers")
    for name, values in result["values"].items():
        if split_flow(name)[0] not in METRICS and name not in result.get("functions", {}):
            raise LabError(f"{address}: values.{name}: no metric is called so")
        if not isinstance(values, list) or len(values) != len(seeds):
            raise LabError(f"{address}: values.{name}: not one number for each of {len(seeds)} seeds")
        for v in values:
            if not isinstance(v, int | float) or isinstance(v, bool):
                raise LabError(f"{address}: values.{name}: {v!r} is not a number")


def every(out: Path, experiment: str) -> dict[str, tuple[Path, Result | LabError]]:
    """All of an experiment, kept or of a sweep, by cell: the address, and the result or its fault."""
    ways: dict[str, tuple[Path, Callable[[], Result]]] = {}
    file = out / "cells" / f"{experiment}{LINES}"
    if file.exists():
        for address, found in read_lines(file).items():
            ways[str(found.get("id"))] = address, partial(judged, address, found)
    for path in sorted((out / "cells" / experiment).glob("*.json")):
        ways[path.stem] = path, partial(read, path)
    have: dict[str, tuple[Path, Result | LabError]] = {}
    for cell, (address, get) in ways.items():
        try:
            have[cell] = address, get()
        except LabError as e:
            have[cell] = address, e
    return have
