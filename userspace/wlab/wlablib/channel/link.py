# SPDX-License-Identifier: GPL-2.0
"""The small scale: fading, CQI that is late, and the share of blocks that are lost for it."""

import math
from dataclasses import dataclass
from typing import Any

from ..lib.packages import package
from .plan import Plan, User
from .radio import Array, draws
from .tables import Carrier

np = package("numpy", "channel")

# TS 36.104 table B.2-1 to -3: delays in ns, powers in dB.
TAPS = {
    "flat": ([0], [0.0]),
    "epa": ([0, 30, 70, 90, 110, 190, 410], [0.0, -1, -2, -3, -8, -17.2, -20.8]),
    "eva": (
        [0, 30, 150, 310, 370, 710, 1090, 1730, 2510],
        [0.0, -1.5, -1.4, -3.6, -0.6, -9.1, -7, -12, -16.9],
    ),
    "etu": ([0, 50, 120, 200, 230, 500, 1600, 2300, 5000], [-1.0, -1, -1, 0, 0, 0, -3, -5, -7]),
}
SINES = 16
SUBBANDS = 9
SPEED_OF_LIGHT = 299_792_458
# From 90 % of blocks lost to 10 % within 1 dB.
STEEPNESS = math.log(81)


class Fading:
    """Power of a Rayleigh channel by time and subband, 1 in the mean.

    Each tap is a sum of sines whose angles of arrival are spread evenly, so that its autocorrelation
    is Jakes' J0(2 pi f t) (Zheng, Xiao: IEEE Trans. Commun. 51(6), 2003).
    """

    def __init__(self, plan: Plan, user: User) -> None:
        delays_ns, powers_db = TAPS[plan.model]
        drawn = draws(plan.seed, f"{user.name}.fading")
        power = 10 ** (np.array(powers_db) / 10)
        shape = (len(delays_ns), SINES)
        spread = 2 * math.pi * (np.arange(SINES) + drawn.uniform(-0.5, 0.5, (shape[0], 1))) / SINES
        doppler_hz = user.speed_mps * plan.radio["carrier_mhz"] * 1e6 / SPEED_OF_LIGHT
        self.turns_hz = doppler_hz * np.cos(spread)
        self.phase = drawn.uniform(0, 2 * math.pi, shape)
        self.scale = np.sqrt(power / power.sum() / SINES)
        at_hz = (np.arange(SUBBANDS) + 0.5) / SUBBANDS * plan.carrier.band_hz
        self.of_subband = np.exp(-2j * math.pi * np.array(delays_ns)[:, None] * 1e-9 * at_hz[None, :])

    def taps(self, at_s: Array) -> Array:
        """By time and tap."""
        waves = np.exp(1j * (2 * math.pi * self.turns_hz * at_s[:, None, None] + self.phase))
        return waves.sum(axis=2) * self.scale

    def power(self, at_s: Array) -> Array:
        return np.abs(self.taps(at_s) @ self.of_subband) ** 2


def effective_db(carrier: Carrier, sinr: Array) -> Array:
    """What a channel that is the same in all subbands would need for as many bits."""
    gap = 10 ** (carrier.gap_db / 10)
    bits = np.log2(1 + sinr / gap).mean(axis=1)
    return 10 * np.log10(np.maximum(2**bits - 1, 1e-12)) + carrier.gap_db


def bler(carrier: Carrier, mcs: Array, sinr_db: Array) -> Array:
    """Of a first transmission: one block in ten at what its MCS needs."""
    needed_db = np.array([carrier.needed_db(carrier.efficiency(m)) for m in range(len(carrier.sizes))])
    over = np.clip((sinr_db - needed_db[mcs]) * STEEPNESS, -700, 700)
    return 1 / (1 + 9 * np.exp(over))


@dataclass
class Steps:
    """A user's link from step to step: when, CQI, bit/s (0: out of range) and share of blocks lost."""

    at_ns: Array
    cqi: Array
    rate_bps: Array
    bler: Array
    # By CQI period: of the serving cell, without fading; None where nobody knows it.
    sinr_db: Array | None


def adapt(plan: Plan, user: User, sinr_db: Array) -> Steps:
    """A step each time that a CQI reaches the scheduler, which is a delay after it was measured."""
    carrier, radio = plan.carrier, plan.radio
    period_ns, tti_ns = radio["cqi_period"], carrier.tti_ns
    per_step, late = period_ns // tti_ns, radio["cqi_delay"] // tti_ns
    # Who was measured without a speed has its fading in the measurement.
    fades = plan.model != "none" and (user.file is None or user.speed_mps > 0)
    fading = Fading(plan, user) if fades else None
    parts = []
    for first in range(0, len(sinr_db), 25):
        some = np.repeat(10 ** (sinr_db[first : first + 25] / 10), per_step)[:, None]
        at_s = (first * per_step + np.arange(len(some))) * tti_ns / 1e9
        parts.append(effective_db(carrier, some * fading.power(at_s) if fading else some))
    each = np.concatenate(parts)
    measured = np.searchsorted(np.array(carrier.cqi_db), each[::per_step], side="right")
    # The first is known from the start.
    used = measured[np.maximum(np.arange(len(each)) - late, 0) // per_step]
    mcs = np.array([0, *carrier.mcs_of_cqi])[used]
    lost = bler(carrier, mcs, each)
    starts = np.unique(np.concatenate([[0], np.arange(late, len(each), per_step)]))
    starts = starts[starts < len(each)]
    share = np.add.reduceat(lost, starts) / np.diff(np.append(starts, len(each)))
    cqi = used[starts]
    rates = np.array([0, *(carrier.rate_bps(m) for m in carrier.mcs_of_cqi)])
    return Steps(starts * tti_ns, cqi, rates[cqi], share, sinr_db)


def summary(steps: Steps, duration_ns: int) -> dict[str, Any]:
    """Means over time, of BLER over the time with a rate."""
    lasts = np.diff(np.append(steps.at_ns, duration_ns)) / 1e9
    on = lasts * (steps.rate_bps > 0)
    return {
        "sinr_db": None if steps.sinr_db is None else round(float(steps.sinr_db.mean()), 3),
        "rate_bps": round(float((steps.rate_bps * lasts).sum() / lasts.sum())),
        "bler": round(float((steps.bler * on).sum() / on.sum()), 5) if on.sum() else None,
        "outage": round(float(1 - on.sum() / lasts.sum()), 5),
    }
