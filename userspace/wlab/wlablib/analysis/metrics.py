# SPDX-License-Identifier: GPL-2.0
"""The metrics of experiments: each is one number of one run. The code is hashed, see inputs.py."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from math import fsum
from pathlib import Path
from typing import Any, NamedTuple

from ..lib.paths import LabError
from ..lib.units import near, time_ns
from . import compare, networks, resultfile, why
from .packets import rank
from .traffic import WIRED, Traffic, beside, delays_ns


@dataclass
class Run:
    """A run's result.json and folder, and the links that metrics of links are of; the event log is read only
    if a metric needs it."""

    result: dict[str, Any]
    folder: Path
    of_links: list[str] = field(default_factory=list)

    def flows(self, *kinds: str) -> dict[str, dict[str, Any]]:
        return {n: f for n, f in self.result["flows"].items() if f["kind"] in kinds}

    @cached_property
    def links(self) -> dict[str, dict[str, Any]]:
        """The parts of result.json of the links that a metric is of."""
        have = self.result["links"]
        names = measured_at({name: link["kind"] for name, link in have.items()}, self.of_links)
        return {name: have[name] for name in names}

    @property
    def warmup_ns(self) -> int:
        return time_ns(self.result["scenario"].get("warmup", 0))

    @cached_property
    def traffic(self) -> Traffic:
        return Traffic(self.folder, self.result)

    @cached_property
    def delays_ns(self) -> list[int]:
        flows = self.flows(*TCP)
        return [ns for n in flows for ns in delays_ns(self.traffic.over_all(n, whole=True), self.warmup_ns)]

    @cached_property
    def changes_ns(self) -> list[int]:
        """When the rates of the links changed."""
        files = [resultfile.series(self.folder, self.result, f"{name}.rate") for name in self.links]
        return sorted({t for path in files for t, *_ in list(resultfile.rows(path, int))[1:]})

    @cached_property
    def overflows(self) -> dict[str, int]:
        story = compare.read(self.traffic, list(self.links))
        return compare.overflows(story, [t / 1e9 for t in self.changes_ns])


def measured_at(kinds: dict[str, str], of_links: list[str]) -> list[str]:
    """The links that a metric is of: those named, or all radio downlinks; a LabError if one is no wlink."""
    names = of_links or [name for name in kinds if is_downlink(name)]
    for name in names:
        if kinds[name] != "wlink":
            raise LabError(f"{name} is {kinds[name]}; what becomes of packets is known of wlink only")
    if not names:
        raise LabError(f"no radio downlink; {' and '.join(BY_LINK)} take a link after @: {', '.join(kinds)}")
    return names


def is_downlink(link: str) -> bool:
    """The radio downlink, or that of a cell; the wired leg has one, too."""
    return link.endswith(".down") and link != WIRED


# Kinds of flow that use TCP.
TCP = ("tcp", "web")


@dataclass(frozen=True)
class Metric:
    """A metric: its unit, its definition in a sentence, and the function that computes it."""

    unit: str
    sentence: str
    of: Callable[[Run], float]


def some(run: Run, *kinds: str) -> list[dict[str, Any]]:
    """The flows of these kinds; a LabError if there is none."""
    have = list(run.flows(*kinds).values())
    if not have:
        raise LabError(f"no flow is {' or '.join(kinds)}")
    return have


def total(flows: Iterable[dict[str, Any]], key: str) -> float:
    """The sum over flows; one that has ended before the warm-up adds nothing."""
    return fsum(f[key] or 0 for f in flows)


def goodput_kbit(run: Run) -> float:
    return total(some(run, *TCP), "goodput_bps") / 1e3


def delay_s(run: Run) -> float:
    if not run.delays_ns:
        raise LabError("no TCP data packet was delivered")
    return fsum(run.delays_ns) / len(run.delays_ns) / 1e9


def delay_rank(percent: int) -> Callable[[Run], float]:
    """A percentile of the one-way delay of TCP data packets over both legs."""

    def of(run: Run) -> float:
        if not run.delays_ns:
            raise LabError("no TCP data packet was delivered")
        return rank(sorted(run.delays_ns), percent) / 1e9

    return of


def media_rank(percent: int) -> Callable[[Run], float]:
    """A percentile of the delay of media packets between the sockets."""

    def of(run: Run) -> float:
        found: list[int] = []
        for name in run.flows("media"):
            path = resultfile.series(run.folder, run.result, f"{name}.e2e")
            lines = resultfile.rows(path, int, int, int)
            found += [received - sent for _, sent, received, *_ in lines if sent >= run.warmup_ns]
        if not found:
            raise LabError("no media packet was delivered")
        return rank(sorted(found), percent) / 1e9

    return of


def requests_ns(run: Run) -> list[tuple[int, int]]:
    """When each ping since the warm-up was sent and answered, -1 for one without an answer."""
    found: list[tuple[int, int]] = []
    for name in run.flows("ping"):
        lines = resultfile.rows(resultfile.series(run.folder, run.result, f"{name}.rtt"), int, int, int)
        found += [(sent, answered) for _, sent, answered in lines if sent >= run.warmup_ns]
    if not found:
        raise LabError("no ping was sent")
    return found


def round_trips_ms(run: Run) -> list[float]:
    """Of each answered ping, sorted."""
    found = sorted((answered - sent) / 1e6 for sent, answered in requests_ns(run) if answered >= 0)
    if not found:
        raise LabError("no ping was answered")
    return found


def ping_rank(percent: int) -> Callable[[Run], float]:
    """A percentile of the round trips of pings."""
    return lambda run: rank(round_trips_ms(run), percent)


def ping_mean_ms(run: Run) -> float:
    return fsum(found := round_trips_ms(run)) / len(found)


def ping_loss_percent(run: Run) -> float:
    found = requests_ns(run)
    return 100 * sum(answered < 0 for _, answered in found) / len(found)


def ping_part(part: str) -> Callable[[Run], float]:
    """The mean of a part of the delay over all wlinks there and back, each of all its delivered pings."""

    def of(run: Run) -> float:
        places: dict[tuple[str, tuple[str, ...]], list[int]] = {}
        for group in why.read(run.folder)[1]:
            if group.flow in run.flows("ping"):
                place = str(group.way), tuple(beside(group.link, run.traffic.cells))
                places.setdefault(place, []).extend(group.parts[part])
        if not any(places.values()):
            raise LabError("no ping was delivered")
        return sum(fsum(spans) / len(spans) for spans in places.values() if spans) / 1e6

    return of


def received_kbit(run: Run) -> float:
    return total(run.result["flows"].values(), "goodput_bps") / 1e3


def jain_index(run: Run) -> float:
    """Jain's index of the goodput of TCP and web flows."""
    fair = networks.jain(f["goodput_bps"] or 0.0 for f in some(run, *TCP))
    if fair is None:
        raise LabError("no flow has got anything")
    return fair


def completions_s(run: Run) -> list[float]:
    """The durations of the TCP flows, all of which must have ended."""
    for name, flow in run.flows("tcp").items():
        if not flow["ended"]:
            raise LabError(f"the flow {name} had not ended after {run.result['duration_s']:g} s")
    return sorted((f["end_ns"] - f["start_ns"]) / 1e9 for f in some(run, "tcp"))


def completion_s(run: Run) -> float:
    have = completions_s(run)
    return fsum(have) / len(have)


def weighted(parts: list[dict[str, Any] | None]) -> float:
    """The mean over all packets in s, from the means of flows."""
    have = [p for p in parts if p]
    count = total(have, "count")
    if not count:
        raise LabError("no packet was delivered")
    return fsum(p["mean_ns"] * p["count"] for p in have) / count / 1e9


def radio_delay_s(run: Run) -> float:
    return weighted([f.get("radio_delay", f["delay"]) for f in some(run, *TCP)])


def media_delay_s(run: Run) -> float:
    return weighted([f["end_to_end"] for f in some(run, "media")])


def media_loss_percent(run: Run) -> float:
    sent = total(some(run, "media"), "packets_sent")
    if not sent:
        raise LabError("no media packet was sent")
    return 100 * (1 - total(some(run, "media"), "packets") / sent)


def drops(*why: str) -> Callable[[Run], float]:
    """A metric: SDUs that the radio downlinks dropped for one of these reasons."""
    return lambda run: fsum(link["dropped"][w] for link in run.links.values() for w in why)


def buffer_sdus(run: Run) -> float:
    return fsum(link["buffer_mean_sdus"] for link in run.links.values())


def retransmissions(run: Run) -> float:
    return total(some(run, *TCP), "retransmissions")


def transactions(run: Run) -> float:
    return total(some(run, "web"), "transactions")


def file_s(run: Run) -> float:
    files = [f for f in some(run, "tcp") if f["ended"]]
    if len(files) < len(run.flows("tcp")):
        raise LabError(f"the file had not ended after {run.result['duration_s']:g} s")
    return float(max(f["end_ns"] - f["start_ns"] for f in files) / 1e9)


def utilisation_percent(run: Run) -> float:
    """Delivered bits in percent of what the links could have carried in the run."""
    capacity = 0.0
    for name in run.links:
        bits = networks.capacity_bits(run.traffic, name)
        if bits is None:
            raise LabError(f"a link whose rate is unlimited or not known has no utilisation: {name}")
        capacity += bits
    if not capacity:
        raise LabError(f"a link that is silent all the time has no utilisation: {', '.join(run.links)}")
    return 800 * fsum(link["xstats"]["bytes_delivered"] for link in run.links.values()) / capacity


METRICS: dict[str, Metric] = {
    "goodput_kbit": Metric(
        "kbit/s",
        "payload that the receivers of all TCP and web flows have read, by the time from the start"
        " of a flow to its end",
        goodput_kbit,
    ),
    "received_kbit": Metric(
        "kbit/s",
        "payload that the receivers of all flows of any kind have read, by the time of each",
        received_kbit,
    ),
    "jain_index": Metric(
        "of 1",
        "Jain's index of what the receivers of the TCP and web flows have read: 1 where all have the same",
        jain_index,
    ),
    "delay_s": Metric(
        "s",
        "mean time of the TCP data packets that reach the UE, each copy counted, from the first wlink"
        " on their way, such as the server's device, to delivery by the last one",
        delay_s,
    ),
    "delay_p50_s": Metric(
        "s", "time that half of the TCP data packets that reach the UE did not exceed", delay_rank(50)
    ),
    "delay_p95_s": Metric(
        "s", "time that 95 % of the TCP data packets that reach the UE did not exceed", delay_rank(95)
    ),
    "delay_p99_s": Metric(
        "s", "time that 99 % of the TCP data packets that reach the UE did not exceed", delay_rank(99)
    ),
    "radio_delay_s": Metric(
        "s", "mean time of the TCP data packets through the radio downlinks alone", radio_delay_s
    ),
    "media_delay_s": Metric(
        "s", "mean time of the media packets from the sender's socket to the receiver's", media_delay_s
    ),
    "media_delay_p95_s": Metric(
        "s", "time that 95 % of the media packets that arrived did not exceed", media_rank(95)
    ),
    "media_delay_p99_s": Metric(
        "s", "time that 99 % of the media packets that arrived did not exceed", media_rank(99)
    ),
    "media_loss_percent": Metric(
        "%", "media packets that had not arrived at the end, of those sent", media_loss_percent
    ),
    "rtt_p1_ms": Metric(
        "ms", "round trip that 1 % of the answered pings did not exceed", ping_rank(1)
    ),
    "rtt_p10_ms": Metric(
        "ms", "round trip that 10 % of the answered pings did not exceed", ping_rank(10)
    ),
    "rtt_p50_ms": Metric(
        "ms", "round trip that half of the answered pings did not exceed", ping_rank(50)
    ),
    "rtt_p90_ms": Metric(
        "ms", "round trip that 90 % of the answered pings did not exceed", ping_rank(90)
    ),
    "rtt_p95_ms": Metric(
        "ms", "round trip that 95 % of the answered pings did not exceed", ping_rank(95)
    ),
    "rtt_p99_ms": Metric(
        "ms", "round trip that 99 % of the answered pings did not exceed", ping_rank(99)
    ),
    "rtt_mean_ms": Metric("ms", "mean round trip of the answered pings", ping_mean_ms),
    "ping_loss_percent": Metric(
        "%", "pings that had not been answered at the end, of those sent", ping_loss_percent
    ),
    "rtt_queue_ms": Metric(
        "ms",
        "mean time in the buffers, for the TTI and in TDD for a slot over all wlinks, there and back",
        ping_part("queue"),
    ),
    "rtt_serial_ms": Metric(
        "ms", "mean time of transmission over all wlinks, there and back", ping_part("serial")
    ),
    "rtt_prop_ms": Metric(
        "ms", "mean time of propagation and processing over all wlinks, there and back", ping_part("prop")
    ),
    "rtt_retx_ms": Metric(
        "ms", "mean time for retransmissions over all wlinks, there and back", ping_part("retx")
    ),
    "rtt_hol_ms": Metric(
        "ms", "mean time for earlier packets over all wlinks, there and back", ping_part("hol")
    ),
    "rtt_access_ms": Metric(
        "ms",
        "mean time for scheduling request and grant over all wlinks, there and back",
        ping_part("access"),
    ),
    "overflow_start": Metric(
        "packets",
        f"data packets that a full buffer dropped in the first {compare.SPAN_S:g} s",
        lambda run: run.overflows["start"],
    ),
    "overflow_switch": Metric(
        "packets",
        f"data packets that a full buffer dropped in the {compare.SPAN_S:g} s after changes of the rate",
        lambda run: sum(n for when, n in run.overflows.items() if when.startswith("switch")),
    ),
    "overflow_else": Metric(
        "packets", "data packets that a full buffer dropped at other times", lambda run: run.overflows["else"]
    ),
    "drops_overflow": Metric("packets", "packets that a full buffer dropped", drops("overflow")),
    "drops_aqm": Metric("packets", "packets that the AQM dropped", drops("aqm")),
    "drops_channel": Metric(
        "packets",
        "packets lost on the radio link or given up by its protocol",
        drops("channel", "maxdat", "timer", "reset"),
    ),
    "buffer_sdus": Metric(
        "packets", "mean number of packets in the buffers of the radio downlinks", buffer_sdus
    ),
    "retransmissions": Metric("packets", "data packets that TCP has sent again", retransmissions),
    "transactions": Metric("pages", "web pages fetched with all their objects", transactions),
    "file_s": Metric("s", "time of the file from its start to its last byte", file_s),
    "completion_s": Metric(
        "s", "mean time of the TCP flows from start to last byte, to which all must come", completion_s
    ),
    "completion_p95_s": Metric(
        "s", "time that 95 % of the TCP flows did not exceed", lambda run: rank(completions_s(run), 95)
    ),
    "utilisation_percent": Metric(
        "%",
        "bits of the packets that the radio downlinks have delivered in the whole run, of their capacity",
        utilisation_percent,
    ),
}


RTT_PARTS = tuple(f"rtt_{part}_ms" for part in ("queue", "serial", "prop", "retx", "hol", "access"))
# Metrics that can be restricted to a flow, or to the flows to a node.
BY_FLOW = (
    *("goodput_kbit", "received_kbit", "jain_index", "retransmissions", "transactions"),
    *("delay_s", "delay_p50_s", "delay_p95_s", "delay_p99_s", "radio_delay_s"),
    *("media_delay_s", "media_delay_p95_s", "media_delay_p99_s", "media_loss_percent"),
    *("file_s", "completion_s", "completion_p95_s"),
    *("rtt_p1_ms", "rtt_p10_ms", "rtt_p50_ms", "rtt_p90_ms", "rtt_p95_ms", "rtt_p99_ms", "rtt_mean_ms"),
    *("ping_loss_percent", *RTT_PARTS),
)
# Metrics of the radio downlinks, or of another link.
BY_LINK = ("drops_overflow", "drops_aqm", "drops_channel", "buffer_sdus")
# Others of the radio downlinks.
OF_LINKS = (*BY_LINK, "overflow_start", "overflow_switch", "overflow_else", "utilisation_percent")
# Metrics of packets on the wlinks on their flow's way.
OVER_WLINKS = ("delay_s", "delay_p50_s", "delay_p95_s", "delay_p99_s", "radio_delay_s", *RTT_PARTS)
# Units of derived and own metrics, by the end of their names.
SUFFIXES = {"_kbit": "kbit/s", "_s": "s", "_ms": "ms", "_percent": "%", "_bytes": "bytes"}


def split_flow(name: str) -> tuple[str, str]:
    """Split METRIC@FLOW, METRIC@NODE or METRIC@LINK; without @ it is of the whole run."""
    metric, _, what = name.partition("@")
    return metric, what


def unit(name: str) -> str:
    """The unit of any metric, also of derived and own ones."""
    metric = split_flow(name)[0]
    if metric in METRICS:
        return METRICS[metric].unit
    return next((of for suffix, of in SUFFIXES.items() if metric.endswith(suffix)), "")


def sentence(name: str) -> str:
    """The definition of a built-in metric."""
    metric, flow = split_flow(name)
    text = METRICS[metric].sentence if metric in METRICS else ""
    return f"{text}; of {flow} alone" if flow else text


def chosen(what: str, flows: dict[str, str]) -> list[str]:
    """The flows that a name stands for: the flow itself, those that [[flow]] has made of it by `count` or
    for several nodes, or those to a node. `flows` has the node that each flow leads to."""
    made = re.compile(re.escape(what) + r"(\d+|\..+)")
    if what in flows:
        return [what]
    return [n for n in flows if made.fullmatch(n)] or [n for n, node in flows.items() if node == what]


def needed(metric: str) -> tuple[str, ...]:
    """The kinds of flow of which a metric needs one."""
    if metric in OF_LINKS or metric == "received_kbit":
        return ()
    if metric.startswith("media_"):
        return ("media",)
    if metric.startswith(("rtt_", "ping_")):
        return ("ping",)
    if metric == "transactions":
        return ("web",)
    return ("tcp",) if metric in ("file_s", "completion_s", "completion_p95_s") else TCP


class Way(NamedTuple):
    """The node that a flow leads to, its kind, and whether it crosses a wlink, and its radio link is one."""

    to: str
    kind: str
    logged: bool
    radio: bool


def check_of(name: str, flows: dict[str, Way], links: dict[str, str]) -> None:
    """Raise a LabError if a metric is of a flow, node or link that does not exist, or that cannot have it.

    `links` has the kind of each.
    """
    metric, what = split_flow(name)
    if what and metric in BY_LINK and what not in links:
        raise LabError(f"no link's direction is called '{what}'; {near(what, list(links))}")
    some = list(flows)
    if what and metric in BY_FLOW:
        some = chosen(what, {n: way.to for n, way in flows.items()})
        if not some:
            raise LabError(f"no flow is called '{what}', nor leads to such a node; {near(what, list(flows))}")
    if metric in OF_LINKS:
        measured_at(links, [what] if what else [])
    kinds = needed(metric)
    ways = [flows[n] for n in some if flows[n].kind in kinds]
    if kinds and not ways:
        raise LabError(f"no flow is {' or '.join(kinds)}")
    seen = [way.radio if metric == "radio_delay_s" else way.logged for way in ways]
    if metric in OVER_WLINKS and not any(seen):
        raise LabError("no wlink is on the way; what becomes of packets is known of wlink only")


def run_of(run: Run, name: str) -> Run:
    """The run restricted to the flow, node or link that a metric names."""
    metric, what = split_flow(name)
    result = run.result
    # What a flow has not crossed has no figures by now.
    flows = {n: Way(str(f.get("to")), f["kind"], True, True) for n, f in result["flows"].items()}
    check_of(name, flows, {n: link["kind"] for n, link in result["links"].items()})
    if metric in BY_LINK:
        return Run(result, run.folder, [what])
    some = chosen(what, {n: way.to for n, way in flows.items()})
    return Run({**result, "flows": {n: result["flows"][n] for n in some}}, run.folder)


def measure(names: list[str], result: dict[str, Any], folder: Path) -> dict[str, float]:
    """Compute these metrics of one run."""
    whole = Run(result, folder)
    runs: dict[tuple[bool, str], Run] = {}
    out = {}
    for name in names:
        metric, what = split_flow(name)
        key = (metric in BY_LINK, what)
        try:
            if what and key not in runs:
                runs[key] = run_of(whole, name)
            out[name] = METRICS[metric].of(runs[key] if what else whole)
        except LabError as e:
            raise LabError(f"{name}: seed {result['seed']}: {e}") from None
        except KeyError as e:
            raise LabError(f"{name}: seed {result['seed']}: the result has no {e}") from None
    return out
