# SPDX-License-Identifier: GPL-2.0
"""What bash and zsh complete of wlinkctl: commands, words of the table, their values."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

PROGRAM = Path(__file__).resolve().parents[3] / "userspace/spec/completion"
BASH = """. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _wlinkctl
printf '%s\\n' "${COMPREPLY[@]}" """
# What the shell's own compadd picks by the word that is begun, grep picks here.
ZSH = """file=$1; shift; words=("$@"); CURRENT=$#; last=$words[-1]
compadd() { shift; print -l -- "$@" | grep -- "^$last"; }
f() { . "$file"; }; f"""


def completed(shell: str, file: Path, *words: str) -> list[str]:
    script, options = (BASH, ["--norc"]) if shell == "bash" else (ZSH, ["-f"])
    argv = [shell, *options, "-c", script, shell, str(file), *words]
    return subprocess.run(argv, check=True, capture_output=True, text=True).stdout.split()


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def check_shell(build: Path, tmp_path: Path, shell: str) -> None:
    if not shutil.which(shell):
        pytest.skip(f"no {shell} here")
    file = tmp_path / "wlinkctl"
    env = os.environ | {"BUILD": str(build)}
    made = subprocess.run([PROGRAM, shell], check=True, capture_output=True, text=True, env=env)
    file.write_text(made.stdout)
    assert completed(shell, file, "wlinkctl", "sho") == ["show"]
    assert completed(shell, file, "/usr/bin/wlinkctl", "from") == ["from-netem"]
    assert "lo" in completed(shell, file, "wlinkctl", "set", "")
    assert completed(shell, file, "wlinkctl", "set", "lo", "mode", "lte") == ["lte-um", "lte-am"]
    assert completed(shell, file, "wlinkctl", "set", "lo", "preset", "umts-3") == ["umts-384"]
    assert completed(shell, file, "wlinkctl", "set", "lo", "rate", "1mbit", "harq_b") == ["harq_bler"]
    assert set(completed(shell, file, "wlinkctl", "set", "lo", "ecn", "")) == {"on", "off"}
