# SPDX-License-Identifier: GPL-2.0
"""Words of AQMs and of the time of a change; what they look like when shown."""

import random
import time

from harness import Checks, N, WordTool, nest, u32, u64

MS = 10**6
SDUS, BYTES = 0, 1
RLC_ALPHA = 27
ONE = 2**32 - 1
# 0.05 and 0.002 times 2^32, rounded to the nearest.
P05, P002 = 214748365, 8589935


def red(*members: bytes) -> bytes:
    return nest(N.AQM, u32(N.KIND, N.RED), *members)


def sbd(*members: bytes) -> bytes:
    return nest(N.AQM, u32(N.KIND, N.SBD), *members)


GOOD: list[tuple[str, bytes]] = [
    ("aqm droptail", nest(N.AQM, u32(N.KIND, N.DROPTAIL))),
    ("aqm red", red()),
    ("aqm red minth 20 maxp 0.05", red(u32(N.UNIT, SDUS), u32(N.MINTH, 20), u32(N.MAXP, P05))),
    ("aqm red minth 20 maxp 5%", red(u32(N.UNIT, SDUS), u32(N.MINTH, 20), u32(N.MAXP, P05))),
    (
        "aqm red ecn on sdu 1kib weight 0.002 from tail gentle on count off maxp 1 maxth 40 minth 39",
        red(
            u32(N.UNIT, SDUS),
            u32(N.MINTH, 39),
            u32(N.MAXTH, 40),
            u32(N.MAXP, ONE),
            u32(N.COUNT, 0),
            u32(N.GENTLE, 1),
            u32(N.HEAD, 0),
            u32(N.WEIGHT, P002),
            u32(N.SDU, 1024),
            u32(N.ECN, 1),
        ),
    ),
    ("aqm red minth 30kb maxth 60kb", red(u32(N.UNIT, BYTES), u32(N.MINTH, 30000), u32(N.MAXTH, 60000))),
    ("aqm red maxth limit minth 1b", red(u32(N.UNIT, BYTES), u32(N.MINTH, 1), u32(N.MAXTH, 0))),
    ("aqm red maxth limit", red(u32(N.MAXTH, 0))),
    (
        "aqm sbd hold off minth 20 tr 200ms",
        sbd(u32(N.UNIT, SDUS), u32(N.MINTH, 20), u64(N.TR, 200 * MS), u32(N.HOLD, 0)),
    ),
    (
        "aqm sbd minth 20 clamp on tr 200ms",
        sbd(u32(N.UNIT, SDUS), u32(N.MINTH, 20), u64(N.TR, 200 * MS), u32(N.CLAMP, 1)),
    ),
    (
        "aqm sbd minth 20 tr 200ms",
        sbd(u32(N.UNIT, SDUS), u32(N.MINTH, 20), u64(N.TR, 200 * MS)),
    ),
    (
        "aqm sbd minth 15 tr 1300ms alpha 5 maxth 40 from head sdu 1500 ecn off",
        sbd(
            u32(N.UNIT, SDUS),
            u32(N.MINTH, 15),
            u32(N.MAXTH, 40),
            u32(N.HEAD, 1),
            u32(N.SDU, 1500),
            u32(N.ALPHA, 5),
            u64(N.TR, 1300 * MS),
            u32(N.ECN, 0),
        ),
    ),
    ("aqm codel", nest(N.AQM, u32(N.KIND, N.CODEL))),
    (
        "aqm codel interval 100ms target 5ms ecn on",
        nest(N.AQM, u32(N.KIND, N.CODEL), u64(N.TARGET, 5 * MS), u64(N.INTERVAL, 100 * MS), u32(N.ECN, 1)),
    ),
    (
        "aqm droptail ramp_from 5ms ramp_to 10ms",
        nest(N.AQM, u32(N.KIND, N.DROPTAIL), u64(N.RAMP_FROM, 5 * MS), u64(N.RAMP_TO, 10 * MS)),
    ),
    (
        "aqm droptail ramp_from 0 ramp_to 1us",
        nest(N.AQM, u32(N.KIND, N.DROPTAIL), u64(N.RAMP_FROM, 0), u64(N.RAMP_TO, 1000)),
    ),
    # One end moved: the other stays as it is in the kernel.
    ("aqm codel ramp_to 9ms", nest(N.AQM, u32(N.KIND, N.CODEL), u64(N.RAMP_TO, 9 * MS))),
    (
        "aqm codel ramp_from off",
        nest(N.AQM, u32(N.KIND, N.CODEL), u64(N.RAMP_FROM, N.OFF), u64(N.RAMP_TO, N.OFF)),
    ),
    (
        "aqm codel ramp_to off",
        nest(N.AQM, u32(N.KIND, N.CODEL), u64(N.RAMP_FROM, N.OFF), u64(N.RAMP_TO, N.OFF)),
    ),
    # Mode asr has an alpha, too.
    (
        "mode asr alpha 3 aqm sbd alpha 7 minth 9 tr 1s rate 5",
        u64(N.RATE, 5)
        + u32(N.MODE, N.ASR)
        + nest(N.RLC, u32(RLC_ALPHA, 3000))
        + sbd(u32(N.UNIT, SDUS), u32(N.MINTH, 9), u32(N.ALPHA, 7), u64(N.TR, 10**9)),
    ),
    (
        "aqm sbd alpha 7 mode asr alpha 3",
        u32(N.MODE, N.ASR) + nest(N.RLC, u32(RLC_ALPHA, 3000)) + sbd(u32(N.UNIT, SDUS), u32(N.ALPHA, 7)),
    ),
    (
        "aqm codel rate 5 alpha 3",
        u64(N.RATE, 5) + nest(N.RLC, u32(RLC_ALPHA, 3000)) + nest(N.AQM, u32(N.KIND, N.CODEL)),
    ),
    ("at now rate 5", u64(N.RATE, 5) + u64(N.AT, 0)),
    ("at next", u64(N.AT, N.OFF)),
    ("at 12.5s", u64(N.AT, 12500 * MS)),
    ("at 1ns", u64(N.AT, 1)),
]

UNITS = "; all of an aqm are in one unit"

BAD: list[tuple[str, str]] = [
    ("aqm", "aqm has no value"),
    ("aqm pie", 'aqm "pie" is unknown; it is droptail, red, sbd or codel'),
    ("aqm red aqm sbd", "aqm is given twice"),
    ("minth 5", "minth belongs to an aqm; type aqm and its kind first"),
    ("tr 5ms aqm sbd", "tr belongs to an aqm; type aqm and its kind first"),
    ("unit bytes", 'unknown word "unit"'),
    ("aqm red unit bytes", 'unknown word "unit"'),
    ("cookie 5", 'unknown word "cookie"'),
    ("aqm droptail minth 5", "minth does not belong to aqm droptail"),
    ("aqm red tr 5ms", "tr does not belong to aqm red"),
    ("aqm red alpha 5", "alpha does not belong to aqm red"),
    ("aqm sbd maxp 0.1", "maxp does not belong to aqm sbd"),
    ("aqm red hold on", "hold does not belong to aqm red"),
    ("aqm red clamp on", "clamp does not belong to aqm red"),
    ("aqm sbd hold 1", 'hold "1" is unknown; it is off or on'),
    ("aqm sbd count on", "count does not belong to aqm sbd"),
    ("aqm codel minth 5", "minth does not belong to aqm codel"),
    ("aqm droptail ecn on", "aqm droptail cannot mark, ecn needs red, sbd or codel"),
    ("aqm red minth 0", "minth 0 is outside 1..1073741824"),
    ("aqm red minth 0b", "minth 0b is outside 1b..1024mib"),
    ("aqm red minth 1.5", 'minth "1.5" is not a whole number'),
    ("aqm red minth many", 'minth "many" is not a number'),
    ("aqm red minth 5ms", 'minth "5ms" has an unknown unit; it takes b, kb, mb, kib or mib'),
    ("aqm red minth", "minth has no value"),
    ("aqm red minth 5 minth 6", "minth is given twice"),
    ("aqm red maxth 0", "maxth 0 is refused; the word is limit, or 1..1073741824"),
    ("aqm red minth 41 maxth 40", "minth 41 is not below maxth 40"),
    ("aqm red maxth 40 minth 40", "minth 40 is not below maxth 40"),
    ("aqm sbd maxth 30kb minth 30001b", "minth 30001b is not below maxth 30kb"),
    ("aqm red minth 20 maxth 60kb", "maxth 60kb is in bytes, but what is before it in SDUs" + UNITS),
    ("aqm sbd minth 20kb alpha 5", "alpha 5 is in SDUs, but what is before it in bytes" + UNITS),
    ("aqm red maxp 0", "maxp 0 is outside 0.0000000002..1"),
    ("aqm red maxp 0.00000000001", "maxp 0.00000000001 is outside 0.0000000002..1"),
    ("aqm red maxp 1.1", "maxp 1.1 is outside 0.0000000002..1"),
    ("aqm red maxp 101%", "maxp 101% is outside 0.0000000002..1"),
    ("aqm red maxp -0.1", "maxp -0.1 is outside 0.0000000002..1"),
    ("aqm red weight 0", "weight 0 is outside 0.0000000002..1"),
    ("aqm red count 1", 'count "1" is unknown; it is off or on'),
    ("aqm red gentle yes", 'gentle "yes" is unknown; it is off or on'),
    ("aqm red from front", 'from "front" is unknown; it is tail or head'),
    ("aqm red sdu 0", "sdu 0 is outside 1..1073741824"),
    ("aqm sbd tr 0", "tr 0 is outside 1us..3600s"),
    ("aqm sbd tr 200", 'tr "200" needs a unit: ns, us, ms or s'),
    ("aqm sbd tr off", "tr can not be off"),
    ("aqm sbd alpha 0", "alpha 0 is outside 1..1073741824"),
    ("aqm codel target 999ns", "target 999ns is outside 1us..3600s"),
    ("aqm codel interval 3601s", "interval 3601s is outside 1us..3600s"),
    ("aqm codel ramp_from 10ms ramp_to 5ms", "ramp_from 10ms is not below ramp_to 5ms"),
    ("aqm codel ramp_from 5ms ramp_to 5ms", "ramp_from 5ms is not below ramp_to 5ms"),
    ("aqm codel ramp_from off ramp_to 5ms", "ramp_from is off, so ramp_to must be off, too"),
    ("aqm codel ramp_from 5ms ramp_to off", "ramp_to is off, so ramp_from must be off, too"),
    ("aqm codel ramp_to 0", "ramp_to 0 is refused; the word is off, or 1us..3600s"),
    (
        "aqm sbd minth 5 rate 5 alpha 3",
        "alpha belongs to aqm sbd and to mode asr; type it next to the words of the one",
    ),
    (
        "at soon",
        'at "soon" is no time; it is now, next, a time, or + and a time from now, in ns, us, ms or s',
    ),
    ("at 5", 'at "5" is no time; it is now, next, a time, or + and a time from now, in ns, us, ms or s'),
    ("at +", 'at "+" is no time; it is now, next, a time, or + and a time from now, in ns, us, ms or s'),
    ("at -5s", 'at "-5s" is no time; it is now, next, a time, or + and a time from now, in ns, us, ms or s'),
    ("at 0", "at 0 is when the machine was started; the word is now"),
    ("at 9223372036s", "at 9223372036s is too far away"),
    ("at", "at has no value"),
    ("at now at next", "at is given twice"),
]

WHOLE: list[tuple[str, str]] = [
    ("rate 5", "ok"),
    ("aqm droptail", "ok"),
    ("aqm codel", "ok"),
    ("aqm red minth 5 maxp 0.1", "ok"),
    ("aqm sbd minth 5 tr 1s", "ok"),
    ("aqm red", "aqm red needs minth"),
    ("aqm red maxp 0.1", "aqm red needs minth"),
    ("aqm red minth 5", "aqm red needs maxp"),
    ("aqm sbd tr 1s", "aqm sbd needs minth"),
    ("aqm sbd minth 5", "aqm sbd needs tr"),
    ("aqm codel ramp_from 5ms", "ramp_from needs ramp_to"),
    ("aqm codel ramp_to 5ms", "ramp_to needs ramp_from"),
    ("aqm codel ramp_from off", "ok"),
]


def check_words(checks: Checks, tool: WordTool) -> None:
    for words, attributes in GOOD:
        checks.equal(f"words: {words}", tool.words(words), attributes)
    for words, sentence in BAD:
        checks.equal(f"bad words: {words}", tool.words(words), sentence)
    for words, answer in WHOLE:
        checks.equal(f"a new link: {words}", tool.whole(words), answer)


def check_from_now(checks: Checks, tool: WordTool) -> None:
    for text, ns in (("+0", 0), ("+1.5s", 1500 * MS), ("+3600s", 3600000 * MS)):
        before = time.monotonic_ns()
        payload = tool.attributes(f"at {text}")
        after = time.monotonic_ns()
        at = int.from_bytes(payload[4:], "little")
        checks.equal(f"at {text} is one attribute", payload, u64(N.AT, at))
        checks.true(f"at {text} is from now on", before + ns <= at <= after + ns, at)


WHOLE_RED = red(
    u32(N.UNIT, SDUS),
    u32(N.MINTH, 20),
    u32(N.MAXTH, 0),
    u32(N.MAXP, P05),
    u32(N.COUNT, 1),
    u32(N.GENTLE, 0),
    u32(N.HEAD, 1),
    u32(N.WEIGHT, ONE),
    u32(N.SDU, 1500),
    u32(N.ECN, 0),
    u64(N.RAMP_FROM, N.OFF),
    u64(N.RAMP_TO, N.OFF),
)

SHOWN = [
    (
        WHOLE_RED,
        "aqm red minth 20 maxth limit maxp 0.05 count on gentle off from head weight 1 sdu 1500 ecn off "
        "ramp_from off",
        {
            "kind": "red",
            "unit": "sdus",
            "minth": 20,
            "maxth": None,
            "maxp": 0.05,
            "count": True,
            "gentle": False,
            "from": "head",
            "weight": 1,
            "sdu_bytes": 1500,
            "ecn": False,
            "ramp_from_ns": None,
            "ramp_to_ns": None,
        },
    ),
    (
        sbd(
            u32(N.UNIT, BYTES),
            u32(N.MINTH, 30000),
            u32(N.MAXTH, 60000),
            u32(N.ALPHA, 7500),
            u64(N.TR, 200 * MS),
        )
        + u32(N.MODE, N.AM),
        "mode am aqm sbd minth 30kb maxth 60kb alpha 7500b tr 200ms",
        {"kind": "sbd", "unit": "bytes", "minth": 30000, "maxth": 60000, "alpha": 7500, "tr_ns": 200 * MS},
    ),
    (
        nest(
            N.AQM,
            u32(N.KIND, N.CODEL),
            u64(N.TARGET, 5 * MS),
            u32(N.ECN, 1),
            u64(N.RAMP_FROM, 0),
            u64(N.RAMP_TO, MS),
        ),
        "aqm codel target 5ms ecn on ramp_from 0 ramp_to 1ms",
        {"kind": "codel", "target_ns": 5 * MS, "ecn": True, "ramp_from_ns": 0, "ramp_to_ns": MS},
    ),
    # A kernel may send what its other kinds left behind; it says nothing.
    (nest(N.AQM, u32(N.KIND, N.CODEL), u32(N.MINTH, 5), u64(N.TR, MS)), "aqm codel", {"kind": "codel"}),
    (nest(N.AQM, u32(N.KIND, 9), u32(N.MINTH, 5)), "aqm unknown", {"kind": "unknown"}),
]


def check_shown(checks: Checks, tool: WordTool) -> None:
    for payload, text, values in SHOWN:
        checks.equal(f"text: {text}", tool.show(payload), text)
        checks.equal(f"JSON: {text}", tool.json(payload)["aqm"], values)
    checks.equal("typed back", tool.words(tool.show(WHOLE_RED)), WHOLE_RED)
    checks.equal("a time is no parameter", tool.show(u64(N.AT, 5) + u64(N.RATE, 5)), "rate 5bit")
    checks.equal("neither in JSON", tool.json(u64(N.AT, 5) + u64(N.RATE, 5)), {"rate_bps": 5})


def random_aqm(rng: random.Random) -> bytes:
    """An AQM as the kernel would dump it."""
    kind = rng.randrange(4)
    minth = rng.randint(1, 2**29)
    maxth = rng.choice([0, rng.randint(minth + 1, 2**30)])
    ecn = u32(N.ECN, rng.randrange(2))
    thresholds = u32(N.UNIT, rng.randrange(2)) + u32(N.MINTH, minth) + u32(N.MAXTH, maxth)
    head, sdu = u32(N.HEAD, rng.randrange(2)), u32(N.SDU, rng.randint(1, 65535))
    members = [
        b"",
        thresholds
        + u32(N.MAXP, rng.randint(1, ONE))
        + u32(N.COUNT, rng.randrange(2))
        + u32(N.GENTLE, rng.randrange(2))
        + head
        + u32(N.WEIGHT, rng.randint(1, ONE))
        + sdu
        + ecn,
        thresholds
        + head
        + sdu
        + u32(N.ALPHA, rng.randint(1, 2**30))
        + u64(N.TR, rng.randint(1000, 10**12))
        + u32(N.HOLD, rng.randrange(2))
        + u32(N.CLAMP, rng.randrange(2))
        + ecn,
        u64(N.TARGET, rng.randint(1000, 10**12)) + u64(N.INTERVAL, rng.randint(1000, 10**12)) + ecn,
    ]
    start = rng.randrange(10**9)
    ramp = rng.choice([(N.OFF, N.OFF), (start, rng.randint(start + 1000, 10**12))])
    return nest(N.AQM, u32(N.KIND, kind), members[kind], u64(N.RAMP_FROM, ramp[0]), u64(N.RAMP_TO, ramp[1]))


def check_round_trip(checks: Checks, tool: WordTool) -> None:
    rng = random.Random(11)
    for _ in range(2000):
        payload = random_aqm(rng)
        text = tool.show(payload)
        checks.equal(f"typed back: {text}", tool.words(text), payload)
