# SPDX-License-Identifier: GPL-2.0
"""What is asserted of a run: FIGURE < VALUE, by figures that wlab compare and export have."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from operator import ge, gt, le, lt

from ..lib.paths import LabError
from ..lib.units import A_RATE, A_TIME, RATE, TIME, BadValue, near, quantity
from .link import Way

SIGNS = {"<=": le, ">=": ge, "<": lt, ">": gt}
FORM = re.compile(r"\s*(?:(down|up)\.)?([a-z0-9_()]+)\s*(<=|>=|<|>)\s*([0-9.]+)\s*([a-z%]*)\s*")
# As they are typed, and the figure and kind of value of each.
NAMES = {
    **{form: (f"delay_p{p}_s", "time") for p in (50, 95, 99) for form in (f"p{p}(delay)", f"delay_p{p}_s")},
    "throughput": ("throughput_bps", "rate"),
    "throughput_bps": ("throughput_bps", "rate"),
    "loss": ("loss", "share"),
}


@dataclass(frozen=True)
class Assertion:
    """Of one direction."""

    text: str
    way: str
    figure: str
    sign: str
    bound: float

    def judge(self, ways: Mapping[str, Way]) -> tuple[bool, str]:
        """Whether it holds, and a sentence. Over nothing it does not."""
        way = ways[self.way]
        delays = {f"delay_p{p}_s": getattr(way.delay, f"p{p}") for p in (50, 95, 99)}
        value: float | None = {**delays, "throughput_bps": way.throughput_bps, "loss": way.loss}[self.figure]
        if value is None:
            return False, f"{self.text}: does not hold: there is no {self.figure} of the {self.way}link"
        good = bool(SIGNS[self.sign](value, self.bound))
        return good, f"{self.text}: {'holds' if good else 'does not hold'}: {self.figure} is {value:.6g}"


def read(text: str) -> Assertion:
    """p95(delay) < 300ms, up.throughput >= 1mbit, loss < 1%; of the downlink where none is named."""
    found = FORM.fullmatch(text)
    if not found:
        raise LabError(f"--assert '{text}' is not FIGURE < VALUE, as in 'p95(delay) < 300ms'")
    way, name, sign, number, unit = found.groups()
    if name not in NAMES:
        raise LabError(f"--assert '{text}': no figure '{name}'; {near(name, [*NAMES])}")
    figure, kind = NAMES[name]
    try:
        if kind == "share":
            if unit not in ("", "%"):
                raise BadValue(f"'{unit}' is not %")
            bound = float(number) / (100 if unit else 1)
        elif kind == "time" and not unit and name == figure:
            bound = float(number)
        elif kind == "time":
            bound = quantity(number + unit, TIME, *A_TIME) / 1e9
        else:
            bound = quantity(number + unit, RATE, *A_RATE)
    except ValueError as error:
        raise LabError(f"--assert '{text}': {error}") from None
    return Assertion(text, way or "down", figure, sign, bound)
