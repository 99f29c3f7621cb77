# SPDX-License-Identifier: GPL-2.0
"""For pytest: `pytest_plugins = ["wlablib.link.fixture"]`; the wheel has it as a plugin."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from wlab import Link


@pytest.fixture
def wlab_link(tmp_path: Path) -> "Callable[..., Link]":
    """Like wlab.link(), with its result in the test's own folder."""
    # Every run of pytest loads this file.
    import wlab

    def start(preset: str = "", **words: str) -> "Link":
        return wlab.link(preset, **words, out=tmp_path / "link")

    return start
