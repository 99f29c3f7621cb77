# SPDX-License-Identifier: GPL-2.0
"""The programs which a scenario's commands start: their files, and checks that they exist in the guest.

Only the first word of a line is checked, and only where it must be a program: an earlier command
may create a later one, and sh(1) may expand or define other words.
"""

import os
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass

from ..lib.paths import LabError
from ..scenario.files import EXECUTABLE, within
from ..scenario.scenario import Program, Scenario

# The folder where programs start, and folders that the guest has to itself (guest/process/program.c).
SCRATCH = "/tmp/programs"
OWN = ("/tmp", "/run")
# Builtins and keywords of sh(1), which hide programs of these names.
SHELL_WORDS = frozenset(
    "! . : [ { } alias bg break builtin case cd chdir command continue do done echo elif else esac eval"
    " exec exit export false fc fg fi for function getopts hash if in jobs kill let local printf pwd read"
    " readonly return set shift source test then time times trap true type typeset ulimit umask unalias"
    " unset until wait while".split()
)
# A word without expansion, and what ends it.
PLAIN = re.compile(r"\s*(?:exec\s+)?([\w./+:@%,-]+)(?=[\s;|&]|$)")

# Where a shell may read the name of a program, outside quotes; what is none has no file.
QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
COMMAND = re.compile(
    r"(?:^|[;|&({`\n])\s*(?:(?:\w+=\S*|!|do|else|env|exec|if|then|time|until|while)\s+)*([\w./+-]+)"
)

# A command of the lab's own, which no shell needs to read.
OURS = re.compile(r"(?:tc|wlinkctl)(?: (?!--host)[\w./:@%,+-]+)*")


def has_own(sc: Scenario) -> bool:
    """Whether a scenario runs programs or modules of the user's, not only tc and wlinkctl."""
    return bool(sc.programs or sc.proxies or sc.controls) or not all(OURS.fullmatch(at.run) for at in sc.ats)


def first_word(line: str) -> str | None:
    """The program that a line starts first; None where that is uncertain or its failure is handled."""
    found = PLAIN.match(line)
    if not found or found[1] in SHELL_WORDS or found[1].startswith("-") or "||" in line:
        return None
    return found[1]


def in_scratch(program_path: str) -> str | None:
    """The name below the folder where programs start, None for a path elsewhere."""
    path = os.path.normpath(os.path.join(SCRATCH, program_path))
    return path.removeprefix(f"{SCRATCH}/") if path.startswith(f"{SCRATCH}/") else None


@dataclass(frozen=True)
class Machine:
    """The machine where programs run: whether it has a program of this name or path, what to do if not."""

    has: Callable[[str], bool]
    remedy: str = "install it"
    # The file of a program, on this machine.
    file: Callable[[str], str | None] = lambda program: None


def machine(path: str) -> Machine:
    """This machine; path is the guest's PATH."""

    def file(program: str) -> str | None:
        return shutil.which(program, path=path)

    return Machine(lambda program: file(program) is not None, file=file)


def program_files(sc: Scenario, on: Machine) -> dict[str, str]:
    """The files of the machine's programs that a scenario's programs name, by name."""
    lines = [QUOTED.sub("''", program.run) for program in sc.programs]
    names = {name for line in lines for name in ("sh", *COMMAND.findall(line))}
    found = {name: on.file(name) for name in sorted(names - SHELL_WORDS)}
    return {name: path for name, path in found.items() if path}


def wrong_file(sc: Scenario, program: Program, program_path: str, on: Machine) -> str | None:
    """The fault of a path to a program; None where it exists or another program may create it."""
    name = in_scratch(program_path)
    if name is None:
        if not program_path.startswith("/"):
            return None
        private = next((entry for entry in OWN if within(program_path, entry)), None)
        if private is None:
            return None if on.has(program_path) else f"there is no such program; {on.remedy}"
        if len(sc.programs) > 1:
            return None
        return f"the guest has a folder {private} of its own; name the file in 'files', and run it as ./NAME"
    copy = next((entry for entry in sc.inputs if entry.name == name), None)
    if copy is not None and any(name in entry.files for entry in sc.programs):
        return None if copy.digest.endswith(EXECUTABLE) else f"it cannot be executed: chmod +x {copy.path}"
    # Another program may make it first.
    return None if len(sc.programs) > 1 else f"there is no such file; name it in program.{program.name}.files"


def wrong_program(sc: Scenario, program: Program, on: Machine) -> str | None:
    """The fault of the first word of a program's command, with a remedy."""
    word = first_word(program.run)
    if word is None:
        return None
    if "/" in word:
        wrong = wrong_file(sc, program, word, on)
    elif "PATH" in program.env or on.has(word):
        return None
    elif word in program.files:
        wrong = f"the current folder is not in PATH; run ./{word}"
    else:
        wrong = f"there is no such program; {on.remedy}, or name a file in 'files' and run ./NAME"
    return wrong and f"'{word}': {wrong}"


def check_programs(sc: Scenario, on: Machine) -> None:
    """Raise a LabError for a command whose program does not exist."""
    for program in sc.programs:
        if wrong := wrong_program(sc, program, on):
            raise LabError(f"{sc.name}: program.{program.name}.run: {wrong}; the line is: {program.run}")
