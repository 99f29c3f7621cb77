# SPDX-License-Identifier: GPL-2.0
"""Where things are, and how to be found out of date."""

import os
import re
import shlex
import sys
from hashlib import sha256
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
# pip puts a copy of what the lab is made of into the package, see setup.py.
COPY = PACKAGE / "sources"
INSTALLED = COPY.is_dir()
ROOT = COPY if INSTALLED else PACKAGE.parents[2]
WLAB = ROOT / "userspace" / "wlab"
HERE = ROOT / "build"
# wlab itself, for a shell.
COMMAND = shlex.join([sys.executable, "-m", "wlablib.cli.main"] if INSTALLED else [str(WLAB / "wlab")])


def user_folder(variable: str, default: str) -> Path:
    """Of the user, as the XDG base directory specification has it."""
    said = os.environ.get(variable, "")
    return (Path(said) if os.path.isabs(said) else Path(os.path.expanduser("~"), default)) / "wlink"


def ours(folder: Path) -> bool:
    """Whether we may write it and what is in it; where it is not there, make it.

    Not what pip has made: it would leave the rest there when it takes the package away.
    """
    if INSTALLED:
        return False
    if not folder.exists():
        return os.access(folder.parent, os.W_OK)
    parts = [folder, *(folder / name for name in ("lab", "bin", "tc"))]
    return all(os.access(p, os.W_OK) for p in parts if p.exists())


def build_folder() -> Path:
    """Where kernels and programs are made: in the sources, or, where these are another's, by user."""
    said = os.environ.get("WLAB_BUILD")
    if said:
        return Path(os.path.abspath(said))
    return HERE if ours(HERE) else user_folder("XDG_CACHE_HOME", ".cache")


def results_folder() -> Path:
    """Where results go when nobody says: who calls wlab in its sources has them there, too."""
    in_sources = Path(os.path.abspath(sys.argv[0])).is_relative_to(ROOT)
    return HERE if in_sources and ours(HERE) else user_folder("XDG_DATA_HOME", ".local/share")


BUILD = build_folder()
RESULTS = results_folder()
LAB = BUILD / "lab"
# Kernels that others have made are good for us.
LABS = (LAB, HERE / "lab")
# Modules and programs; make goes by times, so those of one copy of the sources are none of another's.
MADE = BUILD / f"copy-{sha256(bytes(ROOT)).hexdigest()[:12]}" if INSTALLED else BUILD
BIN = MADE / "bin"
TC = MADE / "tc"
CONFIG = WLAB / "lab.config"
PATCHES = WLAB / "patches"
SANITIZE = WLAB / "lab-sanitize.config"
LIVE = WLAB / "lab-live.config"
GUEST = WLAB / "guest"
# Where the guest records events in tracefs when the kernel is not its own.
TRACE_INSTANCE = "wlab"


class LabError(Exception):
    """A message for the user, without a traceback."""


def version() -> str:
    """Of the sources."""
    found = re.search(r'WLINK_VERSION\s+"(.+)"', (ROOT / "kernel" / "version.h").read_text())
    return found[1] if found else "unknown"


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
