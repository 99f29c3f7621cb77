# SPDX-License-Identifier: GPL-2.0
"""Trace events as JSON, which ui.perfetto.dev and trace_processor open.

A link is a process, a bearer a thread of it. A packet is a slice from its arrival to its departure, with the
parts of its delay as slices inside; rates, buffers and windows are counters. Times are those of the log,
of a recording CLOCK_MONOTONIC, so that a trace of the kernel lies beside it.
"""

import json
from collections.abc import Iterable, Iterator
from typing import IO, Any

from .packets import DELIVERED, DROPPED, NEVER, Event, Packets, Sdu

Record = dict[str, Any]
# What ends at each of an SDU's times but the first; access is within the first two.
SPANS = ("queue", "serial", "prop", "retx", "hol")


def slices(sdu: Sdu, at: Record, number: int) -> Iterator[Record]:
    """A packet's, the outer one first."""
    begin, end = sdu.times[0], max(sdu.at, sdu.times[0])
    name = f"{sdu.flow} {sdu.fate}" + (f" {sdu.reason}" if sdu.reason else "")
    args = {**sdu.words(), "bytes": sdu.bytes, "pdus_retx": sdu.pdus_retx, "generation": sdu.generation}
    common = {**at, "cat": "sdu", "id": number}
    yield {**common, "ph": "b", "ts": begin / 1e3, "name": name, "args": args}
    if sdu.fate == DELIVERED:
        times = [*sdu.times[:-1], sdu.times[-1] - sdu.parts[-1], sdu.times[-1]]
        for part, first, last in zip((*SPANS, "jitter"), times, times[1:]):
            if first < last:
                yield {**common, "ph": "b", "ts": first / 1e3, "name": part}
                yield {**common, "ph": "e", "ts": last / 1e3, "name": part}
    yield {**common, "ph": "e", "ts": end / 1e3, "name": name}


def buffers(sdus: Iterable[Sdu]) -> Iterator[tuple[int, str, int, int]]:
    """Time, link, bearer and packets in its buffer, at each change."""
    moves = []
    for sdu in sdus:
        left = sdu.times[2] if sdu.times[2] != NEVER else sdu.at
        moves += [(sdu.times[0], 1, sdu), (max(left, sdu.times[0]), -1, sdu)]
    held: dict[tuple[str, int], int] = {}
    # What arrives and leaves at one time was there.
    for at, step, sdu in sorted(moves, key=lambda move: (move[0], -move[1])):
        key = sdu.link, sdu.bearer
        held[key] = held.get(key, 0) + step
        yield at, *key, held[key]


def of_event(event: Event, at: Record) -> list[Record]:
    """A counter, where it is a number that lasts; else an instant."""
    counters: dict[str, float] = {}
    if event.kind == "rate":
        counters = {f"rate bit/s, bearer {event.bearer}": event.data["new_bps"]}
    elif event.kind == "channel":
        counters = {f"channel bad, bearer {event.bearer}": int(event.data["bad"])}
    elif event.kind == "tcp":
        window, trip = event.data["cwnd"], event.data["srtt_us"] / 1e3
        counters = {f"{event.flow} cwnd": window, f"{event.flow} srtt ms": trip}
        rates = [name for name in ("pacing", "delivery") if f"{name}_bps" in event.data]
        counters |= {f"{event.flow} {name} bit/s": event.data[f"{name}_bps"] for name in rates}
    if counters:
        return [{**at, "ph": "C", "name": name, "args": {"value": v}} for name, v in counters.items()]
    return [{**at, "ph": "i", "s": "t", "name": event.kind, "args": event.data}]


def records(found: Packets) -> Iterator[Record]:
    numbers = {link: number for number, link in enumerate(found.links, 1)}
    whose = {(sdu.link, sdu.bearer) for sdu in found.sdus} | {(one.link, one.bearer) for one in found.events}
    for link, number in numbers.items():
        yield {"ph": "M", "pid": number, "name": "process_name", "args": {"name": link}}
    for link, bearer in sorted(one for one in whose if one[0] in numbers):
        name = f"bearer {bearer}" if bearer else "TCP"
        yield {"ph": "M", "pid": numbers[link], "tid": bearer, "name": "thread_name", "args": {"name": name}}
    for number, sdu in enumerate(found.sdus):
        at = {"pid": numbers[sdu.link], "tid": sdu.bearer}
        yield from slices(sdu, at, number)
        if sdu.fate == DROPPED:
            yield {**at, "ph": "i", "s": "t", "ts": sdu.at / 1e3, "name": f"dropped {sdu.reason}",
                   "args": sdu.words()}  # fmt: skip
    for ns, link, bearer, held in buffers(found.sdus):
        yield {"ph": "C", "pid": numbers[link], "ts": ns / 1e3, "name": f"buffer, bearer {bearer}",
               "args": {"packets": held}}  # fmt: skip
    for event in found.events:
        if event.link in numbers:
            yield from of_event(event, {"pid": numbers[event.link], "tid": event.bearer, "ts": event.t / 1e3})


def write(found: Packets, to: IO[bytes]) -> int:
    """Write it; returns the number of its records."""
    count = 0
    to.write(b'{"displayTimeUnit":"ms","traceEvents":[')
    for count, record in enumerate(records(found), 1):
        to.write((b",\n" if count > 1 else b"\n") + json.dumps(record, separators=(",", ":")).encode())
    to.write(b"\n]}\n")
    return count
