# SPDX-License-Identifier: GPL-2.0
"""The cases of make vm-check, run inside the VM as its only job."""

import json
import re
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import steps
from steps import (
    ENV,
    a,
    case,
    complaints,
    conserved,
    drained,
    expect,
    insert,
    qdisc,
    sh,
    tcp,
    topology,
    udp,
    until,
    xstats,
)

topology()
DEV = "dev va"


@case("insmod, and the first word of LTE")
def _() -> None:
    insert()
    a(f"tc qdisc add {DEV} root handle 1: wlink rate 1mbit tti 1ms")
    expect("sch_wlink" in (loaded := sh("lsmod")) and "wlink_3gpp" not in loaded, loaded)
    a(f"tc qdisc change {DEV} root handle 1: wlink mode lte-am")
    expect("wlink_3gpp" in (loaded := sh("lsmod")), loaded)
    a(f"tc qdisc del {DEV} root")


@case("root qdisc: add, show typed back, change, replace, del")
def _() -> None:
    words = "rate 1mbit tti 10ms limit 40 seed 7 channel gilbert p 0.01 r 0.2"
    a(f"tc qdisc add {DEV} root handle 1: wlink {words}")
    shown = a(f"tc qdisc show {DEV}").split("wlink", 1)[1]
    words = re.sub(r"^ 1: root refcnt \d+ ", "", shown).strip()
    a(f"tc qdisc del {DEV} root")
    a(f"tc qdisc add {DEV} root handle 1: wlink {words}")
    again = a(f"tc qdisc show {DEV}").split("wlink", 1)[1]
    expect(shown == again, f"typed back: {shown!r} became {again!r}")
    a(f"tc qdisc change {DEV} root wlink rate 2mbit")
    a(f"tc qdisc replace {DEV} root wlink delay 5ms")
    now = qdisc()["options"]
    expect(now["rate_bps"] == 2000000 and now["delay_ns"] == 5000000 and now["seed"] == 7, str(now))
    a(f"tc qdisc del {DEV} root")


@case("a refused change names attribute, value and bound, and changes nothing")
def _() -> None:
    a(f"tc qdisc add {DEV} root handle 1: wlink rate 1mbit")
    before = qdisc()["options"]
    for words, said in (
        ("rate 101gbit", "rate 101gbit is outside 0..100gbit"),
        ("tti 11s", "tti 11s is outside 0..10s"),
        ("pdu 70000", "pdu 70000 is outside 0..65535"),
        ("pdu 65535 header 1", "pdu plus header 65536 is outside 0..65535"),
        ("channel gilbert p 1.5 r 0.1", "p 1.5 is outside 0..1"),
        ("rate 100gbit limit 1h", 'limit "1h" has an unknown unit'),
    ):
        text = a(f"tc qdisc change {DEV} root wlink {words}", fails=True)
        expect(said in text, f"{words}: {text}")
    expect(qdisc()["options"] == before, "the running link was touched")
    a(f"tc qdisc del {DEV} root")


def leaf(parent: str, where: str) -> None:
    """wlink as a leaf: traffic passes, the parents' counts return to 0."""
    a(f"tc qdisc add {DEV} root handle 1: {parent}")
    if parent.startswith("htb"):
        a(f"tc class add {DEV} parent 1: classid 1:1 htb rate 100mbit")
    words = "rate 2mbit tti 10ms delay 5ms limit 20 pdu 40 channel uniform loss 0.001"
    a(f"tc qdisc add {DEV} parent {where} handle 2: wlink {words}")
    # A sender takes its time to start, and a busy machine to let it send too much.
    with udp(60.0):
        until(lambda: qdisc()["xstats"]["sdus_held"] > 0, "something is held under load")
        until(lambda: qdisc()["xstats"]["sdus_delivered"] > 200, "200 SDUs are delivered")
        until(lambda: all(qdisc()["xstats"]["drops"][one] for one in ("overflow", "channel")), "both drop")
    stats = drained()
    conserved(stats)
    expect(stats["sdus_delivered"] > 100, f"delivered {stats['sdus_delivered']}")
    expect(stats["drops"]["overflow"] > 0 and stats["drops"]["channel"] > 0, f"drops {stats['drops']}")
    a(f"tc qdisc del {DEV} root")


@case("leaf under prio")
def _() -> None:
    leaf("prio bands 3 priomap 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0", "1:1")


@case("leaf under htb")
def _() -> None:
    leaf("htb default 1", "1:1")


@case("leaf under tbf")
def _() -> None:
    leaf("tbf rate 50mbit burst 50kb latency 100ms", "1:1")


@case("wlinkctl show, set and watch")
def _() -> None:
    a(f"tc qdisc add {DEV} root handle 1: wlink rate 384kbit")
    watch = subprocess.Popen(
        ["ip", "netns", "exec", "a", "wlinkctl", "--json", "watch", "va", "--count", "1"],
        env=ENV, stdout=subprocess.PIPE, text=True,
    )
    time.sleep(1)
    a("wlinkctl set va rate 128kbit")
    said, _ = watch.communicate(timeout=20)
    expect("128000" in said, f"watch said {said!r}")
    shown = json.loads(a("wlinkctl --json show va"))
    expect("128000" in json.dumps(shown), f"show said {shown}")
    a("wlinkctl set va 1: rate 256kbit")
    expect(qdisc()["options"]["rate_bps"] == 256000, "rate not set")
    text = a("wlinkctl set va tti 11s", fails=True)
    expect("tti" in text, text)
    a(f"tc qdisc del {DEV} root")


@case("100 rate changes a second for 10 s while traffic flows")
def _() -> str:
    a(f"tc qdisc add {DEV} root handle 1: wlink rate 8mbit delay 5ms limit 100 pdu 40")
    batch = subprocess.Popen(
        ["ip", "netns", "exec", "a", "wlinkctl", "batch", "-"], env=ENV, stdin=subprocess.PIPE, text=True
    )
    assert batch.stdin
    with udp(12.0), tcp(10.0) as got:
        began = time.monotonic()
        for n in range(1000):
            batch.stdin.write(f"set va rate {1000 + n % 7 * 1000}kbit\n")
            batch.stdin.flush()
            pause = began + (n + 1) / 100 - time.monotonic()
            if pause > 0:
                time.sleep(pause)
        took = time.monotonic() - began
        batch.stdin.close()
        expect(batch.wait() == 0, "a change was refused")
        conserved(xstats())
    stats = drained()
    conserved(stats)
    expect(stats["generation"] == 1000, f"{stats['generation']} of 1000 changes took effect")
    expect(took < 11.0, f"1000 changes took {took:.1f} s")
    expect(got[0] > 500000, f"TCP got {got[0]} bytes through")
    mean = stats["late_ns"] / stats["sdus_delivered"] / 1000
    a(f"tc qdisc del {DEV} root")
    worst = stats["late_max_ns"] / 1000
    return f"{1000 / took:.0f} a second, lateness mean {mean:.0f} us, max {worst:.0f} us"


@case("GSO is cut into SDUs of one segment")
def _() -> str:
    a("ethtool -K va tso on gso on")
    a(f"tc qdisc add {DEV} root handle 1: wlink rate 50mbit limit 1000")
    sh("echo > /sys/kernel/tracing/trace; echo 1 > /sys/kernel/tracing/events/wlink/wlink_sdu/enable")
    sh("echo 1 > /sys/kernel/tracing/events/net/net_dev_queue/enable")
    with tcp(3.0) as got:
        pass
    sh("echo 0 > /sys/kernel/tracing/events/enable")
    trace = sh("cat /sys/kernel/tracing/trace")
    sizes = [int(x) for x in re.findall(r"wlink_sdu: dev=va .* bytes=(\d+)", trace)]
    queued = [int(x) for x in re.findall(r"net_dev_queue: dev=va .* len=(\d+)", trace)]
    a(f"tc qdisc del {DEV} root")
    expect(max(queued) > 3000, f"no GSO packet came, longest {max(queued)}: the case shows nothing")
    expect(max(sizes) == 1500, f"longest SDU {max(sizes)} bytes")
    expect(got[0] > 1000000, f"TCP got {got[0]} bytes through")
    return f"packets of up to {max(queued)} bytes came"


@case("a bpftrace one-liner on wlink:wlink_sdu")
def _() -> str:
    a(f"tc qdisc add {DEV} root handle 1: wlink rate 1mbit limit 10")
    with udp(60.0):
        said = sh(
            "bpftrace -e 'tracepoint:wlink:wlink_sdu { @[args->drop] = count(); }"
            " interval:s:2 { exit(); }'"
        )
    a(f"tc qdisc del {DEV} root")
    counts = {int(k): int(v) for k, v in re.findall(r"@\[(\d+)\]: (\d+)", said)}
    expect(counts.get(0, 0) > 0 and counts.get(1, 0) > 0, f"it said {said!r}")
    return f"{counts[0]} delivered, {counts[1]} overflowed"


@case("what is dropped says why")
def _() -> str:
    # The tracepoint of 7.1 and newer; to older kernels all is one.
    events = "/sys/kernel/tracing/events"
    newer = Path(f"{events}/qdisc/qdisc_drop").exists()
    words = "rate 1mbit limit 10 pdu 500 aqm codel channel uniform loss 0.01"
    a(f"tc qdisc add {DEV} root handle 1: wlink {words}")
    event = "qdisc/qdisc_drop" if newer else "skb/kfree_skb"
    sh(f"echo > /sys/kernel/tracing/trace; echo 1 > {events}/{event}/enable")
    with udp(60.0):
        until(lambda: all(xstats()["drops"][one] for one in ("overflow", "aqm", "channel")), "all drop")
    drops = drained()["drops"]
    sh(f"echo 0 > {events}/enable")
    pattern = r"qdisc_drop: .*kind=wlink .*reason=(\w+)" if newer else r"kfree_skb: .*reason: (QDISC_DROP)"
    said = Counter(re.findall(pattern, sh("cat /sys/kernel/tracing/trace")))
    a(f"tc qdisc del {DEV} root")
    of_air = sum(drops.values()) - drops["overflow"] - drops["aqm"]
    want = {"OVERLIMIT": drops["overflow"], "CONGESTED": drops["aqm"], "GENERIC": of_air}
    if not newer:
        want = {"QDISC_DROP": sum(drops.values())}
    expect(said == want, f"the kernel was told {dict(said)}, not {want}")
    return str(want)


# In the same boot, with the module loaded.
import hold  # noqa: E402, F401
import memory  # noqa: E402, F401
import onhost  # noqa: E402, F401
import page  # noqa: E402, F401
import seeing  # noqa: E402, F401
import upload  # noqa: E402, F401
import users  # noqa: E402, F401

complaints()
sys.exit(1 if steps.failed else 0)
