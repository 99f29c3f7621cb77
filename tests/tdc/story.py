#!/usr/bin/python3 -IS
# SPDX-License-Identifier: GPL-2.0
"""Do things one after the other and tell what the wlink module notifies of.

    story.py STEP ...

    STEP := "raw ARGS"   as raw.py, see there
          | "ask ARGS"   a command, or the dumps pending and schedules; what is answered is
                         printed
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

SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, SO_RCVBUFFORCE = 270, 1, 33
CTRL_ATTR_MCAST_GROUPS = 7
CTRL_ATTR_MCAST_GRP_NAME, CTRL_ATTR_MCAST_GRP_ID = 1, 2
PR_SET_TIMERSLACK = 29
CMDS = {1: "applied", 2: "schedule", 4: "cancelled"} | dict.fromkeys(range(5, 13), "answered")
TIMES = ("at", "asked")
STATES = ["none", "loaded", "waits", "plays", "holds"]


def number(data: bytes) -> int:
    return int.from_bytes(data, sys.byteorder)


def group() -> int:
    """The number of the multicast group."""
    groups = dict(raw.family())[CTRL_ATTR_MCAST_GROUPS]
    for _, one in raw.read(groups):
        names = dict(raw.read(one))
        if names[CTRL_ATTR_MCAST_GRP_NAME] == b"events\0":
            return number(names[CTRL_ATTR_MCAST_GRP_ID])
    raise SystemExit("the module has no group of that name")


def text(data: bytes, begin: int) -> tuple[str, int]:
    """A notification: what, then names and values in the order of the message; when."""
    words, at = [CMDS[data[16]]], 0
    for kind, value in raw.read(data[20:]):
        name, n = raw.FAMILY[kind], number(value)
        if name == "at":
            at = n
        if name in ("pad", "ifindex", "handle", "cookie") or (name == "lost" and not n):
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


def answer(args: str, begin: int) -> str:
    """What the family answers to a command."""
    args = re.sub(r"\{(\d+)\}", lambda match: str(begin + int(match[1])), args)
    dev, verb, *words = shlex.split(args)
    data = raw.ask(dev, verb, words)
    if refusal := raw.refusal(data)[1]:
        return refusal
    lines = []
    while data:
        length, kind = struct.unpack_from("=IH", data)
        if kind != raw.NLMSG_DONE:
            lines.append(f"{verb} {text(data[:length], begin)[0]}")
        data = data[(length + 3) & ~3 :]
    return "\n".join(lines)


def repeat(times: int, args: str, begin: int) -> None:
    for _ in range(times):
        if refusal := request(args, begin):
            print(refusal, flush=True)


def main() -> int:
    ctypes.CDLL(None).prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0)
    nl = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, raw.NETLINK_GENERIC)
    nl.bind((0, 0))
    nl.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, 1 << 24)
    nl.setsockopt(SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, group())
    nl.setblocking(False)
    begin = last = time.monotonic_ns()
    for step in sys.argv[1:]:
        verb, _, rest = step.partition(" ")
        if verb == "raw":
            print(request(rest, begin) or "ok", flush=True)
        elif verb == "ask":
            print(answer(rest, begin), flush=True)
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
        # The kernel sends from a thread of its own, which runs when nothing else does.
        time.sleep(1e-6)
        try:
            while True:
                line, last = text(nl.recv(1 << 20), begin)
                print(line, flush=True)
        except BlockingIOError:
            pass
    return 0


if __name__ == "__main__":
    sys.exit(main())
