# SPDX-License-Identifier: GPL-2.0
"""What the experiment seawind-packet measures: the time on the line of a packet or block."""

from pathlib import Path
from typing import Any


def block_ms(result: dict[str, Any], folder: Path) -> float:
    """Of the packets that have arrived, by the PDUs that each was sent in."""
    pdus, took_ns = 0, 0
    for line in (folder / "events.tsv").read_text().splitlines():
        words = line.split("\t")
        if words[0] == "sdu" and words[2] == "radio.down" and words[11] == "none":
            pdus += int(words[9])
            took_ns += int(words[14]) - int(words[13])
    return took_ns / pdus / 1e6
