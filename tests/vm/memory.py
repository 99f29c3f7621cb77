# SPDX-License-Identifier: GPL-2.0
"""Memory of packets, on a stock kernel: who pays for it."""

import re
from pathlib import Path

from steps import a, case, expect, sh, xstats

DEV = "dev va"
CGROUPS = Path("/run/cgroups")

# Nobody has that address: the far side drops the packets without an answer.
SEND = """
import socket, sys
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for _ in range(int(sys.argv[1])):
    s.sendto(bytes(int(sys.argv[2])), ("10.0.0.9", 9))
"""


def within(cgroup: str, command: str) -> None:
    """Run a command in namespace a and in a memory cgroup."""
    sh(f"echo $$ >{CGROUPS}/{cgroup}/cgroup.procs; exec ip netns exec a {command}")


def slab(cgroup: str) -> int:
    """Bytes of slab memory that a cgroup pays for and that nobody can take back."""
    stat = (CGROUPS / cgroup / "memory.stat").read_text()
    found = re.search(r"^slab_unreclaimable (\d+)$", stat, re.MULTILINE)
    assert found
    return int(found[1])


def send(packets: int, size: int) -> str:
    """A command that sends as many UDP packets as fast as it can; nobody asks for an address."""
    sh("ip -n a neigh replace 10.0.0.9 lladdr 02:00:00:00:00:02 dev va nud permanent")
    return f"python3 -ISc '{SEND}' {packets} {size}"


@case("descriptors are charged to who makes the link, not to who sends")
def _() -> str:
    CGROUPS.mkdir()
    sh(f"mount -t cgroup2 none {CGROUPS} && echo +memory >{CGROUPS}/cgroup.subtree_control")
    for name in ("maker", "sender"):
        (CGROUPS / name).mkdir()
    within("maker", f"tc qdisc add {DEV} root handle 1: wlink rate 8kbit limit 20000")
    first, made = xstats()["memory"], slab("maker")
    within("sender", send(6000, 20))
    memory, maker, sender = xstats()["memory"] - first, slab("maker") - made, slab("sender")
    a(f"tc qdisc del {DEV} root")
    expect(memory > 500000, f"only {memory} bytes of descriptors came: the case shows nothing")
    expect(maker >= memory * 0.9, f"maker pays for {maker} of {memory} bytes, sender for {sender}")
    expect(sender < memory / 2, f"sender pays for {sender} bytes beside {memory} of descriptors")
    return f"{memory} bytes; maker {maker}, sender {sender}"
