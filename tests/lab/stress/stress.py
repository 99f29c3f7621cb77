# SPDX-License-Identifier: GPL-2.0
"""What a kernel with KASAN, UBSAN and lockdep sees."""

import json
import os

from lab import HERE, ROOT, expect, trouble_modules, wlab

# Its cases do not use each other's results.
APART = True

STEPS, SEED = 100, 1
# What must have happened, else the case shows nothing.
WANTED = ("class_add", "class_change", "class_del", "qdisc_change", "replace", "device", "memory", "starve")


def check_stress() -> str:
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


def check_what_is_dropped_is_freed_without_the_lock() -> str:
    """What the timer, enqueue() and a class that goes drop is freed without the root lock."""
    modules = trouble_modules("trouble-frees", "--sanitize")
    script = f"set -e; insmod {modules}/frees.ko; cd /sys/module/frees/parameters\n{LEAF}"
    called = wlab("exec", "--sanitize", "--", "sh", "-c", script)
    expect(called.status == 0, called.out + called.err)
    counts = called.out.split()
    want = ["20", "0", "0", "25", "0", "0", "35", "0", "0"]
    expect(counts == want, f"freed, with the lock held, without a reason: {counts}, not {want}")
    return "20 by the timer, 5 on their way in, 10 with their class"


# More bearers than may be looked at in one hold of the root lock, which the module itself counts.
BEARERS = 600
RAW = ROOT / "tests/tdc/raw.py"
MANY = f"""
ip link add dummy1 up type dummy
tc qdisc add dev dummy1 root handle 1: wlink rate 1mbit tti 10ms sched rr jitter 10ms jitter_dev 2ms
parts= i=1
while [ $i -le {BEARERS} ]; do
    [ $i = 1 ] || printf 'class add dev dummy1 parent 1: classid 1:%x wlink rate 1mbit\\n' $i >>/tmp/many
    parts="$parts part {{ bearer=u32:$i options {{ rate=u64:2000000 }} }}" i=$((i + 1))
done
tc -b /tmp/many
ask() {{ /usr/bin/python3 -ISB {RAW} dummy1 "$@"; }}
count() {{ tc class show dev dummy1 | grep -c "$1"; }}
tc -s qdisc show dev dummy1 | grep -c "bearers {BEARERS} "
wlinkctl --json show dummy1 >/tmp/shown
ask set at=u64:+1000000000 $parts
count 'rate 2mbit '
ask cancel
count 'rate 1mbit '
ask set $parts; sleep 0.02
ask cancel
count 'rate 2mbit '
tc qdisc change dev dummy1 root wlink tti 5ms jitter 5ms
sleep 0.02
i=1
while [ $i -le 20 ]; do
    ask set at=u64:+${{i}}000000000 part {{ bearer=u32:1 options {{ tti=u64:2000000 }} }}
    ask set at=u64:+${{i}}000000000 part {{ bearer=u32:1 options {{ tti=u64:5000000 }} }}
    i=$((i + 1))
done
i=21
while [ $i -le 24 ]; do ask set at=u64:+${{i}}000000000 $parts; i=$((i + 1)); done
tc class add dev dummy1 parent 1: classid 1:1000 wlink mode um pdu 40
tc class del dev dummy1 classid 1:1000
count 'jitter 10ms'
"""


def check_many_bearers() -> str:
    """No walk through all bearers keeps the root lock for long, and all of them are reached."""
    called = wlab("exec", "--sanitize", "--", "sh", "-c", f"set -e\n{MANY}")
    expect(called.status == 0, called.out + called.err)
    want = ["1", *[str(BEARERS)] * 3, str(BEARERS - 1)]
    expect(called.out.split() == want, f"shown, then of each kind: {called.out.split()}, not {want}")
    return f"{BEARERS} bearers"


# Each kind is taken often; make check-long has time for more.
MESSAGES = int(os.environ.get("MESSAGES", "6000"))
TAKEN = ["new qdisc", "del qdisc", "new class", "del class", "get", "profile", "cancel", "set"]
TAKEN += ["load", "more", "start", "stop", "forward", "pair"]
NO_NAMESPACE = "is no namespace in which this is allowed"


def check_an_ordinary_users_hand() -> str:
    """Whatever an ordinary user asks for in a namespace of their own, the kernel has nothing to say."""
    script = str(HERE / "stress/hand_guest.py")
    called = wlab(
        "exec",
        "--sanitize",
        "--timeout",
        "3600",
        "--",
        "/usr/bin/python3",
        "-ISB",
        script,
        str(MESSAGES),
        str(SEED),
    )
    expect(called.status == 0, f"{called.out[-3000:]}\n{called.err[-3000:]}")
    told = json.loads(called.out.splitlines()[-1])
    done = told["done"]
    missing = [name for name in TAKEN if not done.get(f"{name} taken")]
    expect(not missing, f"never taken: {missing} of {done}")
    by_user, by_root, own = told["pairs"]
    for who, (_, text) in (("the user", by_user), ("root by the user's socket", by_root)):
        expect(NO_NAMESPACE in text, f"a pair with a link of another namespace, asked for by {who}: '{text}'")
    expect(own == [0, ""], f"a pair in the own namespace: {own}")
    taken = sum(n for name, n in done.items() if name.endswith("taken"))
    return f"{MESSAGES} messages, {taken} taken"
