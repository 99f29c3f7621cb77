# SPDX-License-Identifier: GPL-2.0
"""The module of LTE and NR: loaded with the first word of it, held as long as a link that was told one."""

import json
from pathlib import Path

from lab import expect, wlab

PLAIN = ("", "mode am", "mode um sched rr", "harq off", "drx off tdd off", "sched pf gbr 1kbit")
WORDS = {
    "mode lte-um": "lte-um",
    "mode lte-am": "lte-am",
    "mode nr-am": "nr-am",
    "harq 8": "harq",
    "sr 5ms": "sr",
    "drx 40ms drx_on 2ms": "drx",
    "rrc_idle 1s": "rrc_idle",
    "tdd DDSUU tdd_special 5": "tdd",
    "sched rr rb 50": "rb",
}
# The lab has no folder of modules: what stands for modprobe inserts $1.
BEGIN = """
ip link add dummy1 up type dummy
printf '#!/bin/sh\\n[ "$*" = "-q -- wlink_3gpp" ] && insmod %s\\n' "$1" >/tmp/modprobe
chmod +x /tmp/modprobe
sysctl -qw kernel.modprobe=/tmp/modprobe
loaded() { grep -c '^wlink_3gpp ' /proc/modules; }
link() { tc qdisc add dev dummy1 root handle 1: wlink rate 1mbit tti 1ms $1; }
end() { tc qdisc del dev dummy1 root; }
rmmod wlink_3gpp
exec 2>&1
"""
# Each line: what was said of the link, whether the module is there.
LOADS = """
link "%s"; loaded; end
"""
HOLDS = """
link "%s"; loaded; rmmod wlink_3gpp; end; rmmod wlink_3gpp; loaded
"""
CHANGES = """
link ""; tc class add dev dummy1 parent 1: classid 1:2 wlink; loaded
wlinkctl set dummy1 bearer 2 mode nr-am >/dev/null; loaded; wlinkctl set dummy1 bearer 2 mode tm >/dev/null
rmmod wlink_3gpp; end; rmmod wlink_3gpp
"""
MISSES = """
sysctl -qw kernel.modprobe=/bin/false
link "%s"
"""
HELD = "rmmod: ERROR: Module wlink_3gpp is in use"


def said(script: str) -> list[str]:
    """What the guest says where the module was removed first."""
    module = Path(json.loads(wlab("build", "--json").out)["module"]).with_name("wlink_3gpp.ko")
    called = wlab("exec", "--", "sh", "-c", BEGIN + script, "sh", str(module))
    expect(called.status == 0, called.err)
    return called.out.splitlines()


def check_the_module_of_lte_and_nr() -> str:
    """A plain link does without it, each word of it loads it, and it goes after the link, not before."""
    script = "".join(LOADS % words for words in PLAIN) + "".join(HOLDS % words for words in WORDS)
    lines = said(script + CHANGES + "".join(MISSES % words for words in WORDS) + "true")
    plain, lines = lines[: len(PLAIN)], lines[len(PLAIN) :]
    expect(plain == ["0"] * len(PLAIN), f"with plain links: {plain}")
    held, lines = lines[: 3 * len(WORDS)], lines[3 * len(WORDS) :]
    expect(held == ["1", HELD, "0"] * len(WORDS), f"with its words: {held}")
    changed, lines = lines[:3], lines[3:]
    expect(changed == ["0", "1", HELD], f"a class that changes to nr-am and back: {changed}")
    missing = [
        f"Error: wlink: {word} needs module wlink_3gpp, not found."
        for word in WORDS.values()
    ]
    expect(lines == missing, f"without the module: {lines}")
    return f"{len(PLAIN)} plain links, {len(WORDS)} words"
