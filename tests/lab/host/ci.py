# SPDX-License-Identifier: GPL-2.0
"""Documentation/howto/ci.md as it stands: its files, and its steps in a container of Docker's defaults."""

import os
import re
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path

from lab import OUT, ROOT, USER, Called, as_user, call, container_program, expect
from wheel import wheel

PAGE = ROOT / "Documentation" / "howto" / "ci.md"
WORKFLOW, CONTAINER = "lte.yml", "Containerfile"


def blocks() -> dict[str, str]:
    """The page's files by name."""
    found = dict(re.findall(r"^```\w+ (\S+)\n(.*?)^```$", PAGE.read_text(), re.M | re.S))
    expect({WORKFLOW, CONTAINER} < set(found), f"the page has {sorted(found)}")
    return found


def steps(name: str) -> list[str]:
    """Of a workflow or a container file the commands, in their order."""
    found = re.findall(r"^(?: *- run:|RUN|CMD) (.+)$", blocks()[name], re.M)
    expect(len(found) == 2, f"{name} has the steps {found}")
    return found


def folder(name: str, changes: dict[str, str]) -> Path:
    """A copy of the repository that the page is for, with the wheel and an environment of Python."""
    at = OUT / "ci" / name
    shutil.rmtree(at, ignore_errors=True)
    at.mkdir(parents=True)
    copied = re.search(r"^COPY (.+) \./$", blocks()[CONTAINER], re.M)
    expect(copied is not None, f"{CONTAINER} copies nothing")
    assert copied
    for file in copied[1].split():
        if file == "wlink-*.whl":
            shutil.copy(wheel(), at)
            continue
        text = blocks()[file]
        for old, new in changes.items():
            text = text.replace(old, new)
        (at / file).write_text(text)
    venv = ["/usr/bin/python3", "-m", "venv", "--system-site-packages", "--without-pip", str(at / "venv")]
    done = call(venv)
    expect(done.returncode == 0, done.stderr)
    pip = at / "venv" / "bin" / "pip"
    pip.write_text(f'#!/bin/sh\nexec "{at}/venv/bin/python3" -m pip "$@"\n')
    pip.chmod(0o755)
    return at


def go(name: str, of: str, changes: dict[str, str], become: tuple[str, ...] = ()) -> Called:
    """Do the steps until one fails, as a runner does."""
    at = folder(name, changes)
    if become:
        for path in (at, *at.rglob("*")):
            os.chown(path, USER, USER, follow_symlinks=False)
    env = {"PATH": f"{at}/venv/bin:/usr/bin:/bin", "HOME": str(at), "PIP_NO_INDEX": "1"}
    for step in steps(of):
        done = call([str(container_program()), "container", *become, "sh", "-ec", step], cwd=at, env=env)
        if done.returncode:
            break
    return Called(done.returncode, done.stdout, done.stderr)


def passes(of: str) -> str:
    done = go("passes", of, {})
    expect(done.status == 0, f"{of}: {done.out}{done.err}")
    return steps(of)[-1]


def check_an_ordinary_user() -> str:
    done = go("user", WORKFLOW, {}, tuple(as_user()))
    expect(done.status == 0, f"as a user: {done.out}{done.err}")
    return f"as user {USER}"


def check_a_bound_that_is_exceeded() -> str:
    """The same steps, for a service that answers with three times as much."""
    done = go("fails", WORKFLOW, {"head -c 20000 ": "head -c 60000 "})
    expect(done.status == 1, f"{done.status}: {done.out}{done.err}")
    last = done.err.splitlines()[-1]
    expect("of the requests take up to" in last, done.err)
    return last


def check_its_length() -> str:
    """Ten lines are what the page promises."""
    lines = blocks()[WORKFLOW].splitlines()
    expect(len(lines) == 10, f"the workflow has {len(lines)} lines")
    return f"{len(lines)} lines"


CASES: dict[str, Callable[[], str]] = {
    "the workflow": partial(passes, WORKFLOW),
    "the container file": partial(passes, CONTAINER),
}
