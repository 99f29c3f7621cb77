#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""ping.py ADDRESS COUNT MEAN_S: ping at random intervals, so that no period of the link is met in step.

The intervals are uniform, up to twice the mean. Prints the round trip of each answer in ns.
"""

import random
import socket
import struct
import sys
import time

ECHO = 8
HEADER = struct.Struct("!BBHHHQ")
# With it the packet is as long as ping's, 84 bytes.
REST = bytes(48)
# For the last answers.
PATIENCE_NS = 15 * 10**9


def sum16(data: bytes) -> int:
    total: int = sum(struct.unpack(f"!{len(data) // 2}H", data))
    total = (total >> 16) + (total & 0xFFFF)
    return ~(total + (total >> 16)) & 0xFFFF


def main() -> None:
    address, count, mean_s = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
    end = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP)
    at = time.monotonic_ns()
    answered = 0
    for number in range(count + 1):
        at += round(random.uniform(0, 2 * mean_s) * 1e9) if number < count else PATIENCE_NS
        while (left := at - time.monotonic_ns()) > 0 and answered < count:
            end.settimeout(left / 1e9)
            try:
                got = end.recv(200)[20:]
            except (TimeoutError, BlockingIOError):
                continue
            if got[0] == 0:
                print(time.monotonic_ns() - HEADER.unpack_from(got)[5])
                answered += 1
        if number < count:
            head = [ECHO, 0, 0, 1, number & 0xFFFF, time.monotonic_ns()]
            head[2] = sum16(HEADER.pack(*head) + REST)
            end.sendto(HEADER.pack(*head) + REST, (address, 0))


main()
