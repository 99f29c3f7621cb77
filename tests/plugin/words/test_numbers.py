# SPDX-License-Identifier: GPL-2.0
"""Numbers and units: hand-made rows, and fractions as an exact oracle."""

import random
from fractions import Fraction

from harness import Checks, WordTool

COUNT, RATE, TIME, BYTES, SIZE, PROB = range(6)
SLOTS = 10
SYNTAX, NO_UNIT, BAD_UNIT, NOT_WHOLE, RANGE = range(1, 6)
U64_MAX = 2**64 - 1
ONE = 2**32 - 1

# (unit, text, value) or (unit, text, error) with a negative sign before it.
ROWS: list[tuple[int, str, int]] = [
    (COUNT, "0", 0),
    (COUNT, "40", 40),
    (COUNT, "007", 7),
    (COUNT, "0x1F", 31),
    (COUNT, "0xffffffffffffffff", U64_MAX),
    (COUNT, "0x10000000000000000", -RANGE),
    (COUNT, "18446744073709551615", U64_MAX),
    (COUNT, "18446744073709551616", -RANGE),
    (COUNT, "40.0", 40),
    (COUNT, "40.5", -NOT_WHOLE),
    (COUNT, "0x", -SYNTAX),
    (SLOTS, "DDDSU", 1 + (1 << 2) + (1 << 4) + (2 << 6) + (3 << 8)),
    (SLOTS, "U" * 32, U64_MAX),
    (SLOTS, "S" + "D" * 31, U64_MAX // 3 + 1),
    (SLOTS, "D" * 33, -RANGE),
    (SLOTS, "", -SYNTAX),
    (SLOTS, "DDX", -SYNTAX),
    (SLOTS, "du", -SYNTAX),
    (SLOTS, "-DU", -SYNTAX),
    (COUNT, "0xg", -SYNTAX),
    (COUNT, "", -SYNTAX),
    (COUNT, "-1", -RANGE),
    (COUNT, "-x", -SYNTAX),
    (COUNT, "40p", -BAD_UNIT),
    (RATE, "384kbit", 384000),
    (RATE, "384Kbit", 384000),
    (RATE, "384000", 384000),
    (RATE, "1.5mbit", 1500000),
    (RATE, "1.5Mbit", 1500000),
    (RATE, "0.001kbit", 1),
    (RATE, "0.0005kbit", -NOT_WHOLE),
    (RATE, "0.5", -NOT_WHOLE),
    (RATE, "12.2kbit", 12200),
    (RATE, "1gbit", 10**9),
    (RATE, "1bps", 8),
    (RATE, "48kbps", 384000),
    (RATE, "1.0000001mbps", -NOT_WHOLE),
    (RATE, "1.000000125mbps", 8000001),
    (RATE, "1gbps", 8 * 10**9),
    (RATE, "18446744073709551615", U64_MAX),
    (RATE, "18446744073709551.616kbit", -RANGE),
    (RATE, "18446744073709551.615kbit", U64_MAX),
    (RATE, "1kibit", -BAD_UNIT),
    (RATE, "1 kbit", -BAD_UNIT),
    (RATE, "1e3", -BAD_UNIT),
    (RATE, "1.2.3", -BAD_UNIT),
    (RATE, "kbit", -SYNTAX),
    (RATE, ".", -SYNTAX),
    (RATE, ".5kbit", 500),
    (RATE, "5.kbit", 5000),
    (RATE, "nan", -SYNTAX),
    (RATE, "inf", -SYNTAX),
    (RATE, "+5", -SYNTAX),
    (RATE, "-5kbit", -RANGE),
    (TIME, "0", 0),
    (TIME, "0.0", 0),
    (TIME, "10", -NO_UNIT),
    (TIME, "10ms", 10**7),
    (TIME, "10MS", 10**7),
    (TIME, "2.5us", 2500),
    (TIME, "2.5ns", -NOT_WHOLE),
    (TIME, "0.1ns", -NOT_WHOLE),
    (TIME, "1.000000001s", 10**9 + 1),
    (TIME, "1.0000000010000s", 10**9 + 1),
    (TIME, "1.0000000001s", -NOT_WHOLE),
    (TIME, "0." + "0" * 100 + "1s", -NOT_WHOLE),
    (TIME, "1." + "0" * 100 + "s", 10**9),
    (TIME, "1m", -BAD_UNIT),
    (BYTES, "40", 40),
    (BYTES, "40b", 40),
    (BYTES, "1.5kb", 1500),
    (BYTES, "1.5kib", 1536),
    (BYTES, "1mb", 10**6),
    (BYTES, "1mib", 2**20),
    (BYTES, "0.00000095367431640625mib", 1),
    (BYTES, "0.0000009536743164062mib", -NOT_WHOLE),
    (BYTES, "1k", -BAD_UNIT),
    (SIZE, "40", -NO_UNIT),
    (SIZE, "64kb", 64000),
    (PROB, "0", 0),
    (PROB, "1", ONE),
    (PROB, "1.000", ONE),
    (PROB, "100%", ONE),
    (PROB, "100.0%", ONE),
    (PROB, "0.5", 2**31),
    (PROB, "50%", 2**31),
    (PROB, "10%", 429496730),
    (PROB, "0.1", 429496730),
    (PROB, ".1", 429496730),
    (PROB, "5%", 214748365),
    (PROB, "0.05", 214748365),
    (PROB, "0.01%", 429497),
    (PROB, "0.99999999999", ONE),
    (PROB, "1.00000000000000000000000001", -RANGE),
    (PROB, "1.5", -RANGE),
    (PROB, "100.01%", -RANGE),
    (PROB, "200%", -RANGE),
    (PROB, "2", -RANGE),
    (PROB, "-0.1", -RANGE),
    (PROB, "-10%", -RANGE),
    (PROB, "10%%", -BAD_UNIT),
    (PROB, "1e-3", -BAD_UNIT),
    (PROB, "%", -SYNTAX),
    # 2^-33 is exactly half a step: up. One digit less: down.
    (PROB, "0.000000000116415321826934814453125", 1),
    (PROB, "0.000000000116415321826934814453124", 0),
]

PRINTED = [
    (COUNT, 40, "40"),
    (COUNT, U64_MAX, "18446744073709551615"),
    (RATE, 384000, "384kbit"),
    (RATE, 1500000, "1500kbit"),
    (RATE, 10**11, "100gbit"),
    (RATE, 1, "1bit"),
    (TIME, 0, "0"),
    (TIME, 10**7, "10ms"),
    (TIME, 1500, "1500ns"),
    (TIME, 3600 * 10**9, "3600s"),
    (BYTES, 1500, "1500"),
    (SIZE, 1500, "1500b"),
    (SIZE, 64000, "64kb"),
    (SIZE, 2**20, "1mib"),
    (SIZE, 65536, "64kib"),
    (PROB, 0, "0"),
    (PROB, ONE, "1"),
    (PROB, 2**31, "0.5"),
    (PROB, 429496730, "0.1"),
    (PROB, 214748365, "0.05"),
    (PROB, 1, "0.0000000002"),
    (PROB, ONE - 1, "0.9999999995"),
]

SCALES: dict[int, dict[str, int]] = {
    RATE: {
        "": 1, "bit": 1, "kbit": 10**3, "mbit": 10**6, "gbit": 10**9,
        "bps": 8, "kbps": 8 * 10**3, "mbps": 8 * 10**6, "gbps": 8 * 10**9,
    },
    TIME: {"ns": 1, "us": 10**3, "ms": 10**6, "s": 10**9},
    SIZE: {"b": 1, "kb": 10**3, "mb": 10**6, "kib": 2**10, "mib": 2**20},
}  # fmt: skip


def answer(value: int) -> str:
    return f"ok {value}" if value >= 0 else f"error {-value}"


def as_prob(text: str) -> int:
    """Exact p * 2^32, rounded half up, saturated."""
    value = Fraction(text.rstrip("%")) / (100 if text.endswith("%") else 1)
    if value > 1:
        return -RANGE
    return min(int(value * 2**32 + Fraction(1, 2)), ONE)


def as_scaled(text: str, scale: int) -> int:
    value = Fraction(text) * scale
    if value.denominator != 1:
        return -NOT_WHOLE
    return int(value) if value <= U64_MAX else -RANGE


def random_decimal(rng: random.Random, whole: int, places: int) -> str:
    text = str(rng.randrange(10 ** rng.randint(1, whole)))
    n = rng.randint(0, places)
    if n:
        text += "." + "".join(rng.choice("0123456789") for _ in range(n))
        text += "0" * rng.randint(0, 3)
    return text


def shortest_prob(value: int) -> int:
    """Fewest decimal places of any number that rounds to this value."""
    places = 0
    while True:
        near = (value * 10**places + 2**31) // 2**32
        for candidate in (near - 1, near, near + 1):
            if 0 <= candidate <= 10**places:
                text = f"{Fraction(candidate, 10**places)}"
                if as_prob(text) == value:
                    return places
        places += 1


def check_by_hand(checks: Checks, tool: WordTool) -> None:
    for unit, text, value in ROWS:
        checks.equal(f"parse {unit} {text!r}", tool.ask(f"parse {unit} {text}"), answer(value))
    for unit, value, text in PRINTED:
        checks.equal(f"print {unit} {value}", tool.ask(f"print {unit} {value}"), text)


def check_against_fractions(checks: Checks, tool: WordTool) -> None:
    rng = random.Random(2)
    for unit, scales in SCALES.items():
        for _ in range(2000):
            text = random_decimal(rng, 12, 12)
            suffix = rng.choice(list(scales))
            checks.equal(
                f"parse {unit} {text}{suffix}",
                tool.ask(f"parse {unit} {text}{suffix}"),
                answer(as_scaled(text, scales[suffix])),
            )
    for _ in range(3000):
        text = "0" + random_decimal(rng, 1, 40)[1:]
        if rng.random() < 0.5:
            text = random_decimal(rng, 2, 30) + "%"
        checks.equal(f"prob {text}", tool.ask(f"parse {PROB} {text}"), answer(as_prob(text)))


def check_read_back(checks: Checks, tool: WordTool) -> None:
    rng = random.Random(3)
    for _ in range(3000):
        value = rng.randrange(2 ** rng.randint(1, 32))
        text = tool.ask(f"print {PROB} {value}")
        checks.equal(f"prob {value} is read back", as_prob(text), value)
        places = len(text.partition(".")[2])
        checks.equal(f"prob {value} is short", places, shortest_prob(value))
    for unit in (COUNT, RATE, TIME, BYTES, SIZE):
        for _ in range(1000):
            value = rng.randrange(2 ** rng.randint(1, 64))
            value -= value % 10 ** rng.randint(0, 12)
            text = tool.ask(f"print {unit} {value}")
            checks.equal(f"{text} is read back", tool.ask(f"parse {unit} {text}"), f"ok {value}")
