# SPDX-License-Identifier: GPL-2.0
"""Inside the lab kernel: wlinkctl record against the link's own counters.

record_guest.py CASE
"""

import ctypes
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from time import sleep
from typing import Any

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))

from record_files_guest import OUT, SUM, made, only_events
from seeing_kit import Blast, Recorder, classes, device, expect, idle, instances, main, qdisc, sh


def parts(events: list[dict[str, Any]]) -> dict[str, int]:
    """Sums over the delivered SDUs, as the kernel has them."""
    done = [e for e in events if e["drop"] == "none"]
    return {
        "sdus_delivered": len(done),
        "bytes_delivered": sum(e["bytes"] for e in done),
        "bytes_dropped": sum(e["bytes"] for e in events) - sum(e["bytes"] for e in done),
        "queue_ns": sum(e["start_ns"] - e["arrival_ns"] - e["access_ns"] for e in done),
        "serial_ns": sum(e["end_ns"] - e["start_ns"] - e["access_tx_ns"] for e in done),
        "access_ns": sum(e["access_ns"] + e["access_tx_ns"] for e in done),
        "prop_ns": sum(e["due_ns"] - e["end_ns"] for e in done),
        "retx_ns": sum(e["whole_ns"] - e["due_ns"] for e in done),
        "hol_ns": sum(e["deliver_ns"] - e["whole_ns"] for e in done),
        "late_ns": sum(e["handover_ns"] - e["deliver_ns"] for e in done),
        "marks": sum(e["ecn"] for e in done),
    }


def counters() -> str:
    """All that has become of the SDUs of four bearers, and of nobody else."""
    am = "mode am rate 1mbit pdu 40 channel uniform loss 0.1 limit 60 aqm sbd minth 10 tr 100ms"
    device(
        "va",
        f"tti 10ms delay 20ms {am}",
        "1:2 wlink mode um rate 300kbit pdu 60 channel gilbert p 0.05 r 0.3 limit 20 sr 20ms",
        "1:3 wlink mode tm rate 2mbit pdu 0 channel none aqm red minth 3 maxp 0.2 ecn on limit 40",
        "1:4 wlink mode am rate 500kbit discard timer discard_timer 150ms channel none limit 30"
        " aqm codel drx 40ms drx_inactivity 100ms",
    )
    device("vc", "rate 1mbit limit 5")
    recorder = Recorder(f"va {OUT} --for 12s", OUT)
    others = [Blast("vc", 1, 500, 0.005)]
    for minor, gap in ((1, 0.003), (2, 0.01), (3, 0.001), (4, 0.006)):
        others.append(Blast("va", minor, int(8 / gap), gap, ecn=2 * (minor == 3)))
    sleep(2)
    sh("wlinkctl set va rate 400kbit")
    sleep(2)
    sh("wlinkctl set va rate 2mbit")
    for one in others:
        one.join()
    idle("va", "vc")
    status, err = recorder.end()
    events, end = recorder.read()
    expect((status, end["lost"], err) == (0, 0, SUM.format(0, len(events))), f"{status} {end} {err}")
    expect(end["events"] == len(events), f"{end} but {len(events)} lines")
    expect([e["ts_ns"] for e in events] == sorted(e["ts_ns"] for e in events), "not in order of time")
    expect({e["dev"] for e in events} == {"va"}, "events of another device")
    sdus = [e for e in events if e["event"] == "wlink_sdu"]
    expect(len({e["seq"] for e in sdus}) == len(sdus) == qdisc("va")["sdus_in"], "not each SDU once")
    checked = 0
    for number, x in classes("va").items():
        own = [e for e in sdus if e["bearer"] == number]
        drops = Counter(e["drop"] for e in own if e["drop"] != "none")
        expect(
            drops == {k: v for k, v in x["drops"].items() if v}, f"bearer {number}: {drops}, not {x['drops']}"
        )
        for name, value in parts(own).items():
            expect(value == x[name], f"bearer {number}: {name} is {value}, not {x[name]}")
            checked += 1
    seen = Counter(e["drop"] for e in sdus)
    for reason in ("aqm", "overflow", "channel", "timer"):
        expect(seen[reason] > 0, f"no SDU was dropped for {reason}: {seen}")
    slept = Counter(e["state"] for e in events if e["event"] == "wlink_rrc" and e["bearer"] == 4)
    expect(slept["long"] > 0 and slept.keys() <= {"active", "long"}, f"states of a receiver: {slept}")
    rates = [(e["bearer"], e["old_bps"], e["new_bps"]) for e in events if e["event"] == "wlink_rate"]
    expect(rates == [(1, 1000000, 400000), (1, 400000, 2000000)], f"changes of rate: {rates}")
    ends = {
        number: (1000000 if number == 1 else x["rate_bps"], x["rate_bps"])
        for number, x in classes("va").items()
    }
    rates_seen = {n: tuple(one["rate_bps"] for one in recorder.looks if one["bearer"] == n) for n in ends}
    expect(
        rates_seen == ends and {one["dev"] for one in recorder.looks} == {"va"},
        f"rates {rates_seen}, not {ends}",
    )
    x = classes("va")[2]
    bad = sum(e["bad"] for e in events if e["event"] == "wlink_channel" and e["bearer"] == 2)
    expect(x["channel_bad"] <= bad and bad > 10, f"{bad} spells in the bad state")
    return f"{len(events)} events, {checked} sums equal the kernel's; {dict(seen)}"


def schedule() -> str:
    """Opportunities and the life of a schedule."""
    device("va", "mode tm limit 100 rate 1mbit")
    Path("/tmp/t.pdo").write_text("".join(f"{ms}\n" for ms in range(5, 1001, 5)))
    recorder = Recorder(f"va {OUT}", OUT)
    sh("wlinkctl trace play va /tmp/t.pdo format mahimahi loop")
    blast = Blast("va", 1, 1000, 0.004)
    blast.join()
    idle("va")
    x = classes("va")[1]
    sh("wlinkctl schedule stop va")
    sleep(0.1)
    status, err = recorder.end(signal.SIGINT)
    events, _ = recorder.read()
    grants = [e for e in events if e["event"] == "wlink_grant"]
    used = sum(e["used"] for e in grants)
    expect(status == 0 and not err.replace(SUM.format(0, len(events)), ""), f"{status}: {err}")
    expect(len(grants) >= x["grants"] > 700, f"{len(grants)} opportunities, the kernel has {x['grants']}")
    expect(used == x["grant_bytes_used"], f"{used} bytes used, not {x['grant_bytes_used']}")
    states = [e["state"] for e in events if e["event"] == "wlink_schedule"]
    expect(states[0] in ("waits", "plays") and states[-1] == "none", f"states {states}")
    return f"{len(grants)} opportunities, {used} bytes used, states {Counter(states)}"


def lost() -> str:
    """What is recorded and what is lost are all there was."""
    device("va", "rate 100mbit limit 5000")
    recorder = Recorder(f"va {OUT} --buffer 8kib", OUT)
    Blast("va", 1, 2000, 0).join()
    idle("va")
    status, err = recorder.end(signal.SIGINT)
    events, end = recorder.read()
    known = len(events) + end["lost"]
    expect(status == 0 and "a larger --buffer may help" in err, f"{status} {err}")
    expect(
        known == qdisc("va")["sdus_in"] == 2000, f"{len(events)} + {end['lost']} of {qdisc('va')['sdus_in']}"
    )
    expect(end["lost"] > 0 and len(events) > 20, f"{end}")
    return f"{len(events)} recorded, {end['lost']} lost"


def unread() -> str:
    """A reader that does not read for 3 s: nothing waits for it, all that was lost is counted."""
    device("va", "rate 100mbit limit 5000")
    sh("mkfifo /tmp/fifo")
    recorder = subprocess.Popen(
        "wlinkctl record va /tmp/fifo --buffer 8kib".split(), stderr=subprocess.PIPE, text=True
    )
    got = b""
    with open("/tmp/fifo", "rb") as fifo:
        while not instances():
            sleep(0.001)
        blast = Blast("va", 1, 3000, 0.001)
        sleep(3.5)
        late = qdisc("va")
        expect(not blast.is_alive() and late["sdus_delivered"] == 3000, f"the link waited: {late}")
        expect(recorder.poll() is None, "it has ended")
        # What comes after the pause is recorded again.
        reader = threading.Thread(target=lambda: fifos.append(fifo.read()))
        fifos: list[bytes] = []
        reader.start()
        sleep(0.2)
        Blast("va", 1, 100, 0.01).join()
        idle("va")
        recorder.send_signal(signal.SIGINT)
        reader.join()
        got = fifos[0]
    err = recorder.communicate()[1]
    lines = [json.loads(line) for line in got.decode().splitlines()]
    events = [line for line in lines if "event" in line]
    end = lines[-1]
    expect(end == {"lost": 3100 - len(events), "events": len(events)}, f"{end}: {err}")
    expect(end["lost"] > 1000 and len(events) > 200, f"{end}")
    last = sorted(e["arrival_ns"] for e in events)[-100:]
    expect(min(b - a for a, b in zip(last, last[1:])) > 5 * 10**6, "not all that came after the pause")
    return f"{len(events)} recorded, {end['lost']} lost"


STATUS, MAXERROR, NANO_TAI = 0x10, 0x4, 0x80
PR_SET_TIMERSLACK, TIMER_ABSTIME = 29, 1
PERIOD = 10**9


class Timex(ctypes.Structure):
    """struct timex of <sys/timex.h>, up to its last word."""

    _fields_ = [
        *((name, ctypes.c_long) for name in ("modes", "offset", "freq", "maxerror", "esterror", "status")),
        *((name, ctypes.c_long) for name in ("constant", "precision", "tolerance", "sec", "usec", "tick")),
        ("rest", ctypes.c_long * 24),
    ]


def adjust(modes: int, **values: int) -> None:
    """adjtimex(), as a time server's client calls it."""
    timex = Timex(modes=modes, **values)
    libc = ctypes.CDLL(None, use_errno=True)
    expect(libc.adjtimex(ctypes.byref(timex)) >= 0, os.strerror(ctypes.get_errno()))


def offset(one: dict[str, Any]) -> int:
    difference: int = one["tai_ns"] - one["mono_ns"]
    return difference


def clocks() -> str:
    """Clock lines each second, TAI in step with virtual time, the kernel's word on how good it is."""
    device("va", "rate 1mbit")
    # A client that has set TAI - UTC (a step of TAI) and reached its server.
    adjust(NANO_TAI, constant=37)
    adjust(STATUS | MAXERROR, status=1, maxerror=2000)
    begin = time.clock_gettime_ns(time.CLOCK_TAI), time.clock_gettime_ns(time.CLOCK_MONOTONIC)
    recorder = Recorder(f"va {OUT} --for 5500ms", OUT)
    blast = Blast("va", 1, 300, 0.01)
    recorder.end()
    blast.join()
    events, _ = recorder.read()
    told = recorder.clocks
    gaps = [b["mono_ns"] - a["mono_ns"] for a, b in zip(told, told[1:])]
    # Start, five seconds, end: a second at least, and what the recorder was asleep for.
    expect(len(told) == 7 and all(PERIOD <= g < PERIOD * 1.06 for g in gaps[:-1]), f"gaps {gaps}")
    expect(told[-1]["mono_ns"] - told[0]["mono_ns"] >= 55 * PERIOD // 10, f"gaps {gaps}")
    want = begin[0] - begin[1]
    for one in told:
        wrong = abs(offset(one) - want)
        # Reading the clocks here, one after the other, took a moment, too.
        expect(wrong <= one["uncertainty_ns"] + 10**5, f"TAI - MONOTONIC is {want}, not {one}")
        expect(one["synchronised"] and (one["tai_utc_s"], one["tai_utc_set"]) == (37, True), f"{one}")
        expect("step_ns" not in one, f"{one}")
    # The kernel's own rule, which wlab merge relies on: 500 us more a second.
    growth = [b["maxerror_ns"] - a["maxerror_ns"] for a, b in zip(told, told[1:])]
    expect(set(growth) <= {0, 500_000, 1_000_000}, f"maxerror {growth}")
    expect(sum(growth) in (2_500_000, 3_000_000), f"maxerror {growth}")
    first = offset(told[0])
    expect(all(e["tai_ns"] - e["ts_ns"] == first for e in events) and len(events) == 300, "events' TAI")
    expect([*told[0]][-2:] == ["host", "boot"] and "boot" not in told[1], f"{told[0]}")
    return f"{len(told)} lines, uncertainty up to {max(one['uncertainty_ns'] for one in told)} ns"


def step() -> str:
    """The clock is set back by an hour while it records."""
    device("va", "rate 1mbit")
    adjust(STATUS | MAXERROR, status=1, maxerror=2000)
    recorder = Recorder(f"va {OUT} --for 4s", OUT)
    blast = Blast("va", 1, 350, 0.01)
    sleep(1.5)
    time.clock_settime_ns(time.CLOCK_REALTIME, time.clock_gettime_ns(time.CLOCK_REALTIME) - 3600 * 10**9)
    recorder.end()
    blast.join()
    events, _ = recorder.read()
    steps = [one.get("step_ns", 0) for one in recorder.clocks]
    found = [n for n in steps if n]
    expect(len(found) == 1 and abs(found[0] + 3600 * 10**9) < 10**6, f"steps {steps}")
    after = steps.index(found[0])
    good = [one["synchronised"] for one in recorder.clocks]
    expect(good == [n < after for n in range(len(good))], f"a clock that somebody has set: {good}")
    expect([e["ts_ns"] for e in events] == sorted(e["ts_ns"] for e in events), "not in order of time")
    at = recorder.clocks[after]["mono_ns"]
    for e in events:
        one = recorder.clocks[after if e["ts_ns"] >= at else 0]
        expect(e["tai_ns"] - e["ts_ns"] == offset(one), f"{e} beside {one}")
    return f"{len(events)} events, step of {found[0]} ns in line {after + 1}"


def timeless(events: list[dict[str, Any]]) -> list[list[tuple[str, Any]]]:
    """Events without the moment at which they were written, which each recorder has its own of."""
    return [[(k, v) for k, v in e.items() if k not in ("ts_ns", "tai_ns")] for e in events]


def raw() -> str:
    """Lines at once, lines at the end, and those that --from makes of a raw recording are the same."""
    device("va", "mode am rate 2mbit tti 10ms delay 20ms pdu 40 channel gilbert p 0.05 r 0.3 limit 30")
    other, kept, out = Path("/tmp/other.jsonl"), Path("/tmp/raw"), Path("/tmp/made.jsonl")
    at_once = Recorder(f"va {OUT} --live", OUT)
    recorders = [at_once, Recorder(f"va {other}", other), Recorder(f"va {kept} --raw", kept)]
    while len(instances()) < 3 or not all(
        (Path("/sys/kernel/tracing/instances") / one / "tracing_on").read_text() == "1\n"
        for one in instances()
    ):
        sleep(0.001)
    Blast("va", 1, 3000, 0.001).join()
    idle("va")
    sleep(0.2)
    early = OUT.stat().st_size, other.stat().st_size, Path(f"{other}.raw").stat().st_size
    expect(early[0] > 10**6 and early[1] == 0 and 10**5 < early[2] < early[0] / 2, f"at once: {early}")
    said = [recorder.end(signal.SIGINT) for recorder in recorders]
    events, end = at_once.read()
    expect(said == [(0, SUM.format(0, len(events)))] * 3, f"{said}, {end}")
    late, end_late = recorders[1].read()
    expect(timeless(late) == timeless(events) and end == end_late, f"{len(late)} events in the end")
    expect(not Path(f"{other}.raw").exists(), "the raw file is still there")
    status, err, lines = made(kept, out)
    expect((status, err) == (0, SUM.format(0, len(events))), f"{status} {err}")
    again = only_events(lines)
    expect(timeless(again) == timeless(events) and lines[-1] == end, f"{len(again)} events; {lines[-1]}")
    clocks = [line["clock"] for line in lines if "clock" in line]
    expect(len(clocks) >= 4 and clocks[0]["boot"] == at_once.clocks[0]["boot"], f"{clocks[:1]}")
    expect(len(recorders[1].clocks) >= 4, f"{len(recorders[1].clocks)} clock lines in the end")
    for own, told in ((again, clocks), (late, recorders[1].clocks)):
        far = {e["tai_ns"] - e["ts_ns"] for e in own}
        expect(far == {offset(told[0])}, f"distances {far}")
    data = kept.read_bytes()
    kept.write_bytes(data[: len(data) // 2])
    status, err, lines = made(kept, out)
    part = only_events(lines)
    expect(status == 1 and "the recording has no end" in err, f"{status} {err}")
    expect(part == again[: len(part)] and len(part) > len(again) / 3, f"half of it has {len(part)} events")
    sizes = [size / len(events) for size in (len(data), OUT.stat().st_size)]
    return f"{len(events)} events, {sizes[0]:.0f} bytes for each raw, {sizes[1]:.0f} as lines"


def send_on_time(begin_ns: int, count: int, gap_ns: int) -> None:
    """UDP to va at fixed times. No clock is read: in virtual time that takes time, the recorder's, too."""
    libc = ctypes.CDLL(None)
    # With the usual slack of 50 us a sleeper wakes with whatever timer comes first.
    expect(libc.prctl(PR_SET_TIMERSLACK, 1) == 0, "no timer slack")
    out = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    out.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 22)
    out.connect((f"10.0.{sum(b'va') % 250}.2", 9))
    for n in range(count):
        at = (ctypes.c_long * 2)(*divmod(begin_ns + n * gap_ns, 10**9))
        libc.clock_nanosleep(time.CLOCK_MONOTONIC, TIMER_ABSTIME, at, None)
        out.send(bytes(500 + n % 7))


def undisturbed() -> str:
    """Prints what the link has counted of traffic at fixed times; with RECORD it is recorded."""
    device("va", "mode am rate 2mbit tti 10ms delay 20ms pdu 40 channel gilbert p 0.05 r 0.3 limit 30 seed 5")
    recorders = [Recorder(f"va {OUT}", OUT)] if "RECORD" in sys.argv else []
    # Who sends at fixed times goes before a recorder that is awake then.
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    # A command of the lab starts at 1000 s.
    begin = 1020 * 10**9
    expect(time.monotonic_ns() < begin, "too late")
    send_on_time(begin, 3300, 10**6)
    idle("va")
    told = classes("va")[1]
    for recorder in recorders:
        recorder.end(signal.SIGINT)
        events, _ = recorder.read()
        expect(sum(e["event"] == "wlink_sdu" for e in events) == 3300, "not all was recorded")
    return json.dumps(told, sort_keys=True)


SEND = "import socket; s = socket.socket(2, 2); [s.sendto(bytes(9), ('10.9.0.2', 9)) for i in range(5)]"


def namespace() -> str:
    """Where ip netns exec hides the machine's tracefs; who may not; no module."""
    sh("ip netns add a; ip netns exec a sysctl -qw net.ipv6.conf.default.disable_ipv6=1")
    sh("ip link add vx netns a type veth peer name vx0; ip link set vx0 up")
    sh("ip -n a link set vx up; ip -n a addr add 10.9.0.1/24 dev vx")
    sh("ip -n a neigh add 10.9.0.2 lladdr 02:00:00:00:00:02 dev vx nud permanent")
    sh("ip netns exec a tc qdisc add dev vx root handle 1: wlink rate 1mbit")
    recorder = Recorder(f"vx {OUT}", OUT, "ip netns exec a")
    subprocess.run(["ip", "netns", "exec", "a", "/usr/bin/python3", "-c", SEND], check=True)
    sleep(1)
    said = recorder.end(signal.SIGINT)
    expect(said == (0, SUM.format(0, 5)), f"in a namespace: {said}")
    if Path("/proc/self/timens_offsets").exists():
        shift = "unshare --time --monotonic 100 --fork wlinkctl record vx /dev/null"
        ran = subprocess.run(f"ip netns exec a {shift}".split(), text=True, capture_output=True, check=False)
        piece = "CLOCK_MONOTONIC is not that of this time namespace"
        expect(ran.returncode == 2 and piece in ran.stderr, f"another clock: {ran}")
    user = "setpriv --reuid=65534 --regid=65534 --clear-groups "
    sh("ip netns exec a tc qdisc del dev vx root; rmmod wlink_3gpp sch_wlink")
    for command, status, piece in (
        (user + "wlinkctl record /dev/null", 2, "the kernel's events are for root only"),
        ("wlinkctl record /dev/null", 3, "type: modprobe sch_wlink"),
        ("wlinkctl record /no/such/file", 3, "type: modprobe sch_wlink"),
    ):
        ran = subprocess.run(command.split(), text=True, capture_output=True, check=False)
        expect(ran.returncode == status and piece in ran.stderr, f"{command}: {ran.returncode} {ran.stderr}")
    expect(not instances(), f"left {instances()}")
    return "in a namespace, as nobody, without the module"


if __name__ == "__main__":
    main(
        {f.__name__: f for f in (counters, schedule, lost, unread, clocks, step, raw, undisturbed, namespace)}
    )
