# SPDX-License-Identifier: GPL-2.0
"""Machines that cannot run the lab: said in words, before anything is built."""

import json
import os
import shlex
from collections.abc import Callable
from pathlib import Path

from lab import OUT, WLAB, Skipped, as_user, call, container_program, expect, wlab

EXEC = [str(WLAB), "exec", "--", "true"]


def doctor() -> str:
    """Here all is well, or the other cases could not run."""
    found = {one["check"]: one for one in json.loads(wlab("doctor", "--json").out)}
    wanted = {"processor", "fence", "ptrace", "memory", "space", "packages"}
    expect(wanted <= set(found), f"it looks at {sorted(found)}")
    expect(not any(one["verdict"] == "fail" for one in found.values()), str(found))
    return ", ".join(sorted(found))


def refused(argv: list[str], text: str, **options: object) -> None:
    """The command fails with this text and no trace of Python, and wlab doctor says the same."""
    done = call(argv, **options)
    expect(done.returncode == 1 and text in done.stderr, f"'{text}' is not in:\n{done.stderr}{done.stdout}")
    expect("Traceback" not in done.stderr, done.stderr)
    asked = call([*argv[: -len(EXEC)], str(WLAB), "doctor"], **options)
    expect(asked.returncode == 1 and text in asked.stdout, f"doctor: {asked.stdout}{asked.stderr}")


def processor() -> str:
    refused(["setarch", "i686", *EXEC], "User Mode Linux is for x86-64 only, this machine is i686")
    return "i686 is refused"


def ptrace() -> str:
    refused([str(container_program()), "traceless", *EXEC], "ptrace: refused: Operation not permitted")
    return "a filter that refuses ptrace"


def memory() -> str:
    refused(["prlimit", "--as=1073741824", *EXEC], "memory: a process may have 1.07 GB of addresses")
    return "1 GB of addresses"


def build_folder() -> str:
    """A build folder on a disk that is full, or without programs, or another's."""
    folder = OUT / "folder"
    folder.mkdir(parents=True, exist_ok=True)
    env = os.environ | {"WLAB_BUILD": str(folder)}
    if call(["unshare", "-rm", "true"]).returncode:
        raise Skipped("no namespaces to mount a small disk in")
    words = " ".join(map(shlex.quote, EXEC))
    for option, text in (("noexec", "(noexec)"), ("size=1m", "are needed")):
        mount = f"mount -t tmpfs -o {option} small {shlex.quote(str(folder))}"
        for command in (words, f"{shlex.quote(str(WLAB))} doctor"):
            done = call(["unshare", "-rm", "sh", "-c", f"{mount} && {command}"], env=env)
            said = done.stdout + done.stderr
            expect(done.returncode == 1 and text in said and "Traceback" not in said, said)
    expect(not any(folder.iterdir()), "something was built")
    folder.chmod(0o755)
    argv = [*as_user(), "env", f"WLAB_BUILD={folder}"]
    refused([*argv, *EXEC], f"{folder} cannot be written")
    return "noexec, full, another's"


def missing_packages() -> str:
    """userspace/need says what it would install, and installs nothing."""
    need = str(Path(WLAB).parents[1] / "need")
    env = os.environ | {"PATH": f"{fake_dpkg()}:{os.environ['PATH']}"}
    done = call([need, "--missing", "build"], env=env)
    expect("gcc" in done.stdout.split() and "apt-get install" in done.stderr, done.stdout + done.stderr)
    return done.stdout.strip()


def fake_dpkg() -> Path:
    """A folder with a dpkg-query that knows of no package."""
    folder = OUT / "no-packages"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "dpkg-query").write_text("#!/bin/sh\n")
    (folder / "dpkg-query").chmod(0o755)
    return folder


CASES: dict[str, Callable[[], str]] = {
    "machine: this one": doctor,
    "machine: another processor": processor,
    "machine: no ptrace": ptrace,
    "machine: little memory": memory,
    "machine: where it builds": build_folder,
    "machine: packages that are missing": missing_packages,
}
