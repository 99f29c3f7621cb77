# SPDX-License-Identifier: GPL-2.0
"""What the experiments on web pages through a split measure."""

from pathlib import Path
from typing import Any

Result = dict[str, Any]


def page_s(result: Result, folder: Path) -> float:
    """The mean time of a page that began after the warm-up, over all users."""
    pages = [flow["transaction"] for flow in result["flows"].values() if flow["kind"] == "web"]
    complete = [one for one in pages if one]
    total: float = sum(one["mean_ns"] * one["count"] for one in complete)
    count: int = sum(one["count"] for one in complete)
    return total / count / 1e9
