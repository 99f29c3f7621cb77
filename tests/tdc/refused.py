# SPDX-License-Identifier: GPL-2.0
"""The lines of a [refused.NAME] one after the other, by this process.

Each has to be refused with its words, and to leave all qdiscs and classes of the device as
they were: a dump is the same to the byte. What tc shows of them is looked at before the
first line and after the last.
"""

import re
import shlex
import socket
import string
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
import raw  # noqa: E402

DEVICE = "dummy1"
BY_RAW, INTO_OUT = "$RAW ", " 2>$OUT"
SHOW = "cat $OUT; "
BODY = 16

Case = dict[str, Any]


class Failed(Exception):
    """What a command has said."""


def is_raw(case: Case) -> bool:
    """Whether a line's command is raw.py, which this process can be."""
    run, verify = case["cmdUnderTest"], case["verifyCmd"]
    return bool(run.startswith(BY_RAW) and run.endswith(INTO_OUT) and verify.startswith(SHOW))


def dump() -> list[bytes]:
    """All qdiscs and classes of the device, without the ports of who asks."""
    index = socket.if_nametoindex(DEVICE)
    # The kernel dumps those of all devices.
    return [
        message[BODY:]
        for kind, message in raw.dump(DEVICE)
        if kind != raw.NLMSG_DONE and struct.unpack_from("=i", message, BODY + 4)[0] == index
    ]


def play(cases: list[Case], names: dict[str, Any], environment: dict[str, str],
         tell: Callable[[bool, str], None]) -> None:  # fmt: skip
    """Tell of each case whether it passed; the first has the setup of all, the last what undoes it."""

    def shell(command: str) -> str:
        text = string.Template(command).safe_substitute(names, DUMMY=DEVICE)
        done = subprocess.run(text, shell=True, env=environment, capture_output=True, text=True, check=False)
        if done.returncode:
            raise Failed(f"{text}: {done.stderr.strip()}")
        return done.stdout

    try:
        for command in cases[0]["setup"]:
            shell(command)
        show = cases[0]["verifyCmd"].removeprefix(SHOW)
        shown, before = shell(show), dump()
        for case in cases:
            words = shlex.split(case["cmdUnderTest"][len(BY_RAW) : -len(INTO_OUT)].replace("$DUMMY", DEVICE))
            error, said = raw.send(words)
            seen = re.findall(case["matchPattern"], f"{said}\n{shown}", re.DOTALL | re.MULTILINE)
            after = dump()
            ok = bool(error) and len(seen) == int(case["matchCount"]) and after == before
            changed = "" if after == before else "; something of the device is changed"
            tell(ok, f"{case['id']} {case['name']}" + ("" if ok else f"\n       {said or 'taken'}{changed}"))
            before = after
        if (now := shell(show)) != shown:
            tell(False, f"after {cases[-1]['name']}\n       {now}")
        for command in cases[-1]["teardown"]:
            shell(command)
    except (Failed, OSError) as failed:
        tell(False, f"{cases[0]['name']}: {failed}")
