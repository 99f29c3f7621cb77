# SPDX-License-Identifier: GPL-2.0
"""Metrics of one's own: what is refused, what they get, and what makes them others."""

from functools import partial
from pathlib import Path

from kit import equals, expect, refused, write
from own import TEXT
from wlablib.experiment import cells, functions, results
from wlablib.experiment.cellrun import Measured, record
from wlablib.experiment.sweep.plan import Task, from_plan
from wlablib.report import data as reportdata
from wlablib.report.words import metric_title

METRIC = '[[metric]]\nname = "longest_ms"\nfile = "mine.py"\ntext = "The longest of all."\n'
CODE = """from dataclasses import dataclass

@dataclass
class Both:
    seed: int
    words: str

def longest_ms(result, folder):
    have = Both(result["seed"], (folder / "events.tsv").read_text())
    return have.seed + len(have.words)

def text(result, folder): return "5"
def true(result, folder): return True
def nan(result, folder): return float("nan")
def broken(result, folder): return result["none"]
def no_file(result, folder): return open(folder / "none")
"""
# (what is replaced, by what, words of the error)
SLIPS = [
    ('"longest_ms"', '"longest"', "metric.0.name: {}/mine.py has no function 'longest'"),
    ('"longest_ms"', '"delay_s"', "metric.0.name: 'delay_s' is the name of a built-in metric"),
    ('"longest_ms"', '"a b"', "metric.0.name: 'a b' is not a name of small letters, digits and '_'"),
    ('"mine.py"', '"none.py"', "metric.0.file: {}/none.py: No such file or directory"),
    ('"mine.py"', '"../mine.py"', "metric.0.file: '../mine.py' is not the name of a file beside"),
    ('"mine.py"', '"bad.py"', "metric.0.file: {}/bad.py: invalid syntax"),
    ('file = "mine.py"\n', "", "metric.0.file is missing"),
    (METRIC, METRIC + METRIC, "metric.0.name: 'longest_ms' is defined twice"),
]


def prepared(where: Path) -> None:
    (where / "mine.py").write_text(CODE)
    (where / "bad.py").write_text("def longest_ms(:\n")


def check_slips(where: Path) -> str:
    prepared(where)
    for old, new, words in SLIPS:
        text = (TEXT + METRIC).replace(old, new)
        refused(words.format(where), partial(write, where, text))
    return f"{len(SLIPS)} files refused"


def check_what_they_get(where: Path) -> None:
    prepared(where)
    (where / "events.tsv").write_text("12345")

    def measure(name: str) -> dict[str, float]:
        found = functions.find(where, "mine.py", name)
        return functions.measure({name: found}, {"seed": 7}, where)

    equals("value", measure("longest_ms"), {"longest_ms": 12})
    refused("text: seed 7: it returned '5', not a number", lambda: measure("text"))
    refused("true: seed 7: it returned True", lambda: measure("true"))
    refused("nan: seed 7: it returned nan", lambda: measure("nan"))
    refused("broken: seed 7: line 15: KeyError: 'none'", lambda: measure("broken"))
    refused(f"no_file: seed 7: {where}/none: No such file", lambda: measure("no_file"))
    found = functions.find(where, "mine.py", "longest_ms")
    (where / "mine.py").write_text(CODE + "\n")
    functions.load.cache_clear()
    refused("changed since", lambda: functions.measure({"longest_ms": found}, {"seed": 7}, where))


def check_identity(where: Path) -> None:
    """Of a cell: what is in the file; of the experiments without one nothing is other than before."""
    prepared(where)
    plain = cells.expand(write(where, TEXT))[0]
    expect("functions" not in plain.summary(), "it has no function")
    exp = write(where, TEXT + METRIC)
    equals("metrics", exp.all_metrics(), ["goodput_kbit", "longest_ms"])
    equals("title", metric_title("longest_ms"), "longest (ms)")
    cell = cells.expand(exp)[0]
    digest = cell.summary()["functions"]["longest_ms"]
    task = Task(cell, where / "out")
    again = from_plan(task.plan, task.plan_path)
    equals("of a plan", again.functions_sha256(), {"longest_ms": digest})
    equals("its place", again.functions["longest_ms"].path, where / "out" / "files" / digest)
    got = Measured([1, 2], {"goodput_kbit": [1.0, 2.0], "longest_ms": [3.0, 5.0]}, {}, {}, {})
    got.event_sha256 = {"1": "0" * 64, "2": "1" * 64}
    path = where / "cells" / "some" / f"{cell.id}.json"
    results.write_json(path, record(again, got))
    slot = reportdata.load(where, [exp]).slots[0]
    equals("mean", (slot.value("longest_ms"), slot.trouble, slot.outdated()), (4.0, "", False))
    (where / "mine.py").write_text(CODE.replace("have.seed +", "have.seed -"))
    expect(reportdata.load(where, [exp]).slots[0].outdated(), "it is of another function")
    other = cells.expand(exp)[0].summary()["functions"]["longest_ms"]
    expect(other != digest, "another function has the same digest")
    bad: results.Result = {**record(again, got), "functions": {}}
    refused("values.longest_ms: there is no such metric", lambda: results.checked(path, bad))
    bad["functions"] = {"longest_ms": "../../x"}
    refused("functions.longest_ms: '../../x' is not a digest", lambda: results.checked(path, bad))
