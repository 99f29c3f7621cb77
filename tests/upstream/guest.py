#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Packets over a link in the lab's kernel; prints number and time of each that has come.

    guest.py CASE [TREE MODULE]

Of the module of this tree, or of MODULE by YNL and the specification of TREE. The first TTI
starts when a qdisc is made, and no two ways of making it take the same time: a first packet
finds out when TTIs start, and all times are counted from such a start.
"""

import ctypes
import importlib
import json
import random
import socket
import struct
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

PACKETS = 300
BEGIN_NS = 20 * 10**9
CLONE_NEWNET = 0x40000000
SO_TIMESTAMPNS = 35
FIRST = 2**32 - 1
PR_SET_TIMERSLACK = 29
BEFORE_NS = 100_000

libc = ctypes.CDLL(None)


def call(*argv: str) -> str:
    return subprocess.run(argv, check=True, stdout=subprocess.PIPE, text=True).stdout


def sleep_until(ns: int) -> None:
    while (left := ns - time.monotonic_ns()) > 0:
        time.sleep(left / 1e9)


def sockets() -> tuple[socket.socket, socket.socket]:
    """Two, on both sides of a link between namespaces."""
    for name in ("all", "default"):
        Path(f"/proc/sys/net/ipv6/conf/{name}/disable_ipv6").write_text("1")
    call("ip", "netns", "add", "far")
    call("ip", "link", "add", "va", "type", "veth", "peer", "name", "vb", "netns", "far")
    for words in (["addr", "add", "10.0.0.1/24", "dev", "va"], ["link", "set", "va", "up"]):
        call("ip", *words)
    for words in (["addr", "add", "10.0.0.2/24", "dev", "vb"], ["link", "set", "vb", "up"]):
        call("ip", "-n", "far", *words)
    mac = json.loads(call("ip", "-n", "far", "-j", "link", "show", "vb"))[0]["address"]
    call("ip", "neigh", "add", "10.0.0.2", "lladdr", mac, "dev", "va", "nud", "permanent")
    with open("/run/netns/far") as far, open("/proc/self/ns/net") as home:
        libc.setns(far.fileno(), CLONE_NEWNET)
        receiver = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        libc.setns(home.fileno(), CLONE_NEWNET)
    receiver.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
    receiver.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 24)
    receiver.bind(("10.0.0.2", 9))
    receiver.settimeout(10)
    sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    sender.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 24)
    sender.connect(("10.0.0.2", 9))
    return sender, receiver


class Ours:
    """By tc and wlinkctl."""

    def make(self, options: dict[str, int]) -> None:
        words = [("rate", "bit"), ("tti", "ns"), ("delay", "ns"), ("limit", "")]
        given = [(name, f"{options[name]}{unit}") for name, unit in words if name in options]
        call("tc", "qdisc", "add", "dev", "va", "root", "wlink", *(word for pair in given for word in pair))

    def play(self, start_ns: int, length_ns: int, steps: list[list[int]]) -> None:
        end = "loop" if length_ns else "hold"
        length = f"{length_ns or steps[-1][0] + 1000}ns"
        head = f"wlink schedule\ncolumns rate\nlength {length}\nend {end}\n"
        lines = "".join(f"{at_ns}ns {rate}bit\n" for at_ns, rate in steps)
        Path("/tmp/schedule").write_text(head + lines)
        call("wlinkctl", "schedule", "load", "va", "/tmp/schedule")
        call("wlinkctl", "schedule", "start", "va", "length", length, end, "start", f"{start_ns}ns")


class Theirs:
    """By YNL."""

    def __init__(self, tree: str, module: str) -> None:
        call("rmmod", "wlink_3gpp", "sch_wlink")
        call("insmod", module)
        sys.path.insert(0, f"{tree}/tools")
        self.ynl: Any = importlib.import_module("net.ynl.pyynl.lib.ynl")
        self.tc = self.ynl.YnlFamily(f"{tree}/Documentation/netlink/specs/tc.yaml", schema="")
        self.index = socket.if_nametoindex("va")

    def request(self, flags: list[int], options: dict[str, Any]) -> None:
        fixed = {"family": 0, "ifindex": self.index, "handle": 1 << 16, "parent": 2**32 - 1, "info": 0}
        self.tc.do("newqdisc", fixed | {"kind": "wlink", "options": options}, flags=flags)

    def make(self, options: dict[str, int]) -> None:
        self.request([self.ynl.Netlink.NLM_F_CREATE, self.ynl.Netlink.NLM_F_EXCL], options)

    def play(self, start_ns: int, length_ns: int, steps: list[list[int]]) -> None:
        of_steps = [{"time": at_ns, "rate": rate} for at_ns, rate in steps]
        self.request([], {"schedule": {"start": start_ns, "length": length_ns, "step": of_steps}})


def receive(receiver: socket.socket) -> tuple[int, int]:
    """Number of a packet, and when it came by the clock of the day."""
    data, notes, *_ = receiver.recvmsg(2000, 200)
    seconds, ns = struct.unpack("qq", notes[0][2][:16])
    return struct.unpack("!I", data[:4])[0], seconds * 10**9 + ns


def send(sender: socket.socket, rng: random.Random, begin_ns: int, tti_ns: int) -> None:
    """In bursts, at any time and right before starts of TTIs: at one, where packets leave, the
    sender's own timer may come first, and what it does takes time."""
    at_ns = begin_ns
    for number in range(PACKETS):
        what = rng.random()
        if tti_ns and what < 0.15:
            at_ns = begin_ns + ((at_ns - begin_ns) // tti_ns + rng.randrange(1, 5)) * tti_ns - BEFORE_NS
        elif what < 0.5:
            at_ns += rng.randrange(25 * 10**6)
        sleep_until(at_ns)
        sender.send(struct.pack("!I", number) + bytes(rng.randrange(1400)))


def main() -> None:
    case = json.loads(sys.argv[1])
    # Else it sleeps up to 50 us longer, as it suits other timers, of which a module may have more.
    libc.prctl(PR_SET_TIMERSLACK, 1)
    sender, receiver = sockets()
    link: Ours | Theirs = Theirs(*sys.argv[2:]) if sys.argv[2:] else Ours()
    # Not at a tick of the kernel: it takes time, and what is to leave at that time leaves later.
    sleep_until(time.monotonic_ns() // 10**10 * 10**10 + 10**10 + 3_333_333)
    link.make(case["options"])
    day_ns = time.clock_gettime_ns(time.CLOCK_REALTIME) - time.clock_gettime_ns(time.CLOCK_MONOTONIC)
    tti_ns = case["options"].get("tti", 0)
    sender.send(struct.pack("!I", FIRST))
    _, first_ns = receive(receiver)
    phase_ns = (first_ns - day_ns - case["options"]["delay"]) % tti_ns if tti_ns else 0
    begin_ns = time.monotonic_ns() // BEGIN_NS * BEGIN_NS + BEGIN_NS
    begin_ns += (phase_ns - begin_ns) % tti_ns if tti_ns else 0
    if "schedule" in case:
        link.play(begin_ns + 100, case["schedule"]["length"], case["schedule"]["steps"])
    send(sender, random.Random(case["seed"]), begin_ns, tti_ns)
    came = []
    try:
        while True:
            number, at_ns = receive(receiver)
            came.append((number, at_ns - day_ns - begin_ns))
    except TimeoutError:
        print(json.dumps(came))


main()
