# SPDX-License-Identifier: GPL-2.0
"""Traces as the kernel takes them, read on the host: in the guest their readers take virtual time."""

import shlex
from pathlib import Path

from ..lib.paths import LabError
from ..lib.units import BadValue
from ..scenario import loads
from ..scenario.link import Trace
from ..scenario.scenario import Scenario
from ..trace.command import PLAY, convert, words_of


def path_of(sc: Scenario, trace: Trace) -> Path:
    return next(one.path for one in sc.inputs if one.name == trace.file)


def schedule_of(sc: Scenario, where: str, trace: Trace) -> tuple[str, str]:
    """A trace as a schedule, and the words that start it."""
    words = words_of("play", PLAY, shlex.split(trace.words))
    try:
        with loads.opened(path_of(sc, trace), trace.words) as read, convert(read, "schedule") as file:
            text = file.read().decode()
    except BadValue as error:
        raise LabError(f"{where}: {error}") from None
    end = words.get("end") or read.end or ("loop" if read.format == "mahimahi" else "hold")
    return text, f"length {words.get('length') or read.length_ns}ns {end}"
