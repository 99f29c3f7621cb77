# SPDX-License-Identifier: GPL-2.0
"""Programs that do not exist: told before anything boots, and nothing else is."""

import os
from functools import partial
from pathlib import Path
from typing import Any

from kit import equals, refused
from wlablib.plan import commands
from wlablib.scenario import scenario
from wlablib.scenario.files import Origin

ON = commands.machine("/usr/sbin:/usr/bin:/sbin:/bin")
SHORT: dict[str, Any] = {"name": "some", "duration": "1s", "radio": {"wlink": "rate 1mbit"}}
LONG: dict[str, Any] = {
    "name": "some",
    "duration": "1s",
    "node": {"ue": {}, "b": {}},
    "link": {"l": {"between": ["ue", "b"]}},
}
# What is first of a line where that is a program for sure.
WORDS: dict[str, str | None] = {
    "sleep 1": "sleep",
    " exec ./x -a": "./x",
    "a;b": "a",
    "a|b": "a",
    "a && b": "a",
    "a&": "a",
    "g++ x": "g++",
    **dict.fromkeys(
        (
            "A=1 b",
            "$a b",
            "'a b'",
            "a>b",
            "a || b",
            "if a; then b; fi",
            "{ a; }",
            "(a)",
            "a() { b; }",
            "! a",
            "cd x",
            "exec -a b c",
            "exec 3<x",
            "~/a",
            "a* b",
            "a\\ b",
            "# a",
        )
    ),
}


def judged(where: Path, run: str, base: dict[str, Any] | None = None, **more: object) -> None:
    program: dict[str, Any] = {"name": "p", "in": "ue", "run": run, "files": ["tool", "text"], **more}
    raw = {**(base or SHORT), "program": [program]}
    commands.check_programs(scenario.read(raw, Origin(where)), ON)


def check_words() -> None:
    """The first word of a simple command, where the shell takes it as it is."""
    for line, wanted in WORDS.items():
        equals(line, commands.first_word(line), wanted)


def check_missing_programs(where: Path) -> None:
    """By name, by path and among the copied files, with a remedy."""
    bad = {
        "slep 1": "program.p.run: 'slep': there is no such program; install it",
        "tool -x": "'tool': the current folder is not in PATH; run ./tool",
        "/usr/bin/slep 1": "'/usr/bin/slep': there is no such program; install it",
        "exec ./tol": "'./tol': there is no such file; name it in program.p.files",
        "./text": "'./text': it cannot be executed: chmod +x",
        "/tmp/tool": "'/tmp/tool': the guest has a folder /tmp of its own",
    }
    good = ("sleep 1", "/bin/sleep 1", "./tool", "/tmp/programs/tool", "true", "../x", "slep 1 || true")
    (where / "tool").touch(0o755)
    (where / "text").touch(0o644)
    for base in (SHORT, LONG):
        for line, said in bad.items():
            refused(said, partial(judged, where, line, base))
            refused(f"the line is: {line}", partial(judged, where, line, base))
        for line in good:
            judged(where, line, base)
    judged(where, "slep", env={"PATH": "/tmp/programs"})


def check_made_by_another() -> None:
    """What another program may make first is not missing."""
    some = [{"name": n, "in": "ue", "run": f"./{n}"} for n in ("a", "b")]
    commands.check_programs(scenario.read({**SHORT, "program": some}, Origin(Path(os.devnull).parent)), ON)
    refused("'slep'", lambda: commands.check_programs(
        scenario.read({**SHORT, "program": [{**some[0], "run": "slep"}, some[1]]}), ON
    ))  # fmt: skip
