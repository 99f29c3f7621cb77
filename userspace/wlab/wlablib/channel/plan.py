# SPDX-License-Identifier: GPL-2.0
"""What `wlab channel` is told: a TOML file, see wlab-channel(1)."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..lib.keys import Table, name, one_of, real, table_of, tables_named, text, whole
from ..lib.kinds import Kind, kind, list_of
from ..lib.paths import LabError
from ..lib.units import BadValue, as_time, time_ns
from ..scenario.events import QUEUES, read_gap
from .tables import Carrier

RINGS_MAX = 5
USERS_MAX = 500
DURATION_MAX_NS = 10**12

Point = tuple[float, float]


@kind(type="array", items={"type": "number"}, minItems=2, maxItems=2)
def point(value: object) -> Point:
    """Metres east and north."""
    if not isinstance(value, list) or len(value) != 2:
        raise BadValue(f"{value!r} is not two numbers of metres, as in [250, 0]")
    return METRES(value[0]), METRES(value[1])


points = list_of(point, "{0!r} is not a list of points, as in [[0, 0], [500, 0]]", 1)


@kind(enum=[15, 30])
def spacing(value: object) -> int:
    if value not in (15, 30):
        raise BadValue(f"{value!r} is neither 15 nor 30")
    return int(str(value))


METRES = real(-1e6, 1e6)
DB = real(-200, 200)


def of_keys(**keys: tuple[Kind[Any], Any]) -> Table:
    """The table of a part: the kind of each key, and its default, None without one."""
    defaults = {key: default for key, (_, default) in keys.items() if default is not None}
    return Table({key: kind for key, (kind, _) in keys.items()}, (), defaults)


RADIO = of_keys(
    system=(one_of("lte", "nr"), "lte"),
    bandwidth_mhz=(real(1.4, 100), 10),
    scs_khz=(spacing, 15),
    layers=(whole(1, 4), 1),
    carrier_mhz=(real(100, 7125), 2000),
    power_dbm=(DB, 46),
    gain_db=(DB, 14),
    noise_figure_db=(real(0, 30), 9),
    gap_db=(real(0, 20), 2.6),
    least_rsrp_dbm=(DB, -130),
    cqi_period=(time_ns, "40ms"),
    cqi_delay=(time_ns, "8ms"),
)
SITES = of_keys(
    distance_m=(real(10, 1e5), 500),
    rings=(whole(0, RINGS_MAX), 1),
    outer_rings=(whole(0, RINGS_MAX), 1),
    at=(points, None),
    outer_at=(points, None),
    load=(real(0, 1), 1),
)
LOSS = of_keys(
    at_1km_db=(DB, 128.1),
    slope_db=(real(10, 100), 37.6),
    penetration_db=(real(0, 100), 20),
    shadowing_db=(real(0, 30), 8),
    correlation_m=(real(0.1, 1e4), 50),
    common=(real(0, 1), 0.5),
)
FADING = of_keys(model=(one_of("none", "flat", "epa", "eva", "etu"), "epa"))
USER = of_keys(
    count=(whole(1, USERS_MAX), None),
    at=(point, None),
    to=(point, None),
    speed_kmh=(real(0, 1000), None),
    file=(text, None),
    gap=(time_ns, "5s"),
    rise_db=(real(0, 50), 3),
)
HANDOVER = of_keys(
    offset_db=(real(-15, 15), 3),
    hysteresis_db=(real(0, 15), 0),
    time_to_trigger=(time_ns, "480ms"),
    interruption=(read_gap, "lognormal 50ms 0.5 1s"),
    failure=(real(0, 1), 0),
    reestablishment=(read_gap, "uniform 1s 3s"),
    queue=(one_of(*QUEUES), "forward"),
)
FILE = of_keys(
    name=(name, "channel"),
    seed=(whole(0, (1 << 63) - 1), 1),
    duration=(time_ns, "60s"),
    radio=(table_of(RADIO), None),
    sites=(table_of(SITES), None),
    loss=(table_of(LOSS), None),
    fading=(table_of(FADING), None),
    user=(tables_named(USER), None),
    handover=(table_of(HANDOVER), None),
)
PARTS = {"radio": RADIO, "sites": SITES, "loss": LOSS, "fading": FADING, "handover": HANDOVER}


@dataclass(frozen=True)
class User:
    """One that moves in the plane, or was measured."""

    name: str
    at: Point | None
    to: Point | None
    speed_mps: float
    file: Path | None
    gap_ns: int
    rise_db: float


@dataclass(frozen=True)
class Plan:
    """All of it; the values of a part are by the names of its keys."""

    name: str
    seed: int
    duration_ns: int
    carrier: Carrier
    radio: Mapping[str, Any]
    sites: Mapping[str, Any]
    loss: Mapping[str, Any]
    model: str
    users: list[User]
    # As in the file, for a scenario.
    handover: Mapping[str, Any]


def read_part(key: str, value: object) -> dict[str, Any]:
    table = PARTS[key]
    return table.read({**table.defaults, **value} if isinstance(value, dict) else value, key)


def read_user(called: str, value: object, folder: Path) -> list[User]:
    where = f"user.{called}"
    have = USER.read({**USER.defaults, **value} if isinstance(value, dict) else value, where)
    for other in ("at", "to"):
        if "file" in have and other in have:
            raise LabError(f"{where}.{other}: not with 'file', which has been where it was measured")
    if "to" in have and "at" not in have:
        raise LabError(f"{where}.at is missing: where it starts")
    speed = have.get("speed_kmh", 0 if "file" in have else 3) / 3.6
    file = folder / have["file"] if "file" in have else None
    count = have.get("count")
    names = [called] if count is None else [f"{called}-{i + 1}" for i in range(count)]
    return [
        User(one, have.get("at"), have.get("to"), speed, file, have["gap"], have["rise_db"]) for one in names
    ]


def read(raw: dict[str, Any], folder: Path) -> Plan:
    """Judge all; a LabError names the key that is wrong."""
    top = FILE.read({**FILE.defaults, **raw}, "")
    part = {key: read_part(key, top.get(key, {})) for key in PARTS}
    radio = part["radio"]
    if radio["system"] == "lte" and (radio["scs_khz"] != 15 or radio["layers"] > 2):
        raise LabError("radio: LTE has a spacing of 15 kHz, and 2 layers at most")
    if not 1_000_000 <= radio["cqi_period"] <= 10**9:
        raise LabError(f"radio.cqi_period: {as_time(radio['cqi_period'])} is outside 1ms..1s")
    if radio["cqi_delay"] > 10**9:
        raise LabError(f"radio.cqi_delay: {as_time(radio['cqi_delay'])} is above 1s")
    tti_ns = 15_000_000 // radio["scs_khz"]
    for key in ("cqi_period", "cqi_delay"):
        if radio[key] % tti_ns:
            raise LabError(f"radio.{key}: {as_time(radio[key])} is not a number of TTIs of {as_time(tti_ns)}")
    if not radio["cqi_period"] <= top["duration"] <= DURATION_MAX_NS:
        least = as_time(radio["cqi_period"])
        raise LabError(f"duration: {as_time(top['duration'])} is outside {least}..{as_time(DURATION_MAX_NS)}")
    carrier = Carrier(
        radio["system"], radio["bandwidth_mhz"], radio["scs_khz"], radio["layers"], radio["gap_db"]
    )
    asked = top.get("user", {"ue": {"count": 10}})
    users = [one for key, value in asked.items() for one in read_user(key, value, folder)]
    if not 1 <= len(users) <= USERS_MAX:
        raise LabError(f"user: {len(users)} users are not in 1..{USERS_MAX}")
    for one in users:
        if [u.name for u in users].count(one.name) > 1:
            raise LabError(f"user.{one.name}: two users of this name")
    # Worth a word before all the work.
    _ = carrier.sizes
    said = {**HANDOVER.defaults, **top.get("handover", {})}
    return Plan(
        top["name"], top["seed"], top["duration"], carrier, radio, part["sites"], part["loss"],
        part["fading"]["model"], users, {**part["handover"], "said": said},
    )  # fmt: skip
