# SPDX-License-Identifier: GPL-2.0
"""A case's own folder."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from kit import folder


@pytest.fixture
def where() -> Iterator[Path]:
    with folder() as path:
        yield path
