# SPDX-License-Identifier: GPL-2.0
"""The VM's disk where a user has no namespaces: by sudo, or refused before anything is fetched."""

import os
import subprocess
from pathlib import Path

import pytest
from harness import Checks

IMAGE = Path(__file__).resolve().parents[3] / "userspace/wlab/vm/image"
STUBS = {
    "id": "echo 1000",
    "unshare": "exit 1",
    "apt-get": "echo Debian main http://x.test suite",
    "apt-cache": "",
    "mmdebstrap": "exit 1",
    "chown": "",
}
SUDO = 'echo "$2" >>"$CALLS"; shift; exec "$@"'


@pytest.mark.parametrize(("sudo", "calls"), [("exit 1", ""), (SUDO, "true\nmmdebstrap\nchown\n")])
def check_image(checks: Checks, tmp_path: Path, sudo: str, calls: str) -> None:
    for name, body in {**STUBS, "sudo": sudo}.items():
        (tmp_path / name).write_text(f"#!/bin/bash\n{body}\n")
        (tmp_path / name).chmod(0o755)
    log = tmp_path / "calls"
    log.touch()
    build = tmp_path / "build"
    path = f"{tmp_path}:{os.environ['PATH']}"
    env = {"PATH": path, "WLAB_BUILD": str(build), "CALLS": str(log)}
    done = subprocess.run([IMAGE, "rt"], env=env, capture_output=True, text=True, check=False)
    checks.equal("status", done.returncode, 1)
    checks.equal("by sudo", log.read_text(), calls)
    said = "needs root, sudo without a password or user namespaces" in done.stderr
    checks.equal("refused", said, not calls)
    checks.equal("nothing fetched", build.exists(), bool(calls))
