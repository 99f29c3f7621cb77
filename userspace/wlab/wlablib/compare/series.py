# SPDX-License-Identifier: GPL-2.0
"""The named plots of `wlab compare`, as numbers.

Values over time are averaged in intervals of one width for all runs, so that curves are
comparable; with several seeds a value is the mean of the seeds that have one, and half_width
is half of its 95 % confidence interval.
"""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil, fsum
from statistics import fmean
from typing import Any

from ..analysis import networks
from ..analysis.interval import half_width
from ..analysis.resultfile import rows
from ..analysis.traffic import DELIVERED, Packet, delays_ns, lost
from .sources import Group, Run

CONFIDENCE = 95.0
# The number of intervals of the longest run, and of points of a distribution.
BINS, POINTS = 100, 400
Values = list[float | None]


@dataclass
class Curve:
    """A curve: all flows of a group, or one."""

    label: str
    group: Group
    flow: str | None = None

    def flows(self, run: Run) -> list[str]:
        return [n for n in run.packets if self.flow in (None, n)]

    def tcp(self, run: Run) -> list[str]:
        return [n for n in self.flows(run) if run.result.flows.get(n, {}).get("kind") == "tcp"]

    def trips(self, run: Run) -> list[tuple[int, int]]:
        """When each of its pings was sent and answered, -1 for one without an answer, in ns."""
        names = [n for n in self.flows(run) if run.result.flows.get(n, {}).get("kind") == "ping"]
        files = [run.result.series(f"{name}.rtt") for name in names]
        return [(sent, answered) for path in files for _, sent, answered in rows(path, int, int, int)]

    def packets(self, run: Run) -> list[Packet]:
        return [p for name in self.flows(run) for p in run.packets[name]]

    def runs(self) -> list[Run]:
        """The runs that record its packets."""
        return [run for run in self.group.runs if any(map(run.logs, self.flows(run)))]


@dataclass
class Series:
    """The points of a curve: x in s or words, y in the plot's unit."""

    x: list[Any]
    y: Values
    half_width: Values


@dataclass(frozen=True)
class Plot:
    """A named plot: its description, axes and function."""

    sentence: str
    x: str
    y: str
    of: Callable[[Curve, int], Series | None]
    # Whether it shows the link, not flows.
    whole: bool = False


def width_ns(end_ns: int) -> int:
    """The width of intervals: 1, 2 or 5 times a power of ten, at most BINS intervals."""
    size = 1
    while True:
        for digit in (1, 2, 5):
            if digit * size * BINS >= end_ns:
                return digit * size
        size *= 10


def count(run: Run, width: int) -> int:
    return ceil(run.end_ns / width)


def spans(run: Run, width: int) -> list[tuple[int, int]]:
    """The intervals of a run; the last one ends with the run."""
    return [(i * width, min((i + 1) * width, run.end_ns)) for i in range(count(run, width))]


def rates(run: Run, width: int, sizes: Iterable[tuple[int, int]]) -> list[float]:
    """Bits per second in each interval, from bytes at given times."""
    sums = [0] * count(run, width)
    for t, size in sizes:
        if 0 <= t <= run.end_ns:
            sums[min(t // width, len(sums) - 1)] += size
    return [8e9 * n / (b - a) for n, (a, b) in zip(sums, spans(run, width))]


def means(run: Run, width: int, values: Iterable[tuple[int, float]]) -> Values:
    """The mean of the values at given times in each interval; None in an interval without values."""
    by_interval: list[list[float]] = [[] for _ in range(count(run, width))]
    for t, v in values:
        if 0 <= t <= run.end_ns:
            by_interval[min(t // width, len(by_interval) - 1)].append(v)
    return [fmean(interval_values) if interval_values else None for interval_values in by_interval]


def held(run: Run, width: int, steps: Sequence[tuple[int, float]], until: int) -> Values:
    """The time average of a step function in each interval; None where it is not defined throughout."""
    times, values, out = [t for t, _ in steps], [v for _, v in steps], Values()
    for a, b in spans(run, width):
        if not times or times[0] > a or until < b:
            out.append(None)
            continue
        inner = range(bisect_right(times, a), bisect_right(times, b))
        edges = [a, *(times[i] for i in inner), b]
        levels = [values[bisect_right(times, a) - 1], *(values[i] for i in inner)]
        out.append(fsum(v * (q - p) for v, p, q in zip(levels, edges, edges[1:])) / (b - a))
    return out


def over(lists: list[Values], width: int) -> Series | None:
    """The mean over runs in each interval, with its confidence interval."""
    out = Series([], [], [])
    for i in range(max(map(len, lists), default=0)):
        present = [v for values in lists if i < len(values) and (v := values[i]) is not None]
        out.x.append((i + 0.5) * width / 1e9)
        out.y.append(fmean(present) if present else None)
        out.half_width.append(half_width(present, CONFIDENCE) if present else None)
    return out if any(v is not None for v in out.y) else None


def of_flows(lists: list[Values]) -> Values:
    """The mean over the flows of one run."""
    columns = ([v for v in column if v is not None] for column in zip(*lists))
    return [fmean(present) if present else None for present in columns]


def delivered(run: Run, width: int, packets: Iterable[Packet]) -> list[float]:
    """Bits per second that are delivered in each interval."""
    return rates(run, width, ((p.end, p.bytes) for p in packets if p.fate == DELIVERED))


def throughput(curve: Curve, width: int) -> Series | None:
    return over([[*delivered(run, width, curve.packets(run))] for run in curve.runs()], width)


def carried(run: Run, width: int, link: str, bearers: set[int]) -> Values | None:
    """What a link could have carried of bearers in each interval; None if that is not known."""
    if grants := run.traffic.grants(link):
        return [*rates(run, width, grants)]
    if steps := run.traffic.capacity(link, bearers):
        return held(run, width, steps, run.end_ns)
    return None


def at_once(run: Run, width: int, flows: list[str]) -> Values | None:
    """What links could have carried of flows with the same last links.

    It is the sum over the cells, or the last link, but no more than each other one has at the time of packets
    for what all flows of some of these cross. None if one of the former is unlimited or not known.
    """
    own = flows[0] in run.result.flows
    rows = [run.traffic.row(name) if own else run.packets[name] for name in flows]
    on: dict[str, list[Packet]] = defaultdict(list)
    for p in (p for some in rows for p in some):
        on[p.link].append(p)
    last = run.traffic.last(flows[0]) if own else run.traffic.air
    air = [link for link in on if link.rpartition(".")[0] in run.traffic.cells]
    base = air or [link for link in on if link in last]
    have = {link: carried(run, width, link, {p.bearer for p in some}) for link, some in on.items()}
    known = {link: values for link, values in have.items() if values is not None}
    if not base or not known.keys() >= {*base}:
        return None
    out: Values = [fsum(v or 0.0 for v in column) for column in zip(*(known[link] for link in base))]
    if not own:
        return out
    crossed = crossings(run, width, rows, base)
    for i in range(len(out)):
        parts = {link: known[link][i] or 0.0 for link in base}
        limits: list[tuple[set[str], float]] = []
        for link in known.keys() - parts.keys():
            behind = {one for one in base if crossed[one][i] and crossed[one][i] <= crossed[link][i]}
            limits.append((behind, known[link][i] or 0.0))
        # From the leaves of the tree on: what a link leaves of several counts as that of one of them.
        for behind, most in sorted((one for one in limits if one[0]), key=lambda one: len(one[0])):
            if fsum(parts[link] for link in behind) > most:
                parts |= {**dict.fromkeys(behind, 0.0), min(behind): most}
        out[i] = fsum(parts.values())
    return out


def crossings(
    run: Run, width: int, rows: list[list[Packet]], base: list[str]
) -> dict[str, list[set[int]]]:
    """For each link and interval, which of the flows cross it: from its first packet there to its last one,
    of `base` those on any link, too, but no longer than users stay where they are."""
    out: dict[str, list[set[int]]] = defaultdict(lambda: [set() for _ in range(count(run, width))])
    moves = sorted(round(move["time_s"] * 1e9) for move in run.result.data.get("moves", []))
    for n, packets in enumerate(rows):
        stays: dict[int, dict[str, list[Packet]]] = defaultdict(lambda: defaultdict(list))
        for p in packets:
            stays[bisect_right(moves, p.arrival)][p.link].append(p)
        for links in stays.values():
            every = [p for some in links.values() for p in some]
            for link, here in links.items():
                some = every if link in base else here
                begin, end = min(p.arrival for p in some), max(p.end for p in some)
                for i in range(begin // width, min(-(-end // width), count(run, width))):
                    out[link][i].add(n)
    return out


def capacity(curve: Curve, width: int) -> Series | None:
    """The sum over flows that end on different links."""
    lists: list[Values] = []
    for run in curve.group.runs:
        groups: dict[tuple[str, ...], list[str]] = defaultdict(list)
        for name in (n for n in curve.flows(run) if run.packets[n]):
            groups[tuple(run.traffic.last(name) if name in run.result.flows else ())].append(name)
        some = [at_once(run, width, flows) for flows in groups.values()]
        if some and None not in some:
            lists.append([fsum(v or 0.0 for v in column) for column in zip(*filter(None, some))])
    return over(lists, width)


def delay(curve: Curve, width: int) -> Series | None:
    def of(run: Run) -> Values:
        come = (p for p in curve.packets(run) if p.fate == DELIVERED)
        return means(run, width, ((p.begin, (p.end - p.begin) / 1e9) for p in come))

    return over([*map(of, curve.group.runs)], width)


def delays_s(curve: Curve, run: Run) -> list[float]:
    """The delays of a run's packets after its warm-up."""
    return [ns / 1e9 for ns in delays_ns(curve.packets(run), run.warmup_ns)]


def distribution(values: Iterable[float]) -> Series | None:
    """A distribution at POINTS ranks."""
    order = sorted(values)
    ranks = sorted({ceil(i * len(order) / POINTS) for i in range(1, POINTS + 1)}) if order else []
    ranks = sorted({1, *ranks}) if order else []
    return Series([order[n - 1] for n in ranks], [n / len(order) for n in ranks], []) if order else None


def delay_cdf(curve: Curve, _: int) -> Series | None:
    return distribution(d for run in curve.group.runs for d in delays_s(curve, run))


def trips_s(curve: Curve, run: Run) -> list[float]:
    """The round trips of the answered pings that were sent after a run's warm-up."""
    have = [(sent, answered) for sent, answered in curve.trips(run) if sent >= run.warmup_ns]
    return [(answered - sent) / 1e9 for sent, answered in have if answered >= 0]


def ping(curve: Curve, width: int) -> Series | None:
    def of(run: Run) -> Values:
        return means(run, width, ((a, (b - a) / 1e9) for a, b in curve.trips(run) if b >= 0))

    return over([*map(of, curve.group.runs)], width)


def ping_cdf(curve: Curve, _: int) -> Series | None:
    return distribution(t for run in curve.group.runs for t in trips_s(curve, run))


def tcp_log(run: Run, flow: str, series: str, column: int) -> Iterator[tuple[int, float]]:
    """When each ACK came, and a column of a series of the flow's then."""
    have = rows(run.result.series(f"{flow}.{series}"), *[int] * (column + 1))
    return ((row[0], float(row[column])) for row in have)


def rtt(curve: Curve, width: int) -> Series | None:
    def of(run: Run) -> Values:
        acks = (ack for name in curve.tcp(run) for ack in tcp_log(run, name, "cwnd", 3))
        # Before the first measurement the value is 0.
        return means(run, width, ((t, us / 1e6) for t, us in acks if us))

    return over([*map(of, curve.group.runs)], width)


def of_senders(curve: Curve, width: int, series: str, column: int) -> Series | None:
    """A column of a series of each TCP flow, which holds until the next ACK."""
    def of(run: Run, name: str) -> Values:
        return held(run, width, [*tcp_log(run, name, series, column)], run.result.flows[name]["end_ns"])

    return over([of_flows([of(run, name) for name in curve.tcp(run)]) for run in curve.group.runs], width)


def cwnd(curve: Curve, width: int) -> Series | None:
    return of_senders(curve, width, "cwnd", 1)


def pacing(curve: Curve, width: int) -> Series | None:
    return of_senders(curve, width, "rates", 1)


def delivery(curve: Curve, width: int) -> Series | None:
    return of_senders(curve, width, "rates", 2)


def buffer(curve: Curve, width: int) -> Series | None:
    """The sum over all bearers of the link, or of that direction of all cells."""
    lists: list[Values] = []
    for run in curve.group.runs:
        bearers = []
        for steps in (one for some in run.occupancy.values() for one in some.values()):
            have = [(round(t * 1e9), float(n)) for t, n in zip(steps.t_s, steps.sdus)]
            bearers.append(held(run, width, have, run.end_ns))
        lists.append([fsum(v or 0.0 for v in column) for column in zip(*bearers)])
    return over(lists, width)


def drops(curve: Curve, _: int) -> Series | None:
    """Dropped packets by reason, mean over runs."""
    counts = [Counter(p.fate for p in lost(curve.packets(run), run.warmup_ns)) for run in curve.runs()]
    reasons = sorted({reason for counter in counts for reason in counter})
    numbers = [[float(counter[reason]) for counter in counts] for reason in reasons]
    if not reasons:
        return None
    return Series([*reasons], [fmean(n) for n in numbers], [half_width(n, CONFIDENCE) for n in numbers])


def jain(values: list[float]) -> float | None:
    """Jain's index of several values; None for a single one."""
    return networks.jain(values) if len(values) > 1 else None


def fairness(curve: Curve, width: int) -> Series | None:
    lists: list[Values] = []
    for run in curve.runs():
        names = curve.tcp(run)
        flows = [run.result.flows[name] for name in names]
        shares = [delivered(run, width, run.packets[n]) for n in names]
        values: Values = []
        for i, (a, b) in enumerate(spans(run, width)):
            active = [s[i] for s, f in zip(shares, flows) if f["start_ns"] <= a and b <= f["end_ns"]]
            values.append(jain(active))
        lists.append(values)
    return over(lists, width)


TIME, DELAY, TRIP = "time (s)", "one-way delay", "round trip"
PACING, DELIVERY = "pacing rate", "delivery rate"
PLOTS = {
    "throughput": Plot(
        "bits of packets with payload that the last wlinks have delivered, and what the links could carry",
        TIME,
        "throughput",
        throughput,
    ),
    "delay": Plot(
        "mean one-way delay of packets with payload over all wlinks on their way, by time of arrival",
        TIME,
        DELAY,
        delay,
    ),
    "delay-cdf": Plot(
        "part of the packets with payload whose one-way delay over all wlinks is not longer",
        DELAY,
        "part of packets",
        delay_cdf,
    ),
    "ping": Plot("mean round trip of pings, by time of sending", TIME, TRIP, ping),
    "ping-cdf": Plot(
        "part of the answered pings whose round trip is not longer", TRIP, "part of pings", ping_cdf
    ),
    "rtt": Plot("smoothed round-trip time as TCP measures it, mean of ACKs", TIME, "smoothed RTT", rtt),
    "cwnd": Plot("congestion window, mean over time and TCP flows", TIME, "cwnd (segments)", cwnd),
    "pacing": Plot("pacing rate of the sender, mean over time and TCP flows", TIME, PACING, pacing),
    "delivery": Plot(
        "delivery rate as the sender measures it, mean over time and TCP flows", TIME, DELIVERY, delivery
    ),
    "buffer": Plot(
        "SDUs in the buffers of the radio link, mean over time", TIME, "buffer (SDUs)", buffer, True
    ),
    "drops": Plot(
        "packets with payload that wlinks have dropped in a run, by reason",
        "reason",
        "packets dropped",
        drops,
    ),
    "fairness": Plot(
        "Jain's index of what the TCP flows get in each interval: 1 where all get the same",
        TIME,
        "Jain's fairness",
        fairness,
        True,
    ),
}
