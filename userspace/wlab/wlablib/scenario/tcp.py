# SPDX-License-Identifier: GPL-2.0
"""[tcp] of a scenario."""

from dataclasses import dataclass, field
from typing import Annotated

from ..lib.keys import Table, one_of, text
from ..lib.kinds import kind, spelt, table_by
from .controls import RENO_1990, control

# The congestion control of flows that name none, by stack.
STACKS = {"linux": "cubic", "reno-2006": "reno", RENO_1990: RENO_1990}
SYSCTL = spelt(
    r"[a-z0-9_]+(\.[a-z0-9_-]+)+",
    "{0!r} is not the name of a sysctl, as in \"net.ipv4.tcp_sack\" (in quotes)",
)


@kind(anyOf=[text.schema, {"type": ["number", "boolean"]}])
def setting(value: object) -> str:
    if isinstance(value, int | float):
        return str(int(value) if isinstance(value, bool) else value)
    return text(value)


read_sysctl = table_by(SYSCTL, setting, "not a table of names and values")


@dataclass
class Tcp:
    """The TCP settings of a node."""

    stack: Annotated[str, one_of(*STACKS)] = "linux"
    congestion: Annotated[str, control] = ""
    route: Annotated[str | None, text] = None
    sysctl: Annotated[dict[str, str], read_sysctl] = field(default_factory=dict)


TCP = Table.of(Tcp)
