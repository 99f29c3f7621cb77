# SPDX-License-Identifier: GPL-2.0
"""The build notices a plugin that tc could not load."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from harness import Checks

GOOD = "int addattr_l(void); int wlink_qdisc_util = 1; int f(void) { return addattr_l(); }"
MISSING = "int no_such(void); int wlink_qdisc_util = 1; int f(void) { return no_such(); }"
NOTHING = "int wlink_qdisc = 1;"


def check_symbols(checks: Checks) -> None:
    script = Path(__file__).resolve().parents[3] / "tc-plugin/check-symbols"
    tc = shutil.which("tc", path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")
    if not tc:
        checks.skip("no tc on this machine")
    for name, source, code, piece in (
        ("a good plugin", GOOD, 0, ""),
        ("a plugin with a symbol that tc has not", MISSING, 1, "has no no_such"),
        ("a plugin without its table", NOTHING, 1, "does not export wlink_qdisc_util"),
    ):
        with tempfile.TemporaryDirectory() as folder:
            library = f"{folder}/q.so"
            subprocess.run(
                ["gcc", "-shared", "-fPIC", "-x", "c", "-", "-o", library],
                input=source,
                text=True,
                check=True,
            )
            command = [str(script), library, tc]
            done = subprocess.run(command, text=True, capture_output=True, check=False)
        checks.equal(name, done.returncode, code)
        checks.true(f"{name}: message", piece in done.stderr, done.stderr)
