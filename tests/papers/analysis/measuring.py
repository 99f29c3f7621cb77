# SPDX-License-Identifier: GPL-2.0
"""Metrics of a result written by hand, with sums that can be done in the head."""

import json
from pathlib import Path
from typing import Any

from kit import equals, expect, near, refused
from wlablib.analysis.metrics import BY_FLOW, BY_LINK, METRICS, chosen, measure
from wlablib.analysis.traffic import Traffic, delays_ns, lost
from wlablib.experiment.cellrun import Measured, keep_figures
from wlablib.run import run
from wlablib.scenario import scenario

MS = 10**6
# flow, sequence number, payload, [arrival at the server's device, in ms], [(arrival at the
# radio link, delivery or why it was dropped)]; wired delay 100 ms.
Packet = tuple[str, int, int, list[int], list[tuple[int, int | str]]]
PACKETS: list[Packet] = [
    ("a", 1, 1000, [0], [(100, 150)]),
    # Dropped, sent again: the second copy is the one that arrives.
    ("a", 1001, 1000, [10, 400], [(110, "overflow"), (500, 560)]),
    # Sent twice, both copies arrive, the first one after the second.
    ("a", 2001, 1000, [20, 200], [(120, 340), (300, 320)]),
    ("b", 1, 1000, [30], [(130, 230)]),
    # Still held at the end.
    ("b", 1001, 1000, [900], [(1000, "flush")]),
    # Arrived while the links were removed: the first one's line was not written any more.
    ("b", 2001, 1000, [], [(1100, "flush")]),
    # An acknowledgement has no payload, talk is no TCP.
    ("b", 1, 0, [31], [(131, 999)]),
    ("talk", 1, 250, [32], [(132, 998)]),
]
# 150, 160, 320, 120, 200 ms
DELAYS_MS = [150, 160, 320, 120, 200]


def line(link: str, flow: str, drop: str, arrival: int, deliver: int, seq: int, payload: int) -> str:
    """Columns as guest/log/event.c tells them."""
    head = ["sdu", max(arrival, deliver), link, flow, "forth", 1, 0, 7, payload + 40, 3, 0, drop]
    tail = [arrival, arrival, max(arrival, deliver), deliver, seq, payload, deliver, deliver, 0, 1, 0]
    return "\t".join(map(str, head + tail)) + "\n"


def log(packets: list[Packet]) -> str:
    """In the order of the ends of SDUs, as the kernel writes them."""
    lines: list[tuple[int, str]] = [(0, "# a comment\n"), (5 * MS, "tcp\t5\ta\t1\t2\n")]
    for flow, seq, payload, wired, radio in packets:
        for at in wired:
            end = (at + 100) * MS
            lines.append((end, line("wired.down", flow, "none", at * MS, end, seq, payload)))
        for at, end_or_why in radio:
            dropped = isinstance(end_or_why, str)
            end = (at if isinstance(end_or_why, str) else end_or_why) * MS
            why = str(end_or_why) if dropped else "none"
            lines.append((end, line("radio.down", flow, why, at * MS, -1 if dropped else end, seq, payload)))
    # Acknowledgements with the same numbers, the other way and over the other links.
    back = line("radio.down", "a", "none", 0, 7 * MS, 1, 1000).replace("forth", "back")
    lines += [(7 * MS, back), (8 * MS, line("radio.up", "a", "none", 0, 8 * MS, 1, 1000))]
    return "".join(text for _, text in sorted(lines, key=lambda x: x[0]))


def check_packets_through_both_legs(where: Path) -> str:
    links = {"wired.down": {"kind": "wlink"}, "radio.down": {"kind": "wlink"}}
    run_of = {**result(), "links": links}

    def through(where: Path, flow: str, from_ns: int = 0, **changes: Any) -> list[int]:
        packets = Traffic(where, {**run_of, **changes}).over_all(flow, whole=True)
        return sorted(ns // MS for ns in delays_ns(packets, from_ns))

    (where / "events.tsv").write_text(log(PACKETS))
    equals("delays", sorted(through(where, "a") + through(where, "b")), sorted(DELAYS_MS))
    warm = through(where, "a", 200 * MS) + through(where, "b", 200 * MS)
    equals("after 200 ms", sorted(warm), [120, 160])
    equals("one flow", through(where, "b"), [200])
    no_wired: list[Packet] = [(f, s, p, [], r) for f, s, p, _, r in PACKETS]
    (where / "events.tsv").write_text(log(no_wired))
    refused("the event log lacks packets of wired.down", lambda: through(where, "a"))
    netem = {**links, "wired.down": {"kind": "netem"}}
    equals("over the radio alone", through(where, "a", links=netem), [20, 50, 60, 220])
    return "copies matched in order, drops and acknowledgements left out"


def check_lost_between_wlinks(where: Path) -> str:
    """One that is lost behind a wlink is sent again, and its delay is not that of both."""
    links = {"x.down": {"kind": "wlink"}, "y.down": {"kind": "wlink"}}
    one = {**result(), "flows": {"f": tcp(link="y.down", last=["y.down"])}, "links": links}
    lines = [
        line("x.down", "f", "none", 0, 10 * MS, 1, 1000),
        line("x.down", "f", "none", 200 * MS, 210 * MS, 1, 1000),
        line("y.down", "f", "none", 215 * MS, 230 * MS, 1, 1000),
    ]
    (where / "events.tsv").write_text("".join(lines))
    have = Traffic(where, one).over_all("f")
    equals("what became of them", sorted(p.fate for p in have), ["away", "none"])
    equals("delays", delays_ns(have), [30 * MS])
    return "30 ms of the one that came"


def check_a_user_that_moves(where: Path) -> str:
    """A user that moves: forwarded packets are no losses, flushed ones are, copies are no packets."""
    cells: dict[str, Any] = {"a": {"users": ["ue"]}, "b": {"users": []}}
    bearers = {"2": {"rate_bps": 8000}}
    dropped: dict[str, Any] = {"kind": "wlink", "dropped": {"flush": 1}, "bearers": bearers}
    fair = {"options": {"sched": "pf"}}
    one = {
        **result(),
        "flows": {"f": tcp(link="a.down")},
        "links": {"a.down": dropped | fair, "b.down": {**dropped, "dropped": {"flush": 0}} | fair},
        "moves": [{"user": "ue", "from": "a", "to": "b", "time_s": 0.1}],
        "metrics": {"cells": cells},
    }
    def at(ms: int, one: str) -> str:
        """The line with another time of its end, which is not that of its arrival."""
        words = one.split("\t")
        words[1] = words[14] = str(ms * MS)
        return "\t".join(words)

    copy = "impaired\t1\tb.down\t2\t0\t7\t0\t2\n"
    lines = [
        line("a.down", "f", "none", 0, 50 * MS, 1, 1000),
        at(100, line("a.down", "f", "forward", 60 * MS, -1, 1001, 1000)),
        at(100, line("a.down", "f", "flush", 70 * MS, -1, 2001, 1000)),
        line("b.down", "f", "none", 110 * MS, 200 * MS, 1001, 1000),
        copy + line("b.down", "f", "none", 110 * MS, 200 * MS, 1001, 1000),
        line("b.down", "f", "overflow", 120 * MS, -1, 3001, 1000),
        at(300, line("b.down", "f", "flush", 130 * MS, -1, 4001, 1000)),
        line("b.down", "-", "none", 140 * MS, 240 * MS, 0, 900).replace("\tforth\t1\t", "\tforth\t2\t"),
        f"rate\t{150 * MS}\tb.down\t1\t8000\t0\t2\n",
    ]
    (where / "events.tsv").write_text("".join(lines))
    traffic = Traffic(where, one)
    have = traffic.packets()
    fates = sorted((p.seq, p.fate, p.first) for p in have["f"])
    wanted = [
        (1, "none", "a.down"),
        (1001, "none", "a.down"),
        (2001, "flush", "a.down"),
        (3001, "overflow", "b.down"),
        (4001, "held", "b.down"),
    ]
    equals("what became of them", fates, wanted)
    equals("delays", delays_ns(have["f"]), [50 * MS, 140 * MS])
    equals("lost", sorted(p.fate for p in lost(have["f"])), ["flush", "overflow"])
    equals("programs", {n: len(some) for n, some in have.items()}, {"f": 5, "programs ue.down": 1})
    equals("rate in a", traffic.capacity("a.down", {2}), [(0, 8000.0), (100 * MS, 0.0)])
    steps = [(0, 0.0), (100 * MS, 8000.0), (150 * MS, 0.0)]
    equals("rate in b", traffic.capacity("b.down", {2}), steps)
    equals("drops", measure(["overflow_start"], one, where), {"overflow_start": 1.0})
    return "forwarded, flushed, held, copied, of a program"


def delay(count: int, mean_ns: float) -> dict[str, Any]:
    return {"count": count, "mean_ns": mean_ns}


def tcp(**more: object) -> dict[str, Any]:
    base = {"kind": "tcp", "direction": "down", "ended": True, "start_ns": 0, "end_ns": 4 * 10**9}
    return {**base, "goodput_bps": 100e3, "retransmissions": 2, "delay": delay(3, 0.1e9), **more}


def result() -> dict[str, Any]:
    return {
        "seed": 9,
        "scenario": {},
        "duration_s": 40.0,
        "ended_s": 40.0,
        "flows": {
            "a": tcp(),
            "b": tcp(kind="web", goodput_bps=200e3, transactions=11, delay=delay(1, 0.5e9)),
            "talk": {
                "kind": "media",
                "goodput_bps": 56e3,
                "packets_sent": 8,
                "packets": 6,
                "end_to_end": delay(6, 0.25e9),
            },
            "echo": {"kind": "ping", "goodput_bps": 0, "packets_sent": 21, "packets": 20},
        },
        "links": {
            "radio.down": {
                "kind": "wlink",
                "buffer_mean_sdus": 12.5,
                "dropped": {"overflow": 5, "channel": 1, "maxdat": 2, "timer": 3, "reset": 4, "aqm": 7},
                "xstats": {"rate_bps": 128000, "bytes_delivered": 320_000},
            },
        },
    }


def as_file(where: Path) -> None:
    (where / "result.json").write_text(json.dumps({**result(), "name": "r", "event_sha256": None}))


WANTED = {
    "goodput_kbit": 300.0,
    "received_kbit": 356.0,
    # (100 + 200)^2 / (2 (100^2 + 200^2))
    "jain_index": 0.9,
    "delay_s": sum(DELAYS_MS) / 5 / 1e3,
    # 120, 150, 160, 200, 320 ms: the nearest rank
    "delay_p50_s": 0.16,
    "delay_p95_s": 0.32,
    "delay_p99_s": 0.32,
    # (3 x 0.1 + 1 x 0.5) / 4
    "radio_delay_s": 0.2,
    "media_delay_s": 0.25,
    # 20 packets of 1 to 20 ms
    "media_delay_p95_s": 0.019,
    "media_delay_p99_s": 0.02,
    "media_loss_percent": 25.0,
    # 20 of 21 pings, of 1 to 20 ms
    "rtt_p1_ms": 1.0,
    "rtt_p10_ms": 2.0,
    "rtt_p50_ms": 10.0,
    "rtt_p90_ms": 18.0,
    "rtt_p95_ms": 19.0,
    "rtt_p99_ms": 20.0,
    "rtt_mean_ms": 10.5,
    "ping_loss_percent": 100 / 21,
    # Of two there and one back, see echoes().
    "rtt_queue_ms": 2.0 + 30.0,
    "rtt_serial_ms": 4.0 + 5.0,
    "rtt_prop_ms": 8.0 + 10.0,
    "rtt_retx_ms": 1.0,
    "rtt_hol_ms": 2.0,
    "rtt_access_ms": 6.0,
    "overflow_start": 1.0,
    "overflow_switch": 0.0,
    "overflow_else": 0.0,
    "drops_overflow": 5.0,
    "drops_aqm": 7.0,
    "drops_channel": 10.0,
    "buffer_sdus": 12.5,
    "retransmissions": 4.0,
    "transactions": 11.0,
    "file_s": 4.0,
    "completion_s": 4.0,
    "completion_p95_s": 4.0,
    # 2.56 Mbit of 128 kbit/s in 40 s
    "utilisation_percent": 50.0,
}


def echo(link: str, way: str, parts: tuple[int, ...], access: int = 0) -> str:
    """A delivered ping: queue, serialisation, propagation, retransmission, head of line, in ms from 0 on."""
    queue, serial, prop, retx, hol = parts
    start, end = queue + access, queue + access + serial
    due = end + prop
    whole, deliver = due + retx, due + retx + hol
    head = ["sdu", deliver * MS, link, "echo", way, 1, 0, 7, 84, 3, 0, "none", 0]
    tail = [*(ms * MS for ms in (start, end, deliver)), 0, 56, due * MS, whole * MS, 0, 1, 0]
    waited = f"access\t{end * MS}\t{link}\t1\t0\t7\t{access * MS}\t0\n" if access else ""
    return waited + "\t".join(map(str, head + tail)) + "\n"


def echoes(where: Path) -> str:
    """Round trips of 1 to 20 ms, not in order, one without an answer; lines of the log for their parts."""
    lines = [f"{i}\t{i * MS}\t{(i + 20 - i * 7 % 20) * MS}\n" for i in range(20)]
    (where / "series" / "echo.rtt.tsv").write_text("".join([*lines, f"20\t{20 * MS}\t-1\n"]))
    there = echo("radio.up", "forth", (1, 4, 8, 0, 4), 12) + echo("radio.up", "forth", (3, 4, 8, 2, 0))
    return there + echo("radio.down", "back", (30, 5, 10, 0, 0))


def media_log(where: Path) -> None:
    """Packets of 1 to 20 ms, not in order."""
    (where / "series").mkdir()
    lines = [f"{i}\t{i * MS}\t{(i + 20 - i * 7 % 20) * MS}\n" for i in range(20)]
    (where / "series" / "talk.e2e.tsv").write_text("".join(lines))


def check_every_metric_by_hand(where: Path) -> str:
    media_log(where)
    (where / "events.tsv").write_text(log(PACKETS) + echoes(where))
    as_file(where)
    got = measure(list(METRICS), result(), where)
    equals("metrics", sorted(got), sorted(WANTED))
    for name, value in WANTED.items():
        near(name, got[name], value, 1e-12)
    return f"{len(WANTED)} metrics"


def check_one_flow(where: Path) -> str:
    """Each as if there had been no other flow."""
    files = {f"file{i}": tcp(goodput_bps=100e3 * i, end_ns=i * 10**9) for i in range(1, 5)}
    many = {**result(), "flows": {**result()["flows"], **files}}
    wanted = {
        "goodput_kbit": 1300.0,
        "goodput_kbit@a": 100.0,
        "goodput_kbit@file": 1000.0,
        "goodput_kbit@file3": 300.0,
        "received_kbit@talk": 56.0,
        "jain_index@b": 1.0,
        "jain_index@file": 100 / (4 * 30),
        "completion_s@file": 2.5,
        "completion_p95_s@file": 4.0,
        "file_s@file2": 2.0,
        "delay_s@b": 0.2,
        "delay_p50_s@a": 0.15,
        "delay_p99_s@a": 0.32,
    }
    (where / "events.tsv").write_text(log(PACKETS))
    got = measure(list(wanted), many, where)
    for name, value in wanted.items():
        near(name, got[name], value, 1e-12)
    refused("delay_s@c: seed 9: no flow is called 'c'", lambda: measure(["delay_s@c"], many, where))
    refused("no flow is tcp or web", lambda: measure(["goodput_kbit@talk"], many, where))
    flows = {"f1": "ue-1", "f.ue1": "ue-1", "g1": "ue-2"}
    equals("by name", chosen("f", {"f": "ue-1", "f1": "ue-1"}) + chosen("f", flows), ["f", "f1", "f.ue1"])
    equals("by node", chosen("ue-1", flows) + chosen("ue-2", flows), ["f1", "f.ue1", "g1"])
    equals("known", [n for n in (*BY_FLOW, *BY_LINK) if n not in METRICS], [])
    return f"{len(wanted)} of one flow or of a group"


def check_a_node_a_link(where: Path) -> None:
    """Of a node the flows to it, of a link what became of packets there."""
    one = result()
    one["flows"] = {"x": tcp(to="ue-1"), "y": tcp(to="ue-2", goodput_bps=300e3), "z": tcp(to="ue-2")}
    lossy: dict[str, Any] = {**one["links"]["radio.down"], "buffer_mean_sdus": 3.5}
    dropped: dict[str, int] = lossy["dropped"]
    one["links"] = {"a.down": lossy, "b.down": {**lossy, "dropped": dropped | {"overflow": 50}}}
    wanted = {
        "goodput_kbit": 500.0,
        "goodput_kbit@ue-2": 400.0,
        "jain_index@ue-2": 4**2 / (2 * (3**2 + 1)),
        "drops_overflow@a.down": 5.0,
        "drops_overflow@b.down": 50.0,
        "drops_channel@a.down": 10.0,
        "buffer_sdus@a.down": 3.5,
    }
    got = measure(list(wanted), one, where)
    for name, value in wanted.items():
        near(name, got[name], value, 1e-12)
    refused("no flow is called 'ue-3', nor leads", lambda: measure(["goodput_kbit@ue-3"], one, where))
    refused("no link's direction is called 'c.up'", lambda: measure(["buffer_sdus@c.up"], one, where))


def changed_rate(where: Path) -> None:
    (where / "series").mkdir()
    (where / "series" / "radio.down.rate.tsv").write_text("0\t384000\n20000000000\t128000\n")
    times = [1, 9999, 10000, 20000, 29999, 30000]
    late: list[Packet] = [("a", t, 1000, [t - 100], [(t, "overflow")]) for t in times]
    (where / "events.tsv").write_text(f"{log(late)}rate\t{20000 * MS}\tradio.down\t2\t384000\t128000\t1\n")


def check_a_change_of_the_rate(where: Path) -> str:
    """A change of rate at 20 s; the run ends at 40 s."""
    names = ["overflow_start", "overflow_switch", "overflow_else", "utilisation_percent"]
    changed_rate(where)
    got = measure(names, result(), where)
    # 384 kbit/s for 20 s, 128 kbit/s for as long
    wanted = [2.0, 2.0, 2.0, 100 * 8 * 320_000 / (20 * 512e3)]
    equals("values", list(got.values()), wanted)
    return "overflows by time, utilisation by step"


def check_warm_up(where: Path) -> str:
    (where / "events.tsv").write_text(log(PACKETS))
    late = {**result(), "scenario": {"warmup": "200ms"}}
    near("delay_s", measure(["delay_s"], late, where)["delay_s"], 0.14, 1e-12)
    return "packets that come to the server's device before do not count"


def no_event(where: Path) -> None:
    """A cell of a run whose log is empty: its digest would verify any other."""
    scratch = where / "0"
    scratch.mkdir()
    sc = scenario.read({"name": "n", "duration": "1s", "radio": {"netem": ""}})
    had = run.result
    run.result = lambda *_: {**result(), "event_sha256": None}
    try:
        keep_figures(sc, 9, run.RunDir(scratch, 0, 0, None), Measured([9], {}, {}, {}, {}), {})
    finally:
        run.result = had


def check_nothing_to_measure(where: Path) -> str:
    no_tcp, quiet, open_end = result(), result(), result()
    no_tcp["flows"] = {"talk": no_tcp["flows"]["talk"]}
    quiet["flows"]["talk"]["end_to_end"] = None
    quiet["flows"]["talk"]["packets_sent"] = 0
    open_end["flows"]["a"]["ended"] = False
    odd, other = result(), result()
    other["links"]["radio.down"] = {"kind": "netem", "buffer_mean_sdus": None, "dropped": None}
    del odd["flows"]["a"]["goodput_bps"]
    (where / "events.tsv").write_text("")
    as_file(where)

    def error(words: str, name: str, one: dict[str, Any]) -> None:
        refused(f"{name}: seed 9: {words}", lambda: measure([name], one, where))

    error("no flow is tcp or web", "goodput_kbit", no_tcp)
    error("no TCP data packet was delivered", "delay_s", result())
    error("no packet was delivered", "media_delay_s", quiet)
    error("no media packet was sent", "media_loss_percent", quiet)
    error("the file had not ended after 40 s", "file_s", open_end)
    refused("seed 9: the run has no event", lambda: no_event(where))
    error("the result has no 'goodput_bps'", "goodput_kbit", odd)
    error("no TCP data packet was delivered", "delay_p95_s", result())
    error("no media packet was delivered", "media_delay_p95_s", result())
    error("no ping was sent", "ping_loss_percent", result())
    error("no ping was delivered", "rtt_queue_ms", result())
    error("the flow a had not ended after 40 s", "completion_s", open_end)
    error("no flow is tcp", "completion_p95_s", no_tcp)
    idle = result()
    for flow in idle["flows"].values():
        flow["goodput_bps"] = 0
    error("no flow has got anything", "jain_index", idle)
    for name in ("drops_aqm", "overflow_start", "buffer_sdus"):
        error("radio.down is netem; what becomes of packets is known of wlink only", name, other)
    expect(len(METRICS) == len(WANTED), "a metric has no test")
    return "errors that name metric or seed"
