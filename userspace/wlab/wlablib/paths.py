# SPDX-License-Identifier: GPL-2.0
"""Where things are, and how to be found out of date."""

import os
from pathlib import Path

WLAB = Path(__file__).resolve().parent.parent
ROOT = WLAB.parent.parent
BUILD = ROOT / "build"
LAB = BUILD / "lab"
BIN = BUILD / "bin"
TC = BUILD / "tc"
CONFIG = WLAB / "lab.config"
SANITIZE = WLAB / "lab-sanitize.config"
GUEST = WLAB / "guest"


class LabError(Exception):
    """What the user is told, without a traceback."""


def newest(*paths: Path) -> int:
    """Latest change of any of the files, or of anything below the folders."""
    latest = 0
    for path in paths:
        if not path.exists():
            continue
        latest = max(latest, path.stat().st_mtime_ns)
        for folder, _, names in os.walk(path):
            latest = max(latest, os.stat(folder).st_mtime_ns)
            for name in names:
                if name.startswith("."):
                    continue
                latest = max(latest, os.stat(os.path.join(folder, name)).st_mtime_ns)
    return latest


def stale(product: Path, *sources: Path) -> bool:
    """Whether the product must be made anew."""
    return not product.exists() or newest(*sources) > product.stat().st_mtime_ns
