# SPDX-License-Identifier: GPL-2.0
"""The folder of a result: checked before the run, and locked by one run at a time."""

import contextlib
import errno
import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from ..lib.paths import LabError

RESULT_FILES = ("result.json", "runs.json")
FREE_MIN = 1 << 20


def full(*folders: Path) -> str:
    """A message on the first of these folders whose disk is full; "" if none is."""
    for where in (*folders, Path(tempfile.gettempdir())):
        with contextlib.suppress(OSError):
            st = os.statvfs(where)
            free = st.f_bavail * st.f_frsize
            if free < FREE_MIN:
                return f"{where}: the disk is full, {free >> 10} KiB are free"
    return ""


@contextlib.contextmanager
def writing(where: Path) -> Iterator[None]:
    """Turn errors of writing into a LabError that names the file and a full disk."""
    try:
        yield
    except OSError as e:
        text = f"{e.filename or where}: cannot be written: {e.strerror}"
        if e.errno in (errno.ENOSPC, errno.EDQUOT):
            text = full(where) or text
        raise LabError(text) from None


def folder(out: Path) -> None:
    """Refuse what is there and no folder, such as a link into nothing."""
    if os.path.lexists(out) and not out.is_dir():
        raise LabError(f"{out} exists and is not a folder")


def check(out: Path, force: bool) -> None:
    """Refuse to overwrite anything but a result of wlab, and that without --force."""
    folder(out)
    if not out.exists():
        return
    names = {p.name for p in out.iterdir()}
    if names and not names & {*RESULT_FILES}:
        raise LabError(f"{out} exists and is not a result of wlab")
    if names and not force:
        raise LabError(f"{out} holds a result; --force replaces it, --out DIR keeps both")


def same(fd: int, folder: Path) -> bool:
    """Whether an open folder is still the one of this name."""
    with contextlib.suppress(FileNotFoundError):
        return os.path.samestat(os.fstat(fd), os.stat(folder))
    return False


def lock(fresh: Path, out: Path) -> int:
    """Lock the folder; the lock ends with the descriptor or the process."""
    while True:
        try:
            fresh.mkdir(exist_ok=True)
            fd = os.open(fresh, os.O_RDONLY | os.O_DIRECTORY)
        except OSError as e:
            # Name the folder that the user has named.
            e.filename = str(out)
            raise
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(fd)
            raise LabError(f"another run is writing {out}") from None
        # Another run may have moved the folder into place before the lock was ours.
        if same(fd, fresh):
            return fd
        os.close(fd)


@contextlib.contextmanager
def claimed(out: Path, force: bool) -> Iterator[Path]:
    """A locked, empty folder beside `out`, which put_there() moves into place; otherwise it is removed.

    A folder that a killed run has left is used again.
    """
    fresh = out.parent / f".{out.name}.part"
    with writing(out):
        check(out, force)
        out.parent.mkdir(parents=True, exist_ok=True)
        fd = lock(fresh, out)
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
    """Replace the old result by the complete new one."""
    with writing(out):
        if out.exists():
            shutil.rmtree(out)
        fresh.rename(out)
