# SPDX-License-Identifier: GPL-2.0
"""The words of `tc ... wlink`, to refuse a slip before anything boots.

tc and the kernel judge the values again; here it is spelling and units.
"""

import re
from collections.abc import Callable

from ..lib.units import BYTES, TIME, BadValue, near, probability, quantity, rate_bps, size_bytes, time_ns

# Of pkt_sch_wlink.h.
RATE_MAX = 100_000_000_000
TTI_MAX = 10 * 10**9
DELAY_MAX = 30 * 86400 * 10**9
PDU_MAX = 65535
HEADER_MAX = 1024
LIMIT_PACKETS_MAX = 1_000_000
LIMIT_BYTES_MAX = 1 << 30
LIMIT_TIME_MAX = 3600 * 10**9
PRIO_MAX = 255
COUNT_MAX = 4096
TIMER_MIN = 10**6
TIMER_MAX = 3600 * 10**9
ALPHA_MAX = 16.0


def within(parse: Callable[[str], int], low: int, high: int, unit: str) -> Callable[[str], int]:
    """The parser, with bounds."""

    def judge(text: str) -> int:
        value = parse(text)
        if not low <= value <= high:
            raise BadValue(f"{value} is outside {low}..{high} {unit}".rstrip())
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


def one_of(*known: str) -> Callable[[str], object]:
    """One of these words."""

    def judge(text: str) -> str:
        if text not in known:
            raise BadValue(f"'{text}' is unknown; {near(text, list(known))}")
        return text

    return judge


def or_word(word: str, parse: Callable[[str], object]) -> Callable[[str], object]:
    """A word, or what the parser takes."""
    return lambda text: None if text == word else parse(text)


def digits(text: str) -> int:
    """A number without a unit."""
    if not re.match(r"\d+$", text):
        raise BadValue(f"'{text}' is not a whole number")
    return int(text)


def percent(text: str) -> int:
    """1 to 100, with or without the sign."""
    return within(digits, 1, 100, "%")(text.removesuffix("%"))


count = within(digits, 1, COUNT_MAX, "")


def factor(text: str) -> float:
    """Weight of the adaptive timer."""
    if not re.match(r"\d+(\.\d+)?$", text) or float(text) > ALPHA_MAX:
        raise BadValue(f"'{text}' is not a number in 0..{ALPHA_MAX:g}")
    return float(text)


def number(text: str) -> float:
    """A positive number, possibly as 1e-6."""
    if not re.match(r"\d*\.?\d+(e-?\d+)?$", text):
        raise BadValue(f"'{text}' is not a number")
    return float(text)


timer = within(time_ns, TIMER_MIN, TIMER_MAX, "ns")
on_off = one_of("on", "off")
count_off, timer_off = or_word("off", count), or_word("off", timer)

WORDS: dict[str, Callable[[str], object]] = {
    "rate": or_word("unlimited", within(rate_bps, 0, RATE_MAX, "bit/s")),
    "tti": within(time_ns, 0, TTI_MAX, "ns"),
    "delay": within(time_ns, 0, DELAY_MAX, "ns"),
    "pdu": within(size_bytes, 0, PDU_MAX, "bytes"),
    "header": within(size_bytes, 0, HEADER_MAX, "bytes"),
    "limit": limit,
    "seed": seed,
    "sched": one_of("dedicated", "fifo", "rr", "prio", "pf"),
    "prio": within(digits, 0, PRIO_MAX, ""),
    "mode": one_of("tm", "um", "am", "fsr", "asr"),
    "preset": str,
    "profile": str,
    "window": count,
    "status": one_of("list", "bitmap"),
    "discard": one_of("mrw", "reset", "timer"),
    "rttvar": one_of("abs", "signed"),
    "poll_window": or_word("off", percent),
    "alpha": factor,
    "beta": factor,
    "ack_delay": within(time_ns, 0, TIMER_MAX, "ns"),
    "ack_bytes": size_bytes,
    "nack_guard": or_word("auto", timer),
    "rev_rate": or_word("same", within(rate_bps, 1, RATE_MAX, "bit/s")),
    "rev_delay": or_word("same", within(time_ns, 0, DELAY_MAX, "ns")),
    **dict.fromkeys("in_order poll_last poll_last_retx missing duplicates".split(), on_off),
    **dict.fromkeys("poll_pdu poll_sdu reorder".split(), count_off),
    **dict.fromkeys("maxdat maxmrw maxrst".split(), count),
    **dict.fromkeys("mrw_timer reset_timer rto".split(), timer),
    **dict.fromkeys(
        "poll_timer poll_periodic poll_prohibit status_periodic status_prohibit discard_timer"
        " reorder_timer".split(),
        timer_off,
    ),
}
JITTER = (
    "wlink draws no random delay; it varies by what makes it vary on a radio link: the queue, tti,"
    " retransmission (mode am and a channel that loses)"
)
OVERTAKE = (
    "wlink lets no packet overtake by chance; in mode am with in_order off those overtake that need"
    " no retransmission"
)
# What wlink has for netem's words; wl_netem.c of the tc plugin gives the same answers.
NETEM = {
    "jitter": JITTER,
    "distribution": JITTER,
    "duplicate": "wlink sends no packet twice; use netem on another device of the way",
    "corrupt": "in wlink what errors hit is lost: channel uniform loss 1%",
    "reorder": OVERTAKE,
    "gap": OVERTAKE,
    "slot": "wlink sends in slots of tti",
    "loss": "with wlink loss belongs to a channel: channel uniform loss 1%",
}
# Of the link, so that only the qdisc's line has them.
LINK_WORDS = ("tti", "seed", "sched")

Kinds = dict[str, tuple[dict[str, Callable[[str], object]], int]]

# kind: its words, and how many of them it needs
CHANNELS: Kinds = {
    "none": ({}, 0),
    "uniform": ({"loss": probability}, 1),
    "gilbert": (dict.fromkeys(("p", "r", "loss_good", "loss_bad"), probability), 2),
    "twostate": (
        {
            "mean_good": time_ns,
            "mean_bad": time_ns,
            "ber_good": number,
            "ber_bad": number,
        },
        4,
    ),
    "rayleigh": ({"fer": probability, "fdt": number}, 2),
    "link": ({}, 0),
}

def threshold(text: str) -> int:
    """SDUs, or bytes with a unit."""
    return digits(text) if re.match(r"\d+$", text) else size_bytes(text)


EVERY_AQM: dict[str, Callable[[str], object]] = {"ramp_from": or_word("off", time_ns), "ramp_to": time_ns}
BY_FILL: dict[str, Callable[[str], object]] = {
    "maxth": or_word("limit", threshold),
    "from": one_of("head", "tail"),
    "sdu": size_bytes,
    "ecn": on_off,
    **EVERY_AQM,
}
AQMS: Kinds = {
    "droptail": (EVERY_AQM, 0),
    "red": (
        {
            "minth": threshold,
            "maxp": probability,
            "count": on_off,
            "gentle": on_off,
            "weight": probability,
            **BY_FILL,
        },
        2,
    ),
    "sbd": ({"minth": threshold, "tr": time_ns, "alpha": threshold, "hold": on_off, **BY_FILL}, 2),
    "codel": ({"target": time_ns, "interval": time_ns, "ecn": on_off, **EVERY_AQM}, 0),
}
OPENERS = ("channel", "rev_channel", "aqm")


def _value(words: list[str], name: str) -> str:
    if not words:
        raise BadValue(f"'{name}' lacks its value")
    return words.pop(0)


def _kind(words: list[str], word: str) -> None:
    """What follows aqm, channel, or rev_channel, whose words begin with rev_."""
    kinds, prefix = (AQMS, "") if word == "aqm" else (CHANNELS, word.removesuffix("channel"))
    kind = _value(words, word)
    if kind not in kinds:
        raise BadValue(f"{word} '{kind}' is unknown; {near(kind, list(kinds))}")
    known, needed = kinds[kind]
    mine = {prefix + name: parse for name, parse in known.items()}
    seen = set()
    while words and (words[0] in mine or words[0] not in (*WORDS, *OPENERS)):
        name = words[0]
        if name not in mine:
            hint = near(name, [*mine, *WORDS])
            raise BadValue(f"'{name}' is no word of wlink's {word} {kind}; {hint}")
        words.pop(0)
        _judge(name, _value(words, name), mine[name])
        seen.add(name)
    for name in list(mine)[:needed]:
        if name not in seen:
            raise BadValue(f"{word} {kind} needs '{name}'")


def _judge(name: str, value: str, parse: Callable[[str], object]) -> None:
    try:
        parse(value)
    except BadValue as e:
        raise BadValue(f"{name}: {e}") from None


def netem_hint(name: str, words: list[str]) -> str | None:
    """What wlink has instead, where a user of netem has typed this."""
    if name == "reorder":
        return NETEM[name] if words and words[0].endswith("%") else None
    # As in netem's delay 100ms 10ms.
    return JITTER if re.match(rf"[\d.]+({'|'.join(TIME)})$", name) else NETEM.get(name)


def check_wlink(args: str, of_class: bool = False) -> None:
    """Raise BadValue where tc would not understand."""
    words = args.split()
    seen = set()
    while words:
        name = words.pop(0)
        if name in seen:
            raise BadValue(f"'{name}' comes twice")
        seen.add(name)
        if hint := netem_hint(name, words):
            raise BadValue(f"'{name}' is a word of netem; {hint}")
        if name in OPENERS:
            _kind(words, name)
        elif of_class and name in LINK_WORDS:
            raise BadValue(f"'{name}' belongs to the qdisc, not to a class")
        elif name in WORDS:
            _judge(name, _value(words, name), WORDS[name])
        else:
            hint = near(name, [*WORDS, *OPENERS])
            raise BadValue(f"'{name}' is no word of wlink; {hint}")
    if not of_class and not seen & {"rate", "preset"}:
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
