# SPDX-License-Identifier: GPL-2.0
"""A recording as one file of HTML that needs nothing else; samples from the packets of links."""

import html
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

from ..lib.delay import PARTS
from ..lib.ways import DEVICES, way_of
from .backend import Refused
from .samples import KEPT, RECORDED, Sample

# Debian's libjs-dygraphs.
DYGRAPHS = (Path("/usr/share/javascript/dygraphs"), Path("/usr/share/nodejs/dygraphs/dist"))
BIN_NS = 100_000_000
DELIVERED, FORWARDED, HELD = "none", "forward", "held"
# Fates of packets that no link has dropped.
NOT_DROPPED = (DELIVERED, FORWARDED, HELD)
NEVER_NS = 1 << 63
# (ns, bit/s) from then on; None is no limit.
Steps = list[tuple[int, int | float | None]]


class Packet(NamedTuple):
    """A packet of a link; times in ns."""

    arrival: int
    # When it had left the buffer.
    left: int
    # When it was delivered or dropped.
    end: int
    bytes: int
    # A reason of drops, or one of NOT_DROPPED.
    fate: str
    # Of the delay, where it was delivered.
    parts: tuple[int, ...] = ()


@dataclass
class Link:
    """What is known of a link, or of one of its bearers."""

    packets: list[Packet] = field(default_factory=list)
    # Empty where they are not known.
    rates: Steps = field(default_factory=list)
    # (ns, bytes) of opportunities.
    grants: list[tuple[int, int]] = field(default_factory=list)


def dygraph(suffix: str) -> bytes:
    for folder in DYGRAPHS:
        if (path := folder / f"dygraph.min{suffix}").is_file():
            return path.read_bytes()
    raise Refused("dygraphs is not installed; type: apt-get install libjs-dygraphs", 501)


def text_of(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text()


def page(
    title: str,
    keys: dict[str, str],
    samples: dict[str, list[Sample]],
    changes: list[dict[str, Any]],
    notes: Sequence[str] = (),
) -> bytes:
    """Samples by direction, or by name. What is in a script must not end it."""
    data = json.dumps(
        {"keys": keys, "samples": samples, "changes": changes, "notes": notes}, separators=(",", ":")
    )
    scripts = [dygraph(".js").decode(), text_of("chart.js")]
    values = {
        "TITLE": html.escape(title),
        "STYLE": dygraph(".css").decode() + text_of("page.css"),
        "DATA": data.replace("<", "\\u003c"),
        "SCRIPT": "\n".join(scripts).replace("</script", "<\\/script"),
    }
    return re.sub("@([A-Z]+)@", lambda found: values[found[1]], text_of("replay.html")).encode()


def named(keys: Iterable[str]) -> dict[str, str]:
    """Links, whose names begin with a device or are those of a run, by direction where it has no other."""
    ways = {key: way_of(key.partition(" ")[0]) for key in keys}
    order = sorted(ways, key=lambda key: [*DEVICES, ""].index(ways[key]))
    single = [way for way in DEVICES if [*ways.values()].count(way) == 1]
    return {ways[key] if ways[key] in single else key: key for key in order}


def edges(begin_ns: int, end_ns: int, most: int) -> list[int]:
    """Of at most so many intervals of one width; the last one ends with the recording."""
    each = BIN_NS
    while (end_ns - begin_ns) // each > most:
        each *= 2
    count = max(1, (end_ns - begin_ns + each // 2) // each)
    return [*(begin_ns + i * each for i in range(count)), max(end_ns, begin_ns + 1)]


def binned(link: Link, times: list[int]) -> list[Sample]:
    """Samples of a link between times."""
    bins = [empty(to, to - at) for at, to in zip(times, times[1:])]
    each = times[1] - times[0]

    def at(ns: int) -> Sample | None:
        """None of what was before the recording or after it."""
        return bins[min((ns - times[0]) // each, len(bins) - 1)] if times[0] <= ns <= times[-1] else None

    for packet in link.packets:
        if came := at(packet.arrival):
            came["offered"] += packet.bytes * 8e9 / came["i"]
        if packet.fate == DELIVERED and (one := at(packet.end)):
            one["delivered"] += packet.bytes * 8e9 / one["i"]
            one["sdus"] += 1
            for part, ns in zip(PARTS, packet.parts, strict=True):
                one["parts"][part] = (one["parts"][part] or 0) + ns
        elif packet.fate not in NOT_DROPPED and (one := at(packet.end)):
            one["drops"][packet.fate] = one["drops"].get(packet.fate, 0) + 1
    add_rates(link, bins)
    add_buffer(link, bins)
    for one in bins:
        if one["sdus"]:
            one["parts"] = {part: round(ns / one["sdus"]) for part, ns in one["parts"].items()}
    for ns, size in link.grants:
        if one := at(ns):
            one["rate"] += size * 8e9 / one["i"]
    return bins


def add_rates(link: Link, bins: list[Sample]) -> None:
    """The rate at the end of each interval; where there are opportunities, 0, to which they add."""
    steps, at = sorted(link.rates, key=lambda step: step[0]), 0
    first, last = (end([ns for ns, _ in link.grants], default=-1) for end in (min, max))
    for one in bins:
        while at < len(steps) and steps[at][0] <= one["t"]:
            at += 1
        if at:
            one["rate"] = steps[at - 1][1]
        if first <= one["t"] and one["t"] - one["i"] <= last:
            one["rate"] = 0.0


def add_buffer(link: Link, bins: list[Sample]) -> None:
    """How many packets are in the buffer at the end of each interval."""
    moves = sorted([(p.arrival, 1) for p in link.packets] + [(p.left, -1) for p in link.packets])
    at = held = 0
    for one in bins:
        while at < len(moves) and moves[at][0] <= one["t"]:
            held += moves[at][1]
            at += 1
        one["buffer"] = held


def empty(time_ns: int, interval_ns: int) -> Sample:
    """Without a rate, which is not known."""
    return {
        "t": time_ns, "i": interval_ns, "offered": 0.0, "delivered": 0.0, "sdus": 0,
        "parts": dict.fromkeys(PARTS), "buffer": 0, "full": None, "drops": {}, "generation": 0,
        "play": "none",
    }  # fmt: skip


def of_links(
    title: str,
    links: dict[str, Link],
    span: tuple[int, int],
    changes: list[dict[str, Any]],
    notes: list[str],
) -> bytes:
    """A page of the links with most packets, over the whole time of the recording."""
    order = sorted(links, key=lambda key: -len(links[key].packets))
    shown, rest = order[:KEPT], order[KEPT:]
    if rest:
        notes.append(f"{len(rest)} more with fewer packets are not shown: {', '.join(rest[:KEPT])}")
    notes += [note for key in shown for note in silent(key, links[key], span)]
    keys = named(key for key in links if key in shown)
    times = edges(*span, 2 * RECORDED // max(2, len(keys)))
    samples = {name: binned(links[key], times) for name, key in keys.items()}
    return page(title, keys, samples, [one for one in changes if set(one["keys"]) & {*shown}], notes)


def silent(key: str, link: Link, span: tuple[int, int]) -> list[str]:
    """Of a link that has carried no packet, or none for the last part of a recording."""
    last = max((p.arrival if p.fate == HELD else p.end for p in link.packets), default=None)
    if last is None:
        return [f"{key}: no packet"]
    if 10 * (span[1] - last) > span[1] - span[0]:
        return [f"{key}: no packet after {(last - span[0]) / 1e9:.2f} s of {(span[1] - span[0]) / 1e9:.2f} s"]
    return []
