# SPDX-License-Identifier: GPL-2.0
"""The processors: who else has them, which are kept free, what saves their power, who runs when."""

import re

from .machine import Machine
from .report import NOTE, OK, WARN, Answer, Checks, Unknown, check

CHECKS: Checks = []
CPU = "/sys/devices/system/cpu/"
RUNTIME = "/proc/sys/kernel/sched_rt_runtime_us"
HOSTS = ("/sys/hypervisor/type", "/sys/class/dmi/id/product_name", "/sys/class/dmi/id/sys_vendor")
# Drivers that choose by load under the name powersave.
ADAPTIVE = ("intel_pstate", "amd-pstate-epp")
# Latencies of idle states from which they are noted, and warned of.
IDLE_NOTE_US, IDLE_WARN_US = 10, 100
CAP_SYS_NICE = 23


def host(machine: Machine) -> str:
    """Who made this machine up, empty for nobody."""
    info = machine.read("/proc/cpuinfo")
    # Its flags are those of the host.
    if "User Mode Linux" in info:
        return "User Mode Linux"
    if "hypervisor" not in info.split():
        return ""
    unnamed = "a hypervisor that does not say its name"
    return next((name for path in HOSTS if (name := machine.get(path))), unnamed)


def stolen_percent(machine: Machine) -> float:
    """Time that others had while somebody here wanted to run."""
    found = re.match(r"cpu ((?: *\d+)+)", machine.get("/proc/stat"))
    parts = [int(part) for part in found[1].split()[:8]] if found else []
    return 100 * parts[7] / (sum(parts) or 1) if len(parts) == 8 else 0


@check(CHECKS, "virtualisation")
def virtualisation(machine: Machine) -> Answer:
    """a virtual processor that the host has put aside wakes up late, unseen from inside"""
    name = host(machine)
    if not name:
        return OK, "none: no hypervisor flag"
    if machine.virtual_time:
        return OK, f"{name} in virtual time: no lateness from its host"
    percent = stolen_percent(machine)
    return (
        WARN if percent > 1 else NOTE,
        f"{name}; the host has taken {percent:.1f} % of the time since boot",
        "measure on bare metal, or pin the virtual processors and keep the host idle",
    )


@check(CHECKS, "isolation")
def isolation(machine: Machine) -> Answer:
    """what shares a processor with the link's timer delays it"""
    isolated = machine.read(CPU + "isolated")
    # Kernels without any print (null).
    full = machine.get(CPU + "nohz_full")
    full = full if re.search(r"\d", full) else "none"
    if re.search(r"\d", isolated):
        return OK, f"isolcpus {isolated}, nohz_full {full}"
    online = machine.get(CPU + "online")
    what = f"no processor is kept free (isolcpus none, nohz_full {full}, online {online or 'unknown'})"
    numbers = re.findall(r"\d+", online)
    if not numbers:
        return NOTE, what
    last = int(numbers[-1])
    if not last:
        return NOTE, what, "none: there is one processor; keep other work off the machine"
    change = f"boot with isolcpus=managed_irq,domain,{last} nohz_full={last} rcu_nocbs={last} "
    change += "and send the device's interrupts there"
    return NOTE, what, change


@check(CHECKS, "mitigations")
def mitigations(machine: Machine) -> Answer:
    """they make calls dearer: fewer packets a second, not later ones"""
    folder = CPU + "vulnerabilities"
    texts = [text for name in machine.names(folder) if (text := machine.get(f"{folder}/{name}"))]
    on = sum("Mitigation" in text for text in texts)
    bare = sum(text.startswith("Vulnerable") for text in texts)
    if not on:
        return OK, f"none is on ({len(texts)} known, {bare} left vulnerable)"
    change = "boot with mitigations=off, only where all code on this machine is trusted"
    return NOTE, f"{on} of {len(texts)} are on", change


@check(CHECKS, "governor")
def governor(machine: Machine) -> Answer:
    """at a low or changing frequency the same packet takes longer"""
    found = [machine.get(path) for path in machine.numbered(CPU + "cpu*/cpufreq/scaling_governor")]
    names = [name for name in found if name]
    if not names:
        raise Unknown(f"there is no {CPU}cpu*/cpufreq/scaling_governor; firmware or a host decides")
    slow = [name for name in names if name != "performance"]
    if not slow:
        return OK, f"performance on all {len(names)} processors"
    driver = machine.get(CPU + "cpu0/cpufreq/scaling_driver")
    name = "powersave" if "powersave" in slow else slow[0]
    return (
        WARN if name == "powersave" and driver not in ADAPTIVE else NOTE,
        f"{name} on {len(slow)} of {len(names)} processors (driver {driver or 'unknown'})",
        "cpupower frequency-set -g performance",
    )


@check(CHECKS, "idle-states")
def idle_states(machine: Machine) -> Answer:
    """a processor in a deep idle state wakes up for the timer that much later"""
    if machine.word("idle=") == "poll":
        return OK, "none: idle=poll"
    paths = machine.numbered(CPU + "cpu0/cpuidle/state*/latency")
    states = [path.removesuffix("/latency") for path in paths if machine.number(path, -1) >= 0]
    if not states:
        raise Unknown(f"there is no {CPU}cpu0/cpuidle/state0/latency; a host or the kernel's default halts")
    used = [
        (machine.number(f"{state}/latency"), place, machine.get(f"{state}/name"))
        for place, state in enumerate(states)
        if not machine.number(f"{state}/disable", 0)
    ]
    us, _, name = max(used, default=(0, 0, ""))
    what = f"the deepest in use, {name or 'which has no name'}, takes {us} us to leave"
    if us < IDLE_NOTE_US:
        return OK, what
    change = f"cpupower idle-set -D {IDLE_NOTE_US}, or hold /dev/cpu_dma_latency open with 0 written to it"
    return WARN if us >= IDLE_WARN_US else NOTE, what, change


@check(CHECKS, "preempt")
def preemption(machine: Machine) -> Answer:
    """packets leave as the timer's interrupt ends; with PREEMPT_RT a thread has to run"""
    words = machine.read("/proc/version").split()
    if machine.number("/sys/kernel/realtime", 0) or "PREEMPT_RT" in words:
        change = "chrt -f -p 50 $(pgrep ktimers/) and of ksoftirqd/ likewise"
        return NOTE, "PREEMPT_RT: a departure waits for the softirq thread", change
    if "PREEMPT_DYNAMIC" in words:
        # "none voluntary (full)": the one in brackets is in force.
        now = re.search(r"\(([^)]*)", machine.get("/sys/kernel/debug/sched/preempt"))
        return OK, f"dynamic, now {now[1] if now else 'unknown'}"
    return OK, "full" if "PREEMPT" in words else "none or voluntary"


@check(CHECKS, "real-time")
def rights(machine: Machine) -> Answer:
    """tools that sleep need it to be on time under load; the qdisc itself does not"""
    # From files, so that it holds for the machine of --root, too.
    caps = re.search(r"^CapEff:\s*([0-9a-f]+)", machine.get("/proc/self/status"), re.M)
    if caps and int(caps[1], 16) >> CAP_SYS_NICE & 1:
        return OK, "SCHED_FIFO is allowed (CAP_SYS_NICE)"
    limits = machine.get("/proc/self/limits")
    most = re.search(r"^Max realtime priority +(\d+|unlimited)", limits, re.M)
    limit = int(most[1].replace("unlimited", "99")) if most else 0
    if limit:
        return OK, f"SCHED_FIFO is allowed up to priority {limit}"
    if not caps or not most:
        raise Unknown("/proc/self/status or /proc/self/limits cannot be read")
    change = 'be root, or put "USER - rtprio 50" into /etc/security/limits.d/wlink.conf and log in again'
    return WARN, "no permission for SCHED_FIFO (no CAP_SYS_NICE, RLIMIT_RTPRIO 0)", change


@check(CHECKS, "rt-throttling")
def throttling(machine: Machine) -> Answer:
    """real-time tasks of all users together may run so long in each period"""
    runtime = machine.number(RUNTIME)
    if not runtime:
        change = "sysctl -w kernel.sched_rt_runtime_us=950000"
        return WARN, "0 us: SCHED_FIFO is refused to all", change
    period = machine.number("/proc/sys/kernel/sched_rt_period_us", 1000000)
    return OK, "no bound" if runtime < 0 else f"{runtime} of {period} us"


@check(CHECKS, "irqbalance")
def balancing(machine: Machine) -> Answer:
    """it moves interrupts about, so that two runs do not meet the same machine"""
    processes = [name for name in machine.names("/proc") if name.isdecimal()]
    if any(machine.get(f"/proc/{name}/comm") == "irqbalance" for name in processes):
        return NOTE, "it runs", "systemctl stop irqbalance"
    return OK, "it does not run"
