# SPDX-License-Identifier: GPL-2.0
"""Where a result goes: found to be good before the run, and taken by one run at a time."""

import contextlib
import errno
import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from ..lib.paths import LabError

OURS = ("result.json", "runs.json")
FREE_MIN = 1 << 20


def full(*places: Path) -> str:
    """The first of these places whose disk is full, in words; "" if none is."""
    for where in (*places, Path(tempfile.gettempdir())):
        with contextlib.suppress(OSError):
            st = os.statvfs(where)
            free = st.f_bavail * st.f_frsize
            if free < FREE_MIN:
                return f"{where}: the disk is full, {free >> 10} KiB are free"
    return ""


@contextlib.contextmanager
def writing(where: Path) -> Iterator[None]:
    """A write that fails knows neither file nor disk; name both."""
    try:
        yield
    except OSError as e:
        text = f"{e.filename or where}: cannot be written: {e.strerror}"
        if e.errno in (errno.ENOSPC, errno.EDQUOT):
            text = full(where) or text
        raise LabError(text) from None


def check(out: Path, force: bool) -> None:
    """Only ever a result of ours is overwritten, and only when that is asked for."""
    if not out.exists():
        return
    if not out.is_dir():
        raise LabError(f"{out} is there and is no folder")
    names = {p.name for p in out.iterdir()}
    if names and not names & {*OURS}:
        raise LabError(f"{out} is there and is no result of wlab")
    if names and not force:
        raise LabError(f"{out} holds a result; --force replaces it, --out DIR keeps both")


def same(fd: int, folder: Path) -> bool:
    """Whether the open folder is still the one of this name."""
    with contextlib.suppress(FileNotFoundError):
        return os.path.samestat(os.fstat(fd), os.stat(folder))
    return False


def taken(fresh: Path, out: Path) -> int:
    """A descriptor of the folder with its lock, which ends with us."""
    while True:
        try:
            fresh.mkdir(exist_ok=True)
            fd = os.open(fresh, os.O_RDONLY | os.O_DIRECTORY)
        except OSError as e:
            # Whoever typed the one has never heard of the other.
            e.filename = str(out)
            raise
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(fd)
            raise LabError(f"another run is at work on {out}") from None
        # The run before us may have moved it into its place meanwhile.
        if same(fd, fresh):
            return fd
        os.close(fd)


@contextlib.contextmanager
def claimed(out: Path, force: bool) -> Iterator[Path]:
    """An empty folder beside `out` that is ours alone; put_there() moves it into its place.

    Without that it is gone in the end. One that a run has left that was killed is made use of.
    """
    fresh = out.parent / f".{out.name}.part"
    with writing(out):
        check(out, force)
        out.parent.mkdir(parents=True, exist_ok=True)
        fd = taken(fresh, out)
        for left in fresh.iterdir():
            shutil.rmtree(left) if left.is_dir() else left.unlink()
        fresh.chmod(0o755)
    try:
        yield fresh
    finally:
        if same(fd, fresh):
            shutil.rmtree(fresh, ignore_errors=True)
        os.close(fd)


def put_there(fresh: Path, out: Path) -> None:
    """What is complete replaces what was there before."""
    with writing(out):
        if out.exists():
            shutil.rmtree(out)
        fresh.rename(out)
