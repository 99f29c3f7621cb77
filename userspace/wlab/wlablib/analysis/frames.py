# SPDX-License-Identifier: GPL-2.0
"""A result, and the cells of a sweep, as frames of pandas."""

import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..lib.files import read_large
from ..lib.packages import package
from ..lib.paths import LabError
from . import resultfile
from .traffic import Traffic, summary

if TYPE_CHECKING:
    # Debian's pandas has no types.
    from pandas import DataFrame  # type: ignore[import]

# The columns of series, by the last part of a file's name; wlab(1) lists them.
SERIES = {
    "cwnd": "t cwnd ssthresh srtt_us",
    "rates": "t pacing_bps delivery_bps",
    "seq": "t what seq payload reason",
    "e2e": "packet sent received",
    "rtt": "request sent answered",
    "web": "begin end objects request_bytes reply_bytes",
    "buffer": "t sdus bytes",
    "occupancy": "t bearer sdus",
    "rate": "t bps",
    "background": "t users airtime_ns",
}


def read(path: Path, lines: bytes, names: list[str]) -> "DataFrame":
    """Parse lines of tab-separated words; a missing word becomes ""."""
    pandas = package("pandas", "frames")
    if not lines:
        return pandas.DataFrame(columns=names)
    try:
        # "none" and "NA" are valid names.
        frame = pandas.read_csv(BytesIO(lines), sep="\t", names=names, keep_default_na=False, index_col=False)
    except ValueError as e:
        raise LabError(f"{path} is damaged, run the scenario again: {e}") from None
    return frame.fillna("") if frame.isna().any(axis=None) else frame


def events(folder: Path) -> "dict[str, DataFrame]":
    """The event log by kind of event, with the columns that its header names."""
    path = resultfile.events(folder)
    log = read_large(path)
    out = {}
    for kind, columns in re.findall(rb"^# (\w+)\t(.*)$", log, re.MULTILINE):
        lines = b"".join(re.findall(rb"^%s\t(.*\n)" % kind, log, re.MULTILINE))
        out[kind.decode()] = read(path, lines, columns.decode().split("\t"))
    return out


def series(folder: Path) -> "dict[str, DataFrame]":
    """Every file of series/, by its name without .tsv."""
    out, result = {}, resultfile.result(folder)
    have = {path.stem for path in (folder / "series").glob("*.tsv")} | {*result.get("series_sha256", {})}
    for name in sorted(have):
        path = resultfile.series(folder, result, name)
        out[name] = read(path, read_large(path), SERIES[name.rpartition(".")[2]].split())
    return out


def flow_figures(folder: Path, result: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The figures of each flow, and of the programs of each user and direction, in the same words."""
    out: dict[str, dict[str, Any]] = dict(result["flows"])
    # A log that ends early would lack programs, or have fewer of their packets.
    resultfile.events(folder)
    warm_ns = round(result.get("warmup_s", 0) * 1e9)
    for name, packets in Traffic(folder, result).programs.items():
        whole = {"whole": summary(packets)} if warm_ns else {}
        out[name] = {"kind": "program", **summary(packets, warm_ns), **whole}
    return out


def figures(by_name: dict[str, dict[str, Any]]) -> "DataFrame":
    """A row for each flow or link; nested tables become columns such as delay.mean_ns."""
    pandas = package("pandas", "frames")
    rows = [{k: v for k, v in item.items() if v is not None} for item in by_name.values()]
    return pandas.json_normalize(rows).set_axis(list(by_name), axis="index")


def cells(records: list[dict[str, Any]]) -> "DataFrame":
    """A row for each cell: its values, its metrics and half the widths of their intervals."""
    rows = []
    for record in records:
        row = {"experiment": record["experiment"], "seeds": len(record["seeds"]), **record["cell"]}
        for name, metric in record["metrics"].items():
            row |= {name: metric["value"], f"{name}_half_width": metric["half_width"]}
        rows.append(row)
    return package("pandas", "frames").DataFrame(rows)


def run_rows(record: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A row for each seed of a cell: the cell's values, the seed, its metrics."""
    for i, seed in enumerate(record["seeds"]):
        metrics = {name: values[i] for name, values in record["values"].items()}
        row = {"experiment": record["experiment"], **record["cell"], "seed": seed, **metrics}
        yield {**row, "event_sha256": record["event_sha256"][str(seed)]}


def runs(records: list[dict[str, Any]]) -> "DataFrame":
    """A row for each seed of each cell."""
    return package("pandas", "frames").DataFrame([row for record in records for row in run_rows(record)])
