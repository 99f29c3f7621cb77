# SPDX-License-Identifier: GPL-2.0
"""wlinkctl record and top: what they show is what the link has counted."""

import json
from collections.abc import Callable
from typing import Any

from lab import HERE, expect, wlab


def guest(script: str, name: str, *words: str) -> Callable[[], str]:
    """A case that a script runs inside the lab kernel."""

    def case() -> str:
        file = str(HERE / f"{script}_guest.py")
        called = wlab("exec", "--", "/usr/bin/python3", "-ISB", file, name, *words)
        expect(called.status == 0, f"{called.out[-2000:]}\n{called.err[-2000:]}")
        return called.out.strip()

    return case


# The lab's clock moves 1 ns with each look at it, and a kernel that records looks more
# often: a packet comes some ns later, and waits so much less for its TTI.
LOOKS_NS = 20


def differ(alone: dict[str, Any], recorded: dict[str, Any], within: dict[str, float]) -> list[str]:
    """The counters that are not the same; those in within may differ by so much."""
    found = []
    for name, value in alone.items():
        other = recorded.get(name)
        if isinstance(value, dict) and isinstance(other, dict):
            inner = {key[len(name) + 1 :]: far for key, far in within.items() if key.startswith(f"{name}.")}
            found += [f"{name}.{one}" for one in differ(value, other, inner)]
        elif other != value and not (name in within and abs(other - value) <= within[name]):
            found.append(f"{name} {value} alone, {other} recorded")
    return found + [f"{name} only recorded" for name in recorded.keys() - alone.keys()]


def undisturbed() -> str:
    """Two boots, the same packets at the same times, one of them recorded."""
    alone, recorded = (json.loads(guest("record", "undisturbed", *words)()) for words in ((), ("RECORD",)))
    far = LOOKS_NS * alone["sdus_delivered"]
    found = differ(alone, recorded, dict.fromkeys(("queue_ns", "why.queue.sum_ns", "why.total.sum_ns"), far))
    expect(not found, "; ".join(found))
    expect(alone["sdus_delivered"] > 500 and alone["pdus_retx"] > 500, str(alone))
    moved = abs(alone["queue_ns"] - recorded["queue_ns"]) / alone["sdus_delivered"]
    return f"{alone['sdus_delivered']} delivered, {len(alone)} counters the same, arrivals to {moved:.1f} ns"


CASES: dict[str, Callable[[], str]] = {
    "record, every SDU and sum": guest("record", "counters"),
    "record, opportunities and schedules": guest("record", "schedule"),
    "record, ways to end": guest("record", "ends"),
    "record, full disk": guest("record", "full"),
    "record, lost events": guest("record", "lost"),
    "record, a reader that does not read": guest("record", "unread"),
    "record, clock lines": guest("record", "clocks"),
    "record, a clock that is set": guest("record", "step"),
    "record, the link does not notice": undisturbed,
    "record, raw": guest("record", "raw"),
    "record, namespaces and refusals": guest("record", "namespace"),
    "top, every interval and sum": guest("top", "numbers"),
    "top, on a terminal": guest("top", "live"),
    "top, stopped and continued": guest("top", "stopped"),
}
