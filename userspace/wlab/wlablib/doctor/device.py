# SPDX-License-Identifier: GPL-2.0
"""A device: what files, the kernel and ethtool tell of it, and what it does to packets on time."""

import array
import fcntl
import json
import os
import socket
import struct
import subprocess
from dataclasses import dataclass, field

from ..lib.beside import REFUSED, Stop
from .machine import Machine
from .report import NOTE, OK, WARN, Answer, Checks, Unknown, check

CHECKS: Checks = []
IFF_UP, IFF_LOOPBACK, IFF_NOARP = 1, 8, 0x80
SIOCETHTOOL = 0x8946
# Where ip and tc are, which a user need not have in the PATH.
SBIN = ":/usr/sbin:/sbin"
# ETHTOOL_*, and the bits of the answer that mean on.
OFFLOADS = {"gro": (0x2B, ~0), "lro": (0x25, 1 << 15), "gso": (0x23, ~0), "tso": (0x1E, ~0)}

# None is unknown.
Known = dict[str, bool | None]


@dataclass
class Device:
    """Of numbers -1 is unknown; the bounds of sockets are of the machine."""

    name: str
    mtu: int = -1
    tx_queue_len: int = -1
    tx_queues: int = -1
    gso_max_segs: int = -1
    speed_mbit: int = -1
    up: bool | None = None
    asks: bool | None = None
    rps: str = ""
    offloads: Known = field(default_factory=dict)
    peer: str = ""
    peer_elsewhere: bool = False
    peer_offloads: Known = field(default_factory=dict)
    tcp_wmem: int = -1
    tcp_rmem: int = -1
    wmem: int = -1
    rmem: int = -1
    tcp_limit: int = -1


def switch(on: bool | None) -> str:
    return "unknown" if on is None else "on" if on else "off"


def third(text: str) -> int:
    """Of "4096 16384 4194304", or -1."""
    found = text.split()
    return int(found[2]) if len(found) == 3 and found[2].isdecimal() else -1


def from_files(machine: Machine, name: str) -> Device:
    folder = f"/sys/class/net/{name}"
    dev = Device(name)
    dev.mtu, dev.tx_queue_len, dev.speed_mbit = (
        machine.number(f"{folder}/{file}", -1) for file in ("mtu", "tx_queue_len", "speed")
    )
    if flags := int(machine.get(f"{folder}/flags") or "0", 16):
        dev.up, dev.asks = bool(flags & IFF_UP), not flags & (IFF_NOARP | IFF_LOOPBACK)
    # All queues have the same mask where somebody has set one.
    masks = [machine.get(path) for path in machine.numbered(f"{folder}/queues/rx-*/rps_cpus")]
    dev.rps = next((mask for mask in masks if mask.strip("0,")), "")
    dev.tcp_wmem, dev.tcp_rmem = (third(machine.get(f"/proc/sys/net/ipv4/tcp_{way}mem")) for way in "wr")
    dev.wmem, dev.rmem = (machine.number(f"/proc/sys/net/core/{way}mem_max", -1) for way in "wr")
    dev.tcp_limit = machine.number("/proc/sys/net/ipv4/tcp_limit_output_bytes", -1)
    return dev


def ask(command: str, *words: str) -> str:
    """What ip or tc prints."""
    env = os.environ | {"PATH": os.environ.get("PATH", "") + SBIN, "LC_ALL": "C"}
    try:
        done = subprocess.run([command, *words], capture_output=True, text=True, check=False, env=env)
    except FileNotFoundError:
        raise Stop(REFUSED, f"{command} is missing; type: apt-get install iproute2") from None
    if done.returncode:
        said = done.stderr.strip().removeprefix("RTNETLINK answers: ")
        raise Stop(REFUSED, f"kernel: {words[-1]}: {said}")
    return done.stdout


def ethtool(name: str) -> Known:
    """Anybody may ask."""
    found: Known = dict.fromkeys(OFFLOADS)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        for offload, (command, mask) in OFFLOADS.items():
            value = array.array("I", [command, 0])
            request = struct.pack("16sP16x", name.encode(), value.buffer_info()[0])
            try:
                fcntl.ioctl(one, SIOCETHTOOL, request)
                found[offload] = bool(value[1] & mask)
            except OSError:
                pass
    return found


def add_kernel(dev: Device) -> None:
    """What ip and ethtool tell; for another namespace than that of /sys they count."""
    (shown,) = json.loads(ask("ip", "-j", "-d", "link", "show", "dev", dev.name))
    dev.up = "UP" in shown["flags"]
    dev.asks = not {"NOARP", "LOOPBACK"} & set(shown["flags"])
    dev.mtu, dev.tx_queue_len = shown.get("mtu", -1), shown.get("txqlen", -1)
    dev.tx_queues, dev.gso_max_segs = shown.get("num_tx_queues", -1), shown.get("gso_max_segs", -1)
    dev.offloads = ethtool(dev.name)
    dev.peer_elsewhere = "link_netnsid" in shown
    if shown.get("linkinfo", {}).get("info_kind") == "veth" and "link" in shown:
        dev.peer = shown["link"]
        dev.peer_offloads = ethtool(dev.peer)


@check(CHECKS, "device")
def down(dev: Device) -> Answer | None:
    """nothing passes a device that is down"""
    return (WARN, "it is down", f"ip link set dev {dev.name} up") if dev.up is False else None


@check(CHECKS, "gro")
def merging(dev: Device) -> Answer:
    """what is merged on the way in goes on as one packet, and its parts' times are lost"""
    gro, lro = dev.offloads.get("gro"), dev.offloads.get("lro")
    change = f"ethtool -K {dev.name} gro off lro off"
    if lro:
        return WARN, "the hardware merges what it receives (lro on)", change
    if gro:
        what = "the device merges what it receives (gro on); the link's own direction is the other one"
        return NOTE, what, change
    if gro is None:
        raise Unknown("the device does not report its offloads")
    return OK, "off"


@check(CHECKS, "peer")
def peer(dev: Device) -> Answer | None:
    """a peer that merges packets undoes the link's times and acknowledges less"""
    gro, lro = dev.peer_offloads.get("gro"), dev.peer_offloads.get("lro")
    if dev.peer_elsewhere:
        change = "there: ethtool -K PEER gro off; ethtool -k PEER shows it"
        return NOTE, "unknown: the other end is in another namespace", change
    if not dev.peer:
        return None
    if gro is None:
        raise Unknown(f"{dev.peer} does not report its offloads")
    if not gro and not lro:
        return OK, f"{dev.peer} merges nothing (gro off)"
    what = f"{dev.peer} merges what it receives (gro {switch(gro)}, lro {switch(bool(lro))})"
    return WARN, what, f"ethtool -K {dev.peer} gro off lro off"


@check(CHECKS, "arp")
def neighbours(dev: Device) -> Answer:
    """requests wait in the link like data and get lost, when the kernel chooses"""
    if dev.asks is None:
        raise Unknown("the device's flags cannot be read")
    if not dev.asks:
        return OK, "the device asks for no neighbours"
    change = f"ip neigh replace ADDRESS lladdr MAC dev {dev.name} nud permanent, at both ends"
    return NOTE, "neighbour requests pass through the link", change


@check(CHECKS, "txqueuelen")
def queue_length(dev: Device) -> Answer | None:
    """it bounds pfifo and its like; a wlink has its limit"""
    return (OK, f"{dev.tx_queue_len} packets, which no wlink heeds") if dev.tx_queue_len >= 0 else None


@check(CHECKS, "rps")
def spreading(dev: Device) -> Answer | None:
    """packets that another processor takes up arrive a little later, not always in the same order of flows"""
    change = f"echo 0 >/sys/class/net/{dev.name}/queues/rx-0/rps_cpus, and the other queues"
    return (NOTE, f"packets are spread to processors {dev.rps}", change) if dev.rps else None
