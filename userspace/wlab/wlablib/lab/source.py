# SPDX-License-Identifier: GPL-2.0
"""The kernel source from which lab kernels are built, unpacked once for all of them."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from ..lib.paths import BUILD, LAB, PATCHES, ROOT, LabError
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


def tarballs() -> list[Path]:
    """The kernel sources that packages of Debian have installed, the newest last."""
    return sorted(
        Path("/usr/src").glob("linux-source-*.tar.xz"),
        key=lambda p: [int(n) for n in re.findall(r"\d+", p.name)],
    )


def find_tarball() -> Path:
    """The newest kernel source that a package of Debian has installed."""
    wanted = os.environ.get("WLAB_LINUX")
    if wanted:
        if not Path(wanted).is_file():
            raise LabError(f"WLAB_LINUX names {wanted}, which is not there")
        return Path(wanted)

    if not tarballs():
        install()
    if not tarballs():
        raise LabError("there is no /usr/src/linux-source-*.tar.xz")
    return tarballs()[-1]


def install() -> None:
    """Install the required packages, or print the command for it."""
    need = [str(ROOT / "userspace" / "need"), "build", "lab"]
    env = {**os.environ, "WLAB_BUILD": str(BUILD)}
    if subprocess.run(need, stdout=sys.stderr, env=env, check=False).returncode:
        raise LabError("packages are missing")


def version_of(tarball: Path) -> str:
    """The version of the source's package."""
    package = tarball.name.removesuffix(".tar.xz")
    done = subprocess.run(
        ["dpkg-query", "-W", "-f", "${Version}", package],
        capture_output=True,
        text=True,
        check=False,
    )
    version = done.stdout.strip() or f"{package.removeprefix('linux-source-')}-local"
    return version.replace("~", "-").replace(":", "-")


# The folder of patches for kernels older than that; later ones have the same of their own.
BEFORE, OLDER = (6, 12), "before-6.12"


def numbers(version: str) -> tuple[int, ...]:
    """The first two numbers of a version."""
    return tuple(int(n) for n in re.findall(r"\d+", version)[:2])


def patches(folder: str = "") -> list[Path]:
    """The lab's patches of every kernel, or with a folder those of some kernels only."""
    return sorted((PATCHES / folder).glob("*.patch"))


def patches_digest(folder: str = "") -> str:
    """The digest of these patches."""
    return hashlib.sha256(b"".join(path.read_bytes() for path in patches(folder))).hexdigest()


def patch(tree: Path, folder: str = "") -> None:
    """Apply the patches. patch(1) writes new files, so that trees that share files by links keep theirs."""
    for path in patches(folder):
        argv = ["patch", "-p1", "-sN", "--no-backup-if-mismatch", "-d", str(tree), "-i", str(path)]
        done = subprocess.run(argv, capture_output=True, text=True, check=False)
        if done.returncode:
            raise LabError(f"{done.stdout}{path.name} does not apply; the lab does not support this kernel")


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
    text = repr((patches_digest(), patches_digest(OLDER), UNUSED, tarball.stat().st_size))
    key = hashlib.sha256(text.encode()).hexdigest()[:12]
    folder = LAB / f"source-{version}-{key}"
    if not folder.exists():
        fresh = LAB / f".source-{version}"
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(parents=True)
        unpack(tarball, fresh, progress)
        patch(fresh)
        if numbers(version) < BEFORE:
            patch(fresh, OLDER)
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
