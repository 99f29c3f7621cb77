# SPDX-License-Identifier: GPL-2.0
"""The rules of verdicts, on pairs of numbers."""

from kit import equals, expect, near
from wlablib.report import verdict as rules
from wlablib.report.verdict import Sides, judge, judge_ratio
from wlablib.report.words import number, plain, slug


def check_verdicts_by_intervals() -> str:
    cases = [
        # ours, its half, theirs, their half
        (292.0, 3.0, 290.5, 4.2, rules.INSIDE),
        (294.7, 0.1, 290.5, 4.2, rules.INSIDE),  # on their bound
        (286.3, 0.1, 290.5, 4.2, rules.INSIDE),
        (290.0, None, 290.5, 4.2, rules.INSIDE),
        (5.4, 0.5, 5.0, None, rules.INSIDE_OURS),
        # 1.08 +- 0.17, and more.
        (5.4, 0.85, 5.0, None, rules.INSIDE_OURS),
        (5.4, 0.86, 5.0, None, rules.UNTOLD),
        # 1.04 +- .005, on a bound, and one that reaches over it.
        (104.0, 0.5, 100.0, None, "within 5 %"),
        (104.5, 0.5, 100.0, None, "within 5 %"),
        (104.5, 0.6, 100.0, None, "within 10 %"),
        (96.0, 0.5, 100.0, None, "within 5 %"),
        (91.0, 0.5, 100.0, None, "within 10 %"),
        (120.0, 4.9, 100.0, None, "within 25 %"),
        (120.0, 5.1, 100.0, None, rules.UNTOLD),
        (130.0, 5.1, 100.0, None, rules.UNTOLD),
        (130.0, 4.9, 100.0, None, rules.FAR),
        (70.0, 4.9, 100.0, None, rules.FAR),
        # Both intervals: hypot(.04, .06) / 2 of 1.2 is .0424, of .06 alone is more than .05.
        (2.4, 0.04, 2.0, 0.05, "within 25 %"),
        # Theirs alone: 1.2 +- 1.2 * .05 = .06 reaches across 1.25, and 1.2 +- .03 does not.
        (2.4, 0.04, 2.0, 0.10, rules.WIDE),
        (2.4, 0.0, 2.0, 0.10, rules.WIDE),
        (2.4, 0.10, 2.0, 0.05, rules.UNTOLD),
        (-10.0, 0.5, -21.0, None, rules.FAR),
        (1.0, 0.5, 0.0, None, rules.UNTOLD),
        (6.0, None, 5.0, None, rules.UNTOLD),  # one seed: no interval
    ]
    for ours, ours_half, theirs, theirs_half, wanted in cases:
        one = Sides(ours, ours_half, theirs, theirs_half)
        equals(f"{one}", judge(one), wanted)
    return f"{len(cases)} of them"


def check_ratios() -> str:
    value, half = Sides(2.4, 0.04, 2.0, 0.05).ratio()
    near("ratio", value, 1.2, 1e-12)
    near("its half width", half, 0.036056, 1e-5)  # hypot(.04 / 2, 1.2 * .05 / 2)
    equals("at the bound", [judge_ratio(1.1, h, 10) for h in (0.0, 0.01, None)], [True, None, None])
    equals("and so", [judge_ratio(v, 0.01, 10) for v in (1.0, 1.08, 1.12, 0.88)], [True, True, False, False])
    # What aqm-goodput has: 95.4 beside 89.9 +- 5.8 is 1.061 +- .068, across 1.1 and not across 1.25.
    one = Sides(95.4, 4.2, 89.9, 5.8)
    equals("theirs alone", [one.too_wide(p) for p in (10, 25)], [True, False])
    equals("no interval of theirs", Sides(95.4, 40.0, 89.9, None).too_wide(10), False)
    return "by both intervals"


def check_small_gains_in_points() -> str:
    """A gain of less than 10 % is compared in points, of which 25 % are 2.5, others by their ratio."""
    cases = [
        # 2.1 points, not 1.7 times; 0.4 and 0.9.
        (5.1, 0.3, 3.0, None, "within 25 %"),
        (3.4, 0.1, 3.0, None, "within 5 %"),
        (3.9, 0.1, 3.0, None, "within 10 %"),
        (3.0, 0.4, 3.0, None, rules.INSIDE_OURS),
        (5.6, 0.05, 3.0, None, rules.FAR),
        (0.4, 0.05, 3.0, None, rules.FAR),
        (-1.0, 0.1, 1.0, None, "within 25 %"),
        (0.4, 0.05, 0.0, None, "within 5 %"),
        # 8.1 +- 1.9 beside 4.8 +- 2.8, which has room for neither.
        (8.1, 1.9, 4.8, 2.8, rules.WIDE),
        (3.0, 2.6, 4.8, None, rules.UNTOLD),
        (3.0, None, 4.8, None, rules.UNTOLD),
        # 17 of 14 points is 1.21 times, 6 of 12 half of it.
        (17.0, 0.1, 14.0, None, "within 25 %"),
        (6.0, 0.1, 12.0, None, rules.FAR),
    ]
    for ours, ours_half, theirs, theirs_half, wanted in cases:
        one = Sides(ours, ours_half, theirs, theirs_half, gain=True)
        equals(f"{one}", judge(one), wanted)
    equals("no gain", judge(Sides(5.1, 0.3, 3.0, None)), rules.FAR)
    value, half = Sides(5.1, 0.3, 3.0, 0.4, gain=True).points()
    near("points", value, 2.1, 1e-12)
    near("their half width", half, 0.5, 1e-12)
    return f"{len(cases)} of them"


def check_delays_times_ten() -> str:
    """Table 3 with delays ten times as long: that a slower link has more delay is no excuse."""
    for ours, theirs in ((4.7, 0.47), (7.2, 0.72)):
        equals(f"{ours}", judge(Sides(ours, 0.1, theirs, 0.03)), rules.FAR)
    return rules.FAR


def check_numbers_as_texts() -> str:
    cases = [
        (number(290.53, 4.21), "290.5 ± 4.2"),
        (number(0.4684, 0.0312), "0.468 ± 0.031"),
        (number(1250.4, 33.0), "1250 ± 33"),
        (number(0.0, 0.0), "0 ± 0"),
        (number(12.5, 0.0), "12.5 ± 0"),
        (number(291.25), "291.2"),
        (number(None), "none"),
        (number(-34.1, 1.96), "-34.1 ± 2.0"),
        (plain(290.5, 4.2), "290.5 ± 4.2"),
        (plain(-34, None), "-34"),
        (slug("figure 6"), "figure-6"),
    ]
    for got, wanted in cases:
        equals("text", got, wanted)
    expect(number(3.0, None) == "3", "a whole number has no point")
    return f"{len(cases)} of them"
