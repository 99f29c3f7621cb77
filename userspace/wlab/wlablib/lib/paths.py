# SPDX-License-Identifier: GPL-2.0
"""The folders of sources, build products and results; whether a product is out of date."""

import os
import re
import shlex
import sys
from hashlib import sha256
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
# The sources that the lab builds, copied into the package by pip; see setup.py.
COPY = PACKAGE / "sources"
INSTALLED = COPY.is_dir()
# What is built of them, which only a wheel has; see userspace/wheel. Debian's package has both elsewhere.
BUILT = PACKAGE / "built"
PREBUILT = BUILT.is_dir()
if INSTALLED:
    COPY, BUILT = COPY.resolve(), BUILT.resolve()
ROOT = COPY if INSTALLED else PACKAGE.parents[2]
WLAB = ROOT / "userspace" / "wlab"
SOURCE_BUILD = ROOT / "build"
# The command line that starts wlab.
COMMAND = shlex.join([sys.executable, "-m", "wlablib.cli.main"] if INSTALLED else [str(WLAB / "wlab")])


def user_folder(variable: str, default: str) -> Path:
    """The folder wlink below the user's folder for VARIABLE (XDG base directory specification)."""
    path = os.environ.get(variable, "")
    return (Path(path) if os.path.isabs(path) else Path(os.path.expanduser("~"), default)) / "wlink"


def can_build_in(folder: Path) -> bool:
    """Whether this user may write a build folder and its parts, or create it.

    Never a folder inside an installed package: pip would not remove what is built there.
    """
    if INSTALLED:
        return False
    if not folder.exists():
        return os.access(folder.parent, os.W_OK)
    parts = [folder, *(folder / name for name in ("lab", "bin", "tc"))]
    return all(os.access(p, os.W_OK) for p in parts if p.exists())


def build_folder() -> Path:
    """Where kernels and programs are built: build/ of the sources, or the user's cache folder."""
    path = os.environ.get("WLAB_BUILD")
    if path:
        return Path(os.path.abspath(path))
    return SOURCE_BUILD if can_build_in(SOURCE_BUILD) else user_folder("XDG_CACHE_HOME", ".cache")


def results_folder() -> Path:
    """The default folder of results: build/ when wlab is called in its sources, or the user's data folder."""
    in_sources = Path(os.path.abspath(sys.argv[0])).is_relative_to(ROOT)
    return (
        SOURCE_BUILD
        if in_sources and can_build_in(SOURCE_BUILD)
        else user_folder("XDG_DATA_HOME", ".local/share")
    )


BUILD = build_folder()
RESULTS = results_folder()
LAB = BUILD / "lab"
# Where to look for built kernels; another user's in build/ may be used, too.
LABS = (BUILT / "lab",) if PREBUILT else (LAB, SOURCE_BUILD / "lab")
# Modules and programs. Each installed copy of the sources has its own, since make compares times.
COPIED = BUILD / f"copy-{sha256(bytes(ROOT)).hexdigest()[:12]}" if INSTALLED else BUILD
PRODUCTS = BUILT if PREBUILT else COPIED
BIN = PRODUCTS / "bin"
TC = PRODUCTS / "tc"
CONFIG = WLAB / "lab.config"
PATCHES = WLAB / "patches"
SANITIZE = WLAB / "lab-sanitize.config"
GUEST = WLAB / "guest"
# The sources of a TCP module.
RENO = WLAB / "reno"
# The tracefs instance of a guest that shares the host's kernel.
TRACE_INSTANCE = "wlab"


class LabError(Exception):
    """An error of the user or of a run: its text is printed without a traceback."""


def version() -> str:
    """The version of the sources."""
    found = re.search(r'WLINK_VERSION\s+"(.+)"', (ROOT / "kernel" / "version.h").read_text())
    return found[1] if found else "unknown"


def newest(*paths: Path) -> int:
    """The time of the latest change of these files and of all below these folders."""
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
    """Whether the product is missing or older than its sources."""
    return not product.exists() or newest(*sources) > product.stat().st_mtime_ns
