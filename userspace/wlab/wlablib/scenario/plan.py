# SPDX-License-Identifier: GPL-2.0
"""From a scenario to the guest's plan (its format is in guest/run/plan.h)."""

import ipaddress
import re
import shlex
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..lib.paths import TRACE_INSTANCE
from . import files, handover, stack
from .flows import Flow, own_seed, words
from .link import Link, Trace
from .network import Port, Route
from .scenario import Program, Scenario

# A run starts where all levels of the timer wheel begin anew (8^7 ticks of
# 10 ms), so that every run of a boot sees the timers of a run alone. The clock
# of the guest has a grain of 256 ns, which divides it.
GRID_NS = (1 << 21) * 10_000_000

GUEST_DIR = Path("/run/wlab")
# Of all devices but lo.
GROUP = 1
# A path in a command. Of /dev there is the same.
OWN_FOLDERS = re.compile(r"(?<![\w.$/-])(/(?:tmp|run)/[\w.+/-]*\w)")
BUFFER_KB, REAL_BUFFER_KB = 32768, 8192
# Of a filter of events, less than the page that the kernel takes.
FILTER_MAX = 4000
SEND_PORT = 10001
RECEIVE_PORT = 20001


def link_args(link: Link, name: str, seed: int) -> str:
    """tc arguments, with a seed where the user gives none."""
    if link.kind != "wlink" or link.seeded:
        return link.args
    return f"seed {own_seed(seed, name)} {link.args}"


def start_of(run: int) -> int:
    """CLOCK_MONOTONIC at the start of the run-th run of a boot."""
    return (run + 1) * GRID_NS


def fewer(routes: list[Route]) -> Iterator[Route]:
    """The same routes in as few lines: prefixes that lie side by side are one."""
    for device in dict.fromkeys(one.device for one in routes):
        some = [one for one in routes if one.device == device]
        yield from (one for one in some if one.prefix == "default")
        # All of one version, which the types cannot say.
        prefixes: list[Any] = [ipaddress.ip_network(one.prefix) for one in some if one.prefix != "default"]
        for prefix in ipaddress.collapse_addresses(prefixes):
            yield replace(some[0], prefix=str(prefix))


def ip_batches(sc: Scenario) -> dict[str, list[str]]:
    """What `ip -d -batch` is to do in each namespace, in this order.

    All devices have an index of their own: one process works in all namespaces, see guest/net/each.c.
    """
    order = {place: i for i, place in enumerate(sc.net.nodes)}
    out: dict[str, list[str]] = {place: [] for place in order}
    for first, wire in enumerate(sc.net.wires):
        mtu = f" mtu {wire.mtu}" if wire.mtu else ""
        # 1 is lo.
        ends = [
            (end, f"{end.device} index {index} group {GROUP} address {end.mac} gso_max_segs 1{mtu}")
            for index, end in enumerate(wire.ends, 2 * first + 2)
        ]
        (near, ours), (far, theirs) = sorted(ends, key=lambda end: order[end[0].node])
        out[near.node].append(f"link add {ours} type veth peer name {theirs} netns {far.node}")
    for place, batch in out.items():
        node = sc.net.nodes[place]
        # What it shows it knows by name, in the lines that follow.
        batch += [f"link set group {GROUP} {stack.LINK_IPV6 if sc.net.ipv6 else ''}up", stack.SHOW_LINKS]
        for wire in sc.net.wires_of(place):
            own, other = wire.near(place), wire.far(place)
            batch.append(f"addr add {own.address} dev {own.device}{' nodad' if sc.net.ipv6 else ''}")
            batch.append(f"neigh add {other.ip} lladdr {other.mac} dev {own.device} nud permanent")
        options = stack.route(sc, node)
        for one in fewer(sc.net.routes.get(place, [])):
            onlink = "onlink " if one.onlink else ""
            line = f"route add {one.prefix} via {one.via} dev {one.device} {onlink}{options}"
            batch.append(line.rstrip())
        batch.append(stack.SHOW_ROUTES)
    for place, lines in handover.set_up(sc).items():
        out[place] += lines
    return out


def flow_line(sc: Scenario, seed: int, flow: Flow, index: int) -> str:
    """The plan's line for one flow."""
    src, dst = (sc.net.nodes[end] for end in (flow.src, flow.dst))
    stop = "-" if flow.stop_ns is None else str(flow.stop_ns)
    read = stack.read_bytes(sc, flow.dst) if flow.read is None else flow.read
    return (
        f"flow {flow.name} {flow.kind} {src.name} {dst.name} {src.address} {SEND_PORT + index}"
        f" {dst.address} {RECEIVE_PORT + index} {flow.start_ns} {stop}"
        f" {flow.congestion or '-'} {own_seed(seed, flow.name)} {words(flow, read)}"
    )


def program_lines(program: Program) -> list[str]:
    """The plan's lines for one program."""
    stop = "-" if program.stop_ns is None else str(program.stop_ns)
    line = f"program {program.place} {program.name} {program.start_ns} {stop} {program.run}"
    return [line, *(f"env {key}={value}" for key, value in program.env.items())]


def period_ns(sc: Scenario, real: bool = False) -> int:
    """How often to empty the event buffer: long before it can be full."""
    # What has no rate passes what others send.
    rates = [link.rate_bps for link in sc.links.values() if link.rate_bps]
    fastest = max([1_000_000, *rates])
    # Half of it at about 150 bytes for each of 8 events a packet of 1500.
    half = (REAL_BUFFER_KB if real else BUFFER_KB) << 9
    # Each second shows whoever waits that it goes on.
    most = 10**9 if real else 10**10
    return max(10_000_000, min(most, half * 1500 * 8 * 10**9 // (fastest * 8 * 150)))


def first_of(runs: list[tuple[Scenario, int]], run: int) -> int:
    """The first run of the same scenario."""
    return next(i for i, (sc, _) in enumerate(runs) if sc is runs[run][0])


def write(runs: list[tuple[Scenario, int]], folder: Path, real: bool = False) -> Path:
    """Write the plan of all runs, each with its seed, and all the files it names."""
    for run, (sc, _) in enumerate(runs):
        if first_of(runs, run) == run:
            files.copy(sc.inputs, folder / str(run) / files.FOLDER)
    return write_texts(runs, folder, real)


def write_texts(runs: list[tuple[Scenario, int]], folder: Path, real: bool = False) -> Path:
    """Without the files that scenarios read."""
    lines: list[str] = []
    for run, (sc, seed) in enumerate(runs):
        out = folder / str(run)
        out.mkdir(exist_ok=True)
        write_run(sc, seed, out)
        lines += run_lines(sc, seed, run, first_of(runs, run), real)
    plan = folder / "plan"
    plan.write_text("\n".join(lines) + "\n")
    return plan


def unseen(folder: Path) -> str:
    """What a plan's commands name of the host in folders that the guest has of its own."""
    lines = [x for x in (folder / "plan").read_text().splitlines() if x.startswith(("program ", "at "))]
    named = dict.fromkeys(path for line in lines for path in OWN_FOLDERS.findall(line))
    return "\n".join(
        f"{path} is the host's; the guest has a folder {path[:4]} of its own: name it in a program's files"
        for path in named
        if Path(path).exists()
    )


def write_hold(sc: Scenario, folder: Path, argv: str) -> None:
    """The plan of a topology without flows, for a command in a node with most links."""
    write([(sc, sc.seed)], folder)
    no = ("flow ", "at ", "batch ", "program ", "env ", "until ", "finish ", "event ", "go")
    lines = [line for line in (folder / "plan").read_text().splitlines() if not line.startswith(no)]
    middle = next(node for node in sc.net.by_links() if node not in sc.net.cells)
    (folder / "plan").write_text("\n".join([*lines, f"hold {middle} {argv}", "go"]) + "\n")


def port_of(flow: Flow, index: int) -> int:
    """The port that all packets of a flow have on one side."""
    return (SEND_PORT if flow.kind == "web" else RECEIVE_PORT) + index


def with_ports(sc: Scenario, line: str) -> list[str]:
    """A filter with a port in the place of {FLOW}; one for each flow of a group.

    It is the receiver's; of a web flow, whose receiver has many, the sender's.
    """
    group = next((g for g in re.findall(r"\{([^}]*)\}", line) if g in sc.groups), None)
    names = sc.groups[group] if group else [""]
    lines = [line.replace(f"{{{group}}}", f"{{{one}}}") for one in names]
    for i, flow in enumerate(sc.flows):
        lines = [x.replace(f"{{{flow.name}}}", str(port_of(flow, i))) for x in lines]
    return lines


def seen_at(sc: Scenario, flow: Flow) -> tuple[str, str]:
    """The links whose events say when a flow's packets are sent, and when they have come."""
    recorded = {way for way, link in sc.links.items() if link.kind == "wlink"}
    ways = [way for way in sc.net.ways(flow.src, flow.dst) if way in recorded]
    if sc.net.short:
        return (ways or ["-"])[0], f"radio.{flow.direction}"
    return (ways or ["-"])[0], (ways or ["-"])[-1]


def write_run(sc: Scenario, seed: int, out: Path) -> None:
    """Batch files of ip and tc, and the names that the log is to use."""
    for place, batch in ip_batches(sc).items():
        (out / f"ip.{place}").write_text("\n".join(batch) + "\n")
    tc: dict[str, list[str]] = {}
    end: dict[str, list[str]] = {}
    for name, link in sc.links.items():
        port = sc.net.port(name)
        where, dev = port.node, port.device
        args = f"{link.kind} {link_args(link, name, seed)}".rstrip()
        tc.setdefault(where, []).extend(
            [
                f"qdisc add dev {dev} root handle 1: {args}",
                *(f"class add dev {dev} parent 1: {line}" for line in link.classes),
                *(
                    f"filter add dev {dev} parent 1: {one}"
                    for line in link.filters
                    for one in with_ports(sc, line)
                ),
            ]
        )
        end.setdefault(where, []).append(f"qdisc del dev {dev} root")
    for where, batch in tc.items():
        (out / f"tc.{where}").write_text("\n".join(batch) + "\n")
        # Show first: the log then knows that what is flushed was still held.
        (out / f"end.{where}").write_text("\n".join(["qdisc show", *end[where]]) + "\n")
    names = [f"link {sc.net.port(n).device} {n}" for n in sc.links]
    names += [
        f"flow {SEND_PORT + i} {f.name} {f.kind} {' '.join(seen_at(sc, f))}" for i, f in enumerate(sc.flows)
    ]
    (out / "names").write_text("\n".join(names) + "\n")


def trace_line(port: Port, trace: Trace, run: int, folder: Path, real: bool) -> str:
    """The plan's line that plays a trace; from the start on it plays once it is loaded."""
    start = f"start {start_of(run) + trace.start_ns}ns" if trace.start_ns else "start now"
    if real:
        start = f"start $((START_NS + {trace.start_ns}))ns"
    file = shlex.quote(str(folder / trace.file))
    words = f"{port.device} bearer {trace.bearer} {file} {start} {trace.words}"
    return f"{'play' if real else 'begin'} {port.node} exec wlinkctl trace play {words}".rstrip()


def tc_lines(sc: Scenario, out: Path, real: bool) -> tuple[list[str], list[str]]:
    """What tc does at the start and at the end of the run; in real time in one go."""
    if real or not sc.net.short:
        return [f"begin * tc -batch {out}/tc"], [f"finish * stats tc -j -s -batch {out}/end"]
    # Each of these draws the random numbers that it has always drawn.
    used = {sc.net.port(n).node for n in sc.links}
    places = [p for p in sc.net.nodes if p in used]
    return (
        [f"begin {p} exec tc -batch {out}/tc.{p}" for p in places],
        [f"finish {p} stats.{p} exec tc -j -s -batch {out}/end.{p}" for p in places],
    )


def event_lines(sc: Scenario, real: bool) -> list[str]:
    """What is recorded; of a kernel that others use, too, nothing of theirs."""
    devices = [sc.net.port(name).device for name, link in sc.links.items() if link.kind == "wlink"]
    ours = " || ".join(f'dev == "{device}"' for device in devices) if real else ""
    kinds = ("sdu", "rate", "channel", "grant", "schedule", "rrc") if devices else ()
    own_ports = f"sport >= {SEND_PORT} && sport < {SEND_PORT + len(sc.flows)}"
    tcp = own_ports if real else "sport < 20000"
    return [
        f"event tcp/tcp_probe {tcp}",
        *(f"event wlink/wlink_{e} {ours if len(ours) < FILTER_MAX else ''}".rstrip() for e in kinds),
    ]


def clock_lines(sc: Scenario, seed: int, run: int, real: bool) -> list[str]:
    """The plan's lines of clock and random numbers: in real time both are the machine's."""
    times = [f"duration {sc.duration_ns}", *([f"warmup {sc.warmup_ns}"] if sc.warmup_ns else [])]
    if real:
        own = [f"buffer {REAL_BUFFER_KB}", f"instance {TRACE_INSTANCE}"]
        return [*times, f"period {period_ns(sc, real)}", *own]
    start = [f"seed {own_seed(seed, 'the kernel')}", f"start {start_of(run)}"]
    return [*start, *times, f"period {period_ns(sc)}", f"buffer {BUFFER_KB}"]


def run_lines(sc: Scenario, seed: int, run: int, first: int, real: bool) -> list[str]:
    """The plan of one run; first is the first one of the same scenario."""
    out = GUEST_DIR / str(run)
    folder = GUEST_DIR / str(first) / files.FOLDER
    begin, finish = tc_lines(sc, out, real)
    lines = [
        f"out {out}",
        *clock_lines(sc, seed, run, real),
        *(f"ns {p}" for p in sc.net.nodes),
        *stack.sysctl_lines(sc, real),
        *handover.sysctl_lines(sc),
        f"show * stack ip {'-6 ' if sc.net.ipv6 else ''}-d -batch {out}/ip",
        *stack.device_lines(sc),
        *begin,
        *(
            trace_line(sc.net.port(name), link.trace, run, folder, real)
            for name, link in sc.links.items()
            if link.trace
        ),
        *finish,
        *(f"at {a.place} {a.time_ns} {a.run}" for a in sc.ats),
        *map(str, handover.lines(sc, seed, real)),
        *event_lines(sc, real),
    ]
    lines += [flow_line(sc, seed, f, i) for i, f in enumerate(sc.flows)]
    lines += [line for p in sc.programs for line in program_lines(p)]
    wanted = dict.fromkeys(name for p in sc.programs for name in p.files)
    lines += [f"files {folder}", *(f"file {name}" for name in wanted)] if wanted else []
    lines += [f"until {one}" for one in sc.untils()]
    return [*lines, "go"]
