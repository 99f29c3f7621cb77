# SPDX-License-Identifier: GPL-2.0
"""TCP's stack profiles: the settings, and what is in force after them."""

import re
from pathlib import Path
from typing import Any

from ..scenario.network import Node
from ..scenario.scenario import Scenario
from ..scenario.tcp import STACKS, Tcp

CONGESTION = "net.ipv4.tcp_congestion_control"
DEFAULT_QDISC = "net.core.default_qdisc"

# For all namespaces: limits that the kernel would derive from the guest's memory, as of 2 GB.
GLOBAL = {
    "net.ipv4.tcp_mem": "24576 32768 49152",
    "net.ipv4.udp_mem": "49152 65536 98304",
}

# For every stack: nothing may depend on earlier runs of the guest or on its memory.
COMMON = {
    "net.ipv4.tcp_rmem": "4096 131072 6291456",
    "net.ipv4.tcp_wmem": "4096 16384 4194304",
    "net.ipv6.conf.all.disable_ipv6": "1",
    "net.ipv6.conf.default.disable_ipv6": "1",
    "net.ipv4.tcp_no_metrics_save": "1",
    "net.ipv4.tcp_fastopen": "0",
}

# TCP as in the papers' simulators, as near as Linux comes. The receive
# buffer is so large that unread data never narrows the window, which
# its 16 bits bound. Some names exist in some kernels only.
RENO_2006 = {
    "net.ipv4.tcp_sack": "0",
    "net.ipv4.tcp_dsack": "0",
    "net.ipv4.tcp_timestamps": "0",
    "net.ipv4.tcp_window_scaling": "0",
    "net.ipv4.tcp_recovery": "0",
    "net.ipv4.tcp_early_retrans": "0",
    "net.ipv4.tcp_frto": "0",
    "net.ipv4.tcp_ecn": "0",
    "net.ipv4.tcp_ecn_option": "0",
    "net.ipv4.tcp_ecn_option_beacon": "0",
    "net.ipv4.tcp_reordering": "3",
    "net.ipv4.tcp_max_reordering": "3",
    "net.ipv4.tcp_retrans_collapse": "0",
    "net.ipv4.tcp_thin_linear_timeouts": "0",
    "net.ipv4.tcp_no_metrics_save": "1",
    "net.ipv4.tcp_no_ssthresh_metrics_save": "1",
    "net.ipv4.tcp_slow_start_after_idle": "1",
    "net.ipv4.tcp_mtu_probing": "0",
    "net.ipv4.tcp_fastopen": "0",
    "net.ipv4.tcp_plb_enabled": "0",
    "net.ipv4.tcp_moderate_rcvbuf": "0",
    "net.ipv4.tcp_shrink_window": "0",
    "net.ipv4.tcp_rmem": "4096 1048576 1048576",
    "net.ipv4.tcp_wmem": "4096 262144 262144",
    "net.ipv4.tcp_min_tso_segs": "1",
    "net.ipv4.tcp_tso_rtt_log": "0",
    "net.ipv4.tcp_autocorking": "0",
    "net.ipv4.tcp_limit_output_bytes": "4194304",
    "net.ipv4.tcp_syn_linear_timeouts": "0",
    "net.ipv4.tcp_backlog_ack_defer": "0",
    "net.ipv4.tcp_rto_min_us": "200000",
    "net.ipv4.tcp_rto_max_ms": "60000",
}
RENO_ROUTE = "initcwnd 1 initrwnd 44 window 65535 quickack 1 rto_min 200ms"
# Bytes that wake a reader: few enough not to narrow the window.
RENO_READ = 128 << 10

# Features by the kernel's names; `ethtool -K DEV tso off gso off gro off` means the first six.
OFFLOADS = (
    "tx-tcp-segmentation",
    "tx-tcp-ecn-segmentation",
    "tx-tcp-mangleid-segmentation",
    "tx-tcp6-segmentation",
    "tx-generic-segmentation",
    "rx-gro",
    "rx-gro-list",
    "rx-udp-gro-forwarding",
)
SEGS = "gso_max_segs"
# For IPv6: a node has its configured address only and sends nothing by itself, as with IPv4 and
# permanent neighbours; its timers would make such packets random.
IPV6 = {
    **{f"net.ipv6.conf.{which}.disable_ipv6": "0" for which in ("all", "default")},
    "net.ipv6.conf.default.accept_ra": "0",
    "net.ipv6.conf.default.addr_gen_mode": "1",
}
# No multicast, whose groups the node would report, and no neighbour discovery.
LINK_IPV6 = "multicast off arp off "
# Dumps of `ip -d -batch` in a node.
SHOW_LINKS = "link show"
SHOW_ROUTES = "route show"
# Words in the dump of a route that have no value.
FLAGS = ("lock", "onlink")


def is_reno(tcp: Tcp) -> bool:
    return tcp.stack != "linux"


def any_reno(sc: Scenario) -> bool:
    return any(is_reno(node.tcp) for node in sc.net.nodes.values())


def stacked(sc: Scenario) -> list[Node]:
    """The nodes to which [tcp] applies."""
    return [node for node in sc.net.nodes.values() if node.stacked]


def congestion(tcp: Tcp) -> str:
    """The congestion control of flows that name none."""
    return tcp.congestion or STACKS[tcp.stack]


def route(sc: Scenario, node: Node) -> str:
    """The options of a node's routes."""
    if not node.stacked:
        return ""
    if node.tcp.route is not None:
        return node.tcp.route
    if not is_reno(node.tcp):
        return ""
    # A route's algorithm takes precedence over that of a flow's socket.
    own = any(flow.congestion for flow in sc.flows)
    return RENO_ROUTE if own else f"{RENO_ROUTE} congctl {congestion(node.tcp)}"


def read_bytes(sc: Scenario, node: str) -> int:
    """How many bytes wake a receiver in a node, for flows that do not set it."""
    return RENO_READ if is_reno(sc.net.nodes[node].tcp) else 0


def wanted(tcp: Tcp) -> dict[str, str]:
    """The sysctls that are set in a node."""
    out = dict(RENO_2006) if is_reno(tcp) else {}
    return {**out, CONGESTION: congestion(tcp), **tcp.sysctl}


def sysctl_lines(sc: Scenario, real: bool = False) -> list[str]:
    """The plan's lines that set and read sysctls; in real time without those of the whole kernel."""
    out = [f"sysctl {p} ?{k} {v}" for p in sc.net.nodes for k, v in COMMON.items()]
    out += [f"sysctl - {k} {v}" for k, v in GLOBAL.items() if not real]
    if sc.net.ipv6:
        out += [f"sysctl {p} {k} {v}" for p in sc.net.nodes for k, v in IPV6.items()]
    forward = "net.ipv6.conf.all.forwarding" if sc.net.ipv6 else "net.ipv4.ip_forward"
    out += [f"sysctl {p} {forward} 1" for p in sc.net.nodes if sc.net.forwards(p)]
    if any_reno(sc) and not real:
        # It is global, not per namespace.
        out.append(f"sysctl - ?{DEFAULT_QDISC} pfifo_fast")
    nodes = stacked(sc)
    for node in nodes:
        for name, value in wanted(node.tcp).items():
            # A sysctl that the user names must exist.
            may_miss = "" if name in node.tcp.sysctl or name == CONGESTION else "?"
            out.append(f"sysctl {node.name} {may_miss}{name} {value}")
    out.append(f"read - {DEFAULT_QDISC}")
    # The result has all sysctls of the first node.
    more = [key for key in RENO_2006 if key not in wanted(nodes[0].tcp)]
    out += [f"read {nodes[0].name} {key}" for key in more]
    return [*out, *(f"read {node.name} {key}" for node in nodes for key in wanted(node.tcp))]


def device_lines(sc: Scenario) -> list[str]:
    """The plan's lines that set and read offloads."""
    out = []
    for node in sc.net.nodes.values():
        action = "off" if is_reno(node.tcp) else "read"
        devices = [port.device for port in sc.net.ports(node.name)]
        out += [f"offload {node.name} {dev} {feature} {action}" for dev in devices for feature in OFFLOADS]
    return out


def read_sysctls(path: Path) -> dict[str, dict[str, str | None]]:
    """Sysctls by namespace and name, None for a missing one; written by guest/net/netns.c."""
    out: dict[str, dict[str, str | None]] = {}
    for line in path.read_text().splitlines():
        place, key, *value = line.split()
        out.setdefault(place, {})[key] = " ".join(value) or None
    return out


def read_offloads(folder: Path) -> dict[str, dict[str, str]]:
    """Offloads by device and feature; written by guest/net/offload.c."""
    out: dict[str, dict[str, str]] = {}
    for line in (folder / "offloads").read_text().splitlines():
        dev, feature, *state = line.split()
        features = out.setdefault(dev, {})
        if state:
            features[feature] = state[0]
    return out


def read_shown(folder: Path) -> tuple[dict[str, str], dict[str, str]]:
    """gso_max_segs by device, and routes by their device; the routes of a node have the same options."""
    segs: dict[str, str] = {}
    routes: dict[str, str] = {}
    dev = ""
    for line in (folder / "stack").read_text().splitlines():
        if found := re.match(r"\d+: ([\w-]+)[@:]", line):
            dev = found[1]
        if found := re.search(rf"\b{SEGS} (\d+)", line):
            segs[dev] = found[1]
        elif found := re.search(r" via .* dev (\S+)", line):
            # The far side may not be up yet.
            line = line.removeprefix("unicast ").replace(" linkdown", "")
            routes.setdefault(found[1], line.strip())
    return segs, routes


def options(line: str) -> dict[str, str]:
    """The options of a route, as a user or `ip route` writes them."""
    words = [w for w in line.split() if w not in FLAGS]
    return dict(zip(words[::2], words[1::2]))


def difference(name: str, wanted_value: str, value: str, where: str) -> list[dict[str, str]]:
    return [] if wanted_value == value else [{"name": name, "in": where, "wanted": wanted_value, "is": value}]


def report(sc: Scenario, folder: Path) -> dict[str, Any]:
    """The stack's part of result.json, from the folder that the guest has written."""
    sysctls = read_sysctls(folder / "sysctls")
    segs, ways = read_shown(folder)
    place_of = {port.device: port.node for wire in sc.net.wires for port in wire.ends}
    # The first route in the dump, which is the default route where there is one.
    routes = {place_of[dev]: line for dev, line in reversed(ways.items())}
    offloads = {
        dev: {SEGS: segs.get(dev, "-"), **features} for dev, features in read_offloads(folder).items()
    }
    nodes = stacked(sc)
    settings = {**sysctls[nodes[0].name], **sysctls["-"]}
    want: dict[str, str] = {}
    differs: list[dict[str, str]] = []
    for node in nodes:
        place = node.name
        want = {k: " ".join(v.split()) for k, v in wanted(node.tcp).items()}
        for key, value in want.items():
            now = sysctls[place][key]
            if now is not None:
                differs += difference(key, value, now, place)
        shown = routes.get(place, "")
        # The address is followed by pairs of words.
        present = options(shown.partition(" ")[2])
        for key, value in options(route(sc, node)).items():
            differs += difference(f"route {key}", value, present.get(key, "-"), place)
    qdisc = settings[DEFAULT_QDISC]
    if any_reno(sc) and qdisc is not None:
        differs += difference(DEFAULT_QDISC, "pfifo_fast", qdisc, "-")
    required = {*(key for node in nodes for key in wanted(node.tcp)), DEFAULT_QDISC}
    missing = [key for key, value in settings.items() if value is None and key in required]
    reno = {p.device for n in sc.net.nodes.values() if is_reno(n.tcp) for p in sc.net.ports(n.name)}
    for dev, features in offloads.items():
        differs += difference(SEGS, "1", features[SEGS], dev)
        for feature in OFFLOADS if dev in reno else ():
            if feature in features:
                differs += difference(feature, "off", features[feature], dev)
            elif feature not in missing:
                missing.append(feature)
    return {
        "name": sc.tcp.stack,
        "congestion": settings[CONGESTION],
        "route": routes.get(nodes[0].name, ""),
        "set": {key: value for key, value in settings.items() if value is not None},
        "missing": missing,
        "differs": differs,
        "offloads": offloads,
    }
