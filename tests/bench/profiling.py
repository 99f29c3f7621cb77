# SPDX-License-Identifier: GPL-2.0
"""Instructions by function, from what the plugin saw of the blocks."""

import base64
import bisect
import json
import zlib
from collections import Counter
from pathlib import Path

SHOWN = 60


def symbols(lines: list[str]) -> list[tuple[int, str]]:
    """Start and name of all functions of the kernel and its modules."""
    packed = next(line for line in lines if line.startswith("KALLSYMS ")).split()[1]
    found = []
    for line in zlib.decompress(base64.b64decode(packed)).decode().splitlines():
        words = line.split()
        found.append((int(words[0], 16), " ".join(words[2:])))
    return sorted(found)


def show(work: Path, lines: list[str]) -> None:
    """Print the functions that took most, per packet."""
    packets = sum(json.loads(line[6:]).get("packets", 0) for line in lines if line.startswith("BENCH "))
    names = symbols(lines)
    starts = [start for start, _ in names]
    spent: Counter[str] = Counter()
    for line in (work / "blocks").read_text().splitlines():
        address, insns = (int(word, base) for word, base in zip(line.split(), (16, 10), strict=True))
        at = bisect.bisect(starts, address) - 1
        spent["(user space)" if address < 1 << 47 else names[at][1]] += insns
    print(f"{packets} packets, {sum(spent.values()) / packets:.0f} instructions each")
    for name, count in spent.most_common(SHOWN):
        print(f"{count / packets:8.1f} {name}")
