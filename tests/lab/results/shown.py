# SPDX-License-Identifier: GPL-2.0
"""What commands show of made runs, against counts of the event log that share no code with theirs."""

import csv
import json
import shutil
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lab import OUT, Skipped, conserved, expect, wlab, write

SENDER = """import socket, sys, time
s, end = socket.socket(type=socket.SOCK_DGRAM), time.time() + 1
while time.time() < end:
    s.sendto(bytes(500), (sys.argv[1], 9))
    time.sleep(0.01)
"""
DUMBBELL = """duration = "1500ms"
warmup = "200ms"
[wired]
netem = "delay 5ms"
[radio.down]
wlink = "rate 1mbit"
[radio.up]
wlink = "rate 1mbit tti 1ms delay 5ms"
[[flow]]
name = "f"
kind = "tcp"
[[flow]]
name = "u"
kind = "udp"
direction = "up"
rate = "200kbit"
size = 400
[[flow]]
name = "m"
kind = "media"
[[program]]
name = "p"
in = "ue"
run = "exec python3 sender.py 10.0.1.1"
files = ["sender.py"]
"""
# What the downlink of a run is.
DOWN = (
    "rate 1mbit tti 1ms delay 5ms limit 20",
    "rate 1mbit tti 10ms delay 25ms pdu 40 limit 40 channel uniform loss 0.05",
    "rate 1mbit tti 10ms delay 25ms pdu 40 limit 40 mode am channel gilbert p 0.008 r 0.073",
    "rate 1mbit tti 10ms delay 25ms pdu 40 limit 40 mode um channel uniform loss 0.02",
    "rate 1mbit delay 5ms limit 30 duplicate 0.1",
    "rate 1mbit delay 5ms limit 30 jitter 3ms",
    "rate 1mbit delay 5ms limit 100 profile sbd-3g",
    "preset lte-good",
    "preset lte-edge",
    "preset umts-384",
    "preset nr-fr1",
    "rate 1500kbit delay 20ms",
)
CELLS = """duration = "2500ms"
warmup = "300ms"
[node.server]
[node.enb]
count = 2
[node.ue]
[link.bh]
between = ["server", "enb-*"]
wlink = "rate 50mbit delay 1ms"
[cell.a]
at = "enb-1"
users = "ue"
down = "rate 3mbit tti 1ms delay 5ms limit 60 sched rr"
up = "rate 3mbit tti 1ms delay 5ms limit 60 sched rr"
[cell.b]
at = "enb-2"
users = []
down = "rate 2mbit tti 1ms delay 5ms limit 60 sched rr"
up = "rate 2mbit tti 1ms delay 5ms limit 60 sched rr"
[[flow]]
name = "f"
kind = "tcp"
from = "server"
to = "ue"
[[flow]]
name = "u"
kind = "udp"
rate = "300kbit"
size = 400
from = "ue"
to = "server"
[[program]]
name = "p"
in = "ue"
run = "exec python3 sender.py 10.0.0.1"
files = ["sender.py"]
[[at]]
time = "500ms"
run = "wlinkctl set {a.down} bearer 2 rate 0"
[[at]]
time = "600ms"
run = "wlinkctl set {a.down} bearer 2 rate 3mbit"
[[at]]
time = "1s"
move = "ue"
to = "b"
interruption = "50ms"
"""
QUEUES = ("forward", "deliver", "drop")


@dataclass
class Count:
    """A flow's packets, as read from the log by hand; times in ns."""

    delivered: list[tuple[int, int]] = field(default_factory=list)  # (end, bytes)
    delays: list[int] = field(default_factory=list)
    dropped: int = 0


def counts(folder: Path, result: dict[str, Any], of: dict[str, tuple[str, ...]]) -> dict[str, Count]:
    """Count what became of the packets of flows, each on its links."""
    warm = round(result["warmup_s"] * 1e9)
    out: dict[str, Count] = {name: Count() for name in of}
    rows: dict[str, list[list[str]]] = defaultdict(list)
    copy = False
    for line in (folder / "events.tsv").read_text().splitlines():
        w = line.split("\t")
        if w[0] == "impaired":
            copy = w[7] in ("2", "3")
        elif w[0] == "sdu":
            names = [n for n, links in of.items() if w[2] in links and w[3] == n.partition(" ")[0]]
            if names and w[4] == "forth" and w[17] != "0" and not copy:
                rows[names[0]].append(w)
            copy = False
    for name, lines in rows.items():
        waiting: dict[tuple[str, str], list[int]] = defaultdict(list)
        for w in sorted(lines, key=lambda w: int(w[12])):
            arrival, key, one = int(w[12]), (w[16], w[17]), out[name]
            # A packet that the first cell has forwarded, at the second one.
            if w[2].startswith("b.") and waiting[key]:
                arrival = waiting[key].pop(0)
            if w[11] == "forward":
                waiting[key].append(arrival)
            elif w[11] == "none":
                one.delivered.append((int(w[15]), int(w[8])))
                if arrival >= warm:
                    one.delays.append(int(w[15]) - arrival)
            elif (
                abs(int(w[1]) - 10**9) < 10**7 and w[2].startswith("a.")
                if w[11] == "flush"
                else int(w[1]) >= warm
            ):
                one.dropped += 1
    return out


def rank(delays: list[int], percent: int) -> float:
    return sorted(delays)[-(-len(delays) * percent // 100) - 1] / 1e9


def near(what: str, have: float, wanted: float) -> None:
    expect(abs(have - wanted) <= 1e-9 * max(1.0, abs(wanted)), f"{what}: shown {have}, counted {wanted}")


def compared(label: str, told: dict[str, Any], one: Count, result: dict[str, Any]) -> None:
    """The table and the series of a curve."""
    figures, step_s = told["figures"][label], told["interval_s"]
    end_s, warm_s = result["ended_s"], result["warmup_s"]
    bits = sum(8 * size for end, size in one.delivered if end / 1e9 >= warm_s)
    near(f"{label}: throughput", figures["throughput_bps"]["value"], bits / (end_s - warm_s))
    curve = told["plots"]["throughput"].get(label, {"y": []})["y"]
    widths = [min(step_s, end_s - i * step_s) for i in range(len(curve))]
    drawn = sum((y or 0) * w for y, w in zip(curve, widths))
    expect(abs(drawn - sum(8 * size for _, size in one.delivered)) < 1, f"{label}: {drawn} bits drawn")
    if not one.delays:
        shown = {k: figures[k]["value"] for k in ("delay_p50_s", "loss") if figures[k]["value"] is not None}
        expect(not shown or one.dropped > 0, f"{label}: {shown} of no packet")
        return
    for percent in (50, 95, 99):
        value = figures[f"delay_p{percent}_s"]["value"]
        near(f"{label}: delay p{percent}", value, rank(one.delays, percent))
    near(f"{label}: loss", figures["loss"]["value"], one.dropped / (one.dropped + len(one.delays)))
    bars = told["plots"]["drops"].get(label, {"y": []})["y"]
    expect(sum(bars) == one.dropped, f"{label}: {bars} dropped, not {one.dropped}")


def of_links(folder: Path, result: dict[str, Any]) -> None:
    """What `wlab why` prints of the links, against the counters of the kernel."""
    rows = json.loads(wlab("why", str(folder), "--json").out)["bearers"]
    for name, link in result["links"].items():
        if link["kind"] != "wlink":
            continue
        some, x = [row for row in rows if row["link"] == name], link["xstats"]
        have = {what: sum(row[what] for row in some) for what in ("count", "held", "forwarded", "copies")}
        # The kernel's counters are read a moment after the end of the log, when a TTI may have come.
        count, held = have.pop("count"), have.pop("held")
        total = x["sdus_delivered"] + x["sdus_held"]
        moment = 2 + total // 100
        expect(abs(count + held - total) <= moment, f"{name}: why has {count} + {held} of {total} SDUs")
        expect(abs(held - x["sdus_held"]) <= moment, f"{name}: why has {held} held, not {x['sdus_held']}")
        dropped = {why: n for why, n in x["drops"].items() if n and why != "forward"}
        shown = {why: sum(row["drops"].get(why, 0) for row in some) for row in some for why in row["drops"]}
        wanted = {"forwarded": x["drops"]["forward"], "copies": x["sdus_duplicated"]}
        expect(have == wanted, f"{name}: why has {have}, the kernel {wanted}")
        expect(shown == dropped, f"{name}: why has drops {shown}, the kernel {dropped}")


def checked(out: Path, of: dict[str, tuple[str, ...]]) -> tuple[int, dict[str, Any]]:
    """All runs in a folder; how many, and what compare has printed."""
    folders = sorted(p.parent for p in out.glob("*/result.json"))
    called = wlab("compare", str(out), "--by", "flow", "--out", str(OUT / "shown-page"), "--json")
    if "is missing; type" in called.err:
        raise Skipped(called.err.strip())
    expect(called.status == 0, called.err)
    told = json.loads(called.out)
    called = wlab("export", *map(str, folders), "--to", str(OUT / "shown.csv"))
    expect(called.status == 0, called.err)
    with (OUT / "shown.csv").open() as f:
        exported = list(csv.DictReader(f))
    labels = iter(told["figures"])
    for folder in folders:
        result = json.loads((folder / "result.json").read_text())
        conserved(result)
        of_links(folder, result)
        rows = {r["flow"]: r for r in exported if r["event_sha256"] == result["event_sha256"]}
        for name, one in counts(folder, result, of).items():
            flow = name.partition(" ")[2] or name
            label = next(labels, "")
            expect(label.endswith(f": {flow}"), f"{folder.name}: no curve of {flow} but '{label}'")
            compared(label, told, one, result)
            have = rows.get(flow, {}).get("delay.count")
            whole = len(one.delivered) if flow.startswith("programs") else len(one.delays)
            expect(int(have or 0) == whole, f"{label}: exported {have} packets, counted {whole}")
            if flow in result["flows"] and one.delays:
                delay = result["flows"][flow]["delay"]
                near(f"{label}: result.json", delay["p95_ns"] / 1e9, rank(one.delays, 95))
    expect(not [*labels], "more curves than flows and programs")
    return len(folders), told


def made(name: str, text: str, *vary: str) -> Path:
    """The folder of a scenario's variants, in one boot."""
    out = OUT / name
    shutil.rmtree(out, ignore_errors=True)
    OUT.mkdir(parents=True, exist_ok=True)
    (OUT / "sender.py").write_text(SENDER)
    called = wlab("run", str(write(name, text)), *vary, "--out", str(out), "--json")
    expect(called.status == 0, called.err)
    return out


def alone() -> str:
    """Downlinks of all kinds: lossy, with copies, out of order, scheduled, with AQM."""
    vary = ["--vary", f"radio.down.wlink={','.join(DOWN)}", "--vary", "tcp.congestion=cubic,bbr"]
    out = made("shown-alone", DUMBBELL, *vary)
    down, up = ("radio.down",), ("radio.up",)
    count, _ = checked(out, {"f": down, "u": up, "m": down, "- programs radio.up": up})
    return f"{count} runs"


def moving() -> str:
    """A user that moves, after an outage: forwarded, delivered by the old cell, or flushed."""
    out = made("shown-moving", f'{CELLS}queue = "forward"\n', "--vary", f"at.2.queue={','.join(QUEUES)}")
    down, up = ("a.down", "b.down"), ("a.up", "b.up")
    count, told = checked(out, {"f": down, "u": up, "- programs ue.up": up})
    for label, line in told["capacity"].items():
        if label.endswith(": f"):
            ends = [(x, round(y / 1e6, 2)) for x, y in zip(line["x"], line["y"])]
            have = [{y for x, y in ends if a < x < b} for a, b in ((0, 0.5), (0.56, 0.6), (1.1, 2.4))]
            expect(have == [{3.0}, {0.0}, {2.0}], f"{label}: capacity {ends}")
    return f"{count} runs"


CASES = {"shown is what was counted": alone, "shown after a move is what was counted": moving}
