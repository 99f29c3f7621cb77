# SPDX-License-Identifier: GPL-2.0
"""Words of schedulers, ways back, two-state and Rayleigh channels."""

import math
import random
from fractions import Fraction

from harness import Checks, N, WordTool, nest, u32, u64

MS = 10**6

TOP: list[tuple[str, bytes | str]] = [
    ("sched dedicated", u32(N.SCHED, 0)),
    ("sched fifo", u32(N.SCHED, 1)),
    ("sched rr", u32(N.SCHED, 2)),
    ("sched prio", u32(N.SCHED, 3)),
    ("sched pf", u32(N.SCHED, 4)),
    ("sched best", 'sched "best" is unknown; it is dedicated, fifo, rr, prio or pf'),
    ("prio 0", u32(N.PRIO, 0)),
    ("prio 255 sched prio", u32(N.SCHED, 3) + u32(N.PRIO, 255)),
    ("prio 256", "prio 256 is outside 0..255"),
    ("mode tm", u32(N.MODE, N.TM)),
    ("mode xm", 'mode "xm" is unknown; it is tm, um, am, fsr, asr, lte-um, lte-am or nr-am'),
    ("rev_rate 64kbit", nest(N.REVERSE, u64(N.REV_RATE, 64000))),
    ("rev_rate same", nest(N.REVERSE, u64(N.REV_RATE, 0))),
    ("rev_rate 0", "rev_rate 0 is refused; the word is same, or 1bit..100gbit"),
    ("rev_rate x", 'rev_rate "x" is neither a number nor same'),
    ("rev_delay 0", nest(N.REVERSE, u64(N.REV_DELAY, 0))),
    ("rev_delay same", nest(N.REVERSE, u64(N.REV_DELAY, N.SAME))),
    ("rev_delay 2592001s", "rev_delay 2592001s is outside 0..2592000s, or same"),
    ("mode um rev_rate 5", "rev_rate does not belong to mode um"),
    ("mode tm rev_channel none", "rev_channel does not belong to mode tm"),
    ("rev_channel none", nest(N.REVERSE, nest(N.REV_CHANNEL, u32(N.KIND, N.NONE)))),
    ("rev_channel link", nest(N.REVERSE, nest(N.REV_CHANNEL, u32(N.KIND, N.LINK)))),
    ("channel link", nest(N.CHANNEL, u32(N.KIND, N.LINK))),
    (
        "rev_channel uniform rev_loss 50% rev_delay 1ms channel uniform loss 1",
        nest(N.CHANNEL, u32(N.KIND, N.UNIFORM), u32(N.LOSS, 2**32 - 1))
        + nest(
            N.REVERSE,
            u64(N.REV_DELAY, MS),
            nest(N.REV_CHANNEL, u32(N.KIND, N.UNIFORM), u32(N.LOSS, 2**31)),
        ),
    ),
    ("rev_loss 0.1", "rev_loss belongs to a channel; type rev_channel and its kind first"),
    ("channel uniform rev_loss 0.1", "rev_loss belongs to a channel; type rev_channel and its kind first"),
    ("rev_channel gilbert rev_loss 0.1", "rev_loss does not belong to rev_channel gilbert"),
    ("rev_channel gilbert p 0.1", "p belongs to a channel; type channel and its kind first"),
    ("rev_channel x", 'rev_channel "x" is unknown; it is none, uniform, gilbert, twostate, link or rayleigh'),
    (
        "channel twostate mean_good 10s mean_bad 100ms ber_good 0 ber_bad 1",
        nest(
            N.CHANNEL,
            u32(N.KIND, N.TWOSTATE),
            u64(N.MEAN_GOOD, 10**10),
            u64(N.MEAN_BAD, 10**8),
            u64(N.HAZARD_GOOD, 0),
            u64(N.HAZARD_BAD, 64 << 56),
        ),
    ),
    ("channel twostate p 0.1", "p does not belong to channel twostate"),
    ("channel gilbert ber_bad 0.1", "ber_bad does not belong to channel gilbert"),
    ("channel twostate mean_good 999ns", "mean_good 999ns is outside 1us..3600s"),
    ("channel twostate mean_bad 0", "mean_bad 0 is outside 1us..3600s"),
    ("channel twostate ber_good 1.5", "ber_good 1.5 is outside 0..1"),
    ("channel twostate ber_good 1e400", "ber_good 1e400 is outside 0..1"),
    ("channel twostate ber_good -1e-6", "ber_good -1e-6 is outside 0..1"),
    ("channel twostate ber_good x", 'ber_good "x" is not a number'),
    ("channel twostate ber_good nan", 'ber_good "nan" is not a number'),
    ("channel twostate ber_good inf", 'ber_good "inf" is not a number'),
    ("channel twostate ber_good 0x1p-3", 'ber_good "0x1p-3" has an unknown unit; it takes %'),
    ("channel twostate ber_good 1e", 'ber_good "1e" has an unknown unit; it takes %'),
    ("channel twostate ber_good 1e-6ms", 'ber_good "1e-6ms" has an unknown unit; it takes %'),
    ("fer 10%", "fer belongs to a channel; type channel and its kind first"),
    ("channel gilbert fer 10%", "fer does not belong to channel gilbert"),
    ("channel rayleigh p 0.1", "p does not belong to channel rayleigh"),
    ("channel rayleigh", "channel rayleigh needs both fer and fdt"),
    ("channel rayleigh fer 10%", "channel rayleigh needs both fer and fdt"),
    ("channel rayleigh fdt 0.01", "channel rayleigh needs both fer and fdt"),
    ("rev_channel rayleigh rev_fer 10%", "rev_channel rayleigh needs both rev_fer and rev_fdt"),
    ("channel rayleigh fer 0 fdt 0.01", "fer 0 is outside 0.000000001..0.999"),
    ("channel rayleigh fer 1 fdt 0.01", "fer 1 is outside 0.000000001..0.999"),
    ("channel rayleigh fer 0.1 fdt 0", "fdt 0 is outside 0.000000001..10"),
    ("channel rayleigh fer 0.1 fdt 11", "fdt 11 is outside 0.000000001..10"),
    ("channel rayleigh fer 0.1 fdt 5hz", 'fdt "5hz" has an unknown unit; it takes none'),
]  # fmt: skip


def check_top(checks: Checks, tool: WordTool) -> None:
    for words, want in TOP:
        checks.equal(f"words: {words}", tool.words(words), want)


def hazard(ber: str) -> int:
    """-ln(1 - BER) * 2^56 by its series, exact enough for every case here."""
    x = Fraction(ber)
    total = sum((x**k / k for k in range(1, 60)), Fraction(0))
    return math.floor(total * 2**56 + Fraction(1, 2))


def check_ber(checks: Checks, tool: WordTool) -> None:
    """The hazard is right to a double's precision, and BERs survive the way."""
    rng = random.Random(5)
    texts = ["1e-6", "1e-2", "0.01", "1E-12", "1e-16", "0.1", "0.3", "2.5e-3", "1e-09", ".5e-1"]
    texts += [f"{rng.uniform(1, 10):.{rng.randint(0, 8)}f}e-{rng.randint(2, 15)}" for _ in range(1500)]
    for text in texts:
        words = f"channel twostate mean_good 10s mean_bad 1s ber_good {text} ber_bad 0.5"
        payload = tool.words(words)
        assert isinstance(payload, bytes)
        got = int.from_bytes(payload[40:48], "little")
        want = hazard(text)
        checks.true(f"hazard of {text}", abs(got - want) <= max(1, want >> 51), (got, want))
        shown = tool.show(payload)
        checks.equal(f"{text} typed back from {shown}", tool.words(shown), payload)
    shown = tool.show(
        tool.attributes("channel twostate mean_good 10s mean_bad 1s ber_good 1e-6 ber_bad 1e-2")
    )
    checks.equal("as typed", shown, "channel twostate mean_good 10s mean_bad 1s ber_good 1e-6 ber_bad 0.01")
    # ln 2 * 2^56, and a percentage.
    half = tool.attributes("channel twostate ber_bad 50%")
    checks.true("ln 2", abs(int.from_bytes(half[16:24], "little") - 49946518145322873) < 64, half)


# facts.md 2.2: FER, fdT, p and r times 2^32.
RAYLEIGH = [
    ("0.01", "0.003", 3234337, 320199329),
    ("0.01", "0.01", 10659117, 1055252627),
    ("0.01", "0.03", 27976158, 2769639621),
    ("0.01", "0.1", 41118479, 4070729435),
    ("0.01", "0.64", 42870105, 4244140436),
    ("0.05", "0.003", 7313273, 138952187),
    ("0.05", "0.01", 24326527, 462204022),
    ("0.05", "0.03", 71576273, 1359949185),
    ("0.05", "0.1", 175955282, 3343150351),
    ("0.05", "0.64", 212774473, 4042714986),
    ("0.1", "0.003", 10482584, 94343258),
    ("10%", "0.01", 34907999, 314171990),
    ("0.1", "0.03", 103809375, 934284375),
    ("0.1", "0.1", 300547753, 2704929774),
    ("0.1", "0.64", 421681710, 3795135394),
    ("0.2", "0.003", 15256152, 61024606),
    ("0.2", "0.01", 50832232, 203328929),
    ("0.2", "0.03", 151920053, 607680212),
    ("0.2", "0.1", 480281301, 1921125206),
    ("0.2", "0.64", 828440436, 3313761745),
]


def check_rayleigh(checks: Checks, tool: WordTool) -> None:
    """A FER that is rounded to 2^-32 moves r of 0.1 by less than one."""
    for fer, fdt, p, r in RAYLEIGH:
        payload = tool.attributes(f"channel rayleigh fer {fer} fdt {fdt}")
        got_p = int.from_bytes(payload[16:20], "little")
        got_r = int.from_bytes(payload[24:28], "little")
        want = nest(
            N.CHANNEL,
            u32(N.KIND, N.GILBERT), u32(N.P, got_p), u32(N.R, got_r),
            u32(N.LOSS_GOOD, 0), u32(N.LOSS_BAD, 2**32 - 1),
        )  # fmt: skip
        checks.equal(f"rayleigh {fer} {fdt} comes to gilbert", payload, want)
        checks.true(f"rayleigh {fer} {fdt}", abs(got_p - p) <= 2 and abs(got_r - r) <= 2, (got_p, got_r))
        back = tool.attributes(f"rev_channel rayleigh rev_fer {fer} rev_fdt {fdt}")
        checks.equal(f"rev_channel rayleigh {fer}", back[8:], payload[4:])
    shown = tool.show(tool.attributes("channel rayleigh fer 10% fdt 0.01"))
    checks.true("shown as gilbert", shown.startswith("channel gilbert p 0.0081"), shown)
    checks.equal("typed back", tool.words(shown), tool.words("channel rayleigh fer 10% fdt 0.01"))
