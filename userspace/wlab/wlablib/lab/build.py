# SPDX-License-Identifier: GPL-2.0
"""Makes the lab kernel once, and keeps all that runs in it up to date."""

import contextlib
import fcntl
import hashlib
import json
import os
import re
import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ..lib.paths import (
    BIN,
    BUILD,
    CONFIG,
    GUEST,
    LAB,
    LABS,
    LIVE,
    MADE,
    PACKAGE,
    ROOT,
    SANITIZE,
    TC,
    LabError,
    stale,
)
from ..lib.progress import Progress, follow, quiet
from . import source

# Steps of a build of 6.1 as make prints them; only the display depends on it.
STEPS_EXPECTED = 1090

# The lab's own programs, of guest/.
OWN = ("wlab-init", "wlab-guest", "wlab-each.so", "wlab-log", "wlab-keep")

# Options that later kernels have under another name.
RENAMED = {
    "CONFIG_PROC_SYSCTL=y": "CONFIG_SYSCTL=y",
    # Its other devices are gone.
    "CONFIG_UML_NET=y": "CONFIG_UML_NET_VECTOR=y",
}


@dataclass(frozen=True)
class Kernel:
    """A built lab kernel."""

    folder: Path
    version: str
    sanitize: bool = False
    hz: int = source.HZ
    memory: str = ""
    live: bool = False

    @property
    def mem(self) -> str:
        """What a guest gets; KASAN's shadow and the marks of SLUB take room."""
        return self.memory or ("1024M" if self.sanitize else "512M")

    @property
    def binary(self) -> Path:
        return self.folder / "linux"

    @property
    def tree(self) -> Path:
        return self.folder / "tree"

    @property
    def module(self) -> Path:
        return MADE / "lab" / self.folder.name / "module" / "sch_wlink.ko"

    @property
    def kunit(self) -> Path:
        return MADE / "lab" / self.folder.name / "kunit" / "tests" / "kunit" / "wlink_kunit.ko"

    def numbers(self) -> tuple[int, ...]:
        return tuple(int(n) for n in re.findall(r"\d+", self.version)[:2])


@contextlib.contextmanager
def lock(what: str) -> Iterator[None]:
    """One build of a thing at a time; others wait for it."""
    LAB.mkdir(parents=True, exist_ok=True)
    with (LAB / f".lock.{what}").open("w") as f:
        fcntl.flock(f, fcntl.LOCK_EX)
        yield


def fragments(sanitize: bool, live: bool = False) -> list[Path]:
    """What is merged into tinyconfig, in order."""
    return [CONFIG, *([SANITIZE] if sanitize else []), *([LIVE] if live else [])]


def recipe(sanitize: bool, hz: int = source.HZ, live: bool = False) -> str:
    """Digest of all that decides what is built from a source."""
    text = b"".join(path.read_bytes() for path in fragments(sanitize, live))
    if hz != source.HZ:
        text += f"HZ={hz}".encode()
    if live:
        text += source.patches_digest("live").encode()
    return hashlib.sha256(text + source.patches_digest().encode()).hexdigest()


def kernel(sanitize: bool = False, hz: int = source.HZ, live: bool = False) -> Kernel:
    """The lab kernel, the one that looks for errors, that of `wlab live` or one with another tick.

    It is made first if need be.
    """
    if not 24 <= hz <= 1024:
        raise LabError(f"hz {hz} is outside 24..1024")
    tarball = source.find_tarball()
    st = tarball.stat()
    stamp = [str(tarball), st.st_size, st.st_mtime_ns, recipe(sanitize, hz, live)]
    suffix = "-sanitize" * sanitize + "-live" * live + (f"-hz{hz}" if hz != source.HZ else "")
    for lab in LABS:
        with contextlib.suppress(OSError, ValueError, KeyError):
            said = json.loads((lab / f"current{suffix}.json").read_text())
            have = Kernel(lab / said["folder"], said["version"], sanitize, hz, live=live)
            if said["stamp"] == stamp and have.binary.exists():
                return have
    with lock("kernel"):
        version = source.version_of(tarball)
        name = f"{version}-{recipe(sanitize, hz, live)[:12]}{suffix}"
        made = Kernel(LAB / name, version, sanitize, hz, live=live)
        if not made.binary.exists():
            make_kernel(tarball, made)
        said = {"stamp": stamp, "folder": name, "version": version}
        (LAB / f"current{suffix}.json").write_text(json.dumps(said))
    return made


def make_kernel(tarball: Path, made: Kernel) -> None:
    """The lab kernel as a program of the host's."""
    kind = "sanitizer" if made.sanitize else "live" if made.live else "lab"
    title = f"{kind} kernel {made.version}"
    wanted = fragments(made.sanitize, made.live)
    own = "live" if made.live else None
    make_tree(tarball, made.folder, title, "um", wanted, ("linux", "modules"), made.hz, own)
    shutil.copy2(made.tree / "linux", made.folder / "linux.new")
    (made.folder / "linux.new").rename(made.binary)


def make_tree(
    tarball: Path,
    folder: Path,
    title: str,
    arch: str,
    wanted: list[Path],
    targets: tuple[str, ...],
    hz: int,
    patches: str | None = None,
) -> None:
    """Unpack, configure and compile in a new folder's tree; call it with the kernel's lock held."""
    source.install()
    progress = Progress(title)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    log = folder / "build.log"
    tree = folder / "tree"
    source.link_tree(source.unpacked(tarball, source.version_of(tarball), progress), tree)
    source.set_hz(tree, hz)
    if patches:
        source.patch(tree, patches)
    make = ["make", "-C", str(tree), f"ARCH={arch}", f"-j{os.cpu_count() or 1}"]
    follow([*make, "tinyconfig"], progress, lambda _: "configuring", log=log)
    merge = [str(tree / "scripts/kconfig/merge_config.sh"), "-m", ".config", *map(str, wanted)]
    follow(merge, progress, lambda _: "configuring", cwd=tree, log=log)
    follow([*make, "olddefconfig"], progress, lambda _: "configuring", log=log)
    check_config(tree / ".config", wanted)
    steps = 0
    step = ""

    def count(line: str | None) -> str:
        nonlocal steps, step
        if line and line.startswith("  "):
            steps += 1
            step = line.strip()
        return f"step {steps} of about {max(STEPS_EXPECTED, steps)}: {' '.join(step.split())}"

    follow([*make, *targets], progress, count, log=log)
    progress.done("done")


def check_config(config: Path, wanted: list[Path]) -> None:
    """Every line of the fragments must have survived olddefconfig."""
    have = set(config.read_text().splitlines())
    lines = {}
    for path in wanted:
        for line in path.read_text().splitlines():
            if found := re.match(r"(# )?(CONFIG_\w+)(=| is not set)", line):
                lines[found[2]] = line
    lost = [
        line
        for name, line in lines.items()
        if (f"{name}=y" in have if line.startswith("#") else not {line, RENAMED.get(line, line)} & have)
    ]
    if lost:
        raise LabError(f"the kernel does not take from {wanted[0].name}: " + ", ".join(lost))


@dataclass(frozen=True)
class Part:
    """A product, what it is made of, and how."""

    product: Path
    sources: tuple[Path, ...]
    argv: list[str]

    def stale(self) -> bool:
        return stale(self.product, *self.sources)


MAKE = ["make", "-s", "-C", str(ROOT)]
WLINKCTL = Part(
    BIN / "wlinkctl",
    (ROOT / "userspace" / "wlinkctl", ROOT / "tc-plugin", ROOT / "kernel"),
    [*MAKE, "tools", f"BUILD={MADE}"],
)

# What of it is in Python.
TRACE = Part(
    BIN / "wlinkctl-trace",
    (PACKAGE / "trace", PACKAGE / "lib", ROOT / "userspace" / "wlinkctl" / "pack"),
    [*MAKE, "tools", f"BUILD={MADE}"],
)


def make(parts: list[Part]) -> None:
    """What of it is out of date."""
    if not any(part.stale() for part in parts):
        return
    with lock("parts"):
        for part in parts:
            if part.stale():
                begun = time.time_ns()
                quiet(part.argv)
                if not part.product.exists():
                    raise LabError(f"{' '.join(part.argv)} did not make {part.product}")
                # A source that changes meanwhile is newer than its product.
                os.utime(part.product, ns=(begun, begun))


@cache
def wlinkctl() -> Path:
    """For the host, which needs no kernel for it."""
    if not WLINKCTL.product.exists():
        source.install()
    make([WLINKCTL])
    return WLINKCTL.product


def guest_parts() -> list[Part]:
    """What every guest needs besides a kernel and its module."""
    uapi = ROOT / "kernel" / "include"
    plugin = Part(TC / "q_wlink.so", (ROOT / "tc-plugin", uapi), [*MAKE, "plugin", f"BUILD={MADE}"])
    own = [Part(BIN / p, (GUEST,), ["make", "-s", "-C", str(GUEST), f"OUT={BIN}"]) for p in OWN]
    return [plugin, WLINKCTL, TRACE, *own]


def make_parts(have: Kernel, kunit: bool = False) -> None:
    """Module, plugin, wlinkctl and the lab's own programs, where out of date."""
    core: tuple[Path, ...] = (ROOT / "kernel", ROOT / "Kbuild")
    kbuild = [*MAKE, "module", f"KDIR={have.tree}", "ARCH=um"]
    if kunit:
        sources = (*core, ROOT / "tests" / "kunit")
        module = Part(have.kunit, sources, [*kbuild, "KUNIT=1", f"MODDIR={have.kunit.parents[2]}"])
    else:
        module = Part(have.module, core, [*kbuild, f"MODDIR={have.module.parent}"])
    make([module, *guest_parts()])


def as_json(have: Kernel) -> str:
    """What other parts of the project need to know."""
    return json.dumps(
        {
            "kernel": str(have.binary),
            "tree": str(have.tree),
            "module": str(have.module),
            "version": have.version,
            "plugin": str(TC / "q_wlink.so"),
            "tools": str(BIN),
            "build": str(BUILD),
        }
    )
