# SPDX-License-Identifier: GPL-2.0
"""qlog as JSON text sequences (draft-ietf-quic-qlog-main-schema), for qvis and the like.

The first record also has the two keys by which readers of qlog 0.3 know a file, and the events that QUIC
has, too, go by its names of that version.
"""

import json
from collections.abc import Iterator
from typing import IO, Any

from ...lib.delay import PARTS
from .packets import DELIVERED, DROPPED, NEVER, TIMES, Event, Packets, Sdu

# ssthresh of a connection that has lost nothing.
INFINITE = 0x7FFFFFFF


def head(found: Packets) -> dict[str, Any]:
    clock = {"clock_type": "system", "epoch": "1970-01-01T00:00:00.000Z"}
    return {
        "file_schema": "urn:ietf:params:qlog:file:sequential",
        "serialization_format": "application/qlog+json-seq",
        "qlog_version": "0.3",
        "qlog_format": "JSON-SEQ",
        "title": found.name,
        "trace": {
            "vantage_point": {"name": "wlink", "type": "network", "flow": "unknown"},
            "common_fields": {"time_format": "relative_to_epoch", "reference_time": clock},
            "event_schemas": ["urn:ietf:params:qlog:events:quic"],
        },
    }


def packet(sdu: Sdu) -> dict[str, Any]:
    return {"header": {"packet_type": "unknown", "packet_number": sdu.seq}, "raw": {"length": sdu.bytes}}


def of_sdu(sdu: Sdu, utc_ns: int) -> Iterator[tuple[int, str, dict[str, Any]]]:
    """Its arrival at the link, and what became of it."""
    yield sdu.times[0], "transport:packet_sent", packet(sdu)
    if sdu.fate == DROPPED:
        yield sdu.at, "recovery:packet_lost", {**packet(sdu), "trigger": sdu.reason}
    ends = {f"{name}_ms": (ns + utc_ns) / 1e6 for name, ns in zip(TIMES, sdu.times) if ns != NEVER}
    yield sdu.at, "wlink:sdu", {
        "link": sdu.link, "bearer": sdu.bearer, "way": sdu.way, "seq": sdu.seq, "generation": sdu.generation,
        "bytes": sdu.bytes, "fate": sdu.fate, **({"reason": sdu.reason} if sdu.reason else {}), **ends,
        **({"delay_ms": sum(sdu.parts) / 1e6} if sdu.fate == DELIVERED else {}),
        "parts_ms": {part: ns / 1e6 for part, ns in zip(PARTS, sdu.parts)}, "pdus": sdu.pdus,
        "pdus_lost": sdu.pdus_lost, "pdus_retx": sdu.pdus_retx, "buffer_sdus": sdu.buffer,
        "impaired": sdu.impaired,
    }  # fmt: skip


def of_window(event: Event, mss: int | None) -> dict[str, Any]:
    """A sender's congestion window, in bytes where the size of a segment is known."""
    data = {"smoothed_rtt": event.data["srtt_us"] / 1e3,
            "bytes_in_flight": event.data["snd_nxt"] - event.data["snd_una"]}  # fmt: skip
    if "pacing_bps" in event.data:
        data |= {"pacing_rate": event.data["pacing_bps"], "delivery_rate": event.data["delivery_bps"]}
    if mss:
        data["congestion_window"] = event.data["cwnd"] * mss
        if event.data["ssthresh"] != INFINITE:
            data["ssthresh"] = event.data["ssthresh"] * mss
    return data


def records(found: Packets) -> Iterator[tuple[int, str, str, dict[str, Any]]]:
    """Time, name, group and data; a group is a flow on a link."""
    for sdu in found.sdus:
        for at, name, data in of_sdu(sdu, found.utc_ns):
            yield at, name, f"{sdu.flow} {sdu.link}", data
    for event in found.events:
        group = f"{event.flow} {event.link}"
        if event.kind == "tcp":
            yield event.t, "recovery:metrics_updated", group, of_window(event, found.mss.get(event.flow))
        else:
            data = {"link": event.link, "bearer": event.bearer, **event.data}
            yield event.t, f"wlink:{event.kind}", group, data


def write(found: Packets, to: IO[bytes]) -> int:
    """Write it; returns the number of events."""

    def put(record: dict[str, Any]) -> None:
        to.write(b"\x1e" + json.dumps(record, separators=(",", ":")).encode() + b"\n")

    put(head(found))
    order = sorted(records(found), key=lambda record: record[0])
    for at, name, group, data in order:
        put({"time": (at + found.utc_ns) / 1e6, "name": name, "group_id": group, "data": data})
    return len(order)
