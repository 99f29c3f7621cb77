# SPDX-License-Identifier: GPL-2.0
"""pcapng, for Wireshark: a packet when it has left its link or was dropped, its fate as a comment.

An interface for each link. guest/log/capture.c writes the same blocks and comments while a run is read.
"""

import struct
from typing import IO

from .packets import Packets

SECTION, INTERFACE, PACKET = 0x0A0D0D0A, 1, 6
COMMENT, NAME, RESOLUTION = 1, 2, 9
ETHERNET, ETHERNET_BYTES = 1, 14


def padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % 4)


def options(**found: bytes) -> bytes:
    codes = {"comment": COMMENT, "name": NAME, "resolution": RESOLUTION}
    out = b"".join(struct.pack("<HH", codes[name], len(text)) + padded(text) for name, text in found.items())
    return out + bytes(4)


def block(kind: int, body: bytes) -> bytes:
    length = struct.pack("<I", len(body) + 12)
    return struct.pack("<I", kind) + length + body + length


def comment(words: dict[str, object]) -> str:
    return " ".join(f"{key}={v:.6f}" if isinstance(v, float) else f"{key}={v}" for key, v in words.items())


def write(found: Packets, to: IO[bytes]) -> int:
    """Write it; returns the number of packets."""
    to.write(block(SECTION, struct.pack("<IHHQ", 0x1A2B3C4D, 1, 0, 2**64 - 1)))
    for link in found.links:
        head = struct.pack("<HHI", ETHERNET, 0, 0)
        to.write(block(INTERFACE, head + options(name=link.encode(), resolution=b"\x09")))
    numbers = {link: number for number, link in enumerate(found.links)}
    for sdu in found.sdus:
        data, length = found.bytes.get((sdu.link, sdu.seq), (b"", sdu.bytes + ETHERNET_BYTES))
        ns = max(0, sdu.at + found.utc_ns)
        head = struct.pack("<IIIII", numbers[sdu.link], ns >> 32, ns & 0xFFFFFFFF, len(data), length)
        text = f"{sdu.fate} {comment(sdu.words())}"
        to.write(block(PACKET, head + padded(data) + options(comment=text.encode())))
    if not found.bytes:
        found.notes.append("packets without their bytes: those of a run are kept with --set capture=true")
    return len(found.sdus)
