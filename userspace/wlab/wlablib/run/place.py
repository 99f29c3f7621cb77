# SPDX-License-Identifier: GPL-2.0
"""Where a scenario is run: the same guest in the lab, on this machine, or in a stock kernel's VM."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from hashlib import file_digest
from pathlib import Path

from ..lab import boot, build, host, vm
from ..lab.boot import Ended, Job, Moved, Sink
from ..lib.paths import BIN, LabError
from ..scenario import commands
from ..scenario.scenario import Scenario
from . import needs

SHA256 = "module_sha256"
Boot = Callable[[Path, Job, Sink, Sink, Moved], Ended]


@dataclass(frozen=True)
class Place:
    """A place, ready: what boots a folder's job there, and what is at work."""

    kernel: str
    # What identifies the build of the module, by the key that result.json has for it.
    module: dict[str, str]
    boot: Boot
    programs: commands.Machine
    # Its clock is the machine's.
    real: bool = True

    @property
    def seconds(self) -> str:
        return "seconds" if self.real else "virtual seconds"


OURS = commands.machine(boot.ENVIRONMENT["PATH"].replace(f"{boot.TOOLS}/bin", str(BIN)))


def sha256(path: Path) -> str:
    with path.open("rb") as f:
        return file_digest(f, "sha256").hexdigest()


def lab(kernel: build.Kernel, real: bool = False) -> Place:
    """The lab kernel: in virtual time, or as that of `wlab live`, whose time is the machine's."""

    def here(folder: Path, job: Job, out: Sink, err: Sink, moved: Moved) -> Ended:
        own = replace(job, module=kernel.module, mem=kernel.mem, real_time=real)
        return boot.boot(kernel, folder, own, out, err, moved)

    return Place(kernel.version, {SHA256: sha256(kernel.module)}, here, OURS, real)


def judge(name: str, some: list[Scenario], sanitize: bool, mem: str) -> None:
    """Refuse what the place cannot do; nothing has been made or booted yet."""
    if name != "lab":
        for option, given in (("--sanitize", sanitize), ("--mem", mem)):
            if given:
                raise LabError(f"{option}: it is of the lab's kernel; leave it out, or take --on lab")
    if name == "host":
        host.check()
        needs.judge(some, host.has, "this machine's kernel")
    if name == "vm":
        vm.check()


def prepare(name: str, some: list[Scenario], sanitize: bool = False, mem: str = "") -> Place:
    """Make what the place needs."""
    if name == "host":
        build.make(build.guest_parts())
        return Place(host.release(), {"module_srcversion": host.srcversion()}, host.boot, OURS)
    if name == "vm":
        disk = vm.disk()
        needs.judge(some, partial(vm.has, disk), f"the kernel {disk.release} of --on vm")
        module = vm.make(disk)
        theirs = commands.Machine(partial(vm.has_program, disk), "the VM has but Debian's least and Python")
        return Place(disk.release, {SHA256: sha256(module)}, partial(vm.boot, disk, module), theirs)
    kernel = replace(build.kernel(sanitize, live=name == "live"), memory=mem)
    build.make_parts(kernel)
    return lab(kernel, name == "live")
