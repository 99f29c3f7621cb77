#!/usr/bin/python3 -IS
# SPDX-License-Identifier: GPL-2.0
"""Send UDP datagrams: send.py [WORD=VALUE ...] ADDRESS COUNT BYTES [SEGMENT].

With SEGMENT, each send is one super-packet that the kernel cuts into segments
of so many bytes. BYTES and SEGMENT count UDP payload. The words: port=N, of the
receiver; mark=N, of the packet; priority=MAJOR:MINOR or N, of the packet; tos=N, of
the packet; stamps=SECONDS: print the software timestamps of sending that come back until
then, in ms from the first send; tap=DEV: print the type of service of each packet that leaves DEV within
five seconds, and "bad" behind it where the header's checksum is wrong.
"""

import socket
import struct
import sys
import time

UDP_SEGMENT = 103
ETH_P_IP, ETH_P_ALL = 0x0800, 0x0003
SO_TIMESTAMPING, TX_SOFTWARE, SOFTWARE = 37, 1 << 1, 1 << 4


def number(text: str) -> int:
    """A plain number, or a class as tc writes it."""
    major, colon, minor = text.partition(":")
    return int(major, 16) << 16 | int(minor, 16) if colon else int(text, 0)


def tap(dev: str) -> socket.socket:
    packets = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(ETH_P_ALL))
    packets.bind((dev, ETH_P_ALL))
    return packets


def tell(packets: socket.socket) -> None:
    """What has left, in one line."""
    found = []
    until = time.monotonic() + 5
    while (left := until - time.monotonic()) > 0:
        packets.settimeout(left)
        try:
            data, address = packets.recvfrom(65536)
        except TimeoutError:
            break
        if address[1] != ETH_P_IP:
            continue
        total = sum(struct.unpack_from("!10H", data))
        bad = " bad" if (total & 0xFFFF) + (total >> 16) != 0xFFFF else ""
        found.append(f"{data[1]:#x}{bad}")
    print("left:", *found)


def stamps(udp: socket.socket, from_ns: int) -> str:
    """The timestamps that wait in the error queue, each behind its packet."""
    times: list[str] = []
    while True:
        try:
            _, extra, _, _ = udp.recvmsg(65536, 1024, socket.MSG_ERRQUEUE | socket.MSG_DONTWAIT)
        except BlockingIOError:
            return " ".join([f"{len(times)} stamps", *times])
        for _, kind, data in extra:
            if kind == SO_TIMESTAMPING:
                seconds, ns = struct.unpack_from("=qq", data)
                times.append(f"{(seconds * 10**9 + ns - from_ns) / 1e6:.1f}")


def main() -> None:
    words = dict(word.split("=") for word in sys.argv[1:] if "=" in word)
    plain = [word for word in sys.argv[1:] if "=" not in word]
    address, count, size = plain[0], int(plain[1]), int(plain[2])
    port = int(words.get("port", "9"))
    packets = tap(words["tap"]) if "tap" in words else None
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
        # The qdisc may hold all of them, and each holds memory of the socket.
        udp.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)
        if "mark" in words:
            udp.setsockopt(socket.SOL_SOCKET, socket.SO_MARK, number(words["mark"]))
        if "priority" in words:
            udp.setsockopt(socket.SOL_SOCKET, socket.SO_PRIORITY, number(words["priority"]))
        if "tos" in words:
            udp.setsockopt(socket.IPPROTO_IP, socket.IP_TOS, number(words["tos"]))
        if len(plain) > 3:
            udp.setsockopt(socket.SOL_UDP, UDP_SEGMENT, int(plain[3]))
        if "stamps" in words:
            udp.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPING, TX_SOFTWARE | SOFTWARE)
        from_ns = time.time_ns()
        for _ in range(count):
            udp.sendto(b"x" * size, (address, port))
        if "stamps" in words:
            time.sleep(float(words["stamps"]))
            print(stamps(udp, from_ns))
    if packets:
        tell(packets)


if __name__ == "__main__":
    main()
