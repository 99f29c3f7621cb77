# SPDX-License-Identifier: GPL-2.0
"""What a message takes while it holds the RTNL. The VM's clocks go by instructions, one a ns: no
machine and no load changes what is measured, on the clock of the thread that asks. What ksoftirqd
gets of one processor meanwhile, where a link is more than it can compute, is not counted."""

import socket
import struct
import time
from collections.abc import Iterator

import raw
from steps import case, expect, sh

DEV = "d0"
MOST_MS = 50.0
RTM_DELTCLASS, RTM_GETQDISC, RTM_GETTCLASS, NLM_F_DUMP, NLMSG_DONE = 41, 38, 42, 0x300, 3
SO_PRIORITY = 12

AM = "rate 100gbit mode am window 4095 poll_timer 1ms discard timer discard_timer 3600s limit 1000000"
LOSSY = "channel uniform loss 0.5"
DEAF = "rev_rate 100gbit rev_channel uniform rev_loss 1"

# What it is about; words of the qdisc and its bearers; bearers, packets, bytes; what is changed.
Row = tuple[str, str, int, int, int, list[str]]
ROWS: list[Row] = [
    ("an idle link", "rate 1mbit", 1, 0, 0, ["rate=u64:2000000"]),
    ("pf, many bearers, least TTI", "rate 1kbit tti 1us sched pf", 256, 512, 1000, ["tti=u64:2000"]),
    ("am, SDUs of 1 byte in PDUs of 65535, all lost", f"{AM} pdu 65535 header 0 channel uniform loss 1", 1,
     20000, 1, ["rate=u64:90000000000", "limit { packets=u32:1 }"]),
    ("am, status reports of 4095, half missing", f"{AM} pdu 8 status_periodic 1ms {LOSSY} {DEAF}", 1, 20000,
     40, ["rate=u64:90000000000", "pdu=u32:9"]),
]  # fmt: skip


class Asker:
    """Messages to the kernel, and how long each was with it."""

    def __init__(self) -> None:
        self.nl = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, socket.NETLINK_ROUTE)
        self.nl.setsockopt(raw.SOL_NETLINK, raw.NETLINK_EXT_ACK, 1)
        self.nl.setsockopt(raw.SOL_NETLINK, raw.NETLINK_CAP_ACK, 1)
        self.nl.bind((0, 0))
        self.index = socket.if_nametoindex(DEV)
        self.worst = (0.0, "")

    def took(self, begun: int, what: str) -> None:
        self.worst = max(self.worst, ((time.thread_time_ns() - begun) / 1e6, what))

    def ask(self, what: str, classid: str, words: str, flags: int = 0, kind: int = 0) -> None:
        """One message that must be taken."""
        payload = raw.attributes(iter(words.split()), raw.TOP)
        options = raw.attribute(raw.TCA_OPTIONS | raw.NLA_F_NESTED, payload)
        data = bytearray(raw.request(self.index, flags, classid, options))
        if kind:
            struct.pack_into("=H", data, 4, kind)
        begun = time.thread_time_ns()
        self.nl.send(data)
        self.took(begun, what)
        error, text, _ = raw.answer(self.nl.recv(65536))
        expect(not error, f"{what}: {text or error}")

    def dump(self, what: str, kind: int) -> int:
        """All qdiscs or classes; the lock is held for a datagram of them."""
        data = struct.pack("=IHHIIBxxxiIII", 36, kind, NLM_F_DUMP | 1, 1, 0, 0, self.index, 0, 0, 0)
        begun, found = time.thread_time_ns(), 0
        self.nl.send(data)
        while True:
            told = self.nl.recv(65536)
            self.took(begun, what)
            for kind, index in messages(told):
                if kind == NLMSG_DONE:
                    return found
                found += index == self.index
            begun = time.thread_time_ns()


def messages(data: bytes) -> Iterator[tuple[int, int]]:
    """Type and device of each message in a datagram."""
    while len(data) >= 16:
        length, kind = struct.unpack_from("=IH", data)
        yield kind, 0 if kind == NLMSG_DONE else struct.unpack_from("=i", data, 20)[0]
        data = data[(length + 3) & ~3 :]


def offer(bearers: int, packets: int, size: int) -> None:
    with socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM) as out:
        out.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 24)
        for i in range(packets):
            if bearers > 1:
                out.setsockopt(socket.SOL_SOCKET, SO_PRIORITY, 1 << 16 | (i % bearers + 1))
            out.sendto(bytes(size), (DEV, 0x0800, 0, 0, b"\2\0\0\0\0\1"))


def held(row: Row) -> tuple[float, str]:
    """The longest of its messages."""
    _, words, bearers, packets, size, changes = row
    sh(f"tc qdisc add dev {DEV} root handle 1: wlink {words}")
    lines = "".join(f"class add dev {DEV} parent 1: classid 1:{i:x} wlink\n" for i in range(2, bearers + 1))
    with open("/tmp/classes", "w", encoding="ascii") as f:
        f.write(lines)
    sh("tc -batch /tmp/classes")
    offer(bearers, packets, size)
    asker = Asker()
    for change in changes:
        asker.ask(change, "", change)
    asker.ask("a new class", "1:1000", "rate=u64:1000", raw.FLAGS["add"])
    asker.ask("that class changed", "1:1000", "rate=u64:2000")
    asker.ask("that class gone", "1:1000", "", kind=RTM_DELTCLASS)
    expect(asker.dump("qdiscs shown", RTM_GETQDISC) == 1, "no qdisc was shown")
    shown = asker.dump("classes shown", RTM_GETTCLASS)
    expect(shown == bearers, f"{shown} of {bearers} classes shown")
    sh(f"tc qdisc del dev {DEV} root")
    return asker.worst


@case("no message has more than 50 million instructions of its own under the RTNL")
def _() -> str:
    sh(f"ip link add {DEV} mtu 65535 type dummy; ip link set {DEV} up")
    worst = 0.0
    for row in ROWS:
        took, what = held(row)
        print(f"# {row[0]}: {took:.2f} ms, {what}", flush=True)
        expect(took <= MOST_MS, f"{row[0]}: {what} took {took:.1f} ms")
        worst = max(worst, took)
    sh(f"ip link del {DEV}")
    return f"{worst:.1f} ms at most"
