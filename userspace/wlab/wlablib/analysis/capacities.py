# SPDX-License-Identifier: GPL-2.0
"""What the metrics of links need of a log: for each link they look through all of it."""

from pathlib import Path

from ..lib.files import read_large
from .networks import BEARER
from .traffic import GRANT, RATE


def write_log(folder: Path, to: Path) -> None:
    """One SDU of each bearer, all changes of rates and all opportunities."""
    log = read_large(folder / "events.tsv")
    sdus = {found.groups(): found[0] for found in BEARER.finditer(log)}
    others = (found[0] for what in (GRANT, RATE) for found in what.finditer(log))
    (to / "events.tsv").write_bytes(b"\n".join([*sdus.values(), *others]))
