# SPDX-License-Identifier: GPL-2.0
"""`import wlab`: the examples of its documentation, its frames against the files, its errors."""

import contextlib
import doctest
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import cache, cached_property, partial
from pathlib import Path
from typing import Any

import wlab
from brief import brief
from lab import ROOT, call, expect

WLAB = ROOT / "userspace" / "wlab"
TEXT = brief("""name = "frames"
duration = "10s"
[wired] wlink = "rate 1mbit delay 100ms limit 1000"
[radio.down] wlink = "rate 384kbit tti 10ms delay 25ms pdu 40 limit 10 rb 4 sched rr background 1"
[radio.up] netem = "delay 20ms"
[[flow]] name = "none"; kind = "tcp"
[[flow]] name = "page"; kind = "web"
[[flow]] name = "call"; kind = "media"
[[at]] time = "5s"; run = "wlinkctl set {down} rate 128kbit"
""")
Frame = Any


@cache
def folder() -> "tempfile.TemporaryDirectory[str]":
    return tempfile.TemporaryDirectory(prefix="wlab-api.")


@contextlib.contextmanager
def there() -> Iterator[Path]:
    """The examples have their files where they run."""
    before = os.getcwd()
    os.chdir(folder().name)
    try:
        yield Path()
    finally:
        os.chdir(before)


@cache
def prepare() -> None:
    """What the examples find: a scenario and what an earlier run has left."""
    with there() as at:
        shutil.copy(WLAB / "scenarios" / "demo.toml", at)
        wlab.run(wlab.load("demo.toml", ["duration=60s"]), seed=3, out="first")


def example(test: doctest.DocTest) -> str:
    said: list[str] = []
    prepare()
    with there():
        count = doctest.DocTestRunner().run(test, out=said.append)
    expect(not count.failed, "".join(said))
    return f"{count.attempted} lines"


@cache
def result() -> wlab.Result:
    with there() as at:
        return wlab.run(wlab.parse(TEXT), out=at.resolve() / "frames")


def frame(found: Frame, path: Path, kind: str = "") -> int:
    """It has the words of the file, each in its place."""
    lines = [line.split("\t") for line in path.read_text().splitlines() if not line.startswith("#")]
    lines = [words[1:] if kind else words for words in lines if not kind or words[0] == kind]
    have = [[str(word) for word in row] for row in found.itertuples(index=False)]
    wide = len(found.columns)
    lines = [words + [""] * (wide - len(words)) for words in lines]
    expect(lines == have, f"{path} {kind} is not in the frame")
    return len(lines)


def check_frames() -> str:
    one = result()
    events = {kind: frame(found, one.folder / "events.tsv", kind) for kind, found in one.events.items()}
    expect(sum(events.values()) == one.summary["events"], f"events: {events}")
    expect(all(events[kind] for kind in ("sdu", "rate", "tcp")), f"events: {events}")
    files = {path.stem for path in (one.folder / "series").iterdir()}
    expect(files == set(one.series), f"series: {files} and {set(one.series)}")
    rows = sum(frame(found, one.folder / "series" / f"{name}.tsv") for name, found in one.series.items())
    kinds = {name.rpartition(".")[2] for name in files}
    wanted = {"cwnd", "rates", "seq", "e2e", "web", "buffer", "occupancy", "rate", "background"}
    expect(kinds == wanted, f"kinds: {kinds}")
    for found, key in (one.flows, "flows"), (one.links, "links"):
        expect(found.index.to_list() == list(one.summary[key]), f"{key}: {found.index}")
        for name, have in one.summary[key].items():
            mean = have["delay"]["mean_ns"] if have["delay"] else float("nan")
            expect(found.loc[name, "delay.mean_ns"] == mean or mean != mean, f"{name}: the delay")
    return f"{sum(events.values())} events, {rows} lines of series"


def check_numbers() -> str:
    """Columns of numbers are numbers, so that one can reckon with them."""
    sdu = result().events["sdu"]
    texts = {name for name, kind in sdu.dtypes.items() if kind.kind not in "iu"}
    expect(texts == {"link", "flow", "way", "drop"}, f"texts of an SDU: {texts}")
    one = result().flows
    expect(one["goodput_bps"].sum() > 0 and one["retransmissions"].dtype.kind in "if", "flows are no numbers")
    return f"{len(sdu)} SDUs"


def check_as_the_command() -> str:
    """One implementation: the same scenario, seed and folder give the same as the command."""
    path = Path(folder().name, "frames.toml")
    path.write_text(TEXT)
    argv = [str(WLAB / "wlab"), "run", str(path), "--out", f"{folder().name}/command"]
    done = call(argv)
    expect(done.returncode == 0, done.stderr)
    other = wlab.open(f"{folder().name}/command")
    expect(other.hash == result().hash, "the events are others")
    expect(done.stdout.startswith(str(other)), f"it is not told as the command tells it:\n{other}")
    return str(other.hash)[:16]


def check_sweep() -> str:
    if not shutil.which("snakemake"):
        import pytest

        pytest.skip("no snakemake; type: userspace/need papers")
    out = Path(folder().name, "sweep")
    got = wlab.sweep(ROOT / "tests/papers/experiments/tiny.toml", out, jobs=1)
    names = {path.stem: json.loads(path.read_text()) for path in (out / "cells/tiny").glob("*.json")}
    expect(len(got.cells) == len(names) == 2 and len(got.runs) == 4, f"{got.cells}\n{got.runs}")
    for buffer in (10, 40):
        said = names[f"buffer={buffer},flows=2"]
        row = got.cells.query(f"buffer == {buffer}").iloc[0]
        for name, metric in said["metrics"].items():
            expect(row[name] == metric["value"], f"{name}: {row[name]}")
            expect(row[f"{name}_half_width"] == metric["half_width"], f"{name}: its half width")
        runs = got.runs.query(f"buffer == {buffer}")
        expect(runs["delay_s"].to_list() == said["values"]["delay_s"], f"{runs}")
        expect(runs["event_sha256"].to_list() == list(said["event_sha256"].values()), f"{runs}")
    expect(len(wlab.Results(out).cells) == 2, "the cells are not there again")
    kept = wlab.Results(ROOT / "Documentation" / "results", "aqm-switch").cells
    expect(sorted(kept["aqm"]) == ["droptail", "red", "sbd", "sbd"], f"kept are {kept['aqm'].to_list()}")
    return f"{len(got.runs)} runs"


def refused(do: Callable[[], object], words: str) -> None:
    try:
        do()
    except wlab.LabError as e:
        expect(words in str(e), f"refused with: {e}")
        return
    expect(False, f"not refused: {words}")


def check_errors() -> None:
    at = Path(folder().name)
    refused(lambda: wlab.parse("name = "), "Invalid value")
    refused(lambda: wlab.parse(TEXT.replace("web", "wab")), "did you mean 'web'?")
    refused(lambda: wlab.open(at / "nothing"), "has no result.json")
    refused(lambda: wlab.schema("scenery"), "did you mean 'scenario'?")
    refused(lambda: wlab.Results(at / "nothing"), "has no cell")
    broken = at / "broken"
    shutil.copytree(result().folder, broken)
    with (broken / "events.tsv").open("a") as f:
        f.write("sdu\t1\n")
    refused(lambda: wlab.open(broken).events, "is truncated or changed")


def check_without_pandas() -> None:
    """It starts without it, runs, and says what is missing where it is needed."""
    code = (
        "import sys; sys.modules['pandas'] = None; import wlab\n"
        f"one = wlab.open({str(result().folder)!r}); print(one.hash)\n"
        "try: one.flows\nexcept wlab.LabError as e: print(e)"
    )
    env = {**os.environ, "PYTHONPATH": str(WLAB)}
    done = call([sys.executable, "-c", code], env=env)
    said = [result().hash, "pandas is missing; type: userspace/need frames"]
    expect(done.stdout.splitlines() == said, f"{done.stdout}{done.stderr}")


def check_notebook() -> str:
    """The example of Documentation/python.md, of at most 40 lines."""
    path = WLAB / "examples" / "aqm.py"
    lines = path.read_text().splitlines()
    expect(len(lines) <= 40, f"{len(lines)} lines")
    env = {**os.environ, "PYTHONPATH": str(WLAB), "MPLBACKEND": "Agg"}
    done = subprocess.run(
        ["/usr/bin/python3", str(path), "out"],
        cwd=folder().name,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    expect(done.returncode == 0, done.stderr)
    expect(Path(folder().name, "out/aqm.png").read_bytes()[:4] == b"\x89PNG", "no picture")
    rows = {words[0]: words[1:] for words in map(str.split, done.stdout.splitlines()[1:])}
    expect(list(rows) == ["drop-tail", "RED", "SBD"], done.stdout)
    delays = [float(words[1]) for words in rows.values()]
    expect(max(delays[1:]) < delays[0], f"no AQM keeps the delay low: {delays}")
    return f"{len(lines)} lines"


def examples() -> list[doctest.DocTest]:
    """Also those of cached properties, which Python 3.11 passes over."""
    finder, names = doctest.DocTestFinder(), {"wlab": wlab}
    found = finder.find(wlab, globs=names) + finder.find(wlab.schema, globs=names)
    for of in wlab.Result, wlab.Results:
        for name, one in vars(of).items():
            if isinstance(one, cached_property):
                found += finder.find(one.func, f"wlab.{of.__name__}.{name}", globs=names)
    return [test for test in found if test.examples]


CASES: dict[str, Callable[[], str | None]] = {
    **{f"example: {test.name}": partial(example, test) for test in examples()},
}
