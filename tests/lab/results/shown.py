# SPDX-License-Identifier: GPL-2.0
"""What commands show of made runs, against counts of the event log that share no code with theirs."""

import csv
import json
import re
import shutil
from pathlib import Path
from typing import Any
from unittest.mock import patch

import wlab as api
from brief import brief
from counting import (
    AT,
    BYTES,
    DELIVER,
    DROP,
    LINK,
    PAYLOAD,
    TWO_CELLS,
    Count,
    counts,
    lines,
    near,
    occupied,
    of_links,
    rank,
    series,
    warm_ns,
)
from lab import OUT, Skipped, conserved, expect, wlab, write
from wlablib.analysis import why
from wlablib.analysis.plots import data, run as plot, why as whyplot
from wlablib.lib import page

SENDER = """import socket, sys, time
s, end = socket.socket(type=socket.SOCK_DGRAM), time.time() + 1
while time.time() < end:
    s.sendto(bytes(500), (sys.argv[1], 9))
    time.sleep(0.01)
"""
# Runs end between two TTIs: the kernel's counters are read some ns after the last line of the log.
DUMBBELL = brief("""duration = "1500230us"
warmup = "200ms"
[wired] netem = "delay 5ms"
[radio.down] wlink = "rate 1mbit"
[radio.up] wlink = "rate 1mbit tti 1ms delay 5ms"
[[flow]] name = "f"; kind = "tcp"
[[flow]] name = "u"; kind = "udp"; direction = "up"; rate = "200kbit"; size = 400
[[flow]] name = "m"; kind = "media"
[[program]] name = "p"; in = "ue"; run = "exec python3 sender.py 10.0.1.1"; files = ["sender.py"]
""")
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
CELLS = brief(f"""duration = "2500230us"
warmup = "300ms"
{TWO_CELLS}[[flow]]
name = "u"
kind = "udp"
rate = "300kbit"
size = 400
from = "ue"
to = "server"
[[program]] name = "p"; in = "ue"; run = "exec python3 sender.py 10.0.0.1"; files = ["sender.py"]
[[at]] time = "500ms"
run = "wlinkctl set {{a.down}} bearer 2 rate 0"
[[at]] time = "600ms"
run = "wlinkctl set {{a.down}} bearer 2 rate 3mbit"
[[at]] time = "1s"; move = "ue"; to = "b"; interruption = "50ms"
""")
OF_TCP, OF_DATAGRAMS = ("retransmissions", "srtt_us", "mss"), ("packets_sent", "packets")
QUEUES = ("forward", "deliver", "drop")
# The wlinks on the way of a flow to the user, those between the cells included.
DOWNWARDS = ("bh-1.forward", "bh-2.forward", "bh-1.back", "a.down", "b.down")
# Two bearers; a link that a recording drives; nothing that is delivered, or not since the warm-up.
OTHERS = brief("""duration = "1500230us"
warmup = "200ms"
[radio.down] wlink = "rate 1mbit delay 5ms limit 30"
{down}
[radio.up] wlink = "rate 1mbit tti 1ms delay 5ms"
[[flow]] name = "f"; kind = "tcp"
{of_f}
[[flow]] name = "u"; kind = "udp"; direction = "up"; rate = "200kbit"; size = 400
[[flow]] name = "m"; kind = "media"
{more}
""")
BEARERS = """classes = ["classid 1:2 wlink mode um pdu 40 rate 600kbit limit 15"]
filters = ["protocol ip u32 match ip dport {m} 0xffff classid 1:2"]
"""
OUTAGE = """[[at]]
time = "0s"
link = "radio.down"
state = "down"
"""
ROUTERS = brief("""duration = "1500230us"
warmup = "200ms"
[node.server] [node.r1] [node.r2] [node.ue]
[link.x] between = ["server", "r1"]; wlink = "rate 5mbit delay 5ms limit 20"
[link.y] between = ["r1", "r2"]
wlink = "rate 2mbit tti 1ms delay 5ms limit 20 pdu 40 channel uniform loss 0.01"
[link.z] between = ["r2", "ue"]
{last}
[[flow]] name = "f"; kind = "tcp"; from = "server"; to = "ue"
[[flow]] name = "u"; kind = "udp"; rate = "200kbit"; size = 400; from = "ue"; to = "server"
[[program]] name = "p"; in = "ue"; run = "exec python3 sender.py 10.0.0.1"; files = ["sender.py"]
""")
SEVERAL = brief("""duration = "3s"
warmup = "200ms"
[node.server] [node.x] [node.enb] count = 2
[node.ue] [node.other]
[link.core] between = ["server", "x"]; wlink = "rate 3500kbit delay 1ms"
[link.bh1] between = ["x", "enb-1"]; wlink = "rate 2500kbit delay 1ms"
[link.bh2] between = ["x", "enb-2"]; wlink = "rate 1500kbit delay 1ms"
[cell.a] at = "enb-1"; users = ["ue", "other"]; down = "rate 3mbit tti 1ms delay 5ms limit 60 sched rr"
up = "rate 3mbit tti 1ms delay 5ms limit 60 sched rr"
[cell.b] at = "enb-2"; users = []; down = "rate 2mbit tti 1ms delay 5ms limit 60 sched rr"
up = "rate 2mbit tti 1ms delay 5ms limit 60 sched rr"
[[flow]] name = "f"; kind = "tcp"; from = "server"; to = "ue"
[[flow]] name = "g"; kind = "tcp"; from = "server"; to = "other"
[[at]] time = "1s"; move = "ue"; to = "b"; queue = "drop"
[[at]] time = "2s"; move = "ue"; to = "a"; queue = "drop"
""")
# Between the moves.
SPELLS = ((0.3, 0.9), (1.3, 1.9), (2.3, 2.9))
EXPERIMENT = f"""title = "moves"
scenario = "shown-moving"
seeds = 1
confidence = 95
metrics = [
    "delay_s", "delay_p95_s", "radio_delay_s", "drops_overflow", "drops_overflow@a.down", "buffer_sdus",
    "utilisation_percent", "goodput_kbit",
]
[[rule]]
when = {{}}
set = ["at.2.queue={{queue}}"]
[[grid]]
axes = {{ queue = {json.dumps(QUEUES)} }}
"""
# The log does not have when those SDUs were sent that are on their way at the end; changes wait for a TTI.
ABOUT = {"buffer_sdus": 1e-3, "utilisation_percent": 1e-3}
Links = dict[str, tuple[str, ...]]


def compared(label: str, told: dict[str, Any], one: Count, result: dict[str, Any]) -> None:
    """The table and the series of a curve."""
    figures = told["figures"][label]
    end_s, warm_s = result["ended_s"], result["warmup_s"]
    bits = sum(8 * p.bytes for p in one.delivered if p.end / 1e9 >= warm_s)
    if bits:
        near(f"{label}: throughput", figures["throughput_bps"]["value"], bits / (end_s - warm_s))
    else:
        expect(figures["throughput_bps"]["value"] is None, f"{label}: a throughput of nothing")
        of = label.rpartition(": ")[2]
        expect(any(f" of {of}" in note for note in told["notes"]), f"{label}: no note in {told['notes']}")
    step_ns, end_ns = round(told["interval_s"] * 1e9), round(end_s * 1e9)
    spans = [(at, min(at + step_ns, end_ns)) for at in range(0, end_ns, step_ns)]
    series(label, told, one, spans)
    bars = told["plots"].get("drops", {}).get(label, {"y": []})["y"]
    expect(sum(bars) == one.dropped, f"{label}: {bars} dropped, not {one.dropped}")
    for percent in (50, 95, 99) if one.delays else ():
        value = figures[f"delay_p{percent}_s"]["value"]
        near(f"{label}: delay p{percent}", value, rank(one.delays, percent))
    expect(bool(one.delays) or figures["delay_p50_s"]["value"] is None, f"{label}: a delay of no packet")
    if all_ := one.dropped + len(one.delays):
        near(f"{label}: loss", figures["loss"]["value"], one.dropped / all_)


def told_by(*args: str) -> Any:
    """What a command prints as JSON."""
    called = wlab(*args, "--json")
    if "is missing; type" in called.err:
        raise Skipped(called.err.strip())
    expect(called.status == 0, called.err)
    return json.loads(called.out)


def buffers(folders: list[Path], told: dict[str, Any], links: tuple[str, ...]) -> None:
    """The curves of the buffer, of links that forget SDUs when they are sent."""
    expect(len(told["plots"]["buffer"]) == len(folders), "a curve of the buffer for each run")
    for folder, (label, line) in zip(folders, told["plots"]["buffer"].items()):
        end_s = json.loads((folder / "result.json").read_text())["ended_s"]
        edges = [i * told["interval_s"] for i in range(len(line["y"]))] + [end_s]
        wanted = occupied(folder, links, list(zip(edges, edges[1:])))
        for x, have, mean in zip(line["x"], line["y"], wanted):
            near(f"{label}: buffer at {x:g} s", have, mean, 1e-6)


def of_sockets(row: dict[str, str], flow: dict[str, Any], one: Count) -> None:
    """What a flow's sockets have counted: nothing that its kind does not have is a 0."""
    over_tcp = flow.get("kind") in ("tcp", "web")
    for keys, have in ((OF_TCP, over_tcp), (OF_DATAGRAMS, bool(flow) and not over_tcp)):
        empty = [key for key in keys if (row.get(key) or "") == ""]
        expect(have or len(empty) == len(keys), f"{row['flow']}: exported {row}")
        expect(not have or one.delivered == [] or not empty, f"{row['flow']}: no {empty} in {row}")
    if over_tcp:
        # All that has come in order, of which nothing waits for its reader at the end.
        expect(
            flow.get("whole", flow)["bytes"] == one.stream(), f"{row['flow']}: {flow}, {one.stream()} come"
        )
    if flow and not over_tcp:
        sent, come = (int(row[key]) for key in OF_DATAGRAMS)
        # A link's copies are received, too; what is delivered at the end may not have been read.
        expect(sent >= len(one.delivered) <= come + 1, f"{row}, delivered {len(one.delivered)}")


def checked(
    out: Path, of: Links, buffer: tuple[str, ...] = (), apart: dict[str, Links] | None = None
) -> tuple[list[Path], dict[str, Any], dict[tuple[str, str], str]]:
    """All runs in a folder, what compare has printed, and its label for each folder and flow.

    Packets of flows count on the links of `of`, but for folders that are `apart`.
    """
    folders, by_flow = sorted(p.parent for p in out.glob("*/result.json")), {}
    page = ["--out", str(OUT / "shown-page")]
    told = told_by("compare", str(out), "--by", "flow", *page)
    if buffer:
        buffers(folders, told_by("compare", str(out), *page), buffer)
    called = wlab("export", *map(str, folders), "--to", str(OUT / "shown.csv"))
    expect(called.status == 0, called.err)
    with (OUT / "shown.csv").open() as f:
        exported = list(csv.DictReader(f))
    labels = iter(told["figures"])
    for folder in folders:
        result = json.loads((folder / "result.json").read_text())
        conserved(result)
        # What `wlab why --json` prints.
        of_links(folder, result, why.why(folder))
        rows = {r["flow"]: r for r in exported if r["event_sha256"] == result["event_sha256"]}
        frame = api.open(folder).flows
        have_flows = []
        for name, one in counts(folder, result, (apart or {}).get(folder.name, of)).items():
            flow = name.partition(" ")[2] or name
            if not one.delivered and not one.dropped and flow not in result["flows"]:
                continue
            have_flows.append(flow)
            label = next(labels, "")
            expect(label.rpartition(": ")[2] == flow, f"{folder.name}: no curve of {flow} but '{label}'")
            compared(label, told, one, result)
            by_flow[folder.name, flow] = label
            of_sockets(rows[flow], result["flows"].get(flow, {}), one)
            have = int(rows[flow].get("delay.count") or 0)
            expect(have == len(one.delays), f"{label}: exported {have} packets, counted {len(one.delays)}")
            have = int(rows[flow].get("whole.delay.count") or 0)
            expect(have == len(one.delivered), f"{label}: exported {have} in all, not {len(one.delivered)}")
            if one.delays:
                near(f"{label}: exported", float(rows[flow]["delay.p95_ns"]) / 1e9, rank(one.delays, 95))
                near(f"{label}: frame", frame.loc[flow, "delay.p95_ns"] / 1e9, rank(one.delays, 95))
        expect(list(rows) == frame.index.to_list() == have_flows, f"{folder.name}: {list(rows)} exported")
    expect(not [*labels], "more curves than flows and programs")
    return folders, told, by_flow


def made(name: str, text: str, *vary: str) -> Path:
    """The folder of a scenario's run, or of its variants, in one boot."""
    out = OUT / name
    shutil.rmtree(out, ignore_errors=True)
    OUT.mkdir(parents=True, exist_ok=True)
    (OUT / "sender.py").write_text(SENDER)
    (OUT / "shown.mahimahi").write_text("".join(f"{t}\n" for t in range(1, 400, 7)))
    called = wlab("run", str(write(Path(name).name, text)), *vary, "--out", str(out), "--json")
    expect(called.status == 0, called.err)
    return out


def check_shown_is_what_was_counted() -> str:
    """Downlinks of all kinds: lossy, with copies, out of order, scheduled, with AQM."""
    out = made("shown-alone", DUMBBELL, "--vary", f"radio.down.wlink={','.join(DOWN)}")
    down, up = ("radio.down",), ("radio.up",)
    folders, *_ = checked(out, {"f": down, "u": up, "m": down, "- programs radio.up": up})
    return f"{len(folders)} runs"


def check_shown_after_a_move_is_what_was_counted() -> str:
    """A user that moves, after an outage: forwarded, delivered by the old cell, or flushed."""
    out = made("shown-moving", f'{CELLS}queue = "forward"\n', "--vary", f"at.2.queue={','.join(QUEUES)}")
    up, cells = ("a.up", "b.up"), ("a.down", "b.down")
    of = {"f": DOWNWARDS, "u": (*up, "bh-1.back", "bh-2.back"), "- programs ue.up": up}
    folders, told, _ = checked(out, of, cells)
    for label, line in told["capacity"].items():
        if label.endswith(": f"):
            ends = [(x, round(y / 1e6, 2)) for x, y in zip(line["x"], line["y"])]
            have = [{y for x, y in ends if a < x < b} for a, b in ((0, 0.5), (0.56, 0.6), (1.4, 2.4))]
            expect(have == [{3.0}, {0.0}, {2.0}], f"{label}: capacity {ends}")
    for folder in folders:
        shown = data.Result(folder)
        rates = {t: data.rate_at(shown.rates(), t) for t in (0.25, 0.55, 0.8, 1.02, 2)}
        # With deliver the old cell still has packets of the user then.
        wanted = [3e6, 0, 3e6, 3e6 if folder.name == "queue=deliver" else 0, 2e6]
        expect([*rates.values()] == wanted, f"{folder.name}: rates {rates}")
    with patch.object(plot, "draw_buffer") as panel:
        plot.draw(shown, folder / "plot.png")
    links = [call.args[2] for call in panel.call_args_list]
    expect(links == ["a.down", "b.down"], f"{folder.name}: panels of {links}")
    with patch.object(page, "save") as saved:
        whyplot.draw(shown, folder / "plot-why.png")
    text = saved.call_args.args[1]._suptitle.get_text() if saved.called else ""
    expect("not drawn, but in the text of wlab why: 2 bearers (" in text, f"{folder.name}: {text}")
    return f"{len(folders)} runs"


def measured(folder: Path) -> dict[str, float]:
    """The metrics of EXPERIMENT of a run."""
    result = json.loads((folder / "result.json").read_text())
    down, end_s, warm = ("a.down", "b.down"), result["ended_s"], warm_ns(result)
    air = counts(folder, result, {"f": down})["f"].delays
    whole = counts(folder, result, {"f": DOWNWARDS})["f"].delays
    some = [w for w, _ in lines(folder) if w[LINK] in down]
    full = [w[LINK] for w in some if w[DROP] == "overflow" and int(w[AT]) >= warm]
    bits = 8 * sum(int(w[BYTES]) for w in some if w[DROP] == "none")
    # The user has 3 Mbit/s but for the outage until the move, or until the old cell has delivered all,
    # and 2 Mbit/s after the interruption.
    left = max(int(w[DELIVER]) / 1e9 for w in some if w[LINK] == "a.down" and w[PAYLOAD] != "0")
    room = 3e6 * (max(1.0, left) - 0.1) + 2e6 * (end_s - 1.05)
    return {
        "delay_s": sum(whole) / len(whole) / 1e9,
        "delay_p95_s": rank(whole, 95),
        "radio_delay_s": sum(air) / len(air) / 1e9,
        "drops_overflow": len(full),
        "drops_overflow@a.down": full.count("a.down"),
        "buffer_sdus": occupied(folder, down, [(result["warmup_s"], end_s)])[0],
        "utilisation_percent": 100 * bits / room,
    }


def check_shown_of_an_experiment_is_what_was_counted() -> str:
    """The metrics of the same runs in a sweep, what is exported of it, and the report's numbers."""
    out, page = OUT / "shown-sweep", OUT / "shown-report"
    shutil.rmtree(out, ignore_errors=True)
    write("shown-sweep", EXPERIMENT)
    (OUT / "scenarios").mkdir(exist_ok=True)
    for name in ("shown-moving.toml", "sender.py"):
        shutil.copy(OUT / name, OUT / "scenarios")
    names = {
        json.loads(p.read_text())["event_sha256"]: p.parent
        for p in (OUT / "shown-moving").glob("*/result.json")
    }
    told_by("sweep", str(OUT / "shown-sweep.toml"), "--out", str(out))
    called = wlab("export", str(out), "--to", str(OUT / "shown.csv"))
    expect(called.status == 0, called.err)
    with (OUT / "shown.csv").open() as f:
        exported = list(csv.DictReader(f))
    told_by("report", str(OUT / "shown-sweep.toml"), "--out", str(out), "--to", str(page))
    text = (page / "shown-sweep.md").read_text()
    for row in exported:
        expect(row["event_sha256"] in names, f"queue {row['queue']}: other events than wlab run's")
        for name, wanted in measured(names[row["event_sha256"]]).items():
            what = f"queue {row['queue']}: {name}"
            near(what, float(row[name]), wanted, ABOUT.get(name, 1e-6))
            table = text.partition(f"\n`{name}`: ")[2].partition("\n### ")[0]
            cell = re.search(rf"^\| {row['queue']} \| \[([\d.e-]+)\]", table, re.MULTILINE)
            expect(cell is not None, f"{what}: not in the report")
            near(f"{what} in the report", float(cell[1]) if cell else None, float(row[name]), 1e-3)
    expect(len(exported) == len(QUEUES), f"{len(exported)} rows of {len(QUEUES)} runs")
    return f"{len(exported)} runs, {len(measured(next(iter(names.values()))))} metrics"


def check_shown_of_bearers_recordings_and_silence_is_what_was_counted() -> str:
    """Several bearers, however they share; recorded opportunities; an outage; a flow that has ended."""
    down, up = ("radio.down",), ("radio.up",)
    sched = "rate 1mbit tti 1ms delay 5ms limit 30 sched"
    vary = f"radio.down.wlink={','.join(f'{sched} {how}' for how in ('dedicated', 'rr', 'prio', 'pf'))}"
    out = made("shown-others", OTHERS.format(down=BEARERS, of_f="", more=""), "--vary", vary)
    trace = 'trace = { file = "shown.mahimahi", end = "loop" }'
    alone = {"trace": (trace, "", ""), "outage": ("", "", OUTAGE), "ended": ("", "bytes = 3000", "")}
    for name, (of_down, of_f, more) in alone.items():
        made(f"shown-others/{name}", OTHERS.format(down=of_down, of_f=of_f, more=more))
    folders, told, labels = checked(out, {"f": down, "u": up, "m": down})
    for folder in folders:
        if not (sched := folder.name.partition(" sched ")[2]):
            continue
        has = {flow: {*told["capacity"][labels[folder.name, flow]]["y"]} for flow in "fm"}
        expect(has == {"f": {1e6}, "m": {6e5}}, f"{sched}: capacity {has}")
        shown = data.Result(folder)
        expect(shown.rates() == [(0, 1.6e6 if sched == "dedicated" else 8e5)], f"{sched}: {shown.rates()}")
        expect(shown.rates_of("radio.down", 2) == [(0, 6e5)], f"{shown.rates_of('radio.down', 2)}")
        expect(shown.limit("radio.down") is None, f"{sched}: a limit of 1:1 beside bearers of both")
    # A packet of 1504 bytes each 7 ms, but 5 ms from the end to the begin.
    curve = told["capacity"][labels["trace", "f"]]["y"]
    near("capacity of a recording", sum(curve) / len(curve), 8 * 1504 * 57 / 0.397, 0.02)
    notes = "\n".join(told["notes"])
    for name, flow, why_not in (
        ("outage", "f", "radio.down of f: none has come to a wlink"),
        ("outage", "m", "still there at the end"),
        ("ended", "f", "radio.down of f since the warm-up: the last one came at 0."),
    ):
        label = labels[name, flow].rpartition(": ")[0]
        expect(
            bool(re.search(rf"^{re.escape(label)}: .*{re.escape(why_not)}", notes, re.MULTILINE)),
            f"{name}: no '{why_not}' in {notes}",
        )
    for name, text in (
        ("outage", "nothing received; no packet with payload was delivered by radio.down of f: none"),
        ("ended", "nothing received since the warm-up, 3000 bytes before; no packet with payload"),
    ):
        expect(text in str(api.open(out / name)), f"{name}: {api.open(out / name)}")
    ended = json.loads((out / "ended" / "result.json").read_text())["flows"]["f"]
    expect(ended["goodput_bps"] is None and ended["whole"]["goodput_bps"] > 0, f"ended: {ended}")
    expect("radio.down     no packet delivered of" in str(api.open(out / "outage")), "a link without a word")
    return f"{len(folders)} runs"


def check_shown_of_several_users_is_what_was_counted() -> str:
    """Two users of a cell, of which one moves there and back: what backhauls let through; it ends in a TTI.

    Both ends of a flow go on when the links are removed, which no figure has.
    """
    down = ("core.forward", "bh1.forward", "bh2.forward", "bh1.back", "bh2.back", "a.down", "b.down")
    out = made(
        "shown-several", SEVERAL, "--vary", "link.bh2.wlink=rate 1500kbit delay 1ms,rate 5mbit delay 1ms"
    )
    folders, told, labels = checked(out, {"f": down, "g": down})
    whole = told_by("compare", str(out), "--out", str(OUT / "shown-page"))
    for folder, both in zip(folders, whole["capacity"].values()):
        slow = "1500" in folder.name
        has = [
            [{round(y / 1e5) for x, y in zip(c["x"], c["y"]) if a < x < b} for a, b in SPELLS]
            for c in (told["capacity"][labels[folder.name, "f"]], both)
        ]
        b_mbit = 15 if slow else 20
        expect(has[0] == [{25}, {b_mbit}, {25}], f"{folder.name}: capacity of f {has[0]}")
        expect(has[1] == [{25}, {35}, {25}], f"{folder.name}: capacity of all {has[1]}")
    return f"{len(folders)} runs"


def check_shown_of_routers_is_what_was_counted() -> str:
    """A network without a cell: flows over all their wlinks, programs on each; drops by netem are told of."""
    out = OUT / "shown-routers"
    shutil.rmtree(out, ignore_errors=True)
    apart: dict[str, Links] = {}
    for kind, more in ("netem", "loss 2%"), ("wlink", "limit 20"):
        made(f"shown-routers/{kind}", ROUTERS.format(last=f'{kind} = "rate 1mbit delay 5ms {more}"'))
        names = ["x", "y", *(["z"] if kind == "wlink" else [])]
        back = [f"{name}.back" for name in names]
        apart[kind] = {"f": tuple(f"{name}.forward" for name in names), "u": (*reversed(back),)}
        apart[kind] |= {f"- programs {link}": (link,) for link in back}
    folders, told, labels = checked(out, {}, (), apart)
    for kind, of in apart.items():
        result = json.loads((out / kind / "result.json").read_text())
        dropped = counts(out / kind, result, {"u": of["u"][:-1]})["u"].dropped
        expect(dropped > 0, f"{kind}: no packet was dropped before the last link")
        note = any(f"{kind}: z.back is netem and dropped" in one for one in told["notes"])
        expect(note == (kind == "netem"), f"{kind}: {told['notes']}")
        # No more than the slowest link, which is the last one or is not.
        for flow, bps in ("f", 1e6 if kind == "wlink" else 2e6), ("u", 1e6 if kind == "wlink" else 2e6):
            # In the last instant there is no packet of u on z any more.
            rate = {*told["capacity"][labels[kind, flow]]["y"][:-1]}
            expect(rate == {bps}, f"{kind}: capacity of {flow} {rate}")
    return f"{len(folders)} runs"
