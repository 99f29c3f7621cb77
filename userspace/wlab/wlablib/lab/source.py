# SPDX-License-Identifier: GPL-2.0
"""The kernel source from which lab kernels are built, unpacked once for all of them."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from ..lib.paths import BUILD, BUILT, LAB, LABS, PATCHES, PREBUILT, ROOT, LabError
from ..lib.progress import Progress, follow

# The tick of User Mode Linux, and the file that sets it: no configuration option does.
HZ = 100
HZ_FILE = "arch/um/Kconfig"
HZ_LINES = "config HZ\n\tint\n\tdefault {}\n"

# Sources that no lab kernel is built from. Their Kconfig files and Makefiles stay.
UNUSED = tuple(
    f"drivers/{name}/*"
    for name in (
        "gpu media scsi staging usb clk pinctrl infiniband video iio crypto mtd hwmon platform"
        " net/ethernet net/wireless net/can net/phy net/usb net/dsa net/wan net/fddi misc bluetooth"
        " soc mfd regulator isdn comedi accel atm s390 edac md nvme message ata mmc leds target"
    ).split()
) + ("sound/*", "tools/perf/*", "samples/*") + tuple(
    f"arch/{name}/*"
    for name in (
        "alpha arc arm arm64 csky hexagon ia64 loongarch m68k microblaze mips nios2 openrisc parisc"
        " powerpc riscv s390 sh sparc xtensa"
    ).split()
)


# Where packages put kernel sources.
INSTALLED = Path("/usr/src")
# The newest kernel that the lab is made for: its source's package, and the suite of Debian that has it.
NEWEST = "linux-source-7.3"
SUITE = "trixie-backports"
# From this version on the lab's kernel can do without ptrace, and keeps registers of any size.
SECCOMP, LARGE_REGISTERS = (6, 16), (6, 13)
# Says why it cannot be had; it is not tried again while this is there.
REFUSED = LAB / f"{NEWEST}.refused"
LOST = "TCP takes up to twice the time, there is no dualpi2, and processors with AMX cannot run it"


def large_registers() -> bool:
    """Whether this processor has more registers than User Mode Linux before 6.13 keeps."""
    with suppress(OSError):
        return "amx_tile" in Path("/proc/cpuinfo").read_text()
    return False


def tarballs(*folders: Path) -> list[Path]:
    """The kernel sources in some folders, the newest last."""
    found = [path for folder in folders for path in folder.glob("linux-source-*.tar.xz")]
    return sorted(found, key=lambda p: [int(n) for n in re.findall(r"\d+", p.name)])


def chosen() -> Path | None:
    """The kernel source to build from, if it is there: that of WLAB_LINUX, or the newest.

    Where that cannot be had, that of the machine's suite. Of a wheel the name of what it was built from.
    """
    if PREBUILT:
        return Path("linux-source-" + json.loads((BUILT / "lab" / "current.json").read_text())["version"])
    if wanted := os.environ.get("WLAB_LINUX"):
        if not Path(wanted).is_file():
            raise LabError(f"WLAB_LINUX names {wanted}, which is not there")
        return Path(wanted)
    there = tarballs(INSTALLED, *LABS)[-1:]
    if not REFUSED.exists():
        there = [path for path in there if numbers(path.name) >= numbers(NEWEST)]
    return there[0] if there else None


def find_tarball() -> Path:
    """The kernel source to build from; fetched or installed first if need be."""
    if path := chosen() or fetch(NEWEST, SUITE):
        return path
    path = own()
    print(f"wlab: {REFUSED.read_text().strip()}", file=sys.stderr)
    print(f"wlab: the lab is built from {path.name} instead: {LOST}", file=sys.stderr)
    return path


def own() -> Path:
    """The kernel source of the machine's release; installed first if need be."""
    if not tarballs(INSTALLED):
        install("source")
    if not (there := tarballs(INSTALLED)):
        raise LabError(f"there is no {INSTALLED}/linux-source-*.tar.xz")
    return there[-1]


def fetch(package: str, suite: str) -> Path | None:
    """A kernel source of another suite of Debian; REFUSED has the reason for none."""
    LAB.mkdir(parents=True, exist_ok=True)
    print(f"wlab: fetching {package} of Debian's {suite}, 160 MB", file=sys.stderr)
    with tempfile.TemporaryDirectory(dir=LAB, prefix=".fetch.") as folder:
        argv = [str(ROOT / "userspace" / "fetch"), suite, package, folder]
        done = subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        if done.returncode:
            REFUSED.write_text(f"{done.stderr.strip()}\n")
            return None
        # Its version is in its name.
        path = LAB / f"{package}_{done.stdout.strip()}.tar.xz"
        return Path(folder, "usr/src", f"{package}.tar.xz").rename(path)


def install(*groups: str) -> None:
    """Install the required packages, or print the command for it."""
    need = [str(ROOT / "userspace" / "need"), "build", "lab", *groups]
    env = {**os.environ, "WLAB_BUILD": str(BUILD)}
    if subprocess.run(need, stdout=sys.stderr, env=env, check=False).returncode:
        raise LabError("packages are missing")


def version_of(tarball: Path) -> str:
    """The version of the source's package."""
    package, _, version = tarball.name.removesuffix(".tar.xz").partition("_")
    if version:
        return version.replace("~", "-").replace(":", "-")
    argv = ["dpkg-query", "-W", "-f", "${Version}", package]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    version = done.stdout.strip() or f"{package.removeprefix('linux-source-')}-local"
    return version.replace("~", "-").replace(":", "-")


def numbers(version: str) -> tuple[int, ...]:
    """The first two numbers of a version, or of a tarball's name."""
    return tuple(int(n) for n in re.findall(r"\d+", version)[:2])


# Patches of code that stable kernels got one by one: a version without it has nothing to mend.
IF_THERE = "if-there"


def fits(path: Path, version: str) -> bool:
    """Whether a patch in a folder before-X.Y or since-X.Y is for this version."""
    folder = path.parent.name
    return (numbers(version) < numbers(folder)) == folder.startswith("before")


def patches(version: str) -> list[Path]:
    """The lab's patches of a kernel: of every kernel, then of some only."""
    some = [path for path in sorted(PATCHES.glob("*-[0-9]*/*.patch")) if fits(path, version)]
    every = [*PATCHES.glob("*.patch"), *PATCHES.glob(f"{IF_THERE}/*.patch")]
    return [*sorted(every, key=lambda path: path.name), *some]


def patches_digest(version: str) -> str:
    """The digest of these patches."""
    return hashlib.sha256(b"".join(path.read_bytes() for path in patches(version))).hexdigest()


def sanitizer_patches() -> list[Path]:
    """What the sanitizer kernel gets besides."""
    return sorted(PATCHES.glob("sanitize/*.patch"))


def patch(tree: Path, version: str) -> None:
    """Apply the patches."""
    for path in patches(version):
        apply(path, tree, version)


def apply(path: Path, tree: Path, version: str) -> None:
    """Apply a patch; a file that has other links gets a new one in its place."""
    argv = ["patch", "-p1", "-sN", "--no-backup-if-mismatch", "-d", str(tree), "-i", str(path)]
    trial = subprocess.run([*argv, "--dry-run"], capture_output=True, check=False)
    if path.parent.name == IF_THERE and trial.returncode:
        return
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    if done.returncode:
        name = path.relative_to(PATCHES)
        raise LabError(f"{done.stdout}{name} does not apply; the lab does not support Linux {version}")


def unpack(tarball: Path, tree: Path, progress: Progress) -> None:
    """Unpack those parts of the source from which a lab kernel is built."""
    files = 0

    def count(line: str | None) -> str:
        nonlocal files
        if line:
            files += 1
        return f"unpacking, {files} files"

    exclude = [f"--exclude=*/{pattern}.[chS]" for pattern in UNUSED]
    argv = ["tar", "-xvf", str(tarball), "-C", str(tree), "--strip-components=1", *exclude]
    follow(argv, progress, count)


def unpacked(tarball: Path, version: str, progress: Progress) -> Path:
    """The folder of the unpacked and patched source; the caller holds the kernel's lock."""
    text = repr((patches_digest(version), UNUSED, tarball.stat().st_size))
    key = hashlib.sha256(text.encode()).hexdigest()[:12]
    folder = LAB / f"source-{version}-{key}"
    if not folder.exists():
        fresh = LAB / f".source-{version}"
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(parents=True)
        unpack(tarball, fresh, progress)
        patch(fresh, version)
        fresh.rename(folder)
    return folder


def link_tree(source: Path, tree: Path) -> None:
    """Make a tree to build in, of hard links to the source, which no build writes."""
    shutil.copytree(source, tree, symlinks=True, copy_function=os.link)


def set_hz(tree: Path, hz: int) -> None:
    """Set another tick in one tree, by a new file in place of the link."""
    if hz == HZ:
        return
    path = tree / HZ_FILE
    text = path.read_text()
    if text.count(HZ_LINES.format(HZ)) != 1:
        raise LabError(f"{HZ_FILE} does not set HZ to {HZ} as the lab knows it")
    path.unlink()
    path.write_text(text.replace(HZ_LINES.format(HZ), HZ_LINES.format(hz)))
