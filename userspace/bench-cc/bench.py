# SPDX-License-Identifier: GPL-2.0
"""What the cases of the bench are judged by; cases.toml has the bounds."""

import json
import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

Result = dict[str, Any]

LINK = "radio.down"
UNITS = {"kbit": 1e3, "mbit": 1e6, "gbit": 1e9}
# Payload in a packet of 1500 bytes, with time stamps.
PAYLOAD = 1448 / 1500
# The path of scenarios/bench.toml.
RATE_BPS = 10e6
RTT_S = 0.04
# What has no event to be judged from.
NONE = -1.0


@dataclass
class Packet:
    """A packet of the downlink; deliver_s is None where it was dropped."""

    arrival_s: float
    start_s: float
    deliver_s: float | None
    bits: int


@dataclass
class Look:
    """What watch.py has seen of the sender."""

    at_s: float
    phase: str
    cwnd: int
    bandwidth_bps: float
    rtt_us: int


@dataclass
class Spell:
    """A time in one phase."""

    phase: str
    begin_s: float
    end_s: float

    @property
    def length_s(self) -> float:
        return self.end_s - self.begin_s


def rank(values: list[float], percent: float) -> float:
    """The nearest rank; of nothing infinity is no number, so NONE."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(len(ordered) * percent / 100) - 1)] if ordered else NONE


class Run:
    """A run of a case."""

    def __init__(self, folder: Path) -> None:
        result = json.loads((folder / "result.json").read_text())
        self.folder = folder
        self.case = str(result["name"])
        self.end_s = float(result["ended_s"])
        self.words = str(result["scenario"]["radio"]["down"]["wlink"])

    @cached_property
    def events(self) -> list[list[str]]:
        lines = (self.folder / "events.tsv").read_text().splitlines()
        return [line.split("\t") for line in lines if f"\t{LINK}\t" in line and not line.startswith("#")]

    @cached_property
    def packets(self) -> list[Packet]:
        out = []
        for e in self.events:
            if e[0] == "sdu":
                arrival, start, deliver = (int(e[i]) / 1e9 for i in (12, 13, 15))
                out.append(Packet(arrival, start, deliver if e[11] == "none" else None, int(e[8]) * 8))
        return out

    @cached_property
    def rates(self) -> list[tuple[float, float]]:
        """(from when, bit/s)"""
        found = re.search(r"rate ([\d.]+)([kmg]bit)", self.words)
        assert found, self.words
        first = (0.0, float(found[1]) * UNITS[found[2]])
        return [first, *((int(e[1]) / 1e9, float(e[5])) for e in self.events if e[0] == "rate")]

    @cached_property
    def seen(self) -> list[list[str]]:
        lines = (self.folder / "programs/watch.out").read_text().splitlines()
        return [line.split("\t") for line in lines]

    @cached_property
    def looks(self) -> list[Look]:
        return [
            Look(float(s[1]), s[2], int(s[3]), float(s[4]), int(s[5])) for s in self.seen if s[0] == "at"
        ]

    @cached_property
    def spells(self) -> list[Spell]:
        out: list[Spell] = []
        for look in self.looks:
            if out and out[-1].phase == look.phase:
                continue
            if out:
                out[-1].end_s = look.at_s
            out.append(Spell(look.phase, look.at_s, self.end_s))
        return out

    @property
    def event_s(self) -> float | None:
        return next((float(s[1]) for s in self.seen if s[0] == "event"), None)

    def since(self, begin_s: float) -> list[Packet]:
        return [p for p in self.packets if p.arrival_s >= begin_s]

    def delivered_bits(self, begin_s: float, end_s: float) -> int:
        return sum(p.bits for p in self.packets if p.deliver_s and begin_s <= p.deliver_s < end_s)

    def share(self, begin_s: float, end_s: float) -> float:
        """What was delivered, in percent of what the link could have."""
        ends = [*(at for at, _ in self.rates[1:]), end_s]
        could = sum(
            bps * max(0.0, min(end_s, to) - max(begin_s, at)) for (at, bps), to in zip(self.rates, ends)
        )
        return 100 * self.delivered_bits(begin_s, end_s) / could if could else NONE

    def queue_ms(self, begin_s: float, end_s: float) -> float:
        """The median wait of packets that came in this time."""
        waits = [p.start_s - p.arrival_s for p in self.packets if begin_s <= p.arrival_s < end_s]
        return 1e3 * rank([w for w in waits if w >= 0], 50)

    def requests_ms(self, begin_s: float, percent: float) -> float:
        """How long the application's requests sent from then on took; one without an answer, to the end."""
        lines = (self.folder / "series/sender.rtt.tsv").read_text().splitlines()
        rows = [[int(word) / 1e9 for word in line.split("\t")[1:]] for line in lines if line[0] != "#"]
        took = [(back if back >= 0 else self.end_s) - sent for sent, back in rows if sent >= begin_s]
        return 1e3 * rank(took, percent)

    def again_percent(self, begin_s: float) -> float:
        """Packets of data that the sender has sent again, of all that it sent from then on."""
        sent = []
        for line in (self.folder / "series/sender.seq.tsv").read_text().splitlines():
            word = line.split("\t")
            if line[0] != "#" and word[1] == "sent" and int(word[0]) >= begin_s * 1e9:
                sent.append(int(word[2]))
        return 100 * (1 - len(set(sent)) / len(sent)) if sent else NONE

    def rounds_to(self, percent: float, begin_s: float) -> float:
        """Round trips from then until 200 ms have so much of the rate; all to the end if none has."""
        window_s, at_s = 0.2, begin_s
        while at_s + window_s <= self.end_s and self.share(at_s, at_s + window_s) < percent:
            at_s += RTT_S
        return (min(at_s + window_s, self.end_s) - begin_s) / RTT_S

    def of_phase(self, *phases: str) -> list[Spell]:
        return [s for s in self.spells if s.phase in phases]

    def next_of(self, spell: Spell) -> str:
        after = [s.phase for s in self.spells if s.begin_s > spell.begin_s]
        return after[0] if after else ""

    def at_event(self) -> Spell | None:
        """The spell in which the event came."""
        return next((s for s in self.spells if s.begin_s <= (self.event_s or NONE) < s.end_s), None)


def after(judge: Callable[[Run, float], float]) -> Callable[[Run], float]:
    """A judge by what comes after the event; NONE without one."""
    return lambda run: NONE if run.event_s is None else judge(run, run.event_s)


JUDGES: dict[str, Callable[[Run], float]] = {
    "startup-plateau": lambda run: run.share(2, 4),
    "startup-loss": after(lambda run, at: run.requests_ms(at, 99)),
    "drain-inflight": lambda run: run.queue_ms(2, 4),
    "drain-time": after(lambda run, at: run.queue_ms(at + 2, at + 4)),
    "probe-up-plateau": lambda run: run.share(5, run.end_s),
    "probe-up-loss": after(lambda run, at: run.requests_ms(at + 2, 99)),
    "startup-app-limited": lambda run: run.requests_ms(2, 95),
    "probe-up-app-limited": after(lambda run, at: run.requests_ms(at + 2, 95)),
    "probe-down-inflight": lambda run: run.queue_ms(5, run.end_s),
    "probe-down-time": after(lambda run, at: run.queue_ms(at + 2, run.end_s)),
    "probe-rtt": lambda run: run.share(5, run.end_s),
    "idle-probe-rtt": lambda run: run.requests_ms(1, 100),
    "startup-aggregation": lambda run: run.share(2, 4),
    "cruise-aggregation": after(lambda run, at: run.share(at + 0.5, run.end_s)),
    "sub-packet": lambda run: run.share(10, run.end_s),
    "increase-10x": after(lambda run, at: run.rounds_to(95, at)),
    "decrease-10x": after(lambda run, at: run.queue_ms(at + 4, run.end_s)),
    "policer": lambda run: run.again_percent(5),
    "spurious-recovery": lambda run: run.share(5, run.end_s),
    "spurious-rto": after(lambda run, at: run.share(at + 1.5, at + 3.5)),
    "startup-probe-rtt": after(lambda run, at: run.requests_ms(at, 99)),
    "probe-up-loss-inflight": after(lambda run, at: run.share(at + 2, at + 5)),
    "refill-app-limited": lambda run: run.requests_ms(5, 95),
}


def bandwidth_near(look: Look, rate_bps: float, percent: float) -> bool:
    return abs(look.bandwidth_bps / (rate_bps * PAYLOAD) - 1) <= percent / 100


def plateau(run: Run) -> bool:
    first = run.spells[:2]
    last = [look for look in run.looks if look.at_s < first[-1].begin_s]
    return [s.phase for s in first] == ["STARTUP", "DRAIN"] and bandwidth_near(last[-1], RATE_BPS, 2)


def left_at_once(run: Run, phase: str, to: str) -> bool:
    """The phase of the event ends within three round trips of it, the loss seen in the second."""
    at, event_s = run.at_event(), run.event_s
    return bool(
        at and event_s and at.phase == phase and run.next_of(at) == to and at.end_s <= event_s + 3 * RTT_S
    )


def drain_ends(run: Run) -> bool:
    """Within three rounds, which last as long as the start's queue makes them."""
    drain = run.of_phase("DRAIN")
    if not drain:
        return False
    queue_s = max(0.0, run.queue_ms(drain[0].begin_s - RTT_S, drain[0].begin_s) / 1e3)
    return drain[0].length_s <= 3 * (RTT_S + queue_s)


def probe_rtt(run: Run) -> bool:
    """Each 5 s, for 200 ms and a round trip, then on in PROBE_BW."""
    found = run.of_phase("PROBE_RTT")
    begins = [0.0, *(s.begin_s for s in found)]
    return (
        len(found) > 1
        and all(b - a <= 6 for a, b in pairwise(begins))
        and all(0.19 <= s.length_s <= 0.2 + 3 * RTT_S for s in found if s.end_s < run.end_s)
        and all(run.next_of(s).startswith("PROBE") for s in found if s.end_s < run.end_s)
    )


def startup_again(run: Run) -> bool:
    """STARTUP, PROBE_RTT, STARTUP."""
    return [s.phase for s in run.spells[:3]] == ["STARTUP", "PROBE_RTT", "STARTUP"]


def window_above(run: Run) -> bool:
    """A window above twice the product of estimated bandwidth and round trip, while starting."""
    looks = [look for look in run.looks if look.phase == "STARTUP" and look.bandwidth_bps]
    return any(k.cwnd * 1448 * 8 > 2 * k.bandwidth_bps * k.rtt_us / 1e6 for k in looks)


def window_grows(run: Run) -> bool:
    """The window is larger after the event than it was before, from 3 s on."""
    at_s = run.event_s or 0.0
    early = [look.cwnd for look in run.looks if 3 <= look.at_s < at_s]
    late = [look.cwnd for look in run.looks if look.at_s > at_s + 0.5]
    return bool(early) and bool(late) and max(late) > max(early)


def bandwidth_falls(run: Run) -> bool:
    """The estimate is that of the new rate 3 s after the event."""
    late = [look for look in run.looks if look.at_s <= (run.event_s or 0.0) + 3]
    return bool(late) and bandwidth_near(late[-1], RATE_BPS, 10)


def estimate_stays(run: Run) -> bool:
    """No estimate below nine tenths of the largest, from 5 s on."""
    found = [look.bandwidth_bps for look in run.looks if look.at_s > 5]
    return not found or min(found) >= 0.9 * max(found)


def stays(run: Run, begin_s: float, phase: str) -> bool:
    """In no other phase, but for PROBE_RTT."""
    return {s.phase for s in run.spells if s.end_s > begin_s} <= {phase, "PROBE_RTT"}


def window_floor(run: Run) -> int:
    """The least window in PROBE_BW."""
    names = ("PROBE_UP", "PROBE_DOWN", "PROBE_CRUISE")
    return min((look.cwnd for look in run.looks if look.phase in names), default=0)


def follows(run: Run, phase: str, then: str) -> bool:
    """Each time in a phase from 5 s on is followed by this one."""
    found = [s for s in run.of_phase(phase) if s.begin_s > 5 and s.end_s < run.end_s]
    return bool(found) and all(run.next_of(s) in (then, "PROBE_RTT") for s in found)


# What the draft's steps say and the connection shows; a case without is not there.
DRAFTED: dict[str, Callable[[Run], bool]] = {
    "startup-plateau": plateau,
    "startup-loss": lambda run: left_at_once(run, "STARTUP", "DRAIN"),
    "drain-inflight": lambda run: any(run.next_of(s).startswith("PROBE") for s in run.of_phase("DRAIN")),
    "drain-time": drain_ends,
    "probe-up-plateau": lambda run: follows(run, "PROBE_UP", "PROBE_DOWN"),
    "probe-up-loss": lambda run: left_at_once(run, "PROBE_UP", "PROBE_DOWN"),
    "startup-app-limited": lambda run: stays(run, 0.0, "STARTUP"),
    "probe-up-app-limited": lambda run: stays(run, run.event_s or 0.0, "PROBE_UP"),
    "probe-down-inflight": lambda run: follows(run, "PROBE_DOWN", "PROBE_CRUISE"),
    "probe-down-time": lambda run: (at := run.at_event()) is not None and run.next_of(at) != "PROBE_CRUISE",
    "probe-rtt": probe_rtt,
    "idle-probe-rtt": lambda run: not run.of_phase("PROBE_RTT"),
    "startup-aggregation": window_above,
    "cruise-aggregation": window_grows,
    "sub-packet": lambda run: window_floor(run) >= 4,
    "decrease-10x": bandwidth_falls,
    "startup-probe-rtt": startup_again,
    "probe-up-loss-inflight": lambda run: left_at_once(run, "PROBE_UP", "PROBE_DOWN"),
    "refill-app-limited": estimate_stays,
}


# The metrics; all of one run are called before those of the next one.
run_of = lru_cache(maxsize=1)(Run)


def judged(result: Result, folder: Path) -> float:
    """By the case; a path is judged by the second half."""
    run = run_of(folder)
    return JUDGES[run.case](run) if run.case in JUDGES else run.share(run.end_s / 2, run.end_s)


def as_drafted(result: Result, folder: Path) -> float:
    run = run_of(folder)
    if run.case not in DRAFTED or not any(look.phase in ("STARTUP", "DRAIN") for look in run.looks):
        return NONE
    return float(DRAFTED[run.case](run))


def event_s(result: Result, folder: Path) -> float:
    at_s = run_of(folder).event_s
    return NONE if at_s is None else at_s


def delay_p95_ms(result: Result, folder: Path) -> float:
    took = [p.deliver_s - p.arrival_s for p in run_of(folder).since(result["warmup_s"]) if p.deliver_s]
    return 1e3 * rank(took, 95)


def loss_percent(result: Result, folder: Path) -> float:
    counted = run_of(folder).since(result["warmup_s"])
    return 100 * sum(p.deliver_s is None for p in counted) / len(counted) if counted else NONE
