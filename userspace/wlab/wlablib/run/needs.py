# SPDX-License-Identifier: GPL-2.0
"""The modules that a scenario needs of a kernel that is not the lab's."""

from collections.abc import Callable, Iterable, Iterator

from ..lib.paths import LabError
from ..plan import stack
from ..scenario.controls import RENO_1990
from ..scenario.scenario import Scenario

# wlink, which wlab loads itself, and a qdisc that every kernel has built in.
BUILT_IN = ("wlink", "pfifo")
# The kind of a filter is the first of these among its words.
FILTERS = ("u32", "flower", "matchall", "basic", "bpf", "fw", "cgroup", "flow", "route")


def congestion_controls(sc: Scenario) -> Iterator[tuple[str, str]]:
    """(key of the scenario, congestion control that it names or that is its stack's)."""
    yield from ((f"flow.{flow.name}.congestion", flow.congestion) for flow in sc.flows if flow.congestion)
    for proxy in sc.proxies:
        names = {leg.congestion for leg in (proxy.leg, *proxy.to.values()) if leg.congestion}
        yield from ((f"proxy.{proxy.name}", name) for name in sorted(names))
    yield from (("tcp.congestion", stack.congestion(node.tcp)) for node in stack.stacked(sc))


def reno_1990(scenarios: Iterable[Scenario]) -> bool:
    """Whether they need the lab's own module."""
    return any(name == RENO_1990 for sc in scenarios for _, name in congestion_controls(sc))


def modules(sc: Scenario) -> Iterator[tuple[str, str]]:
    """(key of the scenario, module that it needs)."""
    yield "its links", "veth"
    for name, link in sc.links.items():
        if link.kind not in BUILT_IN:
            yield f"{name}.{link.kind}", f"sch_{link.kind}"
        for i, line in enumerate(link.filters):
            kind = next((word for word in line.split() if word in FILTERS), None)
            if kind:
                yield f"{name}.filters.{i}", f"cls_{kind}"
    for proxy in sc.proxies:
        yield from ((f"proxy.{proxy.name}", one) for one in ("sch_ingress", "cls_matchall", "act_skbedit"))
    controls = congestion_controls(sc)
    yield from ((where, f"tcp_{name.replace('-', '_')}") for where, name in controls if name != "reno")


def check(scenarios: list[Scenario], has: Callable[[str], bool], kernel: str) -> None:
    """Check that the kernel has all modules."""
    for sc in scenarios:
        for where, module in dict.fromkeys(modules(sc)):
            if not has(module):
                raise LabError(f"{where}: {kernel} has no {module}; the lab's has it: --on lab")
