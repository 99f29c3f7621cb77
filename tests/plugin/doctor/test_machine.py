# SPDX-License-Identifier: GPL-2.0
"""What doctor says to machines that are known: folders that stand for their roots."""

import errno
import gzip
import json
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from harness import Checks
from wlablib.doctor import clocks, command, module, probe, processors, report
from wlablib.doctor.machine import Machine
from wlablib.lib.beside import Stop

CPU = "/sys/devices/system/cpu"
SOURCE = "/sys/devices/system/clocksource/clocksource0"
WRONG_WORDS, NOT_FOUND = 2, 3

Files = dict[str, str]
Verdicts = dict[str, tuple[str, str]]

# A machine on which nothing is left to change.
TUNED: Files = {
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
WRONG: Files = {
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


DEVICE: Files = {
    "/sys/class/net/eth1/ifindex": "2",
    "/sys/class/net/eth1/flags": "0x1002",
    "/sys/class/net/eth1/mtu": "1500",
    "/sys/class/net/eth1/tx_queue_len": "1000",
    "/sys/class/net/eth1/queues/rx-0/rps_cpus": "00,00000000",
    "/sys/class/net/eth1/queues/rx-1/rps_cpus": "00,0000000c",
}
DEVICE_SAYS: Verdicts = {
    "eth1 device": ("warn", "it is down"),
    "eth1 gro": ("note", "unknown"),
    "eth1 arp": ("note", "neighbour requests pass through the link"),
    "eth1 txqueuelen": ("ok", "1000 packets, which no wlink heeds"),
    "eth1 rps": ("note", "spread to processors 00,0000000c"),
    "eth1 wlink": ("note", "unknown: --root looks at files only"),
}

Found = dict[str, dict[str, Any]]
Look = Callable[..., tuple[int, Found]]


def build_root(folder: Path, files: Files) -> None:
    for path, text in files.items():
        if text:
            file = folder / path.lstrip("/")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text + "\n", encoding="ascii")


def by_name(text: str) -> Found:
    """Findings by their check; those of a device have its name before them."""
    findings = json.loads(text)["findings"]
    found = {" ".join(filter(None, (f.get("dev"), f["check"]))): f for f in findings}
    assert len(found) == len(findings), f"two findings have one name: {text}"
    return found


@pytest.fixture
def look(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Look:
    def run(files: Files, *words: str, config: bytes = b"") -> tuple[int, Found]:
        root = tmp_path / str(len(list(tmp_path.iterdir())))
        root.mkdir()
        build_root(root, files)
        if config:
            (root / "proc/config.gz").write_bytes(config)
        code = command.main(["--json", "--root", str(root), *words])
        said = capsys.readouterr()
        assert not said.err
        return code, by_name(said.out)

    return run


def same(checks: Checks, name: str, found: Found, want: Verdicts) -> None:
    for check, (verdict, piece) in want.items():
        one = found.get(check, {"verdict": "", "what": ""})
        checks.equal(f"{name}: {check}", one["verdict"], verdict or one["verdict"])
        checks.true(f"{name}: {check} says {piece}", piece in one["what"], one["what"])


def agree(checks: Checks, name: str, found: Found, want: Verdicts) -> None:
    checks.equal(f"{name}: the checks", set(found), set(want))
    same(checks, name, found, want)


def check_machines(checks: Checks, look: Look) -> None:
    for name, files, want, status in (
        ("tuned", TUNED, TUNED_SAYS, 0),
        ("wrong", TUNED | WRONG, WRONG_SAYS, 1),
        ("empty", {}, EMPTY_SAYS, 0),
        ("device", TUNED | DEVICE, TUNED_SAYS | DEVICE_SAYS, 0),
    ):
        code, found = look(files, *(["eth1"] if name == "device" else []))
        agree(checks, name, found, want)
        checks.equal(f"{name}: status", code, status)
        checks.true(f"{name}: each finding has a reason", all(f["why"] for f in found.values()))
        for check, (_, piece) in CHANGES.items() if name == "wrong" else ():
            said = found[check].get("change", "")
            checks.true(f"{check} is changed by {piece}", piece in said, said)


def check_files(checks: Checks, look: Look) -> None:
    for path, text, check, verdict, piece in ONE_FILE:
        code, found = look(TUNED | {path: text})
        same(checks, f"{path} {text!r}", found, {check: (verdict, piece)})
        fails = any(f["verdict"] == "fail" for f in found.values())
        checks.equal(f"{path} {text!r}: status", code, 1 if fails else 0)
    _, found = look(TUNED | {f"{SOURCE}/current_clocksource": "hpet"})
    checks.equal("tsc is offered", found["clocksource"]["change"], f"echo tsc >{SOURCE}/current_clocksource")
    freq = f"{CPU}/cpu0/cpufreq/scaling"
    adapts = {f"{freq}_governor": "powersave", f"{freq}_driver": "intel_pstate"}
    limits = "Max nice priority  0  0\nMax realtime priority     50   50   \n"
    limited = {"/proc/self/status": "CapEff:\t0000000000000000\n", "/proc/self/limits": limits}
    for name, files, check, verdict, piece in (
        ("adapts", adapts, "governor", "note", ""),
        ("limits", limited, "real-time", "ok", "up to priority 50"),
        ("no list", {"/proc/timer_list": "", "/proc/cmdline": "highres=off"}, "high-res-timers", "warn", ""),
        ("no ARP", DEVICE | {"/sys/class/net/eth1/flags": "0x1083"}, "eth1 arp", "ok", ""),
    ):  # fmt: skip
        _, found = look(TUNED | files, *(["eth1"] if name == "no ARP" else []))
        same(checks, name, found, {check: (verdict, piece)})
    checks.true("up", "eth1 device" not in found)


def check_secure_boot(checks: Checks, look: Look) -> None:
    """By the module's file, until it is loaded; without Secure Boot there is nothing to say."""
    folder = "/lib/modules/6.12.9-test/updates/dkms"
    file, signed = f"{folder}/sch_wlink.ko", "code~Module signature appended~"
    on = {module.SECURE_BOOT: "\x06\0\0\0\x01"}
    for name, files, verdict, pieces in (
        ("no module", on, "note", ("no sch_wlink", "./wlink-dkms_*.deb", "mokutil --import")),
        ("not signed", on | {file: "code"}, "warn", ("not signed", "dkms install --force")),
        ("signed", on | {file: signed}, "note", ("signed and not loaded", "Enroll MOK")),
        ("another place", on | {f"{folder[:-5]}/sch_wlink.ko": signed}, "note", ("signed and not",)),
        ("no xz", on | {f"{file}.xz": "code"}, "note", ("unknown: ", "is no file of xz")),
        ("loaded", on | {file: "code", "/sys/module/sch_wlink/initstate": "live"}, "", ()),
        ("off", {module.SECURE_BOOT: "\x06\0\0\0\0", file: "code"}, "", ()),
    ):
        one = look(TUNED | files)[1].get("secure-boot", {"verdict": "", "what": ""})
        checks.equal(f"{name}: verdict", one["verdict"], verdict)
        said = f"{one['what']} {one.get('change', '')}"
        checks.true(f"{name}: says {pieces}", all(piece in said for piece in pieces), said)


def check_config(checks: Checks, look: Look) -> None:
    """A packed configuration, and one that is not one."""
    for packed, want in (
        (gzip.compress(b"CONFIG_HZ=100\nCONFIG_HZ_PERIODIC=y\n"), "100, a tick each 10.0 ms"),
        (b"no gzip", "1000, a tick each 1.00 ms"),
        (gzip.compress(b"# CONFIG_HZ is not set\n"), "unknown: "),
    ):
        hz = look(TUNED, config=packed)[1]["hz"]["what"]
        checks.true(f"HZ: {want}", hz.startswith(want), hz)


def check_words(checks: Checks, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = str(tmp_path)
    for words, code, piece in (
        ("--frob", WRONG_WORDS, 'doctor knows no option "--frob"'),
        ("--root", WRONG_WORDS, "--root has no value"),
        ("--root /no/such/folder", WRONG_WORDS, "--root /no/such/folder: No such file"),
        ("--probe", WRONG_WORDS, "--probe has no value"),
        ("--probe 2", WRONG_WORDS, '--probe "2" is not a time from 100ms to 600s'),
        ("--probe 99ms", WRONG_WORDS, '--probe "99ms" is not a time'),
        ("--probe 601s", WRONG_WORDS, '--probe "601s" is not a time'),
        (f"--probe 1s --root {root}", WRONG_WORDS, "--probe measures this machine"),
        (f"--root {root} eth1", NOT_FOUND, f'no device "eth1" below {root}'),
        (f"--root {root} ../x", NOT_FOUND, '"../x" is no name of a device'),
        (f"--root {root} a-name-that-is-long", NOT_FOUND, "is no name of a device"),
        ("no-such-dev", NOT_FOUND, 'no device "no-such-dev"'),
    ):
        with pytest.raises(Stop) as stop:
            command.main(words.split())
        checks.equal(f"doctor {words}: status", stop.value.code, code)
        checks.true(f"doctor {words} says {piece}", piece in str(stop.value), str(stop.value))
    checks.equal("nothing else", capsys.readouterr().out, "")
    command.main(["--root", root])
    lines = capsys.readouterr().out.splitlines()
    checks.equal("the sum", lines[-1], "0 ok, 14 note, 0 warn, 0 fail")
    checks.true("a reason below each note", sum(x.startswith("      why: ") for x in lines) == 14)


def check_permission(checks: Checks, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Root may read everything, so the call is refused here."""
    build_root(tmp_path, TUNED)
    refused = {
        SOURCE + "/current_clocksource": "clocksource",
        "/proc/timer_list": "high-res-timers",
        "/proc/version": "preempt",
    }

    def read_bytes(path: Path) -> bytes:
        if f"/{path.relative_to(tmp_path)}" in refused:
            raise PermissionError(errno.EACCES, "Permission denied")
        with path.open("rb") as file:
            return file.read()

    monkeypatch.setattr(Path, "read_bytes", read_bytes)
    machine = Machine(str(tmp_path))
    said = {f.check: f.what for f in report.run(clocks.CHECKS + processors.CHECKS, machine)}
    for path, check in refused.items():
        checks.equal(f"no permission: {check}", said[check], f"unknown: no permission to read {path}")


def here(capsys: pytest.CaptureFixture[str], probe_time: str = "200ms") -> tuple[dict[str, Any], Found, str]:
    """This machine without its links."""
    command.main(["--json", "--probe", probe_time])
    said = capsys.readouterr()
    return json.loads(said.out), by_name(said.out), said.err


def check_probe(checks: Checks, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Of this machine nothing is known but that its figures are in order."""
    monkeypatch.setattr(command, "show", list)
    said, found, err = here(capsys)
    late = said["lateness"]
    order = 0 < late["p50_ns"] <= late["p99_ns"] <= late["max_ns"] < late["took_ns"]
    checks.true("lateness in order", order, late)
    checks.true("as long as asked for", late["took_ns"] >= late["asked_ns"] == 200_000_000, late)
    checks.true("sleeps of 0.3 ms and more", 1 <= late["wakes"] <= late["took_ns"] / 300_000, late)
    checks.true("what only a kernel tells", {"clocks", "clock-sync", "lateness"} <= set(found), found)
    same(checks, "probe", found, {"accuracy": ("ok", "mean error zero; single departures late by")})
    checks.equal("it says that it measures", err, "measuring wake-ups for 0.2 s\n")
    monkeypatch.setattr(os, "sched_setscheduler", lambda *words: None)
    sleeps = 0

    def interrupt(at: probe.Timespec) -> tuple[int, int]:
        nonlocal sleeps
        sleeps += 1
        if sleeps == 5:
            os.kill(os.getpid(), signal.SIGINT)
        return 0, time.monotonic_ns()

    monkeypatch.setattr(probe, "sleep_until", interrupt)
    said, found, _ = here(capsys, "60s")
    checks.true("interrupted: some wake-ups", 5 <= said["lateness"]["wakes"] < 20, said["lateness"])
    want = {"interrupted": ("warn", "of 60.0 s"), "lateness": ("", "partial"), "accuracy": ("ok", "late by")}
    same(checks, "interrupted", found, want)


def late_by(ns: int) -> Machine:
    machine = Machine("/none")
    machine.late = probe.lateness_of(probe.Measured(9, "x", True, [ns]))
    return machine


def check_figures(checks: Checks) -> None:
    """Ranks of known wake-ups, and where the verdicts change."""
    for late_ns, want in (
        ([7], (1, 7, 7, 7)),
        ([*range(100, 0, -1)], (100, 50, 99, 100)),
        ([*range(1, 102)], (101, 51, 100, 101)),
    ):
        late = probe.lateness_of(probe.Measured(9, "x", True, late_ns))
        assert late
        checks.equal(f"{len(late_ns)} wake-ups", (late.wakes, late.p50_ns, late.p99_ns, late.max_ns), want)
    for ns, verdict in ((100_000, "ok"), (100_001, "note"), (1_000_000, "note"), (1_000_001, "warn")):
        (found,) = report.run(probe.CHECKS, Machine("/none"), probe.Measured(9, "x", True, [ns]))
        checks.equal(f"{ns} ns late", found.verdict, verdict)
    # A tenth of 8000, 1600 and 200 bits in 100 us.
    (found,) = report.run([one for one in probe.EXPECTED if one[0] == "layers"], late_by(100_000))
    rates = "IP (1000 bytes) 8.00 Mbit/s, LLC (200 bytes) 1.60 Mbit/s, RLC (25 bytes) 200 kbit/s"
    checks.true("layers", rates in found.what, found)
    first = [ns for ns, _ in zip(probe.sleeps_ns(), range(1000))]
    checks.true("sleeps of 0.3 to 4 ms", 300_000 <= min(first) < 320_000 < 3_980_000 < max(first) < 4_000_000)
    known = [300_000 + x % 3_700_000 for x in (723471715, 2497366906, 2064144800)]
    checks.equal("xorshift of Marsaglia's seed", first[:3], known)


def no_clocks(*missing: int) -> Callable[[int], int]:
    gettime = time.clock_gettime_ns

    def call(clock: int) -> int:
        if clock in missing:
            raise OSError(errno.EINVAL, "Invalid argument")
        return gettime(clock)

    return call


def refuse(*words: object) -> None:
    raise PermissionError(errno.EPERM, "Operation not permitted")


# A call that this machine lacks, how it fails, and what is said then.
LACKS: list[tuple[object, str, object, Verdicts]] = [
    (time, "clock_gettime_ns", no_clocks(11), {"clocks": ("fail", "missing: CLOCK_TAI")}),
    (time, "clock_gettime_ns", no_clocks(11, 4), {"clocks": ("fail", "CLOCK_MONOTONIC_RAW CLOCK_TAI")}),
    (time, "clock_getres", lambda clock: 0.01, {
        "high-res-timers": ("warn", "a tick of 10.0 ms"), "hz": ("warn", "100, a tick each"),
    }),
    (probe, "open_timer", lambda: -1, {
        "timerfd": ("warn", "only clock_nanosleep() was measured"), "lateness": ("", "p99"),
    }),
    (probe, "sleep_until", lambda at: (errno.EOPNOTSUPP, 0), {
        "lateness": ("fail", "cannot sleep until a time: Operation not supported"),
        "accuracy": ("note", "is unknown"),
    }),
    (os, "sched_setscheduler", refuse, {"lateness": ("", "without real-time scheduling: median ")}),
    (os, "sched_setscheduler", lambda *words: None, {"lateness": ("", "SCHED_FIFO: median ")}),
]  # fmt: skip


@pytest.mark.parametrize(("module", "name", "instead", "want"), LACKS)
def check_lacks(
    checks: Checks,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    module: object,
    name: str,
    instead: object,
    want: Verdicts,
) -> None:
    """This machine without a clock, fine timers, a timerfd, a sleep, a right."""
    monkeypatch.setattr(command, "show", list)
    # Tests run beside each other.
    monkeypatch.setattr(os, "sched_setscheduler", lambda *words: None)
    monkeypatch.setattr(module, name, instead)
    _, found, _ = here(capsys, "100ms")
    same(checks, name, found, want)
