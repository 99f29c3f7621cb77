#!/usr/bin/python3 -IS
# SPDX-License-Identifier: GPL-2.0
"""Send a super-packet that the kernel takes and cannot segment: broken.py DEV

Its IP header says that it has 16 bytes. Exit code 0 if the device has taken it.
"""

import socket
import struct
import sys

SOL_PACKET, PACKET_VNET_HDR = 263, 15
NEEDS_CSUM, GSO_TCPV4 = 1, 1
PAYLOAD, SEGMENT = 3000, 1000


def packet() -> bytes:
    """Of 3054 bytes, behind a virtio_net_hdr: 3040 from the network header on."""
    tcp = struct.pack("!HHIIBBHHH", 1, 2, 0, 0, 5 << 4, 0x10, 1000, 0, 0)
    head = [0x4400, 40 + PAYLOAD, 0, 0, 64 << 8 | socket.IPPROTO_TCP, 0]
    ip = struct.pack("!6H", *head) + socket.inet_aton("192.0.2.1") + socket.inet_aton("192.0.2.2")
    ether = b"\2\0\0\0\0\2" + b"\2\0\0\0\0\1" + b"\x08\x00"
    virtio = struct.pack("=BBHHHH", NEEDS_CSUM, GSO_TCPV4, 54, SEGMENT, 34, 16)
    return virtio + ether + ip + tcp + bytes(PAYLOAD)


def main() -> None:
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3)) as raw:
        raw.setsockopt(SOL_PACKET, PACKET_VNET_HDR, 1)
        raw.bind((sys.argv[1], 0))
        raw.send(packet())


if __name__ == "__main__":
    main()
