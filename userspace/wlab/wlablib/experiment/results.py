# SPDX-License-Identifier: GPL-2.0
"""The result files of cells.

A sweep writes DIR/cells/EXPERIMENT/CELL.json for each cell. Kept results are one file for each
experiment, DIR/cells/EXPERIMENT.jsonl, with a line for each cell in the order of their ids. The
address of a result is its file, or FILE.jsonl#CELL.
"""

import hashlib
import json
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from ..analysis.metrics import METRICS, split_flow
from ..lib.faults import within
from ..lib.files import parse_json, read_bytes, write_file
from ..lib.paths import LabError
from ..lib.units import BadValue, near

LINES = ".jsonl"
# Keys that may differ between equal results.
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
    """The digest of a result without its cost and the commit of the sources."""
    signed = {k: v for k, v in result.items() if k not in UNSIGNED}
    signed["versions"] = {k: v for k, v in result["versions"].items() if k not in UNSIGNED_VERSIONS}
    text = json.dumps(signed, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def write_json(path: Path, data: object, mtime_ns: int = 0) -> None:
    """Write JSON with line breaks."""
    write_file(path, json.dumps(data, indent=1) + "\n", mtime_ns)


def keep(out: Path, experiment: str, results: list[Result]) -> None:
    """Replace the kept results of an experiment."""
    file = out / "cells" / f"{experiment}{LINES}"
    if results:
        ordered = sorted(results, key=lambda result: str(result["id"]))
        write_file(file, "".join(json.dumps(result, separators=(",", ":")) + "\n" for result in ordered))
    else:
        file.unlink(missing_ok=True)


def parse(path: Path, text: bytes, where: str = "") -> Result:
    """Parse a file or line into a result, not yet checked."""
    with within(f"{path}: {where}", BadValue):
        found = parse_json(text)
    if not isinstance(found, dict):
        raise LabError(f"{path}: {where}not a result of wlab cell")
    return found


def read_lines(path: Path) -> dict[Path, Result]:
    """The results of a .jsonl file by address, not yet checked."""
    out: dict[Path, Result] = {}
    for n, line in enumerate(read_bytes(path).splitlines(), 1):
        found = parse(path, line, f"line {n}: ")
        address = Path(f"{path}#{found.get('id')}")
        if address in out:
            raise LabError(f"{path}: line {n}: a second result of {found.get('id')}")
        out[address] = found
    return out


def addresses(path: Path) -> list[Path]:
    """The addresses of all results in a file."""
    return list(read_lines(path)) if path.suffix == LINES else [path]


def read(address: Path) -> Result:
    """Read and check the result at an address."""
    file, is_line, cell = str(address).partition(f"{LINES}#")
    if not is_line:
        return checked(address, parse(address, read_bytes(address)))
    by_address = read_lines(Path(f"{file}{LINES}"))
    if address not in by_address:
        names = [str(result["id"]) for result in by_address.values() if "id" in result]
        raise LabError(f"{file}{LINES}: no cell '{cell}'; {near(cell, names)}")
    return checked(address, by_address[address])


def checked(address: Path, found: Result) -> Result:
    """Check the form of a result, and return it."""
    for key, kind in SHAPE.items():
        if key not in found:
            raise LabError(f"{address}: '{key}' is missing; this is not a result of wlab cell")
        if not isinstance(found[key], kind):
            raise LabError(f"{address}: {key}: {found[key]!r} has the wrong type")
    for key in COST:
        if not isinstance(found["cost"].get(key), int | float):
            raise LabError(f"{address}: cost.{key}: {found['cost'].get(key, 'missing')!r} is not a number")
    for key in ("files", "functions"):
        check_files(address, key, found.get(key, {}))
    check_lists(address, found)
    return found


def check_files(address: Path, key: str, found: object) -> None:
    """Check names and digests of files; digests are names of copies."""
    if not isinstance(found, dict):
        raise LabError(f"{address}: {key}: {found!r} is not a table of names and digests")
    for name, digest in found.items():
        if not isinstance(digest, str) or not re.fullmatch(r"[0-9a-f]{64}(\+x)?", digest):
            raise LabError(f"{address}: {key}.{name}: {digest!r} is not a digest")


def check_lists(address: Path, result: Result) -> None:
    """Check that each metric has a number for each seed."""
    seeds = result["seeds"]
    if not seeds or not all(isinstance(s, int) and not isinstance(s, bool) for s in seeds):
        raise LabError(f"{address}: seeds: {seeds!r} is not a list of integers")
    for name, values in result["values"].items():
        if split_flow(name)[0] not in METRICS and name not in result.get("functions", {}):
            raise LabError(f"{address}: values.{name}: there is no such metric")
        if not isinstance(values, list) or len(values) != len(seeds):
            raise LabError(f"{address}: values.{name}: not one number for each of {len(seeds)} seeds")
        for v in values:
            if not isinstance(v, int | float) or isinstance(v, bool):
                raise LabError(f"{address}: values.{name}: {v!r} is not a number")


def every(out: Path, experiment: str) -> dict[str, tuple[Path, Result | LabError]]:
    """All results of an experiment, kept or of a sweep, by cell: (address, result or its fault)."""
    readers: dict[str, tuple[Path, Callable[[], Result]]] = {}
    file = out / "cells" / f"{experiment}{LINES}"
    if file.exists():
        for address, found in read_lines(file).items():
            readers[str(found.get("id"))] = address, partial(checked, address, found)
    for path in sorted((out / "cells" / experiment).glob("*.json")):
        readers[path.stem] = path, partial(read, path)
    results: dict[str, tuple[Path, Result | LabError]] = {}
    for cell, (address, get) in readers.items():
        try:
            results[cell] = address, get()
        except LabError as e:
            results[cell] = address, e
    return results
