# SPDX-License-Identifier: GPL-2.0
"""Builds the lab kernel once, and keeps all that runs in it up to date."""

import contextlib
import fcntl
import hashlib
import json
import os
import re
import shutil
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from shlex import quote

from ..lib import paths
from ..lib.files import read_bytes
from ..lib.paths import BIN, BUILD, LAB, LABS, PREBUILT, PRODUCTS, ROOT, SANITIZE, TC, LabError, stale
from ..lib.progress import Progress, follow, quiet
from ..lib.scratch import scratch
from . import source

# Lines that make prints for 7.3; only the progress line uses it.
STEPS_EXPECTED = 1490

# What a kernel says of its build, so that it is the same bytes wherever and whenever it is built.
SAME = [
    f"KBUILD_BUILD_{name}" for name in ("TIMESTAMP=1970-01-01", "VERSION=1", "USER=wlab", "HOST=wlab")
]

# wlink's own, in the order in which they are inserted.
MODULES = ("sch_wlink.ko", "wlink_3gpp.ko")

# The lab's own programs, from guest/.
GUEST_PROGRAMS = ("wlab-init", "wlab-guest", "wlab-each.so", "wlab-chance.so", "wlab-log", "wlab-keep")

# Options that older kernels do not have, by the first that has them.
SINCE = {"CONFIG_NET_SCH_DUALPI2=y": (6, 17)}
# Options that are gone, by the first kernel without them, which does so without being told.
GONE = {"CONFIG_RANDOM_TRUST_BOOTLOADER=y": (6, 2), "CONFIG_RANDOM_TRUST_CPU=y": (6, 2)}
# Options that later kernels have under other names.
RENAMED = {
    "CONFIG_PROC_SYSCTL=y": "CONFIG_SYSCTL=y",
    # Later kernels have no other network device of User Mode Linux.
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

    @property
    def mem(self) -> str:
        """The guest's memory; KASAN's shadow and SLUB's debug data need more."""
        return self.memory or ("1024M" if self.sanitize else "512M")

    @property
    def binary(self) -> Path:
        return self.folder / "linux"

    @property
    def tree(self) -> Path:
        return self.folder / "tree"

    @property
    def module(self) -> Path:
        return PRODUCTS / "lab" / self.folder.name / "module" / MODULES[0]

    @property
    def reno_1990(self) -> Path:
        return PRODUCTS / "lab" / self.folder.name / "reno" / "tcp_reno_1990.ko"

    @property
    def kunit(self) -> Path:
        return PRODUCTS / "lab" / self.folder.name / "kunit" / "tests" / "kunit" / "wlink_kunit.ko"

    def modules(self, reno_1990: bool = False) -> tuple[Path, ...]:
        """The modules to insert: all of wlink's, as the guest has no modprobe that would."""
        ours = tuple(self.module.with_name(name) for name in MODULES)
        return (*ours, self.reno_1990) if reno_1990 else ours

    def numbers(self) -> tuple[int, ...]:
        return source.numbers(self.version)


@contextlib.contextmanager
def lock(what: str) -> Iterator[None]:
    """Serialise builds of one thing among processes."""
    LAB.mkdir(parents=True, exist_ok=True)
    with (LAB / f".lock.{what}").open("w") as f:
        try:
            fcntl.flock(f, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print(f"wlab: another wlab builds the {what}; waiting for it", file=sys.stderr)
            fcntl.flock(f, fcntl.LOCK_EX)
        yield


def fragments(sanitize: bool) -> list[Path]:
    """The configuration fragments that are merged into tinyconfig, in order."""
    return [paths.CONFIG, *([SANITIZE] if sanitize else [])]


def recipe(version: str, sanitize: bool, hz: int = source.HZ) -> str:
    """The digest of everything but the source that decides a kernel's build."""
    own = source.sanitizer_patches() if sanitize else []
    text = b"".join(path.read_bytes() for path in (*fragments(sanitize), *own))
    if hz != source.HZ:
        text += f"HZ={hz}".encode()
    return hashlib.sha256(text + source.patches_digest(version).encode()).hexdigest()


def kernel(sanitize: bool = False, hz: int = source.HZ) -> Kernel:
    """The lab kernel, with sanitizers or with another tick; build it if there is none."""
    if PREBUILT:
        return prebuilt(sanitize, hz)
    tarball = source.find_tarball()
    st = tarball.stat()
    digest = recipe(tarball.name, sanitize, hz)
    # Not its folder: a kernel serves copies of the sources, too.
    stamp = [tarball.name, st.st_size, st.st_mtime_ns, digest]
    suffix = "-sanitize" * sanitize + (f"-hz{hz}" if hz != source.HZ else "")
    for lab in LABS:
        with contextlib.suppress(OSError, ValueError, KeyError):
            current = json.loads((lab / f"current{suffix}.json").read_text())
            built = Kernel(lab / current["folder"], current["version"], sanitize, hz)
            if current["stamp"] == stamp and built.binary.exists():
                return built
    with lock("kernel"):
        version = source.version_of(tarball)
        name = f"{version}-{digest[:12]}{suffix}"
        fresh = Kernel(LAB / name, version, sanitize, hz)
        if not fresh.binary.exists():
            build_kernel(tarball, fresh)
        current = {"stamp": stamp, "folder": name, "version": version}
        (LAB / f"current{suffix}.json").write_text(json.dumps(current))
    return fresh


def prebuilt(sanitize: bool, hz: int) -> Kernel:
    """The lab kernel that the wheel has."""
    for lab in LABS:
        with contextlib.suppress(OSError):
            current = json.loads((lab / "current.json").read_text())
            if not sanitize and hz == source.HZ:
                return Kernel(lab / current["folder"], current["version"])
    raise LabError("this wheel has only the lab's kernel; wlab from the sources builds any other")


def build_kernel(tarball: Path, wanted_kernel: Kernel) -> None:
    """Build the lab kernel, a program of the host."""
    kind = "sanitizer" if wanted_kernel.sanitize else "lab"
    title = f"{kind} kernel {wanted_kernel.version}"
    configs = fragments(wanted_kernel.sanitize)
    build_tree(
        tarball,
        wanted_kernel.folder,
        title,
        "um",
        configs,
        ("linux", "modules"),
        wanted_kernel.hz,
    )
    shutil.copy2(wanted_kernel.tree / "linux", wanted_kernel.folder / "linux.new")
    (wanted_kernel.folder / "linux.new").rename(wanted_kernel.binary)


def build_tree(
    tarball: Path,
    folder: Path,
    title: str,
    arch: str,
    configs: list[Path],
    targets: tuple[str, ...],
    hz: int,
) -> None:
    """Unpack, configure and compile in FOLDER/tree; the caller holds the kernel's lock."""
    source.install()
    progress = Progress(title)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    log = folder / "build.log"
    tree = folder / "tree"
    version = source.version_of(tarball)
    source.link_tree(source.unpacked(tarball, version, progress), tree)
    source.set_hz(tree, hz)
    for path in source.sanitizer_patches() if SANITIZE in configs else []:
        source.apply(path, tree, version)
    make = ["make", "-C", str(tree), f"ARCH={arch}", f"-j{os.cpu_count() or 1}", *SAME]
    configure(tree, make, configs, progress, log)
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


def configure(tree: Path, make: list[str], configs: list[Path], progress: Progress, log: Path) -> None:
    """Write the configuration of a tree."""
    follow([*make, "tinyconfig"], progress, lambda _: "configuring", log=log)
    merge = [str(tree / "scripts/kconfig/merge_config.sh"), "-m", ".config", *map(str, configs)]
    follow(merge, progress, lambda _: "configuring", cwd=tree, log=log)
    follow([*make, "olddefconfig"], progress, lambda _: "configuring", log=log)
    check_config(tree / ".config", configs)


def check_config(config: Path, fragments: list[Path]) -> None:
    """Check that olddefconfig has kept every line of the fragments."""
    text = config.read_text()
    present = set(text.splitlines())
    # Its third line has the version.
    version = source.numbers(text)
    have = present | {line for line, first in SINCE.items() if version < first}
    have |= {line for line, first in GONE.items() if version >= first}
    lines = {}
    for path in fragments:
        for line in path.read_text().splitlines():
            if found := re.match(r"(# )?(CONFIG_\w+)(=| is not set)", line):
                lines[found[2]] = line
    lost = [
        line
        for name, line in lines.items()
        if (f"{name}=y" in present if line.startswith("#") else not {line, RENAMED.get(line, line)} & have)
    ]
    if lost:
        raise LabError(f"the kernel does not take from {fragments[0].name}: " + ", ".join(lost))


@dataclass(frozen=True)
class Part:
    """A build product, its sources and the command that makes it."""

    product: Path
    sources: tuple[Path, ...]
    argv: list[str]

    def stale(self) -> bool:
        return stale(self.product, *self.sources)


PEP = ROOT / "userspace" / "wlink-pep"
MAKE = ["make", "-s", "-C", str(ROOT)]
WLINKCTL = Part(
    BIN / "wlinkctl",
    (ROOT / "userspace" / "wlinkctl", ROOT / "tc-plugin", ROOT / "kernel"),
    [*MAKE, "tools", f"BUILD={PRODUCTS}"],
)
# Its commands that are programs in Python.
BESIDE = [
    Part(
        BIN / f"wlinkctl-{name}",
        (paths.PACKAGE / name.replace("-", "_"), paths.PACKAGE / "lib", paths.PACKAGE / "top"),
        [*MAKE, "tools", f"BUILD={PRODUCTS}"],
    )
    for name in ("doctor", "from-netem", "host", "metrics", "top", "trace", "web")
]


def make(parts: list[Part]) -> None:
    """Make the parts that are out of date."""
    if PREBUILT or not any(part.stale() for part in parts):
        return
    with lock("parts"):
        for part in parts:
            if part.stale():
                start_ns = time.time_ns()
                quiet(part.argv)
                if not part.product.exists():
                    raise LabError(f"{' '.join(part.argv)} did not make {part.product}")
                # A source that changes during the build stays newer than the product.
                os.utime(part.product, ns=(start_ns, start_ns))


@cache
def wlinkctl() -> Path:
    """The program wlinkctl for the host; it needs no kernel."""
    if not WLINKCTL.product.exists():
        source.install()
    make([WLINKCTL])
    return WLINKCTL.product


def guest_program(name: str) -> Part:
    """One of the lab's own programs."""
    product = BIN / name
    return Part(product, (paths.GUEST,), ["make", "-s", "-C", str(paths.GUEST), f"OUT={BIN}", str(product)])


def guest_parts() -> list[Part]:
    """The parts that every guest needs besides a kernel and its module."""
    uapi = ROOT / "kernel" / "include"
    plugin = Part(TC / "q_wlink.so", (ROOT / "tc-plugin", uapi), [*MAKE, "plugin", f"BUILD={PRODUCTS}"])
    programs = [guest_program(p) for p in GUEST_PROGRAMS]
    pep = Part(BIN / "wlink-pep", (PEP,), ["make", "-s", "-C", str(PEP), f"BUILD={PRODUCTS}"])
    return [plugin, WLINKCTL, *BESIDE, pep, *programs]


def reno_1990(kernel_: Kernel) -> Part:
    """The lab's TCP Reno; kbuild writes beside the sources, so it is given links to them."""
    folder = kernel_.reno_1990.parent
    kbuild = f"make -s -C {quote(str(kernel_.tree))} ARCH=um M={quote(str(folder))} modules"
    links = f"mkdir -p {quote(str(folder))} && cp -asf {quote(str(paths.RENO))}/. {quote(str(folder))}"
    return Part(kernel_.reno_1990, (paths.RENO,), ["sh", "-c", f"{links} && {kbuild}"])


def own_module(kernel_: Kernel, file: Path) -> Path:
    """A module of the user's, TCP_NAME.c made a .ko beside it for the lab's kernel."""
    if not (kernel_.tree / "Makefile").exists():
        raise LabError(f"{file}: no sources of this lab's kernel are here; wlab in wlink's tree has them")
    with scratch() as folder:
        (folder / file.name).write_bytes(read_bytes(file))
        (folder / "Kbuild").write_text(f"obj-m := {file.stem}.o\n")
        quiet(["make", "-s", "-C", str(kernel_.tree), "ARCH=um", f"M={folder}", "modules"])
        made = file.with_suffix(".ko")
        shutil.copy(folder / made.name, made)
    return made


def make_parts(kernel_: Kernel, kunit: bool = False) -> None:
    """Make module, plugin, wlinkctl and guest programs where out of date."""
    core: tuple[Path, ...] = (ROOT / "kernel", ROOT / "Kbuild")
    kbuild = [*MAKE, "module", f"KDIR={kernel_.tree}", "ARCH=um"]
    if kunit:
        sources = (*core, ROOT / "tests" / "kunit")
        module = Part(kernel_.kunit, sources, [*kbuild, "KUNIT=1", f"MODDIR={kernel_.kunit.parents[2]}"])
    else:
        module = Part(kernel_.modules()[-1], core, [*kbuild, f"MODDIR={kernel_.module.parent}"])
    make([module, reno_1990(kernel_), *guest_parts()])


def as_json(kernel_: Kernel) -> str:
    """The paths that scripts and tests of the project need."""
    return json.dumps(
        {
            "kernel": str(kernel_.binary),
            "tree": str(kernel_.tree),
            "module": str(kernel_.module),
            "version": kernel_.version,
            "plugin": str(TC / "q_wlink.so"),
            "tools": str(BIN),
            "build": str(BUILD),
        }
    )
