# SPDX-License-Identifier: GPL-2.0
"""What the experiment on QUIC beside a split measures."""

from pathlib import Path
from typing import Any

Result = dict[str, Any]


def done_s(result: Result, folder: Path) -> float:
    """The time of the file that the run has waited for: a flow's, or what the client of QUIC prints."""
    if result["scenario"]["until"] == "client":
        return int((folder / "programs" / "client.out").read_text().split()[0]) / 1e9
    file = result["flows"]["file"]
    return float((file["end_ns"] - file["start_ns"]) / 1e9)
