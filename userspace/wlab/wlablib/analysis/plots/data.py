# SPDX-License-Identifier: GPL-2.0
"""The numbers and labels of pictures of a result."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from ...lib.units import UNLIMITED_BPS
from .. import resultfile, why
from ..occupancy import Steps, occupancy, stays
from ..resultfile import rows
from ..traffic import DELIVERED, Packet, Traffic, beside

Points = tuple[list[float], list[float]]
Rates = list[tuple[float, float]]
# Bytes at times in ns.
Sizes = list[tuple[int, float]]

# With more changes of the rate than this, as in a trace, the mean is shown.
RATES_SHOWN = 12
# Of the run's time; labels of shorter periods would lie over each other.
HEAD_MIN = 0.03
# Of a run's time that a load is drawn by, and what a link that plays has carried: there of 100 ms and of so
# many packets at least, so that a single one makes no rate that the link has not.
LOAD_BINS, PLAYED_MIN_S, PLAYED_MIN = 100, 0.1, 10
# A limit that exceeds the largest occupancy by this factor is not drawn to scale.
LIMIT_FAR = 3.0


PLAY = re.compile(rb"^play\t-?\d+\t([^\t]+)\t", re.MULTILINE)
Unit = tuple[float, str]
RATE_UNITS: list[Unit] = [(1e9, "Gbit/s"), (1e6, "Mbit/s"), (1e3, "kbit/s"), (1.0, "bit/s")]


def fit(most: float, units: list[Unit]) -> Unit:
    """The largest unit in which a number is at least 1."""
    return next((u for u in units if most >= u[0]), units[-1])


def rate_text(bps: float, digits: int = 4) -> str:
    """Print a rate in the unit that fits."""
    size, unit = fit(bps, RATE_UNITS)
    return f"{bps / size:.{digits}g} {unit}"


def size_text(size: int) -> str:
    """Print a number of bytes as tc accepts it."""
    for unit, text in ((10**6, "mb"), (10**3, "kb")):
        if size % unit == 0:
            return f"{size // unit}{text}"
    return f"{size}b"


def columns(path: Path, y: int) -> Points:
    """Time in s and column `y` of a series."""
    have = list(rows(path, *[int] * (y + 1)))
    return [r[0] / 1e9 for r in have], [float(r[y]) for r in have]


def mean_rate(rates: Rates, end: float) -> float:
    """The mean rate over the run."""
    ends = [t for t, _ in rates[1:]] + [end]
    span = end - rates[0][0]
    return sum(bps * (b - a) for (a, bps), b in zip(rates, ends)) / span if span else rates[0][1]


def mean_between(rates: Rates, begin: float, end: float) -> float:
    """The mean rate from one time to another."""
    inner = [(t, bps) for t, bps in rates if begin < t < end]
    return mean_rate([(begin, rate_at(rates, begin)), *inner], end)


def rate_at(rates: Rates, t_s: float) -> float:
    """The rate at a time, which is the first one before any is known."""
    return rates[max(bisect_right(rates, t_s, key=lambda step: step[0]) - 1, 0)][1]


def rate_heads(rates: Rates, end: float) -> list[tuple[float, str]]:
    """(s, label) for each period of constant rate that is long enough for one."""
    if len(rates) > RATES_SHOWN:
        return [(end / 2, f"{len(rates)} rates, {rate_text(mean_rate(rates, end), 3)} on average")]
    ends = [t for t, _ in rates[1:]] + [end]
    return [((a + b) / 2, rate_text(bps)) for (a, bps), b in zip(rates, ends) if b - a >= HEAD_MIN * end]


@dataclass(frozen=True)
class Limit:
    """The limit of a buffer: its label, and its value from each time on, in bytes or SDUs."""

    text: str
    in_bytes: bool
    steps: list[tuple[float, float]]

    def far(self, most: float) -> bool:
        """Whether the limit is so far above the largest occupancy that drawing it would flatten the curve."""
        return min(v for _, v in self.steps) > LIMIT_FAR * most


class Result:
    """A result folder and the link that pictures show; where users move, all that carry their packets."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.data = resultfile.result(folder)
        self.flows: dict[str, Any] = self.data["flows"]
        self.link = self.shown()
        self.end = float(self.data["ended_s"])

    def shown(self) -> str:
        """The radio downlink if any flow uses it, or the link of most flows, or that of most packets."""
        links = self.data["links"]
        counts = Counter(map(resultfile.link_of, self.flows.values()))
        used = [name for name, _ in counts.most_common() if name in links]
        if not used:
            programs = Counter(p.link for some in self.traffic.programs.values() for p in some)
            used = [name for name, _ in programs.most_common()] or self.traffic.air or [*links, "-"]
        return "radio.down" if "radio.down" in used else used[0]

    @cached_property
    def traffic(self) -> Traffic:
        return Traffic(self.folder, self.data)

    def series(self, name: str) -> Path:
        return resultfile.series(self.folder, self.data, name)

    @property
    def links(self) -> list[str]:
        """The link, or that direction of all cells that packets have come to."""
        return [*self.occupancy]

    def xstats(self, link: str) -> dict[str, Any]:
        return dict(self.data["links"].get(link, {}).get("xstats", {}))

    def options(self, link: str) -> dict[str, Any]:
        return dict(self.data["links"].get(link, {}).get("options", {}))

    def background(self, link: str) -> Path:
        """What users in the background have of each TTI; missing where the link has none."""
        return self.series(f"{link}.background")

    def rates(self) -> Rates:
        """The sum of the rates of all links."""
        each = [rates for link in self.links if (rates := self.rates_of(link))]
        times = sorted({t for rates in each for t, _ in rates})
        return [(t, sum(rate_at(rates, t) for rates in each)) for t in times]

    def rates_of(self, link: str, bearer: int = 0) -> Rates:
        """(s, bit/s) at the start and at each change: the capacity of what has packets, or of one bearer.

        In a cell it is that of its users.
        """
        some = {p.bearer for some in self.traffic.sdus.values() for p in some if p.link == link}
        some = {one for one in some if self.traffic.user(link, one)} or some
        some = {bearer} if bearer else some
        if some - {1}:
            return [(t / 1e9, bps) for t, bps in self.traffic.capacity(link, some) or []]
        return self.own_rates(link)

    def own_rates(self, link: str) -> Rates:
        """The same of bearer 1."""
        out: Rates = []
        for t, bps in zip(*columns(self.series(f"{link}.rate"), 1)):
            if bps < UNLIMITED_BPS and (not out or out[-1][1] != bps):
                out.append((t, bps))
        given = self.xstats(link).get("rate_bps")
        if not out and isinstance(given, int):
            out.append((0.0, float(given)))
        return out

    def heads(self, link: str) -> list[tuple[float, str]]:
        """Labels with a link's rate, or with the mean of a trace's opportunities."""
        xstats = self.xstats(link)
        if xstats.get("grants"):
            given = 8 * xstats["grant_bytes"] / self.end
            return [(self.end / 2, f"opportunities of {rate_text(given, 3)} on average")]
        return rate_heads(self.rates_of(link), self.end)

    @cached_property
    def occupancy(self) -> dict[str, dict[int, Steps]]:
        """The occupancy of each bearer of each link that SDUs have come to, at least of one link."""
        end_ns, out = round(self.end * 1e9), {}
        links = beside(self.link, self.traffic.cells)
        for link, some in stays(why.lines(self.folder), links, end_ns).items():
            options = self.options(link)
            back = (options.get("reverse") or {}).get("delay_ns")
            back_ns = options.get("delay_ns", 0) if back is None else back
            out[link] = occupancy(some, back_ns, end_ns, self.xstats(link).get("buffer_sdus"))
        return {link: bearers for link, bearers in out.items() if bearers} or {self.link: {}}

    def limit(self, link: str) -> Limit | None:
        """The limit of the buffer of each bearer that has packets; None if they differ."""
        bearers = list(self.occupancy[link]) or [1]
        own = self.data["links"].get(link, {}).get("bearers", {})
        each = [{**self.options(link), **own.get(str(one), {})} for one in bearers]
        found = [{k: v for k, v in one.items() if k.startswith("limit_") and v is not None} for one in each]
        limits = found[0] if all(one == found[0] for one in found) else {}
        if "limit_packets" in limits:
            return Limit(f"limit {limits['limit_packets']}", False, [(0.0, limits["limit_packets"])])
        if "limit_bytes" in limits:
            return Limit(f"limit {size_text(limits['limit_bytes'])}", True, [(0.0, limits["limit_bytes"])])
        if "limit_ns" in limits:
            # During an outage the limit stays.
            rates = [[one for one in self.rates_of(link, bearer) if one[1]] for bearer in bearers]
            steps = [(t, bps * limits["limit_ns"] / 8e9) for t, bps in rates[0]]
            if steps and all({bps for _, bps in one} == {bps for _, bps in rates[0]} for one in rates):
                return Limit(f"limit {limits['limit_ns'] / 1e6:g} ms", True, steps)
        return None


@dataclass(frozen=True)
class Played:
    """Mean bit/s of all packets of a link that plays a schedule, as wlab-results(5) defines them: what it
    could carry (none where that is not known), what came to it and what it delivered."""

    edges_s: list[float]
    capacity: list[float]
    sent: list[float]
    received: list[float]


def played(result: Result) -> dict[str, Played]:
    """Of each link that plays a schedule."""
    links = dict.fromkeys(one.decode() for one in PLAY.findall(result.traffic.log))
    sent: dict[str, Sizes] = {link: [] for link in links}
    received: dict[str, Sizes] = {link: [] for link in links}
    for words, _, _, copy in why.sdus(result.folder):
        if (link := words[why.LINK]) in links and not copy:
            size = int(words[why.BYTES])
            sent[link].append((int(words[why.ARRIVAL]), size))
            if words[why.DROP] == DELIVERED:
                received[link].append((int(words[why.DELIVER]), size))
    out = {}
    for link in links:
        fine = min(LOAD_BINS, int(result.end / PLAYED_MIN_S), len(received[link]) // PLAYED_MIN)
        bins = max(1, fine)
        edges = [i * result.end / bins for i in range(bins + 1)]
        if grants := result.traffic.grants(link):
            capacity = binned(grants, edges)
        else:
            steps = result.rates_of(link)
            capacity = [mean_between(steps, a, b) for a, b in zip(edges, edges[1:])] if steps else []
        out[link] = Played(edges, capacity, binned(sent[link], edges), binned(received[link], edges))
    return out


def binned(sizes: Iterable[tuple[int, float]], edges_s: list[float]) -> list[float]:
    """Mean bit/s in equal parts of the run, from bytes at times in ns."""
    width_s, out = edges_s[1], [0.0] * (len(edges_s) - 1)
    for t_ns, size in sizes:
        out[min(max(int(t_ns / 1e9 / width_s), 0), len(out) - 1)] += 8 * size / width_s
    return out


@dataclass(frozen=True)
class Loads:
    """Mean bit/s in each of equal parts of the run, whose bounds are `edges_s`."""

    edges_s: list[float]
    # Of the flows of kind load, as they arrive; what is delivered of them, and of the others.
    offered: list[float]
    delivered: list[float]
    others: list[float]
    # What users in the background of the cell take of it, at the rate of bearer 1.
    taken: list[float]


def delivered(result: Result, packets: list[Packet], bins: int = LOAD_BINS) -> Points:
    """Mean bit/s that are delivered in equal parts of the run, and the bounds of these in s."""
    edges = [i * (result.end / bins) for i in range(bins + 1)]
    return binned([(p.end, p.bytes) for p in packets if p.fate == DELIVERED], edges), edges


def loads(result: Result, bins: int = LOAD_BINS) -> Loads:
    """The background load of the links beside what these deliver."""
    offered, delivered, others, taken = Sizes(), Sizes(), Sizes(), Sizes()
    for name, packets in result.traffic.packets().items():
        load = result.flows.get(name, {}).get("kind") == "load"
        here = name in result.flows and any(link in result.links for link in result.traffic.last(name))
        for p in (p for p in packets if here or p.link in result.links):
            if load:
                offered.append((p.begin, p.bytes))
            if p.fate == DELIVERED:
                (delivered if load else others).append((p.end, p.bytes))
    for link in result.links:
        rates = result.own_rates(link)
        for at_ns, _, airtime_ns in rows(result.background(link), int, int, int):
            taken.append((at_ns, rate_at(rates, at_ns / 1e9) * airtime_ns / 8e9))
    edges = [i * result.end / bins for i in range(bins + 1)]
    return Loads(edges, *(binned(sizes, edges) for sizes in (offered, delivered, others, taken)))
