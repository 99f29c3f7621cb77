# SPDX-License-Identifier: GPL-2.0
"""Where something is wrong."""

from collections.abc import Iterator
from contextlib import contextmanager

from .paths import LabError


@contextmanager
def within(place: str, kind: type[Exception] = LabError) -> Iterator[None]:
    """What is wrong inside is a LabError that begins with its place."""
    try:
        yield
    except kind as e:
        raise LabError(f"{place}{e.strerror if isinstance(e, OSError) else e}") from None
