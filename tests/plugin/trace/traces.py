# SPDX-License-Identifier: GPL-2.0
"""Readers of traces that share nothing with wlinkctl's own: slow, short, exact."""

import os
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

NS = {"s": 10**9, "ms": 10**6, "us": 10**3, "ns": 1}
BIT = {"bit": 1, "kbit": 10**3, "mbit": 10**6, "gbit": 10**9}
# A folder of measured links: mahimahi/* has opportunities, jens/* rates.
FOLDER = "WLINK_TRACES"
BIN_NS = 10**8


def number(text: str, units: dict[str, int]) -> int:
    """A whole number with a unit."""
    digits = text.rstrip("abcdefghijklmnopqrstuvwxyz")
    value = Fraction(digits) * units[text[len(digits) :]]
    assert value.denominator == 1, text
    return int(value)


@dataclass
class Schedule:
    """Our own format."""

    columns: list[str]
    length_ns: int
    end: str
    steps: list[tuple[int, list[str]]]


def own(text: str) -> Schedule:
    lines = text.splitlines()
    assert lines[0] == "wlink schedule", lines[0]
    head = {}
    steps = []
    for line in lines[1:]:
        first, *rest = line.split()
        if first[0].isdigit():
            steps.append((number(first, NS), rest))
        else:
            head[first] = rest
    end = head.get("end", [""])[0]
    return Schedule(head["columns"], number(head["length"][0], NS), end, steps)


def mahimahi(path: Path) -> tuple[list[tuple[int, int]], int]:
    """[(ns, bytes)] and the period in ns."""
    stamps = [int(line) for line in path.read_text().split()]
    steps = [(ms * 10**6, 1500 * n) for ms, n in sorted(Counter(stamps).items())]
    return steps, stamps[-1] * 10**6


def jens(path: Path) -> tuple[list[tuple[int, int]], int]:
    """[(ns, bit/s)] and the length in ns."""
    lines = [line for line in path.read_text().splitlines() if line and not line.startswith("#")]
    return [(i * BIN_NS, int(line) * 1000) for i, line in enumerate(lines)], len(lines) * BIN_NS


def grant_bins(steps: list[tuple[int, int]]) -> dict[int, int]:
    """Bytes by bin of 100 ms."""
    bins: Counter[int] = Counter()
    for at, size in steps:
        bins[at // BIN_NS] += size
    return dict(bins)


def rate_bins(steps: list[tuple[int, int]], length_ns: int) -> list[Fraction]:
    """Bytes by bin of 100 ms, of steps that last until the next one."""
    bins = [Fraction(0)] * -(-length_ns // BIN_NS)
    ends = [at for at, _ in steps[1:]] + [length_ns]
    for (begin, bps), end in zip(steps, ends, strict=True):
        while begin < end:
            to = min(end, (begin // BIN_NS + 1) * BIN_NS)
            bins[begin // BIN_NS] += Fraction(bps * (to - begin), 8 * 10**9)
            begin = to
    return bins


def shared(kind: str) -> list[Path]:
    """The measured files of a kind; none where no folder is named."""
    folder = os.environ.get(FOLDER)
    return sorted(path for path in (Path(folder) / kind).iterdir() if path.is_file()) if folder else []


def cases(section: str) -> list[list[str]]:
    """The rows of a section of cases.txt."""
    text = (Path(__file__).parent / "cases.txt").read_text()
    lines = text.partition(f"[{section}]\n")[2].partition("\n[")[0].splitlines()
    rows = [line.split(" | ") for line in lines if line and not line.startswith("; ")]
    return [[field.encode().decode("unicode_escape") for field in row] for row in rows]
