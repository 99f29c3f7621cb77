# SPDX-License-Identifier: GPL-2.0
"""[proxy.NAME] of a scenario: split-connection TCP proxies, parsed and checked."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Annotated, Any

from ..lib.keys import NAME, Table, any_name, name, one_of, whole
from ..lib.kinds import Kind, by_field, by_name, checked, list_of, table_by
from ..lib.paths import LabError
from ..lib.units import near, size_bytes, time_ns
from .controls import CONGESTION
from .events import Move
from .flows import RECEIVE_PORT, SEND_PORT, Flow
from .link import Link
from .network import Network, Node, called, each_of, hops

PROGRAMS = ("haproxy", "wlink-pep")
# The connections that a proxy has at most, and where a scenario says nothing.
MAXCONN, MAXCONN_MAX = 4000, 100_000
# Each of them takes a descriptor of the proxy and a rule of its node.
PORTS_MAX = 1024
# Half of what the kernel gives a socket at least: it doubles what a program asks.
BUFFER_MIN, BUFFER_MAX = 2304, 64 << 20
# Of what a leg may have under way beyond the link's rate x its round trip (wlinkctl feedback).
FEEDBACK_MIN_NS, FEEDBACK_MAX_NS = 10**6, 10**10
# From which a web flow's client sends after its first connection (guest/web/client.c).
WEB_PORTS = range(21024, 65536)


buffer = checked(
    size_bytes,
    lambda size: BUFFER_MIN <= size <= BUFFER_MAX,
    f"{{1}} is outside {BUFFER_MIN}..{BUFFER_MAX} bytes",
)
allowance = checked(
    time_ns, lambda ns: FEEDBACK_MIN_NS <= ns <= FEEDBACK_MAX_NS, "{0!r} is outside 1ms..10s"
)

@dataclass(frozen=True)
class Leg:
    """The TCP of a proxy towards one node; None is the kernel's."""

    congestion: Annotated[str | None, one_of(*CONGESTION)] = None
    initcwnd: Annotated[int | None, whole(1, 65535)] = None
    sndbuf: Annotated[int | None, buffer] = None
    rcvbuf: Annotated[int | None, buffer] = None

    @property
    def buffers(self) -> tuple[int | None, int | None]:
        return self.sndbuf, self.rcvbuf


@dataclass(frozen=True)
class Split:
    """The connections to a port of a node that a proxy splits; a program's may come from any node."""

    server: str
    port: int
    client: str | None = None
    flow: str | None = None


@dataclass
class Proxy:
    """A transparent proxy on a node; `to` has the legs that differ from `leg`."""

    name: str
    on: Annotated[str, name]
    leg: Leg
    to: dict[str, Leg] = field(default_factory=dict)
    notsent_lowat: Annotated[int | None, buffer] = None
    maxconn: Annotated[int, whole(1, MAXCONN_MAX)] = MAXCONN
    program: Annotated[str, one_of(*PROGRAMS)] = PROGRAMS[0]
    feedback_ns: Annotated[int | None, allowance, "feedback"] = None
    splits: list[Split] = field(default_factory=list)

    def towards(self, node: str | None) -> Leg:
        return self.to.get(node or "", self.leg)

    @property
    def flows(self) -> set[str]:
        return {split.flow for split in self.splits if split.flow}


port = whole(1, 65535)
PORTS = "not a table of nodes and lists of ports, as in {{ server = [80, 443] }}"
read_ports = table_by(any_name, list_of(port, PORTS), PORTS)


LEG = Table.of(Leg)
OF_PROXY = Table.of(Proxy)
TO: Kind[Any] = Kind(lambda value: value, by_name(".*", LEG.schema))
PROXY = replace(OF_PROXY, keys={**OF_PROXY.keys, "ports": read_ports, "to": TO, **LEG.keys})
NAMED = each_of(PROXY, called(NAME, "proxy", "split"))


def ends(flow: Flow, index: int) -> Split:
    """The client, the server and its port, of a flow over TCP."""
    if flow.kind == "web":
        return Split(flow.src, SEND_PORT + index, flow.dst, flow.name)
    return Split(flow.dst, RECEIVE_PORT + index, flow.src, flow.name)


def between(net: Network, src: str, dst: str) -> list[str]:
    """The nodes of a path without its ends."""
    out = []
    for wire in net.path(src, dst) or []:
        src = wire.far(src).node
        out.append(src)
    return out[:-1]


def read_legs(net: Network, keys: dict[str, Any], where: str) -> dict[str, Leg]:
    """The legs that [proxy.NAME.to.NODES] describes."""
    own = Leg(**{key: value for key, value in keys.items() if key in LEG.keys})
    if not isinstance(keys.get("to", {}), dict):
        raise LabError(f"{where}.to: write [{where}.to.NODES]")
    out: dict[str, Leg] = {}
    for pattern, raw in keys.get("to", {}).items():
        leg = LEG.read(raw, f"{where}.to.{pattern}")
        for node in net.named(pattern, f"{where}.to"):
            out[node] = replace(out.get(node, own), **leg)
    return out


def split_flows(net: Network, flows: list[Flow], proxy: Proxy, where: str) -> Iterator[Split]:
    """The flows that pass the proxy's node, in both directions as they must."""
    for index, flow in enumerate(flows):
        if flow.transport != "tcp":
            continue
        passes = [proxy.on in between(net, *way) for way in ((flow.src, flow.dst), (flow.dst, flow.src))]
        if any(passes) and not all(passes):
            raise LabError(
                f"{where}.on: only one direction of flow {flow.name} passes {proxy.on}, a proxy needs both;"
                " check 'via'"
            )
        if all(passes):
            yield ends(flow, index)


def split_ports(net: Network, flows: list[Flow], keys: dict[str, Any], where: str) -> Iterator[Split]:
    """The ports of programs."""
    for pattern, ports in keys.get("ports", {}).items():
        at = f"{where}.ports.{pattern}"
        for node in net.named(pattern, f"{where}.ports"):
            if node == keys["on"]:
                raise LabError(f"{at}: {node} is the proxy's own node; it splits what passes the node only")
            for port in ports:
                check_port(flows, node, port, at)
                yield Split(node, port)


def check_port(flows: list[Flow], node: str, port: int, where: str) -> None:
    """A proxy sends from the address and port of its client, so it cannot listen there."""
    for index, flow in enumerate(flows):
        if flow.transport != "tcp":
            continue
        used = ends(flow, index)
        first = RECEIVE_PORT + index if flow.kind == "web" else SEND_PORT + index
        if (node, port) == (used.server, used.port):
            raise LabError(f"{where}: {port} is the port of flow {flow.name}, which needs no entry")
        if node == used.client and (port == first or (flow.kind == "web" and port in WEB_PORTS)):
            raise LabError(
                f"{where}: flow {flow.name} sends from port {port} of {node}, and a proxy that uses its"
                " clients' ports cannot listen there; choose a port below 10000"
            )


def check_splits(net: Network, proxy: Proxy, where: str) -> None:
    if not proxy.splits:
        raise LabError(
            f"{where}.on: no TCP or web flow passes {proxy.on}; put the proxy on a node between the ends of"
            f" one, or name ports of programs, as in {where}.ports = {{ {next(iter(net.nodes))} = [80] }}"
        )
    if len(proxy.splits) > PORTS_MAX:
        raise LabError(f"{where}.ports: {len(proxy.splits)} ports are more than {PORTS_MAX}")
    (first, count), = Counter((s.server, s.port) for s in proxy.splits).most_common(1)
    if count > 1:
        raise LabError(f"{where}.ports: port {first[1]} of {first[0]} is there twice")


def read_proxy(net: Network, flows: list[Flow], called_: str, raw: object) -> Proxy:
    where = f"proxy.{called_}"
    keys = PROXY.read(raw, where)
    if keys["on"] not in net.nodes:
        raise LabError(f"{where}.on: no node '{keys['on']}'; {near(keys['on'], list(net.nodes))}")
    if not net.forwards(keys["on"]):
        raise LabError(
            f"{where}.on: {keys['on']} has one link, so nothing passes it; put the proxy on a node between"
            " the ends of a flow"
        )
    leg = Leg(**{key: value for key, value in keys.items() if key in LEG.keys})
    own = by_field(Proxy, {key: value for key, value in keys.items() if key in OF_PROXY.keys})
    proxy = Proxy(called_, leg=leg, to=read_legs(net, keys, where), **own)
    proxy.splits = [*split_flows(net, flows, proxy, where), *split_ports(net, flows, keys, where)]
    check_splits(net, proxy, where)
    return proxy


def read_proxies(value: object, net: Network, flows: list[Flow]) -> list[Proxy]:
    """Parse [proxy.NAME]; the TCP settings of the scenario then apply to the router as well."""
    raw: dict[str, object] = NAMED(value) if isinstance(value, dict) else {}
    if not isinstance(value, dict):
        raise LabError("proxy: write [proxy.NAME]")
    out: list[Proxy] = []
    for called_, one in raw.items():
        proxy = read_proxy(net, flows, called_, one)
        if other := next((p for p in out if p.on == proxy.on), None):
            raise LabError(
                f"proxy.{called_}.on: {proxy.on} has proxy {other.name} already; a node has one at most"
            )
        net.nodes[proxy.on].stacked = True
        out.append(proxy)
    return out


def followed(
    net: Network, links: dict[str, Link], proxies: list[Proxy], proxy: Proxy
) -> dict[str, list[tuple[int, str]]]:
    """By direction of a wlink the users behind it to whom a proxy sends: bearer and address.

    It is the last one of the proxy's own leg, which ends at the next proxy.
    """
    out: dict[str, list[tuple[int, str]]] = {}
    ends_ = {end for split in proxy.splits for end in (split.client or "", split.server)}
    others = {other.on for other in proxies} - {proxy.on}
    for node in net.nodes.values():
        if node.name == proxy.on or not ("" in ends_ or node.name in ends_):
            continue
        at, last = proxy.on, None
        for wire in net.path(proxy.on, node.name) or []:
            way = wire.near(at).way
            last = way if way in links and links[way].kind == "wlink" else last
            at = wire.far(at).node
            if at in others:
                break
        if last:
            cell = net.cells.get(last.partition(".")[0])
            bearer = cell.number(node.name) if cell and node.name in cell.users else 1
            out.setdefault(last, []).append((bearer, node.address))
    return out


def check_feedback(
    net: Network, links: dict[str, Link], proxies: list[Proxy], moves: list[Move]
) -> None:
    """There must be a link to follow, whose bearer for each user is known and stays."""
    for proxy in proxies:
        if proxy.feedback_ns is None:
            continue
        where = f"proxy.{proxy.name}.feedback"
        links_of = followed(net, links, proxies, proxy)
        if not links_of:
            raise LabError(f"{where}: no wlink is on a leg from {proxy.on}, so there is no rate to follow")
        for way in links_of:
            if links[way].classes and way.partition(".")[0] not in net.cells:
                raise LabError(
                    f"{where}: {way} has classes of its own, and feedback follows users of cells only"
                )
        users = {address for pairs in links_of.values() for _, address in pairs}
        for move in moves:
            if net.nodes[move.user].address in users:
                raise LabError(
                    f"{where}: {move.user} moves (at.{move.index}), and feedback follows one cell only"
                )


def check_moves(net: Network, flows: list[Flow], proxies: list[Proxy], moves: list[Move]) -> None:
    """A connection stays with its proxy, which therefore is on the paths before and after a move."""
    for move in moves:
        to_user = hops(net, move.user, move.cell)
        for proxy in proxies:
            for flow in flows:
                if flow.name not in proxy.flows or move.user not in (flow.src, flow.dst):
                    continue
                at = flow.src if move.user == flow.dst else flow.dst
                nodes = [at]
                while nodes[-1] != move.user:
                    nodes.append(to_user[nodes[-1]].far(nodes[-1]).node)
                if proxy.on not in nodes or proxy.on not in between(net, move.cell, at):
                    raise LabError(
                        f"at.{move.index}: flow {flow.name} does not pass proxy {proxy.name} after this move,"
                        f" and its connections stay there; put the proxy on a node of both paths"
                    )


def segments(
    net: Network, flow: Flow, proxies: list[Proxy], back: bool = False
) -> list[tuple[int, list[str]]]:
    """The directions of the links of a flow's path, by leg, with the number of the proxy that sends there.

    Proxies count from 1; 0 is the flow's source. Those of the reverse path begin at its destination.
    """
    own = {proxy.on: i for i, proxy in enumerate(proxies, 1) if flow.name in proxy.flows}
    out: list[tuple[int, list[str]]] = [(0, [])]
    at, to = (flow.dst, flow.src) if back else (flow.src, flow.dst)
    for wire in net.path(at, to) or []:
        if at in own:
            out.append((own[at], []))
        out[-1][1].append(wire.near(at).way)
        at = wire.far(at).node
    return out


def peers(net: Network, proxy: Proxy) -> Iterator[tuple[Node, Leg]]:
    """The nodes whose routes from the proxy's node have options of a leg."""
    for node in net.nodes.values():
        leg = proxy.towards(node.name)
        if node.name != proxy.on and (leg.congestion or leg.initcwnd):
            yield node, leg
