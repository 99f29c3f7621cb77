# SPDX-License-Identifier: GPL-2.0
"""A scenario: one TOML file, read strictly. The format is in wlab-scenario(5)."""

import json
import re
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import Annotated, Any

from ..lab.boot import Clock
from ..lib import toml
from ..lib.faults import within
from ..lib.files import DEPTH_MAX
from ..lib.keys import SEED_MAX, Table, name, table_of, tables_of, text, texts, whole, yes_no
from ..lib.kinds import by_field, kind, spelt, table_by
from ..lib.paths import LabError
from ..lib.units import BadValue, as_rate, as_time, near, note, time_ns
from . import controls, events, loads, proxy
from .clock import CLOCK, read_clock
from .events import Move, Outage
from .files import Digests, Input, Origin, digests, find_all
from .flows import FLOW, Flow, read_flow
from .link import LEG, RADIO, Link
from .network import KEYS, Network, Port, matching, read_network
from .tcp import TCP, Tcp
from .wlinkctl import OWNERS, without

FLOWS_MAX = 1000
VARIABLE = spelt(r"[A-Za-z_][A-Za-z0-9_]*", "{0!r} is not the name of a variable")
read_env = table_by(VARIABLE, text, "not a table of names and values")


@kind(**texts.schema)
def kept(value: object) -> list[str]:
    """Patterns of files below the folder of programs."""
    for pattern in texts(value):
        path = PurePosixPath(pattern)
        if path.is_absolute() or ".." in path.parts or not path.parts:
            raise BadValue(f"'{pattern}' is not below the folder in which programs start")
    return [str(PurePosixPath(pattern)) for pattern in texts(value)]


@dataclass
class Program:
    """A command that runs beside the flows; `files` are names of Scenario.inputs."""

    name: Annotated[str, name]
    place: Annotated[str, name, "in"]
    run: Annotated[str, text]
    start_ns: Annotated[int, time_ns, "start"] = 0
    stop_ns: Annotated[int | None, time_ns, "stop"] = None
    files: Annotated[list[str], texts] = field(default_factory=list)
    env: Annotated[dict[str, str], read_env] = field(default_factory=dict)
    # Patterns of files in the folder of programs that go to the result.
    keep: Annotated[list[str], kept] = field(default_factory=list)


PROGRAM = Table.of(Program, **dict.fromkeys(("files", "env", "keep")))


@dataclass
class At:
    """A timed command."""

    time_ns: int
    run: str
    place: str


@dataclass
class Scenario:
    """A parsed and checked scenario."""

    name: Annotated[str, name]
    duration_ns: Annotated[int, time_ns, "duration"]
    seed: Annotated[int, whole(0, SEED_MAX)]
    net: Network
    links: dict[str, Link]
    tcp: Tcp
    flows: list[Flow]
    groups: dict[str, list[str]]
    ats: list[At]
    programs: list[Program]
    raw: dict[str, Any]
    until: Annotated[str | None, name] = None
    warmup_ns: Annotated[int, time_ns, "warmup"] = 0
    inputs: list[Input] = field(default_factory=list)
    moves: list[Move] = field(default_factory=list)
    outages: list[Outage] = field(default_factory=list)
    proxies: list[proxy.Proxy] = field(default_factory=list)
    # The directions whose packets are written to the result.
    captured: list[str] = field(default_factory=list)
    clock: Clock = Clock()
    # The modules of congestion controls of the user's own, by their names in a run.
    controls: dict[str, Input] = field(default_factory=dict)

    def digest(self) -> str:
        """The digest of the scenario and of all files that it reads."""
        return digest(self.raw, digests(self.inputs))

    def untils(self) -> list[str]:
        """The flows and programs whose end ends the run."""
        return self.groups.get(self.until, [self.until]) if self.until else []


AT = Table(
    {"time": time_ns, "run": text, "in": name, **events.KEYS},
    ("time",),
    more={
        "oneOf": [{"required": list(need)} for need, _ in events.KINDS.values()],
        "dependentRequired": {
            key: list(need[:1]) for need, may in events.KINDS.values() for key in (*need[1:], *may)
        },
    },
)


def devices(net: Network) -> dict[str, Port]:
    """The devices that a timed command can name as {WORD}."""
    ways = {port.way: port for wire in net.wires for port in wire.ends}
    if net.short:
        return {way.removeprefix("radio.").replace(".", "_"): port for way, port in ways.items()}
    return ways


def node_of(net: Network, node_name: str, where: str) -> str:
    """Check that a node exists."""
    if node_name not in net.nodes:
        raise LabError(f"{where}: {node_name!r} is unknown; {near(node_name, list(net.nodes))}")
    return node_name


def read_ats(sc: Scenario, ats: list[object]) -> None:
    """Parse [[at]]: commands, moves and outages; each keeps its number for messages."""
    by_kind: dict[str, list[tuple[int, dict[str, Any]]]] = {which: [] for which in events.KINDS}
    for i, value in enumerate(ats):
        where = f"at.{i}"
        event = AT.read(value, where)
        if event["time"] >= sc.duration_ns:
            raise LabError(f"{where}.time: not before the end of the run")
        by_kind[events.kind_of(event, where)].append((i, event))
    sc.ats = [read_at(event, f"at.{i}", sc.net) for i, event in by_kind["run"]]
    sc.moves = events.read_moves(by_kind["move"], sc.net)
    sc.outages = [events.read_outage(event, f"at.{i}", sc.net, sc.links) for i, event in by_kind["link"]]
    for way, link in sc.links.items():
        sc.outages += events.of_pauses(way, link, sc.duration_ns)


# Before and behind a device: its qdisc or itself would be gone.
REMOVES = ((r"\bqdisc\s+del\w*", r"root\b"), (r"\blink\s+del\w*", ""))


def read_at(event: dict[str, Any], where: str, net: Network) -> At:
    """Parse a timed command, with devices in place of {DIRECTION}."""
    run = event["run"]
    known = devices(net)
    places = []
    for word in re.findall(r"\{([a-z_]*|[\w.-]+\.(?:forward|back|down|up))\}", run):
        if word not in known:
            raise LabError(f"{where}.run: {{{word}}} is unknown; {near(word, list(known))}")
        places.append(known[word].node)
        device = rf"\s+(?:dev\s+)?\{{{re.escape(word)}\}}\s*"
        if any(re.search(f"{before}{device}{behind}", run) for before, behind in REMOVES):
            raise LabError(
                f"{where}.run: the link {word} must stay to the end of the run; for an outage give"
                " 'link' and 'state = \"down\"'"
            )
        run = run.replace(f"{{{word}}}", known[word].device)
    if "in" not in event and len({*places}) > 1:
        raise LabError(f"{where}.run: devices of two nodes; make it two commands or set 'in'")
    if "in" not in event and not places and not net.short:
        raise LabError(f"{where}.in is missing: the node where the command is to run")
    place = event.get("in") or (places[0] if places else "router")
    return At(event["time"], run, node_of(net, place, f"{where}.in"))


def read_program(value: object, index: int, duration: int, net: Network) -> Program:
    where = f"program.{index}"
    keys = PROGRAM.read(value, where)
    where = f"program.{keys['name']}"
    node_of(net, keys["in"], f"{where}.in")
    start, stop = keys.get("start", 0), keys.get("stop")
    if start >= duration:
        raise LabError(f"{where}.start: not before the end of the run")
    if stop is not None and not start < stop <= duration:
        raise LabError(f"{where}.stop: not after its start and before the end of the run")
    return Program(**by_field(Program, keys))


TRACES_READ = 8
# Those of a TCP flow.
PACKET_BYTES = 1500


def own_controls(sc: Scenario) -> list[tuple[str, Tcp | Flow, str]]:
    """(key, whose congestion is a file of the user's, its path)."""
    tcps = {id(tcp): tcp for tcp in (sc.tcp, *(node.tcp for node in sc.net.nodes.values()))}
    named: list[tuple[str, Tcp | Flow]] = [("tcp.congestion", tcp) for tcp in tcps.values()]
    named += [(f"flow.{flow.name}.congestion", flow) for flow in sc.flows]
    paths = [(where, of, of.congestion or "") for where, of in named]
    return [(where, of, path) for where, of, path in paths if controls.name_of(path)]


def find_files(sc: Scenario, origin: Origin | None) -> None:
    """Find all files, and replace their paths by their names in a run."""
    traces = [(f"{where}.trace.file", link.trace) for where, link in sc.links.items() if link.trace]
    traces += [
        (f"cell.{where.partition('.')[0]}.traces.{user}", trace)
        for where, link in sc.links.items()
        for user, trace in link.traces.items()
    ]
    traces += [(f"at.{move.index}.trace", move.trace) for move in sc.moves if move.trace]
    wanted = [(where, trace.file) for where, trace in traces]
    wanted += [
        (f"program.{p.name}.files.{i}", path_text) for p in sc.programs for i, path_text in enumerate(p.files)
    ]
    recorded = {f"flow.{flow.name}.loads": flow for flow in sc.flows if flow.loads}
    wanted += [(where, flow.loads) for where, flow in recorded.items()]
    modules = own_controls(sc)
    found, names = find_all([*wanted, *((where, path) for where, _, path in modules)], origin)
    names, of_modules = names[: len(wanted)], names[len(wanted) :]
    sc.inputs = list(found.values())
    for (where, of, path), (first, *_) in zip(modules, of_modules):
        controls.check(where, found[first].path)
        of.congestion = controls.name_of(path) or ""
        sc.controls[first] = found[first]
    for (where, flow), named in zip(recorded.items(), names[len(names) - len(recorded) :]):
        if len(named) > 1:
            raise LabError(f"{where}: {flow.loads} is a folder")
        with within(f"{where}: ", BadValue):
            flow.steps = loads.read(found[named[0]].path, sc.duration_ns)
    for (where, trace), (first, *others) in zip(traces, names):
        if others:
            raise LabError(f"{where}: {trace.file} is a folder")
        trace.file = first
        # The guest reads each of a few; many are read for it.
        if len(traces) <= TRACES_READ or trace.rates:
            with within(f"{where}: ", BadValue):
                read, _ = loads.read_steps(found[first].path, trace.words)
            if trace.rates and not {"rate", "grant"} & {*read.columns}:
                link = where.removesuffix(".trace.file")
                raise LabError(f"{where}: it has no rates, and {link} has no rate")
    remaining = iter(names[len(traces) :])
    for program in sc.programs:
        program.files = [name for _ in program.files for name in next(remaining)]


def check_until(sc: Scenario) -> None:
    """Check that `until` names something that ends."""
    if sc.until is None:
        return
    flows = [f for f in sc.flows if f.name in sc.untils()]
    programs = [p.name for p in sc.programs]
    if not flows and sc.until not in programs:
        known = [*sc.groups, *programs]
        raise LabError(f"until: no flow or program '{sc.until}'; {near(sc.until, known)}")
    for flow in flows:
        if flow.kind not in ("tcp", "web"):
            raise LabError(f"until: the end of {flow.name}, a flow of kind {flow.kind}, cannot be observed")
        if flow.stop_ns is None and not flow.bytes:
            missing = "a stop" if flow.kind == "web" else "bytes or a stop"
            raise LabError(f"until: {flow.name} does not end by itself; it needs {missing}")


def check_names(sc: Scenario) -> None:
    """Check that names of flows, groups of flows and programs are unique."""
    for what, names in (
        ("flow", [f.name for f in sc.flows]),
        ("program", [p.name for p in sc.programs]),
    ):
        for duplicate in names:
            if names.count(duplicate) > 1:
                raise LabError(f"{what}.{duplicate}: two {what}s of this name")
    flows = {*sc.groups, *(f.name for f in sc.flows)}
    for program in sc.programs:
        if program.name in flows:
            raise LabError(f"program.{program.name}: a flow has this name")
    if len(sc.flows) > FLOWS_MAX:
        raise LabError(f"flow: {len(sc.flows)} flows are more than {FLOWS_MAX}")


def check_filters(links: dict[str, Link], groups: dict[str, list[str]], flows: list[Flow]) -> None:
    """Check that {FLOW} in a filter is a flow with ports or a [[flow]] that stands for several."""
    names = [*groups, *(n for members in groups.values() for n in members)]
    without = {flow.name for flow in flows if flow.transport == "icmp"}
    for where, link in links.items():
        for i, line in enumerate(link.filters):
            for word in re.findall(r"\{([^}]*)\}", line):
                if word not in names:
                    raise LabError(f"{where}.filters.{i}: no flow '{word}'; {near(word, names)}")
                if without & {word, *groups.get(word, ())}:
                    raise LabError(f"{where}.filters.{i}: {word} is ICMP, which has no ports")


def digest(raw: dict[str, Any], files: Digests) -> str:
    """The digest of a scenario as results have it; files count where there are any."""
    content = {"scenario": raw, "files": files} if files else raw
    return sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


@kind(oneOf=[yes_no.schema, texts.schema])
def which_links(value: object) -> list[str]:
    """Patterns of the links that are meant: all with true."""
    return (["*"] if value else []) if isinstance(value, bool) else texts(value)


def read_captured(patterns: list[str], links: dict[str, Link]) -> list[str]:
    """The wlinks that are captured; other qdiscs do not tell what becomes of a packet."""
    wlinks = [way for way, link in links.items() if link.kind == "wlink"]
    for pattern in patterns:
        if not matching(pattern, wlinks):
            what = f"{pattern} is a {links[pattern].kind}" if pattern in links else f"no wlink '{pattern}'"
            raise LabError(f"capture: {what}; {near(pattern, wlinks)}")
    return [way for way in wlinks if any(matching(pattern, [way]) for pattern in patterns)]


# A scenario file.
FILE = Table(
    {
        **Table.of(Scenario).keys,
        "wired": table_of(LEG),
        "radio": table_of(RADIO),
        "clock": table_of(CLOCK),
        "tcp": table_of(TCP),
        "flow": tables_of(FLOW),
        "at": tables_of(AT),
        "program": tables_of(PROGRAM),
        "proxy": proxy.NAMED,
        "capture": which_links,
        **KEYS,
    },
    ("name", "duration"),
    {"seed": 1, "warmup": 0},
    {"anyOf": [{"required": [key]} for key in ("radio", "link", "cell")]},
)


def read(raw: dict[str, Any], origin: Origin | None = None) -> Scenario:
    """Parse and check a scenario; a LabError names the wrong key. Files are relative to the origin."""
    top = {**FILE.defaults, **FILE.read(raw, "")}
    duration = top["duration"]
    if not 1_000_000 <= duration <= 10**15:
        raise LabError(f"duration: {as_time(duration)} is outside 1ms..1000000s")
    tcp = Tcp(**TCP.read(top.get("tcp", {}), "tcp"))
    net, links = read_network(top, tcp)
    lists: dict[str, list[object]] = {}
    for key in ("flow", "at", "program"):
        lists[key] = top.get(key, [])
        if not isinstance(lists[key], list):
            raise LabError(f"{key}: write [[{key}]] with two brackets")
    named_flows = [read_flow(f, i, duration, net) for i, f in enumerate(lists["flow"])]
    groups: dict[str, list[str]] = {}
    for called, flows in named_flows:
        if called in groups:
            raise LabError(f"flow.{called}: two flows of this name")
        groups[called] = [f.name for f in flows]
    warmup = top["warmup"]
    if warmup >= duration:
        raise LabError(f"warmup: {as_time(warmup)} is not below the duration, {as_time(duration)}")
    sc = Scenario(
        top["name"],
        duration,
        top["seed"],
        net,
        links,
        tcp,
        [flow for _, flows in named_flows for flow in flows],
        groups,
        [],
        [read_program(p, i, duration, net) for i, p in enumerate(lists["program"])],
        raw,
        top.get("until"),
        warmup,
    )
    sc.clock = read_clock(top.get("clock", {}))
    read_ats(sc, lists["at"])
    sc.proxies = proxy.read_proxies(top.get("proxy", {}), net, sc.flows)
    proxy.check_moves(net, sc.flows, sc.proxies, sc.moves)
    proxy.check_feedback(net, links, sc.proxies, sc.moves)
    check_names(sc)
    check_filters(links, groups, sc.flows)
    sc.captured = read_captured(top.get("capture", []), links)
    check_until(sc)
    find_files(sc, origin)
    note_slow(sc)
    return sc


def note_slow(sc: Scenario) -> None:
    """Say of a link that it could not finish one packet in the run."""
    for way, link in sc.links.items():
        packet_ns = 8 * PACKET_BYTES * 10**9 // link.rate_bps if link.rate_bps else 0
        if packet_ns > sc.duration_ns:
            packet = f"a packet of {PACKET_BYTES} bytes takes {packet_ns / 1e9:g} s, longer than the run"
            note(f"{way}: at {as_rate(link.rate_bps or 0)}/s {packet}")


def with_word(kind: str, args: str, name: str, value: str) -> str:
    """Set one word of a qdisc's arguments; a word that has members is replaced together with them."""
    words = args.split()
    if kind == "wlink" and name in OWNERS:
        before, after = without(args, name)
        words = [before, name, value, after] if name in words else [name, value, before]
    elif name in words[:-1]:
        words[words.index(name) + 1] = value
    else:
        words = [name, value, *words]
    return " ".join(word for word in words if word)


def override(raw: dict[str, Any], setting: str) -> None:
    """Apply one --set KEY=VALUE to a parsed TOML file."""
    path, eq, value = setting.partition("=")
    keys = path.split(".")
    if not eq or not all(keys) or len(keys) > DEPTH_MAX:
        raise LabError(f"--set {setting}: not KEY=VALUE")
    try:
        item: Any = toml.loads(f"v = {value}")["v"]
    except BadValue:
        item = value
    at: Any = raw
    for i, key in enumerate(keys[:-1]):
        if isinstance(at, list):
            at = next((x for n, x in enumerate(at) if key in (str(n), x.get("name"))), None)
            if at is None:
                raise LabError(f"--set {setting}: there is no '{key}'")
        elif isinstance(at, dict) and isinstance(at.get(key), str) and i == len(keys) - 2:
            at[key] = with_word(key, at[key], keys[-1], value)
            return
        elif isinstance(at, dict):
            at = at.setdefault(key, {})
        else:
            raise LabError(f"--set {setting}: '{'.'.join(keys[:i])}' is a value, not a table")
    if not isinstance(at, dict):
        raise LabError(f"--set {setting}: '{'.'.join(keys[:-1])}' has no keys")
    at[keys[-1]] = item


def load(path: Path, settings: list[str]) -> Scenario:
    """Read a scenario file and apply --set options."""
    raw = toml.load(path)
    for setting in settings:
        override(raw, setting)
    with within(f"{path}: "):
        return read(raw, Origin(path.parent))
