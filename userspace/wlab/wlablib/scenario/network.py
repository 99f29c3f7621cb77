# SPDX-License-Identifier: GPL-2.0
"""The network of a scenario: nodes, the links between them, addresses and routes."""

import ipaddress
import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from functools import cache, cached_property
from typing import Any

from ..lib.keys import NAME, Keys, Table, any_name, name, table_of, text, texts, whole
from ..lib.kinds import Kind, checked, kind, spelt, table_by
from ..lib.paths import LabError
from ..lib.units import BadValue, near
from .link import LEG, WAYS, Link, Trace, check_wlink, read_sides, sides_of
from .tcp import TCP, Tcp

LEGS = ("wired", "radio")
COUNT_MAX = 1000
# Names of devices derive from those of links and cells; the kernel allows 15 characters.
LINK_NAME = r"[A-Za-z0-9][A-Za-z0-9_-]{0,12}"
CELL_NAME = r"[A-Za-z0-9][A-Za-z0-9_-]{0,8}"
ADDRESSES = "10.0.0.0/8"
MTU_IPV6_MIN = 1280
Addresses = ipaddress.IPv4Network | ipaddress.IPv6Network
# The class of the first user; 1:1 takes packets that match no user.
FIRST_CLASS = 2


@dataclass(frozen=True)
class Port:
    """One end of a link: a device of a node; `way` is the direction of the link in which it sends."""

    node: str
    way: str
    device: str
    mac: str
    address: str

    @property
    def ip(self) -> str:
        return self.address.partition("/")[0]


@dataclass(frozen=True)
class Wire:
    """A link between two nodes; the qdisc of each direction is on the end that sends."""

    name: str
    ends: tuple[Port, Port]
    mtu: int | None = None

    def far(self, node: str) -> Port:
        """The end at the other node."""
        return self.ends[self.ends[0].node == node]

    def near(self, node: str) -> Port:
        return self.ends[self.ends[0].node != node]


@dataclass
class Node:
    """A network namespace; `stacked`: the settings of [tcp] apply to it."""

    name: str
    address: str
    tcp: Tcp
    stacked: bool = True
    via: dict[str, str] = field(default_factory=dict)

    @property
    def alone(self) -> str:
        """The prefix of its address alone."""
        return str(ipaddress.ip_network(self.address))


@dataclass(frozen=True)
class Route:
    """A route of a node."""

    prefix: str
    via: str
    device: str
    onlink: bool = True


@dataclass
class Cell:
    """A shared link; its hub, a node of the cell's name, is the far side of the air.

    `movers` are the users that enter or leave it during the run.
    """

    name: str
    at: str
    users: list[str]
    bearer: str = "wlink"
    movers: list[str] = field(default_factory=list)

    def number(self, user: str) -> int:
        """The number of the user's class."""
        all_users = [*self.users, *(m for m in self.movers if m not in self.users)]
        return FIRST_CLASS + all_users.index(user)

    def wire(self, user: str) -> str:
        return f"{self.name}.{user}"


@dataclass
class Network:
    """Nodes, links, cells and routes."""

    nodes: dict[str, Node]
    wires: list[Wire]
    cells: dict[str, Cell] = field(default_factory=dict)
    routes: dict[str, list[Route]] = field(default_factory=dict)
    # Whether it is the three-node form, [wired] and [radio].
    short: bool = False
    # Links that are not used at the start: those to cells that a user moves to, and for forwarding.
    unused: set[str] = field(default_factory=set)
    # By (old cell, new cell): the links from hub to node (down) and from node to hub (up).
    forwarding: dict[tuple[str, str], tuple[Wire, Wire]] = field(default_factory=dict)
    ipv6: bool = False

    def wire(self, called_: str, ends: tuple[str, str], ways: tuple[str, str], devices: tuple[str, str],
             mtu: int | None = None) -> Wire:  # fmt: skip
        """Add a link."""
        number = 2 * len(self.wires) + 1
        ports = [
            Port(node, f"{called_}.{way}", device, mac(number + i), self.nodes[node].alone)
            for i, (node, way, device) in enumerate(zip(ends, ways, devices))
        ]
        self.wires.append(Wire(called_, (ports[0], ports[1]), mtu))
        return self.wires[-1]

    def forward(self, source: str, target: str) -> None:
        """Add the links over which one cell forwards packets to another, once for each pair."""
        if (source, target) in self.forwarding:
            return
        a, b = self.cells[source], self.cells[target]
        number = 1 + sum(pair[0] == source for pair in self.forwarding)
        wires = []
        for way, ends in (("down", (a.name, b.at)), ("up", (a.at, b.name))):
            devices = (f"{source}-{number}f{way[0]}", f"{source}-{number}r{way[0]}")
            wires.append(self.wire(f"{source}>{target}.{way}", ends, WAYS, devices))
        self.forwarding[source, target] = (wires[0], wires[1])
        self.unused.update(wire.name for wire in wires)

    def used(self) -> list[Wire]:
        """The links in use at the start."""
        return [wire for wire in self.wires if wire.name not in self.unused]

    def wires_of(self, node: str) -> list[Wire]:
        return [w for w in self.wires if node in (w.ends[0].node, w.ends[1].node)]

    def ports(self, node: str) -> list[Port]:
        return [w.near(node) for w in self.wires_of(node)]

    def port(self, way: str) -> Port:
        """The device with the qdisc of a direction."""
        return self._ways[way]

    @cached_property
    def _ways(self) -> dict[str, Port]:
        return {port.way: port for wire in self.wires for port in wire.ends}

    def bearer(self, cell: Cell, user: str, way: str) -> tuple[str, str]:
        """The class and filter of a user in one direction of a cell, as in `classes` and `filters`."""
        number, match = cell.number(user), "dst" if way == "down" else "src"
        protocol, word = ("ipv6", "ip6") if self.ipv6 else ("ip", "ip")
        return (
            f"classid 1:{number:x} {cell.bearer}",
            f"protocol {protocol} u32 match {word} {match} {self.nodes[user].alone} classid 1:{number:x}",
        )

    def forwards(self, node: str) -> bool:
        # The hub of a cell that has no users at the start has one link in use.
        return node in self.cells or sum(node in (w.ends[0].node, w.ends[1].node) for w in self.used()) > 1

    def by_links(self) -> list[str]:
        """The nodes, those with most links first."""
        return sorted(self.nodes, key=lambda n: -len(self.ports(n)))

    def named(self, pattern: str, where: str) -> list[str]:
        """The nodes that a name or pattern matches; a LabError if none does."""
        found = matching(pattern, self.nodes)
        if not found:
            raise LabError(f"{where}: no node '{pattern}'; {near(pattern, list(self.nodes))}")
        return found

    def path(self, src: str, dst: str) -> list[Wire] | None:
        """The links of the path from one node to another; None if there is none."""
        if (src, dst) not in self._paths:
            self._paths[src, dst] = self._path(src, dst)
        return self._paths[src, dst]

    @cached_property
    def _paths(self) -> dict[tuple[str, str], list[Wire] | None]:
        """Those that have been found; routes do not change once a network has them."""
        return {}

    def _path(self, src: str, dst: str) -> list[Wire] | None:
        out: list[Wire] = []
        at = src
        while at != dst:
            to = self.nodes[dst].address
            hop = next((r for r in self.routes.get(at, []) if covers(r.prefix, to)), None)
            wire = next((w for w in self.wires if hop and w.near(at).device == hop.device), None)
            if wire is None:
                # In the three-node form neighbours have no route to each other.
                wire = next((w for w in self.wires if {at, dst} == {e.node for e in w.ends}), None)
            if wire is None or len(out) > len(self.nodes):
                return None
            out.append(wire)
            at = wire.far(at).node
        return out

    def ways(self, src: str, dst: str) -> list[str]:
        """The directions of the links of that path."""
        out = []
        for wire in self.path(src, dst) or []:
            port = wire.near(src)
            out.append(port.way)
            src = wire.far(src).node
        return out


@cache
def addresses(prefix: str) -> Addresses:
    return ipaddress.ip_network(prefix)


def covers(prefix: str, address: str) -> bool:
    return prefix == "default" or addresses(address).network_address in addresses(prefix)


def matching(pattern: str, names: Iterable[str]) -> list[str]:
    return [n for n in names if n == pattern or fnmatchcase(n, pattern)]


def mac(number: int) -> str:
    return f"02:00:00:00:{number >> 8:02x}:{number & 255:02x}"


def short(tcp: Tcp) -> Network:
    """The network of the three-node form: server, router, UE."""
    wires = []
    for i, (leg, ends) in enumerate((("wired", ("server", "router")), ("radio", ("router", "ue")))):
        host = {"server": 1, "ue": 1, "router": 2}
        ports = [
            Port(node, f"{leg}.{way}", f"{leg}-{way}", mac(2 * i + j + 1), f"10.0.{i + 1}.{host[node]}/24")
            for j, (node, way) in enumerate(zip(ends, WAYS))
        ]
        wires.append(Wire(leg, (ports[0], ports[1])))
    routes = {
        "server": [Route("10.0.2.0/24", "10.0.1.2", "wired-down", onlink=False)],
        "ue": [Route("10.0.1.0/24", "10.0.2.2", "radio-up", onlink=False)],
    }
    nodes = {
        "server": Node("server", "10.0.1.1", tcp),
        "router": Node("router", "10.0.1.2", tcp, stacked=False),
        "ue": Node("ue", "10.0.2.1", tcp),
    }
    return Network(nodes, wires, routes=routes, short=True)


read_via = table_by(any_name, text, "not a table of nodes and neighbours")


def called(pattern: str, what: str, example: str) -> Kind[dict[str, Any]]:
    """[what.NAME]"""
    wrong = f"write [{what}.{example}]"
    names = spelt(pattern, f"{{0!r}} is not a name of a {what}: letters, digits, - and _, as in '{example}'")
    table = checked(Kind(lambda value: value, {"type": "object"}), lambda one: isinstance(one, dict), wrong)
    return table_by(names, table, wrong)


@kind(type="array", items=text.schema, minItems=2, maxItems=2)
def read_between(value: object) -> tuple[str, str]:
    if not isinstance(value, list) or len(value) != 2:
        raise BadValue(f'{value!r} is not two nodes, as in ["server", "router"]')
    return text(value[0]), text(value[1])


@kind(type="string")
def read_range(value: object) -> Addresses:
    try:
        return ipaddress.ip_network(text(value))
    except ValueError:
        raise BadValue(f"{value!r} is not a range of addresses, as in {ADDRESSES} or fd00::/64") from None


# By user the schedule of its downlink bearer.
read_traces = table_by(name, text, "not a table of users and files")
NODE = Table({"count": whole(1, COUNT_MAX), "tcp": table_of(TCP), "via": read_via})
FORTH = ("forward", "back")
BETWEEN: Keys = {"between": read_between, "mtu": whole(576, 65535)}
LINKED = sides_of(FORTH, (), BETWEEN)
CELL = Table(
    {
        "at": name,
        "users": Kind(lambda v: v, {"anyOf": [text.schema, texts.schema]}),
        "down": text,
        "up": text,
        "bearer": Kind(text.parse, {"type": "string"}),
        "traces": read_traces,
    },
    ("at", "users", "down", "up"),
)


def each_of(table: Table, kind_: Kind[dict[str, Any]]) -> Kind[dict[str, Any]]:
    return Kind(kind_.parse, {**kind_.schema, "additionalProperties": table.schema})


KEYS: dict[str, Kind[Any]] = {
    "node": each_of(NODE, called(NAME, "node", "ue")),
    "link": each_of(LINKED, called(LINK_NAME, "link", "core-1")),
    "cell": each_of(CELL, called(CELL_NAME, "cell", "cell-1")),
    "addresses": read_range,
}


class Builder:
    """Builds the network from [node], [link] and [cell]."""

    def __init__(self, tcp: Tcp, addresses: Addresses) -> None:
        self.net = Network({}, [], ipv6=addresses.version == 6)
        self.links: dict[str, Link] = {}
        self.tcp = tcp
        self.range = addresses
        self.free: Iterator[object] = iter(addresses.hosts())

    def node(self, called_: str, tcp: Tcp, via: dict[str, str]) -> None:
        if called_ in self.net.nodes:
            raise LabError(f"node.{called_}: two nodes of this name")
        address = next(self.free, None)
        if address is None:
            raise LabError(
                f"addresses: {self.range} has no address left for node {called_}; give a larger range"
            )
        self.net.nodes[called_] = Node(called_, str(address), tcp, via=via)

    def nodes(self, value: dict[str, Any]) -> None:
        for key, raw in value.items():
            keys = NODE.read(raw, f"node.{key}")
            tcp = self.tcp
            if "tcp" in keys:
                tcp = replace(tcp, **TCP.read(keys["tcp"], f"node.{key}.tcp"))
            count = keys.get("count")
            for node_name in [key] if count is None else [f"{key}-{i + 1}" for i in range(count)]:
                self.node(node_name, tcp, keys.get("via", {}))

    def link(self, key: str, raw: object) -> None:
        where = f"link.{key}"
        keys = LINKED.read(raw, where)
        if "between" not in keys:
            raise LabError(f'{where}.between is missing: two nodes, as in ["server", "router"]')
        (a, b), mtu = keys.pop("between"), keys.pop("mtu", None)
        if self.net.ipv6 and mtu is not None and mtu < MTU_IPV6_MIN:
            raise LabError(f"{where}.mtu: {mtu} is below {MTU_IPV6_MIN}, the minimum with IPv6")
        sides = read_sides(keys, where, FORTH)
        matches = [self.net.named(pattern, f"{where}.between") for pattern in (a, b)]
        if min(map(len, matches)) > 1:
            raise LabError(
                f"{where}.between: '{a}' and '{b}' both name several nodes; one of them must be a single node"
            )
        pairs = [(x, y) for x in matches[0] for y in matches[1]]
        for i, pair in enumerate(pairs):
            link_name = key if len(pairs) == 1 else f"{key}-{i + 1}"
            if pair[0] == pair[1]:
                raise LabError(f"{where}.between: {pair[0]} would be linked to itself; name another node")
            if any(wire.name == link_name for wire in self.net.wires):
                raise LabError(
                    f"{where}: two links would be called '{link_name}'; give this one another name"
                )
            if not re.fullmatch(LINK_NAME, link_name):
                raise LabError(f"{where}: a link would be called '{link_name}', more than 13 characters")
            self.net.wire(link_name, pair, FORTH, (f"{link_name}-f", f"{link_name}-b"), mtu)
            for side in FORTH:
                if f"{where}.{side}" in sides:
                    self.links[f"{link_name}.{side}"] = sides[f"{where}.{side}"]

    def reach(self, cell: Cell, user: str) -> None:
        """Add the link from a cell's hub to a user."""
        number = cell.number(user) - FIRST_CLASS + 1
        devices = (f"{cell.name}-{number}d", f"{cell.name}-{number}u")
        self.net.wire(cell.wire(user), (cell.name, user), WAYS, devices)

    def visit(self, user: str, cell: Cell) -> None:
        """Prepare a cell that a user moves to: a link that is unused at first, filters with a preference."""
        home = next(c for c in self.net.cells.values() if user in c.users)
        for visited in (home, cell):
            if user in visited.movers:
                continue
            visited.movers.append(user)
            if visited is not home:
                self.reach(visited, user)
                self.net.unused.add(visited.wire(user))
                continue
            for way in WAYS:
                filters = self.links[f"{visited.name}.{way}"].filters
                at = visited.users.index(user)
                filters[at] = f"pref {visited.number(user)} {filters[at]}"

    def without_users(self, key: str, patterns: list[str]) -> LabError:
        known = near(patterns[0] if patterns else "", list(self.net.nodes))
        return LabError(
            f"cell.{key}.users: no node matches '{' '.join(patterns)}', a cell needs a user; {known}"
        )

    def cell(self, key: str, raw: object) -> None:
        where = f"cell.{key}"
        keys = CELL.read(raw, where)
        at = self.net.named(keys["at"], f"{where}.at")[0]
        given = keys["users"] if isinstance(keys["users"], list) else [keys["users"]]
        patterns = [str(pattern) for pattern in given]
        users = list(dict.fromkeys(u for pattern in patterns for u in matching(pattern, self.net.nodes)))
        if not users and patterns:
            raise self.without_users(key, patterns)
        if at in users:
            raise LabError(f"{where}.users: {at} is the cell's own node and cannot be its user")
        for other in self.net.cells.values():
            if both := [u for u in users if u in other.users]:
                raise LabError(
                    f"{where}.users: {both[0]} is in cell {other.name} already; a node is in one cell at most"
                )
        if any(wire.name == key for wire in self.net.wires):
            raise LabError(f"{where}: a link has this name; give the cell another")
        self.node(key, self.tcp, {})
        self.net.wire(key, (at, key), WAYS, (f"{key}-d", f"{key}-u"))
        cell = self.net.cells[key] = Cell(key, at, users, f"wlink {keys.get('bearer', '')}".rstrip())
        for user in users:
            self.reach(cell, user)
        traces = read_traces(keys.get("traces", {}))
        for user in traces:
            if user not in users:
                raise LabError(f"{where}.traces.{user}: no user of the cell; {near(user, users)}")
        for way in WAYS:
            link = Link("wlink", keys[way])
            for user in users:
                class_line, filter_line = self.net.bearer(cell, user, way)
                link.classes.append(class_line)
                link.filters.append(filter_line)
            check_wlink(link, f"{where}.{way}", [line.partition("wlink")[2].strip() for line in link.classes])
            self.links[f"{key}.{way}"] = link
        self.links[f"{key}.down"].traces = {u: Trace(f, bearer=cell.number(u)) for u, f in traces.items()}


def next_hops(net: Network, wires: list[Wire], dst: str) -> dict[str, Wire]:
    """The first link of a shortest path from each node to `dst`; of equal ones that named first."""
    at: dict[str, list[Wire]] = {n: [] for n in net.nodes}
    for wire in wires:
        for end in wire.ends:
            at[end.node].append(wire)
    hops: dict[str, Wire] = {}
    queue = deque([dst])
    while queue:
        node = queue.popleft()
        for wire in at[node]:
            other = wire.far(node).node
            if other != dst and other not in hops:
                hops[other] = wire
                queue.append(other)
    return hops


def hops(net: Network, user: str, cell: str) -> dict[str, Wire]:
    """The first link from each node to a user, while the user is in a cell."""
    access = {c.wire(user) for c in net.cells.values() if user in c.movers}
    unused = {*net.unused, *access} - {net.cells[cell].wire(user)}
    return next_hops(net, [wire for wire in net.wires if wire.name not in unused], user)


def apply_via(net: Network, node: Node, hops: dict[str, Wire]) -> None:
    """Apply `via` in place of shortest paths."""
    where = f"node.{node.name}.via"
    for pattern, neighbour in node.via.items():
        own_wires = [w for w in net.used() if node.name in (w.ends[0].node, w.ends[1].node)]
        wire = next((w for w in own_wires if neighbour in (w.name, w.far(node.name).node)), None)
        if wire is None:
            known = [w.far(node.name).node for w in own_wires]
            raise LabError(f"{where}: {node.name} has no link to '{neighbour}'; {near(neighbour, known)}")
        for dst in net.named(pattern, where):
            if dst != node.name:
                hops[dst] = wire


def route(net: Network) -> None:
    """Compute all routes: a node's most used next hop is its default route."""
    to = {dst: next_hops(net, net.used(), dst) for dst in net.nodes}
    for node in net.nodes.values():
        hops = {dst: to[dst][node.name] for dst in net.nodes if node.name in to[dst]}
        apply_via(net, node, hops)
        if not hops:
            raise LabError(f"node.{node.name}: it has no link; name it in a link or a cell")
        usual = Counter(w.name for w in hops.values()).most_common(1)[0][0]
        routes = {net.nodes[dst].alone: w for dst, w in hops.items() if w.name != usual}
        routes["default"] = next(w for w in hops.values() if w.name == usual)
        net.routes[node.name] = [
            Route(prefix, w.far(node.name).ip, w.near(node.name).device) for prefix, w in routes.items()
        ]


def visits(net: Network, ats: object) -> list[tuple[str, Cell]]:
    """(user, cell) of all moves; faults of [[at]] are reported where it is parsed."""
    out = []
    users = {user for cell in net.cells.values() for user in cell.users}
    for raw in ats if isinstance(ats, list) else []:
        event = raw if isinstance(raw, dict) else {}
        candidates = [c for c in net.cells.values() if event.get("to") in (c.name, c.at)]
        if event.get("move") in users and candidates:
            out.append((event["move"], next((c for c in candidates if c.name == event["to"]), candidates[0])))
    return out


def reachable(net: Network, src: str, dst: str, where: str) -> None:
    """Raise a LabError if there is no path in either direction."""
    for a, b in ((src, dst), (dst, src)):
        if net.path(a, b) is None or b not in net.nodes:
            raise LabError(f"{where}: there is no path from {a} to {b}; link them, or check 'via'")


def read_network(top: dict[str, Any], tcp: Tcp) -> tuple[Network, dict[str, Link]]:
    """Parse the network: itself, and the directions that have a qdisc, by name."""
    long = [key for key in KEYS if key in top]
    if not long:
        links = {}
        for leg in LEGS:
            links.update(read_sides(LEG.read(top.get(leg, {}), leg), leg, WAYS))
        for way in ("radio.down", "radio.up"):
            if way not in links:
                raise LabError(f"{way} is missing" if "radio" in top else "radio is missing")
        return short(tcp), links
    for leg in LEGS:
        if leg in top:
            raise LabError(f"{leg}: a network of [{long[0]}] has no [{leg}]; make it a [link.{leg}]")
    builder = Builder(tcp, top.get("addresses", ipaddress.IPv4Network(ADDRESSES)))
    builder.nodes(top.get("node", {}))
    for key, raw in top.get("link", {}).items():
        builder.link(key, raw)
    for key, raw in top.get("cell", {}).items():
        builder.cell(key, raw)
    if not builder.net.wires:
        raise LabError("link: a network needs at least one link or cell")
    for user, cell in visits(builder.net, top.get("at", [])):
        builder.visit(user, cell)
    for cell in builder.net.cells.values():
        if not cell.users and not cell.movers:
            raise builder.without_users(cell.name, [])
    route(builder.net)
    return builder.net, builder.links
