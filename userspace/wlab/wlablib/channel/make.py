# SPDX-License-Identifier: GPL-2.0
"""From a plan to files: a schedule for each stay of a user in a cell, a scenario, a summary."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..lib.files import write_file
from ..lib.packages import package
from ..lib.paths import LabError
from ..lib.units import as_time
from . import link, measured, radio
from .link import Steps
from .plan import Plan, User
from .radio import Array
from .tables import Carrier

np = package("numpy", "channel")


@dataclass
class Track:
    """A user from beginning to end; `stays`: from when on it is in which cell."""

    name: str
    steps: Steps
    stays: list[tuple[int, str]]
    path: Array | None = None


@dataclass
class Made:
    """All users, and the cells that they are in, or that there are."""

    plan: Plan
    tracks: list[Track]
    cells: list[str]

    def visited(self) -> list[str]:
        """Each at some time."""
        return [c for c in self.cells if any(c == cell for t in self.tracks for _, cell in t.stays)]


def stays_of(at_ns: list[int], cells: list[str]) -> list[tuple[int, str]]:
    return [(at, c) for i, (at, c) in enumerate(zip(at_ns, cells)) if not i or cells[i - 1] != c]


def walked(plan: Plan, user: User, area: radio.Area) -> Track:
    """By geometry."""
    period_ns = plan.radio["cqi_period"]
    count = -(-plan.duration_ns // period_ns)
    path = radio.walk(plan, user, area, count)
    sites = [*area.inner, *area.outer]
    dbm = radio.received_dbm(plan, path, sites, radio.shadowing(plan, user, path, len(sites)))
    rsrp = radio.rsrp_of(plan, dbm)[:, : len(area.inner)]
    serving = radio.serving_cells(rsrp, plan.handover, period_ns)
    radio.in_a_cell(plan, user, rsrp, serving)
    sinr = radio.sinr_db(plan, dbm, serving)
    at_ns = [i * period_ns for i in range(count)]
    stays = stays_of(at_ns, [f"cell-{cell + 1}" for cell in serving])
    return Track(user.name, link.adapt(plan, user, sinr), stays, path)


def rate_of(carrier: Carrier, kind: str, value: float) -> int:
    """What a measured rate, MCS or CQI stands for."""
    if kind == "rate":
        return round(value)
    if kind == "mcs":
        return carrier.rate_bps(int(value))
    return carrier.rate_bps(carrier.mcs_of_cqi[int(value) - 1]) if value else 0


def drove(plan: Plan, user: User) -> Track:
    """By a file."""
    have = measured.read(plan, user)
    carrier, period_ns = plan.carrier, plan.radio["cqi_period"]
    value, at_ns = np.array(have.value), np.array(have.at_ns)
    stays = stays_of(have.at_ns, have.cell)
    grid = np.arange(-(-plan.duration_ns // period_ns)) * period_ns
    held = value[np.searchsorted(at_ns, grid, side="right") - 1]
    if have.kind in ("sinr", "rsrp"):
        if have.kind == "rsrp":
            per_element_dbm = radio.rsrp_of(plan, radio.noise_dbm(plan)) + user.rise_db
            held = held - per_element_dbm
        return Track(user.name, link.adapt(plan, user, held), stays)
    rates = np.array([rate_of(carrier, have.kind, one) for one in have.value])
    cqi = value.astype(int) if have.kind == "cqi" else np.zeros(len(value), dtype=int)
    return Track(user.name, Steps(at_ns, cqi, rates, np.array(have.bler), None), stays)


def make(plan: Plan, told: Callable[[int, int], None]) -> Made:
    """All users; `told` hears how many are done."""
    area = radio.Area(plan)
    tracks = []
    for i, user in enumerate(plan.users):
        tracks.append(drove(plan, user) if user.file else walked(plan, user, area))
        told(i + 1, len(plan.users))
    named = [f"cell-{i + 1}" for i in range(len(area.inner))] if any(not u.file for u in plan.users) else []
    return Made(plan, tracks, list(dict.fromkeys([*named, *(c for t in tracks for _, c in t.stays)])))


def schedule(track: Track, stay: int, duration_ns: int) -> str:
    """Of one stay, from its beginning on; its last values hold."""
    steps = track.steps
    first_ns = track.stays[stay][0]
    last_ns = track.stays[stay + 1][0] if stay + 1 < len(track.stays) else duration_ns
    out = ["wlink schedule", "columns rate bler", f"length {as_time(last_ns - first_ns)}", "end hold"]
    before = ""
    for i in range(max(0, int(np.searchsorted(steps.at_ns, first_ns, side="right")) - 1), len(steps.at_ns)):
        at_ns = max(int(steps.at_ns[i]), first_ns) - first_ns
        if at_ns >= last_ns - first_ns:
            break
        rate = int(steps.rate_bps[i])
        values = f"{rate}bit {steps.bler[i]:.4f}" if rate else "0 -"
        if values != before:
            out.append(f"{as_time(at_ns)} {values}")
        before = values
    return "\n".join(out) + "\n"


def file_of(track: Track, stay: int) -> str:
    return f"{track.name}.{stay + 1}.schedule"


def moves(made: Made) -> list[dict[str, Any]]:
    """[[at]] of the scenario, in the order of time."""
    said = made.plan.handover["said"]
    how = {"interruption": said["interruption"], "queue": said["queue"]}
    if said["failure"]:
        how |= {"failure": said["failure"], "reestablishment": said["reestablishment"]}
    out = [
        (at_ns, track.name, {"move": track.name, "to": cell, **how, "trace": file_of(track, i + 1)})
        for track in made.tracks
        for i, (at_ns, cell) in enumerate(track.stays[1:])
    ]
    return [{"time": as_time(at_ns), **one} for at_ns, _, one in sorted(out, key=lambda o: o[:2])]


def scenario(made: Made) -> dict[str, Any]:
    """One that `wlab run` plays: a server, the cells, a download for each user."""
    carrier = made.plan.carrier
    rtt = "8ms" if carrier.system == "lte" else "4ms"
    words = (
        f"rate {carrier.most_bps}bit tti {as_time(carrier.tti_ns)} delay 5ms limit 2mb sched pf"
        f" harq {8 if carrier.system == 'lte' else 16} harq_rtt {rtt}"
    )
    cells = {}
    for cell in made.visited():
        mine = {t.name: file_of(t, 0) for t in made.tracks if t.stays[0][1] == cell}
        cells[cell] = {"at": f"site-{cell}", "users": list(mine), "down": words, "up": words, "traces": mine}
    return {
        "name": made.plan.name,
        "duration": as_time(made.plan.duration_ns),
        "seed": made.plan.seed,
        "node": {"server": {}} | {f"site-{c}": {} for c in cells} | {t.name: {} for t in made.tracks},
        "link": {
            f"core-{i + 1}": {"between": ["server", f"site-{c}"], "wlink": "rate 1gbit delay 10ms"}
            for i, c in enumerate(cells)
        },
        "cell": cells,
        "flow": [
            {"name": f"to-{t.name}", "kind": "tcp", "from": "server", "to": t.name} for t in made.tracks
        ],
        "at": moves(made),
    }


def summary(made: Made) -> dict[str, Any]:
    """What --json prints."""
    carrier = made.plan.carrier
    return {
        "name": made.plan.name,
        "seed": made.plan.seed,
        "duration_ns": made.plan.duration_ns,
        "most_bps": carrier.most_bps,
        "users": {
            track.name: {
                **link.summary(track.steps, made.plan.duration_ns),
                "cells": [{"time_s": at_ns / 1e9, "cell": cell} for at_ns, cell in track.stays],
                "schedules": [file_of(track, i) for i in range(len(track.stays))],
            }
            for track in made.tracks
        },
    }


def write(made: Made, out: Path, force: bool) -> None:
    """Into a folder of its own."""
    if out.exists() and any(out.iterdir()):
        if not force or not (out / "channel.json").exists():
            raise LabError(f"{out} has something in it; --force replaces an older channel, or say --out")
        for old in [*out.glob("*.schedule"), *out.glob("*.png")]:
            old.unlink()
    out.mkdir(parents=True, exist_ok=True)
    for track in made.tracks:
        for i in range(len(track.stays)):
            write_file(out / file_of(track, i), schedule(track, i, made.plan.duration_ns))
    write_file(out / "scenario.toml", package("tomli_w", "channel").dumps(scenario(made)))
    write_file(out / "channel.json", json.dumps(summary(made), indent=1) + "\n")


def as_text(made: Made) -> str:
    """What a person wants to see first."""
    have = summary(made)
    lines = [f"{have['name']}, seed {have['seed']}; at most {have['most_bps'] / 1e6:.3f} Mbit/s"]
    lines.append(f"{'user':<14}{'SINR dB':>9}{'Mbit/s':>9}{'BLER':>8}{'outage':>8}  cells")
    for name, one in have["users"].items():
        sinr = "-" if one["sinr_db"] is None else f"{one['sinr_db']:.1f}"
        share = "-" if one["bler"] is None else f"{one['bler']:.3f}"
        cells = " ".join(stay["cell"] for stay in one["cells"])
        figures = f"{sinr:>9}{one['rate_bps'] / 1e6:>9.3f}{share:>8}{one['outage']:>8.3f}"
        lines.append(f"{name:<14}{figures}  {cells}")
    return "\n".join(lines)
