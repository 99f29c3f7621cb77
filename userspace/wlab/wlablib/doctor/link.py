# SPDX-License-Identifier: GPL-2.0
"""A wlink: what stands above it, what timers make of its intervals, and whether traffic fills it."""

import re
from dataclasses import dataclass, field
from typing import Any

from .device import Device, switch
from .machine import Machine
from .report import FAIL, NOTE, OK, WARN, Answer, Checks, Unknown, bytes_text, check, time_text

CHECKS: Checks = []
ROOT, INGRESS = 0xFFFFFFFF, 0xFFFFFFF1
# Qdiscs above a link; nobody stacks more.
ABOVE_MAX = 8
# Kinds that make a packet wait before the link has seen it, and that spread packets to queues.
HOLDS = "netem tbf htb hfsc cbq fq cake taprio etf qfq fq_codel codel".split()
SPREADS = ("mq", "mqprio", "multiq")
# A hand-over that is later is warned of.
LATE_WARN_NS = 1_000_000

# Where the device does not tell.
USUAL_MTU = 1500
# Most that a super-packet carries, and headers of each of its segments.
SUPER_BYTES, HEADER_BYTES = 65536, 52
# Of what a socket may hold, bookkeeping takes about as much as data.
SOCKET_SHARE = 2
WAIT_MAX_S = 5.0
# A length indicator takes one byte where PDU and header are no longer than this.
ONE_BYTE = {"um": 125, "am": 126}

# Kind, handle and parent of a qdisc.
Row = tuple[str, int, int]
Shown = dict[str, Any]


@dataclass
class Need:
    """What a bearer asks for, in bytes; a rate of 0 is none, or an unlimited one."""

    bearer: int
    rate: float
    bdp: float
    limit: float
    seconds: float

    @property
    def all(self) -> float:
        return self.bdp + self.limit


@dataclass
class Link:
    """A link and its bearers as wlinkctl shows them; the qdiscs above it, the nearest first."""

    shown: Shown
    bearers: list[Shown]
    above: list[str] = field(default_factory=list)
    siblings: int = 0


def number(handle: str) -> int:
    major, _, minor = handle.partition(":")
    return int(major or "0", 16) << 16 | int(minor or "0", 16)


def rows(text: str) -> list[Row]:
    """The qdiscs that `tc qdisc show dev DEV` prints."""
    found = re.findall(r"^qdisc (\S+) (\S+) (?:dev \S+ )?(?:root|parent (\S+))", text, re.M)
    return [(kind, number(handle), number(parent) if parent else ROOT) for kind, handle, parent in found]


def place(link: Link, tree: list[Row]) -> None:
    """Find what stands above a link. A qdisc that the kernel made itself has no handle."""
    handle, parent = number(link.shown["handle"]), number(link.shown.get("parent", "ffff:ffff"))
    beside = [own for kind, own, of in tree if kind == "wlink" and of != ROOT and of >> 16 == parent >> 16]
    link.siblings = sum(own != handle for own in beside)
    while parent != ROOT and len(link.above) < ABOVE_MAX:
        owners = [(kind, of) for kind, own, of in tree if of != INGRESS and own == parent >> 16 << 16]
        if not owners:
            break
        kind, parent = owners[0]
        link.above.append(kind)


def packet_bytes(dev: Device) -> int:
    return dev.mtu if dev.mtu > 0 else USUAL_MTU


def need_of(dev: Device, shown: Shown) -> Need:
    words = shown["options"]
    # A profile or a schedule may have changed it; None is unlimited.
    rate = shown.get("xstats", {}).get("rate_bps", 0)
    rate = words.get("rate_bps") if rate == 0 else rate
    each_s = (rate or 0) / 8 / 1e9
    limit = words.get("limit_bytes", words.get("limit_ns", 0) * each_s)
    if "limit_packets" in words:
        limit = words["limit_packets"] * packet_bytes(dev)
    seconds = limit * 8 / rate if rate else 0.0 if rate is None else float("inf")
    bdp = each_s * 2 * words.get("delay_ns", 0)
    return Need(shown.get("bearer", 0), rate or 0, bdp, limit, seconds)


def greatest(dev: Device, link: Link) -> Need:
    """The bearer that most has to be sent for."""
    return max((need_of(dev, bearer) for bearer in link.bearers or [link.shown]), key=lambda need: need.all)


@check(CHECKS, "above")
def above(machine: Machine, dev: Device, link: Link) -> Answer:
    """what stands above a link decides what it gets and when"""
    for kind in link.above:
        if kind in SPREADS:
            return (
                FAIL,
                f"{kind} spreads the packets: this link has a part of them, {link.siblings} more under it",
                f"tc qdisc replace dev {dev.name} root wlink ...: one link for all queues",
                "each transmit queue has a link of its own at the full rate, "
                "and a flow is in the one that its hash names",
            )
    if not link.above:
        queues = ", one link for all its queues" if dev.tx_queues > 1 else ""
        return OK, f"nothing: it is the root of the device{queues}"
    waits = [kind for kind in link.above if kind in HOLDS]
    if not waits:
        return NOTE, f"above: {' '.join(link.above)}"
    what = f"{waits[-1]} above it makes packets wait (above: {' '.join(link.above)})"
    return WARN, what, "a wlink at the root, or nothing above it that makes packets wait"


@check(CHECKS, "tsq")
def tsq(machine: Machine, dev: Device, link: Link) -> Answer:
    """it bounds what a TCP flow has waiting: no queue grows like a radio link's buffer"""
    # The link tells its sender at once that a packet has gone.
    if dev.tcp_limit < 0:
        raise Unknown("net.ipv4.tcp_limit_output_bytes cannot be read")
    waits = [kind for kind in link.above if kind in HOLDS]
    if waits:
        return NOTE, f"{dev.tcp_limit} bytes, in force for what waits in {waits[0]} above the link"
    return OK, f"{dev.tcp_limit} bytes, not in force: a wlink frees the sender of them"


@check(CHECKS, "tti")
def grid(machine: Machine, dev: Device, link: Link) -> Answer | None:
    """what falls due in several intervals leaves together, on time in the mean"""
    tti = link.shown["options"].get("tti_ns", 0)
    if machine.virtual_time or not tti:
        return None
    if machine.high_res is False and machine.tick_ns > tti:
        tick = time_text(machine.tick_ns)
        change = f"high-resolution timers, or a tti of at least {tick}"
        return WARN, f"{time_text(tti)}, and timers come each {tick} only", change
    if not machine.late:
        return None
    late = time_text(machine.late.p99_ns)
    if machine.late.p99_ns <= tti:
        return OK, f"{time_text(tti)}; p99 of this machine's lateness is {late}"
    what = f"{time_text(tti)}, and 1 of 100 wake-ups here is more than {late} late"
    return WARN, what, f"the change that lateness names, or a tti of at least {late}"


@check(CHECKS, "hand-over")
def hand_over(machine: Machine, dev: Device, link: Link) -> Answer | None:
    """this is what the link's own packets have met, and no model changed by it"""
    # What the link itself has counted is better than any probe.
    counted = link.shown.get("xstats", {})
    if not counted.get("sdus_delivered"):
        return None
    packets = counted["sdus_delivered"]
    p50, p99, most = (time_text(counted[f"late_{name}_ns"]) for name in ("p50", "p99", "max"))
    what = f"{packets} packets so far, late by at most {p50} .. {p99} (p50 .. p99), max {most}"
    if counted["late_p99_ns"] <= LATE_WARN_NS:
        return OK, what
    return WARN, what, "what the machine is warned of; userspace/bpftrace/lateness.bt shows when"


@check(CHECKS, "limit")
def limits(machine: Machine, dev: Device, link: Link) -> list[Answer]:
    """below the bandwidth-delay product a loss empties the link; far above packets wait"""
    need = greatest(dev, link)
    others = (need_of(dev, bearer) for bearer in link.bearers)
    small = [one for one in others if one.bearer != need.bearer and one.limit < packet_bytes(dev)]
    return [judge_limit(dev, one) for one in [need, *small[:1]]]


def judge_limit(dev: Device, need: Need) -> Answer:
    bearer = f"wlinkctl set {dev.name} bearer {need.bearer} limit"
    limit = bytes_text(need.limit)
    if need.limit < packet_bytes(dev):
        what = f"bearer {need.bearer}: {limit} holds no whole packet of {bytes_text(packet_bytes(dev))}"
        why = "what is longer than the limit is dropped, always"
        return FAIL, what, f"{bearer} 40, or a smaller mtu", why
    what = f"bearer {need.bearer}: {limit}, {need.seconds:.3g} s at its rate; "
    what += f"the bandwidth-delay product is {bytes_text(need.bdp)} (rate x 2 x delay)"
    if need.limit < need.bdp:
        return NOTE, what, f"{bearer} {need.bdp:.0f}b, where the link is to stay full"
    return (NOTE, what, f"{bearer} 1s") if need.seconds > WAIT_MAX_S else (OK, what)


@check(CHECKS, "pdu")
def pdus(machine: Machine, dev: Device, link: Link) -> list[Answer]:
    """each packet then takes two PDUs, and is lost or late with either"""
    # The end of a packet is told by a length indicator, in the same PDU where there is room for it.
    packet = packet_bytes(dev)
    found: list[Answer] = []
    for bearer in link.bearers:
        words = bearer["options"]
        if (mode := words.get("mode")) not in ONE_BYTE:
            continue
        pdu = words.get("pdu_bytes", 0)
        li = 1 if pdu + words.get("header_bytes", 0) <= ONE_BYTE[mode] else 2
        if packet <= pdu < packet + li:
            what = f"bearer {bearer['bearer']}: a PDU of {pdu} bytes has no room for a packet of {packet} "
            what += f"and its length indicator of {li}"
            change = f"wlinkctl set {dev.name} bearer {bearer['bearer']} pdu {packet + li}"
            found.append((WARN, what, change))
    return found


@check(CHECKS, "gso")
def super_packets(machine: Machine, dev: Device, link: Link) -> Answer:
    """a wlink cuts a super-packet into segments, which all arrive in one instant"""
    # wlink counts segments, which come as fast as a super-packet is cut.
    if dev.gso_max_segs < 0:
        raise Unknown("the device does not report gso_max_segs")
    limit = greatest(dev, link).limit
    data = packet_bytes(dev) - HEADER_BYTES
    segs = min(dev.gso_max_segs, SUPER_BYTES // data) if data > 0 else dev.gso_max_segs
    if segs <= 1:
        return OK, f"one segment at a time (gso_max_segs {dev.gso_max_segs})"
    # With tso and gso off TCP still makes them, and they are cut above.
    what = (
        f"up to {segs} segments at once from a sender on this machine; "
        f"the limit is {limit / packet_bytes(dev):.0f} "
        f"(gso {switch(dev.offloads.get('gso'))}, tso {switch(dev.offloads.get('tso'))})"
    )
    verdict = WARN if segs * packet_bytes(dev) > limit else NOTE
    return verdict, what, f"ip link set dev {dev.name} gso_max_segs 1"


@check(CHECKS, "speed")
def speed(machine: Machine, dev: Device, link: Link) -> Answer | None:
    """packets then wait in the device, behind the model"""
    need = greatest(dev, link)
    if dev.speed_mbit <= 0 or dev.speed_mbit * 1e6 >= need.rate:
        return None
    what = f"the device does {dev.speed_mbit} Mbit/s, bearer {need.bearer} {need.rate / 1e6:.6g}"
    return FAIL, what, "a lower rate, or a faster device"


@check(CHECKS, "send-buffer")
def send_buffer(machine: Machine, dev: Device, link: Link) -> Answer:
    """a flow with less than the bandwidth-delay product under way cannot fill the link"""
    return judge_socket(greatest(dev, link), "net.ipv4.tcp_wmem", dev.tcp_wmem, 16384, "sender")


@check(CHECKS, "receive-buffer")
def receive_buffer(machine: Machine, dev: Device, link: Link) -> Answer:
    """a flow with less than the bandwidth-delay product under way cannot fill the link"""
    return judge_socket(greatest(dev, link), "net.ipv4.tcp_rmem", dev.tcp_rmem, 131072, "receiver")


def judge_socket(need: Need, name: str, most: int, usual: int, at: str) -> Answer:
    """Of the most that the kernel lets one socket take."""
    if most < 0:
        raise Unknown(f"{name} cannot be read")
    share = most / SOCKET_SHARE
    bdp, limit = bytes_text(need.bdp), bytes_text(need.limit)
    what = f"{name} lets a flow have about {bytes_text(share)} under way"
    if share >= need.all:
        return OK, f"{what}: enough for bearer {need.bearer} ({bdp}) and its buffer ({limit})"
    change = f'sysctl -w {name}="4096 {usual} {SOCKET_SHARE * need.all:.0f}", at the {at}'
    if share < need.bdp:
        return WARN, f"{what}, less than the {bdp} of bearer {need.bearer} (rate x 2 x delay)", change
    what += f": bearer {need.bearer} ({bdp}) it fills, its buffer of {limit} besides it does not"
    return NOTE, what, change


@check(CHECKS, "socket-set")
def socket_set(machine: Machine, dev: Device, link: Link) -> Answer | None:
    """iperf3 -w and its like switch the kernel's own tuning off and are cut to this"""
    # Programs that set their buffers get no more than this.
    need, least = greatest(dev, link), min(dev.wmem, dev.rmem)
    # The kernel doubles what is asked for: the half is data.
    if least < 0 or least >= need.all:
        return None
    bound = f"{need.all:.0f}"
    return (
        NOTE,
        f"SO_SNDBUF and SO_RCVBUF get at most {bytes_text(least)}, "
        f"less than bearer {need.bearer} and its buffer take ({bytes_text(need.all)})",
        "let TCP tune its buffers, or " f"sysctl -w net.core.wmem_max={bound} net.core.rmem_max={bound}",
    )
