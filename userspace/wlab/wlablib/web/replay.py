# SPDX-License-Identifier: GPL-2.0
"""A recording as one file of HTML that needs nothing else; samples from the log of `wlinkctl record`."""

import html
import json
import re
from collections.abc import Iterable
from importlib import resources
from pathlib import Path
from typing import Any

from ..top.look import PARTS
from .backend import Refused
from .samples import RECORDED, Sample

# Debian's libjs-dygraphs.
DYGRAPHS = (Path("/usr/share/javascript/dygraphs"), Path("/usr/share/nodejs/dygraphs/dist"))
BIN_NS = 100_000_000
Packets = Iterable[dict[str, Any]]


def dygraph(suffix: str) -> bytes:
    for folder in DYGRAPHS:
        if (path := folder / f"dygraph.min{suffix}").is_file():
            return path.read_bytes()
    raise Refused("dygraphs is not installed; type: apt-get install libjs-dygraphs", 501)


def text_of(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text()


def page(
    title: str, keys: dict[str, str], samples: dict[str, list[Sample]], changes: list[dict[str, Any]]
) -> bytes:
    """Samples by direction. What is in a script must not end it."""
    data = json.dumps({"keys": keys, "samples": samples, "changes": changes}, separators=(",", ":"))
    scripts = [dygraph(".js").decode(), text_of("chart.js")]
    values = {
        "TITLE": html.escape(title),
        "STYLE": dygraph(".css").decode() + text_of("page.css"),
        "DATA": data.replace("<", "\\u003c"),
        "SCRIPT": "\n".join(scripts).replace("</script", "<\\/script"),
    }
    return re.sub("@([A-Z]+)@", lambda found: values[found[1]], text_of("replay.html")).encode()


def binned(packets: Packets, begin_ns: int, end_ns: int, rates: list[tuple[int, int | None]]) -> list[Sample]:
    """Samples of packets, each with arrival_ns, bytes, drop, and end_ns, buffer and parts where delivered."""
    each = BIN_NS
    while (end_ns - begin_ns) // each > RECORDED:
        each *= 2
    bins = [empty(begin_ns + (at + 1) * each, each) for at in range((end_ns - begin_ns) // each + 1)]
    for packet in packets:
        bins[(packet["arrival_ns"] - begin_ns) // each]["offered"] += packet["bytes"] * 8e9 / each
        at = bins[(packet["end_ns"] - begin_ns) // each]
        if packet["drop"] != "none":
            at["drops"][packet["drop"]] = at["drops"].get(packet["drop"], 0) + 1
            continue
        at["delivered"] += packet["bytes"] * 8e9 / each
        at["sdus"] += 1
        for part, ns in packet["parts"].items():
            at["parts"][part] = (at["parts"][part] or 0) + ns
    rate: int | None = None
    left = list(rates)
    for one in bins:
        while left and left[0][0] <= one["t"]:
            rate = left.pop(0)[1]
        one["rate"] = rate
        if one["sdus"]:
            one["parts"] = {part: round(ns / one["sdus"]) for part, ns in one["parts"].items()}
    return bins


def empty(time_ns: int, interval_ns: int) -> Sample:
    return {
        "t": time_ns, "i": interval_ns, "rate": None, "offered": 0.0, "delivered": 0.0, "sdus": 0,
        "parts": dict.fromkeys(PARTS), "buffer": 0, "full": None, "drops": {}, "generation": 0,
        "play": "none",
    }  # fmt: skip


def of_packets(
    title: str,
    keys: dict[str, str],
    packets: dict[str, list[dict[str, Any]]],
    rates: dict[str, list[tuple[int, int | None]]],
    changes: list[dict[str, Any]],
) -> bytes:
    """Packets, rates and changes by link: samples of all links at the same times."""
    shown = [packet for key in keys.values() for packet in packets[key]]
    begin = min(packet["arrival_ns"] for packet in shown)
    end = max(packet["end_ns"] for packet in shown)
    samples = {way: binned(packets[key], begin, end, rates.get(key, [])) for way, key in keys.items()}
    return page(
        title, keys, samples, [change for change in changes if set(change["keys"]) & set(keys.values())]
    )
