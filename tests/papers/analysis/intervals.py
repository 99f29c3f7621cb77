# SPDX-License-Identifier: GPL-2.0
"""Intervals against the printed tables of Student's t and sums done by hand."""

from math import sqrt

from kit import equals, near, refused
from wlablib.analysis.interval import difference, gain, half_width, interval, student

# (seeds, confidence in percent): as printed in tables, three decimals.
TABLE = {
    (2, 90): 6.314,
    (3, 90): 2.920,
    (5, 90): 2.132,
    (10, 90): 1.833,
    (20, 90): 1.729,
    (30, 90): 1.699,
    (2, 95): 12.706,
    (3, 95): 4.303,
    (20, 95): 2.093,
    (30, 95): 2.045,
    (121, 95): 1.980,
    (11, 99): 3.169,
}


def check_quantiles_of_students_t() -> str:
    for (seeds, confidence), t in TABLE.items():
        near(f"t of {seeds} seeds, {confidence} %", student(seeds - 1, confidence), t, 0.0005)
    return f"{len(TABLE)} values of the table"


def check_by_hand() -> str:
    """1..n has mean (n + 1) / 2 and variance n (n + 1) / 12."""
    for seeds, confidence in ((20, 90), (30, 95)):
        values = [float(i) for i in range(1, seeds + 1)]
        wanted = TABLE[seeds, confidence] * sqrt(seeds * (seeds + 1) / 12) / sqrt(seeds)
        near(f"half width of {seeds}", half_width(values, confidence), wanted, 0.001)
        near(f"mean of {seeds}", interval(values, confidence)["value"], (seeds + 1) / 2, 1e-12)
    # Their deviation is sqrt(2), over sqrt(2) seeds: t itself.
    near("half width of 0 and 2", half_width([0, 2], 95), 12.706, 0.0005)
    near("half width of 1, 2, 3", half_width([1, 2, 3], 90), 2.920 / sqrt(3), 0.0005)
    # The interval that the AQM paper prints with 20 seeds at 384 kbit/s: 294.5 +- 5.6
    # comes of a deviation of 14.48.
    values = [294.5 - 14.48 * sqrt(19 / 20)] * 10 + [294.5 + 14.48 * sqrt(19 / 20)] * 10
    near("half width as in table 2", half_width(values, 90), 5.6, 0.01)
    return "five intervals"


def check_one_seed_equal_seeds_order() -> str:
    equals("one seed", interval([7.0], 90), {"value": 7.0, "half_width": None})
    equals("equal seeds", interval([7.0] * 5, 90), {"value": 7.0, "half_width": 0.0})
    big = [1e16, 1.0, -1e16]
    orders = (big, big[::-1], [1.0, 1e16, -1e16])
    equals("the order", {interval(values, 90)["value"] for values in orders}, {1 / 3})
    return "one seed, equal seeds, any order"


def check_differences_of_two() -> None:
    """Welch's: of 0, 2 and of 10, 12 the variances of both means are 1, which leaves 2 degrees of freedom."""
    got = difference([10.0, 12.0], [0.0, 2.0], 95)
    near("difference", got["value"], 10, 1e-12)
    near("in percent", got["percent"], 1000, 1e-9)
    near("its half width", got["half_width"], 4.303 * sqrt(2), 0.001)
    equals("one seed", difference([3.0], [1.0, 2.0], 95)["half_width"], None)
    equals("equal seeds", difference([3.0] * 2, [1.0] * 2, 95)["half_width"], 0.0)
    equals("nothing", difference([], [1.0], 95)["value"], None)


def check_gain_over_another_cell() -> str:
    got = gain([110.0, 120.0], [100.0, 100.0], 90)
    near("gain", got["value"], 15, 1e-9)
    near("its half width", got["half_width"], 5 * 6.314, 0.01)
    # What a seed does to both runs widens nothing.
    paired = gain([11.0, 22.0, 44.0], [10.0, 20.0, 40.0], 90)
    near("gain of pairs", paired["value"], 10, 1e-9)
    near("half width of pairs", paired["half_width"], 0, 1e-9)
    equals("gain over nothing", gain([1.0, 2.0], [0.0, 0.0], 90), {"value": None, "half_width": None})
    near("a loss", gain([30.0], [40.0], 90)["value"], -25, 1e-9)
    refused("a gain needs the same seeds: 1 and 2", lambda: gain([1.0], [1.0, 2.0], 90))
    return "five gains"
