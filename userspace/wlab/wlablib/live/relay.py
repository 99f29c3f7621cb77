# SPDX-License-Identifier: GPL-2.0
"""Between the link and the host: TCP ends here, so that it is Linux's TCP that sends over the link.

pasta, which carries all else, has a TCP of its own that knows no congestion.
"""

import asyncio
import contextlib
import os
import socket
import struct
import subprocess
from pathlib import Path

from .spaces import COMMAND, GATEWAY, MAC, MTU

CHUNK = 1 << 18
# What may wait in a socket unsent: more than that waits at its origin, as it would without a relay.
UNSENT = 1 << 17
TCP_NOTSENT_LOWAT = 25
# A close that is a reset.
RESET = struct.pack("ii", 1, 0)


def pasta(pid: int) -> list[str]:
    """Carries what comes out of the far namespace that this process is in."""
    none = [word for option in "tuTU" for word in (f"-{option}", "none")]
    argv = ["pasta", "-f", "-q", "-4", "-I", "pasta", "-a", COMMAND, "-n", "30", "-g", GATEWAY]
    # Root's would become nobody, who may not enter.
    argv += ["--runas", "0"] if os.geteuid() == 0 else []
    return [*argv, "-M", MAC["way out"], "-m", str(MTU), "--dns-forward", GATEWAY, *none, str(pid)]


def resolver() -> str:
    """The host's."""
    with contextlib.suppress(OSError):
        for line in Path("/etc/resolv.conf").read_text().splitlines():
            words = line.split()
            if words[:1] == ["nameserver"] and "." in words[-1]:
                return words[1]
    return "127.0.0.1"


def destination(asked: tuple[str, int]) -> tuple[str, int]:
    """Of a connection: the gateway is the host."""
    if asked[0] != GATEWAY:
        return asked
    return (resolver() if asked[1] == 53 else "127.0.0.1", asked[1])


async def pass_on(source: socket.socket, to: socket.socket) -> None:
    """One direction, until its end."""
    loop = asyncio.get_running_loop()
    room = memoryview(bytearray(CHUNK))
    while count := await loop.sock_recv_into(source, room):
        await loop.sock_sendall(to, room[:count])
    to.shutdown(socket.SHUT_WR)


async def relay(near: socket.socket) -> None:
    """One connection; where one side fails the other is reset."""
    loop = asyncio.get_running_loop()
    with near, socket.socket() as host:
        for sock in (near, host):
            sock.setblocking(False)
            sock.setsockopt(socket.SOL_TCP, socket.TCP_NODELAY, 1)
        near.setsockopt(socket.SOL_TCP, TCP_NOTSENT_LOWAT, UNSENT)
        ways = []
        try:
            await loop.sock_connect(host, destination(near.getsockname()))
            ways = [asyncio.create_task(pass_on(*pair)) for pair in ((near, host), (host, near))]
            await asyncio.gather(*ways)
        except OSError:
            for sock in (near, host):
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        for way in ways:
            way.cancel()


async def serve(listener: socket.socket, pid: int) -> None:
    """All of them, until pasta ends, which it does not by itself."""
    loop = asyncio.get_running_loop()
    listener.setblocking(False)
    tasks = set()
    with subprocess.Popen(pasta(pid), stdin=subprocess.DEVNULL):
        while True:
            near, _ = await loop.sock_accept(listener)
            task = asyncio.create_task(relay(near))
            tasks.add(task)
            task.add_done_callback(tasks.discard)
