# SPDX-License-Identifier: GPL-2.0
"""What the guest sides of the measurements share: commands, devices, results.

The same scripts run in the lab kernel and in the VM. A result is a line on the
console, so that an interrupted run leaves what it has found.
"""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

PAYLOAD = Path("/run/payload")
ENV = dict(os.environ)
if PAYLOAD.is_dir():
    ENV["TC_LIB_DIR"] = str(PAYLOAD)
    ENV["PATH"] = f"{PAYLOAD}:{ENV['PATH']}"


def sh(command: str, text: str = "") -> str:
    """Run a command line that must succeed; its output."""
    ran = subprocess.run(
        command,
        shell=True,
        text=True,
        env=ENV,
        input=text,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    if ran.returncode:
        raise SystemExit(f"'{command}' ended with {ran.returncode}: {ran.stdout.strip()}")
    return ran.stdout


def say(kind: str, told: dict[str, Any]) -> None:
    """A result for the host."""
    print(f"RESULT {kind} {json.dumps(told, separators=(',', ':'))}", flush=True)


def begin() -> dict[str, Any]:
    """The module, no packets but those of the measurement; the plan."""
    if PAYLOAD.is_dir():
        sh(f"insmod {PAYLOAD}/sch_wlink.ko; insmod {PAYLOAD}/wlink_3gpp.ko")
    names = ("all", "default")
    sh("sysctl -qw " + " ".join(f"net.ipv6.conf.{name}.disable_ipv6=1" for name in names))
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else PAYLOAD / "plan.json"
    plan: dict[str, Any] = json.loads(path.read_text())
    return plan


def devices(qdiscs: Sequence[tuple[str, str]]) -> None:
    """A dummy device for each (name, words of tc after `qdisc add dev NAME`)."""
    made = [f"link add {name} type dummy\nlink set {name} up" for name, _ in qdiscs]
    sh("ip -batch -", "\n".join(made) + "\n")
    sh("tc -batch -", "".join(f"qdisc add dev {name} {words}\n" for name, words in qdiscs))


def remove(names: Sequence[str]) -> None:
    sh("ip -batch -", "".join(f"link del {name}\n" for name in names))


def idle_s() -> float:
    """Idle time of all processors."""
    with open("/proc/stat", encoding="ascii") as f:
        words = f.readline().split()
    return (int(words[4]) + int(words[5])) / os.sysconf("SC_CLK_TCK")
