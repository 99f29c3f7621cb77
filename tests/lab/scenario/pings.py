# SPDX-License-Identifier: GPL-2.0
"""Flows of kind ping, by closed forms: round trips to the ns, losses one by one, a connection that fails."""

import json
import sys
from math import sqrt
from pathlib import Path

from brief import brief
from lab import WLAB, call, expect, run, sdus

sys.path.insert(0, str(WLAB.parent))
from wlablib.analysis import metrics

MS, S = 10**6, 10**9
DOWN_BPS, UP_BPS, DOWN_MS, UP_MS = 1_000_000, 500_000, 10, 15
# IP and TCP with its time stamps; the payload of a full packet.
TCP_HEADERS, MSS = 52, 1448
# What looks at the clock take, 1 ns each, of TCP's timers too.
SLACK_NS = 2000
SILENT_S = 8
PINGS = brief(f"""duration = "12s"
warmup = "1s"
[radio.down]
wlink = "rate {DOWN_BPS} delay {DOWN_MS}ms"
[radio.up]
wlink = "rate {UP_BPS} delay {UP_MS}ms duplicate 100%"
[tcp.sysctl]
"net.ipv4.tcp_syn_retries" = 1
[[flow]] name = "icmp"; kind = "ping"
[[flow]] name = "udp"; kind = "ping"; protocol = "udp"; direction = "up"; start = "200ms"; size = 100
answer = 1000
[[flow]] name = "tcp"; kind = "ping"; protocol = "tcp"; start = "400ms"; size = 100; answer = 3000
pings = 10
[[flow]] name = "alone"; kind = "ping"; protocol = "tcp"; start = "1500ms"
[[flow]] name = "chance"; kind = "ping"; direction = "up"; start = "900ms"; stop = "11s"; interval = "20ms"
random = true
[[at]] time = "0s"; in = "router"; run = "ip rule add pref 1 blackhole ipproto tcp dport 20004"
[[at]]
time = "{SILENT_S}s"
in = "router"
run = "ip rule add pref 1 blackhole ipproto udp dport 20002"
""")


def air_ns(size: int, bps: int) -> int:
    return size * 8 * S // bps


def trips(folder: Path, flow: str) -> list[tuple[int, int]]:
    """When each request was sent and answered."""
    lines = (folder / "series" / f"{flow}.rtt.tsv").read_text().splitlines()
    numbers = [[int(word) for word in line.split("\t")] for line in lines]
    expect([n for n, _, _ in numbers] == [*range(len(numbers))], f"{flow}: other numbers")
    return [(sent, answered) for _, sent, answered in numbers]


def check_round_trips() -> str:
    """Each answer comes when the link's rates and delays say; what a copy of it says counts once."""
    # Without the pings by chance, which others wait for.
    begin = PINGS.index('[[flow]]\nname = "chance"')
    text = PINGS[:begin] + PINGS[PINGS.index("[[at]]") :]
    result, folder = run("pings", text)
    flows, fixed = result["flows"], (DOWN_MS + UP_MS) * MS
    echo = air_ns(84, DOWN_BPS) + air_ns(84, UP_BPS) + fixed
    asked = air_ns(100, UP_BPS) + air_ns(1000, DOWN_BPS) + fixed
    # The answer's packets go one behind the other.
    answer = 3000 + -(-3000 // MSS) * TCP_HEADERS
    talked = air_ns(100 + TCP_HEADERS, DOWN_BPS) + air_ns(answer, UP_BPS) + fixed
    wanted = {"icmp": (echo, 12, 12), "udp": (asked, 12, SILENT_S), "tcp": (talked, 10, 10)}
    for name, (trip, sent, answered) in wanted.items():
        have = trips(folder, name)
        expect((len(have), flows[name]["packets_sent"]) == (sent, sent), f"{name}: {len(have)} sent")
        came = [(a, b - a) for a, b in have if b >= 0]
        expect(len(came) == answered == flows[name]["packets"], f"{name}: {len(came)} answers")
        # The connection's own acknowledgements are in the way of the first one's.
        for at, took in came[name == "tcp" :]:
            expect(0 <= took - trip < SLACK_NS, f"{name} at {at}: {took} ns, by hand {trip}")
        # At the start of the run the loop has other things to do, too.
        times = [a for a, _ in have]
        expect(all(abs(b - a - S) < 1000 for a, b in zip(times[1:], times[2:])), f"{name}: {times}")
    expect(all(b < 0 for a, b in trips(folder, "udp") if a > SILENT_S * S), "a router that is silent")
    logged = {(one.flow, one.way) for one in sdus(folder) if one.link == "radio.down"}
    expect({("icmp", "forth"), ("udp", "back"), ("tcp", "forth")} <= logged, f"of the log's packets {logged}")
    told = metrics.measure(
        ["rtt_p50_ms@icmp", "rtt_p99_ms@udp", "ping_loss_percent@udp"]
        + ["rtt_serial_ms@icmp", "rtt_prop_ms@icmp"],
        result,
        folder,
    )
    # Of the 11 since the warm-up.
    by_hand = [echo / MS, asked / MS, 100 * 4 / 11, (echo - fixed) / MS, fixed / MS]
    expect(all(abs(a - b) < 1e-3 for a, b in zip(told.values(), by_hand)), f"{told}, by hand {by_hand}")
    expect(flows["icmp"]["rtt"]["count"] == 11 and flows["icmp"]["whole"]["rtt"]["count"] == 12, "warm-up")
    said = flows["alone"]
    expect(said["why"] == "the connection of the pings: Connection timed out", str(said))
    expect(not trips(folder, "alone") and not said["bytes"], "pings without a connection")
    called = call([str(WLAB), "compare", str(folder), "--by", "flow", "--out", str(folder / "c"), "--json"])
    expect(called.returncode == 0, called.stderr)
    one = json.loads(called.stdout)
    rtt = {name: one["figures"][name]["rtt_p95_s"]["value"] for name in ("icmp", "udp")}
    expect(abs(rtt["icmp"] - echo / S) < 1e-6 and abs(rtt["udp"] - asked / S) < 1e-6, f"compare: {rtt}")
    expect(one["plots"]["ping-cdf"]["udp"]["y"][-1] == 1, "compare's distribution")
    return f"{echo / MS}, {asked / MS} and {talked / MS} ms"


def check_at_random() -> str:
    """Intervals are uniform, up to twice the mean, and follow from the seed."""
    result, folder = run("pings-random", PINGS)
    again, _ = run("pings-random", PINGS, out="pings-random-again")
    same = [(one["event_sha256"], one["series_sha256"]) for one in (result, again)]
    expect(same[0] == same[1], "the same seed, another run")
    times = [a for a, _ in trips(folder, "chance")]
    gaps = [b - a for a, b in zip(times, times[1:])]
    mean, most = sum(gaps) / len(gaps), 40 * MS
    # The standard deviation of uniform ones is a twelfth's root of the range.
    expect(abs(mean - most / 2) < 4 * most / sqrt(12 * len(gaps)), f"{mean / MS:.2f} ms between two")
    expect(max(gaps) < most + SLACK_NS and min(gaps) < most / 20, f"{min(gaps)} to {max(gaps)} ns")
    expect(times[-1] < 11 * S, "sent after its stop")
    return f"{len(gaps)} intervals, {mean / MS:.2f} ms between two"


def check_ipv6() -> str:
    text = f"""duration = "3s"
addresses = "fd00::/64"
[node.a]
[node.b]
[link.l]
between = ["a", "b"]
wlink = "rate {DOWN_BPS} delay {DOWN_MS}ms"
"""
    for i, protocol in enumerate(("icmp", "udp", "tcp")):
        text += f'[[flow]]\nname = "{protocol}"\nkind = "ping"\nfrom = "a"\nto = "b"\n'
        text += f'protocol = "{protocol}"\n'
        text += f'start = "{200 * i}ms"\nsize = 100\n'
    result, folder = run("pings-ipv6", text)
    for protocol in ("icmp", "udp"):
        trip = 2 * (air_ns(100, DOWN_BPS) + DOWN_MS * MS)
        have = [b - a for a, b in trips(folder, protocol)]
        on_time = all(0 <= t - trip < SLACK_NS for t in have[1:])
        expect(len(have) == 3 and on_time, f"{protocol}: {have}, {trip}")
    expect(result["flows"]["tcp"]["packets"] == 3, "TCP")
    return f"{trip / MS} ms"
