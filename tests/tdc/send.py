#!/usr/bin/python3 -IS
# SPDX-License-Identifier: GPL-2.0
"""Send UDP datagrams: send.py [WORD=VALUE ...] ADDRESS COUNT BYTES [SEGMENT].

With SEGMENT, each send is one super-packet that the kernel cuts into segments
of so many bytes. BYTES and SEGMENT count UDP payload. The words: port=N, of the
receiver; mark=N, of the packet; priority=MAJOR:MINOR or N, of the packet.
"""

import socket
import sys

UDP_SEGMENT = 103


def number(text: str) -> int:
    """A plain number, or a class as tc writes it."""
    major, colon, minor = text.partition(":")
    return int(major, 16) << 16 | int(minor, 16) if colon else int(text, 0)


def main() -> None:
    words = dict(word.split("=") for word in sys.argv[1:] if "=" in word)
    plain = [word for word in sys.argv[1:] if "=" not in word]
    address, count, size = plain[0], int(plain[1]), int(plain[2])
    port = int(words.get("port", "9"))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
        # The qdisc may hold all of them, and each holds memory of the socket.
        udp.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)
        if "mark" in words:
            udp.setsockopt(socket.SOL_SOCKET, socket.SO_MARK, number(words["mark"]))
        if "priority" in words:
            udp.setsockopt(socket.SOL_SOCKET, socket.SO_PRIORITY, number(words["priority"]))
        if len(plain) > 3:
            udp.setsockopt(socket.SOL_UDP, UDP_SEGMENT, int(plain[3]))
        for _ in range(count):
            udp.sendto(b"x" * size, (address, port))


if __name__ == "__main__":
    main()
