# SPDX-License-Identifier: GPL-2.0
"""What doctor says to devices and links of which all is known."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fakekernel import FakeKernel
from harness import Checks, WordTool, attr, stats
from wlablib.doctor import command, device, link, report
from wlablib.doctor.machine import Lateness, Machine

# A device as a test wants it: nothing merges, nothing asks, one segment at a time.
QUIET = {
    "up": True, "asks": False, "gro": False, "lro": False, "gso": False, "tso": False, "mtu": 1500,
    "tx_queue_len": 1000, "tx_queues": 1, "gso_max_segs": 1, "speed_mbit": 10000,
    "tcp_wmem": 4194304, "tcp_rmem": 6291456, "wmem": 4194304, "rmem": 4194304,
    "tcp_limit": 1048576, "high_res": True, "tick_ns": 4000000, "late_ns": 200000,
}  # fmt: skip

# 250000 bytes are under way, there and back.
TEN = "rate 10mbit tti 1ms delay 100ms"
LINK = f"{TEN} limit 200"

# Facts that differ; the finding; its verdict, a piece of it, a piece of its change.
Facts = dict[str, Any]
Row = tuple[Facts, str, str, str, str]
ROWS: list[Row] = [
    ({}, "above", "ok", "nothing: it is the root", ""),
    ({"tx_queues": 4}, "above", "ok", "one link for all its queues", ""),
    ({"above": "mq", "siblings": 3}, "above", "fail", "mq spreads the packets", "root wlink"),
    ({"above": "mqprio"}, "above", "fail", "this link has a part of them, 0 more", "root wlink"),
    ({"above": "prio"}, "above", "note", "above: prio", ""),
    ({"above": "htb"}, "above", "warn", "htb above it makes packets wait (above: htb)", "at the root"),
    ({"above": "netem"}, "above", "warn", "netem above it makes packets wait", "at the root"),
    ({}, "tsq", "ok", "1048576 bytes, not in force", ""),
    ({"above": "fq"}, "tsq", "note", "in force for what waits in fq above the link", ""),
    ({"tcp_limit": -1}, "tsq", "note", "unknown: net.ipv4.tcp_limit_output_bytes", ""),
    ({}, "tti", "ok", "1.00 ms; p99 of this machine's lateness is 200 us", ""),
    ({"late_ns": 1500000}, "tti", "warn", "more than 1.50 ms late", "a tti of at least 1.50 ms"),
    ({"high_res": False}, "tti", "warn", "1.00 ms, and timers come each 4.00 ms only", "at least 4.00 ms"),
    ({"high_res": False, "tick_ns": 1000000}, "tti", "ok", "1.00 ms", ""),
    ({}, "limit", "ok", "bearer 1: 300 kB, 0.24 s at its rate; the bandwidth-delay product is 250 kB", ""),
    ({"mtu": 9000}, "limit", "ok", "bearer 1: 1.80 MB, 1.44 s", ""),
    ({}, "gso", "ok", "one segment at a time", ""),
    ({"gso_max_segs": 65535}, "gso", "note", "up to 45 segments at once", "dev va gso_max_segs 1"),
    ({"gso_max_segs": 8, "tso": True}, "gso", "note", "up to 8 segments at once from a sender", "1"),
    ({"gso_max_segs": -1}, "gso", "note", "unknown", ""),
    ({"speed_mbit": 8}, "speed", "fail", "the device does 8 Mbit/s, bearer 1 10", "a lower rate"),
    ({"speed_mbit": 10}, "speed", "", "", ""),
    ({"speed_mbit": -1}, "speed", "", "", ""),
    ({}, "send-buffer", "ok", "net.ipv4.tcp_wmem lets a flow have about 2.10 MB", ""),
    # Half of a buffer is data: 499998 bytes are one byte too few.
    ({"tcp_wmem": 499998}, "send-buffer", "warn", "less than the 250 kB of bearer 1", '1100000"'),
    ({"tcp_wmem": 500000}, "send-buffer", "note", "1 (250 kB) it fills, its buffer of 300 kB", "wmem"),
    ({"tcp_wmem": 1099998}, "send-buffer", "note", "300 kB besides it does not", "at the sender"),
    ({"tcp_wmem": 1100000}, "send-buffer", "ok", "enough for bearer 1 (250 kB)", ""),
    ({"tcp_wmem": -1}, "send-buffer", "note", "unknown: net.ipv4.tcp_wmem cannot be read", ""),
    ({"tcp_rmem": 131072}, "receive-buffer", "warn", "about 65.5 kB", "at the receiver"),
    ({"wmem": 212992}, "socket-set", "note", "at most 213 kB, less than bearer 1", "=550000"),
    ({}, "socket-set", "", "", ""),
    ({}, "gro", "ok", "off", ""),
    ({"gro": True}, "gro", "note", "gro on", "ethtool -K va gro off lro off"),
    ({"lro": True}, "gro", "warn", "lro on", "ethtool -K va gro off lro off"),
    ({"gro": None}, "gro", "note", "unknown", ""),
    ({}, "peer", "", "", ""),
    ({"peer": "vb", "peer_gro": False, "peer_lro": False}, "peer", "ok", "vb merges nothing", ""),
    ({"peer": "vb", "peer_gro": True}, "peer", "warn", "vb merges what it", "ethtool -K vb gro off"),
    ({"peer": "vb", "peer_gro": False, "peer_lro": True}, "peer", "warn", "lro on", "ethtool -K vb"),
    ({"peer": "vb"}, "peer", "note", "unknown: vb does not report", ""),
    ({"peer_elsewhere": True}, "peer", "note", "in another namespace", "ethtool -K PEER gro off"),
    ({}, "arp", "ok", "asks for no neighbours", ""),
    ({"asks": True}, "arp", "note", "through the link", "nud permanent"),
    ({"asks": None}, "arp", "note", "unknown", ""),
    ({}, "device", "", "", ""),
    ({"up": False}, "device", "warn", "it is down", "ip link set dev va up"),
    ({"rps": "f"}, "rps", "note", "spread to processors f", "echo 0 >"),
    ({}, "hand-over", "", "", ""),
]  # fmt: skip

# Limits, beside 250 kB of the bandwidth-delay product.
LIMITS: list[tuple[str, str, str, str]] = [
    ("166", "note", "249 kB, 0.199 s", "wlinkctl set va bearer 1 limit 250000b"),
    ("250000b", "ok", "250 kB, 0.2 s", ""),
    ("1499b", "fail", "bearer 1: 1.50 kB holds no whole packet of 1.50 kB", "limit 40"),
    ("1500b", "note", "1.50 kB, 0.0012 s", "limit 250000b"),
    ("200ms", "ok", "250 kB, 0.2 s", ""),
    ("6s", "note", "7.50 MB, 6 s", "limit 1s"),
]

NONE = ("", "", "")
# Mode, header, PDU, packet: length indicators of 2 bytes where PDU and header are above 125 in um, 126 in am.
PDUS: list[tuple[str, int, int, int, tuple[str, str, str]]] = [
    ("am", 2, 1501, 1500, ("warn", "1501 bytes has no room for a packet of 1500", "bearer 1 pdu 1502")),
    ("am", 2, 1500, 1500, ("warn", "indicator of 2", "pdu 1502")),
    ("am", 2, 1502, 1500, NONE),
    ("am", 2, 1499, 1500, NONE),
    ("um", 1, 1501, 1500, ("warn", "bearer 1: a PDU of 1501", "pdu 1502")),
    ("fsr", 8, 1501, 1500, NONE),
    ("am", 2, 100, 100, ("warn", "indicator of 1", "pdu 101")),
    ("am", 2, 101, 100, NONE),
    ("am", 2, 125, 124, ("warn", "indicator of 2", "pdu 126")),
    ("um", 1, 124, 123, NONE),
    ("um", 1, 125, 124, ("warn", "indicator of 2", "pdu 126")),
]

# What tc prints of a device with a wlink 1:, and what stands above that.
TREES: list[tuple[list[str], str, str]] = [
    (["wlink 1: root refcnt 2 rate", "ingress ffff: parent ffff:fff1 --"], "ok", "nothing: it is the root"),
    (["prio 2: root", "wlink 1: parent 2:1"], "note", "above: prio"),
    (
        ["prio 2: root", "tbf 3: parent 2:2", "wlink 1: parent 3:1"],
        "warn",
        "tbf above it makes packets wait (above: tbf prio)",
    ),
    # The kernel's own mq has no handle.
    (
        ["mq 0: dev lo root", "wlink 1: dev lo parent :1 x"] + [f"wlink {n}: parent :{n}" for n in (2, 3)],
        "fail",
        "mq spreads the packets: this link has a part of them, 2 more",
    ),
    (["wlink 1: parent 7:1"], "ok", "nothing"),
    (["prio 2: parent 3:1", "prio 3: parent 2:1", "wlink 1: parent 2:1"], "note", "above: " + 8 * "prio "),
]

Found = dict[str, report.Finding]
Bearer = tuple[int, str, bytes]


class Doctor:
    """The checks of a device and of a link that wlinkctl would show."""

    def __init__(self, tool: WordTool) -> None:
        self.tool = tool

    def shown(self, number: int, words: str, counted: bytes) -> dict[str, Any]:
        options = self.tool.json(self.tool.attributes(words, number != 1))
        counts = {"xstats": json.loads(self.tool.ask(f"stats {counted.hex()}"))} if counted else {}
        return {"bearer": number, "options": options} | counts

    def __call__(self, facts: "Facts", *bearers: Bearer) -> Found:
        dev, machine = device.Device("va"), Machine("/none")
        shown = [self.shown(*bearer) for bearer in bearers]
        one = link.Link(shown[0], shown)
        machine.late = Lateness(1000, 0, facts.get("late_ns", 0), 0, 0, 0, "")
        for key, value in facts.items():
            if key in device.OFFLOADS:
                dev.offloads[key] = value
            elif key in ("peer_gro", "peer_lro"):
                dev.peer_offloads[key.removeprefix("peer_")] = value
            elif key == "above":
                one.above.append(value)
            elif key != "late_ns":
                setattr(next(x for x in (dev, machine, one) if hasattr(x, key)), key, value)
        found = [*report.run(device.CHECKS, dev), *report.run(link.CHECKS, machine, dev, one)]
        return {f.check: f for f in found}


@pytest.fixture
def doctor(tool: WordTool) -> Doctor:
    return Doctor(tool)


def same(checks: Checks, name: str, one: report.Finding | None, want: tuple[str, str, str]) -> None:
    verdict, piece, change = want
    one = one or report.Finding("", "", "", "", "")
    checks.equal(f"{name}: verdict", one.verdict, verdict)
    checks.true(f"{name}: {piece}", piece in one.what, one.what)
    right = change in one.change and bool(change) == bool(one.change)
    checks.true(f"{name}: change {change}", right, one.change)


def check_facts(checks: Checks, doctor: Doctor) -> None:
    for facts, check, *want in ROWS:
        found = doctor(QUIET | facts, (1, LINK, b""))
        same(checks, f"{facts} {check}", found.get(check), (want[0], want[1], want[2]))
    verdicts = {f.verdict for f in doctor(QUIET, (1, LINK, b"")).values()}
    checks.equal("nothing to say to a quiet device", verdicts, {"ok"})


def check_limits(checks: Checks, doctor: Doctor) -> None:
    for limit, verdict, piece, change in LIMITS:
        found = doctor(QUIET, (1, f"{TEN} limit {limit}", b""))
        same(checks, f"limit {limit}", found["limit"], (verdict, piece, change))
    found = doctor(QUIET | {"gso_max_segs": 65535}, (1, f"{TEN} limit 40", b""))
    want = ("warn", "up to 45 segments at once from a sender on this machine; the limit is 40", "segs 1")
    same(checks, "a super-packet above the limit", found["gso"], want)
    found = doctor(QUIET, (1, "rate unlimited delay 100ms limit 40", b""))
    same(checks, "an unlimited rate", found["limit"], ("ok", "bearer 1: 60.0 kB, 0 s at its rate", ""))


def check_bearers(checks: Checks, doctor: Doctor) -> None:
    """The bearer that takes most decides; a limit that holds nothing is found anywhere."""
    slow, fast = "rate 64kbit delay 25ms limit 40", "rate 1gbit delay 10ms limit 3000000b"
    found = doctor(QUIET, (1, slow, b""), (16, fast, b""))
    same(checks, "the greatest", found["limit"], ("ok", "bearer 16: 3.00 MB, 0.024 s", ""))
    piece = "2.10 MB under way, less than the 2.50 MB of bearer 16"
    same(checks, "its sockets", found["send-buffer"], ("warn", piece, "sysctl -w net.ipv4.tcp_wmem"))
    found = doctor(QUIET, (1, "rate 1gbit delay 100ms limit 40", b""), (2, slow.replace("40", "400"), b""))
    same(checks, "what is under way, too", found["limit"], ("note", "bearer 1: 60.0 kB", "limit 25000000b"))
    found = doctor(QUIET, (1, fast, b""), (2, "rate 64kbit limit 100b", b""))
    same(checks, "a limit of 100", found["limit"], ("fail", "bearer 2: 100 B holds no", "bearer 2 limit 40"))
    # The rate in force counts, not the one that was typed.
    found = doctor(QUIET, (1, LINK, stats(rate_bps=100_000_000)))
    piece = "bearer 1: 300 kB, 0.024 s at its rate; the bandwidth-delay product is 2.50 MB"
    same(checks, "the rate in force", found["limit"], ("note", piece, "limit 2500000b"))


def check_pdu(checks: Checks, doctor: Doctor) -> None:
    for mode, header, pdu, mtu, want in PDUS:
        name = f"{mode} pdu {pdu}, packets of {mtu}"
        words = f"rate 10mbit delay 100ms mode {mode} pdu {pdu} header {header} limit 200"
        same(checks, name, doctor(QUIET | {"mtu": mtu}, (1, words, b"")).get("pdu"), want)
        found = doctor(QUIET | {"mtu": mtu}, (1, LINK, b""), (2, words, b""))
        checks.equal(f"{name}, bearer 2", "pdu" in found, want != NONE)


def check_handover(checks: Checks, doctor: Doctor) -> None:
    late = "userspace/bpftrace/lateness.bt"
    for p99_ns, verdict, change in ((1_000_000, "ok", ""), (1_500_000, "warn", late)):
        counted = stats(sdus_delivered=100, late_p50_ns=131_071, late_p99_ns=p99_ns, late_max_ns=1_500_000)
        found = doctor(QUIET, (1, LINK, counted))
        p99 = f"{p99_ns / 1e6:.2f} ms"
        piece = f"100 packets so far, late by at most 131 us .. {p99} (p50 .. p99), max 1.50 ms"
        same(checks, f"hand-over {p99_ns}", found["hand-over"], (verdict, piece, change))
    found = doctor(QUIET | {"virtual_time": True, "late_ns": 9_000_000}, (1, LINK, b""))
    checks.true("virtual time has no tti to miss", "tti" not in found, found)


def check_trees(checks: Checks) -> None:
    """What stands above a wlink is found by handle and parent; a ring of parents ends."""
    for text, verdict, piece in TREES:
        rows = link.rows("".join(f"qdisc {line} \n" for line in text))
        checks.equal(f"{text}: rows", len(rows), len(text))
        (parent,) = (of for kind, own, of in rows if (kind, own) == ("wlink", 0x10000))
        place = {} if parent == link.ROOT else {"parent": f"{parent >> 16:x}:{parent & 0xFFFF:x}"}
        one = link.Link({"handle": "1:", "options": {}} | place, [])
        link.place(one, rows)
        found = {f.check: f for f in report.run(link.CHECKS[:1], Machine("/none"), device.Device("lo"), one)}
        checks.equal(f"{text}: verdict", found["above"].verdict, verdict)
        own = found["above"].why.startswith("each transmit queue")
        checks.equal(f"{text}: reason", own, verdict == "fail")
        checks.true(f"{text}: {piece}", piece.strip() in found["above"].what, found["above"].what)


# `ip -j -d link show` of a device whose other end is in another namespace, and of one of a bridge.
AWAY = {
    "flags": ["BROADCAST", "NOARP"], "mtu": 9000, "txqlen": 77, "link_index": 9, "link_netnsid": 0,
    "linkinfo": {"info_kind": "veth"}, "num_tx_queues": 4, "gso_max_segs": 1,
}  # fmt: skip
TELLS: dict[str, tuple[str, str]] = {
    "device": ("warn", "it is down"),
    "arp": ("ok", "asks for no neighbours"),
    "txqueuelen": ("ok", "77 packets"),
    "above": ("ok", "one link for all its queues"),
    "gso": ("ok", "gso_max_segs 1"),
    "peer": ("note", "another namespace"),
    "limit": ("ok", "bearer 1: 1.80 MB, 1.44 s"),
}


@pytest.fixture
def kernel(build: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeKernel]:
    """wlinkctl shows what this one says; what ip and tc would print is in a variable."""
    with FakeKernel() as one:
        # Statistics are not asked for.
        one.plan.family = False
        monkeypatch.setenv("WLINKCTL", str(build / "tests/plugin/wlinkctl-fake"))
        monkeypatch.setenv("FAKE_KERNEL", str(one.path))
        yield one


def look(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict[str, Any], str]:
    code = command.main(["--json", "--no-probe", *words])
    said = capsys.readouterr()
    found = {f["check"]: f for f in json.loads(said.out)["findings"] if f.get("dev") == "lo"}
    return code, found, said.err


def check_kernel(
    checks: Checks,
    tool: WordTool,
    kernel: FakeKernel,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What ip, tc and wlinkctl print becomes findings, of a device that is named and of all."""
    shown = {"ip": json.dumps([AWAY]), "tc": "qdisc wlink 1: root refcnt 2 [Unknown qdisc, optlen=8]\n"}
    monkeypatch.setattr(device, "ask", lambda program, *words: shown[program])
    monkeypatch.setattr(command, "ask", lambda program, *words: shown[program])
    options = attr(2 | 0x8000, tool.attributes("rate 10mbit delay 100ms limit 200"))
    kernel.plan.link, kernel.plan.bearers = options, {1: options, 2: options, 16: options}
    for words in (), ("lo",):
        code, found, err = look(capfd, *words)
        checks.equal("status and complaints", (code, err), (0, ""))
        for check, (verdict, piece) in TELLS.items():
            checks.equal(f"{words} {check}", found[check]["verdict"], verdict)
            checks.true(f"{words} {check} says {piece}", piece in found[check]["what"], found[check])


def check_refused(checks: Checks, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """wlinkctl that fails has said why; one that is missing has not."""
    for program, want, complaint in (("false", 1, ""), ("/no/wlinkctl", 2, "No such file or directory")):
        monkeypatch.setenv("WLINKCTL", program)
        code, found, err = look(capfd)
        checks.equal(program, (code, found, complaint in err), (want, {}, True))


def check_programs(
    checks: Checks, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """ip that is refused, and none at all: what was found until then is printed."""
    monkeypatch.setenv("PATH", str(tmp_path))
    ip = tmp_path / "ip"
    ip.write_text("#!/bin/sh\necho RTNETLINK answers: Operation not permitted >&2; exit 2\n")
    ip.chmod(0o755)
    for error in ("kernel: lo: Operation not permitted", "ip is missing; type: apt-get install iproute2"):
        code, found, err = look(capfd, "lo")
        checks.equal(error, (code, found, err), (2, {}, f"wlinkctl: {error}\n"))
        monkeypatch.setattr(device, "SBIN", "")
        ip.unlink(missing_ok=True)
