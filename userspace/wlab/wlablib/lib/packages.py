# SPDX-License-Identifier: GPL-2.0
"""Imports of packages that only some commands need; wlab starts without them."""

import sys
from importlib import import_module
from typing import Any

from .paths import INSTALLED, LabError

# Debian's packages; `python -S` and a virtual environment do not look there.
DIST_PACKAGES = "/usr/lib/python3/dist-packages"


def missing(name: str, group: str) -> LabError:
    """An error with the command that installs a package."""
    argv = f"{sys.executable} -m pip install {name}" if INSTALLED else f"userspace/need {group}"
    return LabError(f"{name} is missing; type: {argv}")


def package(module: str, group: str) -> Any:
    """Import a module; a LabError names the command that installs it."""
    if DIST_PACKAGES not in sys.path:
        sys.path.append(DIST_PACKAGES)
    try:
        return import_module(module)
    except ImportError:
        raise missing(module.partition(".")[0], group) from None
