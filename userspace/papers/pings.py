# SPDX-License-Identifier: GPL-2.0
"""What the experiment cell-ping measures."""

from pathlib import Path
from statistics import fmean
from typing import Any

from wlablib.analysis import why
from wlablib.analysis.packets import rank

Result = dict[str, Any]


def round_trips(folder: Path) -> list[float]:
    """Of each answered ping, ms, in order."""
    return sorted(int(line) / 1e6 for line in (folder / "programs" / "ping.out").read_text().split())


def rtt_p1_ms(result: Result, folder: Path) -> float:
    return rank(round_trips(folder), 1)


def rtt_p10_ms(result: Result, folder: Path) -> float:
    return rank(round_trips(folder), 10)


def rtt_p50_ms(result: Result, folder: Path) -> float:
    return rank(round_trips(folder), 50)


def rtt_p90_ms(result: Result, folder: Path) -> float:
    return rank(round_trips(folder), 90)


def rtt_p99_ms(result: Result, folder: Path) -> float:
    return rank(round_trips(folder), 99)


def rtt_mean_ms(result: Result, folder: Path) -> float:
    return fmean(round_trips(folder))


def parts(folder: Path) -> dict[str, float]:
    """The mean of each part over both ways of the pings, which belong to no flow, ms."""
    pings = [group for group in why.read(folder)[1] if group.flow == "-"]
    return {part: sum(fmean(one.parts[part]) for one in pings) / 1e6 for part in why.PARTS}


def queue_ms(result: Result, folder: Path) -> float:
    """In the buffer, until the TTI, and in TDD until a slot."""
    return parts(folder)["queue"]


def serial_ms(result: Result, folder: Path) -> float:
    return parts(folder)["serial"]


def prop_ms(result: Result, folder: Path) -> float:
    return parts(folder)["prop"]


def retx_ms(result: Result, folder: Path) -> float:
    return parts(folder)["retx"]


def hol_ms(result: Result, folder: Path) -> float:
    return parts(folder)["hol"]


def access_ms(result: Result, folder: Path) -> float:
    return parts(folder)["access"]
