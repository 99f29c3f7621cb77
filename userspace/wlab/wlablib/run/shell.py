# SPDX-License-Identifier: GPL-2.0
"""A shell in the lab or in a stock kernel's VM, alone or in a scenario's topology."""

import contextlib
import os
import sys
import termios
import time
import tty
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from ..lab import machine
from ..lab.boot import Clock, Job
from ..lib.files import read_input
from ..lib.paths import BUILD
from ..lib.scratch import scratch
from ..plan import plan
from ..scenario.scenario import Scenario
from . import needs, place

# The guest's clock stands still while a person thinks.
NO_TIMEOUT = 1e9


@contextlib.contextmanager
def raw_terminal() -> Iterator[None]:
    """Pass every key to the guest, if there is a terminal."""
    if not os.isatty(0):
        yield
        return
    before = termios.tcgetattr(0)
    tty.setraw(0)
    try:
        yield
    finally:
        termios.tcsetattr(0, termios.TCSADRAIN, before)


def write_to(fd: int, data: bytes) -> None:
    while data:
        data = data[os.write(fd, data) :]


def shell_env(folder: Path) -> dict[str, str]:
    """The environment of the shell: a prompt with the namespace, and the size of the terminal."""
    rc = folder / "bashrc"
    rc.write_text(
        "PS1='wlab:$(ip netns identify 2>/dev/null):\\w# '\n"
        "in_ns() { local ns=$1; shift; ip netns exec \"$ns\" \"${@:-bash}\"; }\n"
    )
    env = {"TERM": os.environ.get("TERM", "linux"), "BASH_ENV": str(plan.GUEST_DIR / "bashrc")}
    with contextlib.suppress(OSError):
        size = os.get_terminal_size()
        env |= {"COLUMNS": str(size.columns), "LINES": str(size.lines)}
    return env


def bash(folder: Path, terminal: bool) -> list[str]:
    """The shell's command line; input from a pipe or file becomes a script, whose end the guest sees."""
    if terminal:
        return ["bash", "--rcfile", str(plan.GUEST_DIR / "bashrc"), "-i"]
    (folder / "script").write_bytes(read_input())
    return ["bash", str(plan.GUEST_DIR / "script")]


def shell(sc: Scenario | None, on: str, mem: str = "") -> int:
    """A shell in the lab, in its kernel in real time ("live") or in a VM; returns its exit status."""
    scenarios = [sc] if sc else []
    vm = on == "vm"
    if vm:
        place.check(on, scenarios, False, mem)
    else:
        machine.require(own=True)
    ready = place.prepare(on, scenarios, mem=mem)
    if vm:
        print(f"wlab: booting Linux {ready.kernel} in QEMU", file=sys.stderr)
    terminal = os.isatty(0)
    with scratch() as folder, raw_terminal():
        argv = bash(folder, terminal)
        if sc:
            plan.write_hold(sc, folder, " ".join(argv), real=vm)
            argv = ["wlab-guest", str(plan.GUEST_DIR / "plan")]
        job = Job(
            argv,
            reno_1990=needs.reno_1990(scenarios),
            controls=plan.own_controls(scenarios),
            # Of a VM; the lab's place has its own.
            real_time=True,
            timeout=NO_TIMEOUT,
            cwd="/" if vm else os.getcwd(),
            env=shell_env(folder),
            clock=sc.clock if sc else Clock(),
            # Not with a scenario, which may be from others.
            writable=[] if sc or vm else [BUILD],
            terminal=terminal,
        )
        return ready.boot(folder, job, partial(write_to, 1), partial(write_to, 2), time.monotonic).status
