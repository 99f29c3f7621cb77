#!/usr/bin/python3 -IS
# SPDX-License-Identifier: GPL-2.0
"""Do things one after the other and tell what the wlink module notifies of.

    story.py STEP ...

    STEP := "raw ARGS"   as raw.py, see there
          | "times N raw ARGS" the same N times; only what is refused is told
          | "wait NS"    until NS after the begin
          | "mark"       begin again, now
          | "mark last"  begin again where the last notification took effect
          | "# TEXT"     print it
          | a command of the shell

In ARGS {N} is the time N ns after the begin. Times are printed as ns since the
begin. What the kernel says of a refused request is printed, too. Exit code 0.
"""

import ctypes
import re
import shlex
import socket
import struct
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import raw  # noqa: E402

NETLINK_GENERIC = 16
SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, SO_RCVBUFFORCE = 270, 1, 33
GENL_ID_CTRL, CTRL_CMD_GETFAMILY = 0x10, 3
CTRL_ATTR_FAMILY_ID, CTRL_ATTR_FAMILY_NAME, CTRL_ATTR_MCAST_GROUPS = 1, 2, 7
CTRL_ATTR_MCAST_GRP_NAME, CTRL_ATTR_MCAST_GRP_ID = 1, 2
PR_SET_TIMERSLACK = 29
CMDS = {1: "applied", 2: "play"}
NAMES = ["", "pad", "ifindex", "handle", "at", "asked", "gen", "cookie", "bearer", "state", "lost"]
TIMES = ("at", "asked")
STATES = ["none", "loaded", "waits", "plays", "holds"]

Attributes = list[tuple[int, bytes]]


def read(data: bytes) -> Attributes:
    found, at = [], 0
    while at + 4 <= len(data):
        size, kind = struct.unpack_from("=HH", data, at)
        found.append((kind & 0x3FFF, data[at + 4 : at + size]))
        at += (size + 3) & ~3
    return found


def number(data: bytes) -> int:
    return int.from_bytes(data, sys.byteorder)


def group() -> int:
    """The number of the multicast group."""
    body = struct.pack("=BBH", CTRL_CMD_GETFAMILY, 1, 0)
    body += raw.attribute(CTRL_ATTR_FAMILY_NAME, b"wlink\0")
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, NETLINK_GENERIC) as nl:
        nl.bind((0, 0))
        nl.send(struct.pack("=IHHII", 16 + len(body), GENL_ID_CTRL, 1, 1, 0) + body)
        family = dict(read(nl.recv(65536)[20:]))
    for _, one in read(family[CTRL_ATTR_MCAST_GROUPS]):
        names = dict(read(one))
        if names[CTRL_ATTR_MCAST_GRP_NAME] == b"events\0":
            return number(names[CTRL_ATTR_MCAST_GRP_ID])
    raise SystemExit("the module has no group of that name")


def text(data: bytes, begin: int) -> tuple[str, int]:
    """A notification: what, then names and values in the order of the message; when."""
    words, at = [CMDS[data[16]]], 0
    for kind, value in read(data[20:]):
        name, n = NAMES[kind], number(value)
        if name == "at":
            at = n
        if name in ("pad", "ifindex", "handle") or (name == "lost" and not n):
            continue
        if name == "state":
            words.append(f"state {STATES[n]}")
        else:
            words.append(f"{name} {n - begin if name in TIMES else n}")
    return " ".join(words), at


def wait(until: int) -> None:
    while (left := until - time.monotonic_ns()) > 0:
        time.sleep(left / 1e9)


def request(args: str, begin: int) -> str:
    """What the kernel says of a request, nothing if it is taken."""
    args = re.sub(r"\{(\d+)\}", lambda match: str(begin + int(match[1])), args)
    return raw.send(shlex.split(args))[1]


def repeat(times: int, args: str, begin: int) -> None:
    for _ in range(times):
        if refusal := request(args, begin):
            print(refusal, flush=True)


def main() -> int:
    ctypes.CDLL(None).prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0)
    nl = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, NETLINK_GENERIC)
    nl.bind((0, 0))
    nl.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, 1 << 24)
    nl.setsockopt(SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, group())
    nl.setblocking(False)
    begin = last = time.monotonic_ns()
    for step in sys.argv[1:]:
        verb, _, rest = step.partition(" ")
        if verb == "raw":
            print(request(rest, begin) or "ok", flush=True)
        elif verb == "times":
            times, _, args = rest.partition(" raw ")
            repeat(int(times), args, begin)
        elif verb == "wait":
            wait(begin + int(rest))
        elif verb == "mark":
            begin = last if rest == "last" else time.monotonic_ns()
        elif verb == "#":
            print(rest, flush=True)
        else:
            subprocess.run(step, shell=True, check=False)
        # The kernel sends from a thread of its own.
        time.sleep(0)
        try:
            while True:
                line, last = text(nl.recv(1 << 20), begin)
                print(line, flush=True)
        except BlockingIOError:
            pass
    return 0


if __name__ == "__main__":
    sys.exit(main())
