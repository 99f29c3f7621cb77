# SPDX-License-Identifier: GPL-2.0
"""A short test of traffic, for a kernel beside the one that guest.py runs on."""

import sys

import steps
from steps import PAYLOAD, a, case, complaints, conserved, drained, expect, qdisc, sh, tcp, topology, udp

DEV = "dev va"

topology()


@case("TCP and UDP through two bearers of the module, which change meanwhile")
def _() -> str:
    sh(f"insmod {PAYLOAD}/sch_wlink.ko")
    words = "rate 4mbit tti 10ms delay 5ms limit 50 mode am pdu 400 channel uniform loss 0.05"
    a(f"tc qdisc add {DEV} root handle 1: wlink {words}")
    a(f"tc class add {DEV} parent 1: classid 1:2 wlink rate 1mbit limit 20")
    a(f"tc filter add {DEV} parent 1: protocol ip u32 match ip protocol 17 0xff classid 1:2")
    with udp(60.0), tcp(2.0) as got:
        a("wlinkctl set va 1: bearer 1 rate 8mbit at +500ms --wait")
        a(f"tc class change {DEV} parent 1: classid 1:2 wlink delay 10ms")
    stats = drained()
    conserved(stats)
    expect(qdisc()["options"]["rate_bps"] == 8000000, f"the rate is {qdisc()['options']}")
    expect(got[0] > 100000, f"TCP got {got[0]} bytes through")
    expect(stats["pdus_retx"] > 0, "no PDU was sent again")
    expect(stats["drops"]["overflow"] > 0, "UDP lost nothing to the limit")
    a(f"tc qdisc del {DEV} root")
    sh("rmmod sch_wlink")
    return f"{stats['sdus_delivered']} SDUs"


complaints()
sys.exit(1 if steps.failed else 0)
