# SPDX-License-Identifier: GPL-2.0
"""How many virtual seconds a second of the machine buys: in the lab, and in ns-3's LTE module."""

import json
import resource
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from guestrun import HERE, OUT, ROOT, WLAB

NS3_SOURCE = HERE / "speed" / "ns3-lte.cc"
NS3 = OUT / "ns3-lte"
NS3_MODULES = "lte applications internet point-to-point propagation mobility network core".split()
# Of one command, however busy the machine is.
TIMEOUT_S = 1800

# ns-3 as the issue states it: virtual seconds per second of wall time by UEs.
STATED = {1: 26.0, 4: 5.0}
TIMES = 10
# (bit/s of the wired link before the cell, resource blocks) by UEs: what gives the
# issue's goodput, 0.9 and 5.2 Mbit/s, in the narrowest cell that can carry it.
NS3_LOADS = {1: (1_032_000, 6), 4: (5_600_000, 15)}
GOODPUT_BPS = {1: 0.9e6, 4: 5.2e6}
# The lab's goodput may be above what ns-3 has, not below it by more than that.
NEAR = 0.03

# Of a network of 100 nodes: how much dearer an event may be than in one cell, whose hops are the same.
DEARER = 1.2
CELLS, USERS = 7, 10
CORE = "rate 100mbit delay 5ms"
AIR = "rate 10mbit tti 1ms limit 40 sched rr"
PROCESSES = 100
# The same network as seven LTE cells of which each carries that in a TTI, for so many Mbit/s in all;
# a tenth of the blocks is sent again.
LTE = {20: "preset lte-good rate 3175kbit limit 400", 100: "preset lte-good rate 15873kbit limit 400"}
LTE_UP = "preset lte-good sr 20ms sr_grant 8ms"
# Virtual seconds for a second of wall time that it is to reach on two processors.
LTE_WANTED = {20: 20.0, 100: 5.0}
# Virtual seconds for a second of an idle processor, the start included, by what runs.
GOALS = {
    "four TCP flows, no RLC, 50 Mbit/s": 25.0,
    "four TCP flows, no RLC, 200 Mbit/s": 6.0,
    "70 users in seven LTE cells, 97 Mbit/s in all": 8.0,
}


@dataclass(frozen=True)
class Load:
    """TCP in bulk over a radio link in acknowledged mode, or with PDUs of 0 bytes a plain one."""

    flows: int
    rate_bps: int
    pdu: int
    tti_ms: int = 0
    bearers: int = 1
    wired_bps: int = 0
    # Its receiver wakes for 128 KiB, not for each packet.
    stack: str = "reno-2006"

    @property
    def name(self) -> str:
        link = f"PDUs of {self.pdu} bytes" if self.pdu else "a plain link"
        return f"{self.flows} flows, {self.rate_bps / 1e6:g} Mbit/s, {link}, {self.stack}"

    def text(self, seconds: float) -> str:
        """The scenario; with several bearers each flow has its own."""
        grid = f"tti {self.tti_ms}ms " if self.tti_ms else ""
        wired = f" rate {self.wired_bps}bit" if self.wired_bps else ""
        mode = f"mode am pdu {self.pdu} window 2048" if self.pdu else ""
        names = [f"f{i}" for i in range(self.flows)]
        out = [
            'name = "speed"', f'duration = "{seconds:.3f}s"',
            "[wired]", f'netem = "delay 20ms limit 10000{wired}"',
            "[radio.down]", f'wlink = "rate {self.rate_bps}bit {grid}delay 5ms limit 100 sched rr {mode}"',
        ]  # fmt: skip
        if self.bearers > 1:
            rest = list(enumerate(names))[1:]
            classes = [f'"classid 1:{i + 1} wlink {mode}"' for i, _ in rest]
            match = "protocol ip u32 match ip dport {%s} 0xffff classid 1:%d"
            filters = [f'"{match % (name, i + 1)}"' for i, name in rest]
            out += [f"classes = [{', '.join(classes)}]", f"filters = [{', '.join(filters)}]"]
        out += ["[radio.up]", f'wlink = "rate {self.rate_bps}bit {grid}delay 5ms {mode}"']
        out += ["[tcp]", f'stack = "{self.stack}"']
        out += [f'[[flow]]\nname = "{name}"\nkind = "tcp"' for name in names]
        return "\n".join(out) + "\n"


# As ns-3 has them: the wired link bounds the rate, and a TTI of 1 ms carries one PDU,
# the best transport block of so many resource blocks: 4392 and 11064 bits.
LIKE_NS3 = {
    1: Load(1, 4_392_000, 549, 1, wired_bps=NS3_LOADS[1][0]),
    4: Load(4, 11_064_000, 1383, 1, 4, wired_bps=NS3_LOADS[4][0]),
}


def timed(argv: list[str]) -> tuple[str, float, float]:
    """A command's output, the wall time and the processor time that it and its children took."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(
        argv, capture_output=True, text=True, errors="replace", timeout=TIMEOUT_S, check=False, cwd=ROOT
    )
    wall, after = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise RuntimeError(f"{argv[0]} ended with {done.returncode}: {(done.stderr or done.stdout)[-500:]}")
    return done.stdout, wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def figures(virtual: float, wall: float, cpu: float, goodput: float) -> dict[str, float]:
    return {
        "virtual_s": round(virtual, 6),
        "wall_s": round(wall, 3),
        "cpu_s": round(cpu, 3),
        "goodput_bps": round(goodput),
        "virtual_per_wall_s": round(virtual / wall, 2),
        "virtual_per_cpu_s": round(virtual / cpu, 2),
    }


def lab(load: Load, seconds: float) -> dict[str, Any]:
    """One run: Python's start, the boot, the record of all events and what is made of it included."""
    result, wall, cpu = told_by(load.text(seconds))
    goodput = sum(f["goodput_bps"] for f in result["flows"].values())
    told = {"load": load.name, "flows": load.flows, "rate_bps": load.rate_bps, "pdu": load.pdu}
    return {**told, "events": result["events"], **figures(result["ended_s"], wall, cpu, goodput)}


def three_nodes(seconds: float) -> str:
    """TCP to ten users of one radio link, in the short form."""
    return (
        f'name = "speed"\nduration = "{seconds:.3f}s"\n[wired]\nwlink = "{CORE}"\n'
        f'[radio]\nwlink = "{AIR}"\n[[flow]]\nname = "f"\nkind = "tcp"\ncount = {USERS}\n'
    )


def network(seconds: float, cells: int = CELLS, down: str = AIR, up: str = AIR) -> str:
    """The same in each of seven cells, and nodes that nothing is sent to: 100 nodes in all."""
    # Each cell is a node, too.
    idle = 100 - 1 - 2 * CELLS - CELLS * USERS if cells == CELLS else 1
    out = [
        f'name = "speed"\nduration = "{seconds:.3f}s"\n[node.server]\n[node.enb]\ncount = {cells}',
        f"[node.ue]\ncount = {cells * USERS}\n[node.idle]\ncount = {idle}",
        f'[link.core]\nbetween = ["server", "enb-*"]\nwlink = "{CORE}"',
        '[link.rest]\nbetween = ["server", "idle-*"]\nwlink = "rate 1mbit"',
    ]
    for cell in range(cells):
        users = [f"ue-{cell * USERS + i + 1}" for i in range(USERS)]
        out += [f'[cell.c{cell}]\nat = "enb-{cell + 1}"\nusers = {json.dumps(users)}']
        out += [f'down = "{down}"\nup = "{up}"']
    return "\n".join([*out, '[[flow]]\nname = "f"\nkind = "tcp"\nfrom = "server"\nto = "ue-*"\n'])


def lte(mbps: int, seconds: float) -> dict[str, Any]:
    """TCP to 70 users of seven LTE cells: with the start, and without what a run of 1 ms takes."""
    result, wall, cpu = told_by(network(seconds, down=LTE[mbps], up=LTE_UP))
    _, _, empty = told_by(network(0.001, down=LTE[mbps], up=LTE_UP))
    goodput = sum(f["goodput_bps"] for f in result["flows"].values())
    told = {"mbps": mbps, "users": CELLS * USERS, "events": result["events"], "wanted": LTE_WANTED[mbps]}
    alone = round(result["ended_s"] / (cpu - empty), 2)
    return {**told, **figures(result["ended_s"], wall, cpu, goodput), "without_start_per_cpu_s": alone}


def told_by(text: str) -> tuple[dict[str, Any], float, float]:
    """The result of a scenario, wall and processor time of its run."""
    OUT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=OUT) as folder:
        scenario = Path(folder) / "speed.toml"
        scenario.write_text(text)
        options = ["--out", f"{folder}/run", "--timeout", str(TIMEOUT_S), "--json"]
        said, wall, cpu = timed([str(WLAB), "run", str(scenario), *options])
    return json.loads(said), wall, cpu


def event_us(load: Callable[[float], str], seconds: float) -> float:
    """Processor time of an event of the log; what a run costs without any is in both runs."""
    first, _, base = told_by(load(1.0))
    result, _, cpu = told_by(load(1.0 + seconds))
    events: int = result["events"] - first["events"]
    return round((cpu - base) * 1e6 / events, 2)


def large(part: float) -> dict[str, Any]:
    """What an event of 100 nodes costs, between two measurements of one cell; what their set-up costs.

    A packet crosses from its cell to the user's node, which is no event. In the short form of three
    nodes it does not, so that an event of that is cheaper.
    """

    def one_cell(seconds: float) -> str:
        return network(seconds, 1)

    few = [event_us(one_cell, 100.0 * part)]
    many = event_us(network, 15.0 * part)
    few.append(event_us(one_cell, 100.0 * part))
    _, wall, cpu = told_by(network(0.001))
    _, _, small = told_by(three_nodes(0.001))
    loop = f"i=0; while [ $i -lt {PROCESSES} ]; do ip -V; i=$((i + 1)); done"
    _, _, processes = timed([str(WLAB), "exec", "--", "sh", "-c", loop])
    return {
        "nodes": 100,
        "event_us": many,
        "one_cell_event_us": few,
        "three_nodes_event_us": event_us(three_nodes, 100.0 * part),
        "factor": round(many / min(few), 2),
        "empty_run_wall_s": round(wall, 3),
        "empty_run_cpu_s": round(cpu, 3),
        "three_nodes_empty_run_cpu_s": round(small, 3),
        f"ip_{PROCESSES}_times_cpu_s": round(processes, 3),
    }


def ns3_missing() -> str:
    """Why there is no ns-3 to measure with; nothing if there is."""
    wanted = [f"ns3-{name}" for name in NS3_MODULES]
    if not shutil.which("g++") or not shutil.which("pkg-config"):
        return "no g++ or no pkg-config"
    if subprocess.run(["pkg-config", "--exists", *wanted], check=False).returncode:
        return "libns3-dev is not installed (userspace/need ns3)"
    return ""


def ns3_build() -> None:
    """The yardstick, where it is older than its source."""
    OUT.mkdir(parents=True, exist_ok=True)
    if NS3.exists() and NS3.stat().st_mtime > NS3_SOURCE.stat().st_mtime:
        return
    # Not -isystem: where that is /usr/include, C++'s own headers would not find C's.
    flags = ["-O2", "-std=c++17", "-Wall", "-Wextra", f"-idirafter{ns3_headers()}"]
    libs = [f"-lns3-{name}" for name in NS3_MODULES]
    subprocess.run(["g++", *flags, "-o", str(NS3), str(NS3_SOURCE), *libs], check=True)


def ns3_headers() -> str:
    argv = ["pkg-config", "--variable=includedir", "ns3-core"]
    said = subprocess.run(argv, capture_output=True, text=True, check=False).stdout.strip()
    return said or "/usr/include"


def ns3(words: list[str]) -> dict[str, Any]:
    """One simulation; its own clocks begin after its start."""
    told: dict[str, Any] = json.loads(timed([str(NS3), *words])[0])
    speed = figures(told["virtual_s"], told["wall_s"], told["cpu_s"], told["goodput_bps"])
    return {**told, **speed}


def ns3_load(ues: int, seconds: float) -> dict[str, Any]:
    rate, blocks = NS3_LOADS[ues]
    at = ",".join(["10"] * ues)
    return ns3([f"--at={at}", f"--seconds={seconds}", f"--wired={rate}bps", f"--rb={blocks}"])


def beside(ues: int, lab_s: float, ns3_s: float) -> dict[str, Any]:
    """ns-3, the lab, ns-3 again; the lab against the faster of the two.

    What else runs on the machine takes wall time from each alike but at its own
    moment, so that the factor is one of processor time.
    """
    ns3_build()
    first = ns3_load(ues, ns3_s)
    have = lab(LIKE_NS3[ues], lab_s)
    second = ns3_load(ues, ns3_s)
    best = max(first["virtual_per_cpu_s"], second["virtual_per_cpu_s"])
    factor = round(have["virtual_per_cpu_s"] / best, 2)
    return {"ues": ues, "ns3": [first, second], "lab": have, "factor": factor}
