# SPDX-License-Identifier: GPL-2.0
"""Reads TOML with bounds on nesting and numbers."""

import tomllib
from pathlib import Path
from typing import Any

from .faults import within
from .files import DEPTH_MAX, check_bounds, read_text
from .units import BadValue


def loads(text: str) -> dict[str, Any]:
    """Parse TOML; every fault is a BadValue."""
    try:
        parsed = tomllib.loads(text)
    except RecursionError:
        raise BadValue(f"tables and lists nested more than {DEPTH_MAX} deep") from None
    except ValueError as e:
        raise BadValue(str(e)) from None
    check_bounds(parsed)
    return parsed


def load(path: Path) -> dict[str, Any]:
    """Read a file of TOML; every fault is a LabError."""
    with within(f"{path}: ", BadValue):
        return loads(read_text(path))
