# SPDX-License-Identifier: GPL-2.0
"""Logs that are merged of two lab machines with clocks of their own; by hand: merge_cases.py."""

import json
import re
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from merge_cases import MS, ROOT, WLAB, Desk, equal

GUEST = ROOT / "tests" / "lab" / "record" / "merge_guest.py"
# Seconds ahead of CLOCK_MONOTONIC, us of error, ms that it is wrong at first.
MACHINES = {"a": (1000, 1000, 0), "b": (1000, 3000, 250)}


def machine(at: Path, name: str) -> int:
    """Record on one; its true distance from CLOCK_MONOTONIC to CLOCK_TAI."""
    words = [str(n) for n in MACHINES[name]]
    command = [str(WLAB), "exec", "--", "/usr/bin/python3", "-ISB", str(GUEST), *words]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    if done.returncode:
        raise AssertionError(f"{name}: {done.stdout[-500:]} {done.stderr[-2000:]}")
    # One seed, one boot identifier: what tells two machines apart is given to them here.
    (at / name).write_text(re.sub(r'"boot":"[^"]*"', f'"boot":"{name}"', done.stdout))
    return int(done.stderr.split("distance ")[1].split()[0])


def raw(path: Path) -> list[dict[str, Any]]:
    return [told for line in path.read_text().splitlines() if "event" in (told := json.loads(line))]


def check_merge_two_lab_machines() -> None:
    """Both send each 10 ms; one clock is set while it records."""
    with tempfile.TemporaryDirectory() as folder:
        at = Path(folder)
        true = {name: machine(at, name) for name in MACHINES}
        lines, told = Desk(folder).merge(*MACHINES)
        want = []
        for i, name in enumerate(MACHINES):
            equal(f"{name} is 1000 s ahead", abs(true[name] - 1000 * 10**9) < MS, True)
            want += [(e["ts_ns"] + true[name], i, e["seq"]) for e in raw(at / name)]
        got = [(e["tai_ns"], e["log"], e["seq"]) for e in lines if "event" in e]
        equal("each event once", (len(got), sorted(e[1:] for e in got)), (600, sorted(w[1:] for w in want)))
        # The clocks were read one after the other: 1 us more or less.
        far = max(
            abs(g[0] - w[0])
            for g, w in zip(sorted(got, key=lambda g: g[1:]), sorted(want, key=lambda w: w[1:]))
        )
        equal(f"times are true to {far} ns", far < 1000, True)
        equal("in order", [g[0] for g in got], sorted(g[0] for g in got))
        mixed = sum(a[1] != b[1] for a, b in zip(got, got[1:]))
        equal(f"{mixed} changes from one log to the other", mixed > 300, True)
        steps = [one["steps_ns"] for one in told["logs"]]
        equal("steps", (steps[0], [round(s / MS) for s in steps[1]]), ([], [-250]))
        # 1 and 3 ms, and what 4 s without a server add to each: 500 us a second.
        bound = told["order_error_ns"]
        equal(f"a bound of {bound} ns", 4 * MS <= bound <= 4 * MS + 2 * 5 * MS // 2, True)
        equal("machines", {m["machine"] for m in told["logs"]}, {0, 1})
