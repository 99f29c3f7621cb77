# SPDX-License-Identifier: GPL-2.0
"""The kernel sources of Debian that a lab can be built from, besides the one that it is built from."""

import hashlib
import os
import shutil
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from unittest import mock

from lab import OUT, ROOT, Skipped, call, expect, linux

sys.path.insert(0, str(ROOT / "userspace/wlab"))

from wlablib.lab import build, source  # noqa: E402
from wlablib.lib.paths import PATCHES, RENO, LabError  # noqa: E402
from wlablib.lib.progress import Progress  # noqa: E402

# Those of Debian's releases, and the newest, with their suites.
SUITES = {
    "linux-source-6.1": "bookworm",
    "linux-source-6.12": "trixie",
    source.NEWEST: source.SUITE,
}
# The symbols of a kernel that is not built are not known.
UNKNOWN = "KBUILD_MODPOST_WARN=1"
# As targets of their own, objects of 6.1 in arch/um are compiled without what arch/um says of their folders.
EACH = ".objects: ; $(foreach one,$(OBJECTS),$(MAKE) $(build)=$(patsubst %/,%,$(dir $(one))) $(one) &&) true"
# Its cases do not use each other's results.
APART = True


def tarball(package: str, suite: str, folder: Path) -> Path:
    """A source that is installed, or fetched."""
    installed = Path("/usr/src", f"{package}.tar.xz")
    if installed.exists():
        return installed
    done = call([str(ROOT / "userspace/fetch"), suite, package, str(folder)])
    if done.returncode:
        raise Skipped(done.stderr.strip())
    return folder / "usr/src" / installed.name


def objects(patches: list[Path]) -> list[str]:
    """What is compiled of the files that the patches change."""
    lines = [line for path in patches for line in path.read_text().splitlines()]
    files = [line.split("/", 1)[1] for line in lines if line.startswith("+++ ") and line.endswith(".c")]
    return sorted({f"{file.removesuffix('.c')}.o" for file in files})


def must(*argv: str) -> None:
    done = call([*argv])
    expect(done.returncode == 0, f"{' '.join(argv)}\n{done.stdout[-2000:]}{done.stderr[-4000:]}")


def prepared(package: str, suite: str, make: list[str], folder: Path) -> Path:
    """A tree that has the patches and can compile modules, kept while patches and configurations last.

    Each kind of lab kernel gets its configuration, and what the patches change is compiled.
    """
    patches = [*source.patches(package), *source.sanitizer_patches()]
    parts = (*patches, *build.fragments(True), Path(build.__file__), Path(source.__file__))
    texts = [path.read_text() for path in parts]
    tree = folder / hashlib.sha256(repr(texts).encode()).hexdigest()[:12]
    if tree.exists():
        return tree
    shutil.rmtree(folder, ignore_errors=True)
    fresh = folder / "fresh"
    fresh.mkdir(parents=True)
    progress = Progress(package)
    source.unpack(tarball(package, suite, folder / "fetched"), fresh, progress)
    shutil.rmtree(folder / "fetched", ignore_errors=True)
    source.patch(fresh, package)
    for path in source.sanitizer_patches():
        source.apply(path, fresh, package)
    for sanitize in (True, False):
        build.configure(fresh, [*make, str(fresh)], build.fragments(sanitize), progress, folder / "log")
    must(*make, str(fresh), "modules_prepare")
    must(*make, str(fresh), "--eval", EACH, f"OBJECTS={' '.join(objects(patches))}", ".objects")
    return fresh.rename(tree)


def accepts(package: str, suite: str) -> str:
    """It takes the configurations and the patches, and all modules are compiled against it."""
    if source.numbers(package) == linux()[1]:
        raise Skipped("the lab's own kernel is built from it")
    folder = OUT / "kernels" / package
    make = ["make", "-s", "ARCH=um", f"-j{os.environ.get('JOBS', '2')}", "-C"]
    tree = prepared(package, suite, make, folder)
    reno, module = folder / "reno", folder / "module"
    shutil.copytree(RENO, reno, dirs_exist_ok=True)
    must(*make, str(ROOT), "module", f"KDIR={tree}", "KUNIT=1", f"MODDIR={module}", f"KFLAGS={UNKNOWN}")
    must(*make, str(tree), f"M={reno}", UNKNOWN, "modules")
    modules = [*folder.glob("module/**/*.ko"), *reno.glob("*.ko")]
    names = {path.name for path in modules}
    expect(names == {*build.MODULES, "wlink_kunit.ko", "tcp_reno_1990.ko"}, f"compiled are {names}")
    return f"{len(source.patches(package))} patches, {len(names)} modules"


def check_patches() -> str:
    """Every folder of patches is for one of the sources at least, and none is for all."""
    names = [*SUITES]
    for path in PATCHES.rglob("*-[0-9]*/*.patch"):
        fits = [name for name in names if source.fits(path, name)]
        expect(0 < len(fits) < len(names), f"{path}: {fits}")
    return ", ".join(names)


CHANGE = "--- a/it.c\n+++ b/it.c\n@@ -1,1 +1,1 @@\n-int old;\n+int mended;\n"


def check_a_patch_of_what_is_not_there() -> str:
    """A patch of what a version lacks is left out, where its folder says so."""
    folder = OUT / "without"
    shutil.rmtree(folder, ignore_errors=True)
    said = []
    with mock.patch.object(source, "PATCHES", folder / "patches"):
        for where, text in (
            ("if-there", "int old;"),
            ("if-there", "int other;"),
            ("since-1.0", "int other;"),
        ):
            (folder / "patches" / where).mkdir(parents=True)
            (folder / "patches" / where / "it.patch").write_text(CHANGE)
            (folder / "it.c").write_text(text + "\n")
            try:
                source.patch(folder, "6.1")
                said.append((folder / "it.c").read_text().strip())
            except LabError as error:
                said.append("it.patch does not apply" * ("it.patch does not apply" in str(error)))
            shutil.rmtree(folder / "patches")
    expect(said == ["int mended;", "int other;", "it.patch does not apply"], f"{said}")
    return f"{len(said)} sources"


# It knows mirrors, but reaches none.
APT = """#!/bin/sh
[ "$1" != indextargets ] || exec /usr/bin/apt-get "$@"
echo E: no network >&2
exit 100
"""
REFUSED = """import sys
sys.path.insert(0, "userspace/wlab")
from wlablib.lab import source
source.LABS = (source.LAB,)
print(source.find_tarball())
"""


def check_the_newest_cannot_be_had() -> str:
    """The newest cannot be had: that of the suite is taken, which is said once, with what is lost."""
    installed = sorted(Path("/usr/src").glob("linux-source-*.tar.xz"), key=lambda p: source.numbers(p.name))
    if not installed or source.numbers(installed[-1].name) >= source.numbers(source.NEWEST):
        raise Skipped(f"installed are {[path.name for path in installed]}")
    own = installed[-1]
    folder = OUT / "refused"
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "bin").mkdir(parents=True)
    apt = folder / "bin" / "apt-get"
    apt.write_text(APT)
    apt.chmod(0o755)
    env = {**os.environ, "WLAB_BUILD": str(folder), "WLAB_LINUX": ""}
    env["PATH"] = f"{apt.parent}:{os.environ['PATH']}"
    said = [call([sys.executable, "-EsB", "-c", REFUSED], env=env) for _ in range(2)]
    expect([one.stdout for one in said] == [f"{own}\n"] * 2, f"{said}")
    for text in (f"no {source.NEWEST} of {source.SUITE}: E: no network", f"{own.name} instead", "no dualpi2"):
        expect(text in said[0].stderr, f"'{text}' is not in:\n{said[0].stderr}")
    expect(not said[1].stderr, f"said again: {said[1].stderr}")
    return own.name


CASES: dict[str, Callable[[], str]] = {
    **{f"kernels: {name}": partial(accepts, name, suite) for name, suite in SUITES.items()},
}
