# SPDX-License-Identifier: GPL-2.0
"""Percentiles; the code that kept results were measured with has them from here."""

from typing import TypeVar

Number = TypeVar("Number", int, float)


def rank(order: list[Number], percent: int) -> Number:
    """A percentile by nearest rank, as in result.json."""
    return order[(len(order) * percent + 99) // 100 - 1]
