# SPDX-License-Identifier: GPL-2.0
"""Whether Secure Boot keeps the module out."""

import lzma
from contextlib import suppress
from pathlib import Path

from .machine import Machine
from .report import NOTE, WARN, Answers, Checks, Unknown, check

CHECKS: Checks = []
# The variable of EFI's specification, four bytes of attributes and one that is 1 where it is on.
SECURE_BOOT = "/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"
SIGNED = b"~Module signature appended~\n"
# Where `make install` and DKMS of Debian and others put it.
FOLDERS = ("updates/dkms", "updates", "extra")
# DKMS makes a key of its own and signs with it; the machine's owner has to say at a boot that it is his.
ENROL = "mokutil --import /var/lib/dkms/mok.pub; then reboot and choose: Enroll MOK"
GET = "apt-get install openssl mokutil"
SIGN = f"{GET}; dkms install --force wlink/$(modinfo -F version sch_wlink); {ENROL}"
MAKE = f"{GET} ./wlink-dkms_*.deb linux-headers-$(uname -r); {ENROL}"


def module(machine: Machine) -> bytes:
    """The module's file for the running kernel; empty where there is none."""
    release = machine.get("/proc/sys/kernel/osrelease")
    for folder in FOLDERS:
        path = Path(f"{machine.root}/lib/modules/{release}/{folder}/sch_wlink.ko")
        with suppress(OSError):
            return path.read_bytes()
        try:
            return lzma.decompress(path.with_suffix(".ko.xz").read_bytes())
        except OSError:
            continue
        except lzma.LZMAError:
            raise Unknown(f"{path.with_suffix('.ko.xz')} is no file of xz") from None
    return b""


@check(CHECKS, "secure-boot")
def secure_boot(machine: Machine) -> Answers:
    """with Secure Boot a kernel loads modules only that are signed with a key it knows"""
    if machine.get(SECURE_BOOT)[4:5] != "\x01" or machine.get("/sys/module/sch_wlink/initstate"):
        return None
    data = module(machine)
    if not data:
        return NOTE, "on, and there is no sch_wlink for this kernel yet", MAKE
    if not data.endswith(SIGNED):
        return WARN, "on, and sch_wlink is not signed: modprobe says Key was rejected by service", SIGN
    change = f"modprobe sch_wlink; if it says Key was rejected by service: {ENROL}"
    return NOTE, "on; sch_wlink is signed and not loaded", change
