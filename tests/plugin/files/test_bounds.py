# SPDX-License-Identifier: GPL-2.0
"""Each number of wlab's command line has bounds, which its message names."""

from pathlib import Path

from harness import Checks
from kit import LAB, arguments, called
from wlablib.cli import options
from wlablib.cli.main import parser

WRONG = ("", "x", "nan", "inf", "-inf", "1e999", "-1e9", "99999999999999999999999", "9" * 5000, "0x10", "1,5")


def check_bounds(checks: Checks, build: Path, tmp_path: Path) -> None:
    sub = next(a for a in parser()._actions if hasattr(a, "choices") and a.choices)
    bare = arguments(lambda a: a.type is int or a.type is float)
    checks.equal("numbers without bounds", bare, set())
    numbers = arguments(lambda a: isinstance(a.type, options.Number))
    checks.true("there are some", len(numbers) >= 13, len(numbers))
    for command, dest in sorted(numbers):
        assert isinstance(sub.choices, dict)
        action = next(a for a in sub.choices[command]._actions if a.dest == dest)
        for text in WRONG:
            words = [LAB, command, f"{action.option_strings[0]}={text}"]
            ended = called(words, tmp_path, build / "bin/wlinkctl")
            name = f"{command} {action.option_strings[0]}={text[:30]}"
            checks.equal(f"{name}: exit code", ended.code, 2)
            told = f"argument {action.option_strings[0]}: " in ended.said and "Traceback" not in ended.said
            checks.true(f"{name}: named", told and len(ended.said) < 4000, ended.said)


def check_last_seed(checks: Checks, build: Path, tmp_path: Path) -> None:
    text = 'name = "x"\nduration = "1s"\n[radio]\nwlink = "rate 1mbit"\n[[flow]]\nname = "f"\nkind = "tcp"\n'
    (tmp_path / "x.toml").write_text(text)
    both: tuple[list[str], ...] = ([], ["--vary", "duration=1s,2s"])
    for more in both:
        words = [LAB, "run", "x.toml", "--seed", str(2**63 - 1), "--runs", "2", "--out", "out", *more]
        ended = called(words, tmp_path, build / "bin/wlinkctl")
        checks.true(f"{more}: refused", ended.refused and "9223372036854775807" in ended.said, ended)
