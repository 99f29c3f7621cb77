# SPDX-License-Identifier: GPL-2.0
"""What a scenario's proxies need of the place where they run."""

import re
import shutil
import subprocess
from pathlib import Path

from ..lab.boot import ENVIRONMENT
from ..lib.paths import LabError
from ..plan import haproxy
from ..scenario.scenario import Scenario

# The oldest with which the tests run, Debian 12's.
HAPROXY_MIN = (2, 6)
INSTALL = "type: userspace/need proxy, or apt install haproxy"
# capabilities(7): by the first a socket becomes transparent, by the second wlink-pep sees SYNs.
CAPABILITIES = {"CAP_NET_ADMIN": 12, "CAP_NET_RAW": 13}


def output(argv: list[str]) -> str | None:
    """What a program prints; None if it fails."""
    try:
        done = subprocess.run(argv, capture_output=True, text=True, check=False)
    except OSError:
        return None
    return done.stdout if done.returncode == 0 else None


def check_haproxy(where: str, printed: str | None) -> str:
    """Check what `haproxy -vv` prints; its version."""
    if printed is None:
        raise LabError(f"{where}: there is no haproxy here; {INSTALL}")
    found = re.search(r"version ((\d+)\.(\d+)\S*)", printed)
    if not found or (int(found[2]), int(found[3])) < HAPROXY_MIN:
        least = ".".join(map(str, HAPROXY_MIN))
        raise LabError(f"{where}: haproxy {found[1] if found else ''} is older than {least}; {INSTALL}")
    for word in ("IP_TRANSPARENT", "IPV6_TRANSPARENT"):
        if word not in printed:
            raise LabError(f"{where}: this haproxy was built without transparent proxies ({word}); {INSTALL}")
    return found[1]


def version(where: str) -> str:
    """The version of the HAProxy that the lab's guest sees as well."""
    program = shutil.which("haproxy", path=ENVIRONMENT["PATH"])
    return check_haproxy(where, output([program, "-vv"]) if program else None)


def check_machine(where: str, ipv6: bool, status: str) -> None:
    """Check this machine's kernel, and the capabilities in /proc/self/status."""
    effective = re.search(r"^CapEff:\s*([0-9a-f]+)", status, re.M)
    have = int(effective[1], 16) if effective else 0
    if lacks := [name for name, bit in CAPABILITIES.items() if not have >> bit & 1]:
        raise LabError(
            f"{where}: root lacks {' and '.join(lacks)} here, which a transparent proxy needs; start the"
            f" container with {' '.join(f'--cap-add {one}' for one in lacks)}, or use --on lab"
        )
    family = "-6" if ipv6 else "-4"
    if output(["ip", family, "rule", "show"]) is None:
        option = "CONFIG_IPV6_MULTIPLE_TABLES" if ipv6 else "CONFIG_IP_MULTIPLE_TABLES"
        raise LabError(
            f"{where}: this machine's kernel has no policy routing ({option}); the lab's has it: --on lab"
        )


def check(name: str, scenarios: list[Scenario]) -> None:
    """Refuse proxies that the place cannot run, before anything is made or booted."""
    for sc in (sc for sc in scenarios if sc.proxies):
        where = f"proxy.{sc.proxies[0].name}"
        if name == "vm" and any(proxy.program == "haproxy" for proxy in sc.proxies):
            raise LabError(f"{where}: the VM has no haproxy; use --on lab, live or host")
        if any(proxy.program == "haproxy" for proxy in sc.proxies):
            version(where)
        if name == "host":
            check_machine(f"{where}.on", sc.net.ipv6, Path("/proc/self/status").read_text())
        for key in ("sndbuf", "rcvbuf") if name != "lab" else ():
            owner, size = haproxy.largest(sc, key)
            if size > haproxy.MEM_MAX:
                raise LabError(
                    f"proxy.{owner}.{key}: {size} is above {haproxy.MEM_MAX}, the kernel's maximum for all"
                    " of a machine's sockets, which only --on lab raises"
                )
