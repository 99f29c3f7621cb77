# SPDX-License-Identifier: GPL-2.0
"""Which cells of rate, size and method are measured, and for how many packets."""

from typing import Any

Cell = dict[str, Any]

METHODS = ("wlink", "netem", "tbf")
SIZES = (25, 100, 200, 1000, 1500)
SECONDS = 600
# How often an unfinished phase says what it has: in virtual time that is soon over.
INTERIM_S = {"lab": 300, "vm": 60}
# With 3 and 7 beside the powers of ten, of which all times are whole ns.
RATES = tuple(
    m * 10**e for e in range(3, 10) for m in (1, 3, 7)
) + (10**10,)
MARKS = 100
# tbf's manual: a bucket of what comes in one tick, rate / HZ; Debian has HZ 250. In
# the lab, where no timer is late by more than 0.5 us, 0.1 ms is plenty.
VM_HZ = 250
LAB_HZ = 10_000


def cell(method: str, rate: int, size: int, seconds: float, most: int, hz: int = VM_HZ) -> Cell:
    """A cell; most bounds its packets, where that many seconds would take too many."""
    burst = max(2 * size, rate // 8 // hz) if method == "tbf" else 0
    per_s = rate / 8 / size
    # A full bucket goes first; the feeder gives it twice the rate until it is used.
    first = 3 * burst // size + 2
    # Seconds of it, for who feeds it may be late on a machine with other work.
    backlog = int(min(1000, max(8, per_s * 5)))
    wanted = min(int(seconds * per_s), most)
    marks = max(1, min(MARKS, wanted))
    every = max(1, wanted // marks)
    return {
        "method": method,
        "rate": rate,
        "size": size,
        "burst": burst,
        "first": first,
        "every": every,
        "packets_wanted": first + marks * every + 1,
        "backlog": backlog,
        "period_ns": max(1000, int(backlog / 2 / per_s * 1e9)),
        "bounded": wanted < int(seconds * per_s),
    }


def grid(
    rates: tuple[int, ...], sizes: tuple[int, ...], seconds: float, most: int, hz: int = VM_HZ
) -> list[Cell]:
    return [cell(m, rate, size, seconds, most, hz) for rate in rates for size in sizes for m in METHODS]


def packets_per_s(rate: int, size: int) -> float:
    return rate / 8 / size


def lab(full: bool, _: float) -> list[dict[str, Any]]:
    """Virtual time: all cells at once; the fast ones end early, at a number of packets."""
    if not full:
        rates = (10**3, 3 * 10**4, 7 * 10**5, 10**7, 7 * 10**9)
        return [{"seconds": SECONDS * 2, "cells": grid(rates, SIZES, SECONDS, 20000, LAB_HZ)}]
    whole, bound = 300_000, 10_000
    cells = []
    for rate in RATES:
        for size in SIZES:
            most = whole if packets_per_s(rate, size) * SECONDS <= whole else bound
            cells += grid((rate,), (size,), SECONDS, most, LAB_HZ)
    return [{"seconds": SECONDS * 2, "cells": cells}]


# Packets per second of a cell up to which it runs beside others in the VM for ten
# minutes, unless the caller knows how much the machine can carry.
VM_SLOW = 130
VM_FAST_SIZES = (100, 1500)
# What a packet takes at the least in the VM; marks are spaced for that.
VM_FASTEST = 50_000
SATURATING_S = 3
ENDLESS = 10**12


def vm(full: bool, most_per_s: float) -> list[dict[str, Any]]:
    """Real time: what is slow at once for ten minutes, what is fast one after the other."""
    if not full:
        return [{"seconds": 20, "cells": grid((10**4, 3 * 10**4), (100, 1500), 8, 10**9)}]
    slow = [(rate, size) for rate in RATES for size in SIZES if packets_per_s(rate, size) <= most_per_s]
    cells = [cell(m, rate, size, SECONDS, 10**9) for rate, size in slow for m in METHODS]
    phases = [{"seconds": SECONDS + 40, "cells": cells}]
    for rate in (10**6, 10**7, 10**8, 10**9, 10**10):
        for size in VM_FAST_SIZES:
            if (rate, size) not in slow:
                phases += [{"seconds": SATURATING_S, "cells": [saturating(m, rate, size)]} for m in METHODS]
    return phases


def saturating(method: str, rate: int, size: int) -> Cell:
    """A cell that goes as fast as the machine can, until time is over."""
    one = cell(method, rate, size, SATURATING_S, 10**9)
    every = max(1, int(min(packets_per_s(rate, size), VM_FASTEST) * SATURATING_S / MARKS))
    return {**one, "every": every, "packets_wanted": ENDLESS}
