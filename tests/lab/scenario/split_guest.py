#!/usr/bin/python3 -EsB
# SPDX-License-Identifier: GPL-2.0
"""What applications see of a connection: the cases, and both ends of them, each in a thread.

`split_guest.py server GROUP ANY` and `split_guest.py client GROUP ADDRESS...` print JSON: by case what
that end saw, and how often it was played; of the group "day" what it saw the last time.
"""

import contextlib
import errno
import json
import re
import socket
import struct
import sys
import threading
import time
from typing import Any

# By case the steps of the server and of the client. `at T` waits until T s after the start; `fill`
# sends until the connection takes nothing for 5 s; `push` sends on until there is an error; `read`
# receives until the end; `hear` waits 5 s for a byte.
TALKS = {
    "a reply": ("recv 10; send 10; close", "send 10; read; close"),
    "the client shuts first": ("read; send 100000; close", "send 10; shut; read; close"),
    "the client shuts at once": ("read; send 10; close", "shut; read; close"),
    "the server speaks first": ("send 10; recv 10; close", "recv 10; send 10; read; close"),
    "the server shuts first": ("send 10; shut; read; close", "read; send 100000; close"),
    "both close at once": ("recv 10; send 10; at 5; close", "send 10; recv 10; at 5; close"),
    "both shut at once": ("at 5; shut; read; close", "at 5; shut; read; close"),
    "data in the SYN": ("recv 10; send 10; close", "syn 10; read; close"),
    "the client resets": ("recv 10; read", "send 10; at 5; reset"),
    "the server resets": ("send 10; at 5; reset", "recv 10; read"),
    "the server resets while the client sends": ("recv 10; at 5; reset", "send 10; at 6; push"),
    "the server closes, data unread": ("at 5; close", "send 10; at 6; read"),
    "the server resets after the client has shut": ("read; at 5; reset", "send 10; shut; read"),
    "to the server full, the client closes": ("at 20; read", "fill; at 15; close"),
    "to the server full, the client shuts": ("at 20; read; send 10; close", "fill; at 15; shut; read"),
    "to the server full, the client resets": ("at 20; read", "fill; at 15; reset"),
    "to the server full, the server closes": ("at 15; close", "fill; at 20; push"),
    "to the server full, the server shuts": ("at 15; shut; at 25; read", "fill; read; at 20; close"),
    "to the server full, the server resets": ("at 15; reset", "fill; at 20; push"),
    "to the client full, the server closes": ("fill; at 15; close", "at 20; read"),
    "to the client full, the server shuts": ("fill; at 15; shut; read", "at 20; read; send 10; close"),
    "to the client full, the server resets": ("fill; at 15; reset", "at 20; read"),
    "to the client full, the client closes": ("fill; at 20; push", "at 15; close"),
    "to the client full, the client shuts": ("fill; read; at 20; close", "at 15; shut; at 25; read"),
    "to the client full, the client resets": ("fill; at 20; push", "at 15; reset"),
    "a window of zero for ever": ("at 600; recv 10", "fill; at 590; hear; close"),
    "a server that does not accept": (None, "send 10; hear; close"),
    "a connection without traffic for hours": ("recv 10; send 10; close", "at 10000; send 10; read; close"),
}
# Without a server: nobody listens; a router says that there is no way; none says anything.
NOBODY = {"refused": "at 5; read", "unreachable": "at 5; read", "no answer": "at 300; read"}
# A loop: to the proxy's own address.
LOOPS = {"to the proxy's node": "read"}
# Of a proxy with room for 4 connections, which last 20 s.
MANY = {str(i): ("recv 1; send 1; at 20; close", "send 1; hear; at 20; close") for i in range(1, 7)}
# For a day, once in twenty minutes: those that are over within a minute. The others go on all day.
DAY = {name: talk for name, talk in TALKS.items() if talk[0] and not re.search(r"at \d{3}", str(talk))}
EVER = {
    "stalls for ever": ("recv 10; at 86000; close", "fill; at 86000; close"),
    "is silent for ever": ("recv 10; at 86000; close", "send 10; at 86000; close"),
}
DAY_S, ROUND_S = 86400, 1200
PORT = 7001
# After the last step of all.
LAST = {"cases": 11000, "many": 11000, "day": DAY_S}


class Peer:
    """One end of a connection, and what it has seen."""

    def __init__(self, start: float) -> None:
        self.start = start
        self.seen: list[str] = []
        self.sent = 0
        self.got = 0
        self.socket: socket.socket

    def at(self, seconds: int) -> None:
        time.sleep(max(0.0, self.start + seconds - time.monotonic()))

    def send(self, size: int) -> None:
        self.socket.sendall(bytes(size))
        self.sent += size

    def fill(self) -> None:
        self.socket.settimeout(5)
        with contextlib.suppress(TimeoutError):
            while True:
                self.sent += self.socket.send(bytes(65536))
        self.socket.settimeout(None)
        self.seen.append("full")

    def push(self) -> None:
        self.socket.settimeout(60)
        try:
            while True:
                self.sent += self.socket.send(bytes(65536))
        except TimeoutError:
            self.seen.append("blocks")

    def recv(self, size: int) -> None:
        got = 0
        while got < size:
            data = self.socket.recv(size - got)
            if not data:
                self.seen.append("end")
                return
            got += len(data)
        self.got += got

    def read(self) -> None:
        try:
            while data := self.socket.recv(65536):
                self.got += len(data)
            self.seen.append("end")
        finally:
            self.seen.append(f"got {self.got}")

    def hear(self) -> None:
        self.socket.settimeout(5)
        try:
            self.seen.append("a byte" if self.socket.recv(1) else "end")
        except TimeoutError:
            self.seen.append("nothing")
        self.socket.settimeout(None)

    def shut(self) -> None:
        self.socket.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        self.socket.close()

    def reset(self) -> None:
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()

    def play(self, steps: str) -> None:
        """Play the steps; an error ends them."""
        try:
            for step in steps.split("; "):
                name, *words = step.split()
                getattr(self, name)(*map(int, words))
        except OSError as e:
            self.seen.append(errno.errorcode[e.errno or 0])
            self.socket.close()

    def told(self) -> dict[str, object]:
        return {"seen": self.seen, "sent": self.sent, "got": self.got}


class Client(Peer):
    address: tuple[str, int]

    def syn(self, size: int) -> None:
        self.sent += self.socket.sendto(bytes(size), socket.MSG_FASTOPEN, self.address)

    def run(self, address: str, port: int, steps: str) -> None:
        self.address = (address, port)
        self.socket = socket.socket(family_of(address))
        try:
            if not steps.startswith("syn"):
                self.socket.connect(self.address)
                self.seen.append("connected")
        except OSError as e:
            self.seen.append(errno.errorcode[e.errno or 0])
            return
        self.play(steps)


def family_of(address: str) -> int:
    return socket.AF_INET6 if ":" in address else socket.AF_INET


def serve(out: dict[str, Any], name: str, where: tuple[str, int], starts: list[float], steps: str) -> None:
    listener = socket.create_server(where, family=family_of(where[0]))
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_FASTOPEN, 5)
    if steps is None:
        time.sleep(30)
        return
    for count in range(1, len(starts) + 1):
        accepted, _ = listener.accept()
        # That of the client, unless one of them has not come here.
        peer = Peer(max(start for start in starts if start < time.monotonic() + 1))
        peer.socket = accepted
        peer.play(steps)
        accepted.close()
        out[name] = peer.told() | {"count": count}


def call(out: dict[str, Any], name: str, where: tuple[str, int], starts: list[float], steps: str) -> None:
    for count, start in enumerate(starts, 1):
        client = Client(start)
        client.at(0)
        client.run(*where, steps)
        out[name] = client.told() | {"count": count}


def main() -> None:
    role, group, *addresses = sys.argv[1:]
    # Both begin at a full second; the clients a second later.
    start = time.monotonic() + (role == "server")
    groups: Any = {"many": MANY, "cases": TALKS, "day": DAY | EVER}
    out: dict[str, Any] = {}
    threads = []

    def play(what: Any, name: str, where: tuple[str, int], steps: str) -> None:
        again = range(0, DAY_S - ROUND_S, ROUND_S) if group == "day" and name not in EVER else [0]
        starts = [start + one for one in again]
        threads.append(threading.Thread(target=what, args=(out, name, where, starts, steps), daemon=True))

    for i, (name, (server, client)) in enumerate(groups[group].items()):
        what, steps = (serve, server) if role == "server" else (call, client)
        play(what, name, (addresses[0], PORT + i), steps)
    if role == "client" and group != "many":
        for i, (name, steps) in enumerate([*NOBODY.items(), *LOOPS.items()]):
            play(call, name, (addresses[1 + i], PORT), steps)
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(max(0.0, start + LAST[group] - time.monotonic()))
    print(json.dumps(out))


if __name__ == "__main__":
    main()
