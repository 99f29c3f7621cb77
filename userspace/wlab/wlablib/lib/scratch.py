# SPDX-License-Identifier: GPL-2.0
"""Temporary folders, which go with the process: one that was killed leaves them for the next to remove."""

import contextlib
import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

PREFIX = "wlab."
# In each folder and in no other; locked as long as somebody works there.
LOCK = ".wlab-scratch"


def remove(folder: Path) -> None:
    """The mark last: what a process that is killed here leaves is still to be removed."""
    for inside in folder.iterdir():
        if inside.is_dir() and not inside.is_symlink():
            shutil.rmtree(inside, ignore_errors=True)
        elif inside.name != LOCK:
            inside.unlink(missing_ok=True)
    (folder / LOCK).unlink(missing_ok=True)
    folder.rmdir()


def clear(inside: str) -> None:
    """Remove the folders of this user's killed processes."""
    for folder in Path(inside).glob(f"{PREFIX}*"):
        # It is another user's, of no scratch, or in use.
        with contextlib.suppress(OSError):
            if folder.lstat().st_uid != os.getuid():
                continue
            fd = os.open(folder / LOCK, os.O_RDWR | os.O_NOFOLLOW)
            try:
                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
                remove(folder)
            finally:
                os.close(fd)


@contextlib.contextmanager
def scratch(inside: str | None = None) -> Iterator[Path]:
    """A new folder below the one for temporary files."""
    inside = inside or tempfile.gettempdir()
    clear(inside)
    while True:
        folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=inside))
        try:
            fd = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError:
            folder.rmdir()
            raise
        fcntl.flock(fd, fcntl.LOCK_EX)
        # Another process may have removed it before it was locked.
        if (folder / LOCK).exists():
            break
        os.close(fd)
    try:
        yield folder
    finally:
        with contextlib.suppress(OSError):
            remove(folder)
        os.close(fd)
