# SPDX-License-Identifier: GPL-2.0
"""What the experiments on downloads through a split measure."""

from pathlib import Path
from statistics import fmean
from typing import Any

Result = dict[str, Any]


def user_kbit(result: Result, folder: Path) -> float:
    """The mean throughput of a user's download."""
    return fmean(flow["goodput_bps"] for flow in result["flows"].values() if flow["kind"] == "tcp") / 1e3
