# SPDX-License-Identifier: GPL-2.0
"""What the kernel is told of schedules: each message, word by word."""

import json
import os
import struct
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

import pytest
import traces
from harness import Checks

# kernel/include/uapi/linux/pkt_sch_wlink_genl.h, once more by hand.
IFINDEX, HANDLE, BEARER, SCHEDULE = 2, 3, 8, 16 | 0x8000
OP, COLUMNS, STEPS, END, LENGTH, START = 0, *range(2, 7)
LOAD, ADD, BEGIN, STOP = range(6, 10)
HOLD, LOOP, STOP_AFTER = range(3)
C_RATE, C_DELAY, C_LOSS, C_PACKETS, C_BYTES, C_GRANT = (1 << i for i in range(6))
KEEP = PACKET = 2**64 - 1
DONE, USAGE, REFUSED = 0, 1, 2
WIDTHS = {COLUMNS: "=I", END: "=I", LENGTH: "=Q", START: "=Q"}


@dataclass
class Message:
    """One request, taken apart."""

    size: int
    values: dict[int, int]
    steps: list[int]


def take_apart(data: bytes) -> Message:
    cmd, version = struct.unpack_from("=BBxx", data)
    assert version == 2
    target = [struct.unpack_from("=HHI", data, at) for at in (4, 12, 20)]
    assert target == [(8, IFINDEX, 1), (8, HANDLE, 0x10000), (8, BEARER, 1)], target
    message = Message(len(data), {OP: cmd}, [])
    at = 32
    if len(data) > 28:
        assert struct.unpack_from("=HH", data, 28) == (len(data) - 28, SCHEDULE)
    while at < len(data):
        length, kind = struct.unpack_from("=HH", data, at)
        payload = data[at + 4 : at + length]
        if kind == STEPS:
            message.steps = list(struct.unpack(f"={len(payload) // 8}Q", payload))
        else:
            assert kind not in message.values, "an attribute comes twice"
            (message.values[kind],) = struct.unpack(WIDTHS[kind], payload)
        at += (length + 3) & ~3
    return message


class Player:
    """wlinkctl-trace play on lo; its wlinkctl is playtool, with a kernel that only listens."""

    def __init__(self, build: Path, folder: Path) -> None:
        self.tool = build / "tests/plugin/playtool"
        self.trace = build / "bin/wlinkctl-trace"
        self.folder = folder
        self.log = folder / "messages"
        self.done: subprocess.CompletedProcess[str]

    def __call__(
        self, command: str, content: str | Path = "", words: str = "", fail: str = ""
    ) -> list[Message]:
        path = content if isinstance(content, Path) else self.folder / "file"
        if isinstance(content, str):
            path.write_text(content)
        self.log.write_bytes(b"")
        env = {"WLINKCTL": str(self.tool), "PLAYTOOL_OUT": str(self.log), "PLAYTOOL_FAIL": fail}
        program, verb = (self.trace, ["play"]) if command == "trace play" else (self.tool, command.split())
        file = [path] if content else []
        argv: list[str | Path] = [program, "--json", *verb, "lo", *file, *words.split()]
        self.done = subprocess.run(
            argv, env={**os.environ, **env}, text=True, capture_output=True, check=False
        )
        data = self.log.read_bytes()
        messages = []
        while data:
            (size,) = struct.unpack_from("=I", data)
            messages.append(take_apart(data[4 : 4 + size]))
            data = data[4 + size :]
        return messages


def steps_of(messages: list[Message], width: int) -> list[tuple[int, ...]]:
    words = [word for message in messages for word in message.steps]
    return [tuple(words[i : i + width]) for i in range(0, len(words), width)]


def check_small(checks: Checks, play: Player) -> None:
    load, start = play("trace play", "0\n0\n5\n12\n")
    checks.equal("load", load.values, {OP: LOAD, COLUMNS: C_GRANT})
    checks.equal("steps", load.steps, [0, 3000, 5 * 10**6, 1500, 12 * 10**6, 1500])
    checks.equal("start: mahimahi loops", start.values, {OP: BEGIN, END: LOOP, LENGTH: 12 * 10**6, START: 0})
    load, start = play("trace play", "0,384000\n0.5,0\n", "hold start packet")
    checks.equal("rates", load.values, {OP: LOAD, COLUMNS: C_RATE})
    checks.equal("rate 0 is silence", load.steps, [0, 384000, 5 * 10**8, 0])
    checks.equal("start with a packet", start.values, {OP: BEGIN, END: HOLD, LENGTH: 10**9, START: PACKET})
    load, start = play("trace play", "100,7,8,9,10\n", "stop start 77s")
    checks.equal("columns in the border's order", load.values[COLUMNS], C_RATE | C_DELAY | C_LOSS | C_PACKETS)
    checks.equal("values in the border's order", load.steps, [0, 8, 7, 9, 10])
    checks.equal(
        "start at a time", start.values, {OP: BEGIN, END: STOP_AFTER, LENGTH: 10**5, START: 77 * 10**9}
    )
    own = "wlink schedule\ncolumns limit_bytes delay\nlength 3s\nend stop\n0s 9kb -\n1s - 1ms\n"
    load, start = play("trace play", own, "start now")
    checks.equal("our own: what stays", load.steps, [0, KEEP, 9000, 10**9, 10**6, KEEP])
    checks.equal("our own: its end", start.values, {OP: BEGIN, END: STOP_AFTER, LENGTH: 3 * 10**9, START: 0})
    _, start = play("trace play", own, "length 5s")
    checks.equal("and a length", start.values, {OP: BEGIN, END: STOP_AFTER, LENGTH: 5 * 10**9, START: 0})
    before = time.monotonic_ns()
    _, start = play("trace play", own, "loop start +2s")
    after = time.monotonic_ns()
    checks.equal("an end that is typed is stronger", start.values[END], LOOP)
    at = start.values[START] - 2 * 10**9
    checks.true("start in 2 s", before <= at <= after, (before, at, after))
    checks.equal("and where it is told", json.loads(play.done.stdout)["start_ns"], start.values[START])


def check_schedule(checks: Checks, play: Player) -> None:
    own = "wlink schedule\ncolumns delay\nlength 3s\n0s 1ms\n"
    messages = play("schedule load", own)
    checks.equal("schedule load only loads", [m.values for m in messages], [{OP: LOAD, COLUMNS: C_DELAY}])
    checks.equal("and tells the length", json.loads(play.done.stdout)["length_ns"], 3 * 10**9)
    messages = play("schedule start", words="length 3s loop start packet")
    want = {OP: BEGIN, END: LOOP, LENGTH: 3 * 10**9, START: PACKET}
    checks.equal("schedule start", [m.values for m in messages], [want])
    messages = play("schedule stop")
    checks.equal("schedule stop", [m.values for m in messages], [{OP: STOP}])


def check_file(checks: Checks, play: Player) -> None:
    """What is wrong with a schedule is found without Python, too."""
    for what, text, _, line, piece in traces.cases("errors"):
        if what.startswith("own:") or what in ("empty", "binary", "binary without 0"):
            path = play.folder / "broken"
            path.write_bytes(text.encode("latin-1"))
            messages = play("schedule load", path)
            said = f"{path}:{line}: " in play.done.stderr
            got = play.done.returncode, said, messages
            checks.equal(f"{what}: {play.done.stderr}", got, (USAGE, True, []))
            if what.startswith("own:"):
                checks.true(f"{what}: {piece}", piece in play.done.stderr, play.done.stderr)


def check_large(checks: Checks, play: Player) -> None:
    """A million steps: few messages, none too long, no step lost or changed."""
    path = play.folder / "million"
    path.write_text("".join(f"{i}\n" for i in range(1, 1000001)))
    messages = play("trace play", path)
    loading = messages[:-1]
    ops = [m.values.get(OP) for m in messages]
    checks.equal("one load, then more", ops, [LOAD, *[ADD] * (len(loading) - 1), BEGIN])
    checks.true("messages are near 60 kB", 250 < len(loading) < 300, len(loading))
    checks.true("none is too long", all(m.size <= 65532 for m in messages), max(m.size for m in messages))
    want = [(i * 10**6, 1500) for i in range(1, 1000001)]
    checks.true("a million steps", steps_of(loading, 2) == want)
    result = json.loads(play.done.stdout)
    figures = {"steps": 1000000, "bytes": 16000000, "messages": len(loading)}
    checks.equal("JSON", {k: result[k] for k in figures}, figures)


def check_refused(checks: Checks, play: Player) -> None:
    """Of a million opportunities or of one: what is wrong ends it, and nothing stays loaded."""
    own = "wlink schedule\ncolumns grant\nlength 3600s\n" + "".join(f"{i}ms 1\n" for i in range(9999))
    for what, fail, text, code, piece in (
        ("a refusal", "3", own, REFUSED, "kernel: no"),
        ("an error at the end", "", own + "5ms 1\n", USAGE, "/file:10003: time goes backwards"),
    ):
        messages = play("trace play", text, fail=fail)
        got = play.done.returncode, piece in play.done.stderr
        checks.equal(f"{what} is told: {play.done.stderr}", got, (code, True))
        checks.true(f"{what}: nothing is started", all(m.values[OP] != BEGIN for m in messages))
        want: tuple[dict[int, int], list[int]] = {OP: LOAD, COLUMNS: C_GRANT}, []
        checks.equal(f"{what}: it is forgotten", (messages[-1].values, messages[-1].steps), want)
    play("trace play", "5\n", fail="start")
    checks.equal("a refused start is told", play.done.returncode, REFUSED)
    messages = play("trace play", "1\n" * 9999 + "0\n")
    said = ":10000: time goes backwards" in play.done.stderr
    checks.equal("another format is judged before", (play.done.returncode, said, messages), (USAGE, True, []))


def check_shared(checks: Checks, play: Player) -> None:
    if not traces.shared("jens"):
        checks.skip(f"{traces.FOLDER} does not name a folder of measured links")
    for kind, read in (("mahimahi", traces.mahimahi), ("jens", traces.jens)):
        for path in traces.shared(kind):
            want, length = read(path)
            *loading, start = play("trace play", path)
            checks.true(f"{path.name}: each step is sent", steps_of(loading, 2) == want)
            checks.equal(f"{path.name}: length", start.values[LENGTH], length)


@pytest.fixture
def play(build: Path, tmp_path: Path) -> Player:
    return Player(build, tmp_path)
