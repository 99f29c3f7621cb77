# SPDX-License-Identifier: GPL-2.0
"""Attributes to text and JSON and back; broken attributes; statistics."""

import json
import random
import struct
from typing import Any

from harness import STATS, WLINK_A_WHY_BINS, Checks, N, WordTool, attr, counted, nest, stats, u32, u64
from test_aqm import random_aqm
from test_rlc import random_bearer

SHOWN: list[tuple[str, bytes, str, dict[str, object]]] = [
    (
        "a whole link",
        u64(N.RATE, 384000)
        + u64(N.TTI, 10**7)
        + u64(N.DELAY, 25 * 10**6)
        + u32(N.PDU, 40)
        + u32(N.HEADER, 2)
        + u64(N.SEED, 7)
        + nest(N.LIMIT, u32(N.PACKETS, 40))
        + nest(N.CHANNEL, u32(N.KIND, N.GILBERT), u32(N.P, 429496730), u32(N.R, 2**31))
        + u32(99, 1),
        "rate 384kbit tti 10ms delay 25ms pdu 40 header 2 limit 40 seed 7 " "channel gilbert p 0.1 r 0.5",
        {
            "rate_bps": 384000,
            "tti_ns": 10**7,
            "delay_ns": 25 * 10**6,
            "pdu_bytes": 40,
            "header_bytes": 2,
            "limit_packets": 40,
            "seed": 7,
            "channel": {"kind": "gilbert", "p": 0.1, "r": 0.5},
        },
    ),
    (
        "limit in bytes",
        nest(N.LIMIT, u32(N.BYTES, 64000)),
        "limit 64kb",
        {"limit_bytes": 64000},
    ),
    (
        "limit in time, uniform channel",
        nest(N.LIMIT, u64(N.TIME, 10**8)) + nest(N.CHANNEL, u32(N.KIND, N.UNIFORM), u32(N.LOSS, 2**32 - 1)),
        "limit 100ms channel uniform loss 1",
        {"limit_ns": 10**8, "channel": {"kind": "uniform", "loss": 1}},
    ),
    (
        "a channel of a newer kernel",
        nest(N.CHANNEL, u32(N.KIND, 17), u32(N.P, 1)),
        "channel unknown",
        {"channel": {"kind": "unknown"}},
    ),
    (
        "an attribute too short is left out",
        attr(N.RATE, b"\1\2\3\4") + u32(N.PDU, 5),
        "pdu 5",
        {"pdu_bytes": 5},
    ),
]


def random_link(rng: random.Random) -> bytes:
    """A complete configuration, as the kernel would dump it."""

    def up_to(most: int, least: int = 0) -> int:
        value = rng.randrange(2 ** rng.randint(1, most.bit_length()))
        return min(max(value, least), most)

    limit = rng.choice(
        [
            u32(N.PACKETS, up_to(10**6, 1)),
            u32(N.BYTES, up_to(2**30, 1)),
            u64(N.TIME, up_to(3600 * 10**9, 1)),
        ]
    )
    channel = rng.choice(
        [
            [u32(N.KIND, N.NONE)],
            [u32(N.KIND, N.UNIFORM), u32(N.LOSS, up_to(2**32 - 1))],
            [u32(N.KIND, N.GILBERT)]
            + [u32(member, up_to(2**32 - 1)) for member in (N.P, N.R, N.LOSS_GOOD, N.LOSS_BAD)],
        ]
    )
    return (
        u64(N.RATE, up_to(10**11, 1))
        + u64(N.TTI, up_to(10**10))
        + u64(N.DELAY, up_to(3600 * 10**9))
        + u32(N.PDU, up_to(65535))
        + u32(N.HEADER, up_to(1024))
        + u64(N.SEED, up_to(2**64 - 1))
        + nest(N.LIMIT, limit)
        + nest(N.CHANNEL, *channel)
    )


def check_shown(checks: Checks, tool: WordTool) -> None:
    for name, payload, text, values in SHOWN:
        checks.equal(f"text of {name}", tool.show(payload), text)
        checks.equal(f"JSON of {name}", tool.json(payload), values)


def check_round_trip(checks: Checks, tool: WordTool) -> None:
    rng = random.Random(3)
    for _ in range(3000):
        payload = random_link(rng)
        text = tool.show(payload)
        checks.equal(f"typed back: {text}", tool.words(text), payload)


def check_broken(checks: Checks, tool: WordTool) -> None:
    """ASan and UBSan judge; here only that an answer comes."""
    rng = random.Random(4)
    for _ in range(3000):
        payload = bytearray(random_link(rng) + random_bearer(rng) + random_aqm(rng))
        payload += nest(N.PROFILE, attr(N.PROFILE_NAME, rng.randbytes(rng.randrange(300))))
        for _ in range(rng.randint(0, 4)):
            payload[rng.randrange(len(payload))] = rng.randrange(256)
        del payload[rng.randint(0, len(payload)) :]
        json.loads(tool.ask(f"json {payload.hex()}"))
        tool.ask(f"show {payload.hex()}")
        json.loads(tool.ask(f"stats {payload.hex()}"))
        tool.ask(f"keyword {rng.randrange(300)} {payload.hex()}")
        checks.same += 1


def check_keywords(checks: Checks, tool: WordTool) -> None:
    payload = u64(N.RATE, 1) + nest(N.LIMIT, u64(N.TIME, 1)) + nest(N.CHANNEL, u32(N.KIND, 2), u32(N.P, 3))
    rows = {0: "rate", 12: "limit", 16: "limit", 28: "channel", 32: "channel", 40: "p"}
    for offset in range(len(payload) + 4):
        want = rows.get(offset, "-")
        got = tool.ask(f"keyword {offset} {payload.hex()}")
        checks.equal(f"keyword at {offset}", got, want)
    aqm = u32(N.KIND, 2) + u32(N.MINTH, 5)
    row = nest(N.PROFILE_ROW, u64(N.ROW_RATE, 1), nest(N.ROW_AQM, aqm))
    payload = nest(N.PROFILE, attr(N.PROFILE_NAME, b"a\0"), row) + nest(N.AQM, aqm)
    # Each header's place, added up by hand: a number is 8 bytes, a rate 12, a name of
    # one letter 8, and a nest's header 4.
    words = {0: "profile", 4: "profile", 12: "profile", 16: "rate", 28: "aqm", 32: "aqm", 40: "minth"}
    words |= {48: "aqm", 52: "aqm", 60: "minth"}
    for offset in range(len(payload) + 4):
        got = tool.ask(f"keyword {offset} {payload.hex()}")
        checks.equal(f"keyword in a nest at {offset}", got, words.get(offset, "-"))


DROPS = set("overflow channel slots flush maxdat timer reset reestablish aqm segment forward".split())
# Told as a word: of droptail, and of a number that no schedule has.
STATES = {"aqm_state": "none", "play_state": "unknown"}
WHY = ("queue", "serial", "prop", "retx", "hol", "total", "access", "jitter")
QUANTILES = ("p50_ns", "p95_ns", "p99_ns")


def check_stats(checks: Checks, tool: WordTool) -> None:
    """Each number has its key, with the histograms and without."""
    values = {name: 10**12 + number for number, name in enumerate(STATS)}
    want: dict[str, Any] = {"drops": {}}
    sums: dict[str, int] = {}
    for name, value in values.items():
        drop = name.removeprefix("drop_")
        if drop in DROPS and drop != name:
            want["drops"][drop] = value
        elif not name.startswith("delay_"):
            want[name] = STATES.get(name, value)
        if name.removesuffix("_ns") in WHY:
            sums[name.removesuffix("_ns")] = value
    sums["total"] = sum(sums.values())
    short: dict[str, Any] = {part: {"sum_ns": sums[part]} for part in WHY}
    short["total"] |= {key: values[f"delay_{key}"] for key in QUANTILES}
    got = json.loads(tool.ask(f"short {counted(**values).hex()}"))
    checks.equal("statistics of a dump", got, want | {"why": short})
    late = {0: 50, 3: 40, 10: 10}
    full = {part: dict.fromkeys(QUANTILES, 0) | one | {"bins": [0] * 40} for part, one in short.items()}
    # Four serialisations of 1 ns: bin 1 is from 1 to 2.
    full["serial"] |= dict.fromkeys(QUANTILES, 1) | {"bins": [0, 4] + [0] * 38}
    got = json.loads(tool.ask(f"stats {stats(late, {(1, 1): 4}, **values).hex()}"))
    checks.equal("statistics", got, want | {"why": full, "late_bins": [late.get(at, 0) for at in range(40)]})
    # Of a kernel that knows less, and of one that knows more.
    got = json.loads(tool.ask(f"short {counted(**values)[:16].hex()}"))
    first = (got["sdus_in"], got["bytes_in"], got["grants"])
    checks.equal("the first numbers only", first, (10**12, 10**12 + 1, 0))
    got = json.loads(tool.ask(f"short {(counted(**values) + bytes(8)).hex()}"))
    checks.equal("one number more", got, want | {"why": short})


def check_why(checks: Checks, tool: WordTool) -> None:
    """Quantiles by hand: a share of a bin's count is the same share of its width."""

    def ask(part: int, percent: int, bins: dict[int, int]) -> int:
        payload = stats(why={(part, at): count for at, count in bins.items()})
        return int(tool.ask(f"why {part} {percent} {payload.hex()}"))

    rows: list[tuple[int, dict[int, int], int]] = [
        # 100 in 1024..2047: half of them below 1536, 95 % below 1024 + 972.8.
        (50, {11: 100}, 1536),
        (95, {11: 100}, 1996),
        (100, {11: 100}, 2048),
        (1, {11: 100}, 1034),
        # 60 of 0 ns, 40 in 4..7: the 90th is the 30th of these, 4 + 4 * 30 / 40.
        (50, {0: 60, 3: 40}, 0),
        (60, {0: 60, 3: 40}, 0),
        (90, {0: 60, 3: 40}, 7),
        (99, {0: 60, 3: 40}, 7),
        # One in each of two bins: 95 % is 9/10 into the second, 64 + 57.6.
        (50, {3: 1, 7: 1}, 8),
        (95, {3: 1, 7: 1}, 121),
        # Counts near the end of 32 bits, and the bin without end.
        (50, {20: 2**32 - 1, 21: 2**32 - 1}, 2**20),
        (75, {20: 2**32 - 1, 21: 2**32 - 1}, 2**20 + 2**19),
        (50, {39: 2}, 2**38 + 2**37),
        (99, {}, 0),
    ]
    for part in range(len(WHY)):
        for percent, bins, want in rows:
            checks.equal(f"{WHY[part]}: {percent} % of {bins}", ask(part, percent, bins), want)
    short = attr(WLINK_A_WHY_BINS, struct.pack("=12Q", *([0] * 11 + [100])))
    checks.equal("a short histogram", tool.ask(f"why 0 50 {short.hex()}"), "1536")


def check_text(checks: Checks, tool: WordTool) -> None:
    def text(kind: int = N.DROPTAIL, **values: int) -> list[str]:
        return tool.ask(f"textof {kind} {stats(None, None, **values).hex()}").split("|")

    quiet = text()
    checks.true("a TM bearer shows nothing of RLC", len(quiet) == 10, quiet)
    lines = text(
        sdus_delivered=2, queue_ns=3000, retx_ns=4, hol_ns=10, pdus_retx=5, feedback_sent=7,
        feedback_ns=1500000, timeouts=8, bearers=3, memory=9, delay_p50_ns=1, delay_p95_ns=2000,
        delay_p99_ns=3, late_ns=8, late_p50_ns=5, late_p90_ns=6, late_p99_ns=7, late_max_ns=8,
    )  # fmt: skip
    for piece in (
        "  of these again 5 control 0 polls 0 padding 0 indicators 0 bytes, received twice 0",
        "  feedback sent 7 lost 0 on the air 0 bytes 1.500ms",
        "  timeouts 8 window moves 0 resets 0 unrecoverable 0 outstanding 0 PDUs timer 0ns",
        "  mean delay queue 1.500us serialisation 0ns propagation 0ns retransmission 2ns head of line 5ns",
        "  total delay p50 1ns p95 2.000us p99 3ns",
        "  lateness mean 4ns p50 <=5ns p90 <=6ns p99 <=7ns max 8ns",
        "  bearers 3 memory 9 bytes",
    ):
        checks.true(f"text has {piece}", piece in lines, lines)
    tail = " reestablish 0 aqm 0 segment 0 forward 0"
    checks.true("the drops have all reasons", quiet[2].endswith(tail), quiet[2])
    drops = {"drop_overflow": 1, "drop_aqm": 4, "drop_segment": 7, "drop_forward": 9}
    checks.true("all drops together", " dropped 21 " in text(**drops)[0])
    values = {"drop_aqm": 4, "aqm_self": 1, "marks": 2, "ramp_marks": 3, "aqm_state": 1, "aqm_level": 25250}
    head = "  aqm dropped 4 on arrival 1 marked 2 by ramp 3"
    for kind, tail in (
        (N.DROPTAIL, ""),
        (N.RED, " average 25.250"),
        (N.SBD, " state measure threshold 25250"),
        (N.CODEL, " state dropping in a row 25250"),
    ):
        lines = text(kind, **values)
        checks.true(f"text of AQM {kind}", head + tail in lines, lines)
        told = any(line.startswith("  aqm") for line in text(kind))
        checks.equal(f"AQM {kind} with nothing to tell", told, kind != N.DROPTAIL)
    lines = text(
        play_state=3, play_steps=100, play_step=7, play_pass=2, grants=5, grant_bytes=7500,
        grant_bytes_used=3000, pending=9,
    )  # fmt: skip
    checks.true("a schedule", "  schedule plays step 7 of 100 passes 2" in lines, lines)
    checks.true("opportunities", "  grants 5 of 7500 bytes, used 3000 bytes" in lines, lines)
    checks.equal("transactions that wait", lines[-1].strip(), "rate now 0 generation 0 pending 9")


def check_states(checks: Checks, tool: WordTool) -> None:
    rows = [
        (N.DROPTAIL, 0, "none"),
        (N.RED, 0, "none"),
        (N.SBD, 0, "idle"),
        (N.SBD, 1, "measure"),
        (N.SBD, 2, "hold"),
        (N.SBD, 3, "unknown"),
        (N.CODEL, 0, "idle"),
        (N.CODEL, 1, "dropping"),
        (N.CODEL, 2, "unknown"),
    ]
    for kind, state, want in rows:
        got = tool.ask(f"states {kind} {stats(aqm_state=state).hex()}").split()[0]
        checks.equal(f"AQM {kind} at {state}", got, want)
    for state, want in enumerate(("none", "loaded", "waits", "plays", "holds", "unknown")):
        got = tool.ask(f"states 0 {stats(play_state=state).hex()}").split()[1]
        checks.equal(f"a schedule at {state}", got, want)
