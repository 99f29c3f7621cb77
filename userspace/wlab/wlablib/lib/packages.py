# SPDX-License-Identifier: GPL-2.0
"""Packages that only some commands need; wlab starts without them."""

import sys
from importlib import import_module
from typing import Any

from .paths import INSTALLED, LabError

# wlab runs python -S, and a virtual environment has packages of its own; Debian's are here.
DIST_PACKAGES = "/usr/lib/python3/dist-packages"


def missing(name: str, group: str) -> LabError:
    """What to type where a package is not there."""
    argv = f"{sys.executable} -m pip install {name}" if INSTALLED else f"userspace/need {group}"
    return LabError(f"{name} is missing; type: {argv}")


def package(module: str, group: str) -> Any:
    """A module of a package that is imported only where it is used."""
    if DIST_PACKAGES not in sys.path:
        sys.path.append(DIST_PACKAGES)
    try:
        return import_module(module)
    except ImportError:
        raise missing(module.partition(".")[0], group) from None
