# SPDX-License-Identifier: GPL-2.0
"""What doctor says to devices and links of which all is known."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from harness import (
    AM,
    BYTES,
    DELAY,
    FSR,
    HEADER,
    LIMIT,
    MODE,
    PACKETS,
    PDU,
    RATE,
    TIME,
    TTI,
    UM,
    Checks,
    nest,
    stats,
    u32,
    u64,
)

# A device as a test wants it: nothing merges, nothing asks, one segment at a time.
QUIET = {
    "up": "yes", "asks": "no", "gro": "no", "lro": "no", "gso": "no", "tso": "no", "mtu": "1500",
    "txqueuelen": "1000", "tx_queues": "1", "gso_max_segs": "1", "speed": "10000",
    "tcp_wmem": "4194304", "tcp_rmem": "6291456", "wmem": "4194304", "rmem": "4194304",
    "tcp_limit": "1048576", "high_res": "yes", "tick_ns": "4000000", "late_ns": "200000",
}  # fmt: skip

# 10 Mbit/s and 100 ms: 250000 bytes are under way, there and back.
TEN = u64(RATE, 10_000_000) + u64(TTI, 1_000_000) + u64(DELAY, 100_000_000)
LINK = TEN + nest(LIMIT, u32(PACKETS, 200))

# Facts that differ; the finding; its verdict, a piece of it, a piece of its change.
Row = tuple[dict[str, str], str, str, str, str]
ROWS: list[Row] = [
    ({}, "above", "ok", "nothing: it is the root", ""),
    ({"tx_queues": "4"}, "above", "ok", "one link for all its queues", ""),
    ({"above": "mq", "siblings": "3"}, "above", "fail", "mq spreads the packets", "root wlink"),
    ({"above": "mqprio"}, "above", "fail", "this link has a part of them, 0 more", "root wlink"),
    ({"above": "prio"}, "above", "note", "above: prio", ""),
    ({"above": "htb"}, "above", "warn", "htb above it makes packets wait (above: htb)", "at the root"),
    ({"above": "netem"}, "above", "warn", "netem above it makes packets wait", "at the root"),
    ({}, "tsq", "ok", "1048576 bytes, not in force", ""),
    ({"above": "fq"}, "tsq", "note", "in force for what waits in fq above the link", ""),
    ({"tcp_limit": "-1"}, "tsq", "note", "unknown: net.ipv4.tcp_limit_output_bytes", ""),
    ({}, "tti", "ok", "1.00 ms; p99 of this machine's lateness is 200 us", ""),
    ({"late_ns": "1500000"}, "tti", "warn", "more than 1.50 ms late", "a tti of at least 1.50 ms"),
    ({"high_res": "no"}, "tti", "warn", "1.00 ms, and timers come each 4.00 ms only", "at least 4.00 ms"),
    ({"high_res": "no", "tick_ns": "1000000"}, "tti", "ok", "1.00 ms", ""),
    ({}, "limit", "ok", "bearer 1: 300 kB, 0.24 s at its rate; the bandwidth-delay product is 250 kB", ""),
    ({"mtu": "9000"}, "limit", "ok", "bearer 1: 1.80 MB, 1.44 s", ""),
    ({}, "gso", "ok", "one segment at a time", ""),
    ({"gso_max_segs": "65535"}, "gso", "note", "up to 45 segments at once", "dev va gso_max_segs 1"),
    ({"gso_max_segs": "8", "tso": "yes"}, "gso", "note", "up to 8 segments at once from a sender", "1"),
    ({"gso_max_segs": "-1"}, "gso", "note", "unknown", ""),
    ({"speed": "8"}, "speed", "fail", "the device does 8 Mbit/s, bearer 1 10", "a lower rate"),
    ({"speed": "10"}, "speed", "", "", ""),
    ({"speed": "-1"}, "speed", "", "", ""),
    ({}, "send-buffer", "ok", "net.ipv4.tcp_wmem lets a flow have about 2.10 MB", ""),
    # Half of a buffer is data: 499998 bytes are one byte too few.
    ({"tcp_wmem": "499998"}, "send-buffer", "warn", "less than the 250 kB of bearer 1", '1100000"'),
    ({"tcp_wmem": "500000"}, "send-buffer", "note", "1 (250 kB) it fills, its buffer of 300 kB", "wmem"),
    ({"tcp_wmem": "1099998"}, "send-buffer", "note", "300 kB besides it does not", "at the sender"),
    ({"tcp_wmem": "1100000"}, "send-buffer", "ok", "enough for bearer 1 (250 kB)", ""),
    ({"tcp_wmem": "-1"}, "send-buffer", "note", "unknown: net.ipv4.tcp_wmem cannot be read", ""),
    ({"tcp_rmem": "131072"}, "receive-buffer", "warn", "about 65.5 kB", "at the receiver"),
    ({"wmem": "212992"}, "socket-set", "note", "at most 213 kB, less than bearer 1", "=550000"),
    ({}, "socket-set", "", "", ""),
    ({}, "gro", "ok", "off", ""),
    ({"gro": "yes"}, "gro", "note", "gro on", "ethtool -K va gro off lro off"),
    ({"lro": "yes"}, "gro", "warn", "lro on", "ethtool -K va gro off lro off"),
    ({"gro": "?"}, "gro", "note", "unknown", ""),
    ({}, "peer", "", "", ""),
    ({"peer": "vb", "peer_gro": "no", "peer_lro": "no"}, "peer", "ok", "vb merges nothing", ""),
    ({"peer": "vb", "peer_gro": "yes"}, "peer", "warn", "vb merges what it", "ethtool -K vb gro off"),
    ({"peer": "vb", "peer_gro": "no", "peer_lro": "yes"}, "peer", "warn", "lro on", "ethtool -K vb"),
    ({"peer": "vb"}, "peer", "note", "unknown: vb does not report", ""),
    ({"elsewhere": "yes"}, "peer", "note", "in another namespace", "ethtool -K PEER gro off"),
    ({}, "arp", "ok", "asks for no neighbours", ""),
    ({"asks": "yes"}, "arp", "note", "through the link", "nud permanent"),
    ({"asks": "?"}, "arp", "note", "unknown", ""),
    ({}, "device", "", "", ""),
    ({"up": "no"}, "device", "warn", "it is down", "ip link set dev va up"),
    ({"rps": "f"}, "rps", "note", "spread to processors f", "echo 0 >"),
    ({}, "hand-over", "", "", ""),
]  # fmt: skip


class Tool:
    """doctortool under ASan."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __call__(
        self, facts: dict[str, str], *bearers: tuple[int, bytes, bytes]
    ) -> dict[str, dict[str, Any]]:
        words = [f"{key}={value}" for key, value in facts.items()]
        words += [text for n, o, s in bearers for text in (f"{n:x}", o.hex(), s.hex())]
        return self.found(*words)

    def found(self, *words: str) -> dict[str, dict[str, Any]]:
        """Findings by their check."""
        done = subprocess.run([self.path, *words], text=True, capture_output=True, check=False)
        if done.returncode or (done.stderr and words[0] != "machine"):
            raise RuntimeError(done.stderr)
        found = json.loads(done.stdout)["findings"]
        return {f["check"]: f for f in found}


def same(checks: Checks, name: str, one: dict[str, Any] | None, want: tuple[str, str, str]) -> None:
    verdict, piece, change = want
    found = one or {"verdict": "", "what": ""}
    checks.equal(f"{name}: verdict", found["verdict"], verdict)
    checks.true(f"{name}: {piece}", piece in found["what"], found["what"])
    said = found.get("change", "")
    checks.true(f"{name}: change {change}", change in said and bool(change) == bool(said), said)


def check_facts(checks: Checks, tool: Tool) -> None:
    for facts, check, verdict, piece, change in ROWS:
        found = tool(QUIET | facts, (1, LINK, b""))
        same(checks, f"{facts} {check}", found.get(check), (verdict, piece, change))
    found = tool(QUIET, (1, LINK, b""))
    verdicts = {f["verdict"] for f in found.values()}
    checks.equal("nothing to say to a quiet device", verdicts, {"ok"})


def check_limits(checks: Checks, tool: Tool) -> None:
    for limit, verdict, piece, change in (
        (u32(PACKETS, 166), "note", "249 kB, 0.199 s", "wlinkctl set va bearer 1 limit 250000b"),
        (u32(BYTES, 250_000), "ok", "250 kB, 0.2 s", ""),
        (u32(BYTES, 1499), "fail", "bearer 1: 1.50 kB holds no whole packet of 1.50 kB", "limit 40"),
        (u32(BYTES, 1500), "note", "1.50 kB, 0.0012 s", "limit 250000b"),
        (u64(TIME, 200_000_000), "ok", "250 kB, 0.2 s", ""),
        (u64(TIME, 6_000_000_000), "note", "7.50 MB, 6 s", "limit 1s"),
    ):
        found = tool(QUIET, (1, TEN + nest(LIMIT, limit), b""))
        same(checks, f"limit {limit.hex()}", found["limit"], (verdict, piece, change))
    few = TEN + nest(LIMIT, u32(PACKETS, 40))
    found = tool(QUIET | {"gso_max_segs": "65535"}, (1, few, b""))
    want = ("warn", "up to 45 segments at once from a sender on this machine; the limit is 40", "segs 1")
    same(checks, "a super-packet above the limit", found["gso"], want)


def check_bearers(checks: Checks, tool: Tool) -> None:
    """The bearer that takes most decides; a limit that holds nothing is found anywhere."""
    slow = u64(RATE, 64_000) + u64(DELAY, 25_000_000) + nest(LIMIT, u32(PACKETS, 40))
    fast = u64(RATE, 1_000_000_000) + u64(DELAY, 10_000_000) + nest(LIMIT, u32(BYTES, 3_000_000))
    found = tool(QUIET, (1, slow, b""), (0x10, fast, b""))
    same(checks, "the greatest", found["limit"], ("ok", "bearer 16: 3.00 MB, 0.024 s", ""))
    same(
        checks,
        "its sockets",
        found["send-buffer"],
        ("warn", "2.10 MB under way, less than the 2.50 MB of bearer 16", "sysctl -w net.ipv4.tcp_wmem"),
    )
    none = u64(RATE, 64_000) + nest(LIMIT, u32(BYTES, 100))
    found = tool(QUIET, (1, fast, b""), (2, none, b""))
    same(checks, "a limit of 100", found["limit"], ("fail", "bearer 2: 100 B holds no", "bearer 2 limit 40"))
    # The rate in force counts, not the one that was typed.
    found = tool(QUIET, (1, LINK, stats(rate_bps=100_000_000)))
    piece = "bearer 1: 300 kB, 0.024 s at its rate; the bandwidth-delay product is 2.50 MB"
    same(checks, "the rate in force", found["limit"], ("note", piece, "limit 2500000b"))


def check_pdu(checks: Checks, tool: Tool) -> None:
    # Length indicators of 2 bytes where PDU and header are above 125 in um, 126 in am.
    none = ("", "", "")
    for mode, pdu, mtu, want in (
        (AM, 1501, 1500, ("warn", "1501 bytes has no room for a packet of 1500", "bearer 1 pdu 1502")),
        (AM, 1500, 1500, ("warn", "indicator of 2", "pdu 1502")),
        (AM, 1502, 1500, none),
        (AM, 1499, 1500, none),
        (UM, 1501, 1500, ("warn", "bearer 1: a PDU of 1501", "pdu 1502")),
        (FSR, 1501, 1500, none),
        (AM, 100, 100, ("warn", "indicator of 1", "pdu 101")),
        (AM, 101, 100, none),
        (AM, 125, 124, ("warn", "indicator of 2", "pdu 126")),
        (UM, 124, 123, none),
        (UM, 125, 124, ("warn", "indicator of 2", "pdu 126")),
    ):
        header = {AM: 2, UM: 1, FSR: 8}[mode]
        link = TEN + u32(MODE, mode) + u32(PDU, pdu) + u32(HEADER, header) + nest(LIMIT, u32(PACKETS, 200))
        found = tool(QUIET | {"mtu": str(mtu)}, (1, link, b""))
        same(checks, f"mode {mode} pdu {pdu}, packets of {mtu}", found.get("pdu"), want)
        found = tool(QUIET | {"mtu": str(mtu)}, (1, LINK, b""), (2, link, b""))
        checks.equal(f"the same, bearer 2, mode {mode} pdu {pdu}", "pdu" in found, want != none)


def check_handover(checks: Checks, tool: Tool) -> None:
    # Bin 17 ends at 131071 ns, bin 21 at 2097151 ns.
    good = stats(sdus_delivered=100, late_p50_ns=131_071, late_p99_ns=131_071, late_max_ns=1_500_000)
    found = tool(QUIET, (1, LINK, good))
    piece = "100 packets so far, late by at most 131 us .. 131 us (p50 .. p99), max 1.50 ms"
    same(checks, "hand-over", found["hand-over"], ("ok", piece, ""))
    bad = stats(sdus_delivered=100, late_p50_ns=131_071, late_p99_ns=1_500_000, late_max_ns=1_500_000)
    found = tool(QUIET, (1, LINK, bad))
    want = ("warn", "131 us .. 1.50 ms", "userspace/bpftrace/lateness.bt")
    same(checks, "hand-over, late", found["hand-over"], want)
    found = tool(QUIET | {"virtual": "yes", "late_ns": "9000000"}, (1, LINK, b""))
    checks.true("virtual time has no tti to miss", "tti" not in found, found)


def check_lacks(checks: Checks, tool: Tool) -> None:
    """This machine without a clock, fine timers, a timerfd, a sleep, a right."""
    rows: list[tuple[list[str], dict[str, tuple[str, str]]]] = [
        ([], {"clocks": ("ok", "TAI are there"), "accuracy": ("ok", "mean error zero; single departures")}),
        (["11"], {"clocks": ("fail", "missing: CLOCK_TAI")}),
        (["11", "4"], {"clocks": ("fail", "missing: CLOCK_MONOTONIC_RAW CLOCK_TAI")}),
        (["fine"], {"high-res-timers": ("warn", "a tick of 10.0 ms"), "hz": ("warn", "100, a tick each")}),
        (["timerfd"], {"timerfd": ("warn", "only clock_nanosleep() was measured"), "lateness": ("", "p99")}),
        (["sleep"], {"lateness": ("fail", "cannot sleep until a time: Operation not supported")}),
        (["real-time"], {"lateness": ("", "without real-time scheduling: median ")}),
    ]
    for words, want in rows:
        found = tool.found("machine", *words)
        for check, (verdict, piece) in want.items():
            one = found.get(check, {"verdict": "none", "what": ""})
            checks.true(f"without {words}: {check} says {piece}", piece in one["what"], one["what"])
            checks.true(f"without {words}: {check} {verdict}", one["verdict"] == (verdict or one["verdict"]))
    checks.true(
        "no accuracy without a sleep", "unknown" in tool.found("machine", "sleep")["accuracy"]["what"]
    )


@pytest.fixture
def tool(build: Path) -> Tool:
    return Tool(build / "tests/plugin/doctortool")
