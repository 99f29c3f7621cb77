# SPDX-License-Identifier: GPL-2.0
"""The wheel in a root that has Python and nothing else: no compiler, no ip, no tc, no user but one."""

import json
import os
import shutil
from functools import cache
from pathlib import Path

from lab import ROOT, Skipped, call, conserved, expect, write

BARE = ROOT / "build" / "vm" / "bare"
INSIDE = """mount --bind /proc "$1/proc" && mount --bind /dev "$1/dev" || exit
mount -t tmpfs none "$1/dev/shm" || exit
exec chroot --userspec=1000:1000 "$1" env -i PATH=/usr/bin:/bin HOME=/tmp PYTHONPATH=/opt/wlink sh -c "$2"
"""
TEXT = """duration = "2s"
[radio]
wlink = "rate 384kbit tti 10ms delay 25ms limit 40"
[[flow]]
name = "file"
kind = "tcp"
"""


def checked(argv: list[str]) -> str:
    done = call(argv)
    expect(done.returncode == 0, f"{' '.join(argv)}:\n{done.stdout}{done.stderr}")
    return done.stdout


@cache
def root() -> Path:
    """The root, with the wheel of these sources in it."""
    if os.getuid() or not shutil.which("mmdebstrap"):
        raise Skipped("a root needs root and mmdebstrap; type: userspace/need vm")
    if not (BARE / "usr").is_dir():
        fresh = BARE.with_name("bare.new")
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.parent.mkdir(parents=True, exist_ok=True)
        suite = Path("/etc/os-release").read_text().partition("VERSION_CODENAME=")[2].split()[0]
        checked(["mmdebstrap", "-q", "--variant=minbase", "--include=python3", suite, str(fresh)])
        fresh.rename(BARE)
    wheel = checked([str(ROOT / "userspace" / "wheel")]).split()[-1]
    target = BARE / "opt" / "wlink"
    shutil.rmtree(target, ignore_errors=True)
    pip = ["/usr/bin/python3", "-m", "pip", "install", "-q", "--no-deps", "--no-index", "--target"]
    checked([*pip, str(target), wheel])
    return BARE


def inside(script: str) -> str:
    """Run it in the root as an ordinary user; its output."""
    return checked(["unshare", "-m", "sh", "-c", INSIDE, "sh", str(root()), script])


def runs() -> str:
    """A flow passes a link, by the wheel's kernel, tc and programs."""
    shutil.copy(write("wheel", TEXT), root() / "tmp")
    run = "python3 -m wlablib.cli.main run wheel.toml --out wheel --force --json"
    theirs = json.loads(inside(f"cd /tmp && {run}"))
    expect(theirs["versions"]["tc"].startswith("tc utility"), f"its tc: {theirs['versions']}")
    conserved(theirs)
    expect(theirs["flows"]["file"]["bytes"] > 0, f"{theirs['flows']}")
    return str(theirs["event_sha256"])[:16]


def imports() -> str:
    said = inside("cd /tmp && python3 -c 'import wlab; print(wlab.__file__)'").strip()
    expect(said.startswith("/opt/wlink/"), f"it is {said}")
    return said


def source() -> str:
    """What GPL-2.0 wants beside the programs."""
    at = root() / "opt" / "wlink" / "wlablib"
    told = (at / "built" / "SOURCE").read_text()
    for name in ("linux ", "iproute2 ", "libmnl "):
        expect(name in told, f"SOURCE has no {name}")
    for part in ("COPYING", "userspace/wlab/lab.config", "userspace/wlab/patches", "userspace/wheel"):
        expect((at / "sources" / part).exists(), f"there is no {part}")
    return told.splitlines()[-1]


CASES = {"runs": runs, "imports": imports, "source": source}
