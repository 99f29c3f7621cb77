# SPDX-License-Identifier: GPL-2.0
"""wlinkctl doctor in the lab's kernel, with and without high-resolution timers.

With WLINK_DOCTOR_VM in the environment Debian's kernel in the VM is asked, too.
"""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
TIMING = HERE.parent
ROOT = HERE.parents[2]
WLAB = ROOT / "userspace" / "wlab" / "wlab"

Told = dict[str, Any]
# Of a result: (device and check, verdict, a piece of what is said).
Want = list[tuple[str, str, str]]

# 10 Mbit/s, 100 ms each way: 250 kB; half of a buffer is data.
ALWAYS: dict[str, Want] = {
    "none": [("clocks", "ok", "TAI are there"), ("accuracy", "", "mean error zero")],
    "link": [
        ("va above", "ok", "nothing: it is the root"),
        ("va limit", "ok", "bearer 1: 600 kB, 0.48 s at its rate; the bandwidth-delay product is 250 kB"),
        ("va gso", "note", "up to 45 segments at once from a sender on this machine; the limit is 400"),
        ("va hand-over", "", " packets so far, late by at most "),
        ("va peer", "ok", "vb merges nothing"),
        ("va arp", "note", "neighbour requests pass through"),
        ("va tsq", "ok", "not in force"),
        ("real-time", "ok", "CAP_SYS_NICE"),
        ("accuracy", "ok", ""),
    ],
    "small": [
        ("va send-buffer", "warn", "about 131 kB under way, less than the 250 kB of bearer 1"),
        ("va peer", "warn", "vb merges what it receives (gro on"),
        ("accuracy", "", ""),
    ],
    "limit": [("va limit", "fail", "1.00 kB holds no whole packet of 1.50 kB")],
    "htb": [
        ("va above", "warn", "htb above it makes packets wait (above: htb)"),
        ("va tsq", "note", "in force for what waits in htb"),
    ],
    "mq": [],
    "nobody": [
        ("real-time", "warn", "no permission for SCHED_FIFO"),
        ("va send-buffer", "warn", "less than the 250 kB"),
    ],
}
STATUS = {"limit": 1, "mq": 1, "no such": 3}

LAB: dict[str, Want] = {
    "none": [
        ("clocksource", "ok", "time-travel-clock: virtual time"),
        ("high-res-timers", "ok", "on"),
        ("virtualisation", "ok", "User Mode Linux in virtual time"),
        ("accuracy", "ok", "no departure late: this is virtual time"),
    ],
}
LOW: dict[str, Want] = {
    "none": [
        ("high-res-timers", "warn", "off: single departures are late by up to a tick of 10.0 ms"),
        ("hz", "warn", "100, a tick each 10.0 ms"),
    ],
    "link": [("lateness", "warn", "SCHED_FIFO: median ")],
}
LOW_VM: dict[str, Want] = {
    "none": [
        ("high-res-timers", "warn", "off: single departures are late by up to a tick of 4.00 ms"),
        ("hz", "warn", "250, a tick each 4.00 ms"),
    ],
    "link": [("va tti", "warn", "1.00 ms, and timers come each 4.00 ms only"), ("lateness", "warn", "")],
}
VM: dict[str, Want] = {
    "none": [("high-res-timers", "ok", "on"), ("hz", "ok", "250, a tick each 4.00 ms")],
    "link": [("lateness", "", "SCHED_FIFO: median "), ("no-hz", "ok", ""), ("virtualisation", "", "")],
}


class Failed(Exception):
    """A check that does not hold."""


def expect(holds: bool, text: str) -> None:
    if not holds:
        raise Failed(text)


def results(command: list[str]) -> dict[str, Told]:
    """What the guest has told, all of it."""
    ran = subprocess.run(command, capture_output=True, text=True, check=False, errors="replace")
    lines = ran.stdout.splitlines()
    expect("END" in lines, f"the guest ended early: {(ran.stdout + ran.stderr)[-600:]}")
    told = [line.split(" ", 1)[1] for line in lines if line.startswith("RESULT ")]
    return {line[: line.index("{")].strip(): json.loads(line[line.index("{") :]) for line in told}


def agree(told: dict[str, Told], *wanted: dict[str, Want]) -> None:
    """Each thing that is wanted has been found, and fails are as they should be."""
    for want in wanted:
        for name, rows in want.items():
            found = {f"{f.get('dev', '')} {f['check']}".strip(): f for f in told[name]["findings"]}
            for check, verdict, piece in rows:
                expect(check in found, f"{name}: no finding {check} in {sorted(found)}")
                one = found[check]
                expect(not verdict or one["verdict"] == verdict, f"{name}: {one}")
                expect(piece in one["what"], f"{name}: no '{piece}' in {one}")
                expect(one["verdict"] == "ok" or bool(one["why"]), f"{name}: no reason: {one}")
    for name, one in told.items():
        expect(one["status"] == STATUS.get(name, 0), f"{name}: status {one['status']}: {one['stderr']}")
    both = [f["what"] for f in told["mq"]["findings"] if f["check"] == "above" and f["verdict"] == "fail"]
    want_mq = "mq spreads the packets: this link has a part of them, 1 more under it"
    expect(both == [want_mq] * 2, f"mq: {both}")


def said(told: dict[str, Told]) -> str:
    late = told["link"]["lateness"]
    name = "p50 {p50_ns} ns, p99 {p99_ns} ns, max {max_ns} ns of {wakes} wake-ups"
    return name.format(**late)


def guest_in_lab(*words: str) -> dict[str, Told]:
    guest = ["/usr/bin/python3", "-B", str(HERE / "doctor_guest.py"), "2s"]
    return results([str(WLAB), "exec", *words, "--", *guest])


def check_doctor_in_virtual_time() -> str:
    """Virtual time: no lateness at all, and the links as they are."""
    told = guest_in_lab()
    agree(told, ALWAYS, LAB)
    late = told["link"]["lateness"]
    expect(late["p99_ns"] <= 256, f"late in virtual time: {late}")
    return said(told)


def check_doctor_in_a_kernel_that_was_booted_with_highres_off() -> str:
    """Ticks of 10 ms: doctor warns, and sleeps are late by up to one, evenly."""
    told = guest_in_lab("--boot", "highres=off")
    agree(told, ALWAYS, LOW)
    timers = next(f for f in told["none"]["findings"] if f["check"] == "high-res-timers")
    expect("boot without highres=off" in timers["change"], str(timers))
    late = told["link"]["lateness"]
    # A sleep that begins at a tick and is of 0.3 to 4 ms ends at the next one.
    expect(6_000_000 <= late["p50_ns"] <= late["max_ns"] <= 10_000_000, f"not a tick: {late}")
    return said(told)


def guest_in_vm(name: str, append: str) -> dict[str, Told]:
    files = [str(HERE / "doctor_guest.py"), str(TIMING / "guestkit.py")]
    return results([str(TIMING / "vm_boot"), f"doctor-{name}", "7200", append, *files])


def vm() -> str:
    told = guest_in_vm("high", "")
    agree(told, ALWAYS, VM)
    return said(told)


def vm_highres_off() -> str:
    told = guest_in_vm("low", "highres=off")
    agree(told, ALWAYS, LOW_VM)
    return said(told)


if os.environ.get("WLINK_DOCTOR_VM"):
    CASES = {
        "doctor in Debian's kernel in the VM": vm,
        "doctor in Debian's kernel in the VM, highres=off": vm_highres_off,
    }
