# SPDX-License-Identifier: GPL-2.0
"""The command: one machine does what has been typed; several are changed together.

Words are sent as one word of a shell each. Nothing listens there but the server of ssh.
"""

import json
import math
import os
import shlex
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from ..lib.beside import REFUSED, USAGE, Stop, ns_of, print_json, value_of
from .clock import Clock, apart_ns, clock

# No question of a password may wait for an answer that nobody gives.
SSH = ["ssh", "-o", "BatchMode=yes"]
HANGS_S = 120
AHEAD_NS = 2 * 10**9
# What must be left until the time when all have accepted.
LEFT_NS = 50_000_000


@dataclass
class Part:
    """One machine and what is typed for it."""

    host: str
    words: list[str]


def parse(argv: list[str]) -> tuple[bool, list[Part]]:
    """HOST WORDS ... [--host HOST WORDS ...] ...: a machine without words has those of the next."""
    as_json = argv[:1] in (["--json"], ["-j"])
    left = ["--host", *argv[as_json:]]
    parts: list[Part] = []
    while left:
        word = left.pop(0)
        if word == "--host":
            name = value_of("--host", left, USAGE)
            if not name or name.startswith("-"):
                raise Stop(USAGE, f'--host "{name}" is no host')
            parts.append(Part(name, []))
        else:
            parts[-1].words.append(word)
    if not parts[-1].words:
        raise Stop(USAGE, f"what is {parts[-1].host} to do? a command follows --host HOST")
    for part, after in zip(parts[-2::-1], parts[:0:-1]):
        part.words = part.words or list(after.words)
    return as_json, parts


def command(words: list[str]) -> str:
    """For the shell there, from which no word can escape."""
    return shlex.join(["wlinkctl", *words])


def ssh(host: str) -> list[str]:
    return [*SSH, "--", host]


def run(host: str, words: list[str]) -> Any:
    """The JSON that a command there prints."""
    try:
        done = subprocess.run(
            [*ssh(host), command(["--json", *words])],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
            timeout=HANGS_S, check=False,
        )  # fmt: skip
    except FileNotFoundError:
        raise Stop(REFUSED, "ssh is missing; type: apt-get install openssh-client") from None
    except subprocess.TimeoutExpired:
        raise Stop(REFUSED, f"{host}: no answer in {HANGS_S} s") from None
    if done.returncode:
        text = done.stderr.strip().replace("wlinkctl: ", "").replace("\n", "; ")
        raise Stop(done.returncode if 0 < done.returncode < 5 else REFUSED, f"{host}: {text or 'failed'}")
    try:
        return json.loads(done.stdout)
    except ValueError:
        raise Stop(REFUSED, f"{host}: answers {done.stdout[:60]!r}, which is not of wlinkctl") from None


def main(argv: list[str]) -> int:
    as_json, parts = parse(argv)
    if len(parts) > 1:
        return together(parts, as_json)
    part = parts[0]
    words = ["--json", *part.words] if as_json else part.words
    # Its output, its input, its exit status and ^C are those of ssh.
    try:
        os.execvp("ssh", [*ssh(part.host), command(words)])
    except OSError:
        raise Stop(REFUSED, "ssh is missing; type: apt-get install openssh-client") from None


def when(parts: list[Part]) -> tuple[int | None, int]:
    """The one time of all: of CLOCK_TAI, or None and so long from now. It is taken out of the words."""
    said: set[str] = set()
    for part in parts:
        if part.words[:1] != ["set"]:
            raise Stop(USAGE, f'{part.host}: several hosts do "set" together, not "{part.words[0]}"')
        while "at" in part.words:
            at = part.words.index("at")
            said.add(part.words[at + 1] if at + 1 < len(part.words) else "")
            del part.words[at : at + 2]
        part.words = [word for word in part.words if word not in ("--wait", "--no-wait")]
    if len(said) > 1:
        raise Stop(USAGE, f"one time for all hosts, not {' and '.join(sorted(said))}")
    text = said.pop() if said else "+2s"
    if (ns := ns_of(text.removeprefix("+"))) < 0:
        raise Stop(USAGE, f'at "{text}" is neither +TIME nor a TIME of CLOCK_TAI')
    return (None, ns) if text.startswith("+") else (ns, 0)


def together(parts: list[Part], as_json: bool) -> int:
    """All machines accept a change for one time of CLOCK_TAI, or none is changed."""
    at_ns, wait_ns = when(parts)
    links = [(part.host, *dev(part)) for part in parts]
    if len(set(links)) < len(links):
        raise Stop(USAGE, "one device of one host twice: its changes belong into one part")
    with ThreadPoolExecutor(len(parts)) as pool:
        clocks = list(pool.map(clock_of, parts))
        same_scale(parts, clocks)
        for part, waiting in zip(parts, pool.map(pending, parts)):
            if waiting:
                raise Stop(
                    REFUSED, f"{part.host}: a change waits on {part.words[1]}; nothing has been changed"
                )
        began = time.monotonic_ns()
        # The clock that is furthest ahead, so that the time is in no machine's past.
        at_ns = at_ns or max(one.tai_ns for one in clocks) + wait_ns
        answers = list(pool.map(accept, parts, clocks, [at_ns] * len(parts)))
        late = at_ns - LEFT_NS - (max(one.tai_ns for one in clocks) + time.monotonic_ns() - began)
        refused = [f"{answer}" for answer in answers if isinstance(answer, Stop)]
        if refused or late < 0:
            why = "; ".join(refused) or "not all have accepted it before its time; give a later one"
            raise Stop(REFUSED, f"{why}; {take_back(parts, answers)}")
    tell(parts, clocks, answers, at_ns, as_json)
    return 0


def same_scale(parts: list[Part], clocks: list[Clock]) -> None:
    """Where TAI - UTC differs, so do clocks that agree on UTC: CLOCK_TAI is then no common time."""
    known = [(part.host, one.tai_utc_s) for part, one in zip(parts, clocks) if one.tai_utc_s is not None]
    if len({seconds for _, seconds in known}) > 1:
        texts = [f"{host} has {seconds} s{'' if seconds else ' (not set)'}" for host, seconds in known]
        raise Stop(
            REFUSED, f"TAI - UTC differs: {', '.join(texts)}; set it in the kernels (chronyd: leapsectz,"
            " ntpd: leapfile); nothing has been changed"
        )  # fmt: skip


def dev(part: Part) -> list[str]:
    """[dev] DEV [HANDLE]"""
    words = part.words[2:] if part.words[1:2] == ["dev"] else part.words[1:]
    return words[: 1 + (len(words) > 1 and words[1].endswith(":"))]


def clock_of(part: Part) -> Clock:
    return clock(run(part.host, ["clock"]))


def pending(part: Part) -> Any:
    return run(part.host, ["pending", *dev(part)])


def accept(part: Part, own: Clock, at_ns: int) -> Any:
    try:
        return run(part.host, [*part.words, "at", f"{at_ns - own.offset_ns}ns", "--no-wait"])
    except Stop as stop:
        return stop


def take_back(parts: list[Part], answers: list[Any]) -> str:
    """Where a machine has refused, the others change nothing; what is told of it."""
    wrong = []
    for part, answer in zip(parts, answers):
        if isinstance(answer, Stop):
            continue
        try:
            if not run(part.host, ["cancel", *dev(part)])["cancelled"]:
                wrong.append(f"{part.host} had been changed already")
        except Stop as stop:
            wrong.append(f"its change may take effect: {stop}")
    return "; ".join(wrong) or "nothing has been changed"


def tell(parts: list[Part], clocks: list[Clock], answers: list[Any], at_ns: int, as_json: bool) -> None:
    """The time at which each takes effect, a start of a TTI, and how far they may be apart."""
    times = [(one.get("applied_ns") or one["at_ns"]) + own.offset_ns for one, own in zip(answers, clocks)]
    apart = apart_ns(clocks, times)
    known = not math.isinf(apart)
    if as_json:
        hosts = [
            {
                "host": part.host, "cookie": answer["cookie"], "tai_ns": ns, "synchronised": own.synchronised,
                "maxerror_ns": own.maxerror_ns, "esterror_ns": own.esterror_ns,
                "uncertainty_ns": own.uncertainty_ns,
            }
            for part, own, answer, ns in zip(parts, clocks, answers, times)
        ]  # fmt: skip
        print_json({"tai_ns": at_ns, "apart_ns": round(apart) if known else None, "hosts": hosts})
        return
    for part, own, ns in zip(parts, clocks, times):
        state = (
            f"maximum error {(own.maxerror_ns or 0) / 1e6:.3f} ms, "
            f"estimated {(own.esterror_ns or 0) / 1e6:.3f} ms"
            if own.synchronised
            else "not synchronised: its error is unknown"
        )
        print(f"{part.host}: at {ns // 10**9}.{ns % 10**9:09} s of CLOCK_TAI; {state}")
    print(
        f"apart by at most {apart / 1e6:.3f} ms"
        if known
        else "apart by an unknown time: a clock is not synchronised"
    )
