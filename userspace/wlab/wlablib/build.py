# SPDX-License-Identifier: GPL-2.0
"""Makes the lab kernel once, and keeps all that runs in it up to date."""

import contextlib
import fcntl
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from .paths import BIN, BUILD, CONFIG, GUEST, LAB, ROOT, TC, LabError, stale
from .progress import Progress, follow, quiet

# Steps of a build of 6.1 as make prints them; only the display depends on it.
STEPS_EXPECTED = 1090

# The lab's own programs, of guest/.
OWN = ("wlab-init", "wlab-guest", "wlab-log", "wlab-keep")

# (file, text, what to put in its place). User Mode Linux rounds its clock to
# 256 ns although virtual time is in ns; the rounding depends on how the boot
# went, and would make two runs of one seed differ by a grain now and then.
PATCHES = (
    (
        "arch/um/include/linux/time-internal.h",
        "#define TIMER_MULTIPLIER 256",
        "#define TIMER_MULTIPLIER 1",
    ),
)

# Options that later kernels have under another name.
RENAMED = {"CONFIG_PROC_SYSCTL=y": "CONFIG_SYSCTL=y"}

# Sources no lab kernel is made of. Their Kconfig files and Makefiles stay.
UNUSED = tuple(
    f"drivers/{name}/*"
    for name in (
        "gpu media scsi staging usb clk pinctrl infiniband video iio crypto mtd hwmon platform"
        " net/ethernet net/wireless net/can net/phy net/usb net/dsa net/wan net/fddi misc bluetooth"
        " soc mfd regulator isdn comedi accel atm s390 edac md nvme message ata mmc leds rtc target"
    ).split()
) + ("sound/*", "tools/perf/*", "samples/*") + tuple(
    f"arch/{name}/*"
    for name in (
        "alpha arc arm arm64 csky hexagon ia64 loongarch m68k microblaze mips nios2 openrisc parisc"
        " powerpc riscv s390 sh sparc xtensa"
    ).split()
)


@dataclass(frozen=True)
class Kernel:
    """A built lab kernel."""

    folder: Path
    version: str

    @property
    def binary(self) -> Path:
        return self.folder / "linux"

    @property
    def tree(self) -> Path:
        return self.folder / "tree"

    @property
    def module(self) -> Path:
        return self.folder / "module" / "sch_wlink.ko"

    @property
    def kunit(self) -> Path:
        return self.folder / "kunit" / "tests" / "kunit" / "wlink_kunit.ko"

    def numbers(self) -> tuple[int, ...]:
        return tuple(int(n) for n in re.findall(r"\d+", self.version)[:2])


@contextlib.contextmanager
def lock(what: str) -> Iterator[None]:
    """One build of a thing at a time; others wait for it."""
    LAB.mkdir(parents=True, exist_ok=True)
    with (LAB / f".lock.{what}").open("w") as f:
        fcntl.flock(f, fcntl.LOCK_EX)
        yield


def find_tarball() -> Path:
    """Newest kernel source that Debian's packages have put there."""
    wanted = os.environ.get("WLAB_LINUX")
    if wanted:
        if not Path(wanted).is_file():
            raise LabError(f"WLAB_LINUX names {wanted}, which is not there")
        return Path(wanted)

    def found() -> list[Path]:
        return sorted(
            Path("/usr/src").glob("linux-source-*.tar.xz"),
            key=lambda p: [int(n) for n in re.findall(r"\d+", p.name)],
        )

    if not found():
        install()
    if not found():
        raise LabError("there is no /usr/src/linux-source-*.tar.xz")
    return found()[-1]


def install() -> None:
    """Have the packages there, or say what to type."""
    need = [str(ROOT / "userspace" / "need"), "build", "lab"]
    if subprocess.run(need, stdout=sys.stderr, check=False).returncode:
        raise LabError("packages are missing")


def recipe() -> str:
    """Digest of all that decides what is built from a source."""
    return hashlib.sha256(CONFIG.read_bytes() + repr(PATCHES).encode()).hexdigest()


def patch(tree: Path) -> None:
    """Apply PATCHES."""
    for name, old, new in PATCHES:
        text = (tree / name).read_text()
        if text.count(old) != 1:
            raise LabError(f"{name} has not the line '{old}'; this kernel is not known to the lab")
        (tree / name).write_text(text.replace(old, new))


def key_of(tarball: Path) -> tuple[str, str]:
    """(version, folder name) of the kernel made of this source."""
    package = tarball.name.removesuffix(".tar.xz")
    done = subprocess.run(
        ["dpkg-query", "-W", "-f", "${Version}", package],
        capture_output=True,
        text=True,
        check=False,
    )
    version = done.stdout.strip() or f"{package.removeprefix('linux-source-')}-local"
    version = version.replace("~", "-").replace(":", "-")
    return version, f"{version}-{recipe()[:12]}"


def kernel() -> Kernel:
    """The lab kernel, made first if need be."""
    tarball = find_tarball()
    st = tarball.stat()
    stamp = [str(tarball), st.st_size, st.st_mtime_ns, recipe()]
    current = LAB / "current.json"
    with contextlib.suppress(OSError, ValueError, KeyError):
        said = json.loads(current.read_text())
        have = Kernel(LAB / said["folder"], said["version"])
        if said["stamp"] == stamp and have.binary.exists():
            return have
    with lock("kernel"):
        version, name = key_of(tarball)
        made = Kernel(LAB / name, version)
        if not made.binary.exists():
            make_kernel(tarball, made)
        current.write_text(json.dumps({"stamp": stamp, "folder": name, "version": version}))
    return made


def make_kernel(tarball: Path, made: Kernel) -> None:
    """Unpack, configure and compile."""
    install()
    progress = Progress(f"lab kernel {made.version}")
    shutil.rmtree(made.folder, ignore_errors=True)
    made.tree.mkdir(parents=True)
    log = made.folder / "build.log"
    unpack(tarball, made.tree, progress)
    patch(made.tree)
    make = ["make", "-C", str(made.tree), "ARCH=um", f"-j{os.cpu_count() or 1}"]
    follow([*make, "tinyconfig"], progress, lambda _: "configuring", log=log)
    merge = [str(made.tree / "scripts/kconfig/merge_config.sh"), "-m", ".config", str(CONFIG)]
    follow(merge, progress, lambda _: "configuring", cwd=made.tree, log=log)
    follow([*make, "olddefconfig"], progress, lambda _: "configuring", log=log)
    check_config(made.tree / ".config")
    steps = 0
    step = ""

    def count(line: str | None) -> str:
        nonlocal steps, step
        if line and line.startswith("  "):
            steps += 1
            step = line.strip()
        return f"step {steps} of about {max(STEPS_EXPECTED, steps)}: {' '.join(step.split())}"

    follow([*make, "linux", "modules"], progress, count, log=log)
    shutil.copy2(made.tree / "linux", made.folder / "linux.new")
    (made.folder / "linux.new").rename(made.binary)
    progress.done("done")


def unpack(tarball: Path, tree: Path, progress: Progress) -> None:
    """The parts of the source that a lab kernel can be made of."""
    files = 0

    def count(line: str | None) -> str:
        nonlocal files
        if line:
            files += 1
        return f"unpacking, {files} files"

    exclude = [f"--exclude=*/{pattern}.[chS]" for pattern in UNUSED]
    argv = ["tar", "-xvf", str(tarball), "-C", str(tree), "--strip-components=1", *exclude]
    follow(argv, progress, count)


def check_config(config: Path) -> None:
    """Every line of the fragment must have survived olddefconfig."""
    have = set(config.read_text().splitlines())
    lost = [
        line
        for line in CONFIG.read_text().splitlines()
        if (line.startswith("CONFIG_") and not {line, RENAMED.get(line, line)} & have)
        or (line.startswith("# CONFIG_") and line.split()[1] + "=y" in have)
    ]
    if lost:
        raise LabError("the kernel does not take from lab.config: " + ", ".join(lost))


def make_parts(have: Kernel, kunit: bool = False) -> None:
    """Module, plugin, wlinkctl and the lab's own programs, where out of date."""
    core: tuple[Path, ...] = (ROOT / "kernel", ROOT / "Kbuild")
    jobs: list[tuple[Path, tuple[Path, ...], list[str]]] = []
    make = ["make", "-s", "-C", str(ROOT)]
    kbuild = [*make, "module", f"KDIR={have.tree}", "ARCH=um"]
    if kunit:
        out = have.folder / "kunit"
        sources = (*core, ROOT / "tests" / "kunit")
        jobs.append((have.kunit, sources, [*kbuild, "KUNIT=1", f"MODDIR={out}"]))
    else:
        jobs.append((have.module, core, [*kbuild, f"MODDIR={have.folder / 'module'}"]))
    uapi = ROOT / "kernel" / "include"
    jobs.append((TC / "q_wlink.so", (ROOT / "tc-plugin", uapi), [*make, "plugin"]))
    tool = ROOT / "userspace" / "wlinkctl"
    jobs.append((BIN / "wlinkctl", (tool, uapi), [*make, "tools"]))
    own = ["make", "-s", "-C", str(GUEST), f"OUT={BIN}"]
    jobs += [(BIN / p, (GUEST,), own) for p in OWN]
    if not any(stale(product, *sources) for product, sources, _ in jobs):
        return
    with lock("parts"):
        for product, sources, argv in jobs:
            if stale(product, *sources):
                begun = time.time_ns()
                quiet(argv)
                if not product.exists():
                    raise LabError(f"{' '.join(argv)} did not make {product}")
                # A source that changes meanwhile is newer than its product.
                os.utime(product, ns=(begun, begun))


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
