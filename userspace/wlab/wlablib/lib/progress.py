# SPDX-License-Identifier: GPL-2.0
"""Progress lines on standard error, and commands that report progress."""

import errno
import os
import selectors
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from .paths import LabError

TAIL_LINES = 25


class Progress:
    """One line that is rewritten on a terminal; elsewhere a line every two seconds at most."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.live = sys.stderr.isatty()
        self.begin = time.monotonic()
        self.last = 0.0

    def tick(self, text: str, always: bool = False) -> None:
        now = time.monotonic()
        if not always and now - self.last < (0.1 if self.live else 2.0):
            return
        self.last = now
        line = f"{self.title}: {text} ({now - self.begin:.0f} s)"
        if self.live:
            width = os.get_terminal_size(sys.stderr.fileno()).columns
            sys.stderr.write("\r\033[K" + line[: max(20, width - 1)])
        else:
            sys.stderr.write(line + "\n")
        sys.stderr.flush()

    def done(self, text: str) -> None:
        self.tick(text, always=True)
        if self.live:
            sys.stderr.write("\n")


def failure(tail: Sequence[str], said: str) -> LabError:
    """The end of a command's output, what has failed, and the cause where it is a full disk."""
    full = ["no space is left on the disk"] * any(os.strerror(errno.ENOSPC) in line for line in tail)
    return LabError("\n".join([*tail, said, *full]))


def follow(
    argv: Sequence[str],
    progress: Progress,
    describe: Callable[[str | None], str],
    cwd: Path | None = None,
    log: Path | None = None,
) -> None:
    """Run a command and report progress; describe() gets each line, or None each second without one."""
    tail: deque[str] = deque(maxlen=TAIL_LINES)
    # Without a buffer, which would be written once more where the disk is full.
    sink = log.open("ab", buffering=0) if log else None
    with subprocess.Popen(
        argv, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as proc, selectors.DefaultSelector() as wait:
        assert proc.stdout
        wait.register(proc.stdout, selectors.EVENT_READ)
        partial = b""
        while True:
            if not wait.select(timeout=1.0):
                progress.tick(describe(None))
                continue
            data = os.read(proc.stdout.fileno(), 65536)
            if not data:
                break
            if sink:
                try:
                    sink.write(data)
                except OSError as error:
                    raise LabError(f"{log}: {error.strerror}") from error
            *lines, partial = (partial + data).split(b"\n")
            for raw in lines:
                line = raw.decode(errors="replace")
                tail.append(line)
                progress.tick(describe(line))
    if sink:
        sink.close()
    if proc.returncode:
        where = f"; the complete log is {log}" if log else ""
        raise failure(tail, f"{' '.join(argv[:3])} ... failed ({proc.returncode}){where}")


def quiet(argv: Sequence[str], cwd: Path | None = None) -> None:
    """Run a short command; print its output only when it fails."""
    pipe, none = subprocess.PIPE, subprocess.DEVNULL
    ends: dict[str, Any] = {"stdin": none, "stdout": pipe, "stderr": subprocess.STDOUT}
    done = subprocess.run(argv, cwd=cwd, text=True, errors="replace", check=False, **ends)
    if done.returncode:
        tail = done.stdout.splitlines()[-TAIL_LINES:]
        raise failure(tail, f"{' '.join(argv)} failed ({done.returncode})")
