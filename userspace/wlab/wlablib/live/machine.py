# SPDX-License-Identifier: GPL-2.0
"""What the machine had to do while a link was there, for who asks why packets were late."""

import os
import re
from dataclasses import dataclass
from pathlib import Path

STAT = Path("/proc/stat")
LOAD = Path("/proc/loadavg")
CPUINFO = Path("/proc/cpuinfo")
CPUS = Path("/sys/devices/system/cpu")
# The fields of proc_stat(5)'s first line.
FIELDS = ("user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal")


def ticks() -> dict[str, int]:
    """What all processors have done since boot."""
    words = STAT.read_text().split("\n", 1)[0].split()[1:]
    return dict(zip(FIELDS, map(int, words)))


def frequencies_mhz() -> list[float]:
    """Of each processor, now; none where the machine does not say."""
    mhz = [float(p.read_text()) / 1000 for p in CPUS.glob("cpu[0-9]*/cpufreq/scaling_cur_freq")]
    return mhz or [float(x) for x in re.findall(r"^cpu MHz\s*: ([\d.]+)$", CPUINFO.read_text(), re.M)]


@dataclass(frozen=True)
class Machine:
    """The machine over some time."""

    processors: int
    # The number of tasks that run or want to, over the last minute.
    load: float
    # Of the time of all processors; steal is what a hypervisor has given to others.
    busy: float
    steal: float
    # Of the slowest and the fastest processor in the end; zero where it is not known.
    min_mhz: float
    max_mhz: float

    def as_text(self) -> str:
        """In a line."""
        mhz = f"{self.min_mhz:.0f}"
        if f"{self.max_mhz:.0f}" != mhz:
            mhz += f" to {self.max_mhz:.0f}"
        mhz = f"CPU frequency {mhz} MHz" if self.max_mhz else "CPU frequency unknown"
        return (
            f"machine: load {self.load:.1f} on {self.processors} processors, busy {self.busy:.0%},"
            f" steal {self.steal:.1%} of the time; {mhz}"
        )


def since(begin: dict[str, int]) -> Machine:
    """What it was from then on."""
    spent = {name: count - begin[name] for name, count in ticks().items()}
    # Time may be shorter than a tick; then there is nothing to say.
    whole = max(sum(spent.values()), 1)
    mhz = sorted(frequencies_mhz()) or [0.0]
    return Machine(
        processors=os.cpu_count() or 1,
        load=float(LOAD.read_text().split()[0]),
        busy=sum(spent[name] for name in ("user", "nice", "system", "irq", "softirq")) / whole,
        steal=spent["steal"] / whole,
        min_mhz=mhz[0],
        max_mhz=mhz[-1],
    )
