# SPDX-License-Identifier: GPL-2.0
"""Commands that are programs of their own: where wlinkctl finds them and what it gives them."""

import shutil
import subprocess
from pathlib import Path

import pytest
from harness import Checks

CTL = Path(__file__).resolve().parents[3] / "userspace/wlinkctl"
SAY = """#!/bin/sh
echo "%s:" "$@" "${WLINKCTL##*/bin/}"
exit 7
"""


@pytest.fixture
def prefix(tmp_path: Path, build: Path) -> Path:
    """A PREFIX with wlinkctl and some programs."""
    for folder, names in (("bin", ("beside", "both")), ("libexec/wlink", ("libexec", "both"))):
        (tmp_path / folder).mkdir(parents=True)
        for name in names:
            (tmp_path / folder / f"wlinkctl-{name}").write_text(SAY % folder)
    (tmp_path / "bin/wlinkctl-lost").write_text("#!/no/such/python3\n")
    for program in tmp_path.rglob("wlinkctl-*"):
        program.chmod(0o755)
    (tmp_path / "bin/wlinkctl-plain").write_text(SAY)
    shutil.copy(build / "tests/plugin/wlinkctl", tmp_path / "bin")
    return tmp_path


def run(prefix: Path, words: str, text: str = "") -> tuple[int, str, str]:
    argv = [str(prefix / "bin/wlinkctl"), *words.split()]
    done = subprocess.run(argv, input=text, text=True, capture_output=True, check=False)
    return done.returncode, done.stdout, done.stderr


def check_found(checks: Checks, prefix: Path) -> None:
    for words, code, said in (
        ("beside a --b c", 7, "bin: a --b c wlinkctl"),
        ("libexec", 7, "libexec/wlink: wlinkctl"),
        ("both", 7, "bin: wlinkctl"),
        ("beside a --json b", 7, "bin: --json a b wlinkctl"),
    ):
        checks.equal(words, run(prefix, words), (code, said + "\n", ""))
    for words, error in (
        ("nowhere", 'unknown command "nowhere"; try wlinkctl help'),
        ("plain", 'unknown command "plain"; try wlinkctl help'),
        ("../bin/wlinkctl-beside", 'unknown command "../bin/wlinkctl-beside"; try wlinkctl help'),
        ("lost", f"{prefix}/bin/wlinkctl-lost needs python3; type: apt-get install python3"),
    ):
        checks.equal(words, run(prefix, words), (1, "", f"wlinkctl: {error}\n"))


def check_batch(checks: Checks, prefix: Path) -> None:
    """It goes on after a program, and its exit code is that of the first that failed."""
    said = "wlinkctl test\nbin: x wlinkctl\nwlinkctl test\n"
    lines = "version\nbeside x\nversion\nlost\n"
    errors = [
        "wlinkctl: line 2 failed",
        f"wlinkctl: {prefix}/bin/wlinkctl-lost needs python3; type: apt-get install python3",
        "wlinkctl: line 4 failed",
    ]
    code, out, err = run(prefix, "batch --force -", lines)
    checks.equal("all of it", (code, out, err.splitlines()), (7, said, errors))


def check_pack(checks: Checks, tmp_path: Path) -> None:
    """A program is one file that needs nothing of the sources, and two packs of them are equal."""
    package = tmp_path / "wlablib"
    for name, text in (
        ("__init__", ""),
        ("lib/__init__", ""),
        ("lib/beside", "import sys\ndef end(run): sys.exit(run(sys.argv[1:]))"),
        ("say/__init__", ""),
        ("say/command", "def main(argv):\n print(argv)\n return 5"),
    ):
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / f"{name}.py").write_text(text)
    packs = [tmp_path / "one", tmp_path / "two"]
    for pack in packs:
        subprocess.run([CTL / "pack", "say", package, pack], check=True)
        (package / "lib/__init__.py").touch()
    checks.equal("bytes", packs[0].read_bytes(), packs[1].read_bytes())
    shutil.rmtree(package)
    done = subprocess.run([packs[0], "a"], text=True, capture_output=True, check=False)
    checks.equal("what it says", (done.returncode, done.stdout, done.stderr), (5, "['a']\n", ""))


def check_missing(checks: Checks, prefix: Path) -> None:
    """One that make install would have brought."""
    error = "wlinkctl: trace is the program wlinkctl-trace, not installed here; type: make install\n"
    checks.equal("trace", run(prefix, "trace check x"), (1, "", error))
