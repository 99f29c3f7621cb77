# SPDX-License-Identifier: GPL-2.0
"""The places where a scenario runs: the lab, its kernel in real time, this machine, or a VM."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from ..lab import boot, build, host, machine, vm
from ..lab.boot import Ended, Job, LastProgress, Sink
from ..lib.paths import BIN, LabError
from ..plan import commands
from ..scenario import controls
from ..scenario.scenario import Scenario
from . import needs, proxies

SHA256 = "module_sha256"
Boot = Callable[[Path, Job, Sink, Sink, LastProgress], Ended]


@dataclass(frozen=True)
class Place:
    """A place that is ready to run jobs."""

    kernel: str
    # The key and value by which result.json identifies the module's build.
    module: dict[str, str]
    boot: Boot
    programs: commands.Machine
    # Whether its clock is real time.
    real: bool = True

    @property
    def seconds(self) -> str:
        return "seconds" if self.real else "virtual seconds"


THIS_MACHINE = commands.machine(boot.ENVIRONMENT["PATH"].replace(f"{boot.TOOLS}/bin", str(BIN)))


def sha256(*paths: Path) -> str:
    """Of files, one behind the other."""
    digest = hashlib.sha256()
    for path in paths:
        with path.open("rb") as f:
            hashlib.file_digest(f, lambda: digest)
    return digest.hexdigest()


def lab(kernel: build.Kernel, real: bool = False) -> Place:
    """The lab kernel in virtual time, or in real time."""

    def boot_lab(folder: Path, job: Job, out: Sink, err: Sink, last_progress: LastProgress) -> Ended:
        modules = (*kernel.modules(job.reno_1990), *job.controls)
        lab_job = replace(job, modules=modules, mem=kernel.mem, real_time=real)
        return boot.boot(kernel, folder, lab_job, out, err, last_progress)

    return Place(kernel.version, {SHA256: sha256(*kernel.modules())}, boot_lab, THIS_MACHINE, real)


def check(name: str, scenarios: list[Scenario], sanitize: bool, mem: str) -> None:
    """Refuse what the place cannot do, before anything is made or booted."""
    if name != "lab":
        for option, given in (("--sanitize", sanitize), ("--mem", mem)):
            if given:
                raise LabError(f"{option}: only the lab's kernel has it; leave it out, or use --on lab")
    if name in ("lab", "live"):
        machine.require(any(map(commands.has_own, scenarios)))
    if name == "host":
        host.check()
        needs.check(scenarios, host.has, "this machine's kernel")
    if name == "vm":
        vm.check()
    proxies.check(name, scenarios)


def prepare(name: str, scenarios: list[Scenario], sanitize: bool = False, mem: str = "") -> Place:
    """Make all that the place needs, and return it."""
    if name == "host":
        build.make(build.guest_parts())
        return Place(host.release(), {"module_srcversion": host.srcversion()}, host.boot, THIS_MACHINE)
    if name == "vm":
        disk = vm.disk()
        needs.check(scenarios, partial(vm.has, disk), f"the kernel {disk.release} of --on vm")
        modules = vm.make(disk)
        programs = commands.Machine(
            partial(vm.has_program, disk), "the VM has a minimal Debian and Python only"
        )
        return Place(disk.release, {SHA256: sha256(*modules)}, partial(vm.boot, disk, modules), programs)
    kernel = replace(build.kernel(sanitize), memory=mem)
    build.make_parts(kernel)
    for module in (one.path for sc in scenarios for one in sc.controls.values()):
        controls.check_kernel(module, kernel.module)
    return lab(kernel, name == "live")
