# SPDX-License-Identifier: GPL-2.0
"""Traces as the kernel takes them, read on the host: in the guest their readers take virtual time."""

import shlex
from collections.abc import Iterator
from pathlib import Path

from ..lib.faults import within
from ..lib.units import BadValue
from ..scenario import loads
from ..scenario.link import Trace
from ..scenario.network import Port
from ..scenario.scenario import Scenario
from ..trace.command import PLAY, convert, words_of

# What to load one takes at most; a tick.
TRACE_NS, TICK_NS = 100_000, 10_000_000


def traces_of(sc: Scenario) -> list[tuple[Port, Trace]]:
    """What is played from the start on, each with its device."""
    return [
        (sc.net.port(name), trace)
        for name, link in sc.links.items()
        for trace in [*([link.trace] if link.trace else []), *link.traces.values()]
    ]


def settle_ns(sc: Scenario) -> int:
    """How long after its links a run begins in virtual time, in which each look at the clock takes a ns."""
    return -(-len(traces_of(sc)) * TRACE_NS // TICK_NS) * TICK_NS


def schedule_of(sc: Scenario, where: str, trace: Trace) -> tuple[str, str]:
    """A trace as a schedule, and the words that start it."""
    path = next(one.path for one in sc.inputs if one.name == trace.file)
    words = words_of("play", PLAY, shlex.split(trace.words))
    opened = loads.opened(path, trace.words)
    with within(f"{where}: ", BadValue), opened as read, convert(read, "schedule") as file:
        text = file.read().decode()
    end = words.get("end") or read.end or ("loop" if read.format == "mahimahi" else "hold")
    return text, f"length {words.get('length') or read.length_ns}ns {end}"


def write(sc: Scenario, out: Path) -> None:
    """Schedules, and by node what starts them; @NS@ stands for when a run begins and NS after."""
    batches: dict[str, list[str]] = {}
    for number, (port, trace) in enumerate(traces_of(sc)):
        text, words = schedule_of(sc, port.device, trace)
        (out / f"trace.{number}").write_text(text)
        whom = f"{port.device} bearer {trace.bearer}"
        batches.setdefault(port.node, []).extend(
            [
                f"schedule load {whom} trace.{number}",
                f"schedule start {whom} {words} start @{trace.start_ns}@ns",
            ]
        )
    for node, commands in batches.items():
        (out / f"play.{node}").write_text("\n".join(commands) + "\n")


def lines(sc: Scenario, begin_ns: str, out: Path, real: bool) -> Iterator[str]:
    """The plan's lines that start the traces; in real time in the lab's order, too."""
    some = traces_of(sc)
    for node in dict.fromkeys(port.node for port, _ in some):
        offsets = sorted({trace.start_ns for port, trace in some if port.node == node})
        script = "".join(f"s/@{ns}@/$(({begin_ns} + {ns}))/;" for ns in offsets)
        command = f'cd {out} && sed "{script}" play.{node} | wlinkctl batch - >/dev/null'
        yield f"{'play' if real else 'begin'} {node} {command}"
