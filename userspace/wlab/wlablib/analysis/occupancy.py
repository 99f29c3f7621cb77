# SPDX-License-Identifier: GPL-2.0
"""The occupancy of each bearer's buffer over time, from the event log.

Each SDU's event has its arrival and how many SDUs were in the buffer then, itself included.
SDUs of tm and um leave with their last bit, whose time their event has, delivered or lost; of one that is
on its way when the run ends, it is the time when the next one begins. Those of am, fsr
and asr leave when they are acknowledged, which no event records: not before their delivery plus
the delay of the reverse path, and so many between two arrivals as the counts there imply. The steps
are exact at each arrival, and between two arrivals at most one interval late.
"""

import heapq
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace

from .why import ARRIVAL, BEARER, DELIVER, DROP, LINK

BYTES, START, END, BUFFER = 8, 13, 14, 21
NEVER = 1 << 63


@dataclass(frozen=True)
class Stay:
    """An SDU in a buffer; times in ns, NEVER if it is still there at the end."""

    arrival: int
    found: int
    bytes: int
    sent: int
    delivered: int
    # When its first bit was sent, -1 if none was.
    start: int


@dataclass
class Steps:
    """The occupancy from each of these times on, in SDUs and bytes."""

    t_s: list[float] = field(default_factory=lambda: [0.0])
    sdus: list[int] = field(default_factory=lambda: [0])
    bytes: list[int] = field(default_factory=lambda: [0])


def stays(
    lines: Iterable[list[str]], links: Collection[str], end_ns: int
) -> dict[str, dict[int, list[Stay]]]:
    """The SDUs of each of these links by bearer, in the order of arrival."""
    out: dict[str, dict[int, list[Stay]]] = {link: {} for link in links}
    for words in lines:
        if words[LINK] not in out or words[BUFFER] == "0":
            continue
        sent, delivered = int(words[END]), int(words[DELIVER])
        if words[DROP] == "flush":
            # What is there at the end ends then; before it, it was dropped, or sent and lost.
            sent, delivered = sent if sent < end_ns else NEVER, NEVER
        elif words[DROP] != "none":
            delivered = sent
        arrival, found, size, start = (int(words[i]) for i in (ARRIVAL, BUFFER, BYTES, START))
        stay = Stay(arrival, found, size, sent, delivered, start)
        out[words[LINK]].setdefault(int(words[BEARER]), []).append(stay)
    for bearer_stays in (some for bearers in out.values() for some in bearers.values()):
        # Of simultaneous arrivals, the one that finds fewer SDUs is first.
        bearer_stays.sort(key=lambda s: (s.arrival, s.found))
        for i, (one, after) in enumerate(zip(bearer_stays, bearer_stays[1:])):
            if one.sent == NEVER and after.start >= 0:
                bearer_stays[i] = replace(one, sent=after.start)
    return {link: dict(sorted(bearers.items())) for link, bearers in out.items()}


def leave_when_sent(stays_: list[Stay]) -> list[int] | None:
    """The times of leaving if SDUs leave when sent; None if the recorded counts contradict that."""
    ends = sorted(s.sent for s in stays_)
    for i, s in enumerate(stays_, 1):
        # SDUs that leave at the time of an arrival may leave before or after it.
        if not i - bisect_right(ends, s.arrival) <= s.found <= i - bisect_left(ends, s.arrival):
            return None
    return [s.sent for s in stays_]


def leave_when_acknowledged(stays_: list[Stay], back_ns: int, end_ns: int, left: int | None) -> list[int]:
    """The earliest times of leaving that agree with the counts that all arrivals recorded.

    `left` is the number of SDUs in the buffer at the end, if known.
    """
    out = [NEVER] * len(stays_)
    ready: list[tuple[int, int]] = []
    # An SDU that an arrival has counted leaves later than that arrival.
    departed, before = 0, -1
    for i, s in enumerate(stays_):
        while ready and departed < i + 1 - s.found:
            t, which = heapq.heappop(ready)
            out[which] = min(max(t, before + 1), s.arrival)
            departed += 1
        before = s.arrival
        heapq.heappush(ready, (min(s.delivered + back_ns, NEVER), i))
    gone_by_the_end = len(stays_) - left if left is not None else len(stays_)
    while ready and departed < gone_by_the_end:
        t, which = heapq.heappop(ready)
        out[which] = max(t, before + 1) if left is None else min(max(t, before + 1), end_ns)
        departed += 1
    return out


def steps(stays_: list[Stay], leave: list[int], end_ns: int) -> Steps:
    """The steps of the occupancy; simultaneous changes are one step."""
    changes = [(s.arrival, 1, s.bytes) for s in stays_]
    changes += [(t, -1, -s.bytes) for s, t in zip(stays_, leave) if t <= end_ns]
    out, sdus, size = Steps(), 0, 0
    for t, change, byte_change in sorted(changes):
        sdus, size = sdus + change, size + byte_change
        if t / 1e9 == out.t_s[-1]:
            out.sdus[-1], out.bytes[-1] = sdus, size
            continue
        out.t_s.append(t / 1e9)
        out.sdus.append(sdus)
        out.bytes.append(size)
    out.t_s.append(end_ns / 1e9)
    out.sdus.append(sdus)
    out.bytes.append(size)
    return out


def occupancy(
    by_bearer: dict[int, list[Stay]], back_ns: int, end_ns: int, left: int | None
) -> dict[int, Steps]:
    """The occupancy of each bearer of a link; `left` applies if there is one bearer only."""
    out = {}
    for bearer, stays_ in by_bearer.items():
        leave = leave_when_sent(stays_)
        if leave is None:
            known = left if len(by_bearer) == 1 else None
            leave = leave_when_acknowledged(stays_, back_ns, end_ns, known)
        out[bearer] = steps(stays_, leave, end_ns)
    return out
