# SPDX-License-Identifier: GPL-2.0
"""Inside the lab kernel: one of two machines whose clocks and logs are merged outside.

merge_guest.py AHEAD_S MAXERROR_US WRONG_MS: TAI is AHEAD_S ahead of MONOTONIC; at
first it is WRONG_MS more and nobody has synchronised it, after 1.5 s it is set
right. The log goes to standard output, the true distance to standard error.
"""

import os
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))

from record_guest import MAXERROR, STATUS, adjust
from seeing_kit import Blast, device, expect, idle, instances, sh

# Of <sys/timex.h>, in a tick of which time is in us.
TAI, SETOFFSET, NANO, PLL, UNSYNC = 0x80, 0x100, 0x2000, 0x1, 0x40


def main(ahead_s: int, maxerror_us: int, wrong_ms: int) -> None:
    sh("sysctl -qw net.ipv6.conf.all.disable_ipv6=1 net.ipv6.conf.default.disable_ipv6=1")
    device("va", "rate 2mbit")
    adjust(TAI, constant=37)
    mono = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
    time.clock_settime_ns(time.CLOCK_REALTIME, mono + (ahead_s - 37) * 10**9 + wrong_ms * 10**6)
    if not wrong_ms:
        adjust(STATUS | MAXERROR, status=PLL, maxerror=maxerror_us)
    recorder = subprocess.Popen("wlinkctl record va - --for 4s".split())
    while not instances():
        time.sleep(0.001)
    blast = Blast("va", 1, 300, 0.01)
    time.sleep(1.5)
    if wrong_ms:
        adjust(SETOFFSET | NANO, sec=-1, usec=10**9 - wrong_ms * 10**6)
        adjust(STATUS | MAXERROR, status=PLL, maxerror=maxerror_us)
    blast.join()
    idle("va")
    expect(recorder.wait() == 0, "the recorder failed")
    clocks = time.clock_gettime_ns(time.CLOCK_MONOTONIC), time.clock_gettime_ns(time.CLOCK_TAI)
    print(f"distance {clocks[1] - clocks[0]}", file=sys.stderr, flush=True)


main(*map(int, sys.argv[1:]))
