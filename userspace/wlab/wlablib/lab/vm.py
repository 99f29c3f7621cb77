# SPDX-License-Identifier: GPL-2.0
"""A guest in a stock kernel of Debian in QEMU without KVM; its clock counts instructions, or is real."""

import fcntl
import os
import platform
import shutil
import subprocess
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from ..lib.paths import BIN, BUILD, PRODUCTS, ROOT, TC, WLAB, LabError
from ..lib.progress import quiet
from ..lib.scratch import scratch
from .boot import Ended, Job, LastProgress, Machine, Sink, attend, verdict, wire, write_job
from .build import MAKE, MODULES, Part, guest_parts, make as make_parts

PROGRAMS = {
    "qemu-system-x86_64": "qemu-system-x86",
    "mmdebstrap": "mmdebstrap",
    "mke2fs": "e2fsprogs",
    "debugfs": "e2fsprogs",
}
# A user's PATH may lack these folders.
PATH = f"{os.environ.get('PATH', os.defpath)}:/usr/sbin:/sbin"
# Where the guest sees the payload.
MOUNTED = Path("/mnt")
# The size of a sparse file.
PAYLOAD_SIZE = "1G"
START = f"""#!/bin/sh
exec {MOUNTED}/tools/bin/wlab-init container {MOUNTED}/job
"""
SEARCHED = ["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin"]


@dataclass(frozen=True)
class Disk:
    """A disk with Debian and its kernel, as vm/image makes it."""

    folder: Path
    release: str


def check() -> None:
    """Check the requirements before anything is made."""
    if platform.machine() != "x86_64":
        raise LabError(f"--on vm: its kernel is for x86_64, this machine is {platform.machine()}")
    if missing := [program for program in PROGRAMS if not shutil.which(program, path=PATH)]:
        debian = " ".join(dict.fromkeys(PROGRAMS[program] for program in missing))
        raise LabError(
            f"--on vm: {', '.join(missing)}: missing; type: userspace/need vm (Debian: {debian});"
            " it needs neither KVM nor root"
        )


def tool(name: str) -> list[str]:
    """The beginning of a command line: the path of one of PROGRAMS."""
    return [shutil.which(name, path=PATH) or name]


def disk() -> Disk:
    """The VM's disk, made if there is none: some minutes and packages of Debian's archive."""
    cache = BUILD / "vm"
    cache.mkdir(parents=True, exist_ok=True)
    # tests/vm makes the same disk under the same lock.
    with (cache / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        env = {**os.environ, "WLAB_BUILD": str(BUILD)}
        done = subprocess.run(WLAB / "vm" / "image", stdout=subprocess.PIPE, text=True, env=env, check=False)
    if done.returncode:
        raise LabError(f"--on vm: its disk could not be made; {cache}/*/log says why")
    folder = Path(done.stdout.splitlines()[-1])
    return Disk(folder, (folder / "release").read_text().strip())


def debugfs(image: Path, command: str) -> list[str]:
    """The output of debugfs(8) for an image that is not mounted."""
    argv = [*tool("debugfs"), "-R", command, str(image)]
    return subprocess.run(argv, capture_output=True, text=True, check=False).stdout.splitlines()


@cache
def modules(disk_: Disk) -> set[str]:
    """The modules of the disk's kernel, loadable or built in, by the names of modprobe(8)."""
    lists = (f"cat /usr/lib/modules/{disk_.release}/modules.{name}" for name in ("dep", "builtin"))
    lines = [line for one in lists for line in debugfs(disk_.folder / "disk.ext2", one)]
    return {Path(line.partition(":")[0]).name.partition(".ko")[0].replace("-", "_") for line in lines}


def has(disk_: Disk, module: str) -> bool:
    """Whether the disk's kernel has a module."""
    return module in modules(disk_)


@cache
def folder_of(disk_: Disk, path: str) -> set[str]:
    """The names of the files in a folder of the disk."""
    lines = debugfs(disk_.folder / "disk.ext2", f"ls -p {path}")
    # /inode/mode/uid/gid/name/size/
    return {line.split("/")[5] for line in lines if line.count("/") > 6}


def has_program(disk_: Disk, program: str) -> bool:
    """Whether the disk has a program of this name or path; its /bin and /sbin are links into /usr."""
    folder, _, name = program.rpartition("/")
    folders = [folder if folder.startswith("/usr") else f"/usr{folder}"] if folder else SEARCHED
    return any(name in folder_of(disk_, one) for one in folders)


def make(disk_: Disk) -> tuple[Path, ...]:
    """Build the modules for the disk's kernel, without BTF, for which newer headers require pahole."""
    folder = PRODUCTS / "vm" / disk_.folder.name / "module"
    words = [f"KDIR={disk_.folder}/headers/build", f"MODDIR={folder}"]
    argv = [*MAKE, "module", *words, "KFLAGS=CONFIG_DEBUG_INFO_BTF_MODULES="]
    modules_ = tuple(folder / name for name in MODULES)
    make_parts([Part(modules_[-1], (ROOT / "kernel", ROOT / "Kbuild"), argv), *guest_parts()])
    return modules_


def payload(folder: Path, modules_: tuple[Path, ...], to: Path) -> Path:
    """A file system image with the job's folder and all that the guest needs."""
    tree = to / "payload"
    shutil.copytree(folder, tree / "job")
    (tree / "tools" / "bin").mkdir(parents=True)
    for name in ("wlab-init", "wlab-guest", "wlab-each.so", "wlinkctl*"):
        for program in BIN.glob(name):
            shutil.copy(program, tree / "tools" / "bin")
    shutil.copytree(TC, tree / "tools" / "tc")
    for module in modules_:
        shutil.copy(module, tree)
    (tree / "start").write_text(START)
    (tree / "start").chmod(0o755)
    image = to / "payload.ext2"
    quiet([*tool("mke2fs"), "-q", "-t", "ext2", "-L", "payload", "-d", str(tree), str(image), PAYLOAD_SIZE])
    return image


def results(image: Path, folder: Path, to: Path) -> None:
    """Copy what the guest has written into the job's folder."""
    debugfs(image, f"rdump /job {to}")
    if (to / "job").is_dir():
        shutil.copytree(to / "job", folder, dirs_exist_ok=True)


def boot(
    disk_: Disk,
    modules_: tuple[Path, ...],
    folder: Path,
    job: Job,
    out: Sink,
    err: Sink,
    last_progress: LastProgress,
) -> Ended:
    """Boot, run the job, power off."""
    clock = ["--real-time"] * job.real_time
    with scratch() as work:
        mounted = tuple(MOUNTED / module.name for module in modules_)
        job = replace(job, modules=mounted, tools=MOUNTED / "tools", real_time=True)
        write_job(folder, job, ("/dev/ttyS1", "/dev/ttyS2"))
        image = payload(folder, modules_, work)
        log = bytearray()
        wires = wire(job, log.extend, out, err)
        consoles = [os.ttyname(fd) if os.isatty(fd) else f"/dev/fd/{fd}" for fd in wires.guest_fds]
        argv = [str(WLAB / "vm" / "boot"), *clock, str(disk_.folder), str(image), *consoles]
        machine = Machine(argv, [], {"PATH": PATH, "WLAB_BUILD": str(BUILD)})
        _, in_time = attend(machine, job, wires, [wires.guest_fds[0]] * 2, last_progress)
        results(image, folder, work)
    return verdict(folder, job, bytes(log), in_time, "VM's")
