# SPDX-License-Identifier: GPL-2.0
"""What became of the packets of a run, and what its links could carry: wlab-results(5) defines both.

Packets here have payload and go the way of their flow's data. The code is hashed, see inputs.py.
"""

import re
from bisect import bisect_right, insort
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from functools import cached_property
from math import fsum
from pathlib import Path
from typing import Any, NamedTuple

from ..lib.files import read_large
from ..lib.paths import LabError
from ..lib.units import UNLIMITED_BPS
from . import resultfile
from .packets import Number, rank

WIRED = "wired.down"
# Fates of packets besides the reasons of drops; one that is away has left a wlink, but not come to the next.
DELIVERED, FORWARDED, FLUSHED, HELD, AWAY = "none", "forward", "flush", "held", "away"
# What became of packets that are neither delivered nor dropped, in words.
TOLD = {HELD: "still there at the end", FORWARDED: "forwarded", AWAY: "on their way or lost behind a wlink"}
# The flow of packets in the log that no [[flow]] sends.
NO_FLOW = "-"
# The bearer of a cell's first user; bearer 1 is everyone's.
FIRST_USER = 2
# Later than any run, in ns.
NEVER = 1 << 63
# (ns, bit/s) from then on.
Steps = list[tuple[int, float]]

# The line of one SDU, and the one before it that says whether it is a copy; guest/log/event.c has the
# columns. One regular expression over the log takes a third of the time that splitting all lines would.
SDU = re.compile(
    rb"^(?:impaired(?:\t[^\t\n]+){6}\t(\d+)\n)?"
    rb"sdu\t(-?\d+)\t([^\t]+)\t([^\t]+)\tforth\t(\d+)\t\d+\t\d+\t(\d+)\t\d+\t\d+\t(\w+)"
    rb"\t(-?\d+)\t-?\d+\t(-?\d+)\t(-?\d+)\t(-?\d+)\t([1-9]\d*)\t",
    re.MULTILINE,
)
FLUSH = re.compile(rb"^sdu\t(-?\d+)\t([^\t]+)(?:\t[^\t]+){8}\tflush\t", re.MULTILINE)
RATE = re.compile(rb"^rate\t(-?\d+)\t([^\t]+)\t\d+\t(\d+)\t(\d+)\t(\d+)$", re.MULTILINE)
GRANT = re.compile(rb"^grant\t(-?\d+)\t([^\t]+)\t\d+\t\d+\t(\d+)\t", re.MULTILINE)
# In the column `impaired`: it is a copy that the link has made.
COPY = 2


class Packet(NamedTuple):
    """A packet on the last of the links that it has crossed; times in ns."""

    flow: str
    seq: int
    payload: int
    bytes: int
    link: str
    bearer: int
    arrival: int
    # When it was delivered, dropped or forwarded.
    end: int
    fate: str
    # When and where it arrived first.
    begin: int
    first: str


def sdus(log: bytes, links: dict[str, Any]) -> dict[str, list[Packet]]:
    """The packets of each flow on each link, without copies."""
    out: dict[str, list[Packet]] = defaultdict(list)
    dropped = flushes(log, links)
    for copy, at, link, flow, bearer, size, drop, arrival, end, deliver, seq, payload in SDU.findall(log):
        # Packets that arrive while the links are removed have end = arrival.
        if int(copy or 0) & COPY or (drop == b"flush" and arrival == end):
            continue
        name, where, fate, begin = flow.decode(), link.decode(), drop.decode(), int(arrival)
        left = int(deliver if fate == DELIVERED else at)
        if fate == FLUSHED and left not in dropped[where]:
            fate = HELD
        key = name, int(seq), int(payload), int(size)
        out[name].append(Packet(*key, where, int(bearer), begin, left, fate, begin, where))
    return out


def flushes(log: bytes, links: dict[str, Any]) -> dict[str, set[int]]:
    """When links dropped SDUs of removed bearers.

    In the log what a link holds at the end of the run has this reason, too, but it is not counted as a drop.
    """
    times: dict[str, list[int]] = defaultdict(list)
    for at, link in FLUSH.findall(log):
        times[link.decode()].append(int(at))
    return {
        link: {*sorted(some)[: drops_of(links.get(link, {})).get(FLUSHED, 0)]} for link, some in times.items()
    }


def drops_of(link: dict[str, Any]) -> dict[str, int]:
    """A link's drops in the whole run by reason."""
    return link.get("whole", link).get("dropped") or {}


def joined(packets: Iterable[Packet], last: Collection[str]) -> list[Packet]:
    """One packet for all links that it has crossed.

    A forwarded packet goes on over another link, and so does one delivered by a link that is not `last`, over
    one that it has not crossed yet. Of TCP the last one that left is the one that arrives, for those before
    it were lost behind a link and are sent again; of datagrams, which are all alike, the first one.
    """
    same: dict[tuple[str, int, int], list[Packet]] = defaultdict(list)
    for p in packets:
        same[p.flow, p.seq, p.payload].append(p)
    out = []
    for some in same.values():
        # With the links that each has crossed.
        under_way: list[tuple[int, Packet, list[str]]] = []
        for p in sorted(some, key=lambda one: one.arrival):
            crossed = [p.link]
            there = [*enumerate(under_way)]
            for i, (left, before, links) in reversed(there) if p.seq else there:
                if left <= p.arrival and p.link not in (links if before.fate == DELIVERED else links[-1:]):
                    p, crossed = p._replace(begin=before.begin, first=before.first), [*links, p.link]
                    del under_way[i]
                    break
            if p.fate == FORWARDED or (p.fate == DELIVERED and p.link not in last):
                insort(under_way, (p.end, p, crossed))
            else:
                out.append(p)
        out += [p._replace(fate=AWAY) if p.fate == DELIVERED else p for _, p, _ in under_way]
    return out


class Traffic:
    """The packets of a run and the rates of its links."""

    def __init__(self, folder: Path, result: dict[str, Any]) -> None:
        self.result = result
        self.flows: dict[str, dict[str, Any]] = result["flows"]
        self.log = read_large(folder / "events.tsv")
        self.cells: dict[str, dict[str, Any]] = result.get("metrics", {}).get("cells", {})

    @cached_property
    def sdus(self) -> dict[str, list[Packet]]:
        return sdus(self.log, self.result["links"])

    def logged(self, link: str) -> bool:
        """Whether a link records its packets."""
        return bool(self.result["links"].get(link, {}).get("kind", "wlink") == "wlink")

    def last(self, flow: str) -> list[str]:
        """The last wlinks on a flow's way, of which each packet crosses one; empty if there is none."""
        have = self.flows[flow]
        links = have["last"] if "last" in have else beside(resultfile.link_of(have), self.cells)
        return [one for one in links if self.logged(one)]

    def row(self, flow: str) -> list[Packet]:
        """A flow's packets on each wlink that it crosses, or of the leg on which it is measured."""
        have = self.flows[flow]
        leg, way = have.get("leg"), have.get("direction", "")
        some = (p for p in self.sdus.get(flow, []) if p.link.endswith(way))
        return [p for p in some if leg is None or p.link in leg]

    def over_radio(self, flow: str) -> list[Packet]:
        """A flow's packets on its radio link, each once however often its user has moved."""
        air = beside(resultfile.link_of(self.flows[flow]), self.cells)
        return joined((p for p in self.sdus.get(flow, []) if p.link in air), air)

    def over_all(self, flow: str, whole: bool = False) -> list[Packet]:
        """A flow's packets from the first wlink on their way to the last one.

        whole: refuse what was not seen on the wire before the radio. A user's own proxy there sends packets
        that begin at the radio.
        """
        have, out = self.flows[flow], joined(self.row(flow), self.last(flow))
        wired = whole and self.result["links"].get(WIRED, {}).get("kind") == "wlink" and "leg" not in have
        come = (p for p in out if p.fate == DELIVERED and wired and have.get("direction") == "down")
        if any(p.first != WIRED for p in come):
            raise LabError(f"the event log lacks packets of {WIRED}")
        return out

    @cached_property
    def air(self) -> list[str]:
        """The wlinks at the users: of the cells, or the radio links, or else all."""
        wlinks = [name for name in self.result["links"] if self.logged(name)]
        near = [name for name in wlinks if name.rpartition(".")[0] in (*self.cells, "radio")]
        return near or wlinks

    def user(self, link: str, bearer: int) -> str | None:
        """The user of a cell's bearer, as Cell.number() numbers them."""
        cell = link.rpartition(".")[0]
        if cell not in self.cells:
            return None
        moves = [m["user"] for m in self.result.get("moves", []) if cell in (m["from"], m["to"])]
        users = [*dict.fromkeys([*self.cells[cell]["users"], *moves])]
        return users[bearer - FIRST_USER] if 0 <= bearer - FIRST_USER < len(users) else None

    @cached_property
    def programs(self) -> dict[str, list[Packet]]:
        """The packets that no [[flow]] sends, by user and direction, or by link."""
        out: dict[str, list[Packet]] = defaultdict(list)
        for p in joined((p for p in self.sdus.get(NO_FLOW, []) if p.link in self.air), self.air):
            user, way = self.user(p.link, p.bearer), p.link.rpartition(".")[2]
            out[f"programs {p.link if user is None else f'{user}.{way}'}"].append(p)
        return dict(sorted(out.items()))

    def silence(self, name: str, packets: list[Packet], from_ns: int = 0) -> str:
        """Why none of the packets of a flow or of programs was delivered from then on; "" if one was."""
        ends = [p.end for p in packets if p.fate == DELIVERED]
        if max(ends, default=-1) >= from_ns:
            return ""
        on = " or ".join(self.last(name)) if name in self.flows else "the radio links"
        text = f"no packet with payload was delivered by {on} of {name}"
        if ends:
            return f"{text} since the warm-up: the last one came at {max(ends) / 1e9:g} s"
        fates = Counter(TOLD.get(p.fate, f"dropped by {p.link} ({p.fate})") for p in packets)
        each = ", ".join(f"{n} {fate}" for fate, n in fates.items())
        return f"{text}: {each or 'none has come to a wlink'}"

    def packets(self) -> dict[str, list[Packet]]:
        """The packets of each flow and of programs."""
        return {**{name: self.over_all(name) for name in self.flows}, **self.programs}

    def grants(self, link: str) -> list[tuple[int, int]]:
        """(ns, bytes) of a link's opportunities."""
        name = link.encode()
        return [(int(at), int(size)) for at, where, size in GRANT.findall(self.log) if where == name]

    @cached_property
    def changes(self) -> dict[tuple[str, int], Steps]:
        """The rate of each (link, bearer) that has changed."""
        out: dict[tuple[str, int], Steps] = {}
        for at, link, old, new, bearer in RATE.findall(self.log):
            out.setdefault((link.decode(), int(bearer)), [(0, float(old))]).append((int(at), float(new)))
        return out

    def rate(self, link: str, bearer: int) -> Steps | None:
        """A bearer's rate while the cell serves its user, 0 else; None if it is unlimited or unknown."""
        steps = self.changes.get((link, bearer))
        if steps is None:
            have = self.result["links"].get(link, {})
            known = {"1": have.get("xstats", {}), **have.get("bearers", {})}
            bps = known.get(str(bearer), {}).get("rate_bps")
            steps = [(0, float(bps))] if isinstance(bps, int) else None
        if steps is None or any(bps >= UNLIMITED_BPS for _, bps in steps):
            return None
        user = self.user(link, bearer)
        if user is None:
            return steps
        there = self.presence(link, bearer, user)
        times = sorted({t for t, _ in (*steps, *there)})
        return [(t, value(steps, t) if value(there, t) else 0.0) for t in times]

    def presence(self, link: str, bearer: int, user: str) -> list[tuple[int, int]]:
        """(ns, 1 or 0): whether a user is in a cell, or the cell still delivers what it has of it."""
        cell = link.rpartition(".")[0]
        moves = [(round(m["time_s"] * 1e9), m) for m in self.result.get("moves", []) if m["user"] == user]
        out = [(0, int(user in self.cells[cell]["users"]))]
        for i, (at, move) in enumerate(moves):
            if move["from"] == cell:
                back = next((t for t, later in moves[i + 1 :] if later["to"] == cell), NEVER)
                at = max((end for end in self.ends.get((link, bearer), ()) if at <= end < back), default=at)
            out.append((at, int(move["to"] == cell)))
        return out

    @cached_property
    def ends(self) -> dict[tuple[str, int], list[int]]:
        """When each (link, bearer) has delivered a packet."""
        out: dict[tuple[str, int], list[int]] = defaultdict(list)
        for p in (p for some in self.sdus.values() for p in some if p.fate == DELIVERED):
            out[p.link, p.bearer].append(p.end)
        return out

    def capacity(self, link: str, bearers: Collection[int]) -> Steps | None:
        """What a link could carry of bearers: the sum of their rates, or the mean where they share it."""
        rates = [self.rate(link, bearer) for bearer in bearers]
        have = [steps for steps in rates if steps is not None]
        if not have or len(have) < len(rates):
            return None
        shared = self.result["links"][link].get("options", {}).get("sched", "dedicated") != "dedicated"
        out: Steps = []
        for t in sorted({t for steps in have for t, _ in steps}):
            now = [value(steps, t) for steps in have]
            # A user that is elsewhere takes no share.
            present = [bps for bps in now if bps] if shared else now
            out.append((t, fsum(present) / (max(1, len(present)) if shared else 1)))
        return [step for i, step in enumerate(out) if not i or step[1] != out[i - 1][1]]


def value(steps: list[tuple[int, Number]], t: int) -> Number:
    """A step function at a time; steps are sorted and the first one is not later."""
    return steps[bisect_right(steps, t, key=lambda step: step[0]) - 1][1]


def beside(link: str, cells: Collection[str]) -> list[str]:
    """The links that carry the same traffic as users move: the same direction of all cells."""
    cell, _, way = link.rpartition(".")
    return [f"{one}.{way}" for one in cells] if cell in cells else [link]


def delays_ns(packets: Iterable[Packet], from_ns: int = 0) -> list[int]:
    """The delays of those delivered packets that have arrived at the first link from `from_ns` on."""
    return [p.end - p.begin for p in packets if p.fate == DELIVERED and p.begin >= from_ns]


def summary(packets: Iterable[Packet], from_ns: int = 0) -> dict[str, Any]:
    """The figures of packets from `from_ns` on, in the words of result.json."""
    some = list(packets)
    order = sorted(delays_ns(some, from_ns))
    found: dict[str, Any] = {"count": len(order)}
    if order:
        found |= {"mean_ns": fsum(order) / len(order), "min_ns": order[0], "max_ns": order[-1]}
        found |= {f"p{percent}_ns": rank(order, percent) for percent in (50, 95, 99)}
    return {
        "delivered_bytes": sum(p.bytes for p in some if p.fate == DELIVERED and p.end >= from_ns),
        "dropped": len(lost(some, from_ns)),
        "forwarded": sum(p.fate == FORWARDED for p in some),
        "held": sum(p.fate in (HELD, AWAY) for p in some),
        "delay": found,
    }


def lost(packets: Iterable[Packet], from_ns: int = 0) -> list[Packet]:
    """The packets that a link has dropped from `from_ns` on."""
    kept = (DELIVERED, FORWARDED, HELD, AWAY)
    return [p for p in packets if p.fate not in kept and p.end >= from_ns]
