# SPDX-License-Identifier: GPL-2.0
"""A result of `wlab run` as samples."""

from collections import defaultdict
from pathlib import Path

from ..analysis import resultfile, why
from ..analysis.traffic import Traffic, flushes
from ..lib.delay import parts_of
from ..lib.paths import LabError
from . import log, replay
from .replay import DELIVERED, HELD, NEVER_NS, Link, Packet, Steps


def chosen(traffic: Traffic, named: list[str]) -> list[str]:
    """Links by name; those at the users if none is named."""
    links = traffic.result["links"]
    if missing := [name for name in named if name not in links]:
        raise LabError(f"no link {missing[0]}; there is {', '.join(links)}")
    if other := [name for name in named if not traffic.logged(name)]:
        raise LabError(f"{other[0]} is {links[other[0]]['kind']}, which records no packets")
    return named or traffic.air


def packets(folder: Path, traffic: Traffic) -> dict[str, list[tuple[int, Packet]]]:
    """The packets of each link with their bearers, without copies."""
    out: dict[str, list[tuple[int, Packet]]] = defaultdict(list)
    flushed = flushes(traffic.log, traffic.result["links"])
    for words, waits, jitter, copy in why.sdus(folder):
        fate = why.fate(words, flushed)
        if not copy and not (fate == HELD and words[why.ARRIVAL] == words[why.END]):
            one = packet(words, {"forwarded": replay.FORWARDED}.get(fate, fate), *waits, jitter)
            out[words[why.LINK]].append((int(words[why.BEARER]), one))
    return out


def packet(words: list[str], fate: str, access: int, access_tx: int, jitter: int) -> Packet:
    times, now, size = [int(words[at]) for at in why.TIMES], int(words[why.TIME]), int(words[why.BYTES])
    if fate == DELIVERED:
        return Packet(times[0], times[2], times[-1], size, fate, parts_of(times, access, access_tx, jitter))
    return Packet(times[0], NEVER_NS if fate == HELD else min(max(times[0], times[2]), now), now, size, fate)


def rates(traffic: Traffic, link: str, bearers: list[int]) -> Steps:
    """A link's capacity for the bearers that carry its packets; no limit where all that is known is none."""
    if steps := traffic.capacity(link, bearers):
        return list(steps)
    known = [traffic.changes.get((link, bearer)) for bearer in bearers]
    if len(known) == 1 and known[0]:
        return [(at_ns, log.limit(bps)) for at_ns, bps in known[0]]
    bps = traffic.result["links"][link].get("xstats", {}).get("rate_bps", 0)
    return [(0, None)] if bps is None and not any(known) else []


def page(folder: Path, named: list[str]) -> tuple[bytes, list[str]]:
    """A page of links, and what is to be said of them."""
    result = resultfile.result(folder)
    resultfile.events(folder)
    traffic = Traffic(folder, result)
    found, links = packets(folder, traffic), {}
    if not found:
        raise LabError(f"{folder}: no packet has passed a wlink; other qdiscs have no events")
    for name in chosen(traffic, named):
        bearers = sorted({bearer for bearer, _ in found[name]} or {1})
        mine = [packet for _, packet in found[name]]
        links[name] = Link(mine, rates(traffic, name, bearers), traffic.grants(name))
    changes = [
        log.change(at_ns, link, bps, bearer if bearer > 1 else 0)
        for (link, bearer), steps in traffic.changes.items()
        for at_ns, bps in steps[1:]
    ]
    notes: list[str] = []
    title = f"{result['name']}, seed {result['seed']}"
    span = 0, round(result["ended_s"] * 1e9)
    changes.sort(key=lambda one: int(one["t"]))
    return replay.of_links(title, links, span, changes, notes), notes
