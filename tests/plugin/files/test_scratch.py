# SPDX-License-Identifier: GPL-2.0
"""Temporary folders of killed processes: the next start removes them, and no others."""

import multiprocessing
import os
import signal
from multiprocessing.connection import Connection
from pathlib import Path

from harness import Checks
from wlablib.lib.scratch import LOCK, scratch

PROCESSES, FOLDERS = 4, 200


def holds(inside: Path, pipe: Connection) -> None:
    with scratch(str(inside)) as folder:
        (folder / "file").touch()
        pipe.send(folder)
        signal.pause()


def uses(inside: Path) -> None:
    """Many folders one after the other, each of which stays until its end."""
    for _ in range(FOLDERS):
        with scratch(str(inside)) as folder:
            (folder / "file").touch()
            if not (folder / "file").exists() or not (folder / LOCK).exists():
                os._exit(1)


def check_killed(checks: Checks, tmp_path: Path) -> None:
    here, there = multiprocessing.Pipe()
    process = multiprocessing.Process(target=holds, args=(tmp_path, there))
    process.start()
    there.close()
    left: Path = here.recv()
    others = [tmp_path / name for name in ("wlab.other", "other")]
    for other in others:
        other.mkdir()
        # A sweep's own.
        (other / ".lock").touch()
    with scratch(str(tmp_path)) as folder:
        checks.true("one in use stays", left.is_dir() and folder != left)
    process.kill()
    process.join()
    checks.true("left by who is killed", (left / "file").exists())
    with scratch(str(tmp_path)):
        checks.true("removed by the next", not left.exists())
    checks.equal("others stay", sorted(tmp_path.iterdir()), sorted(others))


def check_at_once(checks: Checks, tmp_path: Path) -> None:
    """Nobody's folder is removed before its end."""
    processes = [multiprocessing.Process(target=uses, args=(tmp_path,)) for _ in range(PROCESSES)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
        checks.equal("exit code", process.exitcode, 0)
    checks.equal("left", list(tmp_path.iterdir()), [])
