# SPDX-License-Identifier: GPL-2.0
"""The relay between link and host. TCP ends here, so that Linux's TCP sends over the link:

pasta, which carries other protocols, has a TCP without congestion control.
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
# How much may wait unsent in a socket; the rest waits at its source, as without a relay.
UNSENT = 1 << 17
TCP_NOTSENT_LOWAT = 25
# Close with a reset.
RESET = struct.pack("ii", 1, 0)


def pasta(pid: int) -> list[str]:
    """The command line of pasta for the far namespace, that of process `pid`."""
    none = [word for option in "tuTU" for word in (f"-{option}", "none")]
    argv = ["pasta", "-f", "-q", "-4", "-I", "pasta", "-a", COMMAND, "-n", "30", "-g", GATEWAY]
    # As root pasta would become nobody, who may not enter the namespace.
    argv += ["--runas", "0"] if os.geteuid() == 0 else []
    return [*argv, "-M", MAC["way out"], "-m", str(MTU), "--dns-forward", GATEWAY, *none, str(pid)]


def resolver() -> str:
    """The address of the host's resolver."""
    with contextlib.suppress(OSError):
        for line in Path("/etc/resolv.conf").read_text().splitlines():
            words = line.split()
            if words[:1] == ["nameserver"] and "." in words[-1]:
                return words[1]
    return "127.0.0.1"


def destination(address: tuple[str, int]) -> tuple[str, int]:
    """Where a connection goes; the gateway's address stands for the host."""
    if address[0] != GATEWAY:
        return address
    return (resolver() if address[1] == 53 else "127.0.0.1", address[1])


async def pass_on(source: socket.socket, to: socket.socket) -> None:
    """Copy one direction of a connection until its end."""
    loop = asyncio.get_running_loop()
    room = memoryview(bytearray(CHUNK))
    while count := await loop.sock_recv_into(source, room):
        await loop.sock_sendall(to, room[:count])
    to.shutdown(socket.SHUT_WR)


async def relay(near: socket.socket) -> None:
    """Relay one connection; if one side fails, reset the other."""
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
    """Relay all connections until pasta ends."""
    loop = asyncio.get_running_loop()
    listener.setblocking(False)
    tasks = set()
    with subprocess.Popen(pasta(pid), stdin=subprocess.DEVNULL):
        while True:
            near, _ = await loop.sock_accept(listener)
            task = asyncio.create_task(relay(near))
            tasks.add(task)
            task.add_done_callback(tasks.discard)
