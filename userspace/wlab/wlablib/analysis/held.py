# SPDX-License-Identifier: GPL-2.0
"""`wlab why`: what held each TCP flow, as shares of its time.

At each instant it is the first of these: packets of the flow wait for a wlink or are being sent by it;
at the sender's next ACK a window was full; the sender had nothing that it could send.
"""

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from . import metrics, resultfile
from .plots.data import Unit, fit, rate_text
from .traffic import DELIVERED, FLUSHED, FORWARDED, Traffic, flushes

TITLES = {
    "link": "rate of the link",
    "outage": "outage",
    "rwnd": "receiver's window",
    "sndbuf": "send buffer",
    "cwnd_queue": "cwnd: queue drops",
    "cwnd_channel": "cwnd: channel losses",
    "cwnd_ecn": "cwnd: ECN marks",
    "cwnd_grows": "cwnd: no loss yet",
    "pacing": "pacing",
    "app": "application",
    "connect": "connecting",
}
# The reasons of drops that are those of a queue; all others are of the channel and its protocol.
QUEUE_DROPS = ("overflow", "slots", "segment", "aqm")
MARKED = "ecn"
# Of congestion controls those that leave a window empty while they wait to send.
PACED = ("bbr",)
# The text leaves out what rounds to no more than 0.0 %.
SHARE_MIN = 0.0005

SIZE_UNITS: list[Unit] = [(1e9, "GB"), (1e6, "MB"), (1e3, "kB"), (1.0, "bytes")]

SDU = re.compile(
    rb"^sdu\t(-?\d+)\t([^\t]+)\t([^\t]+)\tforth\t(\d+)(?:\t\d+){5}\t(\w+)\t(-?\d+)\t(-?\d+)\t(-?\d+)"
    rb"(?:\t-?\d+){2}\t(\d+)(?:\t-?\d+){4}\t(\d)$",
    re.MULTILINE,
)
TCP = re.compile(rb"^tcp\t(-?\d+)\t([^\t]+)\t(\d+)\t\d+\t(\d+)\t(\d+)\t(\d+)\t(\d+)\t", re.MULTILINE)


def part_of(why: str) -> str:
    """What follows from a drop for this reason, or from a mark."""
    return "cwnd_ecn" if why == MARKED else "cwnd_queue" if why in QUEUE_DROPS else "cwnd_channel"


class Span(NamedTuple):
    """A part of a flow's time, in ns, and what held the flow in it."""

    begin: int
    end: int
    part: str


class Ack(NamedTuple):
    """A sender as an ACK finds it: its windows in segments and bytes, numbers of bytes, us."""

    at: int
    cwnd: int
    una: int
    nxt: int
    window: int
    srtt: int

    @property
    def flight(self) -> int:
        return self.nxt - self.una


@dataclass
class Seen:
    """What the log has of a flow."""

    acks: list[Ack] = field(default_factory=list)
    # By link and bearer, from arrival to the last bit sent.
    waits: dict[tuple[str, int], list[tuple[int, int]]] = field(default_factory=lambda: defaultdict(list))
    # When a packet was dropped or marked, and the part that follows from it.
    signals: list[tuple[int, str]] = field(default_factory=list)
    drops: Counter[tuple[str, str]] = field(default_factory=Counter)
    packets: int = 0


def read(traffic: Traffic) -> dict[str, Seen]:
    """What the log has of each flow over TCP."""
    out = {name: Seen() for name, flow in traffic.flows.items() if flow["kind"] in metrics.TCP}
    for at, flow, *rest in TCP.findall(traffic.log):
        if (name := flow.decode()) in out:
            out[name].acks.append(Ack(int(at), *map(int, rest)))
    run_ns = traffic.result["ended_s"] * 1e9
    flushed = flushes(traffic.log, traffic.result["links"])
    for at, link, flow, bearer, drop, arrival, start, end, payload, marked in SDU.findall(traffic.log):
        name, where, why = flow.decode(), link.decode(), drop.decode()
        leg = traffic.flows.get(name, {}).get("leg")
        if name not in out or (leg is not None and where not in leg):
            continue
        seen = out[name]
        # Of what a link holds at the end the log does not say when its last bit was sent.
        until = int(start) if int(end) >= run_ns and int(start) >= 0 else int(end)
        if until > int(arrival):
            seen.waits[where, int(bearer)].append((int(arrival), until))
        seen.packets += payload != b"0"
        if marked == b"1":
            why = MARKED
        # What a link holds at the end has the reason of a removed bearer.
        if why not in (DELIVERED, FORWARDED) and (why != FLUSHED or int(at) in flushed[where]):
            seen.signals.append((int(at), part_of(why)))
            seen.drops[where, why] += 1
    for seen in out.values():
        seen.signals.sort()
    return out


def union(some: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Intervals that overlap or touch as one, in order."""
    out: list[tuple[int, int]] = []
    for begin, end in sorted(some):
        if out and begin <= out[-1][1]:
            out[-1] = out[-1][0], max(out[-1][1], end)
        else:
            out.append((begin, end))
    return out


def common(some: list[tuple[int, int]], others: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """What is in both of two lists of union()."""
    out, i, j = [], 0, 0
    while i < len(some) and j < len(others):
        begin, end = max(some[i][0], others[j][0]), min(some[i][1], others[j][1])
        if begin < end:
            out.append((begin, end))
        if some[i][1] < others[j][1]:
            i += 1
        else:
            j += 1
    return out


def cover(spans: list[Span], over: list[tuple[int, int]], part: str) -> list[Span]:
    """The spans, with another part where the intervals of union() are."""
    out, i = [], 0
    for begin, end, before in spans:
        while i < len(over) and over[i][1] <= begin:
            i += 1
        k = i
        while begin < end and k < len(over) and over[k][0] < end:
            if over[k][0] > begin:
                out.append(Span(begin, over[k][0], before))
            until = min(over[k][1], end)
            out.append(Span(max(begin, over[k][0]), until, part))
            begin, k = until, k + 1
        if begin < end:
            out.append(Span(begin, end, before))
    return out


@dataclass
class Held:
    """A flow, what the log has of it, and its parts."""

    name: str
    traffic: Traffic
    seen: Seen

    @cached_property
    def flow(self) -> dict[str, Any]:
        return self.traffic.flows[self.name]

    @cached_property
    def spec(self) -> dict[str, Any]:
        """The [[flow]] of the scenario that this one is, or is one of."""
        specs = self.traffic.result.get("scenario", {}).get("flow", [])
        have = [one for one in specs if re.fullmatch(rf"{re.escape(one['name'])}\.?.*", self.name)]
        return dict(max(have, key=lambda one: len(str(one["name"])), default={}))

    def tcp(self, node: str) -> dict[str, Any]:
        """What a node's own table says of TCP, over [tcp]."""
        scenario = self.traffic.result.get("scenario", {})
        nodes = scenario.get("node", {})
        own = nodes.get(node, nodes.get(node.rpartition("-")[0], {})).get("tcp", {})
        every = scenario.get("tcp", {})
        return {**every, **own, "sysctl": {**every.get("sysctl", {}), **own.get("sysctl", {})}}

    def ends(self) -> tuple[str, str]:
        """The nodes of sender and receiver."""
        if "direction" in self.flow:
            return ("server", "ue") if self.flow["direction"] == "down" else ("ue", "server")
        return self.flow["from"], self.flow["to"]

    def sysctl(self, node: str, key: str) -> str:
        default = self.traffic.result.get("stack", {}).get("set", {}).get(key, "")
        return str(self.tcp(node)["sysctl"].get(key, default))

    @cached_property
    def congestion(self) -> str:
        stack = self.traffic.result.get("stack", {}).get("congestion", "")
        return str(self.spec.get("congestion") or self.tcp(self.ends()[0]).get("congestion") or stack)

    @cached_property
    def mss(self) -> int:
        return int(self.flow["mss"] or 1)

    @cached_property
    def span(self) -> tuple[int, int]:
        run_ns = round(self.traffic.result["ended_s"] * 1e9)
        return self.flow["start_ns"], self.flow["end_ns"] if self.flow["ended"] else run_ns

    def state(self, ack: Ack) -> str:
        """Of a flow that has sent all "app"; else which window was full, "rwnd" or "cwnd", or "open"."""
        if {"bytes", "stop"} & self.spec.keys() and ack.nxt > self.flow["sent_bytes"] > 0:
            return "app"
        if ack.flight and ack.window - ack.flight < self.mss:
            return "rwnd"
        return "cwnd" if ack.flight + self.mss > ack.cwnd * self.mss else "open"

    def cwnd(self, at: int) -> str:
        """To what the congestion window is due, by the last packet dropped or marked."""
        i = bisect_right(self.seen.signals, at, key=lambda one: one[0])
        return self.seen.signals[i - 1][1] if i else "cwnd_grows"

    def by_windows(self) -> list[Span]:
        """The flow's time by what an ACK has found, from the one before on."""
        begin, end = self.span
        acks = [ack for ack in self.seen.acks if begin <= ack.at <= end]
        firsts = [min(a for a, _ in some) for some in self.seen.waits.values()]
        opened = min([end, *(at for at in (*firsts, *(ack.at for ack in acks[:1])) if at >= begin)])
        out = [Span(begin, opened, "connect")]
        times = [opened, *(ack.at for ack in acks), end]
        # After the last one the sender is as that one has found it.
        for (a, b), ack in zip(pairwise(times), [*acks, *acks[-1:]]):
            state = self.state(ack)
            out.append(Span(a, b, self.cwnd(b) if state == "cwnd" else state))
        if not acks:
            out.append(Span(opened, end, "connect"))
        return [one for one in out if one.begin < one.end]

    @cached_property
    def spans(self) -> list[Span]:
        """The flow's whole time; what was open is as one() has it."""
        out = cover(self.by_windows(), union(w for some in self.seen.waits.values() for w in some), "link")
        dark = []
        for key, some in self.seen.waits.items():
            steps = self.traffic.changes.get(key) or self.traffic.rate(*key) or []
            ends = [*(t for t, _ in steps[1:]), self.span[1]]
            dark += common(union(some), union((t, e) for (t, bps), e in zip(steps, ends) if not bps))
        return cover(out, union(dark), "outage")

    def open_as(self) -> dict[str, float]:
        """What held the flow while no window was full, as shares of that time."""
        open_ns = sum(one.end - one.begin for one in self.spans if one.part == "open")
        full = min(1.0, 1e3 * self.flow["sndbuf_limited_us"] / open_ns) if open_ns else 0.0
        if "leg" in self.flow:
            # The sender of this leg is a proxy, of which nothing is counted.
            return {"app": 1.0}
        if self.flow["kind"] == "web":
            return {"sndbuf": full, "app": 1 - full}
        # A flow of kind tcp always has more to send.
        return {"sndbuf": full, "pacing": 1 - full} if self.congestion in PACED else {"sndbuf": 1.0}

    @cached_property
    def parts_ns(self) -> dict[str, float]:
        """The time of each part, in the order of TITLES."""
        have: dict[str, float] = defaultdict(float)
        for begin, end, part in self.spans:
            have[part] += end - begin
        open_ns = have.pop("open", 0.0)
        for part, share in self.open_as().items():
            have[part] += share * open_ns
        return {part: have.get(part, 0.0) for part in TITLES}

    @cached_property
    def bottleneck(self) -> tuple[str, int]:
        """The link and bearer for which the flow's packets waited longest."""
        waited = {key: sum(b - a for a, b in union(some)) for key, some in self.seen.waits.items()}
        return max(waited, key=waited.__getitem__, default=(resultfile.link_of(self.flow), 1))

    @cached_property
    def rate_bps(self) -> float | None:
        """The mean rate of the bottleneck in the flow's time; None if it is unlimited or not known."""
        link, bearer = self.bottleneck
        steps = self.traffic.capacity(link, [bearer]) if self.traffic.logged(link) else None
        begin, end = self.span
        if not steps or begin >= end:
            return None
        ends = [*(t for t, _ in steps[1:]), end]
        spent = [(bps, min(e, end) - max(t, begin)) for (t, bps), e in zip(steps, ends)]
        return sum(bps * ns for bps, ns in spent if ns > 0) / (end - begin)

    @cached_property
    def rtt_ns(self) -> int | None:
        """The least smoothed round trip."""
        return min((1000 * ack.srtt for ack in self.seen.acks if ack.srtt), default=None)

    @cached_property
    def wants_bytes(self) -> float | None:
        """What fills the path: rate times round trip."""
        known = self.rate_bps and self.rtt_ns
        return self.rate_bps * self.rtt_ns / 8e9 if known and self.rate_bps and self.rtt_ns else None

    def wants(self) -> str:
        if self.wants_bytes is None or not self.rate_bps or not self.rtt_ns:
            return ""
        return f"{rate(self.rate_bps)} at {self.rtt_ns / 1e6:.4g} ms wants {size(self.wants_bytes)}; "

    def options(self) -> dict[str, Any]:
        link, bearer = self.bottleneck
        have = self.traffic.result["links"].get(link, {})
        return {**have.get("options", {}), **have.get("bearers", {}).get(str(bearer), {})}

    def lost(self, part: str) -> str:
        """How many of its packets were dropped or marked, where and why."""
        some = {key: n for key, n in sorted(self.seen.drops.items()) if part_of(key[1]) == part}
        each = [f"{n} by {link}" + ("" if why == MARKED else f" ({why})") for (link, why), n in some.items()]
        done = "marked" if part == "cwnd_ecn" else "dropped"
        return f"{self.wants()}{done} of {self.seen.packets} packets: {', '.join(each)}"

    def limit(self) -> str:
        options = self.options()
        of = {"limit_packets": "limit {}", "limit_bytes": "limit {}b", "limit_ns": "limit {}ns"}
        have = [text.format(options[key]) for key, text in of.items() if options.get(key) is not None]
        return " ".join([*have, *([f"aqm {kind}"] if (kind := options.get("aqm", {}).get("kind")) else [])])

    def settings(self) -> dict[str, str]:
        """For each part that the flow has, what to change."""
        sender, receiver = self.ends()
        idle = "the proxy" if "leg" in self.flow else f"the program in {sender}"
        link = self.bottleneck[0]
        advice: dict[str, Callable[[], str]] = {
            "link": lambda: (
                f"{link} has {rate(self.rate_bps)} on average: a higher rate, or less beside this flow"
                if self.rate_bps
                else f"{link}: a higher rate"
            ),
            "outage": lambda: f"{link} had the rate 0 while packets waited for it",
            "rwnd": lambda: (
                f"{self.wants()}the window was {size(max(ack.window for ack in self.seen.acks))} at most:"
                f" net.ipv4.tcp_rmem of {receiver} ({self.sysctl(receiver, 'net.ipv4.tcp_rmem')})"
            ),
            "sndbuf": lambda: (
                f"{self.wants()}at most {size(max(ack.flight for ack in self.seen.acks))} were under way:"
                f" net.ipv4.tcp_wmem of {sender} ({self.sysctl(sender, 'net.ipv4.tcp_wmem')})"
            ),
            "cwnd_queue": lambda: (
                f"{self.lost('cwnd_queue')}; a longer buffer of {link} ({self.limit()})"
            ),
            "cwnd_channel": lambda: (
                f"{self.lost('cwnd_channel')}; a mode of {link} that repeats, as am (it is"
                f" {self.options().get('mode')}), or congestion = \"bbr\" (it is {self.congestion})"
            ),
            "cwnd_ecn": lambda: (
                f"{self.lost('cwnd_ecn')}; the AQM of {link} ({self.limit()})"
            ),
            "cwnd_grows": lambda: f"{self.wants()}not grown to it yet: a longer transfer or larger initcwnd",
            "pacing": lambda: f"{self.congestion} waited between packets: no setting",
            "app": lambda: f"{idle} had nothing to send",
            "connect": lambda: "before the first packet with data"
            if self.seen.acks
            else "no acknowledgment has come: see what was dropped",
        }
        return {part: advice[part]() for part, ns in self.parts_ns.items() if ns}

    def figures(self) -> dict[str, Any]:
        """What --json prints of the flow."""
        total_ns = self.span[1] - self.span[0]
        shares = {part: ns / total_ns if total_ns else 0.0 for part, ns in self.parts_ns.items()}
        return {
            "flow": self.name,
            "link": self.bottleneck[0],
            "time_ns": total_ns,
            "goodput_bps": self.flow["goodput_bps"],
            "rate_bps": self.rate_bps,
            "rtt_ns": self.rtt_ns,
            "wants_bytes": self.wants_bytes,
            "shares": shares,
            "settings": self.settings(),
        }


def rate(bps: float) -> str:
    return rate_text(bps, 3)


def size(count: float) -> str:
    one, unit = fit(count, SIZE_UNITS)
    return f"{count / one:.3g} {unit}"


def why_not(held: Held) -> str:
    """Why a flow's parts are not known; "" where they are. Of connections the log has one at a time."""
    one = held.spec.get("connections", 1) == 1 and held.spec.get("pages") != "2011"
    if held.flow["kind"] == "web" and not one:
        return "the log does not tell parallel connections apart"
    return "" if "sndbuf_limited_us" in held.flow else "the result is of an older wlab"


def flows(traffic: Traffic) -> tuple[list[Held], list[str]]:
    """All flows over TCP whose parts are known, and why those of others are not."""
    found = [Held(name, traffic, seen) for name, seen in read(traffic).items()]
    left_out = [f"{one.name}: {why_not(one)}" for one in found if why_not(one)]
    return [one for one in found if not why_not(one)], left_out


def held(folder: Path) -> tuple[list[dict[str, Any]], list[str]]:
    """The figures of each flow, and which are left out and why."""
    found, left_out = flows(Traffic(folder, resultfile.result(folder)))
    return [one.figures() for one in found], left_out


def as_text(rows: list[dict[str, Any]], left_out: list[str]) -> str:
    """The second table of `wlab why`; "" without a flow."""
    if not rows and not left_out:
        return ""
    out = ["what held each TCP flow, of its time, and the setting to change"]
    for row in rows:
        goodput = f", {rate(row['goodput_bps'])}" if row["goodput_bps"] is not None else ""
        out += ["", f"{row['flow']}: {row['time_ns'] / 1e9:g} s{goodput}"]
        order = sorted(row["settings"], key=lambda part: float(-row["shares"][part]))
        order = [part for part in order if row["shares"][part] >= SHARE_MIN]
        out += [f"  {TITLES[part]:<22}{row['shares'][part]:>7.1%}  {row['settings'][part]}" for part in order]
    if left_out:
        out += ["", f"left out: {'; '.join(left_out)}"]
    return "\n".join(out)
