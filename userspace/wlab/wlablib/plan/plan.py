# SPDX-License-Identifier: GPL-2.0
"""Writes a scenario as the guest's plan; guest/run/plan.h has the format."""

import ipaddress
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..lab import boot
from ..lib.paths import TRACE_INSTANCE
from ..scenario import files
from ..scenario.flows import RECEIVE_PORT, SEND_PORT, Flow, own_seed, words
from ..scenario.link import Link
from ..scenario.network import Route
from ..scenario.proxy import segments
from ..scenario.scenario import Program, Scenario
from . import handover, haproxy, stack, traces
from .presets import write_presets

# A run starts where all levels of the timer wheel start anew (8^7 ticks of 10 ms), so that
# each run of a boot sees the same timers as a run alone. The guest's clock has a granularity of
# 256 ns, which divides it.
GRID_NS = (1 << 21) * 10_000_000

GUEST_DIR = boot.FOLDER
# The group of all devices but lo.
GROUP = 1
# Paths in a command below folders that the guest has to itself. /dev is the same on the host.
OWN_FOLDERS = re.compile(r"(?<![\w.$/-])(/(?:tmp|run)/[\w.+/-]*\w)")
BUFFER_KB, REAL_BUFFER_KB = 32768, 8192
# The longest filter of events; the kernel takes less than a page.
FILTER_MAX = 4000
# Of the qdisc of each link.
HANDLE = "1:"


def link_args(link: Link, name: str, seed: int) -> str:
    """The qdisc's arguments, with a seed derived from the run's if they have none."""
    if link.kind != "wlink" or link.seeded:
        return link.args
    return f"seed {own_seed(seed, name)} {link.args}"


def start_of(run: int) -> int:
    """CLOCK_MONOTONIC at the start of the run-th run of a boot."""
    return (run + 1) * GRID_NS


def fewer(routes: list[Route]) -> Iterator[Route]:
    """The same routes with adjacent prefixes joined."""
    for device in dict.fromkeys(entry.device for entry in routes):
        same_device = [entry for entry in routes if entry.device == device]
        yield from (entry for entry in same_device if entry.prefix == "default")
        # Typed Any: all are of one version of IP, which the types cannot express.
        prefixes: list[Any] = [
            ipaddress.ip_network(entry.prefix) for entry in same_device if entry.prefix != "default"
        ]
        for prefix in ipaddress.collapse_addresses(prefixes):
            yield replace(same_device[0], prefix=str(prefix))


def ip_batches(sc: Scenario) -> dict[str, list[str]]:
    """Lines of `ip -d -batch` by namespace, to be run in this order.

    Each device has an index of its own, since one process configures all namespaces (guest/net/each.c).
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
        (near, near_args), (far, far_args) = sorted(ends, key=lambda end: order[end[0].node])
        out[near.node].append(f"link add {near_args} type veth peer name {far_args} netns {far.node}")
    for place, batch in out.items():
        node = sc.net.nodes[place]
        # `ip` learns the names of devices from a dump, for the lines that follow.
        batch += [f"link set group {GROUP} {stack.LINK_IPV6 if sc.net.ipv6 else ''}up", stack.SHOW_LINKS]
        for wire in sc.net.wires_of(place):
            near_end, far_end = wire.near(place), wire.far(place)
            batch.append(
                f"addr add {near_end.address} dev {near_end.device}{' nodad' if sc.net.ipv6 else ''}"
            )
            batch.append(f"neigh add {far_end.ip} lladdr {far_end.mac} dev {near_end.device} nud permanent")
        options = stack.route(sc, node)
        for entry in fewer(sc.net.routes.get(place, [])):
            onlink = "onlink " if entry.onlink else ""
            line = f"route add {entry.prefix} via {entry.via} dev {entry.device} {onlink}{options}"
            batch.append(line.rstrip())
        batch += [stack.SHOW_ROUTES, *haproxy.ip_lines(sc, place)]
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
        f" {flow.congestion or '-'} {own_seed(seed, flow.name)} {words(flow, read, sc.net.ipv6)}"
    )


def program_lines(program: Program) -> list[str]:
    """The plan's lines for one program."""
    stop = "-" if program.stop_ns is None else str(program.stop_ns)
    line = f"program {program.place} {program.name} {program.start_ns} {stop} {program.run}"
    return [line, *(f"env {key}={value}" for key, value in program.env.items())]


def period_ns(sc: Scenario, real: bool = False) -> int:
    """How often the guest reads the event buffer: long before it can be full."""
    # A link without a rate passes only what others send.
    rates = [link.rate_bps for link in sc.links.values() if link.rate_bps]
    fastest = max([1_000_000, *rates])
    # Half of the buffer, for packets of 1500 bytes with 8 events of some 150 bytes each.
    half = (REAL_BUFFER_KB if real else BUFFER_KB) << 9
    # In real time at least each second, which also drives the progress line.
    most = 10**9 if real else 10**10
    # Users in the background have one of 75 bytes in each TTI.
    ttis_ns = [link.options["tti_ns"] for link in sc.links.values() if link.options.get("background")]
    most = min([most, *(half // 75 * tti_ns // len(ttis_ns) for tti_ns in ttis_ns)])
    return max(10_000_000, min(most, half * 1500 * 8 * 10**9 // (fastest * 8 * 150)))


def first_of(runs: list[tuple[Scenario, int]], run: int) -> int:
    """The index of the first run with the same scenario."""
    return next(i for i, (sc, _) in enumerate(runs) if sc is runs[run][0])


def write(runs: list[tuple[Scenario, int]], folder: Path, real: bool = False) -> Path:
    """Write the plan of all runs, each with its seed, and copy the files that they read."""
    for run, (sc, _) in enumerate(runs):
        if first_of(runs, run) == run:
            files.copy(sc.inputs, folder / str(run) / files.FOLDER)
    return write_texts(runs, folder, real)


def write_texts(runs: list[tuple[Scenario, int]], folder: Path, real: bool = False) -> Path:
    """Write the plan without the files that scenarios read."""
    lines: list[str] = []
    for run, (sc, seed) in enumerate(runs):
        out = folder / str(run)
        out.mkdir(exist_ok=True)
        write_run(sc, seed, out, real)
        lines += run_lines(sc, seed, run, first_of(runs, run), real)
    plan = folder / "plan"
    plan.write_text("\n".join(lines) + "\n")
    texts = [plan, *folder.glob("*/tc.*"), *folder.glob("*/again.*")]
    write_presets(folder, "\n".join(path.read_text() for path in texts))
    return plan


def own_controls(scenarios: list[Scenario]) -> tuple[Path, ...]:
    """The modules of the user's in the guest; scenarios that share a boot have the same."""
    return tuple(GUEST_DIR / "0" / files.FOLDER / name for sc in scenarios[:1] for name in sc.controls)


def unseen(folder: Path) -> str:
    """A hint for commands that name existing files of the host which the guest cannot see."""
    lines = [x for x in (folder / "plan").read_text().splitlines() if x.startswith(("program ", "at "))]
    named = dict.fromkeys(path for line in lines for path in OWN_FOLDERS.findall(line))
    return "\n".join(
        f"{path} is on the host; the guest has a folder {path[:4]} of its own: name it in a program's files"
        for path in named
        if Path(path).exists()
    )


def write_hold(sc: Scenario, folder: Path, argv: str, real: bool = False) -> None:
    """Write the plan of a topology without flows, for one command in the node with most links."""
    write([(sc, sc.seed)], folder, real)
    omitted = ("flow ", "at ", "batch ", "program ", "env ", "until ", "finish ", "event ", "go")
    lines = [line for line in (folder / "plan").read_text().splitlines() if not line.startswith(omitted)]
    middle = next(node for node in sc.net.by_links() if node not in sc.net.cells)
    (folder / "plan").write_text("\n".join([*lines, f"hold {middle} {argv}", "go"]) + "\n")


def port_of(flow: Flow, index: int) -> int:
    """The port that is the same in all packets of a flow."""
    return (SEND_PORT if flow.kind == "web" else RECEIVE_PORT) + index


def with_ports(sc: Scenario, line: str) -> list[str]:
    """Replace {FLOW} in a filter by a port; a group of flows becomes a filter for each.

    The port is the receiver's, but the sender's of a web flow, whose receivers have many.
    """
    group = next((g for g in re.findall(r"\{([^}]*)\}", line) if g in sc.groups), None)
    names = sc.groups[group] if group else [""]
    lines = [line.replace(f"{{{group}}}", f"{{{flow_name}}}") for flow_name in names]
    for i, flow in enumerate(sc.flows):
        lines = [x.replace(f"{{{flow.name}}}", str(port_of(flow, i))) for x in lines]
    return lines


def wlinks_on(sc: Scenario, src: str, dst: str) -> list[str]:
    """The wlinks on the way from a node to another one."""
    recorded = {way for way, link in sc.links.items() if link.kind == "wlink"}
    return [way for way in sc.net.ways(src, dst) if way in recorded]


def leg_of(sc: Scenario, flow: Flow) -> tuple[list[str], str]:
    """The wlinks on a flow's way and its radio link, or else the last one.

    Where proxies split the flow, they are those of the leg with its radio link.
    """
    ways = wlinks_on(sc, flow.src, flow.dst)
    air = [way for way in ways if way.rpartition(".")[0] in sc.net.cells]
    last = f"radio.{flow.direction}" if sc.net.short else (air or ways or ["-"])[-1]
    for _, leg in segments(sc.net, flow, sc.proxies):
        if last in leg:
            ways = [way for way in ways if way in leg]
    return ways, last


def begins_at(sc: Scenario, flow: Flow) -> list[str]:
    """The first wlink on a flow's way, or to each of the cells that its user may be in."""
    ways, air = leg_of(sc, flow)
    cells = [one.rpartition(".")[0] for one in beside(sc, air).split(",")]
    if not ways or ways[0] == air or len(cells) == 1 or sc.proxies or air.endswith(".up"):
        return [one for first in (ways or ["-"])[:1] for one in beside(sc, first).split(",")]
    return sorted({[*wlinks_on(sc, flow.src, sc.net.cells[cell].at), f"{cell}.down"][0] for cell in cells})


def ends_at(sc: Scenario, flow: Flow) -> list[str]:
    """The last wlink on a flow's way, from or in each of the cells that its user may be in."""
    ways, air = leg_of(sc, flow)
    cells = [one.rpartition(".")[0] for one in beside(sc, air).split(",")]
    if not ways or ways[-1] == air or len(cells) == 1 or sc.proxies:
        return [one for last in ways[-1:] for one in beside(sc, last).split(",")]
    rest = {cell: wlinks_on(sc, sc.net.cells[cell].at, flow.dst) for cell in cells}
    return sorted({(some or [f"{cell}.up"])[-1] for cell, some in rest.items()})


def beside(sc: Scenario, link: str) -> str:
    """The link and, if users enter or leave its cell, those of the same direction of other such cells."""
    cell, _, way = link.rpartition(".")
    movers = [name for name, one in sc.net.cells.items() if one.movers]
    return ",".join(f"{name}.{way}" for name in movers) if cell in movers else link


def leg_lines(sc: Scenario) -> Iterator[str]:
    """Lines of "names" for links that are on other legs of a split flow than the one where it is measured."""
    for i, flow in enumerate(sc.flows):
        forth = [ways for _, ways in segments(sc.net, flow, sc.proxies)]
        back = [ways for _, ways in segments(sc.net, flow, sc.proxies, back=True)]
        legs = [{*a, *b} for a, b in zip(forth, reversed(back))]
        legs.sort(key=lambda leg: leg_of(sc, flow)[1] not in leg)
        for number, leg in enumerate(legs[1:], 1):
            yield from (
                f"leg {SEND_PORT + i} {number} {sc.net.port(way).device}"
                for way in sorted(leg)
                if way in sc.links
            )


def write_run(sc: Scenario, seed: int, out: Path, real: bool) -> None:
    """Write the batch files of ip and tc, and the names that the event log uses."""
    for place, batch in ip_batches(sc).items():
        (out / f"ip.{place}").write_text("\n".join(batch) + "\n")
    tc: dict[str, list[str]] = {}
    end: dict[str, list[str]] = {}
    for name, link in sc.links.items():
        port = sc.net.port(name)
        where, dev = port.node, port.device
        tc.setdefault(where, []).extend(link_lines(sc, name, link_args(link, name, seed)))
        end.setdefault(where, []).append(f"qdisc del dev {dev} root")
    for place in sc.net.nodes:
        if lines := [*haproxy.tc_lines(sc, place)]:
            tc.setdefault(place, []).extend(lines)
    for where, batch in tc.items():
        (out / f"tc.{where}").write_text("\n".join(batch) + "\n")
        # The dump marks in the event log that packets flushed after it were still held.
        (out / f"end.{where}").write_text("\n".join(["qdisc show", *end.get(where, [])]) + "\n")
    for where, (_, batch) in (again(sc, seed) if real else {}).items():
        (out / f"again.{where}").write_text("\n".join(batch) + "\n")
    traces.write(sc, out)
    handover.write(sc, out)
    haproxy.write(sc, out)
    names = [f"link {sc.net.port(n).device} {n}" for n in sc.links]
    for i, f in enumerate(sc.flows):
        # Whose events give the times of sending and of receiving.
        first, last = ",".join(begins_at(sc, f)), beside(sc, leg_of(sc, f)[1])
        protocol = f"/{f.protocol}" if f.kind == "ping" else ""
        names.append(f"flow {SEND_PORT + i} {f.name} {f.kind}{protocol} {first} {last}")
    names += leg_lines(sc)
    names += [f"capture {sc.net.port(n).device}" for n in sc.captured]
    (out / "names").write_text("".join(f"{line}\n" for line in names))


# In real time: how long after the start the first link begins, and the next one after each; from
# what arrives in one TTI something may answer in the next link within less.
APART_NS = 250_000


def link_lines(sc: Scenario, name: str, args: str) -> Iterator[str]:
    """Lines of `tc -batch` that make a link."""
    link, dev = sc.links[name], sc.net.port(name).device
    yield f"qdisc add dev {dev} root handle {HANDLE} {link.kind} {args}".rstrip()
    yield from (f"class add dev {dev} parent {HANDLE} {line}" for line in link.classes)
    for line in link.filters:
        yield from (f"filter add dev {dev} parent {HANDLE} {expanded}" for expanded in with_ports(sc, line))


def again(sc: Scenario, seed: int) -> dict[str, tuple[str, list[str]]]:
    """In real time: by node, a script of sed and lines of `tc -batch` that make again what moves by time.

    TTIs, channels and random streams begin with the run, in the lab's order: a link's time in place of @N@.
    """
    some = [
        (place, name)
        for place in sc.net.nodes
        for name, link in sc.links.items()
        if link.moves and sc.net.port(name).node == place
    ]
    ttis_ns = [sc.links[name].options["tti_ns"] for _, name in some]
    # As near as the shortest TTI has room for.
    apart_ns = min([APART_NS, *(tti_ns // (2 * len(some)) for tti_ns in ttis_ns if tti_ns)])
    found: dict[str, tuple[str, list[str]]] = {}
    for rank, (place, name) in enumerate(some, 1):
        script, lines = found.get(place, ("", []))
        lines += [
            f"qdisc del dev {sc.net.port(name).device} root",
            *link_lines(sc, name, f"at @{rank}@ns {link_args(sc.links[name], name, seed)}"),
        ]
        found[place] = f"{script}s/@{rank}@/$((START_NS + {rank * apart_ns}))/;", lines
    return found


def tc_lines(sc: Scenario, out: Path, real: bool) -> tuple[list[str], list[str]]:
    """The plan's lines of tc at the start and the end of a run."""
    if real or not sc.net.short:
        return [f"begin * tc -batch {out}/tc"], [f"finish * stats tc -j -s -batch {out}/end"]
    # One process for each node, as in earlier versions: the random numbers of kept results depend on it.
    used = {*(sc.net.port(n).node for n in sc.links), *(proxy.on for proxy in sc.proxies)}
    places = [p for p in sc.net.nodes if p in used]
    return (
        [f"begin {p} exec tc -batch {out}/tc.{p}" for p in places],
        [f"finish {p} stats.{p} exec tc -j -s -batch {out}/end.{p}" for p in places],
    )


def event_lines(sc: Scenario, real: bool) -> list[str]:
    """The recorded events; in real time only those of the run's own devices and ports."""
    devices = [sc.net.port(name).device for name, link in sc.links.items() if link.kind == "wlink"]
    device_filter = " || ".join(f'dev == "{device}"' for device in devices) if real else ""
    kinds = ("sdu", "rate", "channel", "grant", "schedule", "rrc", "background") if devices else ()
    own_ports = f"sport >= {SEND_PORT} && sport < {SEND_PORT + len(sc.flows)}"
    captured = " || ".join(f'dev == "{sc.net.port(name).device}"' for name in sc.captured)
    packets = f"event wlink_data/wlink_packet {captured if len(captured) < FILTER_MAX else ''}".rstrip()
    seen = {flow.name: leg_of(sc, flow)[1] for flow in sc.flows}
    tcp = haproxy.filter_of_probe(sc, own_ports if real else "sport < 20000", seen)
    return [
        f"event tcp/tcp_probe {tcp}",
        *(
            f"event wlink/wlink_{e} {device_filter if len(device_filter) < FILTER_MAX else ''}".rstrip()
            for e in kinds
        ),
        *([packets] if captured else []),
    ]


def clock_lines(sc: Scenario, seed: int, run: int, real: bool) -> list[str]:
    """The plan's lines for clock and random numbers; in real time both are the machine's."""
    # A packet that is captured takes as much as its SDU, and the buffer is read as often as without.
    room = 2 if sc.captured else 1
    times = [f"duration {sc.duration_ns}", *([f"warmup {sc.warmup_ns}"] if sc.warmup_ns else [])]
    if real:
        own = [f"buffer {REAL_BUFFER_KB * room}", f"instance {TRACE_INSTANCE}"]
        return [*times, f"period {period_ns(sc, real)}", *own]
    start = [f"seed {own_seed(seed, 'the kernel')}", f"start {start_of(run)}"]
    start += [f"settle {settle}"] if (settle := traces.settle_ns(sc)) else []
    return [*start, *times, f"period {period_ns(sc)}", f"buffer {BUFFER_KB * room}"]


def run_lines(sc: Scenario, seed: int, run: int, first: int, real: bool) -> list[str]:
    """The plan of one run; `first` is the index of the first run with the same scenario."""
    out = GUEST_DIR / str(run)
    folder = GUEST_DIR / str(first) / files.FOLDER
    begin, finish = tc_lines(sc, out, real)
    lines = [
        f"out {out}",
        *clock_lines(sc, seed, run, real),
        *(f"ns {p}" for p in sc.net.nodes),
        *stack.sysctl_lines(sc, real),
        *haproxy.sysctl_lines(sc, real),
        *handover.sysctl_lines(sc),
        f"show * stack ip {'-6 ' if sc.net.ipv6 else ''}-d -batch {out}/ip",
        *stack.device_lines(sc),
        *begin,
        *haproxy.begin_lines(sc, out),
        *traces.lines(sc, "START_NS" if real else str(start_of(run) + traces.settle_ns(sc)), out, real),
        *(
            f'align {place} sed "{script}" {out}/again.{place} | tc -batch -'
            for place, (script, _) in (again(sc, seed) if real else {}).items()
        ),
        *finish,
        *(f"at {a.place} {a.time_ns} {a.run}" for a in sc.ats),
        *map(str, handover.lines(sc, seed, real, out)),
        *event_lines(sc, real),
    ]
    lines += [flow_line(sc, seed, f, i) for i, f in enumerate(sc.flows)]
    lines += [line for p in sc.programs for line in program_lines(p)]
    wanted = dict.fromkeys(name for p in sc.programs for name in p.files)
    lines += [f"files {folder}", *(f"file {name}" for name in wanted)] if wanted else []
    lines += [f"keep {pattern}" for pattern in dict.fromkeys(k for p in sc.programs for k in p.keep)]
    lines += [f"until {one}" for one in sc.untils()]
    return [*lines, "go"]
