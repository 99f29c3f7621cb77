# SPDX-License-Identifier: GPL-2.0
"""`wlab export`: every number of every run, as it is in the results."""

import csv
import importlib.util
import json
import subprocess
from pathlib import Path
from typing import Any

from kit import Skipped, equals, expect, refused
from report_kit import Sweep, accept, head
from wlablib.lib.paths import WLAB
from wlablib.report import export

TEXT = (
    head("mine", "aqm", ["goodput_kbit", "delay_s"])
    + accept(way=["a", "b"], size=[10])
    + '[[grid]]\ncells = [{ way = "a", size = 10 }, { way = "b" }]\n'
)
HASH = f"{1:064x}"


def sweep_of(where: Path) -> Sweep:
    sweep = Sweep(where, {"mine": TEXT})
    sweep.put({"way": "a", "size": 10}, goodput_kbit=[1 / 3, 1e-9], delay_s=[2.0, 3.5])
    return sweep


def exported(what: list[Path], to: Path, *more: str) -> tuple[list[dict[str, str]], str]:
    argv = [str(WLAB / "wlab"), "export", *map(str, what), "--to", str(to), *more]
    said = subprocess.run(argv, capture_output=True, text=True, check=True)
    equals("output", said.stdout, f"{to}\n")
    with to.open(newline="") as f:
        return list(csv.DictReader(f)), said.stderr


def check_csv(where: Path) -> None:
    """All digits, a row for each seed; an empty place where a cell has not the key."""
    sweep = sweep_of(where)
    table, notes = exported([where / "mine.toml"], where / "x.csv", "--out", str(sweep.out))
    columns = ["experiment", "way", "size", "seed", "goodput_kbit", "delay_s", "event_sha256"]
    equals("columns", list(table[0]), columns)
    equals("first", list(table[0].values()), ["mine", "a", "10", "1", "0.3333333333333333", "2.0", HASH])
    equals("rows", [(row["seed"], row["goodput_kbit"]) for row in table][1:], [("2", "1e-09")])
    equals("notes", notes, "export: mine: 1 of 2 cells have no result\n")
    sweep.put({"way": "b"}, goodput_kbit=[5.0, 6.0], delay_s=[7.0, 8.0])
    both, notes = exported([where / "mine.toml"], where / "y.csv", "--out", str(sweep.out))
    equals("both", ([row["size"] for row in both], notes), (["10", "10", "", ""], ""))
    equals("of the folder", exported([sweep.out], where / "z.csv"), (both, ""))


def check_run_folder(where: Path) -> None:
    """Flows of a run, or of several seeds."""
    (where / "runs.json").write_text("[]")
    for seed in (1, 2):
        flow: dict[str, Any] = {"kind": "tcp", "goodput_bps": 1.5, "delay": {"mean_ns": 7}, "list": [1]}
        result: dict[str, Any] = {"name": "demo", "seed": seed, "ended_s": 1.0, "links": {}}
        result["event_sha256"] = None
        (where / f"seed-{seed}").mkdir()
        text = json.dumps({**result, "flows": {"one": flow, "two": {"delay": None}}})
        (where / f"seed-{seed}" / "result.json").write_text(text)
        (where / f"seed-{seed}" / "events.tsv").touch()
    table, _ = exported([where], where / "x.csv")
    rows = [(row["seed"], row["flow"]) for row in table]
    equals("flows", rows, [("1", "one"), ("1", "two"), ("2", "one"), ("2", "two")])
    equals("delay", [row["delay.mean_ns"] for row in table], ["7", "", "7", ""])
    expect("list" not in table[0], "lists are no numbers")
    equals("of one", exported([where / "seed-2"], where / "y.csv")[0], table[2:])


def check_refused(where: Path) -> None:
    sweep = sweep_of(where)
    mine, none = str(where / "mine.toml"), where / "none"
    table, text = where / "x.csv", where / "x.txt"
    words = f"--to {text}: the name must end in one of .csv, .parquet, .pcapng, .sqlog, .json"
    refused(words, lambda: export.export([mine], sweep.out, text))
    refused("has no result.json", lambda: export.export([str(where)], sweep.out, table))
    argv = [str(WLAB / "wlab"), "export", "a", "b", "--to", str(where / "x.sqlog")]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    expect(done.returncode == 2 and "a .sqlog is of one result" in done.stderr, f"{done}")
    (none / "cells").mkdir(parents=True)
    refused(f"no run found in {none}", lambda: export.export([str(none)], sweep.out, table))
    record = {"experiment": "mine", "cell": {"seed": 1}, "values": {}}
    refused("'seed' is both a key of the cells and", lambda: list(export.cell_rows(record)))


def check_parquet() -> None:
    """Where pyarrow is there; else its name is said."""
    if not importlib.util.find_spec("pandas"):
        raise Skipped("no pandas; type: userspace/need papers")
    table: list[export.Row] = [{"way": "a", "size": 10, "x": 0.5}, {"way": False, "x": 1.5}]
    if importlib.util.find_spec("pyarrow"):
        expect(export.as_parquet(table)[:4] == b"PAR1", "that is no Parquet")
    else:
        refused("python3 -m pip install pyarrow", lambda: export.as_parquet(table))
