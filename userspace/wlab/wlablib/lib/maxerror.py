# SPDX-License-Identifier: GPL-2.0
"""How the error bound of a clock grows while no server disciplines it."""

# As the kernel assumes (MAXFREQ).
GROWTH_PPM = 500


def grown(ns: int) -> int:
    """The growth of the error in a period, rounded up."""
    return -(-ns * GROWTH_PPM // 10**6)
