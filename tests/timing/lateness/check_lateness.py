# SPDX-License-Identifier: GPL-2.0
"""Packets leave when the model says, to the timer's grid, in the lab; `make timing` has the VM."""

import json
import subprocess
from typing import Any

from guestrun import HERE, OUT
from lateness_guest import BINS, DELAY_NS, METHODS, summary

Late = dict[str, Any]
# The lab kernel's timers take no shorter time than that.
GRID_NS = 500
TICK_NS = 10_000_000
TC_TICK_NS = 64


def run(boot: str) -> dict[tuple[str, str, str], Late]:
    """By load, method and who says it."""
    path = OUT / "check-lateness.json"
    argv = [f"{HERE}/lateness/run_lateness", "--short", "--boot", boot, "--out", str(path)]
    done = subprocess.run(argv, text=True, capture_output=True, check=False)
    assert done.returncode == 0, (done.stdout + done.stderr)[-2000:]
    told = json.loads(path.read_text())
    assert not told["partial"], "it calls itself partial"
    late = {(one["load"], one["method"], one["by"]): one for one in told["late"]}
    for (_, method, by), one in late.items():
        assert one["packets"] == 1000 == sum(one["bins"]), f"{method}: {one['packets']} of 1000 packets"
        assert not one["lost_events"], f"{method}: {one['lost_events']} events were lost"
        # tc cuts netem's delay to ticks of 64 ns.
        least = 0 if method.startswith("wlink") else -TC_TICK_NS
        assert one["min_ns"] >= least, f"{method}: {one['min_ns']} ns before the model's time, by {by}"
    return late


def check_histogram() -> str:
    """Figures of known numbers."""
    told = summary([100, 1000, 1000, 10**6, -5])
    assert told["early"] == 1 and told["min_ns"] == -5 and told["median_ns"] == 1000, str(told)
    assert [i for i, n in enumerate(told["bins"]) if n] == [0, 10, 40] and len(told["bins"]) == BINS
    assert told["bins"][10] == 2, str(told)
    return "bins, median, and what leaves too early"


def check_lab() -> str:
    late = run("lab")
    assert {method for _, method, by in late if by == "departure"} == set(METHODS), str(list(late))
    worst = max(one["max_ns"] for one in late.values())
    assert worst <= GRID_NS + 20, f"a packet left {worst} ns late"
    return f"at most {worst} ns late in {len(METHODS)} places"


def check_lab_without_fine_timers() -> str:
    """A kernel that knows only ticks. Who sends there wakes at one, so that each packet
    waits from its delay to the next tick; the errors do not add up.
    """
    late = run("lab, HZ 100, highres=off")
    for (_, method, by), one in late.items():
        assert one["max_ns"] <= TICK_NS + GRID_NS, f"{method}, {by}: {one['max_ns']} ns"
    wlink = late["idle", "wlink", "departure"]
    wanted = -DELAY_NS % TICK_NS
    assert abs(wlink["mean_ns"] - wanted) < 0.02 * TICK_NS, f"mean {wlink['mean_ns']} ns, not {wanted}"
    netem = late["idle", "netem", "departure"]
    return f"mean {wlink['mean_ns'] / 1e6:.2f} ms, netem {netem['mean_ns'] / 1e6:.2f} ms"
