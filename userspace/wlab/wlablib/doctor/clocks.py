# SPDX-License-Identifier: GPL-2.0
"""The clock that the engine reads, the timers that hand packets over, and how well clocks agree."""

import ctypes
import os
import re
import struct
import time

from .machine import Machine
from .report import FAIL, NOTE, OK, WARN, Answer, Checks, Unknown, check, time_text

CHECKS: Checks = []
FOLDER = "/sys/devices/system/clocksource/clocksource0/"
TIMER_LIST = "/proc/timer_list"
SECOND = 10**9

# A clocksource whose name begins so, how good it is, what there is to say.
SOURCES = (
    ("tsc", OK, "the processor's own counter, read in tens of ns"),
    ("kvm-clock", OK, "the host's counter, read in tens of ns"),
    ("hyperv_clocksource_tsc_page", OK, "the host's counter, read in tens of ns"),
    ("hyperv_clocksource_msr", NOTE, "each reading asks the hypervisor"),
    ("xen", NOTE, "the host's counter with Xen's own scale"),
    ("arch_sys_counter", OK, "the processor's own counter"),
    ("timebase", OK, "the processor's own counter"),
    ("riscv_clocksource", OK, "the processor's own counter"),
    ("tod", OK, "the processor's own counter"),
    ("time-travel", OK, "virtual time of a User Mode Linux kernel: exact, but not this world's"),
    ("hpet", WARN, "each reading takes about a microsecond"),
    ("acpi_pm", WARN, "a grid of 279 ns, and each reading takes microseconds"),
    ("refined-jiffies", FAIL, "time stands still between two ticks"),
    ("jiffies", FAIL, "time stands still between two ticks"),
    ("pit", FAIL, "a grid of 838 ns, and slow to read"),
)
# What only this machine's kernel tells.
LIVE = ("clocks", "clock-sync", "tai")
CLOCKS = {"MONOTONIC": 1, "MONOTONIC_RAW": 4, "REALTIME": 0, "BOOTTIME": 7, "TAI": 11}
MONOTONIC, MONOTONIC_COARSE = 1, 6
# Below this a resolution is that of a timer, above that of ticks.
FINE_NS = 10_000

# adjtimex(2)
TIMEX = struct.Struct("@I4li3l2l3li5li")
TIME_ERROR, STA_UNSYNC, STA_NANO = 5, 0x40, 0x2000


@check(CHECKS, "clocksource")
def clocksource(machine: Machine) -> Answer:
    """the times of each packet's arrival and departure are of this clock"""
    name = machine.read(FOLDER + "current_clocksource")
    known = [source for source in SOURCES if name.startswith(source[0])]
    if not known:
        return NOTE, f"{name}, of which nothing is known here"
    begin, verdict, text = known[0]
    machine.virtual_time = begin == "time-travel"
    if verdict not in (WARN, FAIL):
        return verdict, f"{name}: {text}"
    offered = machine.get(FOLDER + "available_clocksource")
    if "tsc" in offered.split():
        return verdict, f"{name}: {text}", f"echo tsc >{FOLDER}current_clocksource"
    change = f"no tsc is offered ({offered or 'nothing known'}); dmesg | grep -i -e tsc -e clocksource says "
    change += "why; boot with tsc=reliable only where all processors' counters agree"
    return verdict, f"{name}: {text}", change


@check(CHECKS, "clocks")
def clocks(machine: Machine) -> Answer:
    """records carry CLOCK_MONOTONIC and CLOCK_TAI, and tools sleep by them"""
    # Each is read once: a kernel or a sandbox may lack one.
    missing = ""
    for name, number in CLOCKS.items():
        try:
            time.clock_gettime_ns(number)
        except OSError:
            missing += f" CLOCK_{name}"
    if missing:
        return FAIL, f"missing:{missing}"
    return OK, "monotonic, raw, real, boot time and TAI are there"


def resolution_ns(clock: int) -> int:
    try:
        return round(time.clock_getres(clock) * SECOND)
    except OSError:
        return 0


def find_tick_ns(machine: Machine) -> int:
    """HZ from the configuration; the coarse clock goes by ticks, whatever it says."""
    if machine.live and (tick := resolution_ns(MONOTONIC_COARSE)):
        return tick
    hz = machine.option("CONFIG_HZ") or ""
    return SECOND // int(hz) if hz.isdecimal() and int(hz) else 0


def fine_ns(machine: Machine) -> int:
    """The resolution of timers; a kernel turns high ones on with a tick, the first ones after its boot."""
    if resolution_ns(MONOTONIC) > FINE_NS:
        time.sleep(2 * machine.tick_ns / SECOND)
    return resolution_ns(MONOTONIC)


def is_listed(machine: Machine) -> bool:
    """High-resolution timers in the kernel's list."""
    text = machine.read(TIMER_LIST)
    if active := re.findall(r"\.hres_active[ :]*(\d+)", text):
        return int(active[-1]) != 0
    if found := re.findall(r"\.resolution:[ :]*(\d+)", text):
        return int(found[-1]) <= FINE_NS
    raise Unknown(f"{TIMER_LIST} does not say")


@check(CHECKS, "high-res-timers")
def high_res(machine: Machine) -> Answer:
    """without high-resolution timers every departure waits for the next tick"""
    machine.tick_ns = find_tick_ns(machine)
    off = machine.word("highres=") == "off"
    try:
        fine = fine_ns(machine) if machine.live else 0
        machine.high_res = fine <= FINE_NS if fine else is_listed(machine)
    except Unknown:
        if not off:
            raise
        machine.high_res = False
    if machine.high_res:
        return OK, "on"
    tick = f" of {time_text(machine.tick_ns)}" if machine.tick_ns else ""
    what = f"off: single departures are late by up to a tick{tick}, besides what else delays them"
    if off:
        return WARN, what, "boot without highres=off (it is on the kernel's command line)"
    if machine.option("CONFIG_HIGH_RES_TIMERS") == "n":
        return WARN, what, "take a kernel with CONFIG_HIGH_RES_TIMERS=y"
    change = "dmesg | grep -i -e hrtimer -e 'high resolution' says why; "
    change += "an unstable clocksource is the usual reason"
    return WARN, what, change


@check(CHECKS, "hz")
def tick(machine: Machine) -> Answer:
    """where timers are coarse this is the grid of departures; else it matters little"""
    if not machine.tick_ns:
        raise Unknown("neither /proc/config.gz nor /boot/config-RELEASE can be read")
    what = f"{SECOND // machine.tick_ns}, a tick each {time_text(machine.tick_ns)}"
    if machine.high_res is not False or machine.tick_ns <= SECOND // 1000:
        return OK, what
    return WARN, what, "high-resolution timers first; without them a kernel with CONFIG_HZ=1000"


@check(CHECKS, "no-hz")
def idle_tick(machine: Machine) -> Answer:
    """ticks disturb a busy processor; an idle one without them wakes up for timers only"""
    if machine.word("nohz=") == "off":
        return OK, "off by the kernel's command line (nohz=off)"
    for name, what in (
        ("CONFIG_NO_HZ_FULL", "full: also busy processors may do without ticks"),
        ("CONFIG_NO_HZ_IDLE", "idle: idle processors do without ticks"),
        ("CONFIG_HZ_PERIODIC", "periodic ticks, always"),
    ):
        if machine.option(name) == "y":
            return OK, what
    raise Unknown("the kernel's configuration cannot be read")


def adjtimex() -> tuple[int, int, int, int, int]:
    """The clock's state, status, offset in ns, greatest error in us and seconds of TAI ahead of UTC."""
    libc = ctypes.CDLL(None, use_errno=True)
    buffer = ctypes.create_string_buffer(TIMEX.size + 64)
    state = libc.adjtimex(buffer)
    if state < 0:
        raise Unknown(f"adjtimex(): {os.strerror(ctypes.get_errno())}")
    _, offset, _, error, _, status, *_, tai = TIMEX.unpack_from(buffer)
    return state, status, offset * (1 if status & STA_NANO else 1000), error, tai


@check(CHECKS, "clock-sync")
def clock_sync(machine: Machine) -> Answer:
    """logs of two machines can be merged no better than their clocks agree"""
    state, status, offset_ns, error_us, _ = adjtimex()
    sign, most = "-" if offset_ns < 0 else "", time_text(error_us * 1000)
    offset = f"{sign}{time_text(abs(offset_ns))}, at most {most}"
    if state != TIME_ERROR and not status & STA_UNSYNC:
        return OK, f"synchronised: offset {offset} off"
    change = "apt-get install chrony; chronyc makestep (not needed where all runs on one machine)"
    return WARN, f"not synchronised (status 0x{status:04x}, offset {offset} off)", change


@check(CHECKS, "tai")
def tai(machine: Machine) -> Answer:
    """CLOCK_TAI of records is UTC where nobody has set the leap seconds"""
    *_, ahead = adjtimex()
    if ahead:
        return OK, f"CLOCK_TAI is {ahead} s ahead of UTC"
    change = 'chrony: "leapsectz right/UTC" in chrony.conf; ntpd: a leapfile; the same on all machines'
    return NOTE, "CLOCK_TAI is UTC: no offset is set", change
