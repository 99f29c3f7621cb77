# SPDX-License-Identifier: GPL-2.0
"""The parts of a delay, by the names that the kernel's events and statistics have for them."""

PARTS = ("queue", "serial", "prop", "retx", "hol", "access", "jitter")


def parts_of(times: list[int], access: int, access_tx: int, jitter: int) -> tuple[int, ...]:
    """Those of a delivered SDU, from its times arrival, start, end, due, whole and deliver.

    Five are differences of two consecutive times, less what it waited for access in the first two of these
    and the jitter in the last one.
    """
    spans = [after - before for before, after in zip(times, times[1:])]
    return (
        spans[0] - access,
        spans[1] - access_tx,
        *spans[2:4],
        spans[4] - jitter,
        access + access_tx,
        jitter,
    )
