# SPDX-License-Identifier: GPL-2.0
"""A result and the cells of a sweep as frames of pandas."""

import re
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..lib.packages import package
from ..lib.paths import LabError
from ..run import resultfile

if TYPE_CHECKING:
    # Debian's pandas has no types.
    from pandas import DataFrame  # type: ignore[import]

# By the last word of a file's name; wlab(1) lists them.
SERIES = {
    "cwnd": "t cwnd ssthresh srtt_us",
    "seq": "t what seq payload reason",
    "e2e": "packet sent received",
    "web": "begin end objects request_bytes reply_bytes",
    "buffer": "t sdus bytes",
    "occupancy": "t bearer sdus",
    "rate": "t bps",
}


def read(path: Path, lines: bytes, names: list[str]) -> "DataFrame":
    """Lines of words with tabs between them; a word that a line has not is ""."""
    pandas = package("pandas", "frames")
    if not lines:
        return pandas.DataFrame(columns=names)
    try:
        # "none" and "NA" may be names.
        have = pandas.read_csv(BytesIO(lines), sep="\t", names=names, keep_default_na=False, index_col=False)
    except ValueError as e:
        raise LabError(f"{path} is broken, run it again: {e}") from None
    return have.fillna("") if have.isna().any(axis=None) else have


def events(folder: Path) -> "dict[str, DataFrame]":
    """The event log by kind of event, with the columns that its first lines name."""
    path = resultfile.events(folder)
    log = path.read_bytes()
    out = {}
    for kind, columns in re.findall(rb"^# (\w+)\t(.*)$", log, re.MULTILINE):
        lines = b"".join(re.findall(rb"^%s\t(.*\n)" % kind, log, re.MULTILINE))
        out[kind.decode()] = read(path, lines, columns.decode().split("\t"))
    return out


def series(folder: Path) -> "dict[str, DataFrame]":
    """Every file of series/ by its name without .tsv."""
    out = {}
    for path in sorted((folder / "series").glob("*.tsv")):
        names = SERIES[path.stem.rpartition(".")[2]].split()
        out[path.stem] = read(path, path.read_bytes(), names)
    return out


def figures(of: dict[str, dict[str, Any]]) -> "DataFrame":
    """A row for each flow or link; of a table within it a column for each key, as in delay.mean_ns."""
    pandas = package("pandas", "frames")
    rows = [{k: v for k, v in one.items() if v is not None} for one in of.values()]
    return pandas.json_normalize(rows).set_axis(list(of), axis="index")


def cells(records: list[dict[str, Any]]) -> "DataFrame":
    """A row for each cell: its values, its metrics and the half widths of their intervals."""
    rows = []
    for one in records:
        row = {"experiment": one["experiment"], "seeds": len(one["seeds"]), **one["cell"]}
        for name, metric in one["metrics"].items():
            row |= {name: metric["value"], f"{name}_half_width": metric["half_width"]}
        rows.append(row)
    return package("pandas", "frames").DataFrame(rows)


def runs(records: list[dict[str, Any]]) -> "DataFrame":
    """A row for each seed of each cell: its values and its metrics."""
    rows = []
    for one in records:
        for i, seed in enumerate(one["seeds"]):
            row = {"experiment": one["experiment"], "seed": seed, **one["cell"]}
            row |= {name: values[i] for name, values in one["values"].items()}
            rows.append({**row, "event_sha256": one["event_sha256"][str(seed)]})
    return package("pandas", "frames").DataFrame(rows)
