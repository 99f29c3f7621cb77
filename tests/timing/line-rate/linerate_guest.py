# SPDX-License-Identifier: GPL-2.0
"""Actual against requested line rate, inside the lab kernel or the VM.

linerate_guest.py PLAN.json: phases of cells that run at the same time, each a queue
on a device of its own which always has packets waiting. Departures are seen by the
kernel's own net_dev_start_xmit, so each method by the same eye.
"""

import os
import subprocess
import sys
import time
from fractions import Fraction
from typing import Any

# In the VM it lies beside this file.
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.realpath(__file__))))

from guestkit import ENV, begin, devices, idle_s, remove, say, sh
from ringtap import Tap

Cell = dict[str, Any]
ETHERNET = 14
MARKED = 0x88B6
# What part of the marks at either end shows where the method's clock is: the one
# among them that is late the least.
ENDS = 5
LOOK_S = 10.0
SETTLE_S = 1.0


def words(cell: Cell) -> str:
    """tc's words; the size is what the method itself counts."""
    rate, size = cell["rate"], cell["size"]
    if cell["method"] == "wlink":
        return f"root wlink rate {rate}bit limit 100000"
    if cell["method"] == "netem":
        return f"root netem rate {rate}bit limit 100000"
    limit = 2 * size * (cell["backlog"] + 100)
    return f"root tbf rate {rate}bit burst {cell['burst']} limit {limit}"


def feed_line(name: str, cell: Cell) -> str:
    payload = cell["size"] - (0 if cell["method"] == "wlink" else ETHERNET)
    numbers = ("packets_wanted", "first", "every", "backlog", "period_ns")
    return f"{name} {payload} " + " ".join(str(cell[n]) for n in numbers)


def judge(cell: Cell, seen: list[int]) -> dict[str, Any]:
    """What the departures of the marked packets say; the first and the last differ."""
    period = Fraction(cell["every"] * cell["size"] * 8 * 10**9, cell["rate"])
    late = [t - seen[0] - float(k * period) for k, t in enumerate(seen)]
    took, model = seen[-1] - seen[0], (len(seen) - 1) * period
    ends = max(1, len(late) // ENDS)
    return {
        "packets": (len(seen) - 1) * cell["every"],
        "seconds": took / 1e9,
        "delivered_bps": float(cell["rate"] * model / took),
        "error_ppm": float((model / took - 1) * 10**6),
        "accumulated_ns": float(took - model),
        "drift_ns": min(late[-ends:]) - min(late[:ends]),
        "spread_ns": max(late) - min(late),
        "pdu_ns": cell["size"] * 8e9 / cell["rate"],
        "late_ns": [round(x, 1) for x in late],
    }


def tell(cells: dict[str, Cell], seen: dict[str, list[int]], more: dict[str, Any]) -> None:
    """A result for each cell that has been seen twice."""
    for name, cell in cells.items():
        if seen[name] and seen[name][-1] > seen[name][0]:
            own = {k: v[name] if isinstance(v, dict) else v for k, v in more.items()}
            say("cell", {**cell, **judge(cell, seen[name]), **own})


def phase(number: int, plan: dict[str, Any]) -> None:
    """All cells of a phase at the same time."""
    cells = {f"d{i}": cell for i, cell in enumerate(plan["cells"])}
    devices([(name, words(cell)) for name, cell in cells.items()])
    # The first packets of a device just made come up to a tick late, whatever the method.
    time.sleep(SETTLE_S)
    seen: dict[str, list[int]] = {name: [] for name in cells}
    tap = Tap(f"linerate{number}", {"net/net_dev_start_xmit": f"protocol == {MARKED}"})
    began, idle = time.monotonic(), idle_s()
    feed = subprocess.Popen(
        [plan["feed"], str(plan["seconds"])],
        env=ENV,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert feed.stdin and feed.stdout
    feed.stdin.write("".join(feed_line(name, cell) + "\n" for name, cell in cells.items()))
    feed.stdin.close()
    told = began
    ended = False
    while not ended:
        ended = wait(feed, min(LOOK_S, plan["seconds"] / 4))
        for ns, event, record in tap.read():
            seen[event.get(record, "name")].append(ns)
        now = time.monotonic()
        if now - told >= plan["interim_s"] and not ended:
            told = now
            tell(cells, seen, {"phase": number, "interim": True})
            print(f"# phase {number}: {now - began:.0f} of {plan['seconds']} s", flush=True)
    said = [line.split() for line in feed.stdout.read().splitlines()]
    if feed.wait():
        raise SystemExit("linefeed has failed")
    wall = time.monotonic() - began
    lost = tap.lost()
    tap.close()
    tell(
        cells,
        seen,
        {
            "phase": number,
            "interim": False,
            "lost_events": lost,
            "idle": round((idle_s() - idle) / wall / plan["cpus"], 4),
            "dry": {name: int(dry) for name, _, _, dry in said},
        },
    )
    remove(list(cells))


def wait(process: "subprocess.Popen[str]", seconds: float) -> bool:
    """Whether it has ended within a time."""
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        return False
    return True


def main() -> None:
    plan = begin()
    for number, one in enumerate(plan["phases"]):
        phase(number, {**plan, **one})
    say("end", {"uname": sh("uname -r").strip()})


if __name__ == "__main__":
    main()
