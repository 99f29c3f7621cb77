# SPDX-License-Identifier: GPL-2.0
"""Files that users name: read up to a bound, and written whole or not at all."""

import json
import math
import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from .faults import within
from .paths import LabError
from .units import BadValue

# Of a file that is read at once; the greatest that wlab writes has 2 MB.
BYTES_MAX = 64 << 20
# Of a line of a file that is read line by line.
LINE_MAX = 1 << 20
DEPTH_MAX = 30
INT_MAX = 10**1000


def check_bounds(table: Any) -> None:
    """Refuse deep nesting and huge numbers, on which other code would fail."""
    level = [table]
    for _ in range(DEPTH_MAX):
        if not level:
            return
        below: list[Any] = []
        for item in level:
            below += item.values() if isinstance(item, dict) else item if isinstance(item, list) else ()
            if isinstance(item, int) and abs(item) > INT_MAX:
                raise BadValue("a number of more than 1000 digits")
        level = below
    if level:
        raise BadValue(f"tables and lists nested more than {DEPTH_MAX} deep")


def finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise BadValue(f"not JSON: {text} is no number")
    return value


def parse_json(text: str | bytes) -> Any:
    """Parse JSON, whose numbers are finite; every fault is a BadValue."""
    try:
        found = json.loads(text, parse_float=finite, parse_constant=finite)
    except BadValue:
        raise
    except RecursionError:
        raise BadValue(f"tables and lists nested more than {DEPTH_MAX} deep") from None
    except ValueError as e:
        raise BadValue(f"not JSON: {e}") from None
    check_bounds(found)
    return found


def read_stream(f: IO[bytes], name: str | Path) -> bytes:
    """All of what is open; every fault is a LabError."""
    with within(f"{name}: ", OSError):
        data = f.read(BYTES_MAX + 1)
    if len(data) > BYTES_MAX:
        raise LabError(f"{name}: more than {BYTES_MAX} bytes")
    return data


def read_input() -> bytes:
    with open(0, "rb", closefd=False) as f:
        return read_stream(f, "standard input")


def read_bytes(path: Path) -> bytes:
    """All of a file, a pipe or a device; every fault is a LabError."""
    with within(f"{path}: ", OSError), path.open("rb") as f:
        return read_stream(f, path)


def read_large(path: Path) -> bytes:
    """All of a file that a run has written, as long as the run was; every fault is a LabError."""
    try:
        with path.open("rb") as f:
            st = os.fstat(f.fileno())
            if not stat.S_ISREG(st.st_mode):
                raise LabError(f"{path} is no regular file")
            return f.read(st.st_size)
    except OSError as e:
        raise LabError(f"{path}: {e.strerror}") from None
    except MemoryError:
        raise LabError(f"{path}: no memory for {st.st_size} bytes") from None


def read_text(path: Path) -> str:
    try:
        return read_bytes(path).decode()
    except ValueError as e:
        raise LabError(f"{path}: not text: {e}") from None


def read_json(path: Path) -> Any:
    with within(f"{path}: ", BadValue):
        return parse_json(read_bytes(path))


def read_lines(path: Path) -> Iterator[bytes]:
    """The lines of a file of any length, with their ends; the last one may have none."""
    with within(f"{path}: ", OSError), path.open("rb") as f:
        number = 0
        while line := f.readline(LINE_MAX + 1):
            number += 1
            if len(line) > LINE_MAX:
                raise LabError(f"{path}, line {number}: more than {LINE_MAX} bytes")
            yield line


def new_mode(real: Path) -> int:
    """Of a file that is written anew; no other thread makes files at the time."""
    if real.exists():
        return real.stat().st_mode & 0o777
    umask = os.umask(0)
    os.umask(umask)
    return 0o666 & ~umask


@contextmanager
def replacing(
    path: Path, mode: int | None = None, mtime_ns: int = 0, parents: bool = False
) -> Iterator[IO[bytes]]:
    """A file that gets its name when it is complete and on the disk; a link to one stays a link.

    It replaces nothing but a regular file, and leaves nothing behind where it fails.
    """
    fresh = None
    try:
        real = Path(os.path.realpath(path))
        # A link that leads to itself is still one.
        if os.path.lexists(real) and (real.is_symlink() or not path.is_file()):
            raise LabError(f"{path} is no regular file")
        if parents:
            real.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=real.parent, prefix=".wlab.", delete=False) as f:
            fresh = Path(f.name)
            os.fchmod(f.fileno(), new_mode(real) if mode is None else mode)
            yield f
            f.flush()
            os.fsync(f.fileno())
        if mtime_ns:
            os.utime(fresh, ns=(mtime_ns, mtime_ns))
        fresh.replace(real)
    except OSError as e:
        raise LabError(f"{path}: cannot be written: {e.strerror}") from None
    finally:
        if fresh:
            fresh.unlink(missing_ok=True)


def write_file(path: Path, data: str | bytes, mtime_ns: int = 0) -> None:
    """A whole file, and the folders above it."""
    with replacing(path, mtime_ns=mtime_ns, parents=True) as f:
        f.write(data.encode() if isinstance(data, str) else data)
