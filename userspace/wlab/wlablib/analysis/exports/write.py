# SPDX-License-Identifier: GPL-2.0
"""Which format a file's name stands for."""

from collections.abc import Callable
from pathlib import Path
from typing import IO

from ...lib.files import replacing
from . import packets, pcapng, perfetto, qlog

FORMATS: dict[str, Callable[[packets.Packets, IO[bytes]], int]] = {
    ".pcapng": pcapng.write,
    ".sqlog": qlog.write,
    ".json": perfetto.write,
}


def write(of: Path, to: Path) -> tuple[int, list[str]]:
    """Write the packets of a result folder or of a recording.

    Returns the number of records, and notes.
    """
    found = packets.read(of)
    with replacing(to, parents=True) as f:
        count = FORMATS[to.suffix](found, f)
    return count, found.notes
