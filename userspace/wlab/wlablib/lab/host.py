# SPDX-License-Identifier: GPL-2.0
"""A guest without a kernel of its own: namespaces on this machine, with the loaded module."""

import os
import shutil
import socket
import subprocess
from pathlib import Path

from ..lib.paths import BIN, TRACE_INSTANCE, LabError, version
from .boot import Ended, Job, LastProgress, Machine, Sink, attend, verdict, wire_plain, write_job

TRACEFS = Path("/sys/kernel/tracing")
MODULE = Path("/sys/module/sch_wlink")
INSTANCE = TRACEFS / "instances" / TRACE_INSTANCE
ELSEWHERE = "; --on vm and --on live need none of this"


def check() -> None:
    """Check the requirements before anything is made."""
    if os.geteuid():
        raise LabError(f"--on host: only root makes network namespaces here; type sudo before it{ELSEWHERE}")
    if missing := [program for program in ("ip", "tc", "modprobe") if not shutil.which(program)]:
        raise LabError(f"--on host: {', '.join(missing)}: missing; Debian: iproute2 kmod")
    if not MODULE.exists():
        raise LabError(
            "--on host: the module sch_wlink is not loaded; type: modprobe sch_wlink,"
            f" after make install or make dkms-install{ELSEWHERE}"
        )
    loaded = (MODULE / "version").read_text().strip()
    if loaded != version():
        raise LabError(
            f"--on host: the module that is loaded is {loaded}, this wlab is {version()}; after"
            " make install type: modprobe -r wlink_3gpp sch_wlink; modprobe sch_wlink"
        )
    if not INSTANCE.parent.is_dir():
        raise LabError(f"--on host: {TRACEFS} is empty; type: mount -t tracefs tracefs {TRACEFS}")


def has(module: str) -> bool:
    """Whether the kernel has a module: loaded, built in or loadable."""
    if Path("/sys/module", module).exists():
        return True
    return not subprocess.run(["modprobe", "-nq", module], capture_output=True, check=False).returncode


def release() -> str:
    return os.uname().release


def srcversion() -> str:
    """The loaded module's srcversion; its file may have been replaced since."""
    return (MODULE / "srcversion").read_text().strip()


def boot(folder: Path, job: Job, out: Sink, err: Sink, last_progress: LastProgress) -> Ended:
    """Run the job in namespaces of its own, which are removed however it ends."""
    # The kernel releases an abstract name when this process ends.
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as claim:
        try:
            claim.bind("\0wlab-host")
        except OSError:
            raise LabError("--on host: another run is in progress; they would disturb each other") from None
        job.real_time = True
        write_job(folder, job, ())
        wires = wire_plain(out, err)
        machine = Machine(
            [str(BIN / "wlab-init"), "container", str(folder)],
            [f"-t{INSTANCE}"],
            {"PATH": os.environ.get("PATH", os.defpath)},
        )
        status, in_time = attend(machine, job, wires, wires.guest_fds, last_progress)
    return verdict(folder, job, b"", in_time)
