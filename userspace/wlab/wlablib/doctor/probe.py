# SPDX-License-Identifier: GPL-2.0
"""How late this machine wakes up: sleeps to absolute times, half by clock_nanosleep() and half by
a timerfd, as real-time as is allowed.
"""

import ctypes
import errno
import gc
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from time import monotonic_ns

from .machine import Lateness, Machine
from .report import FAIL, NOTE, OK, WARN, Answer, Checks, check, rate_text, time_text

CHECKS: Checks = []
EXPECTED: Checks = []
SECOND = 10**9
# A sleep is between these long, so that it meets no beat of the machine.
SLEEP_MIN_NS, SLEEP_SPREAD_NS = 300_000, 3_700_000
PROGRESS_NS = SECOND // 2
PRIORITY = 50
# 99 of 100 departures: up to here as good as it gets, and up to here usable.
LATE_OK_NS, LATE_NOTE_NS = 100_000, 1_000_000

# Bytes of what a link sends one of, by layer, and how much of its time a departure may be late.
LAYERS = {"IP": 1000, "LLC": 200, "RLC": 25}
LATE_SHARE = 0.1

MONOTONIC, ABSTIME, CLOEXEC = 1, 1, 0o2000000
SET_TIMERSLACK, GET_TIMERSLACK = 29, 30
# There is one thread: to give the lock of the interpreter away would only make each wake-up later.
libc = ctypes.PyDLL(None, use_errno=True)
# As long on every machine, even where long is short.
libc.prctl.argtypes = [ctypes.c_int, ctypes.c_ulong]


class Timespec(ctypes.Structure):
    _fields_ = [("tv_sec", ctypes.c_long), ("tv_nsec", ctypes.c_long)]


@dataclass
class Measured:
    """Wake-ups, each by how much it was late; an errno where this machine cannot sleep."""

    asked_ns: int
    policy: str
    timer: bool
    late_ns: list[int] = field(default_factory=list)
    took_ns: int = 0
    stopped: bool = False
    error: int = 0


def open_timer() -> int:
    """A timerfd, or -1."""
    return int(libc.timerfd_create(MONOTONIC, CLOEXEC))


def sleep_until(at: Timespec) -> tuple[int, int]:
    """Return: an errno, or 0; and the time, which is read before anything else is done."""
    error = errno.EINTR
    while error == errno.EINTR:
        error = libc.clock_nanosleep(MONOTONIC, ABSTIME, ctypes.byref(at), None)
        now = monotonic_ns()
    return error, now


def wait_until(timer: int, at: Timespec) -> tuple[int, int]:
    if libc.timerfd_settime(timer, ABSTIME, ctypes.byref((Timespec * 2)(Timespec(), at)), None):
        return ctypes.get_errno(), monotonic_ns()
    os.read(timer, 8)
    return 0, monotonic_ns()


def sleeps_ns() -> Iterator[int]:
    """xorshift: the same sleeps on every machine."""
    x = 2463534242
    while True:
        x ^= x << 13 & 0xFFFFFFFF
        x ^= x >> 17
        x ^= x << 5 & 0xFFFFFFFF
        yield SLEEP_MIN_NS + x % SLEEP_SPREAD_NS


def progress(text: str, plain: str = "") -> None:
    """A line that changes on a terminal, one plain line elsewhere."""
    sys.stderr.write(f"\r\033[K{text}" if sys.stderr.isatty() else plain)
    sys.stderr.flush()


@contextmanager
def real_time() -> Iterator[str]:
    """As real-time as is allowed, and no slack of timers; gives the scheduling policy that was had."""
    slack = libc.prctl(GET_TIMERSLACK, 0)
    policy = "without real-time scheduling"
    with suppress(OSError):
        os.sched_setscheduler(0, os.SCHED_FIFO | os.SCHED_RESET_ON_FORK, os.sched_param(PRIORITY))
        policy = "SCHED_FIFO"
    libc.prctl(SET_TIMERSLACK, 1)
    gc.disable()
    try:
        yield policy
    finally:
        gc.enable()
        if policy == "SCHED_FIFO":
            os.sched_setscheduler(0, os.SCHED_OTHER | os.SCHED_RESET_ON_FORK, os.sched_param(0))
        libc.prctl(SET_TIMERSLACK, slack)


@contextmanager
def signals() -> Iterator[list[int]]:
    """Those that ask for an end, as they come."""
    seen: list[int] = []
    asked = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = {one: signal.signal(one, lambda number, frame: seen.append(number)) for one in asked}
    try:
        yield seen
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)


def sleep_on(got: Measured, timer: int, begin: int, seen: list[int]) -> None:
    """One sleep after the other until the time is over or somebody asks for an end."""
    now = said = begin
    asked = f"{got.asked_ns / SECOND:.1f} s"
    progress(f"measuring wake-ups for {asked}", f"measuring wake-ups for {asked}\n")
    for ns in sleeps_ns():
        until = now + ns
        at = Timespec(*divmod(until, SECOND))
        by_timer = got.timer and len(got.late_ns) % 2
        got.error, now = wait_until(timer, at) if by_timer else sleep_until(at)
        if got.error:
            break
        got.late_ns.append(max(now - until, 0))
        if now - begin >= got.asked_ns or seen:
            break
        if now - said >= PROGRESS_NS:
            said = now
            progress(f"measuring wake-ups: {(now - begin) / SECOND:.1f} of {asked}")
            now = monotonic_ns()
    got.took_ns, got.stopped = now - begin, bool(seen)
    progress("")


def measure(asked_ns: int) -> Measured:
    timer = open_timer()
    with real_time() as policy, signals() as seen:
        got = Measured(asked_ns, policy, timer >= 0)
        sleep_on(got, timer, monotonic_ns(), seen)
    if timer >= 0:
        os.close(timer)
    return got


def lateness_of(got: Measured) -> Lateness | None:
    if got.error or not got.late_ns:
        return None
    late = sorted(got.late_ns)
    # The least that so many of 100 do not pass.
    p50, p99 = (late[-(-len(late) * percent // 100) - 1] for percent in (50, 99))
    return Lateness(len(late), p50, p99, late[-1], got.asked_ns, got.took_ns, got.policy)


@check(CHECKS, "timerfd")
def timerfd(machine: Machine, got: Measured) -> Answer | None:
    """a departure waits for the same timers, and for softirqs instead of a scheduler"""
    if got.timer or got.error:
        return None
    return WARN, "this kernel has no timerfd: only clock_nanosleep() was measured"


@check(CHECKS, "interrupted")
def interrupted(machine: Machine, got: Measured) -> Answer | None:
    """few wake-ups say little about the latest one"""
    if not got.stopped or got.error:
        return None
    took, asked = time_text(got.took_ns), time_text(got.asked_ns)
    return WARN, f"the measurement was interrupted after {took} of {asked}"


@check(CHECKS, "lateness")
def lateness(machine: Machine, got: Measured) -> Answer | None:
    """a departure waits for the same timers, and for softirqs instead of a scheduler"""
    late = machine.late = lateness_of(got)
    if got.error:
        return FAIL, f"this machine cannot sleep until a time: {os.strerror(got.error)}"
    if not late:
        return None
    p50, p99, most, took = (time_text(ns) for ns in (late.p50_ns, late.p99_ns, late.max_ns, late.took_ns))
    partial = ", partial" if got.stopped else ""
    what = f"{late.policy}: median {p50}, p99 {p99}, max {most} ({late.wakes} wake-ups in {took}{partial})"
    if late.p99_ns <= LATE_OK_NS:
        return OK, what
    change = "what is warned of above, and other work off this machine"
    return NOTE if late.p99_ns <= LATE_NOTE_NS else WARN, what, change


@check(EXPECTED, "accuracy")
def accuracy(machine: Machine) -> Answer:
    """the model never moves: a late timer delays one departure and no later one"""
    if machine.virtual_time and machine.high_res is not False:
        return OK, "to expect: mean error zero, no departure late: this is virtual time"
    if late := machine.late:
        span = f"{time_text(late.p50_ns)} .. {time_text(late.p99_ns)}"
        return OK, f"to expect: mean error zero; single departures late by {span} (p50 .. p99)"
    what = "not measured; to expect: mean error zero; "
    if machine.high_res is False and machine.tick_ns:
        what += f"single departures late by up to {time_text(machine.tick_ns)}, a tick, and more under load"
    else:
        what += "how late single departures are is unknown"
    return NOTE, what


@check(EXPECTED, "layers")
def layers(machine: Machine) -> Answer | None:
    """a faster link has shorter packets: the same lateness is more of each; the mean rate is right at any"""
    if not machine.late or machine.virtual_time:
        return None
    late_s = max(machine.late.p99_ns, 1) / SECOND
    most = (
        f"{name} ({size} bytes) {rate_text(8 * size * LATE_SHARE / late_s)}" for name, size in LAYERS.items()
    )
    return OK, f"99 of 100 departures late by a tenth of a packet's time at most: up to {', '.join(most)}"
