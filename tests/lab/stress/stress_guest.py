# SPDX-License-Identifier: GPL-2.0
"""Inside the sanitizer kernel: a link that is never left in peace.

    stress_guest.py STEPS SEED

Each step sends to all bearers, lets some time pass, does one thing to the link
and counts its packets. The kernel's log is judged by wlab after the end.
"""

import json
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

BEARERS = range(2, 9)
FAILSLAB = Path("/sys/kernel/debug/failslab")
LEAKS = Path("/sys/kernel/debug/kmemleak")
UDP_SEGMENT = 103
SCHEDULERS = ("dedicated", "fifo", "rr", "prio")
# These have a window and feedback.
NUMBERED = ("am", "fsr", "asr")
COUNTS = re.compile(r"SDUs in (\d+) delivered (\d+) dropped (\d+) held (\d+)")

dice = random.Random()
done: Counter[str] = Counter()
modes: dict[int, str] = {}
sockets: dict[int, socket.socket] = {}
refused: list[str] = []


def sh(line: str, fails: bool = False) -> str:
    """Run commands with ; between them, which must succeed unless they may fail."""
    out = ""
    for command in line.split("; "):
        ran = subprocess.run(
            command.split(), text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
        )
        out += ran.stdout
        if ran.returncode and not fails:
            refused.append(f"{command}: {ran.stdout.strip()}")
            print(f"refused: {refused[-1]}", flush=True)
    return out


def one_of(*makers: Callable[[], str]) -> str:
    """Call one of them only: mode() remembers what it has said."""
    return dice.choice(makers)()


def channel() -> str:
    return "channel " + dice.choice(
        (
            "none",
            "uniform loss 0.2",
            "uniform loss 1",
            "gilbert p 0.05 r 0.2",
            "twostate mean_good 100ms mean_bad 20ms ber_good 1e-6 ber_bad 0.01",
        )
    )


def mode(bearer: int) -> str:
    """A mode for a bearer, with what matters to it."""
    name = dice.choice(("tm", "um", "am", "am", "fsr", "asr"))
    modes[bearer] = name
    pdu = dice.choice((8, 20, 40, 150, 400))
    text = f"mode {name} pdu {pdu if name != 'tm' else dice.choice((0, 40, 200))}"
    if name == "um":
        text += dice.choice(("", " reorder 8 reorder_timer 50ms", " reorder off duplicates on"))
    if name == "am":
        text += f" window {dice.choice((1, 8, 64, 1024, 4095))} maxdat {dice.choice((1, 2, 10))}"
        text += " discard " + dice.choice(("mrw", "reset", "timer discard_timer 200ms"))
        text += f" status {dice.choice(('list', 'bitmap'))} in_order {dice.choice(('on', 'off'))}"
        text += dice.choice(("", " poll_pdu 4", " poll_periodic 30ms status_periodic 40ms"))
    if name in ("fsr", "asr"):
        text += f" window {dice.choice((1, 8, 128, 2048))} rto {dice.choice(('200ms', '1.1s'))}"
    if name in NUMBERED:
        text += dice.choice(("", " rev_rate 16kbit", " rev_delay 1ms", " rev_channel uniform rev_loss 0.3"))
    return text


def rate() -> str:
    return f"rate {dice.choice((64, 384, 2000, 20000))}kbit"


def classid() -> int:
    return dice.choice(sorted(modes))


def class_add() -> None:
    free = sorted(set(BEARERS) - set(modes))
    if free:
        n = dice.choice(free)
        link = dice.choice((channel(), "channel link", ""))
        sh(f"tc class add dev va parent 1: classid 1:{n} wlink {rate()} {mode(n)} {link}")


def class_change() -> None:
    """One word, or a mode with all its words."""
    n = classid()
    what = one_of(
        lambda: mode(n),
        rate,
        channel,
        lambda: f"limit {dice.choice(('5', '100', '20kb', '300ms'))}",
        lambda: f"pdu {dice.choice((30, 41, 300))}",
        lambda: f"delay {dice.choice((0, 5, 200))}ms",
        lambda: f"prio {dice.randrange(8)}",
    )
    sh(f"tc class change dev va parent 1: classid 1:{n} wlink {what}")


def window_change() -> None:
    able = sorted(n for n, name in modes.items() if name in NUMBERED)
    if able:
        n, window = dice.choice(able), dice.choice((2, 100, 1000))
        sh(f"tc class change dev va parent 1: classid 1:{n} wlink window {window}")


def class_del() -> None:
    n = classid()
    if n == 1:
        said = sh("tc class del dev va classid 1:1", fails=True)
        if "1:1" not in said:
            refused.append(f"deleting 1:1 said {said!r}")
        return
    sh(f"tc class del dev va classid 1:{n}")
    del modes[n]


def qdisc_change() -> None:
    """The qdisc's line is that of the link and of bearer 1."""
    what = one_of(
        lambda: f"tti {dice.choice((0, 2, 10))}ms sched {dice.choice(SCHEDULERS)}",
        lambda: "tti 10ms sched pf",
        rate,
        lambda: mode(1),
        channel,
        lambda: f"delay {dice.choice((0, 20))}ms",
    )
    sh(f"tc qdisc change dev va root handle 1: wlink {what}")


def filters() -> None:
    """A filter that sends UDP on, for a while."""
    n = classid()
    sh(f"tc filter add dev va parent 1: protocol ip prio 7 u32 match ip protocol 17 0xff classid 1:{n}")
    blast(1, 4)
    sleep(0.05)
    sh("tc filter del dev va parent 1: prio 7")


def replace() -> None:
    """Another qdisc and back: all classes are gone."""
    sh("tc qdisc replace dev va root handle 2: pfifo")
    blast(1, 2)
    link()


def device() -> None:
    """The device goes away with all that it holds."""
    for one in sockets.values():
        one.close()
    sockets.clear()
    sh("ip link del va")
    make_device()
    link()


def memory() -> None:
    """Allocations that may not sleep fail: drops, and nothing worse."""
    knob("probability", dice.choice((20, 100)))
    knob("task-filter", dice.choice("YN"))
    for _ in range(3):
        for n in sorted(modes):
            with suppress(OSError):
                blast(n, 2)
            with suppress(OSError):
                blast(n, 1, 20000)
        sleep(0.02)
    knob("probability", 0)


def starve() -> None:
    """A fresh link that gets no memory for more packets drops and counts them."""
    sh("tc qdisc del dev va root")
    link()
    knob("probability", 100)
    knob("task-filter", "Y")
    blast(1, 100)
    knob("probability", 0)
    (qdisc,) = (q for q in json.loads(sh("tc -j -s qdisc show dev va")) if q["kind"] == "wlink")
    slots = qdisc["xstats"]["drops"]["slots"]
    if not slots:
        refused.append(f"none of 100 SDUs without memory was dropped: {qdisc['xstats']}")


def dump() -> None:
    sh("tc -s -d class show dev va; tc -s qdisc show dev va; wlinkctl --json show va")


OPERATIONS = {
    class_add: 6,
    class_change: 10,
    window_change: 4,
    class_del: 3,
    qdisc_change: 6,
    filters: 2,
    replace: 1,
    device: 1,
    memory: 3,
    starve: 1,
    dump: 2,
}


def knob(name: str, value: object) -> None:
    (FAILSLAB / name).write_text(str(value))


def make_device() -> None:
    sh("ip link add va address 02:00:00:00:00:01 type veth peer name vb netns b address 02:00:00:00:00:02")
    sh("ip addr add 10.0.0.1/24 dev va; ip link set va up")
    sh("ip -n b addr add 10.0.0.2/24 dev vb; ip -n b link set vb up")
    sh("ip neigh add 10.0.0.2 lladdr 02:00:00:00:00:02 dev va nud permanent")
    sh("ip -n b neigh add 10.0.0.1 lladdr 02:00:00:00:00:01 dev vb nud permanent")


def link() -> None:
    """A fresh link with bearer 1 only."""
    modes.clear()
    sh(f"tc qdisc replace dev va root handle 1: wlink {rate()} {mode(1)} limit 200 seed 1 {channel()}")


def blast(bearer: int, count: int, size: int = 0) -> None:
    """UDP to a bearer by its priority; more than 1500 bytes go as one GSO packet."""
    if bearer not in sockets:
        sockets[bearer] = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        sockets[bearer].setsockopt(socket.SOL_SOCKET, socket.SO_PRIORITY, 1 << 16 | bearer)
        sockets[bearer].setblocking(False)
    for _ in range(count):
        data = bytes(size or dice.choice((1, 40, 300, 1400)))
        more = [(socket.IPPROTO_UDP, UDP_SEGMENT, struct.pack("=H", 1000))] if size > 1400 else []
        with suppress(BlockingIOError):
            sockets[bearer].sendmsg([data], more, 0, ("10.0.0.2", 9))


def conserved(where: str) -> bool:
    """in = delivered + dropped + held, of the link and of each bearer."""
    for qdisc in json.loads(sh("tc -j -s qdisc show dev va")):
        if qdisc["kind"] == "wlink":
            x = qdisc["xstats"]
            out = x["sdus_delivered"] + sum(x["drops"].values()) + x["sdus_held"]
            bytes_out = x["bytes_delivered"] + x["bytes_dropped"] + x["bytes_held"]
            if x["sdus_in"] != out or x["bytes_in"] != bytes_out:
                print(f"FAIL {where}: {x['sdus_in']} SDUs in, {out} accounted for: {x}", flush=True)
                return False
            done["SDUs"] += x["sdus_in"]
            done.update({f"drop {k}": v for k, v in x["drops"].items()})
    seen = COUNTS.findall(sh("tc -s class show dev va"))
    for one in seen:
        came, delivered, dropped, held = map(int, one)
        if came != delivered + dropped + held:
            print(f"FAIL {where}: a bearer has SDUs {one}", flush=True)
            return False
    if len(seen) != len(modes):
        print(f"FAIL {where}: {len(seen)} bearers shown, not {len(modes)}", flush=True)
        return False
    return True


def leaks() -> str:
    """What kmemleak finds of ours; it wants objects to be some seconds old."""
    LEAKS.write_text("clear")
    sh("tc qdisc del dev va root; ip link del va; ip netns del b; rmmod wlink_3gpp sch_wlink")
    sleep(10)
    for _ in range(2):
        LEAKS.write_text("scan")
        sleep(6)
    return LEAKS.read_text()


def main() -> int:
    steps, seed = int(sys.argv[1]), int(sys.argv[2])
    dice.seed(seed)
    sh("sysctl -qw net.ipv6.conf.all.disable_ipv6=1 net.ipv6.conf.default.disable_ipv6=1")
    sh("ip netns add b; ip link set lo up")
    for name, value in (("verbose", 0), ("times", -1), ("interval", 1), ("ignore-gfp-wait", "Y")):
        knob(name, value)
    Path("/proc/self/make-it-fail").write_text("1")
    make_device()
    link()
    broken = 0
    once = dice.sample(list(OPERATIONS), len(OPERATIONS))
    for step in range(steps):
        for n in sorted(modes):
            with suppress(OSError):
                blast(n, dice.randrange(6))
        sleep(dice.choice((0.0, 0.003, 0.03, 0.3)))
        # Each once, then at random.
        operation = once.pop() if once else dice.choices(list(OPERATIONS), list(OPERATIONS.values()))[0]
        operation()
        done[operation.__name__] += 1
        broken += not conserved(f"step {step}, {operation.__name__}")
    sleep(2)
    broken += not conserved("at rest")
    found = leaks()
    if "wlink" in found or "wl_" in found:
        print(f"FAIL kmemleak:\n{found}", flush=True)
        broken += 1
    print("\n".join(refused), flush=True)
    print(json.dumps({"refused": len(refused), "broken": broken, "done": done}), flush=True)
    return 1 if broken or refused else 0


sys.exit(main())
