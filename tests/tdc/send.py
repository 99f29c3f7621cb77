#!/usr/bin/python3 -IS
# SPDX-License-Identifier: GPL-2.0
"""Send UDP datagrams: send.py ADDRESS COUNT BYTES [SEGMENT].

With SEGMENT, each send is one super-packet that the kernel cuts into segments
of so many bytes. BYTES and SEGMENT count UDP payload.
"""

import socket
import sys

UDP_SEGMENT = 103


def main() -> None:
    address, count, size = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
        # The qdisc may hold all of them, and each holds memory of the socket.
        udp.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)
        if len(sys.argv) > 4:
            udp.setsockopt(socket.SOL_UDP, UDP_SEGMENT, int(sys.argv[4]))
        for _ in range(count):
            udp.sendto(b"x" * size, (address, 9))


if __name__ == "__main__":
    main()
