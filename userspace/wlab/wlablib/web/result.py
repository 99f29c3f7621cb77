# SPDX-License-Identifier: GPL-2.0
"""A result of `wlab run` as samples."""

from pathlib import Path
from typing import Any

from ..analysis import why
from ..lib.paths import LabError
from ..run import resultfile
from . import log, replay
from .backend import Refused

# Columns of events.tsv behind the kind.
TIME, LINK, BEARER, BYTES, OLD, NEW = 1, 2, 5, 8, 4, 5
WAYS = ("down", "up")


def chosen(known: list[str], named: list[str]) -> list[str]:
    """Links by name; those of [radio] if none is named."""
    if missing := [name for name in named if name not in known]:
        raise LabError(f"no link {missing[0]}; there is {', '.join(known)}")
    if len(named) > len(WAYS):
        raise LabError(f"{len(named)} links; a page has {len(WAYS)}")
    radio = [name for name in ("radio.down", "radio.up") if name in known]
    return named or radio or known[: len(WAYS)]


def page(folder: Path, named: list[str]) -> bytes:
    result = resultfile.result(folder)
    resultfile.events(folder)
    packets: dict[str, list[dict[str, Any]]] = {}
    rates: log.Rates = {}
    changes: list[dict[str, Any]] = []
    access = (0, 0)
    for words in why.lines(folder, "access", "rate"):
        if words[0] == "access":
            access = int(words[why.WAITS[0]]), int(words[why.WAITS[1]])
        elif words[0] == "rate":
            at_ns, old, new = (int(words[at]) for at in (TIME, OLD, NEW))
            log.add_rate(words[LINK], at_ns, old, new, rates, changes)
        else:
            packets.setdefault(words[LINK], []).append(packet(words, access))
            access = (0, 0)
    if not packets:
        raise LabError(f"{folder}: no packet in it")
    links = chosen(sorted(packets), named)
    keys = dict(zip(WAYS, links))
    title = f"{result['name']}, seed {result['seed']}"
    try:
        return replay.of_packets(title, keys, packets, rates, changes)
    except Refused as refused:
        raise LabError(str(refused)) from None


def packet(words: list[str], access: tuple[int, int]) -> dict[str, Any]:
    times = [int(words[at]) for at in why.TIMES]
    names = ("arrival", "start", "end", "due", "whole", "deliver")
    record: dict[str, Any] = {f"{name}_ns": ns for name, ns in zip(names, times)}
    record |= {"access_ns": access[0], "access_tx_ns": access[1], "drop": words[why.DROP]}
    return log.packet(record | {"bytes": int(words[BYTES]), "ts_ns": int(words[TIME])})
