# SPDX-License-Identifier: GPL-2.0
"""The line rate is what was requested, in the lab; `make timing` has the VM."""

import json
import subprocess
from typing import Any

import linerate_plan
from guestrun import HERE, OUT
from linerate_guest import judge

Cell = dict[str, Any]
# The lab kernel's timers take no shorter time than that.
GRID_NS = 500
# Where a packet takes 28.57 ns.
NETEM_ROUNDED = 7 * 10**9, 25


def run() -> list[Cell]:
    path = OUT / "check-line-rate.json"
    argv = [f"{HERE}/line-rate/run_line-rate", "--short", "--lab", "--out", str(path)]
    done = subprocess.run(argv, text=True, capture_output=True, check=False)
    assert done.returncode == 0, (done.stdout + done.stderr)[-2000:]
    told = json.loads(path.read_text())
    assert not told["partial"], "it calls itself partial"
    cells: list[Cell] = told["cells"]
    wanted = len(linerate_plan.lab(False, linerate_plan.VM_SLOW)[0]["cells"])
    assert len(cells) == wanted and not any(c["partial"] for c in cells), f"{len(cells)} of {wanted} cells"
    assert not any(c["lost_events"] for c in cells), "departures went unseen"
    dry = [told_of(c) for c in cells if c["dry"]]
    assert not dry, f"the feeder was late for {dry}"
    return cells


def told_of(cell: Cell) -> str:
    return f"{cell['method']} at {cell['rate']} bit/s, {cell['size']} bytes"


def check_judge() -> str:
    """An error that is there is found: one clock 1000 ppm slow, one that is only late."""
    cell = {"rate": 10**6, "size": 125, "every": 1}
    slow = judge(cell, [k * 1_001_000 for k in range(101)])
    assert abs(slow["error_ppm"] + 999.0) < 0.1 and slow["accumulated_ns"] == 100_000, str(slow)
    assert slow["drift_ns"] == 81_000, str(slow)
    late = judge(cell, [k * 1_000_000 + (k % 7) * 50_000 for k in range(101)])
    assert late["drift_ns"] == 0 and late["spread_ns"] == 300_000, str(late)
    return "a slow clock is told from late departures"


def check_accumulated_error_lab() -> str:
    cells = run()
    worst = 0.0
    for cell in (c for c in cells if c["method"] == "wlink"):
        error = abs(cell["accumulated_ns"])
        assert error < max(cell["pdu_ns"], GRID_NS), f"{told_of(cell)}: {error} ns after {cell['seconds']} s"
        assert abs(cell["drift_ns"]) < max(cell["pdu_ns"], GRID_NS), f"{told_of(cell)}: {cell['drift_ns']} ns"
        worst = max(worst, error)
    long = [c for c in cells if c["method"] == "wlink" and c["seconds"] > 470]
    assert len(long) >= 8, f"only {len(long)} cells were watched for minutes"
    rounded = next(c for c in cells if c["method"] == "netem" and (c["rate"], c["size"]) == NETEM_ROUNDED)
    # 28 ns in the place of 28.57: what the eye must see.
    assert rounded["error_ppm"] > 10_000, f"netem's known error is not seen: {rounded['error_ppm']} ppm"
    text = f"wlink within {worst:.0f} ns in {len(cells) // 3} cells"
    return f"{text}; netem {rounded['error_ppm']:.0f} ppm too fast where packets take 28.57 ns"
