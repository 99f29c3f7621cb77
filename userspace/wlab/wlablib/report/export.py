# SPDX-License-Identifier: GPL-2.0
"""`wlab export`: a table with a row for each run of a sweep, or for each flow of a run."""

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..analysis import frames, resultfile
from ..analysis.exports.write import FORMATS
from ..experiment import results
from ..lib.files import write_file
from ..lib.packages import package
from ..lib.paths import LabError
from . import report

Row = dict[str, Any]
KINDS = (".csv", ".parquet")


def cell_rows(record: results.Result) -> Iterator[Row]:
    """A row for each seed of a cell."""
    columns = {"experiment", "seed", "event_sha256"} | record["values"].keys()
    if clashes := sorted(columns & record["cell"].keys()):
        raise LabError(
            f"{record['experiment']}: '{clashes[0]}' is both a key of the cells and another column"
        )
    yield from frames.run_rows(record)


def flat(data: dict[str, Any], prefix: str = "") -> Row:
    """Nested tables become columns such as delay.mean_ns; lists are left out."""
    out: Row = {}
    for key, value in data.items():
        if isinstance(value, dict):
            out |= flat(value, f"{prefix}{key}.")
        elif not isinstance(value, list):
            out[f"{prefix}{key}"] = value
    return out


def flow_rows(folder: Path) -> Iterator[Row]:
    """A row for each flow of a result folder, and for the programs of each user and direction."""
    result = resultfile.result(folder)
    for name, flow in frames.flow_figures(folder, result).items():
        head = {"scenario": result["name"], "seed": result["seed"], "flow": name}
        yield {**head, **flat(flow), "event_sha256": result["event_sha256"]}


def folder_rows(folder: Path) -> list[Row]:
    """The rows of a sweep's folder, of kept results, of a result folder or of one with several seeds."""
    if (folder / "cells").is_dir():
        files = sorted([*folder.glob("cells/*/*.json"), *folder.glob(f"cells/*{results.LINES}")])
        records = [results.read(path_) for path in files for path_ in results.addresses(path)]
        return [row for record in records for row in cell_rows(record)]
    return [row for path_ in resultfile.seed_folders(folder) for row in flow_rows(path_)]


def rows(names: list[str], out: Path) -> tuple[list[Row], list[str]]:
    """All rows, and notes; arguments that are not folders are experiments."""
    found: list[Row] = []
    notes: list[str] = []
    for name_ in names:
        if Path(name_).is_dir():
            found += folder_rows(Path(name_))
            continue
        study = report.load(out, None, [name_])
        for slot in study.slots:
            if slot.record:
                found += cell_rows(slot.record)
        holes, name = study.holes(), ", ".join(exp.name for exp in study.experiments())
        notes += [f"{s.exp.name}: {s.id}: {s.trouble}" for s in holes if s.broken]
        if holes:
            notes.append(f"{name}: {len(holes)} of {len(study.slots)} cells have no result")
    if not found:
        if any((Path(name_) / "result.json").exists() for name_ in names):
            raise LabError(f"{', '.join(names)}: no flow, and no packet with payload on a radio link")
        raise LabError(f"no run found in {', '.join(names)}")
    return found, notes


def as_csv(table: list[Row]) -> str:
    columns = list(dict.fromkeys(key for row in table for key in row))
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(table)
    return text.getvalue()


def as_parquet(table: list[Row]) -> bytes:
    """Columns of mixed types become strings, since Parquet has no others for them."""
    frame = package("pandas", "frames").DataFrame(table)
    for name in frame.select_dtypes("object"):
        present = frame[name].notna()
        frame.loc[present, name] = frame.loc[present, name].map(str)
    try:
        return bytes(frame.to_parquet(None, index=False))
    except ImportError:
        raise LabError(
            "Parquet needs pyarrow, which is missing; type: python3 -m pip install pyarrow, or write a .csv"
        ) from None


def export(names: list[str], out: Path, to: Path) -> tuple[int, list[str]]:
    """Write the table; returns the number of rows and notes."""
    if to.suffix not in KINDS:
        raise LabError(f"--to {to}: the name must end in one of {', '.join([*KINDS, *FORMATS])}")
    table, notes = rows(names, out)
    write_file(to, as_csv(table) if to.suffix == ".csv" else as_parquet(table))
    return len(table), notes
