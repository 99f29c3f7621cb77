# SPDX-License-Identifier: GPL-2.0
"""A cell of 100 users that carries 75 Mbit/s: how late its packets leave, beside netem's. The VM's
clocks go by instructions, one a ns, so that a packet is late by the kernel's work, and no load or
machine changes that."""

import json
import re
import socket
import time
from typing import Any

from ringtap import Tap
from steps import case, expect, sh

USERS, SIZE, BPS, SECONDS = 100, 1500, 75_000_000, 3.0
DELAY_NS = 5_000_000
# More than is sent, for a tenth of the blocks goes twice.
CELL = "preset lte-good rate 90mbit limit 4096"
BEYOND_NS = 1_000_000
SO_PRIORITY = 12


def send(device: str) -> int:
    """Packets to all users in turn, as many in a ms as the rate has; how many there were."""
    users = []
    for user in range(USERS):
        users.append(socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM))
        users[-1].setsockopt(socket.SOL_SOCKET, SO_PRIORITY, 1 << 16 | user + 2)
    packet, to = bytes(SIZE), (device, 0x88B5, 0, 0, bytes(6))
    sent, count, began = 0, int(BPS * SECONDS / (8 * SIZE)), time.monotonic()
    while sent < count:
        due = int((time.monotonic() - began) * BPS / (8 * SIZE))
        while sent < min(due, count):
            users[sent % USERS].sendto(packet, to)
            sent += 1
        time.sleep(0.001)
    for one in users:
        one.close()
    return sent


def netem(device: str) -> tuple[int, int]:
    """Packets, and by how much the latest has left after its delay."""
    sh(f"tc qdisc replace dev {device} root netem delay {DELAY_NS // 1000}us limit 100000")
    mine = f'name == "{device}"'
    tap = Tap("users", {"net/net_dev_queue": mine, "net/net_dev_start_xmit": mine}, 16384)
    sent = send(device)
    time.sleep(0.1)
    queue, _ = tap.events
    came: list[int] = []
    left: list[int] = []
    for ns, event, _ in tap.read():
        (came if event is queue else left).append(ns)
    expect(not tap.lost(), f"{tap.lost()} events were lost")
    tap.close()
    sh(f"tc qdisc del dev {device} root")
    expect(len(came) == len(left) == sent, f"{sent} sent, {len(came)} came, {len(left)} left")
    return sent, max(b - a for a, b in zip(came, left)) - DELAY_NS


def cell(device: str) -> tuple[int, dict[str, Any]]:
    """Packets, and the statistics of the cell's link."""
    users = [f"class add dev {device} parent 1: classid 1:{user + 2:x} wlink" for user in range(USERS)]
    lines = [f"qdisc add dev {device} root handle 1: wlink {CELL}", *users]
    sh("tc -batch - <<'END'\n" + "\n".join(lines) + "\nEND")
    sent = send(device)
    time.sleep(0.5)
    stats: dict[str, Any] = json.loads(sh(f"tc -j -s qdisc show dev {device}"))[0]["xstats"]
    shown = sh(f"tc -s class show dev {device}")
    sh(f"tc qdisc del dev {device} root")
    served = [int(packets) for packets in re.findall(r"Sent \d+ bytes (\d+) pkt", shown)]
    least = sent // USERS
    expect(sum(packets >= least for packets in served) == USERS, f"{least} for each, not {served}")
    return sent, stats


@case("a cell of 100 users at 75 Mbit/s hands over at most 1 ms later than netem")
def _() -> str:
    sh("ip link add users0 type dummy && sysctl -qw net.ipv6.conf.users0.disable_ipv6=1")
    sh("ip link set users0 up")
    packets, worst = netem("users0")
    sent, stats = cell("users0")
    again, after = netem("users0")
    sh("ip link del users0")
    expect(packets == sent == again, f"{packets}, {sent} and {again} packets")
    delivered = stats["sdus_delivered"]
    expect(delivered >= 0.99 * sent, f"{delivered} of {sent} packets were delivered")
    bound = max(worst, after) + BEYOND_NS
    late = stats["late_max_ns"]
    expect(late <= bound, f"{late} ns late, netem {worst} and {after} ns")
    mean = stats["late_ns"] / delivered / 1000
    return (
        f"{delivered} packets; at most {late / 1000:.0f} us late, mean {mean:.1f};"
        f" netem {worst / 1000:.0f} and {after / 1000:.0f} us"
    )
