# SPDX-License-Identifier: GPL-2.0
"""How full the buffer of each bearer is over time, from the event log.

Each SDU's event says when it came and how many SDUs were then in the buffer, itself included.
Those of tm and um leave it with their last bit, which their event has, too. Those of am, fsr
and asr leave when they are acknowledged, which no event has: not before they are delivered and
the way back has passed, and as many between two arrivals as the counts at these say. So the steps
are true at each arrival, and between two of them no later than the next.
"""

import heapq
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field

from .why import ARRIVAL, BEARER, DELIVER, DROP, LINK

BYTES, END, BUFFER = 8, 14, 21
NEVER = 1 << 63


@dataclass(frozen=True)
class Stay:
    """A SDU in a buffer; times in ns, NEVER where it is still there at the end."""

    arrival: int
    found: int
    bytes: int
    sent: int
    delivered: int


@dataclass
class Steps:
    """Occupancy from each of these times on: SDUs, and their bytes."""

    t_s: list[float] = field(default_factory=lambda: [0.0])
    sdus: list[int] = field(default_factory=lambda: [0])
    bytes: list[int] = field(default_factory=lambda: [0])


def stays(lines: Iterable[list[str]], link: str) -> dict[int, list[Stay]]:
    """By bearer, in the order of arrival."""
    out: dict[int, list[Stay]] = {}
    for words in lines:
        if words[LINK] != link or words[BUFFER] == "0":
            continue
        sent, delivered = int(words[END]), int(words[DELIVER])
        if words[DROP] == "flush":
            sent = delivered = NEVER
        elif words[DROP] != "none":
            delivered = sent
        one = Stay(int(words[ARRIVAL]), int(words[BUFFER]), int(words[BYTES]), sent, delivered)
        out.setdefault(int(words[BEARER]), []).append(one)
    for some in out.values():
        # Of those that come at one time, the one that finds fewer comes first.
        some.sort(key=lambda s: (s.arrival, s.found))
    return dict(sorted(out.items()))


def leave_when_sent(some: list[Stay]) -> list[int] | None:
    """When each leaves, if that is when it is sent: then all have found what they must have."""
    ends = sorted(s.sent for s in some)
    for i, s in enumerate(some, 1):
        # Of those that leave at this very time, some may have been before it.
        if not i - bisect_right(ends, s.arrival) <= s.found <= i - bisect_left(ends, s.arrival):
            return None
    return [s.sent for s in some]


def leave_when_acknowledged(some: list[Stay], back_ns: int, end_ns: int, left: int | None) -> list[int]:
    """When each leaves at the earliest, and so many of them that all find what they have found.

    left is how many are there at the end, where that is known.
    """
    out = [NEVER] * len(some)
    ready: list[tuple[int, int]] = []
    # One that was found is there at that time.
    gone, before = 0, -1
    for i, s in enumerate(some):
        while ready and gone < i + 1 - s.found:
            t, which = heapq.heappop(ready)
            out[which] = min(max(t, before + 1), s.arrival)
            gone += 1
        before = s.arrival
        heapq.heappush(ready, (min(s.delivered + back_ns, NEVER), i))
    gone_by_the_end = len(some) - left if left is not None else len(some)
    while ready and gone < gone_by_the_end:
        t, which = heapq.heappop(ready)
        out[which] = max(t, before + 1) if left is None else min(max(t, before + 1), end_ns)
        gone += 1
    return out


def steps(some: list[Stay], leave: list[int], end_ns: int) -> Steps:
    """All changes, one line for those of one time."""
    changes = [(s.arrival, 1, s.bytes) for s in some]
    changes += [(t, -1, -s.bytes) for s, t in zip(some, leave) if t <= end_ns]
    out, sdus, size = Steps(), 0, 0
    for t, more, more_bytes in sorted(changes):
        sdus, size = sdus + more, size + more_bytes
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
    lines: Iterable[list[str]], link: str, back_ns: int, end_ns: int, left: int | None
) -> dict[int, Steps]:
    """Of each bearer of a link; left is of one that has no others beside it."""
    out = {}
    have = stays(lines, link)
    for bearer, some in have.items():
        leave = leave_when_sent(some)
        if leave is None:
            known = left if len(have) == 1 else None
            leave = leave_when_acknowledged(some, back_ns, end_ns, known)
        out[bearer] = steps(some, leave, end_ns)
    return out
