# SPDX-License-Identifier: GPL-2.0
"""wlinkctl record and top: what they show is what the link has counted."""

from collections.abc import Callable

from lab import HERE, expect, wlab


def guest(script: str, name: str) -> Callable[[], str]:
    """A case that a script runs inside the lab kernel."""

    def case() -> str:
        called = wlab("exec", "--", "/usr/bin/python3", "-ISB", str(HERE / f"{script}_guest.py"), name)
        expect(called.status == 0, f"{called.out[-2000:]}\n{called.err[-2000:]}")
        return called.out.strip()

    return case


CASES: dict[str, Callable[[], str]] = {
    "record, every SDU and sum": guest("record", "counters"),
    "record, opportunities and schedules": guest("record", "schedule"),
    "record, ways to end": guest("record", "ends"),
    "record, full disk": guest("record", "full"),
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
