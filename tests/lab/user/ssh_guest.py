# SPDX-License-Identifier: GPL-2.0
"""Inside the lab kernel: machines that are namespaces, each with OpenSSH's own server; prints JSON.

ssh_guest.py FOLDER_OF_WLINKCTL: what wlinkctl --host makes of a command, of a transaction and of a refusal.
"""

import ctypes
import json
import os
import struct
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

BIN = sys.argv[1]
FOLDER = Path("/tmp/ssh")
BOXES = {"a": "10.9.1.1", "b": "10.9.2.1"}


def must(line: str) -> str:
    return subprocess.run(line, shell=True, check=True, capture_output=True, text=True).stdout


def server(name: str) -> None:
    """With a link, and wlinkctl in its PATH."""
    config = FOLDER / f"sshd-{name}"
    config.write_text(
        f"ListenAddress {BOXES[name]}\nHostKey {FOLDER}/host\nAuthorizedKeysFile {FOLDER}/key.pub\n"
        f"PidFile none\nUsePAM no\nStrictModes no\nPermitRootLogin yes\n"
        f"SetEnv PATH={BIN}:/usr/sbin:/usr/bin\n"
    )
    must(f"ip netns exec {name} /usr/sbin/sshd -f {config} -E {FOLDER}/log-{name}")
    must(f"ip netns exec {name} tc qdisc add dev {name}0 root handle 1: wlink rate 1mbit seed 1")


def set_up() -> None:
    FOLDER.mkdir()
    Path("/run/sshd").mkdir(mode=0o755, exist_ok=True)
    # What the user's shell reads at home is not for here.
    must(f"mkdir {FOLDER}/home && mount --bind {FOLDER}/home /root")
    # An ordinary user of the machine cannot read its own, and root's account may be locked there.
    (FOLDER / "shadow").write_text("root:*:1::::::\n")
    must(f"mount --bind {FOLDER}/shadow /etc/shadow")
    for key in ("host", "key"):
        must(f"ssh-keygen -q -t ed25519 -N '' -f {FOLDER}/{key}")
    for name, address in BOXES.items():
        must(f"ip netns add {name} && ip link add {name}0 netns {name} type veth peer name {name}1")
        # The client's end has no link.
        must(f"ip addr add {address}00/24 dev {name}1 && ip link set {name}1 up")
        must(f"ip -n {name} addr add {address}/24 dev {name}0 && ip -n {name} link set {name}0 up")
        server(name)
    # ssh itself, with a key and without the files of the user.
    ssh = FOLDER / "bin/ssh"
    ssh.parent.mkdir()
    ssh.write_text(
        f'#!/bin/sh\nexec /usr/bin/ssh -F none -i {FOLDER}/key -o StrictHostKeyChecking=no'
        f' -o UserKnownHostsFile={FOLDER}/known -o LogLevel=ERROR "$@"\n'
    )
    ssh.chmod(0o755)


def ctl(*words: str) -> dict[str, Any]:
    environ = {**os.environ, "PATH": f"{FOLDER}/bin:{os.environ['PATH']}"}
    done = subprocess.run(
        [f"{BIN}/wlinkctl", *words], env=environ, capture_output=True, text=True, check=False
    )
    return {"status": done.returncode, "out": done.stdout, "err": done.stderr}


def rate(name: str) -> int:
    """That is in force."""
    found = json.loads(must(f"ip netns exec {name} tc -s -j qdisc show dev {name}0 root"))
    return int(found[0]["xstats"]["rate_bps"])


def discipline(maxerror_us: int, esterror_us: int) -> None:
    """Say of this kernel's clock that it is synchronised: struct timex of adjtimex(2)."""
    timex = bytearray(208)
    struct.pack_into("=i20xqqi", timex, 0, 0x4 | 0x8 | 0x10, maxerror_us, esterror_us, 0)
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.adjtimex((ctypes.c_char * len(timex)).from_buffer(timex)) < 0:
        raise OSError(ctypes.get_errno(), "adjtimex")


def rates_at(tai_ns: int) -> list[int]:
    """Of both, at a time."""
    time.sleep((tai_ns - time.clock_gettime_ns(time.CLOCK_TAI)) / 1e9)
    return [rate(name) for name in BOXES]


def main() -> None:
    set_up()
    hosts = {name: f"root@{address}" for name, address in BOXES.items()}
    found: dict[str, Any] = {"shown": ctl("--json", "--host", hosts["a"], "show", "a0")}
    # One transaction, with a time that is some seconds ahead.
    set_a, set_b = (["--host", hosts[name], "set", f"{name}0"] for name in BOXES)
    together = [*set_a, "rate", "2mbit", *set_b, "rate", "3mbit"]
    found["together"] = ctl("--json", *together, "at", "+4s")
    at_ns = json.loads(found["together"]["out"])["tai_ns"]
    found["before"], found["after"] = rates_at(at_ns - 10**6), rates_at(at_ns + 10**6)
    # As a time server that disciplines the clock leaves it: at most 3 ms off, probably 50 us.
    discipline(3000, 50)
    found["disciplined"] = ctl("--json", *together, "at", "+4s")
    time.sleep(5)
    found["refused"] = ctl(*set_a, "rate", "7mbit", *set_b, "tti", "11s", "at", "+4s")
    time.sleep(6)
    found["kept"] = [rate(name) for name in BOXES]
    found["nobody"] = ctl("--host", "root@10.8.0.3", "show")
    found["status"] = ctl("--host", hosts["b"], "show", "nothing")
    print(json.dumps(found))


main()
