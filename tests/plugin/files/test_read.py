# SPDX-License-Identifier: GPL-2.0
"""Each command that reads a file, with files that never end, are too deep, or are none."""

import json
import os
import re
import shlex
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import wlablib
from harness import Checks
from kit import LAB, Place, arguments, called, endless

DEEP = 100_000
# Words of each command that reads: @ is the file, % a folder whose result.json it is.
WLAB: dict[Place, str] = {
    ("run", "scenario"): "run @ --out out",
    ("shell", "scenario"): "shell @",
    ("vm", "scenario"): "vm shell @",
    ("module", "file"): "module @",
    ("live", "scenario"): "live @ -- true",
    ("link", "trace"): "link --trace @ --out out -- true",
    ("show", "scenario"): "show @",
    ("channel", "file"): "channel @ --out out",
    ("cells", "experiment"): "cells @",
    ("cell", "experiment"): "cell @ x --out out",
    ("sweep", "experiment"): "sweep @ --out out --dry-run",
    ("report", "experiment"): "report @ --out out",
    ("claims", "set"): "claims --set @",
    ("export", "what"): "export @ --to out.csv",
    ("verify", "file"): "verify @",
    ("merge", "log"): "merge @ --out out",
    ("trace-dat", "raw"): "trace-dat @ out",
    ("sleep-plot", "file"): "sleep-plot @",
    ("plot", "result"): "plot %",
    ("why", "result"): "why %",
    ("web", "result"): "web %",
    ("compare", "result"): "compare % --out out",
}
# What it writes, or looks into; a style is read with read_text().
OTHER: set[Place] = {
    ("run", "out"), ("sleep-plot", "out"), ("demo", "out"), ("plot", "png"), ("channel", "out"),
    ("cell", "out"), ("merge", "out"), ("trace-dat", "out"), ("compare", "out"), ("report", "out"),
    ("report", "to"), ("export", "out"), ("export", "to"), ("claims", "dir"), ("show", "draw"),
    ("bench-cc", "out"), ("bench-cc", "to"),
    ("sweep", "out"), ("sweep", "others"), ("job", "dir"), ("web", "out"), ("link", "out"),
    ("plot", "style"), ("compare", "style"), ("report", "style"), ("why", "style"),
}  # fmt: skip
# By command, for each FILE, RAW or LOG of its words in `wlinkctl help`; < is standard input.
WLINKCTL = {
    "profile": ["profile check @", "profile load lo @"],
    "trace": ["trace check @", "trace import @", "trace export @ format csv", "trace play lo @"],
    "schedule": ["playtool schedule load lo @"],
    "web": ["web --replay @ out.html"],
    "record": ["record --from @ -"],
    "batch": ["batch @", "batch - <@"],
    "check": ["check - <@", "check qdisc rate 1mbit jitter_table @", "check qdisc rate 1mbit profile @"],
}
# Of these the words name what they write.
WRITTEN = {"web": 1, "metrics": 1, "record": 2}
# All that is needed of a result for the rest of it to be read.
RESULT = {"name": "x", "seed": 1, "ended_s": 1, "flows": {}, "links": {}, "event_sha256": None}
# Commands that read the other files of a result, too.
EXPORTS = ("export % --to out.csv", "export % --to out.sqlog")
RESULTS = ("plot %", "why %", "web %", "compare % --out out", *EXPORTS)
# Those that read standard input to its end before anything else.
INPUT = ("shell",)
# What reads a file at once, or by itself.
READS = re.compile(
    r"\.read_(?:text|bytes)\((?:errors[^)]*)?\)|\.open\(\"r|sys\.stdin\b|(?<![.\w])open\(0|(?<![.\w])read\(0"
)
# Modules that read what is their own or the kernel's; those that have a bound of their own.
OWN = (
    "cli/demo", "doctor/", "experiment/inputs", "experiment/sweep/sweep", "lab/", "lib/paths", "live/keeper",
    "live/live", "live/machine", "live/relay", "plan/", "report/trace", "run/proxies", "run/run",
    "web/replay", "web/server",
)  # fmt: skip
BOUNDED = (
    "lib/files", "analysis/resultfile", "analysis/tracedat", "run/place", "scenario/files", "trace/lines",
)  # fmt: skip


def text(path: Path, what: str) -> None:
    path.write_text(what)


def sparse(path: Path) -> None:
    path.touch()
    os.truncate(path, 1 << 40)


MAKE: dict[str, Callable[[Path], None]] = {
    "a device": lambda path: path.symlink_to("/dev/zero"),
    "noise": lambda path: path.symlink_to("/dev/urandom"),
    "a folder": Path.mkdir,
    "no file": lambda path: None,
    "a great file": sparse,
    "deep lists": lambda path: text(path, "[" * DEEP),
    "deep lists of TOML": lambda path: text(path, "a = " + "[" * DEEP + "]" * DEEP),
    "deep objects": lambda path: text(path, '{"a":' * DEEP + "1" + "}" * DEEP),
    "a long number": lambda path: text(path, '{"event": ' + "9" * 5000 + "}"),
    "no number": lambda path: text(path, json.dumps({**RESULT, "ended_s": float("nan")})),
    "no finite number": lambda path: text(path, json.dumps(RESULT)[:-1] + ', "x": [1e999]}'),
    "an object": lambda path: text(path, "{}"),
    "a list": lambda path: text(path, "[1]"),
    "a number": lambda path: text(path, "1"),
}
# What comes again and again.
ENDLESS = {"an endless line": b"x" * 65536, "endless lines": b"\n" * 65536, "comments": b"#c\n" * 20000}
# Of wlinkctl and wlab link these are one line of a trace, a profile or a batch that is not as bad as others.
FEW = ("an object", "a list", "a number")
# Lines that ask for nothing may go on as long as somebody writes them.
STREAMS, LINES = ("batch @", "batch - <@", "check - <@"), ("endless lines", "comments")


def commands() -> Iterator[str]:
    for words in WLAB.values():
        yield f"{LAB} {words}"
    for several in WLINKCTL.values():
        yield from (one if one.startswith("playtool") else f"wlinkctl {one}" for one in several)


@contextmanager
def bad(kind: str, path: Path) -> Iterator[None]:
    if kind in ENDLESS:
        with endless(path, ENDLESS[kind]):
            yield
    else:
        MAKE[kind](path)
        yield


@pytest.mark.parametrize("words", commands())
def check_refused(
    checks: Checks, words: str, build: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In bounded time and memory, by a sentence that names the file, and nothing is written."""
    for name, value in {"OUT": str(tmp_path / "told"), "FAIL": ""}.items():
        monkeypatch.setenv(f"PLAYTOOL_{name}", value)
    plays = " schedule " in words or " play " in words
    wlinkctl = build / ("tests/plugin/playtool" if plays else "bin/wlinkctl")
    monkeypatch.setenv("WLINKCTL", str(wlinkctl))
    for number, kind in enumerate((*MAKE, *ENDLESS)):
        if kind in FEW and ("--trace" in words or not words.startswith(LAB)):
            continue
        if kind in LINES and words.endswith(STREAMS):
            continue
        where = tmp_path / str(number)
        (where / "at").mkdir(parents=True)
        path = where / "at" / "result.json"
        argv, _, given = words.partition(" <")
        argv = argv.replace("@", str(path)).replace("%", str(path.parent))
        with bad(kind, path):
            if given and not path.exists() or given and path.is_dir():
                continue
            ended = called(shlex.split(argv), where, wlinkctl, path if given else Path(os.devnull))
        checks.true(f"{kind}: refused", ended.refused, ended)
        # A set is its folder, too; a batch has said which line of it is no command.
        named = bool(given) or str(path.parent) in ended.said or "line 1 failed" in ended.said
        checks.true(f"{kind}: named", named, ended.said[-300:])
        if "%" in words and kind in ("no number", "no finite number"):
            checks.true(f"{kind}: told so", "is no number" in ended.said, ended.said)
        left = {p.name for p in where.rglob("*") if p.is_file()} - {path.name, "said"}
        checks.equal(f"{kind}: nothing written", left, set())


def check_all(checks: Checks, build: Path) -> None:
    """A command that comes next has its words above."""
    files = re.compile(r"FILE|EXPERIMENT|DIR|RESULT|\.toml|FOLDER")
    found = arguments(lambda a: a.type is Path or bool(files.search(str(a.metavar))))
    checks.equal("wlab", found - {("job", "name_of_cell")}, WLAB.keys() | OTHER)
    done = subprocess.run([build / "bin/wlinkctl", "--json", "help"], capture_output=True, check=True)
    for one in json.loads(done.stdout):
        name, count = one["command"], len(re.findall(r"\b(?:FILE(?:\.html)?|RAW|LOG)\b", one["words"]))
        told = len([words for words in WLINKCTL.get(name, []) if "<" not in words]) + WRITTEN.get(name, 0)
        # Of check these are words of tc.
        checks.equal(name, count, 0 if name == "check" else told)


@pytest.mark.parametrize("words", RESULTS)
def check_events(checks: Checks, words: str, build: Path, tmp_path: Path) -> None:
    """A result whose log never ends."""
    (tmp_path / "result.json").write_text(json.dumps(RESULT))
    (tmp_path / "events.tsv").symlink_to("/dev/zero")
    ended = called([LAB, *words.replace("%", str(tmp_path)).split()], tmp_path, build / "bin/wlinkctl")
    checks.true("refused", ended.refused and "events.tsv is no regular file" in ended.said, ended)


@pytest.mark.parametrize("words", INPUT)
def check_input(checks: Checks, words: str, build: Path, tmp_path: Path) -> None:
    ended = called([LAB, *words.split()], tmp_path, build / "bin/wlinkctl", Path("/dev/zero"))
    checks.true("refused", ended.refused and "standard input: more than" in ended.said, ended)


def check_readers(checks: Checks) -> None:
    """Who reads a file that a user names does it by lib/files."""
    top = Path(wlablib.__file__).parent
    for path in sorted(top.rglob("*.py")):
        name = str(path.relative_to(top))
        found = [line.strip() for line in path.read_text().splitlines() if READS.search(line)]
        if not name.startswith(OWN + BOUNDED):
            checks.equal(name, found, [])
