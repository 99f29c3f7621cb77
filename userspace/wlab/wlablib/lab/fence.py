# SPDX-License-Identifier: GPL-2.0
"""What keeps a guest from writing the host's files, of that which this machine allows."""

import contextlib
import os
import re
import subprocess
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from ..lib.paths import BIN, LAB, PRODUCTS, TC, LabError
from ..lib.scratch import scratch
from . import build, source

# guest/host/sandbox.h.
FORBIDDEN = 125
SANDBOX = "WLAB_SANDBOX"
# Settings that forbid user namespaces: (file of /proc/sys, its value, what to type).
FORBIDS = (
    ("user/max_user_namespaces", "0", "sysctl -w user.max_user_namespaces=10000"),
    ("kernel/unprivileged_userns_clone", "0", "sysctl -w kernel.unprivileged_userns_clone=1"),
    (
        "kernel/apparmor_restrict_unprivileged_userns",
        "1",
        "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0",
    ),
)


def wanted() -> str:
    """on, off, or Landlock alone: landlock, or landlock:ABI for at most that ABI."""
    value = os.environ.get(SANDBOX, "on")
    if not re.fullmatch(r"on|off|landlock(:[1-9])?", value):
        raise LabError(f"{SANDBOX}: '{value}' is none of on, off, landlock and landlock:ABI")
    return value


@cache
def found() -> str:
    """namespaces, landlock or none: what this machine allows."""
    keep = build.guest_program("wlab-keep")
    if not keep.product.exists():
        source.install()
    build.make([keep])
    done = subprocess.run([keep.product, "-p"], capture_output=True, text=True, check=True)
    return (done.stdout.split() or ["none"])[0]


def chosen(own: bool) -> str:
    """The fence of a guest, with programs of the user's or only with the lab's own, which need none."""
    value = wanted()
    if value == "off":
        return "none"
    kind = "landlock" if value.startswith("landlock") else found()
    if kind == "none" and own:
        raise LabError(remedy())
    return kind


@contextlib.contextmanager
def around(folder: Path, writable: list[Path], own: bool) -> Iterator[tuple[list[str], str]]:
    """Options of wlab-keep (keep.c) for a guest that writes these folders, and where its memory is.

    The programs that wlab itself runs are not to be written.
    """
    kind = chosen(own)
    if kind == "none":
        yield [], temp_dir()
        return
    programs = [p for p in {BIN, TC, LAB, PRODUCTS / "lab"} if any(p.is_relative_to(w) for w in writable)]
    options = [f"-w{p}" for p in (folder, *writable) if p.is_dir()]
    options += [f"-r{p}" for p in programs if p.is_dir()]
    # With namespaces the memory has a tmpfs of its own.
    with scratch(str(folder) if kind == "namespaces" else temp_dir()) as memory:
        if wanted() != "on":
            options.append(f"-l{wanted().partition(':')[2] or 9}")
        yield [*options, f"-m{memory}"], str(memory)


def allow_namespaces() -> str:
    """The commands that allow namespaces on this host."""
    commands = []
    for name, value, words in FORBIDS:
        with contextlib.suppress(OSError):
            if Path("/proc/sys", name).read_text().strip() == value:
                commands.append(words)
    return " and ".join(commands) or (
        "start a container with --security-opt seccomp=unconfined --security-opt apparmor=unconfined;"
        " a chroot has none, a container of the same folder (systemd-nspawn, bwrap, podman) has"
    )


def ways() -> str:
    """What to do on a host that allows no fence."""
    return f"to allow them: {allow_namespaces()}; or, for programs that you trust, {SANDBOX}=off"


def remedy() -> str:
    """The message for a host on which the sandbox cannot be made."""
    return (
        "this host forbids namespaces and has no Landlock (since Linux 5.13), one of which keeps"
        f" the guest from writing the host's files\n{ways()}"
    )


def temp_dir() -> str:
    """The folder of the guest's memory file without a sandbox: not noexec, with 400 MB free."""
    for name in ("/dev/shm", "/tmp"):
        with contextlib.suppress(OSError):
            st = os.statvfs(name)
            room = st.f_bavail * st.f_frsize
            if not st.f_flag & os.ST_NOEXEC and room > 400 << 20 and os.access(name, os.W_OK):
                return name
    return tempfile.gettempdir()
