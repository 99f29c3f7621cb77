# SPDX-License-Identifier: GPL-2.0
"""What commands write over: only regular files, whole or not at all; and folders only of their own."""

import json
import os
import re
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
import wlablib
from harness import Checks
from kit import LAB, called
from wlablib.lib.files import replacing, write_file
from wlablib.lib.paths import LabError

SCENARIO = """name = "x"
duration = "1s"
[radio]
wlink = "rate 1mbit"
[[flow]]
name = "file"
kind = "tcp"
"""
CLOCK = {"mono_ns": 1, "tai_ns": 1, "uncertainty_ns": 1, "tai_utc_s": 37, "synchronised": False}
SDU = {
    "event": "wlink_sdu", "ts_ns": 60, "dev": "d0", "handle": "1:", "bearer": 1, "bytes": 1000,
    "drop": "none", "arrival_ns": 0,
    "start_ns": 20, "end_ns": 28, "due_ns": 38, "whole_ns": 38, "deliver_ns": 58,
}  # fmt: skip
# @ is what is written.
FILES = (f"{LAB} show x.toml --draw @", f"{LAB} merge log --out @", "wlinkctl web --replay log @")
FOLDERS = (
    f"{LAB} run x.toml --out @",
    f"{LAB} channel --set duration=1s --out @",
    f"{LAB} sweep cell-ping --out @ --dry-run",
)
# Modules whose files are in a folder that is theirs alone: scratch, a new result, a build.
OWN = ("analysis/capacities", "analysis/recorded", "experiment/channels", "experiment/sweep/sweep", "lab/",
       "lib/files", "lib/progress", "live/", "plan/", "run/")
WRITES = re.compile(
    r"\.write_(?:text|bytes)\(|\bopen\((?!1,)[^)]*[\"'][wax]b?\+?[\"']|NamedTemporaryFile|\.to_(?:csv|parquet)\([^Ni)]"
    r"|\.savefig\((?!buffer|f,)|os\.replace\(|\.rename\("
)


def device(path: Path) -> None:
    """That of /dev/full, where this user may make one."""
    try:
        os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, 7))
    except PermissionError:
        os.mkfifo(path)


def linked(path: Path) -> None:
    """Never the machine's own: a command that is broken would replace it."""
    device(path.with_name("device"))
    path.symlink_to("device")


def folder(path: Path) -> None:
    path.mkdir()
    (path / "kept").touch()


def led(path: Path) -> None:
    folder(path.with_name(f"{path.name}.real"))
    path.symlink_to(f"{path.name}.real")


def touch(path: Path) -> None:
    path.touch()


BAD: dict[str, Callable[[Path], None]] = {
    "a device": device,
    "a link to a device": linked,
    "a pipe": os.mkfifo,
    "a folder": folder,
    "a link to a folder": led,
    "a link that leads to itself": lambda path: path.symlink_to(path.name),
}


def state(path: Path) -> object:
    st = path.lstat()
    link = os.readlink(path) if path.is_symlink() else ""
    # What a link leads to, too.
    real = os.lstat(os.path.realpath(path))
    inside = sorted(os.listdir(path)) if path.is_dir() else []
    return st.st_ino, st.st_mode, link, real.st_ino, real.st_mode, inside


@pytest.mark.parametrize("words", FILES)
def check_files(checks: Checks, words: str, build: Path, tmp_path: Path) -> None:
    for number, (kind, make) in enumerate(BAD.items()):
        where = tmp_path / str(number)
        where.mkdir()
        (where / "x.toml").write_text(SCENARIO)
        lines = [{"clock": CLOCK}, SDU, {"lost": 0}]
        (where / "log").write_text("".join(json.dumps(line) + "\n" for line in lines))
        good, bad = where / "good.dot", where / "bad.dot"
        ended = called(words.replace("@", str(good)).split(), where, build / "bin/wlinkctl")
        if "dygraphs is not installed" in ended.said:
            checks.skip("no libjs-dygraphs")
        checks.true(f"{words}: written", ended.code == 0 and good.stat().st_size > 9, ended)
        make(bad)
        before, beside = state(bad), set(os.listdir(where))
        ended = called(words.replace("@", str(bad)).split(), where, build / "bin/wlinkctl")
        checks.true(f"{kind}: refused and named", ended.refused and str(bad) in ended.said, ended)
        checks.equal(f"{kind}: as before", state(bad), before)
        checks.equal(f"{kind}: nothing beside it", set(os.listdir(where)), beside)


@pytest.mark.parametrize("words", FOLDERS)
def check_folders(checks: Checks, words: str, build: Path, tmp_path: Path) -> None:
    """Somebody else's, and what is no folder."""
    (tmp_path / "x.toml").write_text(SCENARIO)
    for kind, make in {**BAD, "a file": touch}.items():
        path = tmp_path / kind
        make(path)
        before = state(path)
        argv = [one.replace("@", str(path)) for one in words.split()]
        ended = called(argv, tmp_path, build / "bin/wlinkctl")
        checks.true(f"{kind}: refused and named", ended.refused and str(path) in ended.said, ended)
        checks.equal(f"{kind}: as before", state(path), before)


def check_replacing(checks: Checks, tmp_path: Path) -> None:
    path, link = tmp_path / "file", tmp_path / "link"
    link.symlink_to(path)
    was = os.umask(0o027)
    try:
        write_file(link, "one")
    finally:
        os.umask(was)
    checks.equal("a link stays one", (link.is_symlink(), path.read_text()), (True, "one"))
    checks.equal("mode of a new one", stat.S_IMODE(path.stat().st_mode), 0o640)
    path.chmod(0o600)
    write_file(path, "one")
    checks.equal("mode of an old one", stat.S_IMODE(path.stat().st_mode), 0o600)
    try:
        with replacing(path) as f:
            f.write(b"two")
            raise KeyboardInterrupt
    except KeyboardInterrupt:
        pass
    checks.equal("what was there stays", (path.read_text(), len(os.listdir(tmp_path))), ("one", 2))
    try:
        with replacing(tmp_path / "no/such"):
            checks.true("refused", False)
    except LabError as error:
        checks.true("named", str(tmp_path / "no/such") in str(error), error)


def check_writers(checks: Checks) -> None:
    """Who writes a file that a user names does it by replacing()."""
    top = Path(wlablib.__file__).parent
    for path in sorted(top.rglob("*.py")):
        name = str(path.relative_to(top))
        found = [line.strip() for line in path.read_text().splitlines() if WRITES.search(line)]
        if not name.startswith(OWN):
            checks.equal(name, found, [])
