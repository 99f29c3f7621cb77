# SPDX-License-Identifier: GPL-2.0
"""The library has the kernel's packets at the kernel's times: what becomes of each is the same to the ns."""

import sys
from importlib import import_module
from typing import Any

from brief import brief
from lab import OUT, ROOT, Sdu, call, events, expect, run, sdus

BASE = 10**12
WORDS = "rate 1mbit tti 10ms delay 25ms mode am pdu 40 limit 40 aqm codel channel gilbert p 0.02 r 0.2 seed 9"
SCHEDULE = """wlink schedule
columns rate delay
length 2s
end stop
0 2mbit 10ms
500ms 128kbit -
1s - 60ms
1500ms 768kbit 30ms
"""
SCENARIO = brief(f"""
duration = "10s"
seed = 3
[radio]
down.wlink = "{WORDS}"
up.wlink = "rate 1mbit delay 25ms"
[[flow]] name = "bulk"; kind = "tcp"
[[at]] time = "4s"
run = "wlinkctl set {{down}} rate 512kbit"
[[at]] time = "5s"
run = "wlinkctl trace play {{down}} {OUT}/library.schedule start +1s"
""")


def module() -> Any:
    made = call(["make", "-s", "-C", str(ROOT / "userspace/lib")])
    expect(made.returncode == 0, made.stderr)
    sys.path.insert(0, str(ROOT / "build/lib"))
    return import_module("wlink")


def kernels(sdu: Sdu) -> tuple[object, ...]:
    told = (sdu.drop, sdu.pdus, sdu.pdus_lost, sdu.retx, sdu.buffer)
    if sdu.drop != "none":
        return (*told, sdu.t)
    parts = sdu.start - sdu.arrival, sdu.end - sdu.start, sdu.due - sdu.end, sdu.whole - sdu.due
    return (*told, sdu.deliver, *parts, sdu.deliver - sdu.whole)


def librarys(sdu: Any) -> tuple[object, ...]:
    told = (sdu.drop or "none", sdu.pdus, sdu.pdus_lost, sdu.retx, sdu.buffer_sdus, sdu.at_ns - BASE)
    return told if sdu.drop else (*told, sdu.queue_ns, sdu.serial_ns, sdu.prop_ns, sdu.retx_ns, sdu.hol_ns)


def check_the_library_and_the_kernel() -> str:
    """TTIs of both start at the same phase; a change and a schedule begin when the kernel says."""
    OUT.mkdir(parents=True, exist_ok=True)
    (OUT / "library.schedule").write_text(SCHEDULE)
    _, folder = run("library", SCENARIO)
    told = sorted(sdus(folder), key=lambda sdu: sdu.seq)
    changed_ns = [int(at) for at, link, *_ in events(folder, "rate") if link == "radio.down"]
    played_ns = [int(at) for at, link, *_ in events(folder, "play") if link == "radio.down"]
    # The schedule ends: 512kbit come back.
    began_ns = played_ns[0]
    expect(played_ns == [began_ns, began_ns + 2 * 10**9], f"{played_ns}")
    expect(changed_ns[0] < began_ns and changed_ns[-1] == played_ns[1], f"changes at {changed_ns}")
    link = module().Link(WORDS, BASE + changed_ns[0] % 10_000_000)
    link.set("rate 512kbit", BASE + changed_ns[0])
    link.schedule(SCHEDULE, BASE + began_ns)
    over: dict[int, Any] = {}
    for sdu in told:
        link.enqueue(BASE + sdu.arrival, sdu.bytes, cookie=sdu.seq)
        over |= {one.cookie: one for one in link.due()}
    over |= {one.cookie: one for one in link.run(BASE + 10 * 10**9)}
    compared = [sdu for sdu in told if sdu.drop != "flush"]
    for sdu in compared:
        is_, wanted = librarys(over[sdu.seq]), kernels(sdu)
        expect(is_ == wanted, f"SDU {sdu.seq}: {is_} of the library, {wanted} of the kernel")
    drops = sum(sdu.drop != "none" for sdu in compared)
    again = sum(sdu.retx > 0 for sdu in compared)
    text = f"{len(compared)} SDUs, {drops} of them dropped, {again} retransmitted in part"
    expect(len(compared) > 400 and drops > 3 and again > 20, text)
    return text
