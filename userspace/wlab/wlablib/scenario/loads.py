# SPDX-License-Identifier: GPL-2.0
"""A recorded load as the rates of a flow: a file of those that wlinkctl trace play takes."""

import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ..lib.beside import Stop
from ..lib.units import BadValue
from ..trace.command import PLAY, open_trace, steps_of, words_of
from ..trace.trace import Failed, Step, Trace

# (ns from the start of the flow, bit/s).
Loads = list[tuple[int, int]]
STEPS_MAX = 1 << 16


@contextmanager
def opened(path: Path, words: str = "") -> Iterator[Trace]:
    """A trace, by the words of `wlinkctl trace play`; raises BadValue with what is wrong in it."""
    said: list[str] = []

    def say(grade: str, line: int, text: str) -> None:
        if grade == "error":
            said.append(f"{path}:{line}: {text}")

    try:
        yield open_trace(str(path), words_of("play", PLAY, shlex.split(words)), say)
    except Failed:
        raise BadValue("; ".join(said)) from None
    except Stop as error:
        raise BadValue(f"{path}: {error}") from None


def read_steps(path: Path, words: str = "") -> tuple[Trace, list[Step]]:
    """All of it."""
    with opened(path, words) as trace:
        return trace, list(steps_of(trace))


def read(path: Path, until_ns: int) -> Loads:
    """The rates of a file up to a time, as its end says: hold, loop or stop; raises BadValue."""
    trace, steps = read_steps(path)
    if trace.columns not in (["rate"], ["background"]):
        raise BadValue(f"{path}: a load is one column, rate or background, not {' '.join(trace.columns)}")
    once = [(at_ns, values[0]) for _, at_ns, values in steps if values[0] is not None]
    found = list(once)
    if trace.end == "stop":
        found.append((trace.length_ns, 0))
    turn_ns = trace.length_ns
    while trace.end == "loop" and turn_ns < until_ns and len(found) <= STEPS_MAX:
        found += [(turn_ns + at_ns, bps) for at_ns, bps in once]
        turn_ns += trace.length_ns
    if len(found) > STEPS_MAX:
        raise BadValue(f"{path}: more than {STEPS_MAX} steps until the end of the run")
    return found
