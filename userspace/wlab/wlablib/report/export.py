# SPDX-License-Identifier: GPL-2.0
"""`wlab export`: a table with a row for each run of a sweep, or for each flow of a run."""

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..experiment import results
from ..lib.packages import package
from ..lib.paths import LabError
from ..run import resultfile
from . import report

Row = dict[str, Any]
KINDS = (".csv", ".parquet")


def cell_rows(record: results.Result) -> Iterator[Row]:
    """A row for each seed of a cell."""
    own = {"experiment", "seed", "event_sha256"} | record["values"].keys()
    if twice := sorted(own & record["cell"].keys()):
        raise LabError(f"{record['experiment']}: '{twice[0]}' is a key of the cells and a column of its own")
    for i, seed in enumerate(record["seeds"]):
        yield {
            "experiment": record["experiment"],
            **record["cell"],
            "seed": seed,
            **{name: values[i] for name, values in record["values"].items()},
            "event_sha256": record["event_sha256"][str(seed)],
        }


def flat(what: dict[str, Any], prefix: str = "") -> Row:
    """Of a table within it a column for each key, as in delay.mean_ns; lists are left out."""
    out: Row = {}
    for key, value in what.items():
        if isinstance(value, dict):
            out |= flat(value, f"{prefix}{key}.")
        elif not isinstance(value, list):
            out[f"{prefix}{key}"] = value
    return out


def flow_rows(folder: Path) -> Iterator[Row]:
    """A row for each flow of a result folder."""
    have = resultfile.result(folder)
    for name, flow in have["flows"].items():
        head = {"scenario": have["name"], "seed": have["seed"], "flow": name}
        yield {**head, **flat(flow), "event_sha256": have["event_sha256"]}


def folder_rows(folder: Path) -> list[Row]:
    """Of a sweep's folder, of what is kept of one, of a result folder or of one with several seeds."""
    if (folder / "cells").is_dir():
        files = sorted([*folder.glob("cells/*/*.json"), *folder.glob(f"cells/*{results.LINES}")])
        records = [results.read(one) for path in files for one in results.addresses(path)]
        return [row for record in records for row in cell_rows(record)]
    seeds = sorted(folder.glob("seed-*")) if (folder / "runs.json").exists() else [folder]
    return [row for one in seeds for row in flow_rows(one)]


def rows(what: list[str], out: Path) -> tuple[list[Row], list[str]]:
    """All there are, and what should be known of them; names that are no folder are experiments."""
    found: list[Row] = []
    notes: list[str] = []
    for one in what:
        if Path(one).is_dir():
            found += folder_rows(Path(one))
            continue
        study = report.load(out, None, [one])
        for slot in study.slots:
            if slot.record:
                found += cell_rows(slot.record)
        holes, name = study.holes(), ", ".join(exp.name for exp in study.experiments())
        notes += [f"{s.exp.name}: {s.id}: {s.trouble}" for s in holes if s.broken]
        if holes:
            notes.append(f"{name}: {len(holes)} of {len(study.slots)} cells have no result")
    if not found:
        raise LabError(f"there is no run in {', '.join(what)}")
    return found, notes


def as_csv(table: list[Row]) -> str:
    columns = list(dict.fromkeys(key for row in table for key in row))
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(table)
    return text.getvalue()


def as_parquet(table: list[Row]) -> bytes:
    """Columns of several types become texts, which is all that Parquet has for them."""
    frame = package("pandas", "frames").DataFrame(table)
    for name in frame.select_dtypes("object"):
        have = frame[name].notna()
        frame.loc[have, name] = frame.loc[have, name].map(str)
    try:
        return bytes(frame.to_parquet(None, index=False))
    except ImportError:
        raise LabError(
            "Parquet needs pyarrow, which is missing; type: python3 -m pip install pyarrow, or write a .csv"
        ) from None


def export(what: list[str], out: Path, to: Path) -> list[str]:
    """Write the table; what should be known of it."""
    if to.suffix not in KINDS:
        raise LabError(f"--to {to}: it ends neither in {' nor in '.join(KINDS)}")
    table, notes = rows(what, out)
    results.write_file(to, as_csv(table) if to.suffix == ".csv" else as_parquet(table))
    return notes
