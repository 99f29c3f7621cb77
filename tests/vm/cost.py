# SPDX-License-Identifier: GPL-2.0
"""What a packet costs: processor time of the whole machine, compared within one boot.

Repetitions are interleaved and the medians are compared, so that what else the
host does counts for both sides.
"""

import os
import subprocess
import time
from collections.abc import Callable
from statistics import median

from steps import ENV, PAYLOAD, a, case, conserved, expect, qdisc, sh, tcp, xstats

DEV = "dev va"
RATE = "100mbit"
NETEM = f"netem rate {RATE} delay 5ms limit 1000"
WLINK = f"wlink mode am rate {RATE} tti 1ms delay 5ms pdu 1500 limit 1000"
REPEATS = 3
TRIES = 6
SECONDS = 4

BEARERS = 1024
OFFERED, SIZE = 5000, 100
# Half of them is sent, most of the rest finds no room: all bearers are busy all
# the time, even where the sender takes half as long again as it should.
IP_BYTES = SIZE + 28
BPS = OFFERED // 2 * IP_BYTES * 8
HELD = 4 * BEARERS


def idle_s() -> float:
    """Idle time of all processors; exact, as they sleep without ticks."""
    with open("/proc/stat", encoding="ascii") as f:
        words = f.readline().split()
    return (int(words[4]) + int(words[5])) / os.sysconf("SC_CLK_TCK")


def busy(load: Callable[[], int]) -> tuple[float, int]:
    """(us of processor time a packet, packets) of a load that counts its own."""
    cpus = os.cpu_count() or 1
    began, idle = time.monotonic(), idle_s()
    packets = load()
    spent = (time.monotonic() - began) * cpus - (idle_s() - idle)
    return spent * 1e6 / packets, packets


def bulk() -> int:
    """One TCP flow that fills the link."""
    before = int(qdisc_packets())
    with tcp(SECONDS):
        pass
    return int(qdisc_packets()) - before


def qdisc_packets() -> int:
    """Packets that the root qdisc of va has handed over."""
    said = a(f"tc -s qdisc show {DEV} root")
    return int(said.split(" pkt ")[0].split()[-1])


@case("cost of a packet at 100 Mbit/s, am against netem")
def _() -> str:
    sh("ip -n a link set dev va gso_max_segs 1")
    cost: dict[str, list[float]] = {NETEM: [], WLINK: []}
    rates: dict[str, list[float]] = {NETEM: [], WLINK: []}
    for _ in range(REPEATS):
        for words, said in cost.items():
            a(f"tc qdisc add {DEV} root handle 1: {words}")
            us, packets = busy(bulk)
            said.append(us)
            rates[words].append(packets / SECONDS)
            if words == WLINK:
                conserved(xstats())
                expect(qdisc()["options"]["mode"] == "am", "not in acknowledged mode")
            a(f"tc qdisc del {DEV} root")
    netem, wlink = median(cost[NETEM]), median(cost[WLINK])
    text = f"netem {netem:.1f} us, wlink {wlink:.1f} us, ratio {wlink / netem:.2f}"
    text += f", {median(rates[NETEM]):.0f} and {median(rates[WLINK]):.0f} packets/s"
    expect(wlink < 2 * netem, text)
    return text


def blast(bearers: int) -> Callable[[], int]:
    """The same sockets and packets, whatever the number of bearers."""

    def load() -> int:
        words = f"{bearers} {BEARERS} {OFFERED} {SIZE} {SECONDS}"
        subprocess.run(f"ip netns exec a {PAYLOAD}/blast {words}", shell=True, env=ENV, check=True)
        return OFFERED * SECONDS

    return load


def many(sched: str, bearers: int) -> None:
    """A link of so many bearers, with the same rate and buffer in all."""
    dedicated = sched == "dedicated"
    each = BPS // bearers if dedicated else BPS
    words = f"rate {each}bit limit {HELD // bearers}"
    lines = [f"qdisc add {DEV} root handle 1: wlink sched {sched} {words}"]
    lines += [f"class add {DEV} parent 1: classid 1:{n:x} wlink" for n in range(2, bearers + 1)]
    path = "/tmp/many.batch"
    with open(path, "w", encoding="ascii") as f:
        f.write("\n".join(lines) + "\n")
    a(f"tc -batch {path}")


def flood(sched: str, count: int) -> float:
    """us a packet where all bearers were busy all the time; where the sender was held up, once more."""
    for left in reversed(range(TRIES)):
        many(sched, count)
        began = time.monotonic()
        us, _packets = busy(blast(count))
        took = time.monotonic() - began
        stats = xstats()
        a(f"tc qdisc del {DEV} root")
        conserved(stats)
        dropped = stats["drops"]["overflow"] / stats["sdus_in"]
        expect(stats["sdus_in"] == OFFERED * SECONDS, f"{stats['sdus_in']} SDUs came")
        if 0.01 < dropped < 0.5:
            break
        expect(left > 0, f"{count} bearers: {dropped:.0%} dropped in {took:.1f} s, {TRIES} times")
    return us


def bearers(sched: str) -> str:
    """1024 busy bearers against one."""
    sh("ip -n a neigh replace 10.0.0.9 lladdr 02:00:00:00:00:02 dev va nud permanent")
    cost: dict[int, list[float]] = {1: [], BEARERS: []}
    for _ in range(REPEATS):
        for count, said in cost.items():
            said.append(flood(sched, count))
    one, all_of_them = median(cost[1]), median(cost[BEARERS])
    text = f"1: {one:.1f} us, {BEARERS}: {all_of_them:.1f} us, ratio {all_of_them / one:.2f}"
    expect(all_of_them <= 1.5 * one, text)
    return text


@case(f"cost of a packet, {BEARERS} busy bearers against one, dedicated")
def _() -> str:
    return bearers("dedicated")


@case(f"cost of a packet, {BEARERS} busy bearers against one, shared by turns")
def _() -> str:
    return bearers("rr")
