# SPDX-License-Identifier: GPL-2.0
"""The clock lines of wlinkctl record, from clocks and an adjtimex() that are known.

Clocks are read eight times, MONOTONIC, TAI, MONOTONIC, so that the clocks go on by 24 reads.
"""

import errno
import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from harness import Checks

# Of <sys/timex.h>.
STA_PLL, STA_UNSYNC, STA_CLOCKERR, STA_NANO = 0x1, 0x40, 0x1000, 0x2000
TIME_OK, TIME_INS, TIME_ERROR = 0, 1, 5
S = 10**9

Said = tuple[list[dict[str, Any]], list[int], int]


class Clocks:
    """seetool clock under ASan."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __call__(self, *lines: str) -> Said:
        """(clock lines, offsets of events after each write, status)"""
        done = subprocess.run(
            [self.path, "clock"], input="\n".join(lines) + "\n", text=True, capture_output=True, check=False
        )
        out = done.stdout.splitlines()
        told = [json.loads(line)["clock"] for line in out if line.startswith("{")]
        return told, [int(line) for line in out if not line.startswith("{")], done.returncode


def read(
    mono: int,
    ahead: int,
    cost: int = 0,
    state: int = TIME_OK,
    status: int = STA_PLL | STA_NANO,
    tai: int = 37,
) -> str:
    """One look at clocks: 1500 to go, 9 us at most, 2 us likely."""
    return f"read {mono} {cost} {ahead} {state} {status} 1500 9 2 {tai}"


def check_line(checks: Checks, clocks: Clocks) -> None:
    told, offsets, status = clocks(read(5 * S, 37 * S), f"write {5 * S}")
    boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    want: dict[str, Any] = {
        "mono_ns": 5 * S,
        "tai_ns": 42 * S,
        "uncertainty_ns": 0,
        "synchronised": True,
        "ntp_offset_ns": 1500,
        "maxerror_ns": 9000,
        "esterror_ns": 2000,
        "status": STA_PLL | STA_NANO,
        "state": "ok",
        "tai_utc_s": 37,
        "tai_utc_set": True,
        "host": os.uname().nodename,
        "boot": boot,
    }
    checks.equal("first clock line", (told, offsets, status), ([want], [37 * S], 0))
    checks.equal("order of its fields", list(told[0]), list(want))
    told, _, _ = clocks(read(S, 0), read(2 * S, 0), f"write {2 * S}")
    checks.equal("only the first line names the machine", ["boot" in one for one in told], [True, False])


def check_bracket(checks: Checks, clocks: Clocks) -> None:
    """Reads of 100 ns: MONOTONIC at 1000 and 1200, TAI at 1100."""
    told, _, _ = clocks(read(1000, 37 * S, cost=100), "write 2000")
    got = [told[0][name] for name in ("mono_ns", "tai_ns", "uncertainty_ns")]
    checks.equal("the middle, and half of what it took", got, [1100, 37 * S + 1100, 100])
    # 7 + 7 ns: half is 7; 1 + 1 is exact; an odd bracket is rounded up.
    rows = [(7, 7), (1, 1), (0, 0)]
    for cost, half in rows:
        told, _, _ = clocks(read(1000, 5, cost=cost), "write 2000")
        true = told[0]["tai_ns"] - told[0]["mono_ns"] - 5
        checks.equal(
            f"uncertainty of reads of {cost} ns", (told[0]["uncertainty_ns"], abs(true) <= half), (half, True)
        )


def check_states(checks: Checks, clocks: Clocks) -> None:
    """(result of adjtimex, flags, is it right?)"""
    rows = [
        (TIME_OK, STA_NANO, "ok", True),
        (TIME_INS, STA_NANO | STA_PLL, "ins", True),
        (TIME_ERROR, STA_NANO | STA_UNSYNC, "error", False),
        (TIME_OK, STA_NANO | STA_UNSYNC, "ok", False),
        (TIME_ERROR, STA_NANO, "error", False),
        (TIME_OK, STA_NANO | STA_CLOCKERR, "ok", False),
        (9, STA_NANO, "unknown", True),
    ]
    for result, flags, word, good in rows:
        told, _, _ = clocks(read(S, 0, state=result, status=flags), f"write {S}")
        got = told[0]["state"], told[0]["status"], told[0]["synchronised"]
        checks.equal(f"state {result}, flags {flags:#x}", got, (word, flags, good))
    told, _, _ = clocks(read(S, 0, status=STA_PLL, tai=0), f"write {S}")
    state = [told[0][name] for name in ("ntp_offset_ns", "maxerror_ns", "tai_utc_s", "tai_utc_set")]
    checks.equal("an offset in us, no word of TAI", state, [1_500_000, 9000, 0, False])
    told, _, _ = clocks(f"refused {errno.EPERM}", read(S, 3), f"write {S}")
    known = {name: told[0][name] for name in ("mono_ns", "tai_ns", "synchronised", "adjtimex")}
    want = {"mono_ns": S, "tai_ns": S + 3, "synchronised": False, "adjtimex": "Operation not permitted"}
    checks.equal("who may not ask", known, want)
    checks.equal("nothing is made up then", "maxerror_ns" in told[0], False)


def check_steps(checks: Checks, clocks: Clocks) -> None:
    """Only what the readings cannot hide is a step, and events follow it."""
    told, offsets, _ = clocks(
        read(S, 37 * S), read(2 * S, 37 * S), read(3 * S, 36 * S), read(4 * S, 36 * S + 1),
        f"write {2 * S + 1}", f"write {3 * S}", f"write {4 * S - 1}", f"write {4 * S}",
    )  # fmt: skip
    checks.equal("steps", [one.get("step_ns") for one in told], [None, None, -S, 1])
    checks.equal("offset of events", offsets, [37 * S, 36 * S, 36 * S, 36 * S + 1])
    # Twice 100 ns on either side: 200 ns may be the readings, 201 ns are not.
    for ahead, step in ((200, None), (201, 201), (0, None)):
        told, _, _ = clocks(read(S, 0, cost=100), read(2 * S, ahead, cost=100), f"write {9 * S}")
        checks.equal(f"a change of {ahead} ns", told[1].get("step_ns"), step)
    told, offsets, _ = clocks(read(S, 7), "write 0", read(2 * S, 5), "write 0")
    checks.equal("what waits is not written, events have the first offset", (told, offsets), ([], [7, 7]))


def check_backlog(checks: Checks, clocks: Clocks) -> None:
    told, _, status = clocks(*(read(n * S, 37 * S) for n in range(1, 101)), f"write {1000 * S}")
    seconds = [one["mono_ns"] // S for one in told]
    checks.equal("64 lines wait, not more", (status, seconds), (0, list(range(1, 65))))
    lines = []
    for n in range(1, 201):
        lines += [read(n * S, 37 * S), *([f"write {n * S}"] if n % 50 == 0 else [])]
    told, _, _ = clocks(*lines)
    checks.equal("200 lines in four rounds", [one["mono_ns"] // S for one in told], list(range(1, 201)))


@pytest.fixture
def clocks(build: Path) -> Clocks:
    return Clocks(build / "tests/plugin/seetool")
