# SPDX-License-Identifier: GPL-2.0
"""A scenario's proxies as HAProxy does them: its configuration, interception by rules, options of routes.

Nothing here needs netfilter: packets from and to the servers' ports are routed to the node itself,
where HAProxy has transparent listeners, and it connects from the client's address and port.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

from ..scenario.flows import SEND_PORT, Flow
from ..scenario.proxy import Leg, Proxy, Split, followed, peers, segments
from ..scenario.scenario import Scenario
from . import stack

# The folder of the configurations in a run's folder and in a result.
FOLDER = "proxy"
# Before those of moves (handover.py); what the node itself sends is routed as ever.
MARK_PREF, OWN_PREF, PREF, TABLE = 9, 10, 11, 200
# As a number: a VM has no /etc/protocols.
TCP = 6
# Of the SYNs that wlink-pep sends to its own listeners.
MARK = "0x776d"
LOWAT = "net.ipv4.tcp_notsent_lowat"
WMEM, RMEM = "net.core.wmem_max", "net.core.rmem_max"
# Their default; setsockopt(2) takes no more.
MEM_MAX = 212992

CONFIG = """\
# {title}
global
    maxconn {maxconn}
    nbthread 1
{tune}
defaults
    mode tcp
    option splice-auto
    # One attempt, as long as the kernel's own. Idle connections stay, as on the plain path.
    retries 0
    timeout connect 150s
    timeout client 24d
    timeout server 24d

listen split
{binds}
    # The server gets packets from the client's address and port, the client from the server's.
    source {any} usesrc client
    option transparent
"""
BUFFERS = ("tune.sndbuf.client", "tune.rcvbuf.client", "tune.sndbuf.server", "tune.rcvbuf.server")


def ranges(ports: Iterable[int]) -> list[tuple[int, int]]:
    """Ports as (first, last) of each run."""
    out: list[tuple[int, int]] = []
    for port in sorted(set(ports)):
        if out and port == out[-1][1] + 1:
            out[-1] = out[-1][0], port
        else:
            out.append((port, port))
    return out


def words(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}-{last}"


def processes(sc: Scenario, proxy: Proxy) -> Iterator[tuple[tuple[int | None, ...], list[str]]]:
    """The buffers of a proxy's processes, and where they listen; the port is behind the last colon.

    One process serves all connections whose buffers are the same: it has one size for all of its
    clients and one for all of its servers.
    """
    groups: dict[tuple[int | None, ...], list[Split]] = {}
    for split in proxy.splits:
        key = *proxy.towards(split.client).buffers, *proxy.towards(split.server).buffers
        groups.setdefault(key, []).append(split)
    for sizes, splits in groups.items():
        yield sizes, [f"{sc.net.nodes[split.server].address}:{split.port}" for split in splits]


def configs(sc: Scenario, proxy: Proxy) -> dict[str, str]:
    """The configurations of HAProxy by name."""
    groups = [*processes(sc, proxy)] if proxy.program == "haproxy" else []
    out = {}
    for number, (sizes, places) in enumerate(groups, 1):
        tune = [f"    {key} {size}" for key, size in zip(BUFFERS, sizes) if size is not None]
        binds = [f"    bind {place} transparent" for place in places]
        out[f"{proxy.name}{'' if len(groups) == 1 else f'-{number}'}.cfg"] = CONFIG.format(
            title=f"proxy {proxy.name} on {proxy.on}, of scenario {sc.name}",
            maxconn=proxy.maxconn,
            tune="\n".join([*tune, ""]),
            binds="\n".join(binds),
            any="[::]" if sc.net.ipv6 else "0.0.0.0",
        )
    return out


def write(sc: Scenario, folder: Path) -> None:
    """Write all configurations."""
    for proxy in sc.proxies:
        for name, text in configs(sc, proxy).items():
            (folder / FOLDER).mkdir(exist_ok=True)
            (folder / FOLDER / name).write_text(text)


def rules(sc: Scenario, proxy: Proxy) -> Iterator[str]:
    """Lines of `ip -batch` that route packets of the split connections to the node itself."""
    yield "link set lo up"
    if proxy.program == "wlink-pep":
        yield f"rule add pref {MARK_PREF} fwmark {MARK} lookup {TABLE}"
    yield f"rule add pref {OWN_PREF} iif lo lookup main"
    # No other node uses a flow's port; those of programs are of one node only.
    for span in ranges(split.port for split in proxy.splits if split.flow):
        for side in ("dport", "sport"):
            yield f"rule add pref {PREF} ipproto {TCP} {side} {words(*span)} lookup {TABLE}"
    for split in proxy.splits:
        if not split.flow:
            for way, side in (("to", "dport"), ("from", "sport")):
                address = f"{way} {sc.net.nodes[split.server].alone}"
                yield f"rule add pref {PREF} {address} ipproto {TCP} {side} {split.port} lookup {TABLE}"
    yield f"route add local default dev lo table {TABLE}"


def options(base: str, leg: Leg) -> str:
    """The options of a route with those of a leg."""
    out = base.split()
    for key, value in (("congctl", leg.congestion), ("initcwnd", leg.initcwnd)):
        if value is None:
            continue
        if key in out:
            at = out.index(key)
            del out[at : at + 2]
        out += [key, str(value)]
    return " ".join(out)


def route(sc: Scenario, node: str, peer: str) -> str:
    """The options of a node's route to another one."""
    base = stack.route(sc, sc.net.nodes[node])
    proxy = next((proxy for proxy in sc.proxies if proxy.on == node), None)
    return options(base, proxy.towards(peer)) if proxy else base


def ip_lines(sc: Scenario, node: str) -> Iterator[str]:
    """Lines of `ip -batch` for a node: routes with the options of legs, and the rules."""
    for proxy in sc.proxies:
        if proxy.on != node:
            continue
        for peer, _ in peers(sc.net, proxy):
            for wire in (sc.net.path(node, peer.name) or [])[:1]:
                hop = f"via {wire.far(node).ip} dev {wire.near(node).device} onlink"
                yield f"route replace {peer.alone} {hop} {route(sc, node, peer.name)}"
        yield from rules(sc, proxy)


def tc_lines(sc: Scenario, node: str) -> Iterator[str]:
    """Lines of `tc -batch`: packets that a proxy receives have its number as their mark.

    By it TCP's events of the proxy differ from those of the flow's ends, whose ports it uses.
    """
    for number, proxy in enumerate(sc.proxies, 1):
        if proxy.on == node:
            for port in sc.net.ports(node):
                yield f"qdisc add dev {port.device} ingress"
                yield f"filter add dev {port.device} ingress matchall action skbedit mark {number}"


def sender(sc: Scenario, flow: Flow, at: str) -> int:
    """The number of the proxy that sends a flow's packets on a link, 0 for the flow's source."""
    return next((number for number, ways in segments(sc.net, flow, sc.proxies) if at in ways), 0)


def filter_of_probe(sc: Scenario, base: str, seen: dict[str, str]) -> str:
    """The filter of tcp_probe: of each flow the socket that sends on the link where it is measured."""
    if not any(proxy.flows for proxy in sc.proxies):
        return base
    by_mark: dict[int, list[int]] = {}
    for i, flow in enumerate(sc.flows):
        if flow.transport == "tcp":
            by_mark.setdefault(sender(sc, flow, seen[flow.name]), []).append(SEND_PORT + i)
    one_of = [
        "(mark == {} && ({}))".format(
            mark, " || ".join(f"(sport >= {a} && sport <= {b})" for a, b in ranges(ports))
        )
        for mark, ports in by_mark.items()
    ]
    return f"{base} && ({' || '.join(one_of)})"


def begin_lines(sc: Scenario, out: Path) -> Iterator[str]:
    """The plan's lines that start the proxies, whose commands return when they listen."""
    for proxy in sc.proxies:
        for name in configs(sc, proxy):
            yield f"begin {proxy.on} exec haproxy -D -f {out / FOLDER / name}"
        for sizes, places in processes(sc, proxy) if proxy.program == "wlink-pep" else ():
            own = [f"-{key} {size}" for key, size in zip("srSR", sizes) if size is not None]
            words_of = " ".join([f"-n {proxy.maxconn}", *own, *places])
            yield f"begin {proxy.on} exec wlink-pep -D {words_of}"
    yield from feedback_lines(sc)


def feedback_lines(sc: Scenario) -> Iterator[str]:
    """The plan's lines that make the legs of proxies follow the links behind them."""
    for proxy in sc.proxies:
        if proxy.feedback_ns is None:
            continue
        for way, users in followed(sc.net, sc.links, sc.proxies, proxy).items():
            at = sc.net.port(way)
            words_of = f"{at.device} of {proxy.program} netns {proxy.on} allow {proxy.feedback_ns}ns"
            to = " ".join(f"bearer {bearer} to {address}" for bearer, address in users)
            yield f"begin {at.node} exec wlinkctl feedback {words_of} background {to}"


def sysctl_lines(sc: Scenario, real: bool) -> Iterator[str]:
    """The plan's lines for buffers; in real time without the limits of the whole kernel."""
    for proxy in sc.proxies:
        if proxy.notsent_lowat is not None:
            yield f"sysctl {proxy.on} {LOWAT} {proxy.notsent_lowat}"
    for name, key in ((WMEM, "sndbuf"), (RMEM, "rcvbuf")):
        if largest(sc, key)[1] > MEM_MAX and not real:
            yield f"sysctl - {name} {largest(sc, key)[1]}"


def largest(sc: Scenario, key: str) -> tuple[str, int]:
    """The proxy with the largest buffer of a kind, and its size."""
    sizes = [
        (getattr(leg, key) or 0, proxy.name)
        for proxy in sc.proxies
        for leg in (proxy.leg, *proxy.to.values())
    ]
    size, name = max(sizes, default=(0, ""))
    return name, size
