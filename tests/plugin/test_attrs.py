# SPDX-License-Identifier: GPL-2.0
"""Attributes to text and JSON and back; broken attributes; statistics."""

import json
import random
import struct

from harness import (
    BYTES,
    CHANNEL,
    DELAY,
    GILBERT,
    HEADER,
    KIND,
    LIMIT,
    LOSS,
    LOSS_BAD,
    LOSS_GOOD,
    NONE,
    PACKETS,
    PDU,
    RATE,
    SEED,
    TIME,
    TTI,
    UNIFORM,
    Checks,
    P,
    R,
    WordTool,
    attr,
    nest,
    u32,
    u64,
)

SHOWN: list[tuple[str, bytes, str, dict[str, object]]] = [
    (
        "a whole link",
        u64(RATE, 384000)
        + u64(TTI, 10**7)
        + u64(DELAY, 25 * 10**6)
        + u32(PDU, 40)
        + u32(HEADER, 2)
        + u64(SEED, 7)
        + nest(LIMIT, u32(PACKETS, 40))
        + nest(CHANNEL, u32(KIND, GILBERT), u32(P, 429496730), u32(R, 2**31))
        + u32(99, 1),
        "rate 384kbit tti 10ms delay 25ms pdu 40 header 2 limit 40 seed 7 "
        "channel gilbert p 0.1 r 0.5",
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
        nest(LIMIT, u32(BYTES, 64000)),
        "limit 64kb",
        {"limit_bytes": 64000},
    ),
    (
        "limit in time, uniform channel",
        nest(LIMIT, u64(TIME, 10**8)) + nest(CHANNEL, u32(KIND, UNIFORM), u32(LOSS, 2**32 - 1)),
        "limit 100ms channel uniform loss 1",
        {"limit_ns": 10**8, "channel": {"kind": "uniform", "loss": 1}},
    ),
    (
        "a channel of a newer kernel",
        nest(CHANNEL, u32(KIND, 17), u32(P, 1)),
        "channel unknown",
        {"channel": {"kind": "unknown"}},
    ),
    (
        "an attribute too short is left out",
        attr(RATE, b"\1\2\3\4") + u32(PDU, 5),
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
            u32(PACKETS, up_to(10**6, 1)),
            u32(BYTES, up_to(2**30, 1)),
            u64(TIME, up_to(3600 * 10**9, 1)),
        ]
    )
    channel = rng.choice(
        [
            [u32(KIND, NONE)],
            [u32(KIND, UNIFORM), u32(LOSS, up_to(2**32 - 1))],
            [u32(KIND, GILBERT)]
            + [u32(member, up_to(2**32 - 1)) for member in (P, R, LOSS_GOOD, LOSS_BAD)],
        ]
    )
    return (
        u64(RATE, up_to(10**11, 1))
        + u64(TTI, up_to(10**10))
        + u64(DELAY, up_to(3600 * 10**9))
        + u32(PDU, up_to(65535))
        + u32(HEADER, up_to(1024))
        + u64(SEED, up_to(2**64 - 1))
        + nest(LIMIT, limit)
        + nest(CHANNEL, *channel)
    )


def check_shown(checks: Checks, tool: WordTool) -> None:
    for name, payload, text, values in SHOWN:
        checks.equal(f"text of {name}", tool.show(payload), text)
        checks.equal(f"JSON of {name}", tool.json(payload), values)
    checks.group("attributes shown")


def check_round_trip(checks: Checks, tool: WordTool) -> None:
    rng = random.Random(3)
    for _ in range(3000):
        payload = random_link(rng)
        text = tool.show(payload)
        checks.equal(f"typed back: {text}", tool.words(text), payload)
    checks.group("attributes shown and typed back")


def check_broken(checks: Checks, tool: WordTool) -> None:
    """ASan and UBSan judge; here only that an answer comes."""
    rng = random.Random(4)
    for _ in range(3000):
        payload = bytearray(random_link(rng))
        for _ in range(rng.randint(0, 4)):
            payload[rng.randrange(len(payload))] = rng.randrange(256)
        del payload[rng.randint(0, len(payload)) :]
        json.loads(tool.ask(f"json {payload.hex()}"))
        tool.ask(f"show {payload.hex()}")
        json.loads(tool.ask(f"stats {payload.hex()}"))
        tool.ask(f"keyword {rng.randrange(300)} {payload.hex()}")
        checks.passed += 1
    checks.group("broken attributes")


def check_keywords(checks: Checks, tool: WordTool) -> None:
    payload = u64(RATE, 1) + nest(LIMIT, u64(TIME, 1)) + nest(CHANNEL, u32(KIND, 2), u32(P, 3))
    rows = {0: "rate", 12: "limit", 16: "limit", 28: "channel", 32: "channel", 40: "p"}
    for offset in range(len(payload) + 4):
        want = rows.get(offset, "-")
        got = tool.ask(f"keyword {offset} {payload.hex()}")
        checks.equal(f"keyword at {offset}", got, want)


# TCA_WLINK_XSTATS_* from SDUS_IN = 2 on, in the order of the uapi header.
STATS = (
    "sdus_in bytes_in sdus_delivered bytes_delivered bytes_dropped sdus_held bytes_held "
    "overflow channel slots flush pdus_sent pdus_lost air_bytes buffer_sdus buffer_bytes "
    "buffer_sdus_max buffer_bytes_max queue_ns serial_ns prop_ns late_ns late_max_ns late_bins "
    "rate_bps generation channel_bad channel_frames channel_frames_bad"
).split()
DROPS = {"overflow", "channel", "slots", "flush"}


def check_stats(checks: Checks, tool: WordTool) -> None:
    bins = [0] * 40
    bins[0], bins[3], bins[10] = 50, 40, 10
    payload = b""
    want: dict[str, object] = {"drops": {}}
    drops: dict[str, int] = {}
    for number, key in enumerate(STATS, 2):
        value = 10**12 + number
        if key == "late_bins":
            payload += attr(number, struct.pack("=40Q", *bins))
            want[key] = bins
        elif key in DROPS:
            payload += u64(number, value)
            drops[key] = value
        else:
            payload += u64(number, value)
            want[key] = value
    want["drops"] = drops
    checks.equal("statistics", json.loads(tool.ask(f"stats {payload.hex()}")), want)
    # 50 of 100 in bin 0 (0 ns), up to 90 in bin 3 (4..7 ns), the rest in bin 10.
    for percent, bound in ((1, 0), (50, 0), (51, 7), (90, 7), (91, 1023), (100, 1023)):
        got = tool.ask(f"late {percent} {payload.hex()}")
        checks.equal(f"lateness below {percent} %", got, str(bound))
    small = attr(25, struct.pack("=40Q", *bins)) + u64(24, 600)
    checks.equal("lateness never above the maximum", tool.ask(f"late 99 {small.hex()}"), "600")
    checks.equal("lateness of nothing", tool.ask("late 99 "), "0")
    checks.group("statistics")


def run(checks: Checks, tool: WordTool) -> None:
    check_shown(checks, tool)
    check_round_trip(checks, tool)
    check_keywords(checks, tool)
    check_broken(checks, tool)
    check_stats(checks, tool)
