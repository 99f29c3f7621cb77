# SPDX-License-Identifier: GPL-2.0
"""Counting of checks, the tool under test, and netlink attributes by hand."""

import json
import struct
import subprocess
from pathlib import Path
from typing import Any


class Checks:
    """Counts; prints what fails and one line per group."""

    def __init__(self) -> None:
        self.passed = 0
        self.failed = 0
        self.skipped = 0

    def equal(self, name: str, got: object, want: object) -> None:
        if got == want:
            self.passed += 1
            return
        self.failed += 1
        print(f"FAIL {name}\n  got  {got!r}\n  want {want!r}", flush=True)

    def true(self, name: str, condition: bool, detail: object = "") -> None:
        self.equal(f"{name} {detail}".rstrip(), condition, True)

    def skip(self, name: str, reason: str) -> None:
        self.skipped += 1
        print(f"SKIP {name}: {reason}", flush=True)

    def group(self, name: str) -> None:
        print(f"{name}: {self.passed} passed so far, {self.failed} failed", flush=True)

    def finish(self) -> int:
        print(f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped")
        return 1 if self.failed else 0


class WordTool:
    """wordtool, one question and one answer at a time."""

    def __init__(self, path: Path) -> None:
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, question: str) -> str:
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(question + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer.endswith("\n"):
            raise RuntimeError(f"wordtool died of: {question}")
        return answer[:-1]

    def close(self) -> int:
        assert self.process.stdin
        self.process.stdin.close()
        return self.process.wait()

    def words(self, words: str, is_class: bool = False) -> bytes | str:
        """The attributes of some words, or the error sentence."""
        kind, _, rest = self.ask(f"{'class' if is_class else 'words'} {words}").partition(" ")
        return bytes.fromhex(rest) if kind == "ok" else rest

    def attributes(self, words: str, is_class: bool = False) -> bytes:
        """The attributes of words that are known to be good."""
        answer = self.words(words, is_class)
        assert isinstance(answer, bytes), answer
        return answer

    def whole(self, words: str) -> str:
        """ok, or why no new link can be made of some words."""
        kind, _, rest = self.ask(f"whole {words}").partition(" ")
        return rest or kind

    def show(self, payload: bytes) -> str:
        return self.ask(f"show {payload.hex()}").rstrip()

    def json(self, payload: bytes) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(self.ask(f"json {payload.hex()}"))
        return answer


NESTED = 0x8000

# Numbers of kernel/include/uapi/linux/pkt_sch_wlink.h, written out once more by
# hand: a renumbering of the border must be noticed.
RATE, TTI, DELAY, PDU, HEADER, SEED, LIMIT, CHANNEL, SCHED, PRIO, MODE, RLC, REVERSE = range(2, 15)
AQM, PROFILE, AT, COOKIE, BEARER, PLAY = range(15, 21)
PACKETS, BYTES, TIME = 2, 3, 4
KIND, LOSS, P, R, LOSS_GOOD, LOSS_BAD = range(2, 8)
MEAN_GOOD, MEAN_BAD, HAZARD_GOOD, HAZARD_BAD = range(8, 12)
NONE, UNIFORM, GILBERT, TWOSTATE, LINK = range(5)
REV_RATE, REV_DELAY, REV_CHANNEL = 2, 3, 4
TM, UM, AM, FSR, ASR = range(5)
OFF = SAME = 2**64 - 1
DROPTAIL, RED, SBD, CODEL = range(4)
# Of TCA_WLINK_AQM_*; the kind is number 2, as it is of a channel.
UNIT, MINTH, MAXTH, MAXP, COUNT, GENTLE, HEAD, WEIGHT, SDU, ALPHA, TR = range(3, 14)
TARGET, INTERVAL, ECN, RAMP_FROM, RAMP_TO, HOLD = range(14, 20)
PROFILE_NAME, PROFILE_ROW = 2, 3
ROW_RATE, ROW_AQM = 2, 3
BEARER_NUMBER, BEARER_OPTIONS = 2, 3


def attr(kind: int, data: bytes) -> bytes:
    head = struct.pack("=HH", 4 + len(data), kind)
    return head + data + b"\0" * (-len(data) % 4)


def u32(kind: int, value: int) -> bytes:
    return attr(kind, struct.pack("=I", value))


def u64(kind: int, value: int) -> bytes:
    return attr(kind, struct.pack("=Q", value))


def nest(kind: int, *members: bytes) -> bytes:
    return attr(kind | NESTED, b"".join(members))
