# SPDX-License-Identifier: GPL-2.0
"""What the page keeps of links: samples in rings, changes, a recording. Nothing here grows for ever."""

import math
import queue
import threading
from collections import OrderedDict, deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

Sample = dict[str, Any]
Row = dict[str, Any]

# 10 minutes of samples, five a second.
HISTORY = 3000
# Links whose history is kept, and those that a page may choose from.
KEPT, LISTED = 16, 512
CHANGES = 500
# A recording that becomes longer has half as many samples, each of twice the time.
RECORDED = 20000
# Messages that wait for a slow browser; one that lets more wait is sent away and may come again.
WAITING = 256


def key_of(row: Row) -> str:
    return f"{row['dev']} {row['handle']} {row['bearer']}"


def sample_of(row: Row, time_ns: int, interval_ns: int) -> Sample:
    """What the page draws of a line of `wlinkctl top`."""
    return {
        "t": time_ns,
        "i": interval_ns,
        "rate": row["rate_bps"],
        "offered": row["offered_bps"],
        "delivered": row["delivered_bps"],
        "sdus": row["sdus_delivered"],
        "parts": row["parts"],
        "buffer": row["buffer_sdus"],
        "full": row["full"],
        "drops": {reason: count for reason, count in row["drops"].items() if count},
        "generation": row["generation"],
        "play": row["play"]["state"],
    }


def joined(a: Sample, b: Sample) -> Sample:
    """Two samples that follow each other as one; sums stay, and means are of both."""
    interval, sdus = a["i"] + b["i"], a["sdus"] + b["sdus"]

    def mean(name: str) -> float:
        return float((a[name] * a["i"] + b[name] * b["i"]) / interval) if interval else 0.0

    parts = {}
    for part in b["parts"]:
        total = sum((one["parts"][part] or 0) * one["sdus"] for one in (a, b))
        parts[part] = round(total / sdus) if sdus else None
    drops = {
        reason: a["drops"].get(reason, 0) + b["drops"].get(reason, 0) for reason in a["drops"] | b["drops"]
    }
    rates = {"offered": mean("offered"), "delivered": mean("delivered")}
    return {**b, "i": interval, "sdus": sdus, "parts": parts, "drops": drops, **rates}


def halved(samples: list[Sample]) -> list[Sample]:
    odd = samples[len(samples) // 2 * 2 :]
    return [joined(a, b) for a, b in zip(samples[::2], samples[1::2])] + odd


@dataclass
class Recording:
    """Samples of some links from a moment on, with the changes since."""

    keys: dict[str, str]
    samples: dict[str, list[Sample]] = field(default_factory=dict)
    waiting: dict[str, Sample] = field(default_factory=dict)
    # How many samples are one, and how many of them wait for the others.
    each: int = 1
    have: int = 0
    changes: deque[dict[str, Any]] = field(default_factory=lambda: deque(maxlen=CHANGES))

    def add(self, rows: dict[str, Sample]) -> None:
        """One look at the links."""
        for key in set(self.keys.values()) & rows.keys():
            before = self.waiting.get(key)
            self.waiting[key] = joined(before, rows[key]) if before else rows[key]
        self.have += 1
        if self.have < self.each:
            return
        for key, sample in self.waiting.items():
            self.samples.setdefault(key, []).append(sample)
        self.waiting, self.have = {}, 0
        if max(map(len, self.samples.values()), default=0) > RECORDED:
            self.samples = {key: halved(samples) for key, samples in self.samples.items()}
            self.each *= 2


Messages = queue.Queue[tuple[str, Any]]


class Board:
    """All that pages look at; one thread feeds it, others read."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.links: dict[str, Row] = {}
        self.histories: OrderedDict[str, deque[Sample]] = OrderedDict()
        self.changes: deque[dict[str, Any]] = deque(maxlen=CHANGES)
        self.readers: dict[Messages, set[str]] = {}
        self.recording: Recording | None = None
        # Links whose next generation is this page's own, with its time when that is known.
        self.awaited: dict[str, float] = {}
        # Why nothing can be known of links; empty while something is.
        self.trouble = "not looked yet"
        # The last time of the links' machine.
        self.time_ns = 0

    def feed(self, look: dict[str, Any]) -> None:
        """One object of `wlinkctl top --json`."""
        time_ns, interval_ns = look["time_ns"], look["interval_ns"]
        rows = {key_of(row): row for row in look["bearers"][:LISTED]}
        samples = {key: sample_of(row, time_ns, interval_ns) for key, row in rows.items()}
        with self.lock:
            back, self.trouble, self.time_ns = bool(self.trouble), "", time_ns
            others = rows.keys() != self.links.keys()
            self.links = rows
            for key, history in self.histories.items():
                if key in samples:
                    self.note(key, history, samples[key])
                    history.append(samples[key])
            for key, at_ns in list(self.awaited.items()):
                if at_ns <= time_ns:
                    del self.awaited[key]
            if self.recording:
                self.recording.add(samples)
            if others or back:
                self.send("links", self.listed())
            for reader, keys in list(self.readers.items()):
                self.put(reader, "samples", {key: samples.get(key) for key in keys})

    def note(self, key: str, history: deque[Sample], sample: Sample) -> None:
        """A generation that nobody here has made; a schedule makes one with each step."""
        if not history or sample["generation"] == history[-1]["generation"]:
            return
        if sample["play"] == history[-1]["play"] == "plays" or key in self.awaited:
            return
        # Its time is known to an interval only.
        self.changed({key: sample["t"]}, f"generation {sample['generation']}")

    def expect(self, keys: Iterable[str]) -> None:
        """A change of this page's own begins; it ends by change() or forget()."""
        with self.lock:
            self.awaited.update(dict.fromkeys(keys, math.inf))

    def forget(self, keys: Iterable[str]) -> None:
        with self.lock:
            for key in keys:
                self.awaited.pop(key, None)

    def change(self, times: dict[str, int], text: str) -> None:
        """A change of this page's own, with its exact time on each link."""
        with self.lock:
            self.awaited.update(times)
            self.changed(times, text)

    def changed(self, times: dict[str, int], text: str) -> None:
        change = {"t": max(times.values()), "keys": sorted(times), "text": text}
        self.changes.append(change)
        if self.recording:
            self.recording.changes.append(change)
        self.send("change", change)

    def listed(self) -> list[dict[str, Any]]:
        names = ("dev", "handle", "bearer", "mode", "rate_bps")
        return [{"key": key, **{name: row[name] for name in names}} for key, row in self.links.items()]

    def fail(self, text: str) -> None:
        """Nothing can be known of links."""
        with self.lock:
            self.trouble, self.links = text, {}
            self.send("trouble", text)

    def send(self, kind: str, value: Any) -> None:
        for reader in list(self.readers):
            self.put(reader, kind, value)

    def tell(self, kind: str, value: Any) -> None:
        with self.lock:
            self.send(kind, value)

    def put(self, reader: Messages, kind: str, value: Any) -> None:
        try:
            reader.put_nowait((kind, value))
        except queue.Full:
            # Its thread ends when it finds that it is not expected any more.
            self.readers.pop(reader, None)

    def read(self, keys: set[str]) -> Messages:
        """A new reader, with what is known so far."""
        reader: Messages = queue.Queue(WAITING)
        with self.lock:
            for key in keys:
                self.keep(key)
            self.readers[reader] = keys
            reader.put(("links", self.listed()))
            reader.put(("changes", [c for c in self.changes if keys & set(c["keys"])]))
            reader.put(("history", {key: list(self.histories.get(key, ())) for key in keys}))
            if self.trouble:
                reader.put(("trouble", self.trouble))
        return reader

    def keep(self, key: str) -> None:
        self.histories.setdefault(key, deque(maxlen=HISTORY))
        self.histories.move_to_end(key)
        while len(self.histories) > KEPT:
            self.histories.popitem(last=False)

    def leave(self, reader: Messages) -> None:
        with self.lock:
            self.readers.pop(reader, None)

    def expected(self, reader: Messages) -> bool:
        with self.lock:
            return reader in self.readers
