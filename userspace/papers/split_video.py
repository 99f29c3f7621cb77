# SPDX-License-Identifier: GPL-2.0
"""What the experiments on videos through a split measure: the arrival of their bytes against the play-out.

A video starts when START_S of it are there. It stands still when the next byte has not come, and goes on when
AGAIN_S more are there, or its end.
"""

from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

Result = dict[str, Any]
Arrivals = list[tuple[float, int]]

BYTES = 5_760_000
BYTES_S = 64_000.0
START_S, AGAIN_S = 4.0, 1.0
# Who is satisfied.
WAIT_S, TIMES, STILL_S = 8.0, 3, 2.0


@dataclass
class Seen:
    """What a user sees of a video: the wait for its start, how often it stood still and for how long."""

    wait_s: float
    times: int
    still_s: float

    @property
    def satisfied(self) -> bool:
        return self.wait_s < WAIT_S and self.times <= TIMES and self.still_s <= STILL_S


def in_order(path: Path) -> Arrivals:
    """When how many bytes from the first one on had come, s, from a flow's series of segments."""
    out: Arrivals = []
    there, later = 0, dict[int, int]()
    for line in path.read_text().splitlines():
        when, what, seq, length, *_ = line.split("\t")
        if what != "received":
            continue
        first, last = int(seq), int(seq) + int(length)
        later[first] = max(last, later.get(first, 0))
        before = there
        for begin in sorted(later):
            if begin > there:
                break
            there = max(there, later.pop(begin))
        if there > before:
            out.append((int(when) / 1e9, there))
    return out


def play(arrivals: Arrivals, start_s: float, end_s: float) -> Seen:
    """The video that was asked for at start_s, as far as the run, which ends at end_s, tells."""
    wait_s, times, still_s = 0.0, 0, 0.0
    # Of the video, shown by the time `at`; while it stands still, since `at`, it goes on with `want` bytes.
    shown, at, want, before = 0.0, start_s, START_S * BYTES_S, 0
    for when, there in [*arrivals, (end_s, 0)]:
        if want and (there >= min(want, BYTES) or not there):
            if shown:
                still_s += when - at
            else:
                wait_s = when - at
            at, want = when, 0.0
        elif not want:
            due = shown + (when - at) * BYTES_S
            if due > before and before < BYTES:
                at, shown = at + (before - shown) / BYTES_S, float(before)
                times, want = times + 1, before + AGAIN_S * BYTES_S
                if there >= min(want, BYTES) or not there:
                    still_s, at, want = still_s + when - at, when, 0.0
            else:
                at, shown = when, min(due, float(BYTES))
        before = there
    return Seen(wait_s, times, still_s)


def videos(result: Result, folder: Path) -> list[Seen]:
    """All videos of a run."""
    out = []
    for name, flow in result["flows"].items():
        if name.startswith("v"):
            arrivals = in_order(folder / "series" / f"{name}.seq.tsv")
            out.append(play(arrivals, flow["start_ns"] / 1e9, result["ended_s"]))
    return out


def satisfied_percent(result: Result, folder: Path) -> float:
    return 100 * fmean(seen.satisfied for seen in videos(result, folder))


def wait_s(result: Result, folder: Path) -> float:
    return fmean(seen.wait_s for seen in videos(result, folder))


def interrupted_s(result: Result, folder: Path) -> float:
    return fmean(seen.still_s for seen in videos(result, folder))
