# SPDX-License-Identifier: GPL-2.0
"""The large scale: where sites and users are, distance loss, shadowing, interference, A3."""

import math
from collections.abc import Mapping
from typing import Any

from ..lib.packages import package
from ..lib.paths import LabError
from ..scenario.flows import own_seed
from .plan import Plan, Point, User

np = package("numpy", "channel")

LEAST_M = 35
NOISE_DBM_HZ = -174
TRIES = 10_000
# Arrays of numpy, whose types are not told here.
Array = Any


def draws(seed: int, what: str) -> Any:
    """Random numbers of one thing; numpy promises that those of RandomState stay what they are."""
    return np.random.RandomState(own_seed(seed, what) & 0xFFFFFFFF)


def hexagon(rings: int, distance_m: float) -> list[Point]:
    """A centre and so many rings around it, ring by ring."""
    out = []
    for q in range(-rings, rings + 1):
        for r in range(max(-rings, -q - rings), min(rings, rings - q) + 1):
            ring = max(abs(q), abs(r), abs(q + r))
            x, y = distance_m * (q + r / 2), distance_m * r * math.sqrt(3) / 2
            out.append((ring, round(math.atan2(y, x), 6) % (2 * math.pi), (x, y)))
    return [at for _, _, at in sorted(out)]


def layout(sites: Mapping[str, Any]) -> tuple[list[Point], list[Point]]:
    """Sites with users, and those that only interfere."""
    rings, outer = sites["rings"], sites["outer_rings"]
    all_of_them = hexagon(rings + outer, sites["distance_m"])
    inner = 3 * rings * (rings + 1) + 1
    if "at" in sites:
        return sites["at"], sites.get("outer_at", [])
    return all_of_them[:inner], sites.get("outer_at", all_of_them[inner:])


class Area:
    """Where users walk: nearest to a site that has users, and not far from it."""

    def __init__(self, plan: Plan) -> None:
        self.inner, self.outer = layout(plan.sites)
        self.far_m = plan.sites["distance_m"] / math.sqrt(3) if len(self.inner + self.outer) > 1 else 500.0

    def point(self, drawn: Any) -> Point:
        for _ in range(TRIES):
            near = self.inner[drawn.randint(len(self.inner))]
            x, y = drawn.uniform(-self.far_m, self.far_m, 2)
            at = (near[0] + float(x), near[1] + float(y))
            closest = min(self.inner + self.outer, key=lambda site: math.dist(site, at))
            if closest == near and math.dist(near, at) <= self.far_m:
                return at
        raise LabError("sites: no place is nearest to a site with users; put the others elsewhere")


def walk(plan: Plan, user: User, area: Area, count: int) -> Array:
    """Where a user is at each step: on a line, or from one random point to the next."""
    drawn = draws(plan.seed, f"{user.name}.walk")
    step_m = user.speed_mps * plan.radio["cqi_period"] / 1e9
    at = user.at or area.point(drawn)
    to = user.to or (area.point(drawn) if step_m else at)
    out = np.empty((count, 2))
    for i in range(count):
        out[i] = at
        left_m = step_m
        while (whole_m := math.dist(at, to)) <= left_m and (whole_m or not user.to) and step_m:
            at, left_m = to, left_m - whole_m
            if user.to:
                break
            to = area.point(drawn)
        if whole_m := math.dist(at, to):
            share = left_m / whole_m
            at = (at[0] + share * (to[0] - at[0]), at[1] + share * (to[1] - at[1]))
    return out


def shadowing(plan: Plan, user: User, path: Array, sites: int) -> Array:
    """dB by step and site: log-normal, its autocorrelation exp(-distance / correlation_m)."""
    loss = plan.loss
    drawn = draws(plan.seed, f"{user.name}.shadowing")
    own, common = math.sqrt(1 - loss["common"]), math.sqrt(loss["common"])
    moved_m = np.hypot(*np.diff(path, axis=0, prepend=path[:1]).T)
    keep = np.exp(-moved_m / loss["correlation_m"])
    fresh = drawn.standard_normal((len(path), sites + 1))
    state = fresh[0]
    out = np.empty((len(path), sites))
    for i, share in enumerate(keep):
        if i:
            state = share * state + math.sqrt(1 - share * share) * fresh[i]
        out[i] = common * state[0] + own * state[1:]
    return loss["shadowing_db"] * out


def received_dbm(plan: Plan, path: Array, sites: list[Point], shadow_db: Array) -> Array:
    """Power of all resource blocks, by step and site."""
    radio, loss = plan.radio, plan.loss
    away_m = np.hypot(*(path[:, None, :] - np.array(sites)[None, :, :]).transpose(2, 0, 1))
    distance_db = loss["at_1km_db"] + loss["slope_db"] * np.log10(np.maximum(away_m, LEAST_M) / 1000)
    sent_dbm = radio["power_dbm"] + radio["gain_db"] - loss["penetration_db"]
    return sent_dbm - distance_db - shadow_db


def noise_dbm(plan: Plan) -> float:
    return NOISE_DBM_HZ + 10 * math.log10(plan.carrier.band_hz) + float(plan.radio["noise_figure_db"])


def rsrp_of(plan: Plan, dbm: Array) -> Array:
    """Of one resource element."""
    return dbm - 10 * math.log10(12 * plan.carrier.blocks)


def sinr_db(plan: Plan, dbm: Array, serving: Array) -> Array:
    """Of the serving site, at each step."""
    watts = 10 ** (dbm / 10)
    mine = watts[np.arange(len(dbm)), serving]
    others = plan.sites["load"] * (watts.sum(axis=1) - mine)
    return 10 * np.log10(mine / (others + 10 ** (noise_dbm(plan) / 10)))


def serving_cells(rsrp_dbm: Array, handover: Mapping[str, Any], step_ns: int) -> Array:
    """Event A3, TS 36.331 clause 5.5.4.4: a neighbour that is better by offset and hysteresis, and
    never worse than that less the hysteresis, for the time to trigger, is the next cell.
    """
    serving = int(np.argmax(rsrp_dbm[0]))
    since: dict[int, int] = {}
    out = np.empty(len(rsrp_dbm), dtype=int)
    for i, now in enumerate(rsrp_dbm):
        better_db = now - now[serving] - handover["offset_db"]
        for cell, db in enumerate(better_db):
            if cell == serving or db < -handover["hysteresis_db"]:
                since.pop(cell, None)
            elif db > handover["hysteresis_db"]:
                since.setdefault(cell, i)
        ready = [c for c, at in since.items() if (i - at) * step_ns >= handover["time_to_trigger"]]
        if ready:
            serving = max(ready, key=lambda cell: float(now[cell]))
            since.clear()
        out[i] = serving
    return out


def in_a_cell(plan: Plan, user: User, rsrp_dbm: Array, serving: Array) -> None:
    """A LabError for one that no cell reaches when it begins."""
    dbm, least = float(rsrp_dbm[0, serving[0]]), plan.radio["least_rsrp_dbm"]
    if dbm < least:
        raise LabError(
            f"user.{user.name}: in no cell: its strongest, cell-{serving[0] + 1}, has an RSRP of"
            f" {dbm:.1f} dBm at the start, below {least:g}; move it, or the sites"
        )
