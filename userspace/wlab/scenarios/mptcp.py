# SPDX-License-Identifier: GPL-2.0
"""A download over MPTCP.

mptcp.py serve            sends to the first that connects, until it leaves
mptcp.py ADDRESS SECONDS  prints a line for each second: its end, and Mbit/s
"""

import contextlib
import socket
import sys
import time

PORT = 5001
# Python has socket.IPPROTO_MPTCP where the C library had it.
PROTOCOL = 262


def serve(sock: socket.socket) -> None:
    sock.bind(("", PORT))
    sock.listen()
    peer, _ = sock.accept()
    with contextlib.suppress(OSError):
        while True:
            peer.sendall(bytes(1 << 16))


def fetch(sock: socket.socket, address: str, seconds: int) -> None:
    sock.connect((address, PORT))
    begin = time.monotonic()
    for second in range(1, seconds + 1):
        size = 0
        while (left := begin + second - time.monotonic()) > 0:
            sock.settimeout(left)
            with contextlib.suppress(TimeoutError):
                size += len(sock.recv(1 << 16))
        print(second, f"{8e-6 * size:.2f}", flush=True)


with socket.socket(socket.AF_INET, socket.SOCK_STREAM, PROTOCOL) as made:
    serve(made) if sys.argv[1] == "serve" else fetch(made, sys.argv[1], int(sys.argv[2]))
