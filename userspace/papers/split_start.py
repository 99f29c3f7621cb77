# SPDX-License-Identifier: GPL-2.0
"""What the experiment split-start measures: the times that the user's program prints."""

from pathlib import Path
from typing import Any


def times(folder: Path) -> tuple[int, int]:
    """Of the set-up and of the transfer; with the number of bytes, the header of HTTP included."""
    setup_ns, transfer_ns, got = map(int, (folder / "programs" / "user.out").read_text().split())
    if not got:
        raise ValueError("the user has got nothing")
    return setup_ns, transfer_ns


def setup_ms(result: dict[str, Any], folder: Path) -> float:
    return times(folder)[0] / 1e6


def transfer_ms(result: dict[str, Any], folder: Path) -> float:
    return times(folder)[1] / 1e6


def whole_ms(result: dict[str, Any], folder: Path) -> float:
    return sum(times(folder)) / 1e6
