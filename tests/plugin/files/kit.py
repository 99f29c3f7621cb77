# SPDX-License-Identifier: GPL-2.0
"""Commands of wlab and wlinkctl, each in a process of its own with bounded memory."""

import argparse
import os
import resource
import signal
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from wlablib.cli import main
from wlablib.metrics import command as metrics
from wlablib.trace import command as trace
from wlablib.web import command as web

# More than the greatest file that is read at once, and what is made of it.
MEMORY = 2 << 30
# Only a hang takes as long.
HANGS_S = 600
LAB = "wlab"
# Programs in Python that wlinkctl starts.
PROGRAMS = {"metrics": metrics.main, "trace": trace.main, "web": web.main}


@dataclass
class Ended:
    code: int
    said: str

    @property
    def refused(self) -> bool:
        """By a sentence, not by the interpreter's or the kernel's word."""
        plain = "Traceback" not in self.said and "MemoryError" not in self.said
        return self.code in (1, 2) and plain and bool(self.said.strip())


def program(words: list[str]) -> int:
    """In this process, as the command itself would."""
    if words[0] == LAB:
        sys.argv = words
        return main.main()
    from wlablib.lib.beside import Stop

    try:
        return PROGRAMS[words[1]](words[2:])
    except Stop as stop:
        return stop.complain()


def limited() -> None:
    signal.alarm(HANGS_S)
    # Programs of tests have a sanitizer, which needs the whole address space.
    if "tests" in os.environ.get("WLINKCTL", ""):
        return
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * resource.getpagesize() + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def forked(words: list[str], where: Path, given: Path) -> int:
    """A process with all modules in it."""
    pid = os.fork()
    if pid:
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    code = 99
    try:
        os.chdir(where)
        os.dup2(os.open("said", os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 2)
        os.dup2(os.open(given, os.O_RDONLY), 0)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        sys.stdout, sys.stderr = os.fdopen(1, "w", closefd=False), os.fdopen(2, "w", closefd=False)
        sys.stdin = os.fdopen(0, closefd=False)
        limited()
        code = program(words)
    except SystemExit as stop:
        code = stop.code if isinstance(stop.code, int) else 1
    except BaseException:
        traceback.print_exc()
    finally:
        with suppress(OSError):
            sys.stderr.flush()
        os._exit(code)


def called(words: list[str], where: Path, wlinkctl: Path, standard_input: Path = Path(os.devnull)) -> Ended:
    """Run it in a folder."""
    if words[0] == LAB or words[1] in PROGRAMS:
        code = forked(words, where, standard_input)
        return Ended(code, (where / "said").read_text(errors="replace"))
    with standard_input.open("rb") as given:
        done = subprocess.run(
            [wlinkctl, *words[1:]], cwd=where, stdin=given, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            check=False, preexec_fn=limited,
        )  # fmt: skip
    return Ended(done.returncode, done.stderr.decode(errors="replace"))


@contextmanager
def endless(path: Path, what: bytes) -> Iterator[None]:
    """A pipe in which it comes again and again, for each who opens it."""
    os.mkfifo(path)
    pid = os.fork()
    if not pid:
        signal.signal(signal.SIGPIPE, signal.SIG_IGN)
        # Where nobody ends it.
        signal.alarm(2 * HANGS_S)
        while True:
            with suppress(BrokenPipeError):
                try:
                    pipe = os.open(path, os.O_WRONLY)
                except OSError:
                    # Who reads it has taken it away.
                    os._exit(1)
                try:
                    while True:
                        os.write(pipe, what)
                finally:
                    os.close(pipe)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


Place = tuple[str, str]


def arguments(wanted: Callable[[argparse.Action], bool]) -> set[Place]:
    """Command and name of all arguments of wlab that are so."""
    parser = main.parser()
    sub = next(a for a in parser._actions if isinstance(a, argparse._SubParsersAction))
    return {(name, a.dest) for name, p in sub.choices.items() for a in p._actions if wanted(a)}


__all__ = ["LAB", "Ended", "Place", "arguments", "called", "endless"]
