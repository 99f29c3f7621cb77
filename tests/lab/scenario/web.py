# SPDX-License-Identifier: GPL-2.0
"""Web and media flows: what comes, when at the earliest, how often, and again by the same seed."""

from itertools import pairwise
from math import exp, sqrt
from pathlib import Path
from typing import Any

from brief import brief
from lab import expect, run

# Of one sample against its theory; 5 are missed once in a million.
ERRORS = 5
RATE, LEG_NS = 64_000, 50_000_000
LINE = brief(f"""duration = "300s"
[wired] wlink = "rate 10mbit delay 50ms limit 1000"
[radio]
wlink = "rate {RATE} delay 50ms limit 1000CHANNEL"
[tcp] stack = "STACK"; route = "window 65535 quickack 1 advmss 210"
[[flow]] name = "web"; kind = "web"
""")
WAYS = {
    "serial": "",
    "parallel": "connections = 4\n",
    "pipelined": "connections = 2\npipeline = true\n",
    "one each": "connections = 4\npersistent = false\n",
}
LOSSY = " channel uniform loss 0.05"


def text(more: str, stack: str = "reno-2006", channel: str = "") -> str:
    return LINE.replace("STACK", stack).replace("CHANNEL", channel) + more


def pages(folder: Path) -> list[list[int]]:
    """Begin, end, objects, bytes asked with, bytes that came of each transaction."""
    lines = (folder / "series" / "web.web.tsv").read_text().splitlines()
    return [[int(x) for x in line.split("\t")] for line in lines]


def add_up(web: dict[str, Any], rows: list[list[int]]) -> None:
    """The figures are those of the transactions, to the last complete one."""
    expect(web["transactions"] == len(rows) == web["transaction"]["count"], f"{len(rows)} lines")
    expect(web["objects"] == sum(r[2] for r in rows), "objects of the log are others")
    expect(web["bytes"] == sum(r[4] for r in rows), "bytes of the log are others")
    expect(web["end_ns"] == rows[-1][1], "it does not end with the last transaction")
    goodput = web["bytes"] * 8e9 / (web["end_ns"] - web["start_ns"])
    expect(abs(web["goodput_bps"] - goodput) < 1, f"goodput {web['goodput_bps']}, not {goodput}")
    for a, b in pairwise(rows):
        expect(0 <= b[0] - a[1] < 1000, f"{b[0] - a[1]} ns between transactions")


def earliest(rows: list[list[int]]) -> None:
    """Nothing outruns light and the rate: a round trip for each object in turn, and its bits."""
    for begin, end, objects, asked, came in rows[1:]:
        least = objects * 4 * LEG_NS + (came + asked) * 8 * 10**9 // RATE
        expect(end - begin >= least, f"{objects} objects of {came} bytes within {end - begin} ns")


def check_web_ways_to_ask() -> str:
    """One seed, one sequence of pages; the way of asking tells how fast they come."""
    first: list[list[int]] = []
    said = []
    for way, more in WAYS.items():
        result, folder = run(f"web-{way.replace(' ', '-')}", text(more))
        web, rows = result["flows"]["web"], pages(folder)
        add_up(web, rows)
        same = min(len(rows), len(first)) if first else len(rows)
        first = first or rows
        expect(same > 20, f"{way}: only {same} transactions")
        sizes = [(r[2], r[4]) for r in rows[:same]]
        if way == "one each":
            # Each response and request says in 19 bytes that it is the last.
            expect([s[0] for s in sizes] == [r[2] for r in first[:same]], f"{way}: other pages")
            expect(web["connections"] >= web["objects"], f"{way}: {web['connections']} connections")
        else:
            expect(sizes == [(r[2], r[4]) for r in first[:same]], f"{way}: other pages")
            most = {"serial": 1, "parallel": 4, "pipelined": 2}[way]
            expect(web["connections"] == most, f"{way}: {web['connections']} connections")
        if way == "serial":
            earliest(rows)
        # Of 250 bytes a packet 40 are its head.
        expect(web["goodput_bps"] < RATE * 210 / 250, f"{way}: {web['goodput_bps']} bit/s")
        said.append(f"{way} {web['transactions']}, {web['goodput_bps'] / 1000:.1f} kbit/s")
    return "; ".join(said)


def check_web_and_media_same_seed() -> str:
    """Many connections, losses, both stacks: nothing of it is left to chance."""
    said = []
    for stack in ("reno-2006", "linux"):
        for way in ("pipelined", "one each"):
            name = f"web-again-{stack}-{way.replace(' ', '-')}"
            what = text(WAYS[way], stack, LOSSY).replace('"300s"', '"100s"')
            what += '[[flow]]\nname = "talk"\nkind = "media"\n'
            one, folder = run(name, what, out=f"{name}-1")
            two, _ = run(name, what, out=f"{name}-2")
            other, _ = run(name, what, "--seed", "2", out=f"{name}-3")
            expect(one["event_sha256"] == two["event_sha256"], f"{name}: the same seed gave another log")
            expect(one["event_sha256"] != other["event_sha256"], f"{name}: another seed gave the same log")
            expect(one["flows"]["web"] == two["flows"]["web"], f"{name}: other figures")
            add_up(one["flows"]["web"], pages(folder))
            expect(one["flows"]["web"]["retransmissions"] > 0, f"{name}: nothing was lost")
            said.append(one["event_sha256"][:8])
    return ", ".join(said)


def check_web_warm_up() -> str:
    """After a warm-up what counts are bytes since then, to the end of the last transaction."""
    cut = 100 * 10**9
    result, folder = run("web-warm", text("").replace('"300s"', '"300s"\nwarmup = "100s"'))
    web, rows = result["flows"]["web"], pages(folder)
    add_up(web["whole"] | {k: web[k] for k in ("transactions", "objects", "start_ns", "end_ns")}, rows)
    late = sum(r[4] for r in rows if r[0] >= cut)
    split = sum(r[4] for r in rows if r[0] < cut < r[1])
    expect(late < web["bytes"] <= late + split, f"{web['bytes']} bytes, outside {late}..{late + split}")
    goodput = web["bytes"] * 8e9 / (web["end_ns"] - cut)
    expect(abs(web["goodput_bps"] - goodput) < 1, f"goodput {web['goodput_bps']}, not {goodput}")
    return f"{web['whole']['bytes']} bytes, {web['bytes']} of them late"


def check_web_start_pause_stop() -> str:
    """At its stop a flow ends the transaction it is in, begins none, and pauses as told."""
    result, folder = run("web-stop", text('start = "10s"\nstop = "100s"\nthink = "2s"\n'))
    web, rows = result["flows"]["web"], pages(folder)
    expect(web["ended"], "it has not ended")
    expect(0 <= rows[0][0] - 10**10 < 10_000, f"it began at {rows[0][0]} ns")
    expect(max(r[0] for r in rows) < 100 * 10**9, "a transaction began after the stop")
    for a, b in pairwise(rows):
        expect(0 <= b[0] - a[1] - 2 * 10**9 < 10_000, f"a pause of {b[0] - a[1]} ns")
    expect(web["end_ns"] == rows[-1][1], "it does not end with its last transaction")
    return f"{len(rows)} transactions, the last until {rows[-1][1] / 1e9:.1f} s"


def check_web_a_connection_an_object() -> str:
    """A connection an object for 2000 s: the ports last, and so does the server."""
    fast = text('connections = 8\npersistent = false\n').replace('"300s"', '"2000s"')
    fast = fast.replace(f"rate {RATE}", "rate 1mbit")
    result, folder = run("web-lasts", fast)
    web = result["flows"]["web"]
    add_up(web, pages(folder))
    expect(web["connections"] > 5000, f"only {web['connections']} connections")
    expect(0 <= web["connections"] - web["objects"] <= 66, "connections without objects")
    return f"{web['connections']} connections, {web['goodput_bps'] / 1000:.0f} kbit/s"


def check_web_curl() -> str:
    """A real program talks to the server of a web flow."""
    what = text('start = "299s"\n', "linux")
    # The port of the first flow's sender.
    what += (
        '[[program]]\nname = "curl"\nin = "ue"\nstart = "1s"\n'
        "run = 'curl -sS --noproxy \"*\" -w \"%{http_code} %{size_download} %{num_connects} \" "
        "-o /dev/null http://10.0.1.1:10001/100000 -o /dev/null http://10.0.1.1:10001/1'\n"
    )
    _, folder = run("web-curl", what)
    said = (folder / "programs" / "curl.out").read_text().split()
    expect(said == ["200", "100000", "1", "200", "1", "0"], f"curl says {said}")
    return "two files by one connection"


TALK, SILENCE, EVERY = 1.0, 1.35, 250 * 8 / 56_000
SECONDS = 5000
MEDIA = brief(f"""duration = "{SECONDS}s"
[radio] wlink = "rate 10mbit delay 1ms"
[[flow]] name = "m"; kind = "media"
""")


def load(packets: int) -> None:
    """Talk within a long time has a variance of 2 a^2 b^2 / (a + b)^3 for each second of it."""
    both = TALK + SILENCE
    wanted = TALK / both * SECONDS / EVERY
    spread = sqrt(2 * (TALK * SILENCE) ** 2 / both**3 * SECONDS) / EVERY
    expect(abs(packets - wanted) < ERRORS * spread, f"{packets} packets, not {wanted:.0f} +- {spread:.0f}")


def spurts_of(sent: list[int]) -> list[int]:
    """Packets by spurt: it goes on while they are as far apart as the clock can tell."""
    spurts = [1]
    for a, b in pairwise(sent):
        if abs(b - a - EVERY * 1e9) < 1000:
            spurts[-1] += 1
        else:
            spurts.append(1)
    # The end of the run cuts the last one.
    return spurts[:-1]


def geometric(spurts: list[int]) -> float:
    """An exponential time in whole packets: after each one another one follows with q."""
    q = exp(-EVERY / TALK)
    root = sqrt(len(spurts))
    mean, deviation = 1 / (1 - q), sqrt(q) / (1 - q)
    got = sum(spurts) / len(spurts)
    expect(abs(got - mean) < ERRORS * deviation / root, f"{got:.2f} packets a spurt, not {mean:.2f}")
    for k in (5, 28, 84):
        tail = sum(n > k for n in spurts) / len(spurts)
        bound = ERRORS * sqrt(q**k * (1 - q**k)) / root
        expect(abs(tail - q**k) < bound, f"{tail:.3f} of spurts have more than {k} packets, not {q**k:.3f}")
    return got


def check_media_load_and_spurts() -> str:
    """The load is 37.23 % of 64 kbit/s, spurts are exponential, as theory allows; each leaves in its time."""
    result, folder = run("media", MEDIA)
    flow = result["flows"]["m"]
    lines = (folder / "series" / "m.e2e.tsv").read_text().splitlines()
    sent = [int(line.split("\t")[1]) for line in lines]
    expect(len(sent) == flow["packets"] == flow["packets_sent"], "packets are missing")
    # 2000 bits at 10 Mbit/s, and 1 ms.
    late = [int(line.split("\t")[2]) - at - 1_200_000 for line, at in zip(lines, sent, strict=True)]
    expect(min(late) >= 0 and max(late) < 1000, f"they come {min(late)} to {max(late)} ns late")
    load(len(sent))
    spurts = spurts_of(sent)
    expect(len(spurts) + 1 == flow["spurts"], f"{len(spurts) + 1} spurts, not {flow['spurts']}")
    got = geometric(spurts)
    share = len(sent) * 250 * 8 / SECONDS / 64_000
    return f"load {share:.2%}, {len(spurts)} spurts of {got:.1f} packets; theory 37.23 %, 28.5"


LAST = brief("""duration = "100ms"
[radio] wlink = "rate 100mbit delay 1ms"
[[flow]] name = "m"; kind = "media"; count = 2; rate = "40mbit"; size = 100; silence = "0s"
""")


def check_media_the_last_packet() -> str:
    """None is sent after the end of the run, past qdiscs that are removed then; 20 us lie between two."""
    result, folder = run("media-last", LAST)
    for name in ("m1", "m2"):
        text = (folder / "series" / f"{name}.e2e.tsv").read_text()
        times = [[int(word) for word in line.split("\t")] for line in text.splitlines()]
        sent, least = max(line[1] for line in times), min(line[2] - line[1] for line in times)
        expect(sent < 100_000_000, f"{name}: one is sent at {sent} ns")
        expect(least >= 1_008_000, f"{name}: one takes {least} ns")
        have = result["flows"][name]["packets_sent"]
        expect(have == 5000, f"{name}: {have} packets are sent, not 100 ms of 40 Mbit/s")
    return "5000 of each flow"
