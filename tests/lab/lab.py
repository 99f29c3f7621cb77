# SPDX-License-Identifier: GPL-2.0
"""What the cases share: calling wlab, reading its event log."""

import contextlib
import json
import os
import shutil
import socket
import subprocess
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
WLAB = ROOT / "userspace" / "wlab" / "wlab"
OUT = ROOT / "build" / "lab-check"
# A normal user: nobody, of nogroup.
USER = 65534


class Failed(Exception):
    """A case that is not as it must be."""


# A case that cannot be tried here.
Skipped = pytest.skip.Exception


def expect(true: bool, text: str) -> None:
    if not true:
        raise Failed(text)


@dataclass
class Called:
    """An ended command."""

    status: int
    out: str
    err: str


def call(argv: list[str], **options: Any) -> "subprocess.CompletedProcess[str]":
    """Run a command of the host; what it said."""
    usual: dict[str, Any] = {"capture_output": True, "text": True, "errors": "replace", "cwd": ROOT}
    return subprocess.run(argv, **usual | options, check=False)


def as_user() -> list[str]:
    """Words that make a command that of a normal user; Skipped where they cannot."""
    if os.getuid():
        raise Skipped("all of this runs as a normal user already")
    if not shutil.which("setpriv"):
        raise Skipped("no setpriv to become a normal user with")
    become = ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups"]
    if call([*become, "test", "-x", str(WLAB)]).returncode:
        raise Skipped("a normal user may not enter the folder of the sources")
    return become


def wlab(*args: str) -> Called:
    """Call wlab."""
    done = call([str(WLAB), *args])
    return Called(done.returncode, done.stdout, done.stderr)


@cache
def linux() -> tuple[str, tuple[int, ...], Path]:
    """The lab's kernel: its version, the first two numbers of that, and its program."""
    built = json.loads(wlab("build", "--json").out)
    version = built["version"]
    return version, tuple(map(int, version.split(".")[:2])), Path(built["kernel"])


@cache
def trouble_modules(name: str = "trouble", *options: str) -> Path:
    """The modules of trouble/, built for a lab kernel of these options in a folder of this name."""
    called = wlab("build", "--json", *options)
    expect(called.status == 0, called.err)
    tree = json.loads(called.out)["tree"]
    folder = OUT / name
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(HERE / "trouble", folder)
    done = call(["make", "-s", "-C", tree, "ARCH=um", f"M={folder}", "modules"])
    expect(done.returncode == 0, done.stdout + done.stderr)
    return folder


def write(name: str, text: str) -> Path:
    """A scenario file."""
    OUT.mkdir(parents=True, exist_ok=True)
    path = OUT / f"{name}.toml"
    path.write_text(f'name = "{name}"\n{text}')
    return path


def run(name: str, text: str, *args: str, out: str = "") -> tuple[dict[str, Any], Path]:
    """Run a scenario that must succeed; its result.json and folder."""
    folder = OUT / (out or name)
    shutil.rmtree(folder, ignore_errors=True)
    called = wlab("run", str(write(name, text)), "--out", str(folder), "--json", *args)
    expect(called.status == 0, f"wlab run failed:\n{called.err}")
    result = json.loads(called.out)
    for one in result if isinstance(result, list) else [result]:
        conserved(one)
    return result, folder


def container_program() -> Path:
    """The program that runs others as a container would."""
    program = OUT / "container"
    OUT.mkdir(parents=True, exist_ok=True)
    source = Path(__file__).parent / "host" / "container.c"
    argv = ["gcc", "-Wall", "-Wextra", "-D_GNU_SOURCE", "-o", f"{program}.{os.getpid()}", str(source)]
    done = call([*argv, "-lseccomp", "-lcap-ng"])
    expect(done.returncode == 0, done.stderr)
    return Path(f"{program}.{os.getpid()}").rename(program)


@contextlib.contextmanager
def echo() -> Iterator[int]:
    """A server of UDP on the host's loopback that sends back what comes; its port."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.bind(("127.0.0.1", 0))

        def answer() -> None:
            with contextlib.suppress(OSError):
                while True:
                    sock.sendto(*sock.recvfrom(65536))

        threading.Thread(target=answer, daemon=True).start()
        yield sock.getsockname()[1]


def conserved(result: dict[str, Any]) -> None:
    """in = delivered + dropped + held, in every run."""
    for name, link in result["links"].items():
        if link["kind"] != "wlink":
            continue
        x = link["xstats"]
        out = x["sdus_delivered"] + sum(x["drops"].values()) + x["sdus_held"]
        expect(
            x["sdus_in"] + x["sdus_duplicated"] == out,
            f"{name}: {x['sdus_in']} SDUs in, but {out} accounted for",
        )


@dataclass
class Sdu:
    """A line of events.tsv that starts with sdu; times in ns."""

    t: int
    link: str
    flow: str
    way: str
    bearer: int
    gen: int
    seq: int
    bytes: int
    pdus: int
    pdus_lost: int
    drop: str
    arrival: int
    start: int
    end: int
    deliver: int
    tcp_seq: int
    payload: int
    due: int
    whole: int
    retx: int
    buffer: int
    ecn: int


TEXTS = {1, 2, 3, 10}


def sdus(folder: Path, link: str = "radio.down") -> Iterator[Sdu]:
    """All SDUs of a link, in order of their end."""
    with (folder / "events.tsv").open() as f:
        for line in f:
            words = line.rstrip("\n").split("\t")
            if words[0] == "sdu" and words[2] == link:
                yield Sdu(*(w if i in TEXTS else int(w) for i, w in enumerate(words[1:])))  # type: ignore[arg-type]


def events(folder: Path, kind: str) -> Iterator[list[str]]:
    """Words of all events of a kind, without the kind."""
    with (folder / "events.tsv").open() as f:
        for line in f:
            if line.startswith(kind + "\t"):
                yield line.rstrip("\n").split("\t")[1:]
