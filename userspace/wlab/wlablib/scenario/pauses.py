# SPDX-License-Identifier: GPL-2.0
"""Outages and handovers of a link as words; each becomes a failure and a recovery, as of an [[at]]."""

from dataclasses import dataclass, replace

from ..lib.keys import text
from ..lib.kinds import kind
from ..lib.units import BadValue, as_time, near, time_ns

FATES = ("forward", "drop")
# What a preset stands for; tc-plugin/presets/links has the sources of lte-train and starlink.
HANDOVERS = {
    "lte": "gap 50ms forward",
    "lte-train": "gap 50ms forward every 18s",
    "starlink": "gap 100ms drop every 15s",
}
# A link that drops has its limit again by then, in real time, too.
DROP_MIN_NS = 20_000_000


@dataclass(frozen=True)
class Pause:
    """A link has the rate 0 for some time, once or repeatedly."""

    length_ns: int
    at_ns: int | None = None
    every_ns: int | None = None
    # What is in the buffer at its start is lost.
    drop: bool = False

    def begins(self, duration_ns: int) -> list[int]:
        first = self.at_ns if self.at_ns is not None else self.every_ns or 0
        return [*range(first, duration_ns, self.every_ns)] if self.every_ns else [first]


def with_times(pause: Pause, words: list[str], form: str) -> Pause:
    """Add [at TIME] [every TIME]."""
    pairs = dict(zip(words[::2], words[1::2]))
    if len(words) != 2 * len(pairs) or not {*pairs} <= {"at", "every"}:
        raise BadValue(f"'{' '.join(words)}' is not of the form '[at TIME] [every TIME]', in '{form}'")
    found = {word: time_ns(value) for word, value in pairs.items()}
    pause = replace(pause, at_ns=found.get("at"), every_ns=found.get("every"))
    if not pause.length_ns:
        raise BadValue("it lasts 0")
    if pause.at_ns is None and pause.every_ns is None:
        raise BadValue(f"it has neither 'at TIME' nor 'every TIME', as in '{form}'")
    if pause.every_ns is not None and pause.every_ns <= pause.length_ns:
        raise BadValue(f"every {as_time(pause.every_ns)} is not above its length, {as_time(pause.length_ns)}")
    return pause


@kind(type="string")
def read_outage(value: object) -> Pause:
    """Parse 'TIME [at TIME] [every TIME]'."""
    length, *words = text(value).split() or [""]
    return with_times(Pause(time_ns(length)), words, "2s at 10s every 30s")


@kind(type="string")
def read_handover(value: object) -> Pause:
    """Parse '{gap TIME forward|drop | PRESET} [at TIME] [every TIME]'."""
    words = text(value).split() or [""]
    if words[0] in HANDOVERS:
        preset = HANDOVERS[words[0]].split()
        given = words[1:]
        words = [*preset[:3], *(given if "every" in given else [*preset[3:], *given])]
    if len(words) < 3 or words[0] != "gap" or words[2] not in FATES:
        raise BadValue(
            f"{value!r} is neither of the form 'gap 50ms forward at 10s' (or drop)"
            f" nor a preset; {near(words[0], list(HANDOVERS))}"
        )
    pause = Pause(time_ns(words[1]), drop=words[2] == "drop")
    if pause.drop and pause.length_ns < DROP_MIN_NS:
        raise BadValue(f"a gap with drop is at least {as_time(DROP_MIN_NS)}")
    return with_times(pause, words[3:], "gap 50ms forward at 10s every 30s")


KEYS = {"outage": read_outage, "handover": read_handover}
