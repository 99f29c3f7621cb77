# SPDX-License-Identifier: GPL-2.0
"""Counting of checks, the tool under test, and netlink attributes by hand."""

import json
import struct
import subprocess
from pathlib import Path
from typing import Any, NoReturn

import pytest

# Of what differs, so much is told.
SHOWN = 10


class Checks:
    """What one function compares; it goes on after what differs, which fails it in the end."""

    def __init__(self) -> None:
        self.same = 0
        self.different: list[str] = []

    def equal(self, name: str, got: object, want: object) -> None:
        if got == want:
            self.same += 1
        else:
            self.different.append(f"{name}\n  got  {got!r}\n  want {want!r}")

    def true(self, name: str, condition: bool, detail: object = "") -> None:
        self.equal(f"{name} {detail}".rstrip(), condition, True)

    def skip(self, reason: str) -> NoReturn:
        """The function cannot be tried here, or the rest of it."""
        self.finish(0)
        raise pytest.skip.Exception(reason)

    def finish(self, least: int = 1) -> None:
        """Nothing compared is nothing shown."""
        text = "\n".join(self.different[:SHOWN])
        assert not self.different, f"{len(self.different)} differ, {self.same} do not:\n{text}"
        assert self.same >= least, "nothing was compared"


class WordTool:
    """wordtool, one question and one answer at a time."""

    def __init__(self, path: Path) -> None:
        self.path = path
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

class N:
    """Numbers of kernel/include/uapi/linux/pkt_sch_wlink.h, written out once more by hand: a renumbering
    of the border must be noticed.
    """

    RATE, TTI, DELAY, PDU, HEADER, SEED, LIMIT, CHANNEL, SCHED, PRIO, MODE, RLC, REVERSE = range(2, 15)
    AQM, PROFILE, AT = range(15, 18)
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
    TARGET, INTERVAL, ECN, RAMP_FROM, RAMP_TO, HOLD, CLAMP = range(14, 21)
    PROFILE_NAME, PROFILE_ROW = 2, 3
    ROW_RATE, ROW_AQM = 2, 3


def attr(kind: int, data: bytes) -> bytes:
    head = struct.pack("=HH", 4 + len(data), kind)
    return head + data + b"\0" * (-len(data) % 4)


def u32(kind: int, value: int) -> bytes:
    return attr(kind, struct.pack("=I", value))


def u64(kind: int, value: int) -> bytes:
    return attr(kind, struct.pack("=Q", value))


def nest(kind: int, *members: bytes) -> bytes:
    return attr(kind | NESTED, b"".join(members))


# enum wlink_stat, in the order of the uapi header.
STATS = """
sdus_in bytes_in sdus_delivered bytes_delivered bytes_dropped sdus_held bytes_held drop_overflow
drop_channel drop_slots drop_flush pdus_sent pdus_lost air_bytes buffer_sdus buffer_bytes
buffer_sdus_max buffer_bytes_max queue_ns serial_ns prop_ns late_ns late_max_ns rate_bps generation
channel_bad channel_frames channel_frames_bad drop_maxdat drop_timer drop_reset drop_reestablish
retx_ns hol_ns pdus_retx pdus_control pad_bytes li_bytes polls duplicates feedback_sent
feedback_lost feedback_bytes feedback_ns timeouts mrws resets unrecoverable window_pdus rto_ns
bearers memory drop_segment drop_aqm aqm_self marks ramp_marks aqm_state aqm_level pending
play_state play_steps play_step play_pass grants grant_bytes grant_bytes_used delay_p50_ns
delay_p95_ns delay_p99_ns late_p50_ns late_p90_ns late_p99_ns drop_forward
harq_blocks harq_retx harq_lost access_ns access_requests rrc_state
sdus_duplicated bytes_duplicated sdus_corrupted jitter_ns
""".split()
WLINK_A_STATS, WLINK_A_LATE_BINS, WLINK_A_WHY_BINS = 11, 12, 13
LATE_BINS, WHYS = 40, 8


def counted(**values: int) -> bytes:
    """TCA_STATS_APP."""
    numbers = [0] * len(STATS)
    for name, value in values.items():
        numbers[STATS.index(name)] = value
    return struct.pack(f"={len(numbers)}Q", *numbers)


def stats(
    late: dict[int, int] | None = None, why: dict[tuple[int, int], int] | None = None, **values: int
) -> bytes:
    """What WLINK_CMD_GET answers; bins by number, those of the delay by part and number."""
    late_bins = [0] * LATE_BINS
    for at, count in (late or {}).items():
        late_bins[at] = count
    why_bins = [0] * (WHYS * LATE_BINS)
    for (part, at), count in (why or {}).items():
        why_bins[part * LATE_BINS + at] = count
    return (
        attr(WLINK_A_STATS, counted(**values))
        + attr(WLINK_A_LATE_BINS, struct.pack(f"={len(late_bins)}Q", *late_bins))
        + attr(WLINK_A_WHY_BINS, struct.pack(f"={len(why_bins)}Q", *why_bins))
    )
