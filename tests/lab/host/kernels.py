# SPDX-License-Identifier: GPL-2.0
"""The kernel sources of Debian that a lab can be built from."""

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

from lab import OUT, ROOT, Skipped, call, expect

sys.path.insert(0, str(ROOT / "userspace/wlab"))

from wlablib.lab import source  # noqa: E402
from wlablib.lib.paths import PATCHES  # noqa: E402

# Those of Debian's releases, and the newest.
SOURCES = ("linux-source-6.1", "linux-source-6.12", source.NEWEST)
# Its cases do not use each other's results.
APART = True


def patches() -> str:
    """Every folder of patches is for one of the sources at least, and none is for all."""
    names = SOURCES
    for path in PATCHES.rglob("*-*/*.patch"):
        fits = [name for name in names if source.fits(path, name)]
        expect(0 < len(fits) < len(names), f"{path}: {fits}")
    return ", ".join(names)


# It knows mirrors, but reaches none.
APT = """#!/bin/sh
[ "$1" != indextargets ] || exec /usr/bin/apt-get "$@"
echo E: no network >&2
exit 100
"""
REFUSED = """import sys
sys.path.insert(0, "userspace/wlab")
from wlablib.lab import source
source.LABS = (source.LAB,)
print(source.find_tarball())
"""


def refused() -> str:
    """The newest cannot be had: that of the suite is taken, which is said once, with what is lost."""
    installed = sorted(Path("/usr/src").glob("linux-source-*.tar.xz"), key=lambda p: source.numbers(p.name))
    if not installed or source.numbers(installed[-1].name) >= source.numbers(source.NEWEST):
        raise Skipped(f"installed are {[path.name for path in installed]}")
    own = installed[-1]
    folder = OUT / "refused"
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "bin").mkdir(parents=True)
    apt = folder / "bin" / "apt-get"
    apt.write_text(APT)
    apt.chmod(0o755)
    env = {**os.environ, "WLAB_BUILD": str(folder), "WLAB_LINUX": "newest"}
    env["PATH"] = f"{apt.parent}:{os.environ['PATH']}"
    said = [call([sys.executable, "-EsB", "-c", REFUSED], env=env) for _ in range(2)]
    expect([one.stdout for one in said] == [f"{own}\n"] * 2, f"{said}")
    for text in (f"no {source.NEWEST} of {source.SUITE}: E: no network", f"{own.name} instead", "no dualpi2"):
        expect(text in said[0].stderr, f"'{text}' is not in:\n{said[0].stderr}")
    expect(not said[1].stderr, f"said again: {said[1].stderr}")
    return own.name


CASES: dict[str, Callable[[], str]] = {
    "kernels: patches": patches,
    "kernels: the newest cannot be had": refused,
}
