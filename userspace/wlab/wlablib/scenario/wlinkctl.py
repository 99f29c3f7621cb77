# SPDX-License-Identifier: GPL-2.0
"""Arguments of `tc ... wlink`, checked by `wlinkctl check` as tc and the kernel would."""

import json
import subprocess
from functools import lru_cache
from typing import Any

from ..lab import build
from ..lib.paths import LabError
from ..lib.units import note

NOTE = "wlink: note: "
# Words whose values are followed by members of their own.
OWNERS = ("channel", "rev_channel", "aqm")


@lru_cache(maxsize=4096)
def check(lines: tuple[str, ...]) -> list[dict[str, Any]]:
    """The JSON of wlinkctl(8) for each line, `qdisc WORDS` or `class WORDS` of the qdisc before it."""
    # From /, since tc in the guest looks up profiles from there.
    argv, text = [str(build.wlinkctl()), "--json", "check", "-"], "".join(f"{line}\n" for line in lines)
    words: dict[str, Any] = {"encoding": "utf-8", "errors": "surrogateescape", "cwd": "/"}
    done = subprocess.run(argv, input=text, capture_output=True, check=False, **words)
    messages = done.stderr.splitlines()
    for line in messages:
        if line.startswith(NOTE):
            note(line.removeprefix(NOTE))
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    if len(answers) != len(lines):
        raise LabError(f"wlinkctl has checked {len(answers)} of {len(lines)} lines: {' '.join(messages)}")
    return answers


def preset(*words: str) -> str:
    """What `wlinkctl preset` prints."""
    command = [str(build.wlinkctl()), *words]
    return str(subprocess.run(command, capture_output=True, check=True, cwd="/", text=True).stdout)


@lru_cache(maxsize=1)
def listed() -> dict[str, bool]:
    """Names of presets, and whether they are the user's own."""
    return {one["name"]: "file" in one for one in json.loads(preset("--json", "preset", "list"))}


def without(args: str, name: str) -> tuple[str, str]:
    """Split the arguments at a word that has members, leaving out the word and its members."""
    parts: tuple[list[str], list[str]] = ([], [])
    seen = 0
    for pair in check((f"qdisc {args}",))[0]["typed"]:
        if name in (pair["word"], pair.get("of")):
            seen = 1
        else:
            parts[seen].append(f"{pair['word']} {pair.get('value', '')}".rstrip())
    return " ".join(parts[0]), " ".join(parts[1])


def of_preset(preset: str) -> tuple[str, str]:
    """The words of both directions; a preset may have an uplink of its own."""
    uplink = f"{preset}-up"
    return f"preset {preset}", f"preset {uplink if uplink in listed() else preset}"
