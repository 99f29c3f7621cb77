# SPDX-License-Identifier: GPL-2.0
"""What top makes of two looks at statistics that are known."""

import json
import subprocess
from pathlib import Path
from typing import Any

import harness
import pytest
from harness import (
    AM,
    AQM,
    BYTES,
    CODEL,
    DROPTAIL,
    KIND,
    LIMIT,
    MODE,
    PACKETS,
    RED,
    SBD,
    TIME,
    UM,
    Checks,
    nest,
    u32,
    u64,
)

SDUS_IN, DELIVERED, BYTES_DELIVERED = "sdus_in", "sdus_delivered", "bytes_delivered"
OVERFLOW, CHANNEL_LOSS, RESET_DROPS = "drop_overflow", "drop_channel", "drop_reset"
REESTABLISH, AQM_DROPS, RETX = "drop_reestablish", "drop_aqm", "pdus_retx"
BUFFER_SDUS, BUFFER_BYTES = "buffer_sdus", "buffer_bytes"
RATE_NOW, GENERATION, AQM_STATE, AQM_LEVEL = "rate_bps", "generation", "aqm_state", "aqm_level"
PLAY_STATE, PLAY_STEPS, PLAY_STEP, PLAY_PASS = "play_state", "play_steps", "play_step", "play_pass"
TOTAL = 5

Bearer = tuple[int, bytes, bytes]
SECOND = 10**9


def stats(values: dict[str, int], bins: dict[int, int] | None = None) -> bytes:
    """What the kernel answers; the bins are those of the whole delay."""
    return harness.stats(None, {(TOTAL, at): count for at, count in (bins or {}).items()}, **values)


def options(mode: int = AM, limit: bytes = u32(PACKETS, 40), aqm: int = DROPTAIL) -> bytes:
    return u32(MODE, mode) + nest(LIMIT, limit) + nest(AQM, u32(KIND, aqm))


class Top:
    """seetool top under ASan."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __call__(
        self,
        before: list[Bearer],
        now: list[Bearer],
        width: int = 0,
        height: int = 0,
        at: tuple[int, int] = (SECOND, 2 * SECOND),
    ) -> tuple[dict[str, Any], list[str]]:
        words = [str(width), str(height), str(at[0])]
        words += [text for b in before for text in (f"{b[0]:x}", b[1].hex() or "-", b[2].hex() or "-")]
        words += ["/", str(at[1])]
        words += [text for b in now for text in (f"{b[0]:x}", b[1].hex() or "-", b[2].hex() or "-")]
        done = subprocess.run([self.path, "top", *words], text=True, capture_output=True, check=False)
        lines = done.stdout.split("\n")
        if done.returncode or done.stderr or not lines:
            raise RuntimeError(done.stderr)
        return json.loads(lines[0]), [line[:-1] for line in lines[1:-1]]


OLD = {
    SDUS_IN: 1000,
    DELIVERED: 900,
    BYTES_DELIVERED: 900000,
    OVERFLOW: 60,
    CHANNEL_LOSS: 5,
    RETX: 7,
    AQM_DROPS: 3,
}
NEW = {
    SDUS_IN: 1300,
    DELIVERED: 1000,
    BYTES_DELIVERED: 1025000,
    OVERFLOW: 62,
    CHANNEL_LOSS: 5,
    RETX: 207,
    AQM_DROPS: 10,
    BUFFER_SDUS: 30,
    BUFFER_BYTES: 45000,
    RATE_NOW: 384000,
    GENERATION: 12,
    AQM_STATE: 2,
    AQM_LEVEL: 25,
    PLAY_STATE: 3,
    PLAY_STEPS: 200,
    PLAY_STEP: 50,
    PLAY_PASS: 4,
}


def check_numbers(checks: Checks, top: Top) -> None:
    # 1000 SDUs of long ago in a high bin say nothing about this interval.
    before = [(1, options(aqm=SBD), stats(OLD, {30: 1000, 21: 5}))]
    now = [(1, options(aqm=SBD), stats(NEW, {30: 1000, 21: 95, 24: 10}))]
    said, lines = top(before, now, at=(SECOND, 3 * SECOND))
    reasons = "overflow channel slots flush maxdat timer reset reestablish aqm segment forward"
    zero = dict.fromkeys(reasons.split(), 0)
    want = {
        "dev": "lo",
        "handle": "1:",
        "bearer": 1,
        "mode": "am",
        "rate_bps": 384000,
        "generation": 12,
        "sdus_delivered": 100,
        "bytes_delivered": 125000,
        "delivered_bps": 500000.0,
        "buffer_sdus": 30,
        "buffer_bytes": 45000,
        "limit": {"packets": 40},
        "full": 0.75,
        "aqm": {"kind": "sbd", "state": "hold", "level": 25},
        # 100 SDUs: 90 from 2^20 on, 10 from 2^23 on; each bin is as wide as that.
        "delay": {
            "p50_ns": 2**20 + 2**20 * 50 // 90,
            "p95_ns": 2**23 + 2**22,
            "p99_ns": 2**23 + 2**23 * 9 // 10,
        },
        "drops": zero | {"overflow": 2, "aqm": 7},
        "drops_per_s": zero | {"overflow": 1.0, "aqm": 3.5},
        "pdus_retx": 200,
        "retx_per_s": 100.0,
        "play": {"state": "plays", "step": 50, "steps": 200, "pass": 4},
    }
    checks.equal("numbers of an interval", said["bearers"], [want])
    checks.equal("its time", (said["time_ns"], said["interval_ns"]), (3 * SECOND, 2 * SECOND))
    checks.equal(
        "the same as a table",
        [" ".join(line.split()) for line in lines],
        [
            "N MODE RATE NOW SDUS BYTES FULL AQM P50 P95 P99 RETX PLAY DROPS/S",
            "lo 1:",
            "1 am 384k 500k 30 45.0k 75% sbd hold 1.6ms 13ms 16ms 100 25% overflow 1 aqm 3.5",
        ],
    )


def check_looks(checks: Checks, top: Top) -> None:
    """What was before, and what it makes of the interval's deliveries."""
    new, old, shape = stats(NEW, {21: 10}), stats(OLD, {21: 4}), options()
    higher = stats(NEW | {SDUS_IN: 9999}, {21: 50})
    rows: list[tuple[str, list[Bearer], int, int | None]] = [
        ("the same bearer", [(1, shape, old)], 100, 2**20 + 2**19),
        ("others before it", [(3, shape, higher), (2, shape, higher), (1, shape, old)], 100, 2**20 + 2**19),
        ("a bearer that is new", [(2, shape, old)], 1000, 2**20 + 2**19),
        ("a link in the place of another", [(1, shape, higher)], 1000, 2**20 + 2**19),
        ("a histogram that was halved", [(1, shape, stats(OLD, {21: 4, 22: 1}))], 100, None),
        ("a histogram without news", [(1, shape, stats(OLD, {21: 10}))], 100, None),
    ]
    for name, before, sdus, p50 in rows:
        said, _ = top(before, [(1, shape, new)])
        row = said["bearers"][0]
        checks.equal(f"looks: {name}", (row["sdus_delivered"], row["delay"]["p50_ns"]), (sdus, p50))
    said, lines = top([], [(1, shape, new)], at=(0, SECOND))
    checks.equal(
        "the first look has no interval", (said["interval_ns"], said["bearers"][0]["delivered_bps"]), (0, 0)
    )
    checks.equal(
        "it has dashes", lines[2].split()[3:4] + lines[2].split()[8:], ["-", "-", "-", "-", "-", "25%", "-"]
    )
    checks.equal("no link at all", top([], [])[1][1:], ["no wlink here"])


def check_limits(checks: Checks, top: Top) -> None:
    rows = [
        (u32(PACKETS, 120), {"packets": 120}, 0.25, "25%"),
        (u32(BYTES, 90000), {"bytes": 90000}, 0.5, "50%"),
        # 384 kbit/s for 1.25 s are 60000 bytes.
        (u64(TIME, 1250000000), {"time_ns": 1250000000}, 0.75, "75%"),
    ]
    for limit, words, full, text in rows:
        said, lines = top([], [(1, options(limit=limit), stats(NEW))])
        row = said["bearers"][0]
        checks.equal(f"limit {words}", (row["limit"], row["full"], lines[2].split()[6]), (words, full, text))


def check_states(checks: Checks, top: Top) -> None:
    rows: list[tuple[int, int, int, str]] = [
        (DROPTAIL, 0, 0, "droptail"),
        (RED, 0, 12345, "red 12.3"),
        (RED, 0, 45678901, "red 45.7k"),
        (SBD, 0, 0, "sbd idle"),
        (SBD, 1, 20, "sbd meas"),
        (CODEL, 0, 0, "codel idle"),
        (CODEL, 1, 3, "codel drop"),
    ]
    for kind, state, level, text in rows:
        values = NEW | {AQM_STATE: state, AQM_LEVEL: level}
        _, lines = top([], [(1, options(aqm=kind), stats(values))], at=(0, 1))
        begin = lines[0].index("AQM")
        checks.equal(f"AQM {text}", lines[2][begin : lines[0].index("P50")].rstrip(), text)
    for state, text in ((0, "-"), (1, "loaded"), (2, "waits"), (3, "25%"), (4, "holds")):
        _, lines = top([], [(1, options(), stats(NEW | {PLAY_STATE: state}))], at=(0, 1))
        checks.equal(f"schedule {text}", lines[2].split()[-2], text)


def check_numbers_text(checks: Checks, top: Top) -> None:
    """Three digits, at most five characters."""
    for value, text in (
        (0, "0"),
        (1, "1"),
        (999, "999"),
        (1000, "1.00k"),
        (9994, "9.99k"),
        (9996, "10.0k"),
        (99949, "99.9k"),
        (99951, "100k"),
        (999499, "999k"),
        (999500, "1.00M"),
        (123456789, "123M"),
        (10**11, "100G"),
    ):
        _, lines = top([], [(1, options(), stats({RATE_NOW: value}))])
        checks.equal(f"{value} in short", lines[2].split()[2], text)
    for drops, text in ((1, "0.3"), (3, "1"), (100, "33.3"), (29, "9.7"), (4000, "1.33k")):
        _, lines = top([(1, b"", stats({}))], [(1, b"", stats({OVERFLOW: drops}))], at=(1, 1 + 3 * SECOND))
        checks.equal(f"{drops} drops in 3 s", lines[2].split()[-1], text)


def check_width(checks: Checks, top: Top) -> None:
    """At 80 columns all is there, the reasons with fewer letters."""
    many = {OVERFLOW: 12345, CHANNEL_LOSS: 17, RESET_DROPS: 3, REESTABLISH: 4, AQM_STATE: 1}
    now = [(n, options(UM, aqm=CODEL), stats(NEW | many, {25: 9})) for n in range(1, 30)]
    before = [(n, options(UM, aqm=CODEL), stats(OLD)) for n in range(1, 30)]
    _, wide = top(before, now)
    checks.true(
        "all names", wide[2].endswith("overflow 12.3k channel 12 reset 3 reestablish 4 aqm 7"), wide[2]
    )
    _, lines = top(before, now, 80, 24)
    checks.true("no line is wider than the terminal", max(len(line) for line in lines) <= 80, lines[2])
    checks.equal("no more lines than the terminal has", len(lines), 24)
    checks.equal("the last one tells of the rest", lines[-1], "and 8 more bearers")
    checks.true("short names", lines[2].endswith(" ove12.3k+"), lines[2])
    checks.true("no bearer sends again", "RETX" not in lines[0] and "PLAY" in lines[0], lines[0])
    quiet = stats(NEW | many | {PLAY_STATE: 0}, {25: 9})
    _, lines = top(before[:1], [(1, options(aqm=CODEL), quiet)], 80, 24)
    checks.true("no schedule", "RETX" in lines[0] and "PLAY" not in lines[0], lines[0])
    checks.true("more room for reasons", lines[2].endswith(" ove12.3k cha12+"), lines[2])
    _, lines = top(before[:1], [(1, options(UM, aqm=SBD), stats(NEW, {25: 9}))], 80, 24)
    checks.true("a usual line fits", lines[2].endswith("overflow 2 aqm 7") and len(lines[2]) <= 80, lines[2])
    for width in range(1, 200, 23):
        for height in (1, 2, 3, 5, 33):
            _, lines = top(before, now, width, height)
            if len(lines) > height or max(len(line) for line in lines) > width:
                checks.equal(f"{width} x {height}", lines, [])


@pytest.fixture
def top(build: Path) -> Top:
    return Top(build / "tests/plugin/seetool")
