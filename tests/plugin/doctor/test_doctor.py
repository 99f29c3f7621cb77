# SPDX-License-Identifier: GPL-2.0
"""What doctor says to machines that are known: folders that stand for their roots."""

import gzip
import json
import os
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

import pytest
from harness import Checks

CPU = "/sys/devices/system/cpu"
SOURCE = "/sys/devices/system/clocksource/clocksource0"
USAGE, NOT_FOUND = 2, 3

Machine = dict[str, str]
Verdicts = dict[str, tuple[str, str]]

# A machine on which nothing is left to change.
TUNED: Machine = {
    "/proc/cmdline": "root=/dev/sda1 ro isolcpus=managed_irq,domain,3 nohz_full=3 mitigations=off",
    "/proc/sys/kernel/osrelease": "6.12.9-test",
    "/boot/config-6.12.9-test": "CONFIG_HZ=1000\nCONFIG_NO_HZ_FULL=y\nCONFIG_HIGH_RES_TIMERS=y\n",
    f"{SOURCE}/current_clocksource": "tsc",
    f"{SOURCE}/available_clocksource": "tsc hpet acpi_pm ",
    "/proc/timer_list": "cpu: 0\n clock 0:\n  .resolution: 1 nsecs\n  .hres_active   : 1\n  .nr_events: 5\n",
    "/proc/cpuinfo": "processor\t: 0\nflags\t\t: fpu tsc constant_tsc nonstop_tsc\n",
    "/proc/stat": "cpu  100 0 100 9800 0 0 0 0 0 0\ncpu0 1 2 3\n",
    f"{CPU}/isolated": "3",
    f"{CPU}/nohz_full": "3",
    f"{CPU}/online": "0-3",
    f"{CPU}/possible": "0-3",
    f"{CPU}/vulnerabilities/meltdown": "Not affected",
    f"{CPU}/vulnerabilities/spectre_v2": "Vulnerable",
    f"{CPU}/cpu0/cpufreq/scaling_governor": "performance",
    f"{CPU}/cpu3/cpufreq/scaling_governor": "performance",
    f"{CPU}/cpu0/cpuidle/state0/name": "POLL",
    f"{CPU}/cpu0/cpuidle/state0/latency": "0",
    f"{CPU}/cpu0/cpuidle/state1/name": "C6",
    f"{CPU}/cpu0/cpuidle/state1/latency": "133",
    f"{CPU}/cpu0/cpuidle/state1/disable": "1",
    "/proc/version": "Linux version 6.12.9-test (x@y) #1 SMP PREEMPT_DYNAMIC Debian 6.12.9",
    "/sys/kernel/debug/sched/preempt": "none voluntary (full)",
    "/proc/self/status": "Name:\tcat\nCapEff:\t000001ffffffffff\n",
    "/proc/self/limits": "Max realtime priority     0                    0                    \n",
    "/proc/sys/kernel/sched_rt_runtime_us": "950000",
    "/proc/sys/kernel/sched_rt_period_us": "1000000",
    "/proc/1/comm": "systemd",
}
TUNED_SAYS: Verdicts = {
    "clocksource": ("ok", "tsc: "),
    "high-res-timers": ("ok", "on"),
    "hz": ("ok", "1000, a tick each 1.00 ms"),
    "no-hz": ("ok", "full: "),
    "virtualisation": ("ok", "none: "),
    "isolation": ("ok", "isolcpus 3, nohz_full 3"),
    "mitigations": ("ok", "none is on (2 known, 1 left vulnerable)"),
    "governor": ("ok", "performance on all 2 processors"),
    "idle-states": ("ok", "POLL, takes 0 us to leave"),
    "preempt": ("ok", "dynamic, now full"),
    "real-time": ("ok", "allowed (CAP_SYS_NICE)"),
    "rt-throttling": ("ok", "950000 of 1000000 us"),
    "irqbalance": ("ok", "it does not run"),
    "accuracy": ("note", "not measured"),
}

# What can be wrong with one, in files that differ from those above. "" is no file.
WRONG: Machine = {
    "/proc/cmdline": "root=/dev/sda1 ro highres=off nohz=off",
    "/boot/config-6.12.9-test": "CONFIG_HZ_250=y\nCONFIG_HZ=250\nCONFIG_HIGH_RES_TIMERS=y\n",
    f"{SOURCE}/current_clocksource": "jiffies",
    f"{SOURCE}/available_clocksource": "jiffies ",
    "/proc/timer_list": " clock 0:\n  .resolution: 4000000 nsecs\n  .hres_active   : 0\n",
    "/proc/cpuinfo": "processor\t: 0\nflags\t\t: fpu tsc hypervisor\n",
    "/sys/class/dmi/id/product_name": "KVM",
    "/proc/stat": "cpu  100 0 100 9600 0 0 0 200 0 0\n",
    f"{CPU}/isolated": "\n",
    f"{CPU}/nohz_full": " (null)",
    f"{CPU}/vulnerabilities/meltdown": "Mitigation: PTI",
    f"{CPU}/vulnerabilities/spectre_v2": "Mitigation: Retpolines",
    f"{CPU}/cpu0/cpufreq/scaling_governor": "powersave",
    f"{CPU}/cpu0/cpufreq/scaling_driver": "acpi-cpufreq",
    f"{CPU}/cpu0/cpuidle/state1/disable": "0",
    "/proc/version": "Linux version 6.12.9-test (x@y) #1 SMP PREEMPT_RT Debian",
    "/sys/kernel/realtime": "1",
    "/proc/self/status": "Name:\tcat\nCapEff:\t0000000000000000\n",
    "/proc/sys/kernel/sched_rt_runtime_us": "0",
    "/proc/77/comm": "irqbalance",
}
WRONG_SAYS: Verdicts = {
    "clocksource": ("fail", "jiffies: time stands still between two ticks"),
    "high-res-timers": ("warn", "off: single departures are late by up to a tick of 4.00 ms"),
    "hz": ("warn", "250, a tick each 4.00 ms"),
    "no-hz": ("ok", "off by the kernel's command line (nohz=off)"),
    "virtualisation": ("warn", "KVM; the host has taken 2.0 % of the time"),
    "isolation": ("note", "no processor is kept free (isolcpus none, nohz_full none, online 0-3)"),
    "mitigations": ("note", "2 of 2 are on"),
    "governor": ("warn", "powersave on 1 of 2 processors (driver acpi-cpufreq)"),
    "idle-states": ("warn", "C6, takes 133 us to leave"),
    "preempt": ("note", "PREEMPT_RT"),
    "real-time": ("warn", "no permission for SCHED_FIFO (no CAP_SYS_NICE, RLIMIT_RTPRIO 0)"),
    "rt-throttling": ("warn", "SCHED_FIFO is refused to all"),
    "irqbalance": ("note", "it runs"),
    "accuracy": ("note", "late by up to 4.00 ms, a tick"),
}

# Nothing is there: what is unknown is said, each with the file.
EMPTY_SAYS: Verdicts = {
    "clocksource": ("note", f"unknown: there is no {SOURCE}/current_clocksource"),
    "high-res-timers": ("note", "unknown: there is no /proc/timer_list"),
    "hz": ("note", "unknown: neither /proc/config.gz nor /boot/config-RELEASE can be read"),
    "no-hz": ("note", "unknown: "),
    "virtualisation": ("note", "unknown: there is no /proc/cpuinfo"),
    "isolation": ("note", f"unknown: there is no {CPU}/isolated"),
    "mitigations": ("note", f"unknown: there is no {CPU}/vulnerabilities"),
    "governor": ("note", f"unknown: there is no {CPU}/cpu*/cpufreq/scaling_governor"),
    "idle-states": ("note", f"unknown: there is no {CPU}/cpu0/cpuidle/state0/latency"),
    "preempt": ("note", "unknown: there is no /proc/version"),
    "real-time": ("note", "unknown: /proc/self/status or /proc/self/limits cannot be read"),
    "rt-throttling": ("note", "unknown: there is no /proc/sys/kernel/sched_rt_runtime_us"),
    "irqbalance": ("note", "unknown: there is no /proc"),
    "accuracy": ("note", "how late single departures are is unknown"),
}

# One file after the other, in a machine that is else as it should be.
ONE_FILE: list[tuple[str, str, str, str, str]] = [
    (f"{SOURCE}/current_clocksource", "hpet", "clocksource", "warn", "hpet: "),
    (f"{SOURCE}/current_clocksource", "acpi_pm", "clocksource", "warn", "a grid of 279 ns"),
    (f"{SOURCE}/current_clocksource", "kvm-clock", "clocksource", "ok", "kvm-clock: "),
    (f"{SOURCE}/current_clocksource", "refined-jiffies", "clocksource", "fail", "between two ticks"),
    (f"{SOURCE}/current_clocksource", "time-travel-clock", "accuracy", "ok", "virtual time"),
    (f"{SOURCE}/current_clocksource", "sundial", "clocksource", "note", "nothing is known"),
    ("/proc/timer_list", " clock 0:\n  .resolution: 1 nsecs\n", "high-res-timers", "ok", "on"),
    ("/proc/timer_list", " .resolution: 10000000 nsecs\n", "high-res-timers", "warn", "a tick of 1.00 ms"),
    ("/proc/timer_list", "nothing", "high-res-timers", "note", "unknown"),
    (f"{CPU}/cpu0/cpufreq/scaling_governor", "schedutil", "governor", "note", "schedutil on 1 of 2"),
    (f"{CPU}/cpu0/cpuidle/state0/latency", "12", "idle-states", "note", "POLL, takes 12 us"),
    ("/proc/cmdline", "idle=poll", "idle-states", "ok", "idle=poll"),
    ("/proc/cmdline", "idle=poll idle=halt", "idle-states", "ok", "POLL"),
    ("/proc/version", "Linux version 6.1 #1 SMP PREEMPT x", "preempt", "ok", "full"),
    ("/proc/version", "Linux version 6.1 #1 SMP x", "preempt", "ok", "none or voluntary"),
    ("/proc/self/status", "CapEff:\t0000000000800000\n", "real-time", "ok", "CAP_SYS_NICE"),
    ("/proc/self/status", "CapEff:\t00000000ff7fffff\n", "real-time", "warn", "no permission"),
    ("/proc/sys/kernel/sched_rt_runtime_us", "-1", "rt-throttling", "ok", "no bound"),
    ("/proc/sys/kernel/sched_rt_runtime_us", "x", "rt-throttling", "note", "has no number"),
    ("/proc/stat", "cpu  0 0 0 0 0 0 0 0\n", "virtualisation", "ok", "none"),
    ("/proc/cpuinfo", "vendor_id\t: User Mode Linux\n", "virtualisation", "note", "User Mode Linux"),
    (f"{CPU}/isolated", "", "isolation", "note", f"there is no {CPU}/isolated"),
]

# Parts of the answers to what is to be changed.
CHANGES: Verdicts = {
    "high-res-timers": ("", "boot without highres=off"),
    "clocksource": ("", "no tsc is offered (jiffies )"),
    "isolation": ("", "isolcpus=managed_irq,domain,3 nohz_full=3 rcu_nocbs=3"),
    "governor": ("", "cpupower frequency-set -g performance"),
    "idle-states": ("", "cpupower idle-set -D 10"),
    "real-time": ("", "/etc/security/limits.d/"),
    "rt-throttling": ("", "sysctl -w kernel.sched_rt_runtime_us=950000"),
    "irqbalance": ("", "systemctl stop irqbalance"),
    "mitigations": ("", "mitigations=off"),
}


def build_root(folder: Path, machine: Machine) -> None:
    for path, text in machine.items():
        if text:
            file = folder / path.lstrip("/")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text + "\n", encoding="ascii")


class Doctor:
    """wlinkctl doctor under ASan."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def call(self, *words: str, user: int | None = None) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [self.path, "doctor", *words], text=True, capture_output=True, check=False, user=user
        )

    def look(self, machine: Machine, *words: str) -> tuple[int, dict[str, dict[str, Any]]]:
        """Findings by their check; those of a device have its name before them."""
        with tempfile.TemporaryDirectory() as folder:
            build_root(Path(folder), machine)
            done = self.call("--json", "--root", folder, *words)
        if done.stderr:
            raise RuntimeError(done.stderr)
        said = json.loads(done.stdout)
        by_name = {" ".join(filter(None, (f.get("dev"), f["check"]))): f for f in said["findings"]}
        if len(by_name) != len(said["findings"]):
            raise RuntimeError(f"two findings have one name: {done.stdout}")
        return done.returncode, by_name


def agree(checks: Checks, name: str, found: dict[str, dict[str, Any]], want: Verdicts) -> None:
    checks.equal(f"{name}: the checks", set(found), set(want))
    for check, (verdict, piece) in want.items():
        one = found.get(check, {"verdict": "", "what": ""})
        checks.equal(f"{name}: {check}", one["verdict"], verdict)
        checks.true(f"{name}: {check} says {piece}", piece in one["what"], one["what"])


def check_machines(checks: Checks, doctor: Doctor) -> None:
    code, found = doctor.look(TUNED)
    agree(checks, "tuned", found, TUNED_SAYS)
    checks.equal("tuned: status", code, 0)
    code, found = doctor.look(TUNED | WRONG)
    agree(checks, "wrong", found, WRONG_SAYS)
    checks.equal("wrong: status", code, 1)
    for check, (_, piece) in CHANGES.items():
        said = found[check].get("change", "")
        checks.true(f"wrong: {check} is changed by {piece}", piece in said, said)
    checks.true("each finding has a reason", all(f["why"] for f in found.values()))
    code, found = doctor.look({})
    agree(checks, "empty", found, EMPTY_SAYS)
    checks.equal("empty: status", code, 0)


def check_files(checks: Checks, doctor: Doctor) -> None:
    for path, text, check, verdict, piece in ONE_FILE:
        code, found = doctor.look(TUNED | {path: text})
        one = found[check]
        checks.equal(f"{path} {text!r}: {check}", one["verdict"], verdict)
        checks.true(f"{path} {text!r}: {check} says {piece}", piece in one["what"], one["what"])
        fails = any(f["verdict"] == "fail" for f in found.values())
        checks.equal(f"{path} {text!r}: status", code, 1 if fails else 0)
    adaptive = {
        f"{CPU}/cpu0/cpufreq/scaling_governor": "powersave",
        f"{CPU}/cpu0/cpufreq/scaling_driver": "intel_pstate",
    }
    _, found = doctor.look(TUNED | adaptive)
    checks.equal("powersave that adapts", found["governor"]["verdict"], "note")
    other = {f"{SOURCE}/current_clocksource": "hpet"}
    _, found = doctor.look(TUNED | other)
    checks.equal("tsc is offered", found["clocksource"]["change"], f"echo tsc >{SOURCE}/current_clocksource")
    limits = {
        "/proc/self/status": "CapEff:\t0000000000000000\n",
        "/proc/self/limits": "Max nice priority  0  0\nMax realtime priority     50   50   \n",
    }
    _, found = doctor.look(TUNED | limits)
    checks.equal("RLIMIT_RTPRIO", found["real-time"]["what"], "SCHED_FIFO is allowed up to priority 50")
    no_list = {"/proc/timer_list": "", "/proc/cmdline": "highres=off"}
    _, found = doctor.look(TUNED | no_list)
    checks.equal("highres=off without a list", found["high-res-timers"]["verdict"], "warn")


def check_config(checks: Checks, doctor: Doctor) -> None:
    """A packed configuration, and one that is not one."""
    for packed, want in (
        (gzip.compress(b"CONFIG_HZ=100\nCONFIG_HZ_PERIODIC=y\n"), "100, a tick each 10.0 ms"),
        (b"no gzip", "1000, a tick each 1.00 ms"),
        (gzip.compress(b"# CONFIG_HZ is not set\n"), "unknown: "),
    ):
        with tempfile.TemporaryDirectory() as folder:
            build_root(Path(folder), TUNED)
            (Path(folder) / "proc/config.gz").write_bytes(packed)
            said = json.loads(doctor.call("--root", folder, "--json").stdout)
        hz = next(f["what"] for f in said["findings"] if f["check"] == "hz")
        checks.true(f"HZ: {want}", hz.startswith(want), hz)


def check_device_files(checks: Checks, doctor: Doctor) -> None:
    device = {
        "/sys/class/net/eth1/ifindex": "2",
        "/sys/class/net/eth1/flags": "0x1002",
        "/sys/class/net/eth1/mtu": "1500",
        "/sys/class/net/eth1/tx_queue_len": "1000",
        "/sys/class/net/eth1/queues/rx-0/rps_cpus": "00,00000000",
        "/sys/class/net/eth1/queues/rx-1/rps_cpus": "00,0000000c",
    }
    _, found = doctor.look(TUNED | device, "eth1")
    want = {
        "eth1 device": ("warn", "it is down"),
        "eth1 gro": ("note", "unknown"),
        "eth1 arp": ("note", "neighbour requests pass through the link"),
        "eth1 txqueuelen": ("ok", "1000 packets, which no wlink heeds"),
        "eth1 rps": ("note", "spread to processors 00,0000000c"),
        "eth1 wlink": ("note", "unknown: --root looks at files only"),
    }
    agree(checks, "device", found, TUNED_SAYS | want)
    _, found = doctor.look(TUNED | device | {"/sys/class/net/eth1/flags": "0x1083"}, "eth1")
    checks.equal("no ARP", found["eth1 arp"]["verdict"], "ok")
    checks.true("up", "eth1 device" not in found)


def check_words(checks: Checks, doctor: Doctor) -> None:
    with tempfile.TemporaryDirectory() as root:
        for words, code, piece in (
            ("--frob", USAGE, 'doctor knows no option "--frob"'),
            ("--root", USAGE, "--root has no value"),
            ("--root /no/such/folder", USAGE, "--root /no/such/folder: No such file"),
            ("--probe", USAGE, "--probe has no value"),
            ("--probe 2", USAGE, '--probe "2" is not a time from 100ms to 600s'),
            ("--probe 99ms", USAGE, '--probe "99ms" is not a time'),
            ("--probe 601s", USAGE, '--probe "601s" is not a time'),
            (f"--probe 1s --root {root}", USAGE, "--probe measures this machine"),
            (f"--root {root} eth1", NOT_FOUND, f'no device "eth1" below {root}'),
            (f"--root {root} ../x", NOT_FOUND, '"../x" is no name of a device'),
            (f"--root {root} a-name-that-is-long", NOT_FOUND, "is no name of a device"),
            ("no-such-dev", NOT_FOUND, 'no device "no-such-dev"'),
        ):
            done = doctor.call(*words.split())
            checks.equal(f"doctor {words}: status", done.returncode, code)
            checks.equal(f"doctor {words}: output", done.stdout, "")
            checks.true(f"doctor {words} says {piece}", piece in done.stderr, done.stderr)
        done = doctor.call("--root", root)
        lines = done.stdout.splitlines()
        checks.equal("the sum", lines[-1], "0 ok, 14 note, 0 warn, 0 fail")
        checks.true("a reason below each note", sum(x.startswith("      why: ") for x in lines) == 14)


def check_permission(checks: Checks, doctor: Doctor) -> None:
    """Root may read everything, so somebody else looks."""
    user = 65534 if os.geteuid() == 0 else None
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        build_root(root, TUNED)
        root.chmod(0o755)
        for path in (SOURCE + "/current_clocksource", "/proc/timer_list", "/proc/version"):
            (root / path.lstrip("/")).chmod(0)
        try:
            done = doctor.call("--json", "--root", folder, user=user)
        except PermissionError:
            checks.skip("nobody cannot run what was built")
    said = {f["check"]: f["what"] for f in json.loads(done.stdout)["findings"]}
    for check, path in (
        ("clocksource", SOURCE + "/current_clocksource"),
        ("high-res-timers", "/proc/timer_list"),
        ("preempt", "/proc/version"),
    ):
        checks.equal(f"no permission: {check}", said[check], f"unknown: no permission to read {path}")


def check_probe(checks: Checks, doctor: Doctor) -> None:
    """Of this machine nothing is known but that its figures are in order."""
    done = doctor.call("--json", "--probe", "200ms", "lo")
    if "netlink" in done.stderr:
        checks.skip("no rtnetlink here")
    said = json.loads(done.stdout)
    late = said["lateness"]
    order = 0 < late["p50_ns"] <= late["p99_ns"] <= late["max_ns"] < late["took_ns"]
    checks.true("lateness in order", order, late)
    checks.true("as long as asked for", late["took_ns"] >= 200_000_000, late)
    checks.true("sleeps of 0.3 ms and more", 1 <= late["wakes"] <= late["took_ns"] / 300_000, late)
    names = {f["check"] for f in said["findings"]}
    only = {"clocks", "clock-sync", "lateness", "txqueuelen"}
    checks.true("what only a kernel tells", only <= names, names)
    accuracy = next(f["what"] for f in said["findings"] if f["check"] == "accuracy")
    checks.true("mean error zero", "mean error zero; single departures late by" in accuracy, accuracy)
    checks.equal("it says that it measures", done.stderr, "measuring wake-ups for 0.2 s\n")
    running = subprocess.Popen(
        [doctor.path, "doctor", "--json", "--probe", "60s", "lo"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert running.stderr
    running.stderr.readline()
    time.sleep(0.5)
    running.send_signal(signal.SIGINT)
    said = json.loads(running.communicate()[0])
    found = {f["check"]: f for f in said["findings"]}
    checks.equal("interrupted: marked", found["interrupted"]["verdict"], "warn")
    checks.true("interrupted: of 60 s", "of 60.0 s" in found["interrupted"]["what"], found["interrupted"])
    checks.true("interrupted: partial", "partial" in found["lateness"]["what"], found["lateness"])


@pytest.fixture
def doctor(build: Path) -> Doctor:
    return Doctor(build / "tests/plugin/wlinkctl")
