# SPDX-License-Identifier: GPL-2.0
"""Rounds of everything at once: one processor sends without a pause, the other changes the link.

Bearers come and go, schedules play, the device goes down and up, everybody looks; in the end
the link is taken away under load, each round in another manner. There is one of each, and more until
MINUTES have passed; what one does follows from its number.
"""

import itertools
import os
import random
import re
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path

from steps import ENV, a, case, conserved, drained, expect, insert, sh, topology, until, xstats

DEV = "dev va"
MINUTES = float(os.environ.get("MINUTES", "0"))
COMMANDS = 80
BOUNCES = 10
LOOKS = 20
SENDERS, CHANGERS = 0, 1
# Kernels that watch are slow: they get a tenth of the work, or a link never catches up. They see most,
# and so have each end of a link; a kernel that does not watch has one.
WATCHED = "SANITIZER" in os.environ
SLOW = 10 if WATCHED else 1

PARENTS = (
    ("root", ()),
    ("parent 8:1", ("qdisc add dev va root handle 8: htb default 1",
                    "class add dev va parent 8: classid 8:1 htb rate 1gbit")),
    ("root", ()),
    ("parent 8:1", ("qdisc add dev va root handle 8: prio bands 3 priomap 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0",)),
)  # fmt: skip
LINKS = (
    f"rate {50 // SLOW}mbit delay 2ms limit 200",
    f"tti {SLOW}ms sched rr mode am rate {8000 // SLOW}kbit delay 5ms limit 100 pdu 400"
    " channel uniform loss 0.05",
    "rate unlimited delay 5ms",
    f"tti {2 * SLOW}ms sched pf mode um rate {20 // SLOW}mbit delay 2ms limit 100 pdu 400"
    " channel gilbert p 0.01 r 0.2",
)
MODES = ("mode tm", "mode um pdu 300", "mode am pdu 300 window 64", "mode fsr pdu 300", "mode asr pdu 300")
ENDINGS = ("hold", "loop", "stop")
# Bearers 1 and 2 are wlinkctl's, the others tc's, so that neither takes away what the other changes.
OTHERS = (3, 4, 5)
# What has been done in all rounds so far.
total: Counter[str] = Counter()
# Gone each time the device goes down.
NEIGHBOUR = "neigh replace 10.0.0.2 lladdr 02:00:00:00:00:02 dev va nud permanent"
SCHEDULE = Path("/tmp/rounds.schedule")

# To each bearer by its priority; now and then a packet of several segments.
FLOOD = """
import socket, struct
sockets = []
for bearer in range(1, 6):
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    s.setsockopt(socket.SOL_SOCKET, socket.SO_PRIORITY, 1 << 16 | bearer)
    s.setblocking(False)
    sockets.append(s)
cut = [(socket.IPPROTO_UDP, 103, struct.pack("=H", 1000))]
n = 0
while True:
    n += 1
    for s in sockets:
        try:
            if n % 16:
                s.sendto(bytes(40 + n * 37 % 1400), ("10.0.0.2", 9))
            else:
                s.sendmsg([bytes(8000)], cut, 0, ("10.0.0.2", 9))
        except OSError:
            pass
"""


def start(label: str, cpu: int, *argv: str, lines: tuple[str, ...] = ()) -> "subprocess.Popen[bytes]":
    """A program in namespace a on one processor; its last argument is a file of the lines."""
    words = ["taskset", "-c", str(cpu), "ip", "netns", "exec", "a", *argv]
    if lines:
        words.append(f"/tmp/{label}.lines")
        Path(words[-1]).write_text("\n".join(lines) + "\n")
    with Path(f"/tmp/{label}.log").open("w") as log:
        return subprocess.Popen(words, env=ENV, stdin=subprocess.DEVNULL, stdout=log, stderr=log)


def bearers(dice: random.Random, where: str) -> tuple[str, ...]:
    """Lines of tc: classes, filters, the qdisc itself."""
    there: set[int] = set()
    lines = []
    for _ in range(COMMANDS):
        n = dice.choice(OTHERS)
        rate = f"rate {dice.choice((500, 4000, 30000)) // SLOW}kbit limit {400 // SLOW}"
        what = dice.randrange(4)
        if n not in there:
            lines.append(f"class add dev va parent 1: classid 1:{n} wlink {rate} {dice.choice(MODES)}")
            there.add(n)
        elif what == 0:
            lines.append(f"class del dev va classid 1:{n}")
            there.remove(n)
        elif what == 1:
            lines.append(f"class change dev va parent 1: classid 1:{n} wlink {rate} {dice.choice(MODES)}")
        elif what == 2:
            match = f"dev va parent 1: protocol ip prio 7 u32 match ip protocol 6 0xff classid 1:{n}"
            lines += [f"filter add {match}", "filter del dev va parent 1: prio 7"]
        else:
            lines.append(f"qdisc change dev va {where} handle 1: wlink delay {dice.randrange(8)}ms")
    return tuple(lines)


def changes(dice: random.Random) -> tuple[str, ...]:
    """Lines of wlinkctl: changes at once and at a time, schedules, bearers."""
    lines = []
    for _ in range(COMMANDS):
        n = dice.choice((1, 2))
        lines += dice.choice(
            (
                [f"set va 1: bearer {n} rate {dice.choice((1000, 8000, 40000)) // SLOW}kbit"] * 2,
                [f"set va 1: bearer 1 limit {dice.choice((20, 100))} bearer 2 delay {dice.randrange(5)}ms"],
                [f"set va 1: bearer {n} rate {6000 // SLOW}kbit at +{dice.randrange(1, 9) * SLOW}ms --wait"],
                [f"schedule load va 1: bearer {n} {SCHEDULE}"] * 2,
                [f"schedule start va 1: bearer {n} length {12 * SLOW}ms {dice.choice(ENDINGS)}"],
                [f"schedule stop va 1: bearer {n}"],
                ["bearer del va 1: bearer 2", "bearer add va 1: bearer 2 rate 5mbit limit 100"],
            )
        )
    return tuple(lines)


def refused(label: str) -> set[int]:
    """Numbers of the lines that tc or wlinkctl says have failed; why is told once for each reason."""
    said = Path(f"/tmp/{label}.log").read_text()
    why = re.findall(r"^(?:Error|RTNETLINK answers|wlinkctl: kernel): .*", said, re.M)
    for reason, count in Counter(re.sub(r"\d+", "N", one) for one in why).items():
        print(f"# {count} times {reason}", flush=True)
    return {int(n) for n in re.findall(r"(?:Command failed \S+:|wlinkctl: line )(\d+)", said)}


def qdisc_del() -> None:
    a(f"tc qdisc del {DEV} root")


def device_del() -> None:
    sh("ip -n a link del va")


def namespace_del() -> None:
    sh("ip netns del a; ip netns del b")


ENDS: dict[str, Callable[[], None]] = {
    "its qdisc is deleted": qdisc_del,
    "its device is deleted": device_del,
    "its namespace goes away": namespace_del,
    "all is delivered": lambda: None,
}


def disturb(number: int, end: Callable[[], None]) -> str:
    """A link from its beginning to its end, under load."""
    dice = random.Random(number)
    where, parents = PARENTS[number % len(PARENTS)]
    for line in (*parents, f"qdisc add dev va {where} handle 1: wlink {LINKS[(number + number // 4) % 4]}"):
        a(f"tc {line}")
    a("wlinkctl bearer add va 1: bearer 2 rate 5mbit limit 100")
    a(f"ip {NEIGHBOUR}")
    flood = start("flood", SENDERS, "python3", "-c", FLOOD)
    ears = [start("watch", SENDERS, "wlinkctl", "watch"), start("monitor", SENDERS, "tc", "monitor")]
    if number % 2:
        ears.append(start("record", SENDERS, "wlinkctl", "record", "va", "/dev/null"))
    feeds = {"tc": bearers(dice, where), "wlinkctl": changes(dice)}
    bounces = ("link set va down", "link set va up", NEIGHBOUR) * BOUNCES
    looks = ("qdisc show dev va", "class show dev va") * LOOKS
    work = [
        start("tc", CHANGERS, "tc", "-force", "-batch", lines=feeds["tc"]),
        start("wlinkctl", CHANGERS, "wlinkctl", "batch", "--force", lines=feeds["wlinkctl"]),
        start("ip", CHANGERS, "ip", "-batch", lines=bounces),
        start("looks", SENDERS, "tc", "-s", "-batch", lines=looks),
    ]
    codes = [one.wait() for one in work]
    until(lambda: xstats()["sdus_in"] > 1000, "1000 packets are sent")
    conserved(stats := xstats())
    sh("rmmod sch_wlink", fails=True)
    for one in ears:
        one.send_signal(signal.SIGINT)
        one.wait()
    if end is ENDS["all is delivered"]:
        flood.kill()
        conserved(drained())
    end()
    flood.kill()
    flood.wait()
    done: Counter[str] = Counter()
    for label, lines in feeds.items():
        failed = refused(label)
        kinds = [" ".join(line.split()[: 1 if label == "wlinkctl" else 2]) for line in lines]
        done.update(kind for n, kind in enumerate(kinds, 1) if n not in failed)
        expect(len(failed) * 2 < len(lines), f"{len(failed)} of {len(lines)} lines of {label} were refused")
        expect(not (missing := set(kinds) - set(done)), f"always refused: {missing}")
    expect(not any(codes[2:]), f"ip and tc show ended with {codes[2:]}")
    total.update(done, SDUs=stats["sdus_in"], bounces=BOUNCES, ends=1)
    return f"{stats['sdus_in']} SDUs, " + ", ".join(f"{kind} {n}" for kind, n in sorted(done.items()))


def removed() -> bool:
    """Whether the modules are; one of them may have gone before."""
    subprocess.run(["rmmod", "wlink_3gpp", "sch_wlink"], capture_output=True, check=False)
    return not Path("/sys/module/sch_wlink").exists()


def play(number: int, end: Callable[[], None]) -> str:
    """One round, and a fresh start for what comes next."""
    try:
        return disturb(number, end)
    finally:
        for one in ("a", "b"):
            sh(f"ip netns pids {one} | xargs -r kill -9; ip netns del {one}; true")
        until(removed, "nobody uses the modules any more")
        insert()
        topology()


SCHEDULE.write_text(
    f"wlink schedule\ncolumns rate delay\nlength {10 * SLOW}ms\nend loop\n0 {20 // SLOW}mbit 1ms\n"
    f"{3 * SLOW}ms {2000 // SLOW}kbit 4ms\n{6 * SLOW}ms {90 // SLOW}mbit -\n"
)
began = time.monotonic()
for one in itertools.count():
    if one >= (len(ENDS) if WATCHED else 1) and time.monotonic() - began >= 60 * MINUTES:
        break
    how = list(ENDS)[one % len(ENDS)]
    case(f"round {one} of everything at once; {how}")(partial(play, one, ENDS[how]))
print("# in all " + ", ".join(f"{what} {n}" for what, n in sorted(total.items())), flush=True)
