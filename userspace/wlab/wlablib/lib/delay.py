# SPDX-License-Identifier: GPL-2.0
"""The parts of a delay, by the names that the kernel's events and statistics have for them."""

PARTS = ("queue", "serial", "prop", "retx", "hol", "access", "jitter")
