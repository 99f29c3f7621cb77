# SPDX-License-Identifier: GPL-2.0
"""Runs a guest's script in the lab kernel or in the VM and keeps what it says."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

# What tests/bench says where the machine's archive lacks what it compiles; it is not measured there.
LACKS = re.compile(r"^bench: no source of .*", re.M)

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
OUT = ROOT / "build" / "timing"
FEED = OUT / "linefeed"
WLAB = ROOT / "userspace" / "wlab" / "wlab"
# Of the guests; the scripts that every one of them needs.
SHARED = ("guestkit.py", "ringtap.py")
VM_CPUS = 2
# Wall time; virtual time passes as fast as the machine lets it.
LAB_TIMEOUT_S = 7200
# How often the file of results is written while they come.
KEEP_S = 5.0


@dataclass
class Said:
    """What a guest has said, whole or as far as it came."""

    where: str
    results: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    whole: bool = False
    loads: list[float] = field(default_factory=list)
    wall_s: float = 0.0
    tail: list[str] = field(default_factory=list)

    def of(self, kind: str) -> list[dict[str, Any]]:
        return self.results.get(kind, [])


def stop(*_: object) -> None:
    raise KeyboardInterrupt


def prepare() -> None:
    """The feeder, static, for both guests; to be ended is to be interrupted."""
    signal.signal(signal.SIGTERM, stop)
    OUT.mkdir(parents=True, exist_ok=True)
    flags = "-O2 -static -Wall -Wextra -Wshadow -Werror".split()
    # Others may be running the one that is there.
    made = FEED.with_suffix(f".{os.getpid()}")
    subprocess.run(["gcc", *flags, "-o", str(made), str(HERE / "linefeed.c")], check=True)
    made.replace(FEED)


def follow(argv: list[str], said: Said, each: Callable[[Said], None]) -> None:
    """Take results from a command's output; an interrupt ends it and keeps them."""
    began = kept = time.monotonic()
    process = subprocess.Popen(
        argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, errors="replace", start_new_session=True,
    )  # fmt: skip
    assert process.stdout
    try:
        for line in process.stdout:
            kind, _, text = line.rstrip("\n").partition(" ")
            if kind == "RESULT":
                name, _, told = text.partition(" ")
                said.loads.append(os.getloadavg()[0])
                said.results.setdefault(name, []).append(json.loads(told))
                said.whole = said.whole or name == "end"
                said.wall_s = time.monotonic() - began
                if time.monotonic() - kept > KEEP_S:
                    each(said)
                    kept = time.monotonic()
            elif kind == "#":
                print(line, end="", flush=True)
            else:
                said.tail = [*said.tail[-30:], line]
        process.wait()
    except KeyboardInterrupt:
        print("# interrupted; what has been measured is kept, marked partial", file=sys.stderr)
        raise
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait()
        said.wall_s = time.monotonic() - began
        each(said)
    if not said.whole:
        print("".join(said.tail), file=sys.stderr)
        print(f"{argv[0]} ended with {process.returncode} before all was measured", file=sys.stderr)


def in_lab(
    script: Path, plan: dict[str, Any], said: Said, each: Callable[[Said], None], *words: str
) -> None:
    """In virtual time; words are more options of wlab exec."""
    path = OUT / f"{script.stem}-lab-{os.getpid()}.json"
    path.write_text(json.dumps({"feed": str(FEED), "cpus": 1, **plan}))
    argv = [str(WLAB), "exec", "--mem", "2048M", "--timeout", str(LAB_TIMEOUT_S), *words]
    argv += ["--", "/usr/bin/python3", "-EsB", str(script), str(path)]
    try:
        follow(argv, said, each)
    finally:
        path.unlink()


def in_vm(
    script: Path, plan: dict[str, Any], said: Said, each: Callable[[Said], None], *words: str
) -> None:
    """In real time, on Debian's own kernel; words are more of its command line."""
    name = f"{script.stem}-{os.getpid()}"
    folder = OUT / name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "plan.json").write_text(json.dumps({"feed": "/run/payload/linefeed", "cpus": VM_CPUS, **plan}))
    # On a machine with other work a boot may take minutes.
    seconds = 1200 + 2 * sum(phase["seconds"] + 15 for phase in plan["phases"])
    files = [script, *(HERE / one for one in SHARED), FEED, folder / "plan.json"]
    argv = [str(HERE / "vm_boot"), name, str(int(seconds)), " ".join(words), *map(str, files)]
    try:
        follow(argv, said, each)
    finally:
        subprocess.run(["rm", "-rf", str(folder)], check=False)


def rest(said: Said) -> dict[str, Any]:
    """What is kept of a boot beside its results."""
    loads = said.loads or [os.getloadavg()[0]]
    end = said.of("end")
    return {
        "where": said.where,
        "partial": not said.whole,
        "wall_s": round(said.wall_s, 1),
        "host_load": [round(min(loads), 2), round(max(loads), 2)],
        "host_cpus": os.cpu_count(),
        "kernel": end[-1]["uname"] if end else "",
    }


def write(path: Path, told: dict[str, Any]) -> None:
    """Whole or not at all."""
    beside = path.with_suffix(".new")
    beside.write_text(json.dumps(told, indent=1) + "\n")
    beside.replace(path)
