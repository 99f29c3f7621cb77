# SPDX-License-Identifier: GPL-2.0
"""Measures the cells, as the only job of the VM; one line of JSON for each measurement.

The plugin in count.c counts: a measurement names the two marks that it lies between.
"""

import base64
import ctypes
import json
import mmap
import os
import re
import subprocess
import sys
import threading
import time
import zlib
from collections.abc import Callable
from pathlib import Path

import proxied
from cells import Cell, cells

PAYLOAD = "/run/payload"
DEV = "dummy0"
PKTGEN = Path("/proc/net/pktgen")

RECORD = Path("/sys/kernel/tracing/events/wlink/wlink_sdu/enable")
NOP = bytes.fromhex("0f1f80") + b"knlw" + b"\xc3"
NOP_PROFILE = bytes.fromhex("0f1f81") + b"knlw" + b"\xc3"


def code(text: bytes) -> Callable[[], None]:
    """A function of such machine code."""
    page = mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(text)
    pages.append(page)
    return ctypes.CFUNCTYPE(None)(ctypes.addressof(ctypes.c_char.from_buffer(page)))


pages: list[mmap.mmap] = []
set_mark, set_profile = code(NOP), code(NOP_PROFILE)
marks = 0


def mark(profiled: bool = False) -> int:
    """Its number."""
    global marks
    (set_profile if profiled else set_mark)()
    marks += 1
    return marks - 1


def sh(words: str) -> str:
    done = subprocess.run(words, shell=True, capture_output=True, text=True, env=ENV, check=False)
    if done.returncode:
        raise RuntimeError(f"{words}: {done.stderr.strip()}")
    return done.stdout


ENV = os.environ | {"TC_LIB_DIR": PAYLOAD}


def pktgen(where: str, *lines: str) -> None:
    for line in lines:
        (PKTGEN / where).write_text(line + "\n", encoding="ascii")


def offer(cell: Cell) -> None:
    """What pktgen is to send; it stops when it is told to."""
    pktgen("kpktgend_0", "rem_device_all", f"add_device {DEV}")
    lines = [
        "count 0",
        "clone_skb 0",
        f"pkt_size {cell.load.bytes}",
        f"delay {cell.load.pace_ns}",
        "xmit_mode queue_xmit",
        "dst_mac 02:00:00:00:00:02",
        "dst 10.0.0.9",
        # The far ends go round: flows for fq_codel, bearers for the filter.
        "udp_dst_min 1024",
        "udp_dst_max 2047",
    ]
    pktgen(DEV, *lines)


def choose(bearers: int) -> str:
    """Words of a filter: class 1:N, N = destination port modulo bearers plus 1."""
    ops = [
        "40 0 0 %d" % (14 + 20 + 2),  # ldh the port
        "84 0 0 %d" % (bearers - 1),  # and
        "4 0 0 %d" % 0x10001,  # add
        "22 0 0 0",  # ret a
    ]
    return f"bpf bytecode '{len(ops)},{','.join(ops)}' flowid 1:1"


def build(cell: Cell) -> None:
    if not cell.tc:
        return  # A dummy has none of itself.
    sh(f"tc qdisc add dev {DEV} root handle 1: {cell.tc}")
    if cell.filtered:
        sh(f"tc filter add dev {DEV} parent 1: protocol all {choose(cell.bearers)}")
    if cell.bearers > 1:
        one = f"class add dev {DEV} parent 1: classid"
        lines = [f"{one} 1:{n:x} wlink {cell.each}" for n in range(2, cell.bearers + 1)]
        Path("/tmp/classes").write_text("\n".join(lines) + "\n", encoding="ascii")
        sh("tc -batch /tmp/classes")


def demolish(cell: Cell) -> None:
    if cell.tc:
        sh(f"tc qdisc del dev {DEV} root")


def sent() -> int:
    found = re.search(r"pkts-sofar: (\d+)\s+errors: (\d+)", (PKTGEN / DEV).read_text())
    assert found
    return int(found.group(1)) + int(found.group(2))


def counts(cell: Cell) -> dict[str, int]:
    """Of the root qdisc: handed over, dropped, still there."""
    if not cell.tc:
        return {"sent": 0, "dropped": 0, "backlog": 0}
    shown = sh(f"tc -s qdisc show dev {DEV} root")
    found = re.search(r"Sent \d+ bytes (\d+) pkt \(dropped (\d+),.*?backlog \S+ (\d+)p", shown, re.S)
    assert found
    return dict(zip(("sent", "dropped", "backlog"), map(int, found.groups()), strict=True))


def run(cell: Cell, profiled: bool) -> tuple[int, int]:
    """The marks before the first and after the last packet."""
    RECORD.write_text("01"[cell.record])
    start = threading.Thread(target=pktgen, args=("pgctrl", "start"))
    before = mark(profiled)
    start.start()
    # A stop before the start is lost, and the start then runs for ever: this clock jumps
    # over the time in which the thread waits for a page of its program.
    while start.is_alive() and f"Running: {DEV}" not in (PKTGEN / "kpktgend_0").read_text():
        time.sleep(0.02)
    time.sleep(cell.load.seconds)
    pktgen("pgctrl", "stop")
    start.join()
    time.sleep(cell.drain_s)
    after = mark()
    RECORD.write_text("0")
    return before, after


def measure(cell: Cell, repetition: int, profiled: bool = False) -> None:
    build(cell)
    offer(cell)
    before, after = run(cell, profiled)
    packets = sent()
    got = counts(cell)
    demolish(cell)
    said = {"key": f"{cell.key}/{cell.qdisc}", "repetition": repetition, "packets": packets}
    said |= {"before": before, "after": after} | got
    print("BENCH " + json.dumps(said))
    if got["backlog"]:
        print(f"# {cell.key}: {got['backlog']} packets are still there")
    if cell.lossless and cell.tc and got["sent"] != packets:
        print(f"# {cell.key}: {packets} packets went in, {got['sent']} came out")


def main() -> None:
    plan = json.loads(Path(f"{PAYLOAD}/plan.json").read_text())
    for name in plan["modules"]:
        sh(f"insmod {PAYLOAD}/{name}")
    for name in ("pktgen", "dummy", "cls_bpf", "sch_netem", "sch_tbf"):
        sh(f"modprobe {name}")
    sh("sysctl -q net.ipv6.conf.default.disable_ipv6=1")
    sh(f"ip link add {DEV} type dummy; ip link set {DEV} up txqueuelen 1000")
    clock = Path("/sys/devices/system/clocksource/clocksource0/current_clocksource").read_text().strip()
    print("BENCH " + json.dumps({"clocksource": clock, "release": os.uname().release}))
    todo = [Cell(**cell | {"load": type(LOAD)(**cell["load"])}) for cell in plan["cells"]]
    if plan["profile"]:
        every = Path("/proc/kallsyms").read_text().splitlines()
        functions = [line for line in every if line.split()[1] in "tTwW"]
        print("KALLSYMS " + base64.b64encode(zlib.compress("\n".join(functions).encode())).decode())
    for repetition in range(plan["repetitions"]):
        for cell in todo:
            measure(cell, repetition, plan["profile"])
        print(f"# repetition {repetition + 1} of {plan['repetitions']}")
    if plan["proxies"]:
        for one in proxied.measure(PAYLOAD, sh):
            print("PROXY " + json.dumps(one))
            print(f"# {one['path']}")


LOAD = cells(True)[0].load
main()
sys.exit(0)
