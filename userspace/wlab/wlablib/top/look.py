# SPDX-License-Identifier: GPL-2.0
"""Looks at the statistics of bearers, and what has happened between two of them."""

import json
import os
import subprocess
import time
from dataclasses import dataclass, field
from typing import Any

from ..lib.beside import REFUSED, Stop, wlinkctl
from ..lib.delay import PARTS

PERCENTS = (50, 95, 99)
# What wlinkctl prints of a bearer; a line of top about one.
Shown = dict[str, Any]
Row = dict[str, Any]


@dataclass
class Target:
    """Which bearers; empty or 0 for all."""

    dev: str = ""
    handle: str = ""
    bearer: int = 0


@dataclass
class Look:
    """At a time of CLOCK_MONOTONIC, 0 for never."""

    at_ns: int = 0
    bearers: list[Shown] = field(default_factory=list)


class Asker:
    """One wlinkctl that answers one line after the other."""

    def __init__(self) -> None:
        argv = [wlinkctl(), "--json", "batch", "--force", "-"]
        pipe = subprocess.PIPE
        # What is typed at the terminal is not for it: it is not to stop or end before us.
        self.process = subprocess.Popen(
            argv, stdin=pipe, stdout=pipe, stderr=pipe, text=True, bufsize=1, start_new_session=True
        )
        assert self.process.stderr
        os.set_blocking(self.process.stderr.fileno(), False)

    def show(self, *words: str) -> list[Shown] | None:
        """None where wlinkctl does not show it."""
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(f"show {' '.join(words)}\nversion\n")
        shown: list[Shown] | None = None
        # The version is an object, and an answer to any line before it is there.
        while (line := self.process.stdout.readline()) and not line.startswith("{"):
            shown = json.loads(line)
        if not line:
            raise Stop(REFUSED, "the statistics can no longer be read")
        return shown

    def complaints(self) -> str:
        assert self.process.stderr
        lines = (self.process.stderr.read() or "").splitlines()
        return "; ".join(line.removeprefix("wlinkctl: ") for line in lines if not line.endswith(" failed"))

    def look(self, of: Target) -> Look:
        look = Look(time.monotonic_ns())
        links = self.show(of.dev)
        if links is None and not of.dev:
            raise Stop(REFUSED, self.complaints())
        for link in links or []:
            if of.handle in ("", link["handle"]):
                # One that has gone meanwhile has none.
                bearers = self.show(link["dev"], link["handle"], "bearer", "all") or []
                look.bearers += [bearer for bearer in bearers if of.bearer in (0, bearer["bearer"])]
        return look


def quantile_ns(bins: list[int], percent: int) -> int:
    """Of a histogram; bin i begins at 2^(i-1) and is as wide."""
    want = sum(bins) * percent  # in 1/100
    at = 0
    while at < len(bins) - 1 and bins[at] * 100 < want:
        want -= bins[at] * 100
        at += 1
    least = 1 << at >> 1
    return least + least * want // (bins[at] * 100) if at and want else 0


def delay_ns(old: Shown, now: Shown) -> dict[str, int | None]:
    """Of what was delivered between two looks. The kernel halves all bins when one has become too large."""
    before, after = (one.get("why", {}).get("total", {}).get("bins", []) for one in (old, now))
    bins = [b - a for a, b in zip(before or [0] * len(after), after)]
    known = any(bins) and min(bins) >= 0
    return {f"p{percent}_ns": quantile_ns(bins, percent) if known else None for percent in PERCENTS}


def parts_ns(old: Shown, now: Shown, count: int) -> dict[str, int | None]:
    """Means over what was delivered between two looks, as in `wlab why`."""
    before, after = old.get("why", {}), now["why"]
    sums = {part: after[part]["sum_ns"] - before.get(part, {"sum_ns": 0})["sum_ns"] for part in PARTS}
    return {part: round(sum_ns / count) if count > 0 else None for part, sum_ns in sums.items()}


def full(shown: Shown) -> float:
    """Share of the limit that the buffer has."""
    words, counted = shown["options"], shown["xstats"]
    if "limit_packets" in words:
        return float(counted["buffer_sdus"] / words["limit_packets"])
    rate = counted["rate_bps"] or (0 if counted["rate_bps"] is None else words.get("rate_bps") or 0)
    limit = words.get("limit_bytes", words.get("limit_ns", 0) / 8e9 * rate)
    return float(counted["buffer_bytes"] / limit) if limit else 0.0


def row(shown: Shown, old: Shown, interval_ns: int) -> Row:
    """What a bearer is now and has done since another look at it."""
    words, now = shown["options"], shown["xstats"]

    def per_s(count: int) -> float:
        return round(count * 1e9 / interval_ns, 3) if interval_ns else 0.0

    def since(name: str) -> int:
        return int(now[name] - old.get(name, 0)) if interval_ns else 0

    before = old.get("drops", {})
    drops = {name: n - before.get(name, 0) if interval_ns else 0 for name, n in now["drops"].items()}
    limits = {"limit_packets": "packets", "limit_bytes": "bytes", "limit_ns": "time_ns"}
    aqm = {}
    if "aqm" in words:
        aqm["aqm"] = {"kind": words["aqm"]["kind"], "state": now["aqm_state"], "level": now["aqm_level"]}
    return {
        "dev": shown["dev"],
        "handle": shown["handle"],
        "bearer": shown["bearer"],
        "mode": words.get("mode", "tm"),
        "rate_bps": now["rate_bps"],
        "generation": now["generation"],
        "sdus_in": since("sdus_in"),
        "bytes_in": since("bytes_in"),
        "offered_bps": per_s(since("bytes_in") * 8),
        "sdus_delivered": since("sdus_delivered"),
        "bytes_delivered": since("bytes_delivered"),
        "delivered_bps": per_s(since("bytes_delivered") * 8),
        "buffer_sdus": now["buffer_sdus"],
        "buffer_bytes": now["buffer_bytes"],
        "limit": {limits[name]: words[name] for name in limits if name in words},
        "full": round(full(shown), 3),
        **aqm,
        "delay": delay_ns(old, now if interval_ns else {}),
        "parts": parts_ns(old, now, since("sdus_delivered")),
        "drops": drops,
        "drops_per_s": {name: per_s(count) for name, count in drops.items()},
        "pdus_retx": since("pdus_retx"),
        "retx_per_s": per_s(since("pdus_retx")),
        "play": {name: now[f"play_{name}"] for name in ("state", "step", "steps", "pass")},
    }


def name_of(shown: Shown) -> tuple[str, str, int]:
    return shown["dev"], shown["handle"], shown["bearer"]


def rows(before: Look, now: Look) -> list[Row]:
    interval_ns = now.at_ns - before.at_ns if before.at_ns else 0
    known = {name_of(shown): shown["xstats"] for shown in before.bearers}
    found = []
    for shown in now.bearers:
        old = known.get(name_of(shown), {})
        # Counters only grow: one that has not is of another link of the same name.
        if any(old.get(name, 0) > shown["xstats"][name] for name in ("sdus_in", "sdus_delivered")):
            old = {}
        found.append(row(shown, old, interval_ns))
    return found
