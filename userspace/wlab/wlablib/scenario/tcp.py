# SPDX-License-Identifier: GPL-2.0
"""[tcp] of a scenario."""

import re
from dataclasses import dataclass, field
from typing import Annotated

from ..lib.keys import Table, one_of, text
from ..lib.kinds import by_name, kind
from ..lib.units import BadValue
from .controls import RENO_1990, control

# The congestion control of flows that name none, by stack.
STACKS = {"linux": "cubic", "reno-2006": "reno", RENO_1990: RENO_1990}
SYSCTL = r"[a-z0-9_]+(\.[a-z0-9_-]+)+"


@kind(**by_name(SYSCTL, {"anyOf": [text.schema, {"type": ["number", "boolean"]}]}))
def read_sysctl(value: object) -> dict[str, str]:
    if not isinstance(value, dict):
        raise BadValue("not a table of names and values")
    out = {}
    for key, item in value.items():
        if not re.fullmatch(SYSCTL, key):
            raise BadValue(f"{key!r} is not the name of a sysctl, as in \"net.ipv4.tcp_sack\" (in quotes)")
        try:
            if isinstance(item, int | float):
                out[key] = str(int(item) if isinstance(item, bool) else item)
            else:
                out[key] = text(item)
        except BadValue as e:
            raise BadValue(f"{key}: {e}") from None
    return out


@dataclass
class Tcp:
    """The TCP settings of a node."""

    stack: Annotated[str, one_of(*STACKS)] = "linux"
    congestion: Annotated[str, control] = ""
    route: Annotated[str | None, text] = None
    sysctl: Annotated[dict[str, str], read_sysctl] = field(default_factory=dict)


TCP = Table.of(Tcp)
