# SPDX-License-Identifier: GPL-2.0
"""Public sets of measured links, by the columns that they document."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from .units import Source


class Set(NamedTuple):
    """Columns that a file of it has, or what its first row looks like; and those that are read."""

    about: str
    like: str
    columns: dict[str, Source]
    # One row in so many ns where no column is a time.
    every_ns: int = 0
    # Of JSON: the key of its rows.
    rows: str = ""


EPOCH_ROWS = r" \d+ -?[\d.]+ -?[\d.]+ \d+ \d+"
SECONDS = {"time": Source("1", "s"), "rate": Source("2", "mbit")}
BYTES = {"time": Source("2", "ms"), "rate": Source("5", "bytes")}

# By name in alphabetical order; what cannot be told from others by its first row has to be named.
SETS = {
    "ghent": Set("Ghent's 4G logs (2016)", r"\d{13}" + EPOCH_ROWS, BYTES),
    "hsdpa": Set("HSDPA logs of Norway (Riiser, 2013)", r"\d{10}" + EPOCH_ROWS, BYTES),
    "irtt": Set(
        "round trips of irtt, as in LENS's Starlink set: half of each one way", "",
        {"time": Source("timestamps.client.send.monotonic", "ns"), "delay": Source("delay.rtt", "ns/2")},
        rows="round_trips",
    ),
    "lpp": Set(
        "Intel's LPP network traces", "",
        {"time": Source("dateTime", "date"), "rate": Source("dlBw", "kbit")}, rows="entries",
    ),
    "lumos5g": Set(
        "Lumos5G (2020), one run of it: only run_num=N", r"run_num .*\bseq_num .*\bThroughput\b.*",
        {"time": Source("seq_num", "s"), "rate": Source("Throughput", "mbit")},
    ),
    "nyu-mets": Set("NYU-METS (2019)", r"[\d.]+ Mbits/sec", {"rate": Source("1", "mbit")}, 10**9),
    "pensieve": Set("Pensieve's FCC and Norway traces (2017)", "", SECONDS),
    "sigcomm21": Set("5G in the wild (SIGCOMM 2021), for video", "", SECONDS),
    "ucc": Set(
        "UCC's 4G (2018) and 5G (2020) sets", r"Timestamp .*\bNetworkMode .*\bDL_bitrate .*",
        {"time": Source("Timestamp", "date"), "rate": Source("DL_bitrate", "kbit")},
    ),
}  # fmt: skip


def known(fields: Sequence[str]) -> str:
    """The set whose first row this is, or nothing."""
    first = " ".join(fields)
    return next((name for name, one in SETS.items() if one.like and re.fullmatch(one.like, first)), "")
