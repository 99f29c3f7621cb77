#!/usr/bin/python3 -IS
# SPDX-License-Identifier: GPL-2.0
"""Tell what rtnetlink notifies of while things are done.

    heard.py STEP ...

    STEP := "raw ARGS"   as raw.py; LARGEST in ARGS stands for options than which no
                         dump has more
          | "dump DEV"   ask for all qdiscs and classes of a device
          | "get ifindex=DEV ATTRIBUTE ..." ask the family wlink, as in raw.py
          | a command of the shell

Each message about a wlink is one line, such as "new qdisc 2:", and so is each answer
to a dump, without "new"; with its length where it is above DUMP_BYTES. An answer of
the family is the kernel's words, or how many SDUs
came in and were delivered, and how many each histogram has: lateness, then the parts
of the delay. Exit code 0.
"""

import shlex
import socket
import struct
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import raw  # noqa: E402

RTMGRP_TC = 8
CMD_GET = 3
STATS, LATE_BINS, WHY_BINS = 11, 12, 13
SDUS_IN, SDUS_DELIVERED, BINS = 0, 2, 40
KINDS = {36: "new qdisc", 37: "del qdisc", 40: "new class", 41: "del class"}

# A notification of 3776 bytes (NLMSG_GOODSIZE of a page) has the old qdisc and the new
# one, each with a size table of 36 bytes.
DUMP_BYTES = 3776 // 2 - 36

# A channel of two states and a RED follower of a profile have most, am has most timers;
# a table of jitter has a name as long as a profile's.
TWO = "channel { kind=u32:3 mean_good=u64:1000000 mean_bad=u64:1000 hazard_good=u64:1 hazard_bad=u64:2 }"
RED = "kind=u32:1 unit=u32:1 minth=u32:1 maxth=u32:200 maxp=u32:5 ramp_from=u64:1000 ramp_to=u64:4000"
LARGEST = f"""
 rate=u64:2000000 delay=u64:1000000 pdu=u32:40 header=u32:2 mode=u32:2 {TWO}
 reverse {{ rate=u64:64000 delay=u64:5 {TWO} }}
 jitter {{ mean=u64:1000 dist=u32:6 dev=u64:1000 name=str:{"n" * 91} unit=u64:1
  points=hex:{"00" * 8}ffffffff01000000 correlation=u32:5 reorder=u32:1 }}
 impair {{ duplicate=u32:5 corrupt=u32:5 unit=u32:1 lost=u32:0 }}
 profile {{ name=str:{"n" * 91} row {{ rate=u64:1 aqm {{ {RED} }} }} }}
"""


def line(kind: int, message: bytes) -> str:
    """What is told of a message, or nothing."""
    if b"wlink\0" not in message[36:48]:
        return ""
    (handle,) = struct.unpack_from("=I", message, 24)
    minor = handle & 0xFFFF
    name = f"{handle >> 16:x}:" + (f"{minor:x}" if minor else "")
    long = f" {len(message)} bytes" if len(message) > DUMP_BYTES else ""
    return f"{KINDS[kind]} {name}{long}"


def hear(nl: socket.socket) -> None:
    """Print what has come: what is done under RTNL is told before it is answered."""
    while True:
        try:
            data = nl.recv(65536, socket.MSG_DONTWAIT)
        except BlockingIOError:
            return
        for kind, message in raw.messages(data):
            if told := line(kind, message):
                print(told)


def dump(dev: str) -> None:
    for kind, message in raw.dump(dev):
        if kind in KINDS and (told := line(kind, message)):
            print(told.removeprefix("new "))


def get(words: list[str]) -> str:
    first = words[0].removeprefix("ifindex=")
    if ":" not in first:
        words = [f"ifindex=u32:{socket.if_nametoindex(first)}", *words[1:]]
    data = raw.command(CMD_GET, raw.attributes(iter(words), raw.FAMILY))
    if struct.unpack_from("=H", data, 4)[0] == raw.NLMSG_ERROR:
        return raw.answer(data)[1]
    found = {
        kind: struct.unpack(f"={len(value) // 8}Q", value)
        for kind, value in raw.read(data[20:])
        if kind in (STATS, LATE_BINS, WHY_BINS)
    }
    stats, why = found[STATS], found[WHY_BINS]
    parts = [sum(why[at : at + BINS]) for at in range(0, len(why), BINS)]
    return f"{stats[SDUS_IN]} in {stats[SDUS_DELIVERED]} out, {sum(found[LATE_BINS])} late, {parts}"


def main() -> int:
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, socket.NETLINK_ROUTE) as nl:
        nl.bind((0, RTMGRP_TC))
        for step in sys.argv[1:]:
            words = shlex.split(step)
            if words[0] == "dump":
                dump(words[1])
            elif words[0] == "get":
                print(get(words[1:]))
            elif words[0] == "raw":
                error, text = raw.send(shlex.split(step.replace("LARGEST", LARGEST))[1:])
                if error:
                    print(text)
            else:
                subprocess.run(step, shell=True, check=False)
            hear(nl)
    return 0


if __name__ == "__main__":
    sys.exit(main())
