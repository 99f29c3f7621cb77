# SPDX-License-Identifier: GPL-2.0
"""What the experiment on a handover with a proxy at the eNB measures."""

from pathlib import Path
from typing import Any

Result = dict[str, Any]

MOVE_NS = 15 * 10**9


def user_kbit(result: Result, folder: Path) -> float:
    """What the user has of a download; what the old eNB's proxy sends after the move comes to nobody."""
    flows = result["flows"]
    total = sum(flow["bytes"] for flow in flows.values())
    if "then" in flows:
        there = {}
        for line in (folder / "series" / "first.seq.tsv").read_text().splitlines():
            when, what, seq, length, *_ = line.split("\t")
            if what == "received" and int(when) < MOVE_NS:
                there[seq] = int(length)
        total = flows["then"]["bytes"] + sum(there.values())
    return float(total * 8e-3 / result["ended_s"])
