# SPDX-License-Identifier: GPL-2.0
"""The words of `tc ... wlink`, which wlinkctl knows: it judges them as tc and the kernel would."""

import json
import subprocess
from functools import lru_cache
from typing import Any

from ..lab import build
from ..lib.paths import LabError
from ..lib.units import note

NOTE = "wlink: note: "
# Words whose values have members of their own behind them.
OWNERS = ("channel", "rev_channel", "aqm")


@lru_cache(maxsize=4096)
def check(lines: tuple[str, ...]) -> list[dict[str, Any]]:
    """Of each line, `qdisc WORDS` or `class WORDS` of the qdisc before it, what wlinkctl(8) says."""
    # Names of profiles are looked up where tc will look in the guest.
    done = subprocess.run(
        [build.wlinkctl(), "--json", "check", "-"],
        input="".join(f"{line}\n" for line in lines),
        cwd="/",
        capture_output=True,
        encoding="utf-8",
        errors="surrogateescape",
        check=False,
    )
    said = done.stderr.splitlines()
    for line in said:
        if line.startswith(NOTE):
            note(line.removeprefix(NOTE))
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    if len(answers) != len(lines):
        raise LabError(f"wlinkctl has judged {len(answers)} of {len(lines)} lines: {' '.join(said)}")
    return answers


def without(args: str, name: str) -> tuple[str, str]:
    """The arguments before and behind a word that has members, without it and without these."""
    parts: tuple[list[str], list[str]] = ([], [])
    seen = 0
    for pair in check((f"qdisc {args}",))[0]["typed"]:
        if name in (pair["word"], pair.get("of")):
            seen = 1
        else:
            parts[seen].append(f"{pair['word']} {pair.get('value', '')}".rstrip())
    return " ".join(parts[0]), " ".join(parts[1])
