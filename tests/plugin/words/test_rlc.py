# SPDX-License-Identifier: GPL-2.0
"""Words of the modes, and whole bearers."""

import random

from harness import Checks, N, WordTool, nest, u32, u64

MS = 10**6
TIMER = (1000, 3600 * 10**9)
SR = (N.FSR, N.ASR)
ARQ = (N.AM, N.FSR, N.ASR)
MODES = ("tm", "um", "am", "fsr", "asr")

# (keyword, number in TCA_WLINK_RLC_*, bytes, modes, (text, value) ..., refused
# (text, sentence)). Numbers are those of the uapi header, by hand.
Row = tuple[str, int, int, tuple[int, ...], list[tuple[str, int]], list[tuple[str, str]]]


def switch(word: str, number: int, mode: int) -> Row:
    return (
        word,
        number,
        4,
        (mode,),
        [("on", 1), ("off", 0)],
        [
            ("yes", f'{word} "yes" is unknown; it is off or on'),
            ("1", f'{word} "1" is unknown; it is off or on'),
        ],
    )


def timer(word: str, number: int, modes: tuple[int, ...], off: bool) -> Row:
    good = [("1ms", MS), ("60ms", 60 * MS), ("3600s", 3600 * 10**9)]
    bad = [
        ("5", f'{word} "5" needs a unit: ns, us, ms or s'),
        ("1m", f'{word} "1m" has an unknown unit; it takes ns, us, ms or s'),
    ]
    if off:
        good.append(("off", N.OFF))
        bad += [
            ("0", f"{word} 0 is refused; the word is off, or 1ms..3600s"),
            ("0ms", f"{word} 0ms is outside 1ms..3600s, or off"),
            ("999us", f"{word} 999us is outside 1ms..3600s, or off"),
            ("3601s", f"{word} 3601s is outside 1ms..3600s, or off"),
            ("never", f'{word} "never" is neither a number nor off'),
        ]
    else:
        bad += [
            ("0", f"{word} 0 is outside 1ms..3600s"),
            ("999us", f"{word} 999us is outside 1ms..3600s"),
            ("off", f"{word} can not be off"),
            ("never", f'{word} "never" is not a number'),
        ]
    return (word, number, 8, modes, good, bad)


def count(word: str, number: int, modes: tuple[int, ...], most: int, off: bool) -> Row:
    good = [("1", 1), (str(most), most)]
    bad = [("1.5", f'{word} "1.5" is not a whole number')]
    if off:
        good.append(("off", 0))
        bad += [
            ("0", f"{word} 0 is refused; the word is off, or 1..{most}"),
            (str(most + 1), f"{word} {most + 1} is outside 1..{most}, or off"),
            ("x", f'{word} "x" is neither a number nor off'),
        ]
    else:
        bad += [
            ("0", f"{word} 0 is outside 1..{most}"),
            (str(most + 1), f"{word} {most + 1} is outside 1..{most}"),
            ("off", f"{word} can not be off"),
        ]
    return (word, number, 4, modes, good, bad)


def named(word: str, number: int, mode: int, names: tuple[str, ...]) -> Row:
    known = ", ".join(names[:-1]) + " or " + names[-1]
    return (
        word,
        number,
        4,
        (mode,),
        [(name, i) for i, name in enumerate(names)],
        [("x", f'{word} "x" is unknown; it is {known}')],
    )


def milli(word: str, number: int) -> Row:
    return (
        word,
        number,
        4,
        (N.ASR,),
        [("0", 0), ("3", 3000), ("2.5", 2500), ("0.125", 125), ("16", 16000), ("1.000", 1000)],
        [
            ("16.001", f"{word} 16.001 is outside 0..16"),
            ("-1", f"{word} -1 is outside 0..16"),
            ("0.0005", f'{word} "0.0005" is not a whole number of 1/1000'),
            ("3x", f'{word} "3x" has an unknown unit; it takes none'),
            ("x", f'{word} "x" is not a number'),
        ],
    )


ROWS: list[Row] = [
    count("window", 2, ARQ, 4095, False),
    switch("in_order", 3, N.AM),
    switch("poll_last", 4, N.AM),
    switch("poll_last_retx", 5, N.AM),
    count("poll_pdu", 6, (N.AM,), 4096, True),
    count("poll_sdu", 7, (N.AM,), 4096, True),
    (
        "poll_window",
        8,
        4,
        (N.AM,),
        [("50%", 50), ("50", 50), ("1%", 1), ("100%", 100), ("off", 0)],
        [
            ("0", "poll_window 0 is refused; the word is off, or 1%..100%"),
            ("101%", "poll_window 101% is outside 1%..100%, or off"),
            ("0.5%", 'poll_window "0.5%" is not a whole number of percent'),
            ("5ms", 'poll_window "5ms" has an unknown unit; it takes %'),
        ],
    ),
    timer("poll_timer", 9, (N.AM,), True),
    timer("poll_periodic", 10, (N.AM,), True),
    timer("poll_prohibit", 11, (N.AM,), True),
    switch("missing", 12, N.AM),
    timer("status_periodic", 13, (N.AM,), True),
    timer("status_prohibit", 14, (N.AM,), True),
    named("status", 15, N.AM, ("list", "bitmap")),
    named("discard", 16, N.AM, ("mrw", "reset", "timer")),
    count("maxdat", 17, (N.AM,), 255, False),
    timer("discard_timer", 18, (N.TM, N.UM, N.AM), True),
    timer("mrw_timer", 19, (N.AM,), False),
    count("maxmrw", 20, (N.AM,), 255, False),
    timer("reset_timer", 21, (N.AM,), False),
    count("maxrst", 22, (N.AM,), 255, False),
    count("reorder", 23, (N.UM,), 64, True),
    timer("reorder_timer", 24, (N.UM,), False),
    switch("duplicates", 25, N.UM),
    timer("rto", 26, SR, False),
    milli("alpha", 27),
    milli("beta", 28),
    named("rttvar", 29, N.ASR, ("abs", "signed")),
    (
        "ack_delay",
        30,
        8,
        SR,
        [("0", 0), ("50ms", 50 * MS)],
        [("1ns", "ack_delay 1ns is outside 1ms..3600s, or 0"), ("off", "ack_delay can not be off")],
    ),
    (
        "ack_bytes",
        31,
        4,
        SR,
        [("8", 8), ("8b", 8), ("1500", 1500)],
        [("0", "ack_bytes 0 is outside 1..1500"), ("1501", "ack_bytes 1501 is outside 1..1500")],
    ),
    (
        "nack_guard",
        32,
        8,
        SR,
        [("auto", 0), ("131ms", 131 * MS)],
        [
            ("0", "nack_guard 0 is refused; the word is auto, or 1ms..3600s"),
            ("off", 'nack_guard "off" is neither a number nor auto'),
        ],
    ),
    (
        "start",
        35,
        4,
        ARQ,
        [("air", 0), ("handover", 1), ("handover-head", 2), ("handover-one", 3)],
        [("0", 'start "0" is unknown; it is air, handover, handover-head or handover-one')],
    ),
    (
        "queue",
        36,
        4,
        ARQ,
        [("auto", 0), ("1", 1), ("65536", 65536)],
        [
            ("0", "queue 0 is refused; the word is auto, or 1..65536"),
            ("65537", "queue 65537 is outside 1..65536, or auto"),
        ],
    ),
]


def wrap(number: int, size: int, value: int) -> bytes:
    return u64(number, value) if size == 8 else u32(number, value)


def check_rlc(checks: Checks, tool: WordTool) -> None:
    for word, number, size, modes, good, bad in ROWS:
        for text, value in good:
            want = nest(N.RLC, wrap(number, size, value))
            checks.equal(f"{word} {text}", tool.words(f"{word} {text}"), want)
        for text, sentence in bad:
            checks.equal(f"{word} {text}", tool.words(f"{word} {text}"), sentence)
        text, value = good[0]
        for mode, name in enumerate(MODES):
            whole = u32(N.MODE, mode) + nest(N.RLC, wrap(number, size, value))
            answer: bytes | str = whole
            if mode not in modes:
                answer = f"{word} does not belong to mode {name}"
            checks.equal(f"{word} in {name}", tool.words(f"mode {name} {word} {text}"), answer)
            checks.equal(f"{word} before {name}", tool.words(f"{word} {text} mode {name}"), answer)
            shown = tool.show(whole).split()
            checks.equal(f"{word} shown in {name}", word in shown, mode in modes)
        checks.equal(f"{word} twice", tool.words(f"{word} {text} {word} {text}"), f"{word} is given twice")
        checks.equal(f"{word} alone", tool.words(word), f"{word} has no value")


def check_json(checks: Checks, tool: WordTool) -> None:
    am = tool.attributes(
        "mode am prio 3 sched rr window 1024 in_order on poll_pdu off poll_window 50% poll_timer 60ms "
        "poll_periodic off status bitmap discard reset maxdat 10 rev_rate same rev_delay same "
        "rev_channel twostate rev_mean_good 1s rev_mean_bad 1ms rev_ber_good 1e-6 rev_ber_bad 0.5 "
        "channel uniform loss 0.5",
    )
    checks.equal(
        "JSON of am",
        tool.json(am),
        {
            "channel": {"kind": "uniform", "loss": 0.5},
            "sched": "rr",
            "prio": 3,
            "mode": "am",
            "window": 1024,
            "in_order": True,
            "poll_pdu": None,
            "poll_window": 50,
            "poll_timer_ns": 60 * MS,
            "poll_periodic_ns": None,
            "status": "bitmap",
            "discard": "reset",
            "maxdat": 10,
            "reverse": {
                "rate_bps": None,
                "delay_ns": None,
                "channel": {
                    "kind": "twostate",
                    "mean_good_ns": 10**9,
                    "mean_bad_ns": MS,
                    "ber_good": 1e-6,
                    "ber_bad": 0.5,
                },
            },
        },
    )
    asr = tool.attributes("mode asr alpha 2.5 beta 0 ack_delay 0 nack_guard auto rto 1.1s rev_delay 0")
    checks.equal(
        "JSON of asr",
        tool.json(asr),
        {
            "mode": "asr",
            "rto_ns": 1100 * MS,
            "alpha": 2.5,
            "beta": 0,
            "ack_delay_ns": 0,
            "nack_guard_ns": None,
            "reverse": {"delay_ns": 0},
        },
    )


def random_chan(rng: random.Random, kinds: list[int]) -> list[bytes]:
    kind = rng.choice(kinds)
    prob = [u32(at, rng.randrange(2**32)) for at in (N.LOSS, N.P, N.R, N.LOSS_GOOD, N.LOSS_BAD)]
    members: dict[int, list[bytes]] = {
        N.NONE: [],
        N.UNIFORM: prob[:1],
        N.GILBERT: prob[1:],
        N.TWOSTATE: [u64(N.MEAN_GOOD, rng.randint(1000, 10**12)), u64(N.MEAN_BAD, rng.randint(1000, 10**12))],
        N.LINK: [],
    }
    return [u32(N.KIND, kind), *members[kind]]


def random_bearer(rng: random.Random) -> bytes:
    """A whole bearer, as the kernel would dump it."""
    mode = rng.randrange(5)
    rlc = b""
    for _, number, size, modes, good, _ in ROWS:
        if mode not in modes:
            continue
        value = rng.choice(good)[1]
        if size == 8 and rng.random() < 0.5:
            value = rng.randint(*TIMER)
        rlc += wrap(number, size, value)
    kinds = [N.NONE, N.UNIFORM, N.GILBERT, N.TWOSTATE, N.LINK]
    payload = u64(N.RATE, rng.randint(1, 10**11))
    payload += u32(N.SCHED, rng.randrange(5)) + u32(N.PRIO, rng.randrange(256)) + u32(N.MODE, mode)
    payload += nest(N.CHANNEL, *random_chan(rng, kinds))
    payload += nest(N.RLC, rlc)
    if mode in ARQ:
        payload += nest(
            N.REVERSE,
            u64(N.REV_RATE, rng.choice([0, rng.randint(1, 10**11)])),
            u64(N.REV_DELAY, rng.choice([N.SAME, 0, rng.randint(1, 10**12)])),
            nest(N.REV_CHANNEL, *random_chan(rng, kinds)),
        )
    return payload


def check_round_trip(checks: Checks, tool: WordTool) -> None:
    rng = random.Random(6)
    for _ in range(2000):
        payload = random_bearer(rng)
        text = tool.show(payload)
        checks.equal(f"typed back: {text}", tool.words(text), payload)


def check_keywords(checks: Checks, tool: WordTool) -> None:
    payload = nest(N.RLC, u32(17, 3)) + nest(
        N.REVERSE, u64(N.REV_RATE, 1), nest(N.REV_CHANNEL, u32(N.KIND, 2), u32(N.P, 3))
    )
    rows = {
        0: "rlc",
        4: "maxdat",
        12: "reverse",
        16: "rev_rate",
        28: "rev_channel",
        32: "rev_channel",
        40: "rev_p",
    }
    for offset in range(len(payload) + 4):
        got = tool.ask(f"keyword {offset} {payload.hex()}")
        checks.equal(f"keyword at {offset}", got, rows.get(offset, "-"))
    # A nest inside one that has none, and one too deep, are nothing.
    deep = nest(N.REV_CHANNEL, nest(N.REV_CHANNEL, u32(N.KIND, 1)))
    odd = nest(N.RLC, nest(N.REVERSE, u64(N.REV_RATE, 1))) + nest(N.REVERSE, deep)
    checks.equal("nests out of place", tool.show(odd), "")
