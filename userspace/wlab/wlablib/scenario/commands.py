# SPDX-License-Identifier: GPL-2.0
"""Commands of a scenario that name a program which the guest will not have.

Only the first word of a line is judged, and only where it can be nothing but a program: what comes
before a later word may have made it, and sh(1) may expand or define the others.
"""

import os
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass

from ..lib.paths import LabError
from .files import RUNS, within
from .scenario import Program, Scenario

# Where programs start, and folders of which the guest has its own; guest/process/program.c.
SCRATCH = "/tmp/programs"
OWN = ("/tmp", "/run")
# No program, or something that sh(1) takes first; also words that begin or end something.
NOT_JUDGED = frozenset(
    "! . : [ { } alias bg break builtin case cd chdir command continue do done echo elif else esac eval"
    " exec exit export false fc fg fi for function getopts hash if in jobs kill let local printf pwd read"
    " readonly return set shift source test then time times trap true type typeset ulimit umask unalias"
    " unset until wait while".split()
)
# A word that means itself, with what ends it; names of variables end it, too.
PLAIN = re.compile(r"\s*(?:exec\s+)?([\w./+:@%,-]+)(?=[\s;|&]|$)")


def first_word(line: str) -> str | None:
    """The program that a line starts first, None where that is not sure or may be missing."""
    found = PLAIN.match(line)
    if not found or found[1] in NOT_JUDGED or found[1].startswith("-") or "||" in line:
        return None
    return found[1]


def in_scratch(said: str) -> str | None:
    """The name, below the folder where programs start, of a path that leads there."""
    path = os.path.normpath(os.path.join(SCRATCH, said))
    return path.removeprefix(f"{SCRATCH}/") if path.startswith(f"{SCRATCH}/") else None


@dataclass(frozen=True)
class Machine:
    """Where programs run: whether it has one of a name or a path; what to do where it has not."""

    has: Callable[[str], bool]
    remedy: str = "install it"


def machine(path: str) -> Machine:
    """This one; path is where the guest looks for programs."""
    return Machine(lambda said: shutil.which(said, path=path) is not None)


def wrong_file(sc: Scenario, program: Program, said: str, on: Machine) -> str | None:
    """What is wrong with a path to a program, None where it is there or somebody may make it."""
    name = in_scratch(said)
    if name is None:
        if not said.startswith("/"):
            return None
        own = next((one for one in OWN if within(said, one)), None)
        if own is None:
            return None if on.has(said) else f"there is no such program; {on.remedy}"
        if len(sc.programs) > 1:
            return None
        return f"the guest has a folder {own} of its own; name the file in 'files', and run it as ./NAME"
    copy = next((one for one in sc.inputs if one.name == name), None)
    if copy is not None and any(name in one.files for one in sc.programs):
        return None if copy.digest.endswith(RUNS) else f"it cannot be executed: chmod +x {copy.path}"
    # Another program may make it first.
    return None if len(sc.programs) > 1 else f"there is no such file; name it in program.{program.name}.files"


def wrong_program(sc: Scenario, program: Program, on: Machine) -> str | None:
    """What is wrong with the first word of a program's line, and what to do."""
    word = first_word(program.run)
    if word is None:
        return None
    if "/" in word:
        wrong = wrong_file(sc, program, word, on)
    elif "PATH" in program.env or on.has(word):
        return None
    elif word in program.files:
        wrong = f"programs are not looked for where they start; run ./{word}"
    else:
        wrong = f"there is no such program; {on.remedy}, or give your own in 'files' and run ./NAME"
    return wrong and f"'{word}': {wrong}"


def judge(sc: Scenario, on: Machine) -> None:
    """A LabError where a program does not exist."""
    for program in sc.programs:
        if wrong := wrong_program(sc, program, on):
            raise LabError(f"{sc.name}: program.{program.name}.run: {wrong}; the line is: {program.run}")
