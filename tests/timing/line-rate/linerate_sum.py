# SPDX-License-Identifier: GPL-2.0
"""The worst of what has been measured, by place, method and how long it was watched."""

import json
import sys
from pathlib import Path
from typing import Any

Cell = dict[str, Any]
# What counts as watched for minutes; the others are bounded by their packets.
MINUTES_S = 300


def row(where: str, method: str, long: bool, cells: list[Cell]) -> dict[str, Any]:
    """Worst errors in PDU times, once as they are and once of the clock behind them."""
    good = [c for c in cells if c["carried"] and not c["partial"]]
    return {
        "where": where,
        "method": method,
        "watched": "minutes" if long else "shorter",
        "cells": len(cells),
        "carried": len(good),
        "worst_accumulated_pdus": max((abs(c["accumulated_ns"]) / c["pdu_ns"] for c in good), default=None),
        "worst_accumulated_ns": max((abs(c["accumulated_ns"]) for c in good), default=None),
        "worst_drift_pdus": max((abs(c["drift_ns"]) / c["pdu_ns"] for c in good), default=None),
        "below_one_pdu": sum(abs(c["accumulated_ns"]) < c["pdu_ns"] for c in good),
        "worst_error_ppm": max((abs(c["error_ppm"]) for c in good), default=None),
    }


def summary(cells: list[Cell]) -> list[dict[str, Any]]:
    groups: dict[tuple[str, str, bool], list[Cell]] = {}
    for cell in cells:
        groups.setdefault((cell["where"], cell["method"], cell["seconds"] >= MINUTES_S), []).append(cell)
    order = sorted(groups, key=lambda key: (key[0], not key[2], key[1]))
    return [row(*key, groups[key]) for key in order]


def show(rows: list[dict[str, Any]]) -> None:
    for one in rows:
        text = f"# {one['where']}, {one['watched']}, {one['method']}: "
        text += f"{one['carried']} of {one['cells']} carried"
        if one["carried"]:
            text += f", {one['below_one_pdu']} below one PDU time, worst {one['worst_accumulated_pdus']:.3g}"
            text += f", of the clock {one['worst_drift_pdus']:.3g}; rate {one['worst_error_ppm']:.3g} ppm"
        print(text)


if __name__ == "__main__":
    show(summary(json.loads(Path(sys.argv[1]).read_text())["cells"]))
