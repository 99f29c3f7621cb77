# SPDX-License-Identifier: GPL-2.0
"""wlinkctl record and top: what they show is what the link has counted."""

import json
from collections.abc import Callable

from lab import HERE, expect, wlab

# Its cases do not use each other's results.
APART = True


def guest(script: str, name: str, *words: str) -> Callable[[], str]:
    """A case that a script runs inside the lab kernel."""

    def case() -> str:
        file = str(HERE / f"record/{script}_guest.py")
        called = wlab("exec", "--", "/usr/bin/python3", "-ISB", file, name, *words)
        expect(called.status == 0, f"{called.out[-2000:]}\n{called.err[-2000:]}")
        return called.out.strip()

    return case


def check_record_the_link_does_not_notice() -> str:
    """Two boots, the same packets at the same times, one of them recorded."""
    alone, recorded = (guest("record", "undisturbed", *words)() for words in ((), ("RECORD",)))
    expect(alone == recorded, f"{alone}\n{recorded}")
    told = json.loads(alone)
    expect(told["sdus_delivered"] > 500 and told["pdus_retx"] > 500, alone)
    return f"{told['sdus_delivered']} delivered, {len(told)} counters the same to the ns"


CASES: dict[str, Callable[[], str]] = {
    "record, every SDU and sum": guest("record", "counters"),
    "record, opportunities and schedules": guest("record", "schedule"),
    "record, ways to end": guest("record_files", "ends"),
    "record, lines that were not made": guest("record_files", "left"),
    "record, full disk": guest("record_files", "full"),
    "record, lost events": guest("record", "lost"),
    "record, a reader that does not read": guest("record", "unread"),
    "record, clock lines": guest("record", "clocks"),
    "record, a clock that is set": guest("record", "step"),
    "record, raw": guest("record", "raw"),
    "record, namespaces and refusals": guest("record", "namespace"),
    "top, every interval and sum": guest("top", "numbers"),
    "top, on a terminal": guest("top", "live"),
    "top, stopped and continued": guest("top", "stopped"),
}
