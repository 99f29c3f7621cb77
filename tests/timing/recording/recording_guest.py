# SPDX-License-Identifier: GPL-2.0
"""In the VM: the same load through the same link, not recorded and recorded.

Plan: cells of name, words of tc, bytes of a packet, ns between packets, seconds,
seconds to drain; ways of recording by name, as shell commands; repetitions.
"""

import ctypes
import json
import mmap
import os
import re
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

PAYLOAD = Path("/run/payload")
DEV = "dummy0"
PKTGEN = Path("/proc/net/pktgen")
INSTANCES = Path("/sys/kernel/tracing/instances")
ENV = os.environ | {"TC_LIB_DIR": str(PAYLOAD), "PATH": f"{PAYLOAD}:{os.environ['PATH']}"}
# A NOP that the plugin of tests/bench/count.c knows, and ret.
NOP = bytes.fromhex("0f1f80") + b"knlw" + b"\xc3"


def make_mark() -> Callable[[], None]:
    page = mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(NOP)
    function = ctypes.CFUNCTYPE(None)(ctypes.addressof(ctypes.c_char.from_buffer(page)))
    pages.append(page)
    return function


pages: list[mmap.mmap] = []
set_mark = make_mark()
marks = 0


def mark() -> int:
    """Its number."""
    global marks
    set_mark()
    marks += 1
    return marks - 1


def sh(words: str) -> str:
    done = subprocess.run(words, shell=True, capture_output=True, text=True, env=ENV, check=False)
    if done.returncode:
        raise SystemExit(f"{words}: {done.stdout} {done.stderr}")
    return done.stdout


def pktgen(where: str, *lines: str) -> None:
    for line in lines:
        (PKTGEN / where).write_text(line + "\n", encoding="ascii")


def offer(cell: dict[str, Any]) -> None:
    pktgen("kpktgend_0", "rem_device_all", f"add_device {DEV}")
    words = ("count 0", "clone_skb 0", f"pkt_size {cell['bytes']}", f"delay {cell['pace_ns']}")
    pktgen(DEV, *words, "xmit_mode queue_xmit", "dst_mac 02:00:00:00:00:02", "dst 10.0.0.9")


def recording() -> bool:
    return any((one / "tracing_on").read_text() == "1\n" for one in INSTANCES.iterdir())


def begin(way: str) -> subprocess.Popen[str] | None:
    """A recorder that records; None for none."""
    if not way:
        return None
    recorder = subprocess.Popen(f"exec {way}", shell=True, env=ENV, stderr=subprocess.PIPE, text=True)
    while not recording():
        time.sleep(0.05)
    time.sleep(0.2)
    return recorder


def sums(recorder: subprocess.Popen[str]) -> dict[str, int]:
    recorder.send_signal(signal.SIGINT)
    err = recorder.communicate()[1]
    found = re.search(r'\{"lost": (\d+), "events": (\d+)\}', err)
    if not found:
        raise SystemExit(f"the recorder said {err!r}")
    return {"lost": int(found[1]), "events": int(found[2])}


def measure(cell: dict[str, Any], name: str, way: str) -> dict[str, Any]:
    sh(f"tc qdisc add dev {DEV} root handle 1: {cell['tc']}")
    offer(cell)
    recorder = begin(way)
    start = threading.Thread(target=pktgen, args=("pgctrl", "start"))
    before = mark()
    start.start()
    # As in tests/bench/guest.py: a stop before the start is lost.
    while start.is_alive() and f"Running: {DEV}" not in (PKTGEN / "kpktgend_0").read_text():
        time.sleep(0.02)
    time.sleep(cell["seconds"])
    pktgen("pgctrl", "stop")
    start.join()
    time.sleep(cell["drain_s"])
    after = mark()
    told: dict[str, Any] = sums(recorder) if recorder else {}
    # What is left to do when it is over, such as to make lines.
    told["ended"] = mark()
    stats = json.loads(sh(f"wlinkctl show {DEV} --json"))[0]["xstats"]
    sh(f"tc qdisc del dev {DEV} root")
    told |= {"cell": cell["name"], "way": name, "before": before, "after": after}
    told |= {key: stats[key] for key in ("sdus_in", "sdus_delivered", "sdus_held", "late_ns", "late_max_ns")}
    return told


def main() -> None:
    plan = json.loads((PAYLOAD / "plan.json").read_text())
    sh(f"insmod {PAYLOAD}/sch_wlink.ko; modprobe pktgen; modprobe dummy")
    # What the kernel itself would send, whenever it likes.
    for one in ("all", "default"):
        Path(f"/proc/sys/net/ipv6/conf/{one}/disable_ipv6").write_text("1", encoding="ascii")
    sh(f"ip link add {DEV} type dummy; ip link set {DEV} up txqueuelen 1000")
    for repetition in range(plan["repetitions"]):
        for cell in plan["cells"]:
            for name, way in plan["ways"].items():
                told = measure(cell, name, way) | {"repetition": repetition}
                print(f"RESULT {json.dumps(told)}", flush=True)
            print(f"# {cell['name']}, repetition {repetition + 1} of {plan['repetitions']}", flush=True)


main()
