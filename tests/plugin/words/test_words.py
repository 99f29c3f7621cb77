# SPDX-License-Identifier: GPL-2.0
"""Words to attributes: hand-made rows, attributes laid out by hand."""

import subprocess
from pathlib import Path

from harness import Checks, N, WordTool, nest, u32, u64

TENTH = 429496730
HALF = 2**31
ONE = 2**32 - 1

GOOD: list[tuple[str, bytes]] = [
    ("", b""),
    ("rate 384kbit", u64(N.RATE, 384000)),
    ("rate 1", u64(N.RATE, 1)),
    ("rate 100gbit", u64(N.RATE, 10**11)),
    ("rate 0", u64(N.RATE, 0)),
    ("rate unlimited", u64(N.RATE, 2**64 - 1)),
    ("tti 10ms", u64(N.TTI, 10**7)),
    ("tti 0", u64(N.TTI, 0)),
    ("tti 10s", u64(N.TTI, 10**10)),
    ("delay 50ms", u64(N.DELAY, 5 * 10**7)),
    ("delay 2592000s", u64(N.DELAY, 30 * 86400 * 10**9)),
    ("pdu 40", u32(N.PDU, 40)),
    ("pdu 0", u32(N.PDU, 0)),
    ("pdu 65535", u32(N.PDU, 65535)),
    ("header 2", u32(N.HEADER, 2)),
    ("header 1kib", u32(N.HEADER, 1024)),
    ("seed 0", u64(N.SEED, 0)),
    ("seed 0xffffffffffffffff", u64(N.SEED, 2**64 - 1)),
    ("limit 40", nest(N.LIMIT, u32(N.PACKETS, 40))),
    ("limit 1000000", nest(N.LIMIT, u32(N.PACKETS, 1000000))),
    ("limit 64kb", nest(N.LIMIT, u32(N.BYTES, 64000))),
    ("limit 1024mib", nest(N.LIMIT, u32(N.BYTES, 2**30))),
    ("limit 100ms", nest(N.LIMIT, u64(N.TIME, 10**8))),
    ("channel none", nest(N.CHANNEL, u32(N.KIND, N.NONE))),
    ("channel uniform loss 10%", nest(N.CHANNEL, u32(N.KIND, N.UNIFORM), u32(N.LOSS, TENTH))),
    (
        "channel gilbert p 0.1 r 0.5",
        nest(N.CHANNEL, u32(N.KIND, N.GILBERT), u32(N.P, TENTH), u32(N.R, HALF)),
    ),
    (
        "channel gilbert r 0.5 loss_bad 1 p 10% loss_good 0",
        nest(
            N.CHANNEL,
            u32(N.KIND, N.GILBERT),
            u32(N.P, TENTH),
            u32(N.R, HALF),
            u32(N.LOSS_GOOD, 0),
            u32(N.LOSS_BAD, ONE),
        ),
    ),
    # What is absent must be absent: it stays as it is in the kernel.
    ("channel gilbert p 0.5", nest(N.CHANNEL, u32(N.KIND, N.GILBERT), u32(N.P, HALF))),
    (
        "channel gilbert p 0.5 limit 5 rate 7",
        u64(N.RATE, 7)
        + nest(N.LIMIT, u32(N.PACKETS, 5))
        + nest(N.CHANNEL, u32(N.KIND, N.GILBERT), u32(N.P, HALF)),
    ),
    (
        "seed 7 header 2 pdu 40 delay 25ms tti 10ms rate 384kbit",
        u64(N.RATE, 384000)
        + u64(N.TTI, 10**7)
        + u64(N.DELAY, 25 * 10**6)
        + u32(N.PDU, 40)
        + u32(N.HEADER, 2)
        + u64(N.SEED, 7),
    ),
]

BAD: list[tuple[str, str]] = [
    ("rat 5", 'unknown word "rat"; did you mean rate?'),
    ("help", 'unknown word "help"'),
    ("rate", "rate has no value"),
    ("rate 5 tti", "tti has no value"),
    ("rate 101gbit", "rate 101gbit is outside 0..100gbit, or unlimited"),
    ("rate 99999999999gbit", "rate 99999999999gbit is outside 0..100gbit, or unlimited"),
    ("rate -5kbit", "rate -5kbit is outside 0..100gbit, or unlimited"),
    ("rate fast", 'rate "fast" is neither a number nor unlimited'),
    (
        "rate 5k",
        'rate "5k" has an unknown unit; it takes bit, kbit, mbit, gbit, bps, kbps, mbps or gbps',
    ),
    ("rate 0.5bit", 'rate "0.5bit" is not a whole number of bit/s'),
    ("rate 5 rate 6", "rate is given twice"),
    ("tti 10", 'tti "10" needs a unit: ns, us, ms or s'),
    ("tti 10.1s", "tti 10.1s is outside 0..10s"),
    ("tti 0.5ns", 'tti "0.5ns" is not a whole number of ns'),
    ("tti 1m", 'tti "1m" has an unknown unit; it takes ns, us, ms or s'),
    ("delay 2592001s", "delay 2592001s is outside 0..2592000s"),
    ("pdu 65536", "pdu 65536 is outside 0..65535"),
    ("pdu -1", "pdu -1 is outside 0..65535"),
    ("pdu 1k", 'pdu "1k" has an unknown unit; it takes b, kb, mb, kib or mib'),
    ("header 1025", "header 1025 is outside 0..1024"),
    ("seed -1", "seed -1 is outside 0..18446744073709551615"),
    ("seed 18446744073709551616", "seed 18446744073709551616 is outside 0..18446744073709551615"),
    ("seed 5s", 'seed "5s" is not a whole number without unit'),
    ("seed 1.5", 'seed "1.5" is not a whole number'),
    ("limit 0", "limit 0 is outside 1..1000000"),
    ("limit 1000001", "limit 1000001 is outside 1..1000000"),
    ("limit 1.5", 'limit "1.5" is not a whole number'),
    ("limit -5", "limit -5 is outside 1..1000000"),
    ("limit 0b", "limit 0b is outside 1b..1024mib"),
    ("limit 1025mib", "limit 1025mib is outside 1b..1024mib"),
    ("limit 0ms", "limit 0ms is outside 1ns..3600s"),
    ("limit 3601s", "limit 3601s is outside 1ns..3600s"),
    ("limit x", 'limit "x" is not a number'),
    (
        "limit 5p",
        'limit "5p" has an unknown unit; type a bare number of packets, '
        "bytes in b, kb, mb, kib or mib, or a time in ns, us, ms or s",
    ),
    ("limit 5 limit 10ms", "limit is given twice"),
    ("channel", "channel has no value"),
    (
        "channel fading",
        'channel "fading" is unknown; it is none, uniform, gilbert, twostate, link or rayleigh',
    ),
    (
        "loss 0.1",
        "loss belongs to a channel; type channel and its kind first, as in channel uniform loss 1%",
    ),
    ("p 0.1 channel gilbert", "p belongs to a channel; type channel and its kind first"),
    ("channel none loss 0", "loss does not belong to channel none"),
    ("channel uniform p 0.1", "p does not belong to channel uniform"),
    ("channel gilbert loss 0.1", "loss does not belong to channel gilbert"),
    ("channel gilbert p 1.5", "p 1.5 is outside 0..1"),
    ("channel gilbert r -0.1", "r -0.1 is outside 0..1"),
    ("channel gilbert r 101%", "r 101% is outside 0..1"),
    ("channel gilbert p 0.1 p 0.2", "p is given twice"),
    ("channel gilbert loss_good 0.1x", 'loss_good "0.1x" has an unknown unit; it takes %'),
    ("channel none channel none", "channel is given twice"),
]

# What netem users type, and a part of the answer that names what wlink has instead.
NETEM: list[tuple[str, str]] = [
    ("rate 1mbit delay 100ms 10ms", "10ms is a word of netem; in wlink it is jitter TIME"),
    ("rate 1mbit delay 100ms 10ms 25%", "queue, tti and retransmission"),
    ("distribution normal", "distribution is a word of netem; in wlink it is jitter TIME"),
    ("mode um reorder 25%", "reorder 25% is a word of netem; in wlink packets overtake each other by jitter"),
    ("reorder 25% 50%", "in mode am with in_order off"),
    ("gap 5 reorder 10", "gap is a word of netem"),
    ("slot 10ms", "wlink sends in slots of tti"),
    ("loss gemodel 1%", "as in channel uniform loss 1%"),
]

# What is said beside the attributes of a rate in bytes per second.
NOTES = {
    "rate 384kbps": "wlink: note: rate 384kbps counts bytes, it is 3072kbit\n",
    "rate 1Mbps": "wlink: note: rate 1Mbps counts bytes, it is 8mbit\n",
    "rate 10bps": "wlink: note: rate 10bps counts bytes, it is 80bit\n",
    "rate 5 mode am rev_rate 1.5kbps": "wlink: note: rev_rate 1.5kbps counts bytes, it is 12kbit\n",
    "rate 384kbit": "",
    "rate unlimited": "",
    "rate 384": "",
}


def check_netem(checks: Checks, tool: WordTool) -> None:
    for words, part in NETEM:
        answer = tool.words(words)
        checks.true(f"netem's words: {words}", isinstance(answer, str) and part in answer, answer)


# What is typed, and what is meant: one letter in three may differ.
NEAR = {
    "rat": "rate", "Rate": "rate", "ttl": "tti", "los": "loss", "chanel": "channel",
    "polltimer": "poll_timer", "dealy": "delay", "presets": "preset", "xy": "", "bandwidth": "",
    "unit": "", "x" * 30: "",
}  # fmt: skip


def check_near(checks: Checks, tool: WordTool) -> None:
    for word, meant in NEAR.items():
        hint = f"; did you mean {meant}?" if meant else ""
        checks.equal(f"near {word}", tool.words(f"{word} 5"), f'unknown word "{word}"{hint}')


# Lines of help: of all words, of a kind, of what it cannot do without, of a word with several units.
HELP = (
    "[limit N|BYTES|TIME]",
    "channel rayleigh: fer PROB fdt X\n",
    "harq N: [harq_bler PROB]",
    "mode fsr, asr: [rto TIME]",
    "aqm sbd: [alpha AMOUNT] tr TIME",
    "[poll_pdu N|off]",
)


def check_help(checks: Checks, build: Path) -> None:
    done = subprocess.run([build / "bin/wlinkctl", "help"], capture_output=True, text=True, check=True)
    words = done.stdout.split("are the words of tc:\n")[1].split("\nExit codes")[0]
    for part in HELP:
        checks.true(f"help: {part.strip()}", part in words, words)
    checks.equal("lines of help that are too long", [li for li in words.splitlines() if len(li) > 79], [])


def check_notes(checks: Checks, tool: WordTool) -> None:
    for words, note in NOTES.items():
        line = f"words {words}\n"
        done = subprocess.run([tool.path], input=line, capture_output=True, text=True, check=False)
        checks.equal(f"note: {words}", (done.stdout[:3], done.stderr), ("ok ", note))


def check_good(checks: Checks, tool: WordTool) -> None:
    for words, attributes in GOOD:
        checks.equal(f"words: {words}", tool.words(words), attributes)


def check_bad(checks: Checks, tool: WordTool) -> None:
    for words, sentence in BAD:
        checks.equal(f"bad words: {words}", tool.words(words), sentence)
    long = "x" * 3000
    for words in (long, f"rate {long}", f"channel {long}", f"rate {'9' * 3000}"):
        answer = tool.words(words)
        checks.true("a long word is refused", isinstance(answer, str), words[:12])
