# SPDX-License-Identifier: GPL-2.0
"""The words of `tc ... wlink`, to refuse a slip before anything boots.

tc and the kernel judge the values again; here it is spelling and units.
"""

import re
from collections.abc import Callable

from .units import BYTES, TIME, BadValue, near, probability, quantity, rate_bps, size_bytes, time_ns

CHANNELS = ("none", "uniform", "gilbert")
CHANNEL_WORDS = {
    "none": (),
    "uniform": ("loss",),
    "gilbert": ("p", "r", "loss_good", "loss_bad"),
}
CHANNEL_NEEDS = {"none": (), "uniform": ("loss",), "gilbert": ("p", "r")}


# Of pkt_sch_wlink.h.
RATE_MAX = 100_000_000_000
TTI_MAX = 10 * 10**9
DELAY_MAX = 3600 * 10**9
PDU_MAX = 65535
HEADER_MAX = 1024
LIMIT_PACKETS_MAX = 1_000_000
LIMIT_BYTES_MAX = 1 << 30
LIMIT_TIME_MAX = 3600 * 10**9


def within(parse: Callable[[str], int], low: int, high: int, unit: str) -> Callable[[str], int]:
    """The parser, with bounds."""

    def judge(text: str) -> int:
        value = parse(text)
        if not low <= value <= high:
            raise BadValue(f"{value} is outside {low}..{high} {unit}")
        return value

    return judge


def limit(text: str) -> int:
    """Packets, bytes or a time."""
    if re.match(r"\d+$", text):
        return within(int, 1, LIMIT_PACKETS_MAX, "packets")(text)
    units = {k: v for k, v in {**BYTES, **TIME}.items() if k}
    value = quantity(text, units, "a limit", "40")
    if text.endswith("s"):
        return within(lambda _: value, 1, LIMIT_TIME_MAX, "ns")(text)
    return within(lambda _: value, 1, LIMIT_BYTES_MAX, "bytes")(text)


def seed(text: str) -> None:
    """64 bits."""
    if not re.match(r"(\d+|0x[0-9a-f]+)$", text) or int(text, 0) >= 1 << 64:
        raise BadValue(f"'{text}' is not a number of 64 bits")


WORDS: dict[str, Callable[[str], object]] = {
    "rate": within(rate_bps, 1, RATE_MAX, "bit/s"),
    "tti": within(time_ns, 0, TTI_MAX, "ns"),
    "delay": within(time_ns, 0, DELAY_MAX, "ns"),
    "pdu": within(size_bytes, 0, PDU_MAX, "bytes"),
    "header": within(size_bytes, 0, HEADER_MAX, "bytes"),
    "limit": limit,
    "seed": seed,
}


def _value(words: list[str], name: str) -> str:
    if not words:
        raise BadValue(f"'{name}' lacks its value")
    return words.pop(0)


def _channel(words: list[str]) -> None:
    kind = _value(words, "channel")
    if kind not in CHANNELS:
        raise BadValue(f"channel '{kind}' is unknown; {near(kind, list(CHANNELS))}")
    seen = set()
    while words and words[0] not in WORDS:
        name = words[0]
        if name not in CHANNEL_WORDS[kind]:
            known = [*CHANNEL_WORDS[kind], *WORDS]
            raise BadValue(f"'{name}' is no word of wlink's channel {kind}; {near(name, known)}")
        words.pop(0)
        _judge(name, _value(words, name), probability)
        seen.add(name)
    for name in CHANNEL_NEEDS[kind]:
        if name not in seen:
            raise BadValue(f"channel {kind} needs '{name}'")


def _judge(name: str, value: str, parse: Callable[[str], object]) -> None:
    try:
        parse(value)
    except BadValue as e:
        raise BadValue(f"{name}: {e}") from None


def check_wlink(args: str) -> None:
    """Raise BadValue where tc would not understand."""
    words = args.split()
    seen = set()
    while words:
        name = words.pop(0)
        if name in seen:
            raise BadValue(f"'{name}' comes twice")
        seen.add(name)
        if name == "channel":
            _channel(words)
        elif name in WORDS:
            _judge(name, _value(words, name), WORDS[name])
        else:
            raise BadValue(f"'{name}' is no word of wlink; {near(name, [*WORDS, 'channel'])}")
    if "rate" not in seen:
        raise BadValue("'rate' is required")


def word_of(args: str, name: str) -> str | None:
    """The value that follows a word."""
    words = args.split()
    if name in words[:-1]:
        return words[words.index(name) + 1]
    return None


def with_word(args: str, name: str, value: str) -> str:
    """The arguments with one word set."""
    words = args.split()
    if name in words[:-1]:
        words[words.index(name) + 1] = value
    else:
        words = [name, value, *words]
    return " ".join(words)
