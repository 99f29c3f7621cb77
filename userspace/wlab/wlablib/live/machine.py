# SPDX-License-Identifier: GPL-2.0
"""The machine's load while a link existed, which explains late packets."""

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
    """The processors' time since boot, by state."""
    words = STAT.read_text().split("\n", 1)[0].split()[1:]
    return dict(zip(FIELDS, map(int, words)))


def frequencies_mhz() -> list[float]:
    """The frequency of each processor now; empty if unknown."""
    mhz = [float(p.read_text()) / 1000 for p in CPUS.glob("cpu[0-9]*/cpufreq/scaling_cur_freq")]
    return mhz or [float(x) for x in re.findall(r"^cpu MHz\s*: ([\d.]+)$", CPUINFO.read_text(), re.M)]


@dataclass(frozen=True)
class Machine:
    """The machine's load over a period."""

    processors: int
    # The number of runnable tasks over the last minute.
    load: float
    # Shares of the time of all processors; steal went to other guests of a hypervisor.
    busy: float
    steal: float
    # The frequencies of the slowest and the fastest processor at the end; 0 if unknown.
    min_mhz: float
    max_mhz: float

    def as_text(self) -> str:
        """One line of the summary."""
        mhz = f"{self.min_mhz:.0f}"
        if f"{self.max_mhz:.0f}" != mhz:
            mhz += f" to {self.max_mhz:.0f}"
        mhz = f"CPU frequency {mhz} MHz" if self.max_mhz else "CPU frequency unknown"
        return (
            f"machine: load {self.load:.1f} on {self.processors} processors, busy {self.busy:.0%},"
            f" steal {self.steal:.1%} of the time; {mhz}"
        )


def since(begin: dict[str, int]) -> Machine:
    """The load since `begin`."""
    spent = {name: count - begin[name] for name, count in ticks().items()}
    # A period shorter than a tick has no counts.
    total = max(sum(spent.values()), 1)
    mhz = sorted(frequencies_mhz()) or [0.0]
    return Machine(
        processors=os.cpu_count() or 1,
        load=float(LOAD.read_text().split()[0]),
        busy=sum(spent[name] for name in ("user", "nice", "system", "irq", "softirq")) / total,
        steal=spent["steal"] / total,
        min_mhz=mhz[0],
        max_mhz=mhz[-1],
    )
