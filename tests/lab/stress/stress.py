# SPDX-License-Identifier: GPL-2.0
"""What a kernel with KASAN, UBSAN and lockdep sees."""

import json
from collections.abc import Callable

from lab import HERE, ROOT, expect, trouble_modules, wlab

# Its cases do not use each other's results.
APART = True

STEPS, SEED = 100, 1
# What must have happened, else the case shows nothing.
WANTED = ("class_add", "class_change", "class_del", "qdisc_change", "replace", "device", "memory", "starve")


def stress() -> str:
    """Counts add up after each step and the kernel has nothing to say."""
    script = str(HERE / "stress/stress_guest.py")
    called = wlab("exec", "--sanitize", "--", "/usr/bin/python3", "-ISB", script, str(STEPS), str(SEED))
    expect(called.status == 0, f"{called.out[-3000:]}\n{called.err[-3000:]}")
    told = json.loads(called.out.splitlines()[-1])
    done = told["done"]
    missing = [name for name in WANTED if not done.get(name)]
    expect(not missing, f"never done: {missing}")
    return ", ".join(f"{name} {n}" for name, n in sorted(done.items()))


SEND = ROOT / "tests/tdc/send.py"
# A leaf, so that the timer drops what has lost its PDU; a bearer that holds ten.
LEAF = f"""
sysctl -qw net.ipv6.conf.default.disable_ipv6=1
ip link add dummy1 up type dummy
ip addr add 192.0.2.1/24 dev dummy1
tc qdisc add dev dummy1 root handle 1: prio bands 2 priomap 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
tc qdisc add dev dummy1 parent 1:1 handle 10: wlink rate 64kbit tti 10ms mode um channel uniform loss 1
tc class add dev dummy1 parent 10: classid 10:2 wlink rate 0 mode tm limit 10
count() {{ tail -qn 1 freed held unsaid; }}
/usr/bin/python3 {SEND} 192.0.2.2 20 100
sleep 10; count
/usr/bin/python3 {SEND} priority=10:2 192.0.2.2 15 100
count
tc class del dev dummy1 classid 10:2; count
"""


def frees() -> str:
    """What the timer, enqueue() and a class that goes drop is freed without the root lock."""
    modules = trouble_modules("trouble-frees", "--sanitize")
    script = f"set -e; insmod {modules}/frees.ko; cd /sys/module/frees/parameters\n{LEAF}"
    called = wlab("exec", "--sanitize", "--", "sh", "-c", script)
    expect(called.status == 0, called.out + called.err)
    counts = called.out.split()
    want = ["20", "0", "0", "25", "0", "0", "35", "0", "0"]
    expect(counts == want, f"freed, with the lock held, without a reason: {counts}, not {want}")
    return "20 by the timer, 5 on their way in, 10 with their class"


CASES: dict[str, Callable[[], str]] = {
    "stress": stress,
    "what is dropped is freed without the lock": frees,
}
