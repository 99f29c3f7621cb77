# SPDX-License-Identifier: GPL-2.0
"""Builds a wheel that contains the sources, which pyproject.toml cannot express.

wlab builds its module, plugin and programs from the sources, so a wheel has a copy of them in
wlablib/sources; see wlablib/lib/paths.py. What is built already, in the folder that WLINK_BUILT
names (userspace/wheel), goes along in wlablib/built, and the library as the package wlink. It must be
built in the tree: an sdist would have this folder only.
"""

import os
import re
import shutil
import tempfile
from pathlib import Path

# Debian's setuptools has no types.
# mypy: disable-error-code="import, misc"
from setuptools import setup
from setuptools.command.build_py import build_py

HERE = Path(__file__).resolve().parent
TOP = HERE.parent.parent
FILES = ("Kbuild", "Makefile", "COPYING")
FOLDERS = ("kernel", "tc-plugin", "userspace", "tests/kunit")
# Modules of Python are installed as such, not among the sources.
NOT = shutil.ignore_patterns("wlablib", "wlab.py", "setup.py", "pyproject.toml", "__pycache__", "*.egg-info")


class BuildWithSources(build_py):
    """Adds the sources, and the module wlab as a package, since only packages can be marked as typed."""

    def run(self) -> None:
        super().run()
        made = Path(self.build_lib)
        to = made / "wlablib" / "sources"
        for folder in FOLDERS:
            shutil.copytree(TOP / folder, to / folder, ignore=NOT)
        for file in FILES:
            shutil.copy(TOP / file, to)
        if built := os.environ.get("WLINK_BUILT"):
            shutil.copytree(built, made / "wlablib" / "built", ignore=shutil.ignore_patterns("wlink"))
            shutil.copytree(Path(built) / "wlink", made / "wlink")
            (made / "wlink" / "wlink.py").rename(made / "wlink" / "__init__.py")
        (made / "wlab").mkdir()
        shutil.copy(HERE / "wlab.py", made / "wlab" / "__init__.py")
        for package in ("wlab", "wlablib"):
            (made / package / "py.typed").touch()


found = re.search(r'WLINK_VERSION\s+"(.+)"', (TOP / "kernel" / "version.h").read_text())
# A temporary build folder: nothing is left in the tree, and nothing of an earlier build is used.
with tempfile.TemporaryDirectory() as work:
    setup(
        version=found[1] if found else "0",
        cmdclass={"build_py": BuildWithSources},
        options={"build": {"build_base": work}, "egg_info": {"egg_base": work}},
    )
