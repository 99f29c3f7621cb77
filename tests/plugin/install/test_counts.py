# SPDX-License-Identifier: GPL-2.0
"""What tests/check makes of a part that hangs, or ends badly."""

import sys
import time
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from typing import Any

import pytest
from harness import Checks

CHECK = Path(__file__).resolve().parents[2] / "check"
CASES_PASS = "echo 'passed  a'; echo 'passed  b'; echo 'ok 1 - c'; echo 'skipped d'"


@pytest.fixture
def check(tmp_path: Path) -> Any:
    spec = spec_from_loader("check", SourceFileLoader("check", str(CHECK)))
    assert spec and spec.loader
    # For its dataclass.
    module: Any = sys.modules.setdefault("check", module_from_spec(spec))
    spec.loader.exec_module(module)
    module.LOGS = tmp_path
    return module


def check_survives(checks: Checks, check: Any) -> None:
    """What has passed until then counts, and the part has failed."""
    job = check.Job("hangs", ["sh", "-c", f"{CASES_PASS}; exec sleep 1000"])
    # Its last word may come before the shell has become what it leaves running.
    command = Path(f"/proc/{job.process.pid}/cmdline")
    while "skipped d" not in job.text() or not command.read_bytes().startswith(b"sleep\0"):
        time.sleep(0.01)
    job.end("it hangs")
    while not job.over():
        time.sleep(0.01)
    checks.equal("one that hangs", job.counts(), [3, 1, 1])
    checks.true("what was under way", "\n# under way: sleep 1000" in job.text(), job.text())
    for status, line, wanted in (
        (0, "5 passed, 0 failed, 2 skipped", [5, 0, 2]),
        (1, "5 passed, 3 failed, 0 skipped", [5, 3, 0]),
        (1, "5 passed, 0 failed, 0 skipped", [5, 1, 0]),
        (0, "no count", [3, 1, 1]),
    ):
        job = check.Job("ends", ["sh", "-c", f"{CASES_PASS}; echo '{line}'; exit {status}"])
        while not job.over():
            time.sleep(0.01)
        checks.equal(f"{line}, status {status}", job.counts(), wanted)
