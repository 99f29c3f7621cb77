# SPDX-License-Identifier: GPL-2.0
"""A storm of transactions from one processor while the other sends: AM loses and reorders nothing."""

import subprocess
import time

from steps import ENV, PAYLOAD, a, case, conserved, drained, expect, sh, tcp, xstats

DEV = "dev va"
SECONDS = 5
PACE = 1000
COUNT = SECONDS * PACE
# As many as take effect with one TTI; fewer wake-ups leave time for the traffic.
AT_ONCE = 10
# With MaxDAT at its most a PDU that is lost as often as allowed does not happen.
LINK = "tti 10ms mode am pdu 40 rate 384kbit delay 20ms limit 60 maxdat 255 channel uniform loss 0.1"
RULES = {"overflow", "aqm"}
UDP_BYTES = 500

COUNTED = """
import socket, sys, time
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
end = time.monotonic() + float(sys.argv[1])
n = 0
while time.monotonic() < end:
    s.sendto(n.to_bytes(4, "big") + bytes(int(sys.argv[2]) - 4), ("10.0.0.2", 5001))
    n += 1
    time.sleep(0.008)
print(n)
"""

COUNTER = """
import socket, sys
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.bind(("10.0.0.2", 5001))
print("ready", flush=True)
s.settimeout(float(sys.argv[1]))
last, seen, back = -1, 0, 0
try:
    while True:
        n = int.from_bytes(s.recv(2048)[:4], "big")
        back += n <= last
        last, seen = n, seen + 1
except socket.timeout:
    print(seen, back)
"""


def python(place: str, text: str, *args: object) -> "subprocess.Popen[str]":
    """A program in a namespace, which says what it has counted."""
    argv = ["ip", "netns", "exec", place, "python3", "-c", text, *map(str, args)]
    return subprocess.Popen(argv, stdout=subprocess.PIPE, text=True)


def feed() -> float:
    """All transactions at their times, or later; how long it took."""
    began = time.monotonic()
    lines = f"python3 {PAYLOAD}/storm_feed.py va {COUNT} {PACE} {AT_ONCE} | ip netns exec a wlinkctl batch -"
    storm = subprocess.Popen(f"set -o pipefail; {lines}", shell=True, executable="/bin/bash", env=ENV)
    while storm.poll() is None:
        time.sleep(5)
        stats = xstats()
        conserved(stats)
        print(f"# storm: {stats['generation']} of {COUNT} transactions have taken effect", flush=True)
    expect(storm.returncode == 0, "a transaction was refused")
    return time.monotonic() - began


@case(f"{PACE} transactions a second for {SECONDS} s under TCP and UDP through AM")
def _() -> str:
    a(f"tc qdisc add {DEV} root handle 1: wlink {LINK}")
    a(f"tc class add {DEV} parent 1: classid 1:2 wlink {LINK.removeprefix('tti 10ms ')}")
    a(f"tc filter add {DEV} parent 1: protocol ip u32 match ip protocol 17 0xff classid 1:2")
    # A veth queues what comes at the processor that sent it; when that is now one, now
    # the other, packets pass each other behind the link, netem's too. So one a flow.
    sh("ip netns exec b sh -c 'echo 3 >/sys/class/net/vb/queues/rx-0/rps_cpus'")
    counter = python("b", COUNTER, 120)
    assert counter.stdout
    counter.stdout.readline()
    with tcp(float(SECONDS)) as got:
        counted = python("a", COUNTED, SECONDS, UDP_BYTES)
        took = feed()
        sent = int(counted.communicate()[0])
        a("wlinkctl set va bearer 1 rate 20mbit limit 100 bearer 2 rate 20mbit")
    stats = drained()
    conserved(stats)
    seen, back = map(int, counter.communicate()[0].split())
    drops = {reason: n for reason, n in stats["drops"].items() if n}
    said = a(f"tc -s class show {DEV}")
    a(f"tc qdisc del {DEV} root")
    expect(stats["generation"] == COUNT + 1, f"{stats['generation']} generations of {COUNT + 1}")
    expect(stats["pending"] == 0, f"{stats['pending']} transactions still wait")
    expect(set(drops) <= RULES, f"lost against the rules: {drops}")
    expect(back == 0, f"{back} of {seen} datagrams came late or twice")
    counts = f"SDUs in {sent} delivered {seen} dropped {sent - seen} held 0"
    expect(counts in said, f"no bearer has {counts}: {said}")
    expect(got[0] > 50000, f"TCP got {got[0]} bytes through")
    expect(stats["pdus_retx"] > 100, f"only {stats['pdus_retx']} PDUs sent again")
    return f"{COUNT / took:.0f} a second, {stats['sdus_delivered']} SDUs delivered, {drops}"
