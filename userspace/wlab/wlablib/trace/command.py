# SPDX-License-Identifier: GPL-2.0
"""The command line: wlinkctl trace import, export, check and play."""

import io
import json
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from types import ModuleType
from typing import IO, Any

from ..lib.beside import USAGE, Stop, complain, wlinkctl as program
from .check import Check
from .formats import csv, jens, mahimahi, own, theaterq
from .guess import guess
from .lines import Bad
from .numbers import LENGTH_MAX_NS, MOST, time as time_of
from .table import reader as table
from .table.sets import SETS
from .table.units import source
from .trace import LENGTH_MIN_NS, Failed, Say, Step, Trace

FORMATS: dict[str, ModuleType] = {
    "schedule": own, "mahimahi": mahimahi, "jens": jens, "theaterq": theaterq, "csv": csv,
}  # fmt: skip
TABLES = ("table", *SETS)
DONE = 0
GRADES = {"note": "note: ", "warning": "warning: ", "error": ""}
GAP_NS = 10**9
PACKET = MOST

Takes = dict[str, Callable[[str], Any]]


def one_of(known: Sequence[str]) -> Callable[[str], str]:
    def a_format(text: str) -> str:
        if text not in known:
            raise Stop(USAGE, f'format "{text}" is unknown: {", ".join(known[:-1])} or {known[-1]}')
        return text

    return a_format


def an_equation(text: str) -> tuple[str, str]:
    column, sign, value = text.partition("=")
    if not sign:
        raise Stop(USAGE, f'only "{text}" is not COLUMN=VALUE')
    return column, value


def a_limit(text: str) -> str:
    if text not in ("packets", "bytes"):
        raise Stop(USAGE, f'limit "{text}" is neither packets nor bytes')
    return text


def a_time(word: str, text: str, least: int) -> int:
    value = time_of(text)
    if value is None or not least <= value <= LENGTH_MAX_NS:
        raise Stop(USAGE, f'{word} "{text}" is not a time from {least}ns to {LENGTH_MAX_NS // 10**9}s')
    return value


def a_start(text: str) -> Callable[[], int]:
    """Gives the time of CLOCK_MONOTONIC when it is asked, 0 for now, or PACKET."""
    if text in ("now", "packet"):
        return lambda: PACKET if text == "packet" else 0
    if text.startswith("+"):
        wait_ns = a_time("start", text[1:], 0)
        return lambda: time.monotonic_ns() + wait_ns if wait_ns else 0
    at_ns = time_of(text)
    if at_ns is None or at_ns == PACKET:
        raise Stop(USAGE, f'start "{text}" is not now, packet, +TIME or a TIME of CLOCK_MONOTONIC')
    begin_ns: int = at_ns
    return lambda: begin_ns


SOURCES: Takes = {
    **{role: partial(source, role) for role in ("time", "rate", "delay", "loss")},
    "every": lambda text: a_time("every", text, 1),
    "only": an_equation,
}
READ: Takes = {"format": one_of([*FORMATS, *TABLES]), "limit": a_limit, **SOURCES}
CHECK: Takes = {**READ, "gap": lambda text: 0 if text == "off" else a_time("gap", text, 1)}
EXPORT: Takes = {
    **READ,
    "format": one_of([*FORMATS]),
    "from": READ["format"],
    "bin": lambda text: a_time("bin", text, 10**6),
}
PLAY: Takes = {**READ, "length": lambda text: a_time("length", text, LENGTH_MIN_NS), "start": a_start}


def words_of(command: str, takes: Takes, given: Sequence[str]) -> dict[str, Any]:
    words: dict[str, Any] = {}
    rest = list(given)
    while rest:
        word = rest.pop(0)
        if takes is PLAY and word in own.ENDS:
            words["end"] = word
            continue
        if word not in takes:
            raise Stop(USAGE, f'trace {command} knows no word "{word}"')
        if not rest:
            raise Stop(USAGE, f"{word} has no value")
        words[word] = takes[word](rest.pop(0))
    return words


def open_trace(name: str, words: dict[str, Any], say: Say | None = None) -> Trace:
    def tell(grade: str, line: int, text: str) -> None:
        complain(f"{name}:{line}: {GRADES[grade]}{text}" if line else f"{name}: {GRADES[grade]}{text}")

    trace = Trace(name, say or tell, words.get("limit") == "bytes")
    trace.words = {word: value for word, value in words.items() if word in SOURCES}
    trace.format = words.get("format", "")
    if not trace.format:
        try:
            trace.format, trace.why = guess(trace)
        except Bad as bad:
            if bad.stop or not trace.words:
                trace.failed(bad)
        trace.lines.number = 0
    if trace.words and trace.format not in TABLES:
        trace.format, trace.why = "table", ""
    return trace


def steps_of(trace: Trace) -> Iterator[Step]:
    return trace.steps(table.Reader if trace.format in TABLES else FORMATS[trace.format].Reader)


def convert(trace: Trace, to: str, bin_ns: int = 0) -> IO[bytes]:
    """A temporary file: nothing is written of what cannot be written whole."""
    writer = FORMATS[to]
    whole = tempfile.TemporaryFile()
    with tempfile.TemporaryFile() as body:
        try:
            body.writelines(line.encode() for line in writer.write(trace, steps_of(trace), bin_ns))
        except Bad as bad:
            trace.failed(bad)
        body.seek(0)
        whole.write(writer.head(trace, bin_ns).encode())
        shutil.copyfileobj(body, whole)
    whole.seek(0)
    return whole


def put(file: IO[bytes]) -> int:
    shutil.copyfileobj(file, sys.stdout.buffer)
    return DONE


def suspect(trace: Trace) -> None:
    """Say what looks like another unit, of a trace that has been read and is read once more."""
    say, trace.say = trace.say, lambda *_: None
    trace.count = trace.last_ns = 0
    check = Check(trace, steps_of(trace), 0)
    trace.say = say
    check.suspicious()


def run_import(_: bool, given: Sequence[str]) -> int:
    trace = open_trace(given[0], words_of("import", READ, given[1:]))
    whole = convert(trace, "schedule")
    if trace.format != "schedule":
        suspect(trace)
    return put(whole)


def run_export(_: bool, given: Sequence[str]) -> int:
    words = words_of("export", EXPORT, given[1:])
    to, bin_ns = words.get("format"), words.get("bin", 0)
    if not to:
        raise Stop(USAGE, "trace export needs format and the format to write")
    if to == "schedule" and bin_ns:
        raise Stop(USAGE, "a schedule is exported as it is, without bin")
    read = {**words, "format": words.get("from", "")}
    return put(convert(open_trace(given[0], read), to, bin_ns))


def run_check(as_json: bool, given: Sequence[str]) -> int:
    """Fails if there is anything to tell but notes."""
    words = words_of("check", CHECK, given[1:])
    findings: list[dict[str, object]] = []
    counts = {"note": 0, "warning": 0, "error": 0}

    def found(grade: str, line: int, text: str) -> None:
        counts[grade] += 1
        findings.append({"grade": grade, **({"line": line} if line else {}), "text": text})
        if not as_json:
            where = f"{given[0]}:{line}" if line else given[0]
            complain(f"{where}: {GRADES[grade]}{text}")

    check = None
    try:
        trace = open_trace(given[0], words, found)
        trace.keep_going = True
        check = Check(trace, steps_of(trace), words.get("gap", GAP_NS))
        check.ended()
    except Failed:
        pass
    good = not counts["error"] and not counts["warning"]
    if as_json:
        print_json(
            {
                "file": text_of(given[0]),
                "findings": text_of(findings),
                "ok": text_of(good),
                "errors": str(counts["error"]),
                "warnings": str(counts["warning"]),
                **(check.figures() if check else {}),
            }
        )
    elif check:
        sys.stdout.write(check.text())
    return DONE if good else USAGE


def text_of(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def print_json(values: dict[str, str]) -> None:
    """Of values that are JSON already: numbers are exact."""
    text = ",".join(f'"{key}":{value}' for key, value in values.items())
    print("{" + text.encode("utf-8", "surrogateescape").decode("utf-8", "replace") + "}")


def wlinkctl(*words: str, file: IO[bytes] | None = None) -> dict[str, str]:
    """What it prints; numbers as they are. Ends as it does where it fails."""
    argv = [program(), "--json", *words]
    done = subprocess.run(argv, stdin=file or subprocess.DEVNULL, stdout=subprocess.PIPE, check=False)
    if done.returncode:
        raise Stop(done.returncode)
    answer: object = json.loads(done.stdout, parse_int=str, parse_float=str)
    return answer if isinstance(answer, dict) else {}


def run_play(as_json: bool, given: Sequence[str]) -> int:
    """wlinkctl itself loads the schedule that the trace is, and starts it."""
    n = 1 + (given[0] == "dev" and len(given) > 1)
    n += n < len(given) and ":" in given[n]
    target = list(given[:n])
    if n < len(given) and given[n] == "bearer":
        target += given[n : n + 2]
        n += 2
    if n == len(given):
        raise Stop(USAGE, "trace play needs a device and a file")
    words = words_of("play", PLAY, given[n + 1 :])
    if target[-2:] == ["bearer", "all"]:
        raise Stop(USAGE, "a schedule is for one bearer at a time")
    wlinkctl("schedule", "show", *target)
    trace = open_trace(given[n], words)
    if trace.format == "schedule":
        try:
            file = trace.lines.whole()
        except Bad as bad:
            trace.failed(bad)
        name = "-" if trace.lines.copied else given[n]
        loaded = wlinkctl("schedule", "load", *target, name, file=file)
    else:
        loaded = wlinkctl("schedule", "load", *target, "-", file=convert(trace, "schedule"))
    end = str(words.get("end") or loaded.get("end", "hold"))
    start = words["start"]() if "start" in words else 0
    when = "packet" if start == PACKET else f"{start}ns" if start else "now"
    loaded["length_ns"] = str(words.get("length") or loaded["length_ns"])
    wlinkctl("schedule", "start", *target, "length", loaded["length_ns"] + "ns", end, "start", when)
    if as_json:
        began = {"start": '"packet"'} if start == PACKET else {"start_ns": str(start)}
        keys = ("steps", "seconds", "bytes", "messages", "length_ns")
        about = {"file": text_of(trace.name), "format": text_of(trace.format)}
        print_json({**about, **{key: loaded[key] for key in keys}, **began})
    else:
        guessed = " (guessed)" if trace.why else ""
        took = f"{loaded['steps']} steps loaded in {float(loaded['seconds']):.3f} s"
        print(f"{trace.name}: {trace.format}{guessed}, {took}")
    return DONE


VERBS = {"import": run_import, "export": run_export, "check": run_check, "play": run_play}


def main(words: Sequence[str]) -> int:
    """Exit codes are those of wlinkctl."""
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    for stream in (sys.stdout, sys.stderr):
        assert isinstance(stream, io.TextIOWrapper)
        stream.reconfigure(errors="surrogateescape")
    as_json = words[:1] == ["--json"]
    words = words[as_json:]
    if not words:
        raise Stop(USAGE, "trace needs import, export, check or play")
    if words[0] not in VERBS:
        raise Stop(USAGE, f'trace knows import, export, check and play, but got "{words[0]}"')
    if len(words) == 1:
        raise Stop(USAGE, f"trace {words[0]} needs a file")
    return VERBS[words[0]](as_json, words[1:])
