# SPDX-License-Identifier: GPL-2.0
"""Lines for `wlinkctl batch -`, a transaction each, at a steady pace.

    storm_feed.py DEVICE COUNT A_SECOND [AT_ONCE [calm]]

Rates, limits and AQMs of bearers 1 and 2 go up and down, one bearer or both at once;
with calm no limit and no AQM is such that it drops.
"""

import sys
import time

RATES = (64, 128, 256, 384, 1000, 2000, 384, 128)
LIMITS = (40, 60, 30, 100, 25, 50)
CALM_LIMITS = (1000, 2000, 1500)
AQMS = (
    "aqm droptail",
    "aqm red minth 10 maxp 0.1",
    "aqm red minth 5 maxp 0.3 gentle on maxth 15 from tail",
    "aqm sbd minth 10 tr 200ms alpha 3",
    "aqm codel target 500ms interval 1s",
    "aqm sbd minth 15 tr 1300ms alpha 5 ecn on",
)
CALM_AQMS = (
    "aqm droptail",
    "aqm red minth 900 maxp 0.1",
    "aqm sbd minth 800 tr 200ms alpha 3",
    "aqm codel target 1000s interval 1000s",
)


def words(n: int, calm: bool = False) -> str:
    """What the n-th transaction sets."""
    limits, aqms = (CALM_LIMITS, CALM_AQMS) if calm else (LIMITS, AQMS)
    rate = f"rate {RATES[n % len(RATES)]}kbit"
    other = f"rate {RATES[(n * 3 + 1) % len(RATES)]}kbit"
    limit = f"limit {limits[n // 3 % len(limits)]}"
    aqm = f"profile none {aqms[n // 7 % len(aqms)]}"
    follow = aqm if calm else "profile sbd-3g"
    return (
        f"bearer 1 {rate}",
        f"bearer 2 {rate}",
        f"bearer 1 {rate} {limit} bearer 2 {other}",
        f"bearer 2 {other} {aqm} {limit}",
        f"bearer 1 {rate} bearer 2 {other} {limit} {aqm}",
        f"bearer 1 {follow} {rate}",
        f"bearer 1 {rate} {aqm}",
        f"{rate} {limit}",
    )[n % 8]


def main() -> None:
    device = sys.argv[1]
    count, pace, at_once = (int(word) for word in (*sys.argv[2:5], "1")[:3])
    calm = sys.argv[5:] == ["calm"]
    begin = time.monotonic_ns()
    for n in range(0, count, at_once):
        print("".join(f"set {device} {words(k, calm)}\n" for k in range(n, n + at_once)), end="", flush=True)
        pause = begin + (n + at_once) * 1_000_000_000 // pace - time.monotonic_ns()
        if pause > 0:
            time.sleep(pause / 1e9)


if __name__ == "__main__":
    main()
