# SPDX-License-Identifier: GPL-2.0
"""The flows of a scenario: parsed and checked."""

import hashlib
from dataclasses import dataclass, replace
from typing import Any

from ..lib.keys import Table, name, one_of, text, whole, yes_no
from ..lib.kinds import Kind, defaults, kind
from ..lib.paths import LabError
from ..lib.units import BadValue, near, rate_bps, size_bytes, time_ns
from .network import Network, reachable
from .tcp import CONGESTION

# The least size of a packet: headers of IP and UDP, and the guest's own header.
UDP_MIN = 28 + 16
UDP_IPV6_MIN = 48 + 16
COUNT_MAX = 64


@dataclass
class Flow:
    """One flow; keys that its kind does not have keep their defaults."""

    name: str
    kind: str
    # The names of two nodes.
    src: str = "server"
    dst: str = "ue"
    direction: str = "down"
    start_ns: int = 0
    stop_ns: int | None = None
    bytes: int = 0
    rate_bps: int = 0
    size: int = 1500
    congestion: str | None = None
    read: int | None = None
    connections: int = 1
    pipeline: bool = False
    persistent: bool = True
    think_ns: int = 0
    talk_ns: int = 0
    silence_ns: int = 0

    @property
    def transport(self) -> str:
        """The transport protocol of its packets."""
        return "tcp" if self.kind in ("tcp", "web") else "udp"


def own_seed(seed: int, which: str) -> int:
    """Derive the seed of one link or flow, so that each has random numbers of its own."""
    return int.from_bytes(hashlib.sha256(f"{seed}/{which}".encode()).digest()[:8], "big")


@kind(**size_bytes.schema)
def packet(value: object) -> int:
    size = size_bytes(value)
    if not UDP_MIN <= size <= 1500:
        raise BadValue(f"{size} is outside {UDP_MIN}..1500 bytes")
    return size


@kind(**time_ns.schema)
def span_ns(value: object) -> int:
    """Parse a time that is not 0."""
    ns = time_ns(value)
    if not ns:
        raise BadValue("a talk spurt of length 0")
    return ns


@kind(**rate_bps.schema)
def sending_bps(value: object) -> int:
    bps = rate_bps(value)
    if not bps:
        raise BadValue("a rate of 0 sends nothing")
    return bps


KEYS: dict[str, Kind[Any]] = {
    "name": name,
    "kind": one_of("tcp", "udp", "web", "media"),
    "count": whole(1, COUNT_MAX),
    "direction": one_of("down", "up"),
    "from": text,
    "to": text,
    "start": time_ns,
    "stop": time_ns,
    "bytes": size_bytes,
    "rate": sending_bps,
    "size": packet,
    "congestion": one_of(*CONGESTION),
    "read": size_bytes,
    "connections": whole(1, 16),
    "pipeline": yes_no,
    "persistent": yes_no,
    "think": time_ns,
    "talk": span_ns,
    "silence": time_ns,
}
# The kinds of flow that a key belongs to; other keys belong to all kinds.
ONLY = {
    "direction": ("tcp", "udp", "media"),
    "bytes": ("tcp", "udp"),
    "rate": ("udp", "media"),
    "size": ("udp", "media"),
    "congestion": ("tcp", "web"),
    "read": ("tcp", "web"),
    "connections": ("web",),
    "pipeline": ("web",),
    "persistent": ("web",),
    "think": ("web",),
    "talk": ("media",),
    "silence": ("media",),
}
DEFAULTS: dict[str, dict[str, Any]] = {
    "media": {"rate": 56_000, "size": 250, "talk": 10**9, "silence": 1_350_000_000},
}
FLOW = Table(
    KEYS,
    ("name", "kind"),
    {k: v for k, v in defaults(Flow).items() if k in KEYS and k not in DEFAULTS["media"]},
    {
        "dependentSchemas": {
            key: {"properties": {"kind": {"enum": list(kinds)}}} for key, kinds in ONLY.items()
        },
        "if": {"properties": {"kind": {"enum": ["udp"]}}},
        "then": {"required": ["rate"]},
    },
)
RENAMED = {
    "from": "src",
    "to": "dst",
    "start": "start_ns",
    "stop": "stop_ns",
    "rate": "rate_bps",
    "think": "think_ns",
    "talk": "talk_ns",
    "silence": "silence_ns",
}


def read_ends(keys: dict[str, Any], where: str, net: Network) -> list[tuple[str, str, str]]:
    """(suffix of the name, from, to) of each flow that a [[flow]] stands for."""
    if net.short:
        for key in ("from", "to"):
            if key in keys:
                raise LabError(f"{where}.{key}: use 'direction' between server and UE")
        down = keys.get("direction", "down") == "down"
        return [("", "server", "ue") if down else ("", "ue", "server")]
    if "direction" in keys:
        raise LabError(f"{where}.direction: use 'from' and 'to' in a network")
    for key in ("from", "to"):
        if key not in keys:
            raise LabError(f"{where}.{key} is missing: the node; {near('', list(net.nodes))}")
    ends = {key: net.named(keys.pop(key), f"{where}.{key}") for key in ("from", "to")}
    pairs = [(a, b) for a in ends["from"] for b in ends["to"]]
    if min(map(len, ends.values())) > 1:
        raise LabError(f"{where}: 'from' and 'to' both name several nodes; one of them must be a single node")
    for a, b in pairs:
        if a == b:
            raise LabError(f"{where}: from {a} to itself; name another node")
        reachable(net, a, b, where)
    many = "to" if len(ends["to"]) > 1 else "from"
    return [(f".{b if many == 'to' else a}" if len(pairs) > 1 else "", a, b) for a, b in pairs]


def check_flow(keys: dict[str, Any], where: str, duration: int) -> None:
    """Check the keys against the flow's kind and the run's duration."""
    kind = keys["kind"]
    for key, kinds in ONLY.items():
        if key in keys and kind not in kinds:
            others = ", ".join(kinds[:-1])
            raise LabError(
                f"{where}.{key}: only {others + ' and ' if others else ''}{kinds[-1]} flows have it"
            )
    if kind == "udp" and "rate" not in keys:
        raise LabError(f"{where}.rate is missing")
    for key in ("start", "stop"):
        if keys.get(key, 0) > duration:
            raise LabError(f"{where}.{key}: after the end of the run")
    if "stop" in keys and keys["stop"] <= keys.get("start", 0):
        raise LabError(f"{where}.stop: not after its start")
    if keys.get("pipeline") and not keys.get("persistent", True):
        raise LabError(f"{where}.pipeline: needs persistent connections")


def read_flow(value: object, index: int, duration: int, net: Network) -> tuple[str, list[Flow]]:
    """Parse a [[flow]]: its name, and the flows that it stands for."""
    keys = FLOW.read(value, f"flow.{index}")
    where = f"flow.{keys['name']}"
    check_flow(keys, where, duration)
    ends = read_ends(keys, where, net)
    count = keys.pop("count", None)
    keys = {**DEFAULTS.get(keys["kind"], {}), **keys}
    if net.ipv6 and keys.get("size", UDP_IPV6_MIN) < UDP_IPV6_MIN:
        raise LabError(f"{where}.size: {keys['size']} is below {UDP_IPV6_MIN}, the minimum with IPv6")
    prototype = Flow(**{RENAMED.get(k, k): v for k, v in keys.items()})
    flows = [replace(prototype, name=prototype.name + suffix, src=a, dst=b) for suffix, a, b in ends]
    if count is not None:
        flows = [
            replace(f, name=f"{f.name}{'' if f.name == prototype.name else '.'}{i}")
            for f in flows
            for i in range(1, count + 1)
        ]
    return prototype.name, flows


def words(flow: Flow, read: int) -> str:
    """The parameters of a flow for the guest beyond those of all kinds."""
    pairs = {
        "tcp": {"bytes": flow.bytes, "read": read},
        "udp": {"bytes": flow.bytes, "rate": flow.rate_bps, "size": flow.size},
        "web": {
            "connections": flow.connections,
            "pipeline": int(flow.pipeline),
            "persistent": int(flow.persistent),
            "think": flow.think_ns,
            "read": read,
        },
        "media": {
            "rate": flow.rate_bps,
            "size": flow.size,
            "talk": flow.talk_ns,
            "silence": flow.silence_ns,
        },
    }
    return " ".join(f"{k}={v}" for k, v in pairs[flow.kind].items())
