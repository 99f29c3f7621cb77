# SPDX-License-Identifier: GPL-2.0
"""The modules that a scenario needs of a kernel that is not the lab's."""

from collections.abc import Callable, Iterator

from ..lib.paths import LabError
from ..scenario import stack
from ..scenario.scenario import Scenario

# wlink, which wlab loads itself, and a qdisc that every kernel has built in.
BUILT_IN = ("wlink", "pfifo")
# The kind of a filter is the first of these among its words.
FILTERS = ("u32", "flower", "matchall", "basic", "bpf", "fw", "cgroup", "flow", "route")


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
    wanted = [(f"flow.{flow.name}.congestion", flow.congestion) for flow in sc.flows if flow.congestion]
    wanted += [("tcp.congestion", stack.congestion(node.tcp)) for node in stack.stacked(sc)]
    yield from ((where, f"tcp_{name}") for where, name in wanted if name != "reno")


def check(scenarios: list[Scenario], has: Callable[[str], bool], kernel: str) -> None:
    """Check that the kernel has all modules."""
    for sc in scenarios:
        for where, module in dict.fromkeys(modules(sc)):
            if not has(module):
                raise LabError(f"{where}: {kernel} has no {module}; the lab's has it: --on lab")
