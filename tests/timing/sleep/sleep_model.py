# SPDX-License-Identifier: GPL-2.0
"""What sleeps must be, worked out without wlink-sleep: the series, the tick, the slack."""

from collections.abc import Callable

TICK_MS = 10
Model = Callable[[int], float]


def series(count: int) -> list[int]:
    """The requests: glibc's additive generator with its default seed of 1."""
    r = [1]
    for i in range(1, 31):
        hi, lo = divmod(r[i - 1], 127773)
        word = 16807 * lo - 2836 * hi
        r.append(word + 2147483647 if word < 0 else word)
    r += r[0:3]
    for i in range(34, 344 + count):
        r.append((r[i - 31] + r[i - 3]) & 0xFFFFFFFF)
    return [int((word >> 1) / 2147483647 * 100) for word in r[344 : 344 + count]]


def in_tick_1999(ms: int) -> float:
    """select() of 2.0.36: whole ticks, rounded up, and one more. From tick to tick."""
    return (-(-ms // TICK_MS) + 1) * TICK_MS if ms else 0


def in_tick_now(ms: int) -> float:
    """A timer of today that expires in the tick: the first one after its time.

    The request begins a moment after a tick, so that whole ticks just miss one.
    """
    return (ms // TICK_MS + 1) * TICK_MS if ms else 0


def exact(ms: int) -> float:
    return ms


def nanosleep(ms: int) -> float:
    """High resolution, default timer slack of 50 us."""
    return ms + 0.05


def select(ms: int) -> float:
    """The same, but select() adds a thousandth of the request where that is more."""
    return ms + max(0.05, ms / 1000) if ms else 0


def select_slackless(ms: int) -> float:
    """The thousandth stays when the slack of the process is 1 ns."""
    return ms * 1.001


def slack_variable(requests: list[int], sleep: Model) -> list[float]:
    """The thesis's sleep_with_slack() over another model, in ms."""
    slack, out = 0.0, []
    for ms in requests:
        if ms - slack <= 0:
            slack -= ms
            out.append(0.0)
            continue
        # The kernel rounds what is asked for, a fraction of a ms included.
        slept = sleep(max(1, round(ms - slack)))
        slack -= ms - slept
        out.append(slept)
    return out
