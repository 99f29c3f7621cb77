#!/usr/bin/python3 -IS
# SPDX-License-Identifier: GPL-2.0
"""Send a wlink request with attributes that tc and wlinkctl would never send.

    raw.py DEV add|change [--flat] [--class ID] ATTRIBUTE ...

    ATTRIBUTE := NAME=u32:N | NAME=u64:N[,N...] | NAME=str:TEXT | NAME=hex:BYTES
               | NAME=zero:LEN | NAME=cut:LEN | NAME { ATTRIBUTE ... }
               | NAME ! { ATTRIBUTE ... }

NAME is a name or a number; +N for a u64 is N ns from now. "cut" is a header that
promises LEN bytes that do not follow. "!" leaves NLA_F_NESTED off; --flat does so
for TCA_OPTIONS. ID is a class as tc writes it, "1:2"; without it the root qdisc is
meant.
The kernel's own words go to standard error. Exit code 0, or 2 if refused.
"""

import os
import socket
import struct
import sys
import time
from collections.abc import Iterator

RTM_NEWQDISC, RTM_NEWTCLASS = 36, 40
NLM_F_REQUEST, NLM_F_ACK, NLM_F_EXCL, NLM_F_CREATE = 0x1, 0x4, 0x200, 0x400
NLMSG_ERROR = 2
NLMSGERR_ATTR_MSG, NLMSGERR_ATTR_OFFS = 1, 2
NLA_F_NESTED = 0x8000
TCA_KIND, TCA_OPTIONS = 1, 2
TC_H_ROOT = 0xFFFFFFFF
SOL_NETLINK, NETLINK_CAP_ACK, NETLINK_EXT_ACK = 270, 10, 11

TOP = ["", "pad", "rate", "tti", "delay", "pdu", "header", "seed", "limit", "channel"]
TOP += ["sched", "prio", "mode", "rlc", "reverse"]
TOP += ["aqm", "profile", "at", "cookie", "bearer", "play"]
CHANNEL = ["", "pad", "kind", "loss", "p", "r", "loss_good", "loss_bad"]
CHANNEL += ["mean_good", "mean_bad", "hazard_good", "hazard_bad"]
RLC = """
 pad window in_order poll_last poll_last_retx poll_pdu poll_sdu poll_window poll_timer poll_periodic
 poll_prohibit missing status_periodic status_prohibit status discard maxdat discard_timer mrw_timer
 maxmrw reset_timer maxrst reorder reorder_timer duplicates rto alpha beta rttvar ack_delay
 ack_bytes nack_guard
"""
AQM = """
 pad kind unit minth maxth maxp count gentle head weight sdu alpha tr target interval ecn
 ramp_from ramp_to hold
"""
NESTS = {
    "aqm": ["", *AQM.split()],
    "profile": ["", "pad", "name", "row"],
    "row": ["", "pad", "rate", "aqm"],
    "bearer": ["", "pad", "number", "options"],
    "options": TOP,
    "play": ["", "pad", "op", "columns", "steps", "end", "length", "start"],
    "limit": ["", "pad", "packets", "bytes", "time"],
    "channel": CHANNEL,
    "rlc": ["", *RLC.split()],
    "reverse": ["", "pad", "rate", "delay", "channel"],
}


def attribute(kind: int, data: bytes, length: int | None = None) -> bytes:
    head = struct.pack("=HH", 4 + len(data) if length is None else length, kind)
    return head + data + b"\0" * (-len(data) % 4)


def number(name: str, names: list[str]) -> int:
    return int(name) if name.isdigit() else names.index(name)


def word(text: str) -> int:
    return int(text) + (time.monotonic_ns() if text.startswith("+") else 0)


def value(kind: int, text: str) -> bytes:
    form, _, rest = text.partition(":")
    if form == "u32":
        return attribute(kind, struct.pack("=I", int(rest)))
    if form == "u64":
        return attribute(kind, b"".join(struct.pack("=Q", word(n)) for n in rest.split(",")))
    if form == "str":
        return attribute(kind, rest.encode() + b"\0")
    if form == "hex":
        return attribute(kind, bytes.fromhex(rest))
    if form == "zero":
        return attribute(kind, bytes(int(rest)))
    if form == "cut":
        return attribute(kind, b"", 4 + int(rest))
    raise ValueError(f"what is {text}?")


def attributes(words: Iterator[str], names: list[str]) -> bytes:
    """Encode up to the closing brace or the end."""
    data = b""
    for text in words:
        if text == "}":
            break
        name, _, rest = text.partition("=")
        kind = number(name, names)
        if rest:
            data += value(kind, rest)
            continue
        flag = NLA_F_NESTED
        if next(words) == "!":
            flag = 0
            next(words)
        data += attribute(kind | flag, attributes(words, NESTS.get(name, [])))
    return data


def request(ifindex: int, flags: int, classid: str, options: bytes) -> bytes:
    handle, parent, kind = 0, TC_H_ROOT, RTM_NEWQDISC
    if classid:
        major, minor = (int(part, 16) for part in classid.split(":"))
        handle, parent, kind = major << 16 | minor, major << 16, RTM_NEWTCLASS
    body = struct.pack("=BxxxiIII", socket.AF_UNSPEC, ifindex, handle, parent, 0)
    body += attribute(TCA_KIND, b"wlink\0") + options
    head = struct.pack("=IHHII", 16 + len(body), kind, NLM_F_REQUEST | NLM_F_ACK | flags, 1, 0)
    return head + body


def answer(data: bytes) -> tuple[int, str, int | None]:
    """Error number, the kernel's words, offset of the attribute they are about."""
    length, kind = struct.unpack_from("=IH", data)
    if kind != NLMSG_ERROR:
        raise ValueError(f"message of type {kind} instead of an answer")
    error = -struct.unpack_from("=i", data, 16)[0]
    text, offset = "", None
    at = 16 + 4 + 16
    while at + 4 <= length:
        size, what = struct.unpack_from("=HH", data, at)
        if what == NLMSGERR_ATTR_MSG:
            text = data[at + 4 : at + size].rstrip(b"\0").decode()
        elif what == NLMSGERR_ATTR_OFFS:
            offset = struct.unpack_from("=I", data, at + 4)[0]
        at += (size + 3) & ~3
    return error, text, offset


def send(args: list[str]) -> tuple[int, str]:
    """Error number and what the kernel says of a request."""
    dev, verb, *words = args
    flat, classid = False, ""
    while words and words[0].startswith("--"):
        if words.pop(0) == "--class":
            classid = words.pop(0)
        else:
            flat = True
    flags = NLM_F_CREATE | NLM_F_EXCL if verb == "add" else 0
    payload = attributes(iter(words), TOP)
    options = attribute(TCA_OPTIONS | (0 if flat else NLA_F_NESTED), payload)
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, socket.NETLINK_ROUTE) as nl:
        nl.setsockopt(SOL_NETLINK, NETLINK_EXT_ACK, 1)
        nl.setsockopt(SOL_NETLINK, NETLINK_CAP_ACK, 1)
        nl.bind((0, 0))
        nl.send(request(socket.if_nametoindex(dev), flags, classid, options))
        error, text, offset = answer(nl.recv(65536))
    if not error:
        return 0, ""
    where = "" if offset is None else f" (byte {offset})"
    return error, f"{os.strerror(error)}: {text}{where}"


def main() -> int:
    error, text = send(sys.argv[1:])
    if not error:
        return 0
    print(text, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
