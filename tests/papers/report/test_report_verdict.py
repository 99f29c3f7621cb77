# SPDX-License-Identifier: GPL-2.0
"""The rules of verdicts, on pairs of numbers."""

from kit import equals, expect
from wlablib.report import verdict as rules
from wlablib.report.verdict import Sides, judge, ordered
from wlablib.report.words import number, plain, slug


def intervals() -> str:
    cases = [
        # ours, its half, theirs, their half
        (292.0, 3.0, 290.5, 4.2, rules.INSIDE),
        (294.7, 0.1, 290.5, 4.2, rules.INSIDE),  # on their bound
        (286.3, 0.1, 290.5, 4.2, rules.INSIDE),
        (294.8, 9.0, 290.5, 4.2, rules.DIFFERS),  # our own interval is no excuse
        (5.4, 0.5, 5.0, None, rules.INSIDE_OURS),
        (5.6, 0.5, 5.0, None, rules.DIFFERS),
        (5.4, None, 5.0, None, rules.DIFFERS),  # one seed: no interval
        (290.0, None, 290.5, 4.2, rules.INSIDE),
    ]
    for ours, ours_half, theirs, theirs_half, wanted in cases:
        one = Sides(ours, ours_half, theirs, theirs_half)
        equals(f"{one}", judge(one, []), wanted)
    return f"{len(cases)} of them"


def ordering() -> str:
    # Theirs: 1.58 +- .14, .72 +- .04, .60 +- .10; the last two touch and are a tie.
    slow, fast, tie = (1.58, 0.14), (0.72, 0.04), (0.60, 0.10)
    ours = [Sides(2.0, 0.1, *slow), Sides(1.0, 0.1, *fast), Sides(1.1, 0.1, *tie)]
    for i, one in enumerate(ours):
        rest = [o for o in ours if o is not one]
        equals(f"cell {i}", judge(one, rest), rules.SAME)
    swapped = [Sides(0.9, 0.1, *slow), ours[1], ours[2]]
    equals("swapped", judge(swapped[0], swapped[1:]), rules.DIFFERS)
    equals("the other of the pair", judge(swapped[1], [swapped[0], swapped[2]]), rules.DIFFERS)
    # In their order but told apart by none of our intervals: that shows nothing.
    vague = [Sides(1.1, 0.4, *slow), Sides(1.0, 0.4, *fast)]
    equals("within ours", judge(vague[0], vague[1:]), rules.DIFFERS)
    equals("equal means", ordered(Sides(1.0, 0.0, *slow), [Sides(1.0, 0.0, *fast)]), False)
    one_seed = [Sides(2.0, None, *slow), Sides(1.0, None, *fast)]
    equals("one seed each", judge(one_seed[0], one_seed[1:]), rules.DIFFERS)
    equals("nothing to compare with", judge(Sides(2.0, 0.1, *slow), []), rules.DIFFERS)
    return "order, ties, swaps"


def numbers() -> str:
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


CASES = {
    "report: verdicts by intervals": intervals,
    "report: verdicts by order": ordering,
    "report: numbers as texts": numbers,
}
