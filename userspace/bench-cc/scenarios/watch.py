# SPDX-License-Identifier: GPL-2.0
"""Logs the phases of a node's TCP connections, and changes links when one comes to a phase.

watch.py [PHASE,... AFTER_S STEP [MS STEP] ...]: it looks each 10 ms. 10 ms after the first look at a
connection that is in a PHASE, AFTER_S seconds from the start or later, the first STEP takes effect, and each
further one MS later. A STEP is NODE DEVICE WORDS..., for `wlinkctl set DEVICE WORDS... at TIME` in that node:
what Python takes of the lab's time, some microseconds, moves no event.

Lines: "at", time in s, phase, congestion window in segments, bandwidth in bit/s of payload and round trip
in us as BBR estimates them (0: another control); "event" and its time.
"""

import socket
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import accumulate

LOOK_NS = 10_000_000
# CLOCK_MONOTONIC in the lab when a run starts.
START_NS = 20_971_520_000_000
SOCK_DIAG_BY_FAMILY = 20
REQUEST_DUMP = 0x301
ESTABLISHED = 1
# INET_DIAG_*, linux/inet_diag.h
INFO, VEGAS, CONG, BBR = 2, 3, 4, 16
ERROR, DONE = 2, 3
UNLIMITED = 0x7FFFFFFF
# TCP_CA_Recovery and TCP_CA_Loss
RECOVERING = {3: "RECOVERY", 4: "LOSS"}
# tcp_bbr.c in 1/256: gains of pacing and of the window. A pacing gain of PROBE_BW is its phase.
STARTUP_GAIN = 739
PHASES = {320: "PROBE_UP", 192: "PROBE_DOWN", 256: "PROBE_CRUISE"}


def messages(diag: socket.socket) -> Iterator[bytes]:
    """The established connections of this node."""
    wanted = sum(1 << (kind - 1) for kind in (INFO, VEGAS, CONG))
    body = struct.pack("=BBBxI48x", socket.AF_INET, socket.IPPROTO_TCP, wanted, 1 << ESTABLISHED)
    diag.send(struct.pack("=IHHII", 16 + len(body), SOCK_DIAG_BY_FAMILY, REQUEST_DUMP, 1, 0) + body)
    while True:
        data, at = diag.recv(65536), 0
        while at < len(data):
            length, kind = struct.unpack_from("=IH", data, at)
            if kind == DONE:
                return
            if kind == ERROR:
                raise OSError("inet_diag refused the request")
            yield data[at + 16 : at + length]
            at += (length + 3) & ~3


def attributes(message: bytes) -> dict[int, bytes]:
    """The attributes behind struct inet_diag_msg."""
    out, at = {}, 72
    while at < len(message):
        length, kind = struct.unpack_from("=HH", message, at)
        out[kind] = message[at + 4 : at + length]
        at += (length + 3) & ~3
    return out


def state(found: dict[int, bytes]) -> tuple[str, int, int, int]:
    """Phase, window, bandwidth and round trip of a connection."""
    info = found[INFO]
    recovering = RECOVERING.get(info[1])
    ssthresh, cwnd = struct.unpack_from("=II", info, 76)
    if BBR not in found:
        slow = "SLOW_START" if ssthresh >= UNLIMITED or cwnd < ssthresh else "AVOIDANCE"
        return recovering or slow, cwnd, 0, 0
    low, high, rtt_us, pacing, window = struct.unpack("=5I", found[BBR])
    if window == STARTUP_GAIN or not low + high:
        phase = "DRAIN" if pacing < 256 else "STARTUP"
    else:
        phase = "PROBE_RTT" if window == 256 else PHASES.get(pacing, "PROBE_CRUISE")
    return phase, cwnd, ((high << 32) + low) * 8, rtt_us


def do(step: str, at_ns: int) -> None:
    node, *words = step.split()
    command = ["nsenter", f"--net=/run/netns/{node}", "wlinkctl", "set", "--no-wait", *words]
    subprocess.run([*command, "at", f"{START_NS + at_ns}ns"], check=True, stdout=subprocess.DEVNULL)


def main(words: list[str]) -> None:
    diag = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 4)
    diag.connect((0, 0))
    phases, after_ns = (words[0].split(","), float(words[1]) * 1e9) if words else ([], 0.0)
    steps, waits_ns = words[2::2], [int(float(ms) * 1e6) for ms in words[3::2]]
    before = None
    while True:
        look_ns = round((time.clock_gettime_ns(time.CLOCK_MONOTONIC) - START_NS) / LOOK_NS) * LOOK_NS
        for message in messages(diag):
            seen = state(attributes(message))
            if seen != before:
                print("at", f"{look_ns / 1e9:.6f}", *seen, sep="\t", flush=True)
            before = seen
            if steps and look_ns >= after_ns and seen[0] in phases:
                event_ns = look_ns + LOOK_NS
                print("event", f"{event_ns / 1e9:.6f}", sep="\t", flush=True)
                for step, at_ns in zip(steps, accumulate(waits_ns, initial=event_ns)):
                    do(step, at_ns)
                steps = []
        wait_ns = look_ns + LOOK_NS - (time.clock_gettime_ns(time.CLOCK_MONOTONIC) - START_NS)
        time.sleep(max(0, wait_ns) / 1e9)


if __name__ == "__main__":
    main(sys.argv[1:])
