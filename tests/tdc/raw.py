#!/usr/bin/python3 -IS
# SPDX-License-Identifier: GPL-2.0
"""Send a wlink request with attributes that tc and wlinkctl would never send.

    raw.py DEV add|change|replace [--flat] [--class ID | --handle ID] ATTRIBUTE ...
    raw.py DEV cuts VERB ATTRIBUTE ...
    raw.py DEV set|load|more|start|stop|cancel|forward|pair [--class ID] ATTRIBUTE ...

    ATTRIBUTE := NAME=u32:N | NAME=u64:N[,N...] | NAME=str:TEXT | NAME=hex:BYTES
               | NAME=zero:LEN | NAME=cut:LEN | NAME { ATTRIBUTE ... }
               | NAME ! { ATTRIBUTE ... }

NAME is that of the uapi, in lower case and without its prefix, or a number; +N for
a u64 is N ns from now. "cut" is a header that promises LEN bytes that do not
follow. "!" leaves NLA_F_NESTED off; --flat does so
for TCA_OPTIONS. ID is a class as tc writes it, "1:2", or the handle of the new root
qdisc; without either the root qdisc is meant. The verbs of the second line are
commands of the family wlink, about the qdisc 1: or the class.
The kernel's own words go to standard error. Exit code 0, or 2 if refused.
"""

import os
import re
import socket
import struct
import sys
import time
from collections.abc import Iterator
from pathlib import Path

RTM_NEWQDISC, RTM_NEWTCLASS = 36, 40
GETQDISC, GETTCLASS = 38, 42
NLM_F_REQUEST, NLM_F_ACK, NLM_F_REPLACE, NLM_F_EXCL, NLM_F_CREATE = 0x1, 0x4, 0x100, 0x200, 0x400
FLAGS = {"add": NLM_F_CREATE | NLM_F_EXCL, "change": 0, "replace": NLM_F_CREATE | NLM_F_REPLACE}
NLM_F_DUMP, NLMSG_ERROR, NLMSG_DONE = 0x300, 2, 3
NLMSGERR_ATTR_MSG, NLMSGERR_ATTR_OFFS = 1, 2
NLA_F_NESTED = 0x8000
TCA_KIND, TCA_OPTIONS = 1, 2
TC_H_ROOT = 0xFFFFFFFF
SOL_NETLINK, NETLINK_CAP_ACK, NETLINK_EXT_ACK = 270, 10, 11

NETLINK_GENERIC, GENL_ID_CTRL, CTRL_CMD_GETFAMILY = 16, 0x10, 3
CTRL_ATTR_FAMILY_ID, CTRL_ATTR_FAMILY_NAME = 1, 2
A_IFINDEX, A_HANDLE, A_BEARER = 2, 3, 8
CMDS = {"cancel": 4, "set": 5, "load": 6, "more": 7, "start": 8, "stop": 9, "forward": 13, "pair": 14}
DUMPS = {"pending": 10, "schedules": 11}

# Where the tests are, and where all that a VM needs lies in one folder.
HERE = Path(__file__).resolve().parent
HEADERS = (*HERE.glob("pkt_sch_wlink*.h"), *HERE.glob("../../kernel/include/uapi/linux/pkt_sch_wlink*.h"))


def nests() -> dict[str, list[str]]:
    """Of each nest the names of its attributes, by number."""
    found = {}
    for header in HEADERS:
        text = re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.DOTALL)
        for prefix, names in re.findall(r"enum \{\s*(?:TCA_)?(WLINK_\w*)UNSPEC,(.*?)\s__", text, re.DOTALL):
            words = [name.split(prefix)[1].lower() for name in re.findall(r"\w+", names)]
            found[prefix.removeprefix("WLINK_").lower().strip("_") or "options"] = ["", *words]
    return found


NESTS = nests()
TOP = NESTS["options"]
SHORT = {"generation": "gen", "steps_all": "steps"}
FAMILY = [SHORT.get(name, name) for name in NESTS.pop("a")]

Attributes = list[tuple[int, bytes]]


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
        major, minor = (int(part or "0", 16) for part in classid.split(":"))
        handle = major << 16 | minor
        if minor:
            parent, kind = major << 16, RTM_NEWTCLASS
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
            text = data[at + 4 : at + size].rstrip(b"\0").decode(errors="replace")
        elif what == NLMSGERR_ATTR_OFFS:
            offset = struct.unpack_from("=I", data, at + 4)[0]
        at += (size + 3) & ~3
    return error, text, offset


def read(data: bytes) -> Attributes:
    found, at = [], 0
    while at + 4 <= len(data):
        size, kind = struct.unpack_from("=HH", data, at)
        found.append((kind & 0x3FFF, data[at + 4 : at + size]))
        at += (size + 3) & ~3
    return found


def messages(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Type and bytes of each message in a datagram."""
    while len(data) >= 16:
        length, kind = struct.unpack_from("=IH", data)
        yield kind, data[:length]
        data = data[(length + 3) & ~3 :]


def dump(dev: str) -> Iterator[tuple[int, bytes]]:
    """All messages that the kernel answers with when asked for qdiscs, then classes of a device."""
    for ask in (GETQDISC, GETTCLASS):
        with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, socket.NETLINK_ROUTE) as nl:
            body = struct.pack("=BxxxiIII", socket.AF_UNSPEC, socket.if_nametoindex(dev), 0, 0, 0)
            nl.send(struct.pack("=IHHII", 16 + len(body), ask, NLM_F_DUMP | 1, 1, 0) + body)
            done = False
            while not done:
                for kind, message in messages(nl.recv(1 << 16)):
                    done |= kind == NLMSG_DONE
                    yield kind, message


def family() -> Attributes:
    """What the kernel says of the family wlink."""
    body = struct.pack("=BBH", CTRL_CMD_GETFAMILY, 1, 0)
    body += attribute(CTRL_ATTR_FAMILY_NAME, b"wlink\0")
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, NETLINK_GENERIC) as nl:
        nl.bind((0, 0))
        nl.send(struct.pack("=IHHII", 16 + len(body), GENL_ID_CTRL, 1, 1, 0) + body)
        return read(nl.recv(65536)[20:])


def command(cmd: int, payload: bytes, flags: int = 0) -> bytes:
    """What the family answers: the first datagram."""
    number = int.from_bytes(dict(family())[CTRL_ATTR_FAMILY_ID], sys.byteorder)
    body = struct.pack("=BBH", cmd, 2, 0) + payload
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, NETLINK_GENERIC) as nl:
        nl.setsockopt(SOL_NETLINK, NETLINK_EXT_ACK, 1)
        nl.setsockopt(SOL_NETLINK, NETLINK_CAP_ACK, 1)
        nl.bind((0, 0))
        nl.send(struct.pack("=IHHII", 16 + len(body), number, 1 | flags, 1, 0) + body)
        return nl.recv(65536)


def ask(dev: str, verb: str, words: list[str]) -> bytes:
    """What the family answers to a command."""
    major, minor = 1, 0
    if words[:1] == ["--class"]:
        major, minor = (int(part or "0", 16) for part in words[1].split(":"))
        words = words[2:]
    payload = b""
    for kind, number in ((A_IFINDEX, socket.if_nametoindex(dev)), (A_HANDLE, major << 16), (A_BEARER, minor)):
        payload += attribute(kind, struct.pack("=I", number)) if number else b""
    payload += attributes(iter(words), FAMILY)
    return command(CMDS[verb], payload) if verb in CMDS else command(DUMPS[verb], payload, NLM_F_DUMP)


def refusal(data: bytes) -> tuple[int, str]:
    """Error number and what the kernel says of a request."""
    error, text, offset = 0, "", None
    if struct.unpack_from("=H", data, 4)[0] == NLMSG_ERROR:
        error, text, offset = answer(data)
    if not error:
        return 0, ""
    where = "" if offset is None else f" (byte {offset})"
    return error, f"{os.strerror(error)}: {text}{where}"


def send(args: list[str]) -> tuple[int, str]:
    """Error number and what the kernel says of a request."""
    dev, verb, *words = args
    if verb in CMDS or verb in DUMPS:
        return refusal(ask(dev, verb, words))
    flat, classid = False, ""
    while words and words[0].startswith("--"):
        if words.pop(0) == "--flat":
            flat = True
        else:
            classid = words.pop(0)
    payload = attributes(iter(words), TOP)
    options = attribute(TCA_OPTIONS | (0 if flat else NLA_F_NESTED), payload)
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, socket.NETLINK_ROUTE) as nl:
        nl.setsockopt(SOL_NETLINK, NETLINK_EXT_ACK, 1)
        nl.setsockopt(SOL_NETLINK, NETLINK_CAP_ACK, 1)
        nl.bind((0, 0))
        nl.send(request(socket.if_nametoindex(dev), FLAGS[verb], classid, options))
        return refusal(nl.recv(65536))


def cuts(dev: str, verb: str, words: list[str]) -> str:
    """Send a message cut after each of its bytes; how many were refused, and how many
    were taken. A command may be taken only where it is cut between two attributes;
    rtnetlink reads what is cut as if it had no options.
    """
    refused = taken = 0
    if verb in CMDS:
        payload = attribute(A_IFINDEX, struct.pack("=I", socket.if_nametoindex(dev)))
        payload += attribute(A_HANDLE, struct.pack("=I", 0x10000)) + attributes(iter(words), FAMILY)
        number = int.from_bytes(dict(family())[CTRL_ATTR_FAMILY_ID], sys.byteorder)
        bus, head, kind = NETLINK_GENERIC, struct.pack("=BBH", CMDS[verb], 2, 0), number
    else:
        payload = attribute(TCA_OPTIONS | NLA_F_NESTED, attributes(iter(words), TOP))
        whole = request(socket.if_nametoindex(dev), FLAGS[verb], "", b"")
        bus, head, kind = socket.NETLINK_ROUTE, whole[16:], struct.unpack_from("=H", whole, 4)[0]
    ends = {0}
    for _, value in read(payload):
        ends.add(max(ends) + ((4 + len(value) + 3) & ~3))
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, bus) as nl:
        nl.bind((0, 0))
        for length in range(len(payload)):
            body = head + payload[:length]
            nl.send(struct.pack("=IHHII", 16 + len(body), kind, NLM_F_REQUEST | NLM_F_ACK, 1, 0) + body)
            while struct.unpack_from("=H", data := nl.recv(65536), 4)[0] != NLMSG_ERROR:
                pass
            error = answer(data)[0]
            if error:
                refused += 1
            elif verb in CMDS and length not in ends:
                return f"cut after {length} of {len(payload)} bytes it is taken"
            else:
                taken += 1
    return f"{refused + taken} cuts, {taken} taken"


def main() -> int:
    if sys.argv[2] == "cuts":
        print(cuts(sys.argv[1], sys.argv[3], sys.argv[4:]))
        return 0
    error, text = send(sys.argv[1:])
    if not error:
        return 0
    print(text, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
