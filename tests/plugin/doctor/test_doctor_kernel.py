# SPDX-License-Identifier: GPL-2.0
"""What doctor asks a kernel for, and what it makes of odd answers."""

import errno
import json
import os
import socket
import struct
import subprocess
from pathlib import Path
from typing import Any

import pytest
from fakekernel import DONE, GETQDISC, MULTI, NEWQDISC, NEWTCLASS, ROOT, FakeKernel, message
from harness import DELAY, LIMIT, PACKETS, RATE, Checks, attr, nest, u32, u64

NEWLINK, GETLINK, GETTCLASS = 16, 18, 42
TCA_KIND, TCA_OPTIONS = 1, 2
# IFLA_*, by hand.
MTU, LINK, TXQLEN, LINKINFO, NUM_TX_QUEUES, NETNSID, GSO_MAX_SEGS = 4, 5, 13, 18, 31, 37, 40
INFO_KIND = 1
UP, NOARP = 1, 0x80

OPTIONS = u64(RATE, 10_000_000) + u64(DELAY, 100_000_000) + nest(LIMIT, u32(PACKETS, 200))
VETH = nest(LINKINFO, attr(INFO_KIND, b"veth\0"))


class Machine(FakeKernel):
    """lo with the qdiscs, bearers and attributes of a device that a test wants."""

    def __init__(self) -> None:
        super().__init__()
        self.device = b""
        self.flags = UP
        self.error = 0
        self.qdiscs: list[tuple[str, int, int]] = []
        self.bearers = [1]

    def __enter__(self) -> "Machine":
        super().__enter__()
        return self

    def rows(self, peer: socket.socket, seq: int, kind: int, rows: list[tuple[str, int, int]]) -> None:
        for name, handle, parent in rows:
            tcm = struct.pack("=BxxxiIII", 0, 1, handle, parent, 0)
            more = attr(TCA_OPTIONS | 0x8000, OPTIONS) if name == "wlink" else b""
            self.send(peer, message(kind, MULTI, seq, tcm + attr(TCA_KIND, name.encode() + b"\0") + more))
        self.send(peer, message(DONE, MULTI, seq, bytes(4)))

    def answer(self, peer: socket.socket, request: bytes) -> None:
        _, kind, _, seq, _ = struct.unpack_from("=IHHII", request)
        if kind == GETLINK:
            if not self.error:
                ifi = struct.pack("=BxHiII", 0, 1, 1, self.flags, 0)
                self.send(peer, message(NEWLINK, 0, seq, ifi + self.device))
            self.acknowledge(peer, seq, self.error)
        elif kind == GETQDISC:
            self.rows(peer, seq, NEWQDISC, self.qdiscs)
        elif kind == GETTCLASS:
            _, _, handle, _, _ = struct.unpack_from("=BxxxiIII", request, 16)
            handle = next((h for name, h, _ in self.qdiscs if name == "wlink"), handle)
            rows = [("wlink", handle | number, handle) for number in self.bearers]
            self.rows(peer, seq, NEWTCLASS, rows)
        else:
            super().answer(peer, request)


def look(program: Path, kernel: Machine, *words: str) -> tuple[int, dict[str, Any], str]:
    """Status, findings about lo by their check, complaints."""
    done = subprocess.run(
        [program, "doctor", "--json", "--no-probe", *words],
        text=True,
        capture_output=True,
        check=False,
        env=dict(os.environ, FAKE_KERNEL=str(kernel.path)),
    )
    found = json.loads(done.stdout)["findings"] if done.stdout else []
    return done.returncode, {f["check"]: f for f in found if f.get("dev") == "lo"}, done.stderr


def same(checks: Checks, name: str, found: dict[str, Any], want: dict[str, tuple[str, str]]) -> None:
    for check, (verdict, piece) in want.items():
        one = found.get(check, {"verdict": "", "what": ""})
        checks.equal(f"{name}: {check}", one["verdict"], verdict)
        checks.true(f"{name}: {check} says {piece}", piece in one["what"], one["what"])


def check_trees(checks: Checks, program: Path) -> None:
    """What stands above a wlink is found by handle and parent; a device's own mq has no handle."""
    wlink = ("wlink", 0x10000, ROOT)
    ingress = ("ingress", 0xFFFF0000, 0xFFFFFFF1)
    for name, qdiscs, verdict, piece in (
        ("root", [wlink, ingress], "ok", "nothing: it is the root"),
        ("prio", [("prio", 0x20000, ROOT), ("wlink", 0x10000, 0x20001)], "note", "above: prio"),
        (
            "two",
            [("prio", 0x20000, ROOT), ("tbf", 0x30000, 0x20002), ("wlink", 0x10000, 0x30001)],
            "warn",
            "tbf above it makes packets wait (above: tbf prio)",
        ),
        (
            "mq without a handle",
            [("mq", 0, ROOT), ("wlink", 0x10000, 1), ("wlink", 0x50000, 2), ("pfifo", 0x60000, 3)],
            "fail",
            "mq spreads the packets: this link has a part of them, 1 more",
        ),
        ("a parent that is gone", [("wlink", 0x10000, 0x70001)], "ok", "nothing"),
    ):
        with Machine() as kernel:
            kernel.qdiscs = qdiscs
            code, found, err = look(program, kernel, "lo")
        checks.equal(f"{name}: complaints", err, "")
        checks.equal(f"{name}: status", code, 1 if verdict == "fail" else 0)
        same(checks, name, found, {"above": (verdict, piece)})
    # A ring of parents ends.
    with Machine() as kernel:
        kernel.qdiscs = [
            ("prio", 0x20000, 0x30001), ("prio", 0x30000, 0x20001), ("wlink", 0x10000, 0x20001)
        ]  # fmt: skip
        code, found, _ = look(program, kernel, "lo")
    same(checks, "ring", found, {"above": ("note", "above: prio prio prio prio prio prio prio prio")})


def check_device(checks: Checks, program: Path) -> None:
    with Machine() as kernel:
        kernel.qdiscs = [("wlink", 0x10000, ROOT)]
        kernel.bearers = [1, 2, 0x10]
        kernel.flags = NOARP
        kernel.device = u32(MTU, 9000) + u32(TXQLEN, 77) + u32(NUM_TX_QUEUES, 4) + u32(GSO_MAX_SEGS, 1)
        kernel.device += VETH + u32(LINK, 9) + u32(NETNSID, 0)
        _, found, err = look(program, kernel)
    checks.equal("all devices: complaints", err, "")
    want = {
        "device": ("warn", "it is down"),
        "arp": ("ok", "asks for no neighbours"),
        "txqueuelen": ("ok", "77 packets"),
        "above": ("ok", "one link for all its queues"),
        "gso": ("ok", "gso_max_segs 1"),
        "peer": ("note", "another namespace"),
        "limit": ("ok", "bearer 1: 1.80 MB, 1.44 s"),
    }
    same(checks, "all devices", found, want)
    # What is too short or of no use is left out.
    with Machine() as kernel:
        kernel.device = attr(MTU, b"\1") + attr(LINKINFO, b"\1\2") + attr(LINK, b"")
        code, found, err = look(program, kernel, "lo")
    same(checks, "odd", found, {"wlink": ("note", "there is none on lo")})
    checks.equal("odd: status", (code, err), (0, ""))
    with Machine() as kernel:
        kernel.error = errno.EPERM
        code, found, err = look(program, kernel, "lo")
    said = (code, found, err)
    checks.equal("refused", said, (2, {}, "wlinkctl: kernel: lo: Operation not permitted\n"))


@pytest.fixture
def program(build: Path) -> Path:
    return build / "tests/plugin/wlinkctl-fake"
