# SPDX-License-Identifier: GPL-2.0
"""Inside the lab kernel: what tc and the kernel make of each line of standard input.

A line is `qdisc WORDS`, or `class WORDS` of the link before it. The answer is a line of JSON:
what tc shows of it then, or what it has said.
"""

import json
import re
import subprocess
import sys


def tc(*words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(["tc", *words], capture_output=True, text=True, check=False)


def qdisc(words: list[str]) -> dict[str, str]:
    tc("qdisc", "del", "dev", "d0", "root")
    done = tc("qdisc", "add", "dev", "d0", "root", "handle", "1:", "wlink", *words)
    if done.returncode:
        # For the classes behind it, as `wlinkctl check` has it.
        tc("qdisc", "add", "dev", "d0", "root", "handle", "1:", "wlink", "rate", "1mbit")
        return {"error": done.stderr}
    shown = re.sub(r".* refcnt \d+ ", "", tc("qdisc", "show", "dev", "d0").stdout)
    return {"shown": shown if "seed" in words else re.sub(r"seed \d+ ", "", shown)}


def add_class(words: list[str]) -> dict[str, str]:
    done = tc("class", "add", "dev", "d0", "parent", "1:", "classid", "1:2", "wlink", *words)
    if done.returncode:
        return {"error": done.stderr}
    shown = tc("class", "show", "dev", "d0", "classid", "1:2").stdout
    tc("class", "del", "dev", "d0", "classid", "1:2")
    return {"shown": re.sub(r"class wlink \S+ (root|parent \S+) ", "", shown)}


subprocess.run(["ip", "link", "add", "d0", "type", "dummy"], check=True)
for line in sys.stdin:
    kind, *words = line.split()
    print(json.dumps(qdisc(words) if kind == "qdisc" else add_class(words)), flush=True)
