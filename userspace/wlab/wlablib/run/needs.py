# SPDX-License-Identifier: GPL-2.0
"""What a scenario needs of a kernel that the lab has not made."""

from collections.abc import Callable, Iterator

from ..lib.paths import LabError
from ..scenario import stack
from ..scenario.scenario import Scenario

# Ours, and what is a part of every kernel.
BUILT_IN = ("wlink", "pfifo")
# The first of these in the words of a filter is its kind.
FILTERS = ("u32", "flower", "matchall", "basic", "bpf", "fw", "cgroup", "flow", "route")


def modules(sc: Scenario) -> Iterator[tuple[str, str]]:
    """(What of the scenario needs it, the module), which may be built in."""
    yield "its links", "veth"
    for name, link in sc.links.items():
        if link.kind not in BUILT_IN:
            yield f"{name}.{link.kind}", f"sch_{link.kind}"
        for i, line in enumerate(link.filters):
            kind = next((word for word in line.split() if word in FILTERS), None)
            if kind:
                yield f"{name}.filters.{i}", f"cls_{kind}"
    asked = [(f"flow.{flow.name}.congestion", flow.congestion) for flow in sc.flows if flow.congestion]
    asked += [("tcp.congestion", stack.congestion(node.tcp)) for node in stack.stacked(sc)]
    yield from ((where, f"tcp_{name}") for where, name in asked if name != "reno")


def judge(some: list[Scenario], has: Callable[[str], bool], kernel: str) -> None:
    """All must be there."""
    for sc in some:
        for where, module in dict.fromkeys(modules(sc)):
            if not has(module):
                raise LabError(f"{where}: {kernel} has no {module}; the lab's has it: --on lab")
