# SPDX-License-Identifier: GPL-2.0
"""Inside the sanitizer kernel: an ordinary user, root in a namespace of their own, sends what they like.

    hand_guest.py MESSAGES SEED

Each message is a command of rtnetlink or of the family wlink with a body from a grammar: names are
those of tests/tdc/raw.py, the sizes and bounds of values are learnt from what the kernel says of
wrong ones. Some attributes come twice, are cut short or torn. Packets go through the link meanwhile.
At the end the namespaces of a pair are asked about. The kernel's log is judged by wlab.
"""

import ctypes
import json
import os
import random
import re
import socket
import struct
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import sleep

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tdc"))
import raw

USER = 65534
PR_SET_DUMPABLE = 4
CLONE_NEWUSER, CLONE_NEWNET = 0x10000000, 0x40000000
QDISC, CLASS = {"new": 36, "del": 37, "get": 38}, {"new": 40, "del": 41, "get": 42}
FLAGS = (0, 0, 0x100, 0x200, 0x300, 0x400, 0x500, 0x600)
RTNLGRP_TC, ADD_MEMBERSHIP = 4, 1
A_PART, A_PEER_IFINDEX, A_PEER_HANDLE, A_PEER_FD, PAIR = 15, 21, 22, 23, 14
COMMANDS = {number: name for name, number in (raw.CMDS | raw.DUMPS | {"get": 3, "profile": 12}).items()}
# Of numbers whose bounds nobody has told yet, and now and then of others.
NUMBERS = (
    0,
    1,
    2,
    3,
    7,
    40,
    1000,
    4096,
    65535,
    10**6,
    10**7,
    10**9,
    2**31,
    2**32 - 1,
    2**63,
    2**64 - 2,
    2**64 - 1,
)
NEEDS = re.compile(r"wlink: (?:.* )?\S+ has \d+ bytes, needs (4|8)$")
OUTSIDE = re.compile(r"wlink: .*\d.* is outside (\d+)\.\.(\d+)")
NESTED = re.compile(r"is not a nested attribute|needs a value")

dice = random.Random()
sizes: dict[str, int] = {}
bounds: dict[str, tuple[int, int]] = {}
done: Counter[str] = Counter()
said: Counter[str] = Counter()


class Body:
    """Attributes, and which of them begins where."""

    def __init__(self, base: int) -> None:
        self.base = base
        self.places: dict[int, str] = {}

    def number(self, key: str) -> bytes:
        low, high = bounds.get(key, (0, 0))
        value = dice.choice(NUMBERS) if key not in bounds or dice.random() < 0.05 else 0
        if not value and high:
            value = dice.choice((low, high, dice.randint(low, high), dice.randint(low, min(high, low + 20))))
        size = sizes.get(key, dice.choice((4, 8)))
        if dice.random() < 0.02:
            return dice.randbytes(dice.choice((0, 1, 3, 4, 8, 12, 100, 4000)))
        return (value % (1 << 8 * size)).to_bytes(size, sys.byteorder)

    def nest(self, name: str, at: int, deep: int = 0) -> bytes:
        names = raw.NESTS[name]
        most = len(names) if dice.random() < 0.05 else dice.choice((0, 1, 1, 2, 3, 6))
        data = b""
        for _ in range(most if deep < 4 else 0):
            kind = dice.randrange(len(names) + (dice.random() < 0.02))
            data += self.one(name, kind, at + len(data), deep)
            if dice.random() < 0.03:
                data += self.one(name, kind, at + len(data), deep)
        return data

    def one(self, parent: str, kind: int, at: int, deep: int) -> bytes:
        names = raw.NESTS.get(parent, raw.FAMILY)
        name = names[kind] if kind < len(names) else ""
        self.places[at] = key = f"{parent}.{name or kind}"
        inner = name in raw.NESTS and sizes.get(key, 0) == 0
        data = self.nest(name, at + 4, deep + 1) if inner else self.number(key)
        flag = raw.NLA_F_NESTED if inner != (dice.random() < 0.01) else 0
        length = 4 + len(data) if dice.random() > 0.005 else dice.choice((0, 3, 5, 65535))
        return raw.attribute(kind | flag, data, length)


def learn(body: Body, text: str, offset: int | None) -> None:
    """What the kernel says of a value is how the next one is made."""
    key = body.places.get(-1 if offset is None else offset, "")
    if (found := NEEDS.search(text)) and key:
        sizes[key] = int(found[1])
    elif (found := OUTSIDE.search(text)) and key:
        bounds[key] = (int(found[1]), int(found[2]))


class Hand:
    """Sockets, and a device with a link."""

    def __init__(self) -> None:
        self.route = self.open(socket.NETLINK_ROUTE)
        self.genl = self.open(raw.NETLINK_GENERIC)
        self.family = int.from_bytes(dict(raw.family())[raw.CTRL_ATTR_FAMILY_ID], sys.byteorder)
        self.devs = [socket.if_nametoindex(dev) for dev in ("va", "vb", "vc")]
        self.udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.udp.setblocking(False)

    @staticmethod
    def open(bus: int) -> socket.socket:
        nl = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, bus)
        nl.setsockopt(raw.SOL_NETLINK, raw.NETLINK_EXT_ACK, 1)
        nl.setsockopt(raw.SOL_NETLINK, raw.NETLINK_CAP_ACK, 1)
        nl.bind((0, 0))
        nl.setblocking(False)
        return nl

    def told(self, nl: socket.socket, body: Body, name: str) -> None:
        """All that is answered; an acknowledgement is the last of it."""
        with suppress(BlockingIOError, OSError):
            while data := nl.recv(1 << 17):
                if struct.unpack_from("=H", data, 4)[0] not in (raw.NLMSG_ERROR, raw.NLMSG_DONE):
                    done[f"{name} answers"] += 1
                    continue
                if struct.unpack_from("=H", data, 4)[0] == raw.NLMSG_DONE:
                    break
                error, text, offset = raw.answer(data)
                done[f"{name} {'taken' if not error else 'refused'}"] += 1
                said[re.sub(r"\d+", "N", text)] += 1
                learn(body, text, offset)

    def send(self, nl: socket.socket, kind: int, flags: int, payload: bytes, body: Body, name: str) -> None:
        if dice.random() < 0.01:
            payload = payload[: dice.randrange(len(payload))]
        if dice.random() < 0.01:
            torn = bytearray(payload)
            for _ in range(dice.randrange(1, 8)):
                torn[dice.randrange(len(torn))] = dice.randrange(256)
            payload = bytes(torn)
        head = struct.pack("=IHHII", 16 + len(payload), kind, 5 | flags, 1, 0)
        with suppress(OSError):
            nl.send(head + payload)
        self.told(nl, body, name)

    def dev(self) -> int:
        return dice.choice((*self.devs, self.devs[0], 9999) if dice.random() < 0.1 else self.devs)

    def traffic_control(self) -> None:
        verb, is_class = dice.choice(("new", "new", "new", "del", "get")), dice.random() < 0.6
        if verb == "del" and dice.random() < (0.3 if is_class else 0.9):
            verb = "new"
        minor = dice.choice((1, 2, 3, 4, 5, 0x1000, 0x1001)) if is_class else 0
        parent = dice.choice((0x10000, raw.TC_H_ROOT)) if is_class else raw.TC_H_ROOT
        head = struct.pack("=BxxxiIII", 0, self.dev(), 0x10000 | minor, parent, 0)
        head += raw.attribute(raw.TCA_KIND, b"wlink\0")
        body = Body(16 + len(head) + 4)
        options = body.nest("options", body.base)
        if verb == "new" and not is_class and dice.random() < 0.8:
            options += raw.attribute(2, struct.pack("=Q", 10**6))
        payload = head + raw.attribute(raw.TCA_OPTIONS | raw.NLA_F_NESTED, options)
        name = f"{verb} {'class' if is_class else 'qdisc'}"
        kind = (CLASS if is_class else QDISC)[verb]
        self.send(self.route, kind, dice.choice(FLAGS), payload, body, name)

    def command(self) -> None:
        cmd = dice.choice(list(COMMANDS)) if dice.random() < 0.98 else dice.randrange(20)
        name = COMMANDS.get(cmd, "unknown")
        payload = struct.pack("=BBH", cmd, 2, 0)
        body = Body(20)
        for kind, value in ((raw.A_IFINDEX, self.dev()), (raw.A_HANDLE, 0x10000)):
            for _ in range(1 + (dice.random() < 0.02)):
                payload += raw.attribute(kind, struct.pack("=I", value))
        if dice.random() < 0.4 and name not in ("set", "cancel", "pair"):
            payload += raw.attribute(raw.A_BEARER, struct.pack("=I", dice.choice((1, 2, 3, 4, 5, 999, 4096))))
        if name == "pair" and dice.random() < 0.9:
            payload += raw.attribute(A_PEER_IFINDEX, struct.pack("=I", self.dev()))
            payload += raw.attribute(A_PEER_HANDLE, struct.pack("=I", 0x10000))
        if name == "set":
            payload += self.parts(body, 16 + len(payload))
        if name in ("load", "more", "start"):
            payload += self.schedule(body, name, 16 + len(payload))
        if dice.random() < 0.1:
            payload += body.one("", dice.randrange(len(raw.FAMILY)), 16 + len(payload), 3)
        self.send(
            self.genl,
            self.family,
            dice.choice((0, 0, 0, 0x300)) if cmd not in raw.DUMPS.values() else 0x300,
            payload,
            body,
            name,
        )

    @staticmethod
    def parts(body: Body, at: int) -> bytes:
        data = b""
        bearers = [dice.choice((1, 1, 2, 3, 4, 999)) for _ in range(dice.choice((1, 1, 2, 3)))]
        for bearer in sorted(set(bearers)) if dice.random() < 0.9 else bearers:
            part = raw.attribute(2, struct.pack("=I", bearer))
            if dice.random() < 0.1:
                part += raw.attribute(2, struct.pack("=I", dice.choice((1, 2, 999))))
            for _ in range(1 + (dice.random() < 0.05)):
                options = body.nest("options", at + len(data) + 4 + len(part) + 4)
                part += raw.attribute(3 | raw.NLA_F_NESTED, options)
            data += raw.attribute(A_PART | raw.NLA_F_NESTED, part)
        return data

    @staticmethod
    def schedule(body: Body, name: str, at: int) -> bytes:
        if dice.random() < 0.2:
            return body.one("", raw.FAMILY.index("schedule"), at, 0)
        columns, width = dice.choice(((1, 1), (2, 1), (3, 2), (5, 2), (63, 6), (0, 0)))
        rows, ns = b"", 0
        for _ in range(dice.choice((1, 3, 20))):
            ns += dice.choice((1, 1000, 10**6, 10**8))
            rows += struct.pack("=Q", ns) + b"".join(
                struct.pack("=Q", dice.choice(NUMBERS[:12])) for _ in range(width)
            )
        inner = b""
        if name == "load":
            inner += raw.attribute(2, struct.pack("=I", columns))
        if name != "start":
            inner += raw.attribute(3, rows)
        else:
            inner += raw.attribute(4, struct.pack("=I", dice.choice((0, 1, 2))))
            inner += raw.attribute(5, struct.pack("=Q", dice.choice((10**6, 10**9, 10**12))))
            inner += raw.attribute(6, struct.pack("=Q", dice.choice((0, 2**64 - 1, 2**64 - 2))))
        return raw.attribute(raw.FAMILY.index("schedule") | raw.NLA_F_NESTED, inner)

    def packets(self) -> None:
        for _ in range(dice.choice((1, 3, 30))):
            self.udp.setsockopt(
                socket.SOL_SOCKET, socket.SO_PRIORITY, 0x10000 | dice.choice((0, 1, 2, 3, 4, 5))
            )
            with suppress(OSError):
                self.udp.sendto(
                    bytes(dice.choice((1, 40, 300, 1400))), (dice.choice(("10.0.0.2", "10.0.1.2")), 9)
                )


def run(line: str) -> None:
    subprocess.run(line.split(), check=True)


def listen(group: int, bus: int) -> socket.socket:
    """Somebody wants to be told; what they are told is not looked at."""
    nl = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, bus)
    nl.bind((0, 0))
    nl.setsockopt(raw.SOL_NETLINK, ADD_MEMBERSHIP, group)
    nl.setblocking(False)
    return nl


def group() -> int:
    """The number of the family's group."""
    groups = dict(raw.family())[7]
    return int(struct.unpack_from("=I", dict(raw.read(raw.read(groups)[0][1]))[2])[0])


def become_user() -> None:
    os.setgroups([])
    os.setresgid(USER, USER, USER)
    os.setresuid(USER, USER, USER)
    libc = ctypes.CDLL(None, use_errno=True)
    # What is in /proc of a process that has become another user's is root's.
    libc.prctl(PR_SET_DUMPABLE, 1)
    if libc.unshare(CLONE_NEWUSER | CLONE_NEWNET):
        raise OSError(ctypes.get_errno(), "unshare")
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"0 {USER} 1")
    Path("/proc/self/gid_map").write_text(f"0 {USER} 1")


def devices() -> None:
    for number, dev in enumerate(("va", "vb", "vc")):
        run(f"ip link add {dev} up type dummy")
        run(f"ip addr add 10.0.{number}.1/24 dev {dev}")
        run(f"ip neigh add 10.0.{number}.2 lladdr 02:00:00:00:00:02 dev {dev} nud permanent")
        run(f"tc qdisc add dev {dev} root handle 1: wlink rate 1mbit mode am pdu 40")


def pair(nl: socket.socket, dev: int, peer: int, netns: int) -> tuple[int, str]:
    """Error and text of asking for a pair with a device elsewhere."""
    number = int.from_bytes(dict(raw.family())[raw.CTRL_ATTR_FAMILY_ID], sys.byteorder)
    body = struct.pack("=BBH", PAIR, 2, 0)
    for kind, value in (
        (raw.A_IFINDEX, dev),
        (raw.A_HANDLE, 0x10000),
        (A_PEER_IFINDEX, peer),
        (A_PEER_HANDLE, 0x10000),
        (A_PEER_FD, netns),
    ):
        body += raw.attribute(kind, struct.pack("=I", value))
    nl.setblocking(True)
    nl.send(struct.pack("=IHHII", 16 + len(body), number, 5, 1, 0) + body)
    while struct.unpack_from("=H", data := nl.recv(1 << 16), 4)[0] != raw.NLMSG_ERROR:
        pass
    error, text, _ = raw.answer(data)
    return error, text


def user(messages: int, theirs: int, outside: int, way: socket.socket) -> None:
    """The user's process: THEIRS is the network namespace they have left, with device OUTSIDE."""
    become_user()
    run("ip link set lo up")
    devices()
    hand = Hand()
    ears = [listen(RTNLGRP_TC, socket.NETLINK_ROUTE), listen(group(), raw.NETLINK_GENERIC)]
    choices: list[tuple[Callable[[], None], int]] = [
        (hand.traffic_control, 5),
        (hand.command, 8),
        (hand.packets, 2),
    ]
    for number in range(messages):
        dice.choices([one for one, _ in choices], [weight for _, weight in choices])[0]()
        if number % 16 == 0:
            sleep(dice.choice((0.0, 0.0001, 0.01)))
            for ear in ears:
                with suppress(OSError):
                    while ear.recv(1 << 16):
                        done["notifications"] += 1
        # What has gone comes again.
        if number % 64 == 0:
            for dev in ("va", "vb", "vc"):
                rest = f"dev {dev} root handle 1: wlink rate 1mbit mode am pdu 40"
                subprocess.run(f"tc qdisc add {rest}".split(), check=False, capture_output=True)
    run("tc qdisc replace dev va root handle 1: wlink rate 1mbit")
    mine = socket.if_nametoindex("va")
    refusals = [pair(Hand.open(raw.NETLINK_GENERIC), mine, outside, theirs)]
    # A socket of the user's, which root writes to.
    nl = Hand.open(raw.NETLINK_GENERIC)
    socket.send_fds(way, [struct.pack("=i", mine)], [nl.fileno()])
    refusals.append(json.loads(way.recv(1000)))
    run("tc qdisc replace dev vb root handle 1: wlink rate 1mbit")
    own = os.open("/proc/self/ns/net", os.O_RDONLY)
    refusals.append(pair(nl, mine, socket.if_nametoindex("vb"), own))
    print(json.dumps({"done": done, "pairs": refusals, "said": said.most_common(400)}), flush=True)
    way.send(b"end")


def main() -> int:
    messages, seed = int(sys.argv[1]), int(sys.argv[2])
    dice.seed(seed)
    run("ip link add outside up type dummy")
    run("tc qdisc add dev outside root handle 1: wlink rate 1mbit")
    outside = socket.if_nametoindex("outside")
    theirs = os.open("/proc/self/ns/net", os.O_RDONLY)
    here, there = socket.socketpair()
    child = os.fork()
    if not child:
        here.close()
        user(messages, theirs, outside, there)
        os._exit(0)
    there.close()
    data, fds, _, _ = socket.recv_fds(here, 100, 1)
    if fds:
        with socket.socket(fileno=fds[0]) as nl:
            here.send(json.dumps(pair(nl, struct.unpack("=i", data)[0], outside, theirs)).encode())
        here.recv(10)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


sys.exit(main())
