# SPDX-License-Identifier: GPL-2.0
"""What make install puts into a system, what make uninstall leaves of it, and one module only."""

import os
import re
import subprocess
import tempfile
from pathlib import Path

from harness import Checks

ROOT = Path(__file__).resolve().parents[3]
MODULES = ("sch_wlink.ko", "wlink_3gpp.ko")
# Says what dkms would have, and writes down what it is asked to do.
DKMS = """#!/bin/sh
[ "$1" = status ] || echo "$*" >>"$DKMS_ASKED"
[ "$1" != status ] || cat "$DKMS_HAS"
"""


class System:
    """A folder that stands for a system, with a module that has been built."""

    def __init__(self, at: Path) -> None:
        self.at = at
        (at / "bin").mkdir()
        (at / "bin/dkms").write_text(DKMS)
        (at / "bin/depmod").write_text("#!/bin/sh\n")
        for name in ("dkms", "depmod"):
            (at / "bin" / name).chmod(0o755)
        (at / "built").mkdir()
        for name in MODULES:
            (at / "built" / name).write_text("a module")
        (at / "has").write_text("")
        (at / "asked").write_text("")

    def make(self, *words: str) -> str:
        """Without kernel headers: the module is the one that is there."""
        env = os.environ | {
            "PATH": f"{self.at}/bin:{os.environ['PATH']}:/usr/sbin:/sbin",
            "DKMS_HAS": str(self.at / "has"),
            "DKMS_ASKED": str(self.at / "asked"),
        }
        root = self.at / "root"
        installed = " ".join(f"{root}/updates/{name}" for name in MODULES)
        module = f"MODLIB={root}/updates", f"MODLIBS={installed}", f"MODDIR={self.at}/built"
        into = f"PREFIX={root}/usr/local", f"TCLIB={root}/tc", f"DKMSSRC={root}/src"
        argv = ["make", "-s", "-C", str(ROOT), "KDIR=/none", "KREL=1.2.3", *into, *module, *words]
        return subprocess.run(argv, env=env, text=True, capture_output=True, check=True).stdout

    def asked(self) -> list[str]:
        return (self.at / "asked").read_text().splitlines()

    def files(self) -> set[str]:
        root = self.at / "root"
        return {str(p.relative_to(root)) for p in root.rglob("*") if not p.is_dir() or p.is_symlink()}


def check_install(checks: Checks) -> None:
    with tempfile.TemporaryDirectory() as folder:
        system = System(Path(folder))
        system.make("install")
        have = system.files()
        checks.true("both modules", {f"updates/{name}" for name in MODULES} <= have, have)
        pages = {p.name for p in (ROOT / "Documentation/man").iterdir()}
        checks.equal("all pages", {Path(p).name for p in have if "/man/" in p}, pages)
        text = "".join(p.read_text() for p in (ROOT / "Documentation/man").iterdir())
        named = set(re.findall(r"/(usr/local/[\w./-]*\w)", text))
        checks.true("the manuals name installed files", named != set())
        checks.equal("and each of them is there", sorted(named - have), [])
        system.make("uninstall")
        checks.equal("nothing is left", system.files(), set())


def version() -> str:
    found = re.search(r'WLINK_VERSION\s+"([\d.]+)"', (ROOT / "kernel/version.h").read_text())
    assert found
    return found[1]


def check_one_module(checks: Checks) -> None:
    """A module of dkms and one of make install hide each other, and dkms would remove the wrong one."""
    with tempfile.TemporaryDirectory() as folder:
        system = System(Path(folder))
        installed = {f"updates/{name}" for name in MODULES}
        system.make("install")
        system.make("dkms-install")
        checks.equal("dkms-install takes the others away", system.files() & installed, set())
        conf = (Path(folder) / f"root/src/wlink-{version()}/dkms.conf").read_text()
        for name in MODULES:
            checks.true(f"dkms.conf has {name}", f']="{name.removesuffix(".ko")}"' in conf, conf)
        checks.true("dkms.conf has the version", f'PACKAGE_VERSION="{version()}"' in conf, conf)
        checks.equal("dkms is asked", system.asked(), [f"install wlink/{version()}"])
        (system.at / "has").write_text(f"wlink/{version()}, 1.2.3, x86_64: installed\n")
        said = system.make("install")
        checks.true("install leaves the module to dkms", "module: left to dkms" in said, said)
        checks.equal("and adds none", system.files() & installed, set())
        system.make("uninstall")
        checks.equal("dkms gives it back", system.asked()[1:], [f"remove wlink/{version()} --all"])
        checks.equal("nothing is left", system.files(), set())


def check_version(checks: Checks, build: Path) -> None:
    tool = subprocess.run(
        [build / "bin/wlinkctl", "--version"], text=True, capture_output=True, check=True
    ).stdout
    checks.equal("wlinkctl has the module's version", tool, f"wlinkctl {version()}\n")
    changes = (ROOT / "debian/changelog").read_text()
    checks.true("and so have the packages", changes.startswith(f"wlink ({version()}) "), changes)
    crate = (ROOT / "userspace/lib/rust/Cargo.toml").read_text()
    checks.true("and so has the crate", f'\nversion = "{version()}"\n' in crate, crate)
    module = (ROOT / "kernel/message/tc.c").read_text()
    checks.true("the module tells it", "MODULE_VERSION(WLINK_VERSION);" in module)
