# SPDX-License-Identifier: GPL-2.0
"""Two links that become a pair, part, and are deleted, while both send: who goes may be spoken to."""

import json
import os
import subprocess
import time

from steps import a, case, conserved, expect, sh, until

# How often a side goes; make check-long has time for more.
TIMES = 24 if {"MINUTES", "SANITIZER"} & set(os.environ) else 9
# Both directions send at once; each SDU is acknowledged by what the other link carries.
WORDS = "rate 20mbit delay 1ms limit 200 mode fsr pdu 300 start handover ack_delay 0 rto 100ms"
FLOOD = """
import socket, sys
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.setblocking(False)
while True:
    try:
        s.sendto(bytes(900), (sys.argv[1], 9))
    except OSError:
        pass
"""
SIDES = {"a": ("va", "10.0.0.2"), "b": ("vb", "10.0.0.1")}


def add(side: str) -> None:
    sh(f"tc -n {side} qdisc add dev {SIDES[side][0]} root handle 1: wlink {WORDS}")


def stats(side: str) -> dict[str, object]:
    """The counters of a side; qdisc() knows but one."""
    shown = json.loads(sh(f"tc -n {side} -j -s qdisc show dev {SIDES[side][0]}"))
    found: dict[str, object] = next(one for one in shown if one["kind"] == "wlink")["xstats"]
    return found


@case("pairs are made, parted and deleted while both sides send")
def _() -> str:
    floods = []
    for cpu, (side, (dev, address)) in enumerate(SIDES.items()):
        add(side)
        mac = f"02:00:00:00:00:0{2 - cpu}"
        sh(f"ip -n {side} neigh replace {address} lladdr {mac} dev {dev} nud permanent")
        words = ["taskset", "-c", str(cpu), "ip", "netns", "exec", side, "python3", "-c", FLOOD, address]
        floods.append(subprocess.Popen(words, stdin=subprocess.DEVNULL))
    carried = 0
    try:
        until(lambda: all(stats(side)["sdus_in"] for side in SIDES), "both sides send")
        for number in range(TIMES):
            a("wlinkctl pair va vb netns b")
            time.sleep(0.1)
            carried += int(str(stats("b")["pdus_control"]))
            if number % 3 == 2:
                a("wlinkctl pair va off")
                continue
            side = "ab"[number % 2]
            sh(f"tc -n {side} qdisc del dev {SIDES[side][0]} root")
            add(side)
        for side in SIDES:
            conserved(stats(side))
    finally:
        for flood in floods:
            flood.kill()
            flood.wait()
    for side, (dev, _) in SIDES.items():
        sh(f"tc -n {side} qdisc del dev {dev} root")
    expect(carried > 0, "no feedback went over the other link")
    return f"{carried} times feedback, {TIMES} times parted"
