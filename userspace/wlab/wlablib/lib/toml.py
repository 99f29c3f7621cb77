# SPDX-License-Identifier: GPL-2.0
"""Reads TOML with bounds on nesting and numbers."""

import tomllib
from pathlib import Path
from typing import Any

from .paths import LabError
from .units import BadValue

DEPTH_MAX = 30
INT_MAX = 10**1000


def check_bounds(table: Any) -> None:
    """Refuse deep nesting and huge numbers, on which other code would fail."""
    level = [table]
    for _ in range(DEPTH_MAX):
        below: list[Any] = []
        for item in level:
            below += item.values() if isinstance(item, dict) else item if isinstance(item, list) else ()
            if isinstance(item, int) and abs(item) > INT_MAX:
                raise BadValue("a number of more than 1000 digits")
        level = below
    if level:
        raise BadValue(f"tables and lists nested more than {DEPTH_MAX} deep")


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
    try:
        return loads(path.read_text())
    except OSError as e:
        raise LabError(f"{path}: {e.strerror}") from None
    except ValueError as e:
        raise LabError(f"{path}: {e}") from None
