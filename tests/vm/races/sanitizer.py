# SPDX-License-Identifier: GPL-2.0
"""Whether the kernel has really watched the module in the cases before."""

import os
import re
from pathlib import Path

from steps import PAYLOAD, case, expect, sh

# Of the compiler's calls, one that every module has.
CALLS = {"kasan": b"__asan_load8", "kcsan": b"__tsan_read8"}
KIND = os.environ["SANITIZER"]


@case(f"{KIND} has watched the module")
def _() -> str:
    for name in ("sch_wlink", "wlink_3gpp"):
        data = Path(f"{PAYLOAD}/{name}.ko").read_bytes()
        expect(CALLS[KIND] in data, f"{name} never calls {KIND}")
    if KIND == "kasan":
        expect("KernelAddressSanitizer initialized" in sh("dmesg"), "KASAN is not at work")
        at_work = re.search(r"debug_locks: +1", sh("cat /proc/lockdep_stats"))
        expect(at_work is not None, "lockdep has given up")
        return ""
    said = dict(re.findall(r"^(\w+): (\d+)", sh("cat /sys/kernel/debug/kcsan"), re.M))
    watched = int(said["setup_watchpoints"])
    expect(watched > 10000, f"KCSAN has watched {watched} accesses")
    return f"{watched} accesses watched"
