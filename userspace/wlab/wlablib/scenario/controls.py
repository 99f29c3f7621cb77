# SPDX-License-Identifier: GPL-2.0
"""Congestion controls: the lab's by name, a user's own by the file of its kernel module."""

import re
from pathlib import Path

from ..lib.files import read_bytes
from ..lib.kinds import kind, whole_text
from ..lib.paths import LabError
from ..lib.units import BadValue, near

# Reno without NewReno's recovery, for which the lab has a module of its own.
RENO_1990 = "reno-1990"
CONGESTION = ("reno", "cubic", "bbr", "dctcp", "vegas", "westwood", RENO_1990)

MODULE = r"(?:.*/)?tcp_([a-z0-9_]{1,15})\.ko"
# struct tcp_congestion_ops has the name in so many bytes, after one of `flags` that is 0.
NAME_BYTES = 16
VERMAGIC = re.compile(rb"\0vermagic=([^\0]*)\0")


def name_of(path_text: str) -> str | None:
    """The name of the control in a module's file; None for what is not the path of one."""
    found = re.fullmatch(MODULE, path_text)
    return str(found[1]) if found else None


@kind(anyOf=[{"enum": list(CONGESTION)}, {"type": "string", "pattern": whole_text(MODULE)}])
def control(value: object) -> str:
    """A name of the lab's, or the path of a module."""
    text = str(value)
    if text.endswith(".ko"):
        if (name := name_of(text)) is None:
            raise BadValue(f"'{text}' is not named tcp_NAME.ko, NAME being that of the congestion control")
        if name in CONGESTION:
            raise BadValue(f"'{text}': the lab has a {name} of its own; give yours another name")
    elif value not in CONGESTION:
        known = near(text, list(CONGESTION))
        raise BadValue(f"{value!r} is unknown; {known}; or the path of your own, tcp_NAME.ko")
    return text


def check(where: str, path: Path) -> None:
    """Check that a file is a module with the congestion control of its name."""
    name, data = name_of(path.name), read_bytes(path)
    if not data.startswith(b"\x7fELF") or not VERMAGIC.search(data):
        raise LabError(f"{where}: {path} is not a kernel module; `wlab module tcp_NAME.c` makes one")
    if name and b"\0" + name.encode().ljust(NAME_BYTES, b"\0") not in data:
        raise LabError(f"{where}: {path} has no congestion control '{name}': .name must be as in its file's")


def check_kernel(path: Path, module: Path) -> None:
    """Check that a module is for the kernel that another one is for."""
    own, labs = (VERMAGIC.search(read_bytes(one)) for one in (path, module))
    if own and labs and own[1] != labs[1]:
        mine, its = (one[1].decode(errors="replace").strip() for one in (own, labs))
        source = path.with_suffix(".c").name
        raise LabError(f"{path} is for Linux {mine}, the lab's is {its}; type: wlab module {source}")
