# SPDX-License-Identifier: GPL-2.0
"""The command line of wlab, and README's commands as printed."""

import argparse
import contextlib
import io
import re
import shlex
from collections.abc import Iterator

from kit import equals, expect
from wlablib.cli import main, sweep
from wlablib.lib.paths import ROOT
from wlablib.scenario.wlinkctl import check

# They run another program, whose output it is; a schema is JSON.
WITHOUT_JSON = {"exec", "shell", "vm", "job", "schema"}
# Programs of Debian, and those whose arguments are checked below.
OTHERS = {"pip", "apt-get", "modprobe", "printf", "userspace/need"}
WLAB = ("userspace/wlab/wlab", "$wlab", "wlab")
MANUALS = ROOT / "Documentation" / "man"


def subcommands() -> dict[str, argparse.ArgumentParser]:
    found = [a for a in main.parser()._actions if isinstance(a, argparse._SubParsersAction)]
    return dict(found[0].choices)


def check_command_line_json_everywhere() -> str:
    known = subcommands()
    without = {name for name, p in known.items() if "--json" not in p.format_help()}
    equals("commands without --json", without - WITHOUT_JSON, set())
    return f"{len(known) - len(without)} commands"


def check_command_line_in_the_manuals() -> str:
    """The synopsis of a manual page has each command with its options."""
    parts: dict[str, str] = {}
    for page in MANUALS.glob("wlab*"):
        for part in re.split(r"^\.Nm", page.read_text(), flags=re.M):
            if found := re.match(r"( wlab)?\s*\.?Cm ([a-z-]+)", part):
                parts[found[2]] = parts.get(found[2], "") + part.partition(".Sh DESCRIPTION")[0]
    for name, p in subcommands().items():
        options = set(re.findall(r"(?<![\w-])--([a-z-]+)", p.format_help())) - {"help"}
        known = set(re.findall(r"(?:Fl|\|) -([a-z-]+)", parts.get(name, "")))
        expect(name == "job" or not options - known, f"no manual has of {name}: {options - known}")
    return f"{len(parts)} commands"


def readme() -> Iterator[list[str]]:
    """The words of each command of README, without sudo, comments, redirections and Python."""
    text = (ROOT / "README.md").read_text().replace("\\\n", " ")
    text = text[: text.index("## Map")]
    for line in re.findall(r"^    ((?!>>>)\S.*)$", text, re.M):
        for part in line.split("#")[0].split("&&"):
            words = shlex.split(part.partition(">")[0])
            yield words[words[:1] == ["sudo"] :]


def parsed(words: list[str]) -> None:
    errors = io.StringIO()
    try:
        with contextlib.redirect_stderr(errors):
            sweep.parse(main.parser(), words)
    except SystemExit as e:
        expect(e.code == 0, f"wlab {shlex.join(words)}: {errors.getvalue()}")


def wlink_words(words: list[str]) -> str:
    """What `wlinkctl check` is to judge of a line of tc."""
    return f"{words[1]} {shlex.join(words[words.index('wlink') + 1 :])}"


def check_readme_commands() -> str:
    """README's commands parse, and what they name exists."""
    targets = set(re.findall(r"[a-z][a-z-]*(?=[a-z -]*:)", (ROOT / "Makefile").read_text()))
    wlinkctl = "".join(path.read_text() for path in MANUALS.glob("wlinkctl*"))
    lines, judged = list(readme()), []
    for words in lines:
        program, *rest = words
        for word in rest:
            inside = word.startswith(("userspace/", "Documentation/"))
            expect(not inside or (ROOT / word).exists(), f"README names {word}")
        if program in WLAB:
            parsed(rest)
        elif program == "make":
            expect(set(rest) <= targets, f"make has no {' '.join(rest)}")
        elif program == "tc" and "wlink" in rest:
            judged.append(wlink_words(words))
        elif program == "wlinkctl":
            rest = rest[2:] if rest[0] == "--host" else rest
            expect(bool(re.search(rf"\b{rest[0]}\b", wlinkctl)), f"wlinkctl has no {rest[0]}")
        else:
            expect(program in OTHERS | {"tc", "bpftrace"} or "=" in program, f"README types {program}")
    for line in judged:
        # A class is judged beside its qdisc.
        answers = check((line,) if line.startswith("qdisc") else ("qdisc preset umts-384", line))
        expect("error" not in answers[-1], f"{line}: {answers[-1]}")
    expect(len(lines) > 30 and len(judged) > 3, f"{len(lines)} lines, {len(judged)} for tc")
    return f"{len(lines)} commands"
