# SPDX-License-Identifier: GPL-2.0
"""How late packets leave, after the time of the model, inside the lab kernel or the VM.

Each phase is a load of the machine under which all methods work at the same time,
each on a device of its own, with packets at random times. A packet comes at the
kernel's net_dev_queue and leaves at its net_dev_start_xmit; what is beyond the delay
that was asked for is its lateness, for every method alike. Beside it, what wlink
itself says: hand-over after the delivery of its model.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from math import floor, log10
from typing import Any

# In the VM it lies beside this file.
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.realpath(__file__))))

from guestkit import ENV, begin, devices, idle_s, remove, say, sh
from ringtap import Tap

# No multiple of any tick.
DELAY_NS = 25_300_000
WLINK = f"wlink rate 100gbit delay {DELAY_NS // 1000}us limit 100000"
NETEM = f"netem delay {DELAY_NS // 1000}us limit 100000"
HTB = "root handle 1: htb default 1"
# Lines of tc for each method, without `qdisc add dev NAME` in the first.
METHODS: dict[str, tuple[str, ...]] = {
    "wlink": (f"root handle 1: {WLINK}",),
    "netem": (f"root handle 1: {NETEM}",),
    "wlink below htb": (HTB, "class parent 1: classid 1:1 htb rate 1gbit", f"qdisc parent 1:1 {WLINK}"),
    "netem below htb": (HTB, "class parent 1: classid 1:1 htb rate 1gbit", f"qdisc parent 1:1 {NETEM}"),
    "wlink below tbf": ("root handle 1: tbf rate 1gbit burst 1mb limit 10mb", f"qdisc parent 1:1 {WLINK}"),
}
EVENTS = {"net/net_dev_queue": "", "net/net_dev_start_xmit": "", "wlink/wlink_sdu": ""}
PAYLOAD_BYTES = 200
SETTLE_S = 2.0
BUFFER_KB = 24 * 1024
# The histogram: so many bins in each power of ten from 100 ns on.
BINS_A_DECADE, FIRST_NS, BINS = 10, 100, 80
DISK = "while :; do dd if=/dev/zero of=/var/tmp/load bs=256k count=128 conv=fsync 2>/dev/null; done"


def loads(plan: dict[str, Any], name: str) -> list[tuple[str, str]]:
    """Commands with their input that make a load until they are killed."""
    if name == "cpu":
        return [("while :; do :; done", "")] * plan["cpus"]
    if name == "network":
        sh("ip link add flooda type veth peer name floodb; ip link set flooda up; ip link set floodb up")
        return [(f"{plan['feed']} 100000", f"flooda {PAYLOAD_BYTES} {10**15} 0 {10**14} 256 1000000\n")]
    if name == "disk":
        return [(DISK, "")]
    return []


@contextmanager
def loaded(plan: dict[str, Any], name: str) -> Iterator[None]:
    """The machine has something else to do."""
    running = []
    for command, text in loads(plan, name):
        one = subprocess.Popen(
            ["/bin/sh", "-c", f"exec {command}" if text else command],
            env=ENV, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, start_new_session=True,
        )  # fmt: skip
        assert one.stdin
        one.stdin.write(text)
        one.stdin.close()
        running.append(one)
    try:
        yield
    finally:
        for one in running:
            os.killpg(one.pid, signal.SIGKILL)
            one.wait()
        if name == "network":
            sh("ip link del flooda")


def setup() -> dict[str, str]:
    """The devices and their queues; the method by the device."""
    names = {f"m{i}": method for i, method in enumerate(METHODS)}
    devices([(name, METHODS[method][0]) for name, method in names.items()])
    for name, method in names.items():
        for line in METHODS[method][1:]:
            what, words = line.split(" ", 1)
            sh(f"tc {what} add dev {name} {words}")
    return names


def summary(late: list[int]) -> dict[str, Any]:
    """Figures and histogram of latenesses in ns."""
    order = sorted(late)
    bins = [0] * BINS
    for x in order:
        at = floor(log10(max(x, FIRST_NS) / FIRST_NS) * BINS_A_DECADE)
        bins[min(at, BINS - 1)] += 1

    def part(p: float) -> int:
        return order[min(len(order) - 1, int(p * len(order)))]

    return {
        "packets": len(order),
        # before the model would have it
        "early": sum(x < 0 for x in order),
        "mean_ns": sum(order) / len(order),
        "min_ns": order[0],
        "median_ns": part(0.5),
        "p90_ns": part(0.9),
        "p99_ns": part(0.99),
        "p999_ns": part(0.999),
        "max_ns": order[-1],
        "first_ns": FIRST_NS,
        "bins_a_decade": BINS_A_DECADE,
        "bins": bins,
    }


class Packets:
    """Arrivals and departures by device, in their order."""

    def __init__(self) -> None:
        self.came: dict[str, list[tuple[int, int]]] = {}
        self.left: dict[str, list[tuple[int, int]]] = {}
        self.own: dict[str, list[int]] = {}

    def take(self, tap: Tap) -> None:
        queue, xmit, _ = tap.events
        for ns, event, record in tap.read():
            if event is queue or event is xmit:
                book = self.came if event is queue else self.left
                book.setdefault(event.get(record, "name"), []).append((ns, event.get(record, "skbaddr")))
            elif not event.get(record, "drop"):
                late = event.get(record, "handover_ns") - event.get(record, "deliver_ns")
                self.own.setdefault(event.get(record, "dev"), []).append(late)

    def late(self, name: str) -> list[int]:
        """Every method here is first in, first out."""
        pairs = list(zip(self.came[name], self.left[name]))
        wrong = sum(a[1] != b[1] for a, b in pairs)
        if wrong or len(pairs) < len(self.came[name]):
            raise SystemExit(f"{name}: {len(self.came[name])} came, {len(pairs)} left, {wrong} out of order")
        return [b[0] - a[0] - DELAY_NS for a, b in pairs]


def phase(number: int, plan: dict[str, Any]) -> None:
    """All methods under one load."""
    names = setup()
    time.sleep(SETTLE_S)
    events = {**EVENTS}
    for one in ("net/net_dev_queue", "net/net_dev_start_xmit"):
        events[one] = " || ".join(f'name == "{name}"' for name in names)
    count, gap = int(plan["seconds"] * 1e9 / plan["gap_ns"]), plan["gap_ns"]
    text = "".join(f"{name} {PAYLOAD_BYTES} {count} 0 {10**9} 0 {gap}\n" for name in names)
    with loaded(plan, plan["load"]):
        time.sleep(SETTLE_S)
        tap = Tap(f"lateness{number}", events, BUFFER_KB)
        began, idle = time.monotonic(), idle_s()
        sh(f"{plan['feed']} {plan['seconds'] * 2} {plan['slack_ns']}", text)
        time.sleep(SETTLE_S)
        took, idled = time.monotonic() - began, idle_s() - idle
    packets = Packets()
    packets.take(tap)
    more = {
        "load": plan["load"],
        "slack_ns": plan["slack_ns"],
        "idle": round(idled / took / plan["cpus"], 3),
        "seconds": round(took, 1),
        "lost_events": tap.lost(),
    }
    tap.close()
    for name, method in names.items():
        say("late", {"method": method, "by": "departure", **more, **summary(packets.late(name))})
        if name in packets.own:
            say("late", {"method": method, "by": "hand-over", **more, **summary(packets.own[name])})
    print(f"# load {plan['load']}: {took:.0f} s", flush=True)
    remove(list(names))


def main() -> None:
    plan = begin()
    for number, one in enumerate(plan["phases"]):
        phase(number, {**plan, **one})
    say("end", {"uname": sh("uname -r").strip()})


if __name__ == "__main__":
    main()
