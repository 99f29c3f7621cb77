# SPDX-License-Identifier: GPL-2.0
"""wlinkctl --host with OpenSSH, its server in two namespaces of the lab kernel, and links that are real."""

import json
import shutil
from pathlib import Path
from typing import Any

from lab import HERE, Skipped, expect, wlab

SSHD = "/usr/sbin/sshd"
A, B = "root@10.9.1.1", "root@10.9.2.1"
S, MS = 10**9, 10**6


def done(one: dict[str, Any], status: int = 0) -> str:
    expect(one["status"] == status, f"exit status {one['status']}, not {status}: {one['err']}")
    return str(one["out"])


def check_wlinkctl_host_two_machines_by_openssh() -> str:
    """Both change at one time of CLOCK_TAI, or neither; the answer states their clocks."""
    if not Path(SSHD).exists() or not shutil.which("ssh"):
        raise Skipped("no OpenSSH: userspace/need ssh")
    program = Path(json.loads(wlab("build", "--json").out)["tools"])
    called = wlab("exec", "--", "/usr/bin/python3", f"{HERE}/user/ssh_guest.py", str(program))
    expect(called.status == 0, called.err)
    told: dict[str, Any] = json.loads(called.out)
    shown = json.loads(done(told["shown"]))[0]
    expect((shown["dev"], shown["options"]["rate_bps"]) == ("a0", 10**6), str(shown))
    # What ssh itself sends from there goes through the link.
    expect(shown["xstats"]["sdus_delivered"] > 10, str(shown["xstats"]))
    together = json.loads(done(told["together"]))
    expect([one["host"] for one in together["hosts"]] == [A, B], str(together))
    expect({one["tai_ns"] for one in together["hosts"]} == {together["tai_ns"]}, str(together))
    # A ms before and a ms after.
    expect(told["before"] == [10**6, 10**6], f"before: {told['before']}")
    expect(told["after"] == [2 * 10**6, 3 * 10**6], f"after: {told['after']}")
    # Namespaces have one clock, of which two readings are uncertain.
    expect(0 < together["apart_ns"] < MS, f"apart by {together['apart_ns']} ns")
    expect(not any(one["synchronised"] for one in together["hosts"]), "a clock that nobody disciplines")
    for one in json.loads(done(told["disciplined"]))["hosts"]:
        # It grows by 500 us a second until a time server sets it again.
        expect(one["synchronised"] and 3 * MS <= one["maxerror_ns"] <= 4 * MS, str(one))
    expect("nothing has been changed" in told["refused"]["err"], told["refused"]["err"])
    expect("tti 11s is outside 0..10s" in told["refused"]["err"] and B in told["refused"]["err"], str(told))
    done(told["refused"], 2)
    expect(told["kept"] == told["after"], f"kept: {told['kept']}")
    done(told["status"], 3)
    done(told["nobody"], 255)
    return f"at {together['tai_ns'] / S:.6f} s of CLOCK_TAI, apart by at most {together['apart_ns']} ns"
