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


def first_cause(error: BaseException) -> str:
    """What the loader said, which packages wrap in pages of advice."""
    while inner := error.__cause__ or error.__context__:
        error = inner
    return str(error).strip().partition("\n")[0]


def package(module: str, group: str) -> Any:
    """Import a module; a LabError names the command that installs it."""
    if DIST_PACKAGES not in sys.path:
        sys.path.append(DIST_PACKAGES)
    name = module.partition(".")[0]
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name == name:
            raise missing(name, group) from None
        raise LabError(f"{name} cannot be imported: {error}") from None
    except ImportError as error:
        raise LabError(f"{name} cannot be imported: {first_cause(error)}") from None
