# SPDX-License-Identifier: GPL-2.0
"""A cell of an experiment, run and verified in the lab; tests/papers has all that needs no boot."""

import json
import shutil
from pathlib import Path
from typing import Any

from lab import OUT, ROOT, expect, wlab

TINY = ROOT / "tests" / "papers" / "experiments" / "tiny.toml"
CELL = "buffer=10,flows=2"


def cell(folder: Path, experiment: Path = TINY) -> tuple[Path, str]:
    """Run the cell; its file, and what was said."""
    path = folder / "cell.json"
    called = wlab("cell", str(experiment), CELL, "--out", str(path))
    return path, "" if called.status == 0 else called.err


def fresh(name: str) -> Path:
    folder = OUT / f"cells-{name}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def check_run_and_verified() -> str:
    """Against the runs, against one by wlab run, and with a digest changed."""
    folder = fresh("verified")
    path, error = cell(folder)
    expect(not error, f"wlab cell failed:\n{error}")
    one: dict[str, Any] = json.loads(path.read_text())
    expect(list(one["event_sha256"]) == ["1", "2"], "not of two seeds")
    expect([p.name for p in folder.iterdir()] == ["cell.json"], "more than the file is left")
    for part in ("wall_s", "cpu_s", "virtual_s"):
        expect(one["cost"][part] > 0, f"no cost: {part}")
    again = wlab("verify", str(path), "--seed", "2")
    expect(again.status == 0, f"verify failed:\n{again.err}")
    expect("1 seeds run again: the same events and values" in again.out, again.out)

    scenario = str(TINY.parent / "scenarios" / "tiny.toml")
    args = ["--set", "radio.down.wlink.limit=10", "--set", "flow.file.count=2", "--json"]
    alone = wlab("run", scenario, *args, "--out", str(folder / "run"))
    expect(alone.status == 0, f"wlab run failed:\n{alone.err}")
    result = json.loads(alone.out)
    expect(result["event_sha256"] == one["event_sha256"]["1"], "wlab run has other events than the cell")
    goodput = sum(f["goodput_bps"] for f in result["flows"].values()) / 1e3
    expect(abs(one["values"]["goodput_kbit"][0] - goodput) < 1e-9, "wlab run has another goodput")

    one["event_sha256"]["2"] = "0" * 64
    path.write_text(json.dumps(one))
    edited = wlab("verify", str(path), "--seed", "2")
    expect(edited.status == 1, "an edited file is verified")
    for words in ("edited by hand", "seed 2: event_sha256: 0000000000000000 in the file"):
        expect(words in edited.err, edited.err)
    return "two seeds, the same again and alone, an edited digest found"


def check_one_that_fails() -> str:
    """tc refuses the scenario, which only a boot shows."""
    folder = fresh("fails")
    shutil.copytree(TINY.parent, folder / "experiments")
    base = folder / "experiments" / "scenarios" / "tiny.toml"
    base.write_text(base.read_text().replace('wlink = "rate 1mbit', 'netem = "nonsense rate 1mbit'))
    path, error = cell(folder, folder / "experiments" / "tiny.toml")
    expect(f"tiny {CELL}: " in error and "nonsense" in error, f"wlab cell says:\n{error}")
    expect(not path.exists(), "a file is there")
    return "the cell and the reason are named, no file is left"


def check_metrics_of_its_own() -> str:
    """An experiment's own functions read the folder of a run as others do."""
    folder = fresh("own")
    shutil.copytree(TINY.parent, folder / "experiments")
    experiment = folder / "experiments" / "tiny.toml"
    counts = '[[metric]]\nfile = "own.py"\nname = "lines"\ntext = "Lines of the event log"\n'
    experiment.write_text(experiment.read_text() + counts)
    counted = 'def lines(result, folder):\n    return len((folder / "events.tsv").read_text().splitlines())\n'
    (folder / "experiments" / "own.py").write_text(counted)
    path, error = cell(folder, experiment)
    expect(not error, f"wlab cell failed:\n{error}")
    have = json.loads(path.read_text())["values"]["lines"]
    expect(min(have) > 100, str(have))
    return f"{have} lines"
