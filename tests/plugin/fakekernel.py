# SPDX-License-Identifier: GPL-2.0
"""A kernel for wlinkctl to talk to: answers as it is told, keeps what it got.

It knows one device, lo, with a wlink 1: at its root.
"""

import errno
import socket
import struct
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType

from harness import attr, nest, u32, u64

ROUTE, GENERIC = 0, 16
REQUEST, MULTI, ACK, ECHO, REPLACE, DUMP = 1, 2, 4, 8, 0x100, 0x300
ACK_TLVS, CAPPED = 0x200, 0x100
ERROR, DONE = 2, 3
NEWQDISC, GETQDISC, NEWTCLASS, GETTCLASS = 36, 38, 40, 42
GENL_CTRL, NEWFAMILY, GETFAMILY = 16, 1, 3
FAMILY, GROUP = 0x21, 77
TCA_KIND, TCA_OPTIONS = 1, 2
ROOT = 0xFFFFFFFF
TCMSG = 20

# WLINK_CMD_* and WLINK_A_*, by hand.
APPLIED, SCHEDULE, GET, CANCEL, SET = range(1, 6)
A_IFINDEX, A_HANDLE, A_AT, A_ASKED, A_GENERATION, A_COOKIE, A_BEARER, A_STATE, A_LOST = range(2, 11)
A_PART = 15
VERSION = 2
A_PART = 15
VERSION = 2


def message(kind: int, flags: int, seq: int, body: bytes) -> bytes:
    return struct.pack("=IHHII", 16 + len(body), kind, flags, seq, 0) + body


def event(cmd: int, *attributes: bytes) -> bytes:
    return message(FAMILY, 0, 0, struct.pack("=BBH", cmd, VERSION, 0) + b"".join(attributes))


def applied(cookie: int, at: int = 5, generation: int = 1, bearers: tuple[int, ...] = (1,)) -> bytes:
    """What the kernel sends when a transaction has taken effect."""
    return event(
        APPLIED,
        u32(A_IFINDEX, 1),
        u32(A_HANDLE, 0x10000),
        u64(A_AT, at),
        u64(A_ASKED, at - 3),
        u32(A_GENERATION, generation),
        u64(A_COOKIE, cookie),
        *(u32(A_BEARER, bearer) for bearer in bearers),
        u64(A_LOST, 0),
    )


def attributes(data: bytes) -> list[tuple[int, bytes]]:
    """Type and payload of each."""
    found, at = [], 0
    while at + 4 <= len(data):
        length, kind = struct.unpack_from("=HH", data, at)
        found.append((kind, data[at + 4 : at + length]))
        at += (length + 3) & ~3
    return found


def number(data: bytes) -> int:
    return int.from_bytes(data, "little")


@dataclass
class Change:
    """A change as it came: the options of each bearer, when, on which qdisc."""

    parts: list[tuple[int, bytes]]
    at: int | None = None
    ifindex: int = 1
    handle: int = 0x10000


@dataclass
class Plan:
    """How to answer: the errno of a change, with the kernel's words and the offset
    in the message they are about; when it has taken effect and with which generation,
    where it has, else when it will; what is told before the answer; what after how many
    seconds; what the link, or a bearer, has besides its kind when it is asked for.
    """

    family: bool = True
    version: int = VERSION
    done: tuple[int, int] | None = None
    due: int = 0
    error: int = 0
    text: str = ""
    offset: int = 0
    before: Callable[[int], list[bytes]] = lambda cookie: []
    after: Callable[[int], list[tuple[float, bytes]]] = lambda cookie: []
    link: bytes = b""
    bearers: dict[int, bytes] = field(default_factory=dict)
    changes: list[Change] = field(default_factory=list)
    joined: list[int] = field(default_factory=list)
    opened: list[int] = field(default_factory=list)


class FakeKernel:
    """Serves sockets of tests/plugin/fakenl.c."""

    def __init__(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name) / "kernel"
        self.plan = Plan()
        self.listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.listener.bind(str(self.path))
        self.listener.listen()
        self.hearing: socket.socket | None = None

    def __enter__(self) -> "FakeKernel":
        threading.Thread(target=self.accept, daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, value: object, trace: TracebackType | None) -> None:
        self.listener.close()
        self.folder.cleanup()

    def accept(self) -> None:
        while True:
            try:
                peer, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(peer,), daemon=True).start()

    def serve(self, peer: socket.socket) -> None:
        with peer, suppress(ConnectionResetError):
            while packet := peer.recv(1 << 17):
                (tag,) = struct.unpack_from("=I", packet)
                body = packet[4:]
                if tag == 2:
                    self.plan.opened += struct.unpack("=I", body)
                elif tag == 1:
                    self.plan.joined += struct.unpack("=I", body)
                    self.hearing = peer
                    self.send(peer, b"")
                else:
                    self.answer(peer, body)

    @staticmethod
    def send(peer: socket.socket | None, body: bytes, tag: int = 0) -> None:
        # Who has what it waited for listens no longer.
        with suppress(OSError):
            if peer:
                peer.send(struct.pack("=I", tag) + body)

    def answer(self, peer: socket.socket, request: bytes) -> None:
        _, kind, flags, seq, _ = struct.unpack_from("=IHHII", request)
        if kind == GENL_CTRL:
            self.tell_family(peer, seq)
        elif kind == FAMILY:
            self.change(peer, seq, request)
        elif kind in (GETQDISC, GETTCLASS):
            what = NEWQDISC if kind == GETQDISC else NEWTCLASS
            rows = {0: self.plan.link} if kind == GETQDISC else self.plan.bearers
            for minor, body in rows.items():
                tcm = struct.pack("=BxxxiIII", 0, 1, 0x10000 | minor, 0x10000 if minor else ROOT, 0)
                self.send(peer, message(what, MULTI, seq, tcm + attr(TCA_KIND, b"wlink\0") + body))
            self.send(peer, message(DONE, MULTI, seq, bytes(4)))

    def acknowledge(self, peer: socket.socket, seq: int, error: int, extra: bytes = b"") -> None:
        body = struct.pack("=i", -error) + bytes(16) + extra
        self.send(peer, message(ERROR, CAPPED | (ACK_TLVS if extra else 0), seq, body))

    def tell_family(self, peer: socket.socket, seq: int) -> None:
        if not self.plan.family:
            self.acknowledge(peer, seq, errno.ENOENT)
            return
        groups = nest(1, attr(1, b"others\0"), u32(2, 5)) + nest(2, u32(2, GROUP), attr(1, b"events\0"))
        body = struct.pack("=BBH", NEWFAMILY, 2, 0) + attr(2, b"wlink\0")
        body += attr(1, struct.pack("=H", FAMILY)) + u32(3, self.plan.version) + attr(7 | 0x8000, groups)
        self.send(peer, message(GENL_CTRL, 0, seq, body))
        self.acknowledge(peer, seq, 0)

    def change(self, peer: socket.socket, seq: int, request: bytes) -> None:
        plan = self.plan
        assert request[16:18] == bytes((SET, VERSION)), request[16:18]
        found = attributes(request[20:])
        words = {kind: number(value) for kind, value in found if kind < A_PART}
        parts = []
        for kind, value in found:
            if kind == A_PART | 0x8000:
                (_, bearer), (options, body) = attributes(value)
                assert options == 3 | 0x8000
                parts.append((number(bearer), body))
        plan.changes.append(Change(parts, words.get(A_AT), words[A_IFINDEX], words[A_HANDLE]))
        cookie = 100 + len(plan.changes)
        for one in plan.before(cookie):
            self.send(self.hearing, one)
        if plan.error:
            extra = attr(1, plan.text.encode() + b"\0") + u32(2, plan.offset)
            self.acknowledge(peer, seq, plan.error, extra)
            return
        answer = struct.pack("=BBH", SET, VERSION, 0) + u64(A_COOKIE, cookie) + u64(A_ASKED, 2)
        answer += u64(A_AT, plan.done[0] if plan.done else plan.due)
        answer += u32(A_GENERATION, plan.done[1]) if plan.done else b""
        self.send(peer, message(FAMILY, 0, seq, answer))
        self.acknowledge(peer, seq, 0)
        # The kernel answers other requests while it has more to tell.
        threading.Thread(target=self.tell, args=(plan.after(cookie),), daemon=True).start()

    def tell(self, later: list[tuple[float, bytes]]) -> None:
        for delay, one in later:
            time.sleep(delay)
            if one:
                self.send(self.hearing, one)
            else:
                self.send(self.hearing, b"", errno.ENOBUFS)
