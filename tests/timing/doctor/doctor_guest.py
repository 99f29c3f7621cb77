# SPDX-License-Identifier: GPL-2.0
"""Inside a kernel: what wlinkctl doctor says to it and to links that are made for it."""

import array
import fcntl
import json
import os
import socket
import struct
import subprocess
import sys
from typing import Any

# In the VM it lies beside this file.
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.realpath(__file__))))

from guestkit import ENV, PAYLOAD, say, sh

SIOCETHTOOL, SET_GRO = 0x8946, 0x2C
LINK = "rate 10mbit tti 1ms delay 100ms limit 400"


def doctor(name: str, *words: str, user: int | None = None) -> None:
    """A result: the exit status, and the findings by their check."""
    command = ["wlinkctl", "doctor", "--json", *words]
    ran = subprocess.run(command, env=ENV, capture_output=True, text=True, check=False, user=user)
    told: dict[str, Any] = {"status": ran.returncode, "stderr": ran.stderr}
    if ran.stdout:
        told |= json.loads(ran.stdout)
    say(name, told)


def merge(dev: str, on: bool) -> None:
    """Set GRO as ethtool does, which a guest need not have."""
    value = array.array("I", [SET_GRO, int(on)])
    request = struct.pack("16sP16x", dev.encode(), value.buffer_info()[0])
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        fcntl.ioctl(one, SIOCETHTOOL, request)


def send(count: int) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        for _ in range(count):
            one.sendto(bytes(100), ("10.9.0.2", 9))


def main() -> None:
    if PAYLOAD.is_dir():
        sh(f"insmod {PAYLOAD}/sch_wlink.ko; insmod {PAYLOAD}/wlink_3gpp.ko")
    probe = sys.argv[1] if len(sys.argv) > 1 else "2s"
    sh("ip link add va type veth peer name vb")
    sh("ip addr add 10.9.0.1/24 dev va; ip link set va up; ip link set vb up")
    sh("ip neigh replace 10.9.0.2 lladdr 02:00:00:00:00:02 dev va nud permanent")
    doctor("none", "--no-probe")
    sh(f"tc qdisc add dev va root handle 1: wlink {LINK}")
    send(100)
    doctor("link", "--probe", probe)
    sh("sysctl -qw net.ipv4.tcp_wmem='4096 16384 262144'")
    merge("vb", True)
    doctor("small", "--no-probe", "va")
    sh("tc qdisc replace dev va root handle 1: wlink limit 1000b")
    doctor("limit", "--no-probe", "va")
    sh("tc qdisc del dev va root")
    sh("tc qdisc add dev va root handle 2: htb default 1")
    sh("tc class add dev va parent 2: classid 2:1 htb rate 100mbit")
    sh(f"tc qdisc add dev va parent 2:1 handle 1: wlink {LINK}")
    doctor("htb", "--no-probe", "va")
    sh("ip link add many numtxqueues 4 type dummy")
    sh("tc qdisc add dev many root handle 3: mq")
    sh(f"tc qdisc add dev many parent 3:1 handle 4: wlink {LINK}")
    sh(f"tc qdisc add dev many parent 3:2 handle 5: wlink {LINK}")
    doctor("mq", "--no-probe", "many")
    if os.geteuid() == 0:
        doctor("nobody", "--no-probe", "va", user=65534)
    doctor("no such", "--no-probe", "va", "gone")
    print("END", flush=True)


main()
