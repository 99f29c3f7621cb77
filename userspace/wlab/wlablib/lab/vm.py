# SPDX-License-Identifier: GPL-2.0
"""A guest in a stock Debian kernel, in QEMU without KVM: its time is the instructions that it executes."""

import fcntl
import os
import platform
import shutil
import subprocess
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from ..lib.paths import BIN, BUILD, MADE, ROOT, TC, WLAB, LabError
from ..lib.progress import quiet
from .boot import Ended, Job, Machine, Moved, Sink, attend, scratch, verdict, wire, write_job
from .build import MAKE, Part, guest_parts, make as make_parts

PROGRAMS = {
    "qemu-system-x86_64": "qemu-system-x86",
    "mmdebstrap": "mmdebstrap",
    "mke2fs": "e2fsprogs",
    "debugfs": "e2fsprogs",
}
# Users may have no such folders in their path.
PATH = f"{os.environ.get('PATH', os.defpath)}:/usr/sbin:/sbin"
# Where the guest sees the payload.
MOUNTED = Path("/mnt")
# Holes until something is written.
PAYLOAD_SIZE = "1G"
START = f"""#!/bin/sh
exec {MOUNTED}/tools/bin/wlab-init container {MOUNTED}/job
"""
SEARCHED = ["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin"]


@dataclass(frozen=True)
class Disk:
    """A file system of Debian's and its kernel, as vm/image has made them."""

    folder: Path
    release: str


def check() -> None:
    """What must be there before anything is made."""
    if platform.machine() != "x86_64":
        raise LabError(f"--on vm: its kernel is one for x86_64, this machine is {platform.machine()}")
    if missing := [program for program in PROGRAMS if not shutil.which(program, path=PATH)]:
        debian = " ".join(dict.fromkeys(PROGRAMS[program] for program in missing))
        raise LabError(
            f"--on vm: {', '.join(missing)}: missing; type: userspace/need vm (Debian: {debian});"
            " it needs neither KVM nor root"
        )


def tool(name: str) -> list[str]:
    """A program of PROGRAMS, as the beginning of a command."""
    return [shutil.which(name, path=PATH) or name]


def disk() -> Disk:
    """Made if need be, which takes some minutes and Debian's archive."""
    cache = BUILD / "vm"
    cache.mkdir(parents=True, exist_ok=True)
    # That of tests/vm, which makes the same one.
    with (cache / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = subprocess.run(
            [WLAB / "vm" / "image"],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "WLAB_BUILD": str(BUILD)},
            check=False,
        )
    if done.returncode:
        raise LabError(f"--on vm: its disk could not be made; {cache}/*/log says why")
    folder = Path(done.stdout.splitlines()[-1])
    return Disk(folder, (folder / "release").read_text().strip())


def debugfs(image: Path, command: str) -> list[str]:
    """What it says of a file system that nobody has mounted."""
    argv = [*tool("debugfs"), "-R", command, str(image)]
    return subprocess.run(argv, capture_output=True, text=True, check=False).stdout.splitlines()


@cache
def modules(have: Disk) -> set[str]:
    """Of its kernel, also those that are built in, as modprobe(8) knows them."""
    lists = (f"cat /usr/lib/modules/{have.release}/modules.{name}" for name in ("dep", "builtin"))
    lines = [line for one in lists for line in debugfs(have.folder / "disk.ext2", one)]
    return {Path(line.partition(":")[0]).name.partition(".ko")[0].replace("-", "_") for line in lines}


def has(have: Disk, module: str) -> bool:
    """Whether its kernel has it."""
    return module in modules(have)


@cache
def folder_of(have: Disk, path: str) -> set[str]:
    """Names in a folder of its."""
    lines = debugfs(have.folder / "disk.ext2", f"ls -p {path}")
    # /inode/mode/uid/gid/name/size/
    return {line.split("/")[5] for line in lines if line.count("/") > 6}


def has_program(have: Disk, said: str) -> bool:
    """Whether it has a program of this name or path; bin and sbin are links to those of usr."""
    folder, _, name = said.rpartition("/")
    folders = [folder if folder.startswith("/usr") else f"/usr{folder}"] if folder else SEARCHED
    return any(name in folder_of(have, one) for one in folders)


def make(have: Disk) -> Path:
    """The module for its kernel; headers of newer ones want pahole for the BTF that is left out."""
    folder = MADE / "vm" / have.folder.name / "module"
    words = [f"KDIR={have.folder}/headers/build", f"MODDIR={folder}"]
    argv = [*MAKE, "module", *words, "KFLAGS=CONFIG_DEBUG_INFO_BTF_MODULES="]
    module = Part(folder / "sch_wlink.ko", (ROOT / "kernel", ROOT / "Kbuild"), argv)
    make_parts([module, *guest_parts()])
    return module.product


def payload(folder: Path, module: Path, to: Path) -> Path:
    """An image of the job's folder and of all that it needs."""
    tree = to / "payload"
    shutil.copytree(folder, tree / "job")
    for name in ("wlab-init", "wlab-guest", "wlab-each.so", "wlinkctl", "wlinkctl-trace"):
        (tree / "tools" / "bin").mkdir(parents=True, exist_ok=True)
        shutil.copy(BIN / name, tree / "tools" / "bin")
    shutil.copytree(TC, tree / "tools" / "tc")
    shutil.copy(module, tree)
    (tree / "start").write_text(START)
    (tree / "start").chmod(0o755)
    image = to / "payload.ext2"
    quiet([*tool("mke2fs"), "-q", "-t", "ext2", "-L", "payload", "-d", str(tree), str(image), PAYLOAD_SIZE])
    return image


def results(image: Path, folder: Path, to: Path) -> None:
    """What the guest has left in the job's folder."""
    debugfs(image, f"rdump /job {to}")
    if (to / "job").is_dir():
        shutil.copytree(to / "job", folder, dirs_exist_ok=True)


def boot(have: Disk, module: Path, folder: Path, job: Job, out: Sink, err: Sink, moved: Moved) -> Ended:
    """Boot, run the job, power off."""
    with scratch() as work:
        job = replace(job, module=MOUNTED / module.name, tools=MOUNTED / "tools", real_time=True)
        write_job(folder, job, ("/dev/ttyS1", "/dev/ttyS2"))
        image = payload(folder, module, work)
        log = bytearray()
        wires = wire(job, log.extend, out, err)
        consoles = [f"/dev/fd/{fd}" for fd in wires.theirs]
        argv = [str(WLAB / "vm" / "boot"), str(have.folder), str(image), *consoles]
        machine = Machine(argv, [], {"PATH": PATH, "WLAB_BUILD": str(BUILD)})
        _, in_time = attend(machine, job, wires, [wires.theirs[0]] * 2, moved)
        results(image, folder, work)
    return verdict(folder, job, bytes(log), in_time, "VM's")
