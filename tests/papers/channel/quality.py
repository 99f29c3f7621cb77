# SPDX-License-Identifier: GPL-2.0
"""`wlab channel` against closed forms, tables of the specifications and cases done by hand."""

import json
import math
from functools import partial
from pathlib import Path
from typing import Any

from kit import equals, expect, folder, near, refused
from wlablib.channel import link, make, plan, radio, tables
from wlablib.experiment.schema import schema
from wlablib.lib import toml
from wlablib.lib.packages import package
from wlablib.lib.paths import WLAB
from wlablib.scenario.events import read_gap

np: Any = package("numpy", "channel")
HERE = Path()
# One site and an interferer out of reach.
ALONE = {"at": [[0, 0]], "outer_at": [[900_000, 0]]}


def made_plan(**parts: Any) -> plan.Plan:
    return plan.read(parts, HERE)


def plane(**user: Any) -> plan.Plan:
    """Two sites 1 km apart, no shadowing, no fading, one user."""
    return made_plan(
        sites={"at": [[0, 0], [1000, 0]]},
        loss={"shadowing_db": 0},
        fading={"model": "none"},
        user={"u": user},
    )


def check_transport_blocks_of_lte() -> None:
    """TS 36.213 table 7.1.7.2.1-1: values as printed there."""
    printed = {(6, 0): 152, (6, 28): 4392, (15, 10): 2344, (25, 17): 7736,
               (50, 0): 1384, (50, 9): 7992,
               (50, 10): 7992, (50, 28): 36696, (75, 16): 22920, (100, 17): 30576,
               (100, 28): 75376}  # fmt: skip
    for (blocks, mcs), bits in printed.items():
        equals(f"{blocks} blocks, MCS {mcs}", tables.lte_tbs(mcs, blocks), bits)
    for blocks in tables.LTE_TBS:
        sizes = [tables.lte_tbs(mcs, blocks) for mcs in range(29)]
        equals(f"{blocks} blocks grow", sizes, sorted(sizes))
    carrier = tables.Carrier("lte", 10, 15, 1, 2.6)
    # 126 elements x 50 blocks x 2.7305 are 17202 bits: I_TBS 16 with 16416, not 17 with 18336.
    equals("CQI 10", carrier.rate_bps(carrier.mcs_of_cqi[9]), 16_416_000)
    equals("two layers", tables.Carrier("lte", 10, 15, 2, 2.6).most_bps, 2 * 36_696_000)


def check_transport_blocks_of_nr() -> None:
    """TS 38.214 clause 5.1.3.2 by hand, one case of each branch."""
    # 132 x 1 x 2 x 120/1024 = 30.94: n = 3, 24.
    equals("the least", tables.nr_tbs(132, 1, 2, 120, 1), 24)
    # 156 x 10 x 2 x 449/1024 = 1368.05: n = 4, 85 x 16 = 1360, in the table 1416.
    equals("of the table", tables.nr_tbs(156, 10, 2, 449, 1), 1416)
    # 156 x 60 x 2 x 120/1024 = 2193.75: n = 5, 68 x 32 = 2176, in the table 2216.
    equals("elements above 156", tables.nr_tbs(160, 60, 2, 120, 1), 2216)
    # 156 x 100 x 2 x 193/1024 = 5880.47: n = 7, 46 x 128 = 5888, R <= 1/4: C = 2, 16 x 370 - 24.
    equals("a low rate", tables.nr_tbs(156, 100, 2, 193, 1), 5896)
    # 132 x 106 x 6 x 772/1024 = 63292.2: n = 10, 62 x 1024 = 63488, C = 8, 64 x 993 - 24.
    equals("several code blocks", tables.nr_tbs(132, 106, 6, 772, 1), 63528)
    # 156 x 20 x 2 x 602/1024 = 3668.4 of the table; of 25 blocks 4585.5: n = 7, 36 x 128 = 4608.
    equals("one code block", tables.nr_tbs(156, 25, 2, 602, 1), 4608)
    carrier = tables.Carrier("nr", 40, 30, 1, 2.6)
    equals("a slot is half a ms", carrier.rate_bps(0), 2000 * carrier.sizes[0])


def check_what_a_cqi_needs() -> None:
    """Shannon and a gap; the AWGN thresholds of the Vienna LTE simulators at 10 % are the oracle."""
    vienna = [-6.936, -5.147, -3.18, -1.253, 0.761, 2.699, 4.694, 6.525, 8.573, 10.366, 12.289, 14.173,
              15.888, 17.814, 19.829]  # fmt: skip
    carrier = tables.Carrier("lte", 10, 15, 1, 2.6)
    for i, (ours, theirs) in enumerate(zip(carrier.cqi_db, vienna)):
        near(f"CQI {i + 1}", ours, theirs, 1.1)
    # log2(1 + 1) = 1 bit at 0 dB and the gap.
    near("a bit", carrier.needed_db(1), 2.6, 1e-9)
    needed = carrier.needed_db(carrier.efficiency(10))
    share = link.bler(carrier, np.array([10, 10, 10]), np.array([needed, needed - 1, needed + 20]))
    near("one in ten", float(share[0]), 0.1, 1e-9)
    near("1 dB below", float(share[1]), 0.9, 1e-9)
    expect(float(share[2]) < 1e-9, "far above none are lost")


def check_sinr_by_hand() -> None:
    """250 m from one site and 750 m from the other, as calculated by hand."""
    it = plane(at=[250, 0], speed_kmh=0)
    area = radio.Area(it)
    path = radio.walk(it, it.users[0], area, 2)
    dbm = radio.received_dbm(it, path, area.inner, np.zeros((2, 2)))
    # 46 + 14 - 20 - (128.1 + 37.6 log10(0.25)) and the same of 0.75.
    near("from the first", float(dbm[0, 0]), -65.463, 1e-3)
    near("from the second", float(dbm[0, 1]), -83.403, 1e-3)
    # -174 + 10 log10(9 MHz) + 9.
    near("noise", radio.noise_dbm(it), -95.458, 1e-3)
    near("RSRP", float(radio.rsrp_of(it, dbm)[0, 0]), -65.463 - 27.782, 1e-3)
    near("SINR", float(radio.sinr_db(it, dbm, np.array([0, 0]))[0]), 17.679, 2e-3)
    half = plan.read({"sites": {"at": [[0, 0], [1000, 0]], "load": 0}}, HERE)
    near("without load", float(radio.sinr_db(half, dbm, np.array([0, 0]))[0]), 95.458 - 65.463, 1e-3)


def check_layout_and_walk() -> None:
    """Seven sites, a ring of twelve outside; a user walks among the seven at its speed."""
    it = made_plan(user={"u": {"speed_kmh": 3.6}}, duration="300s")
    area = radio.Area(it)
    equals("sites", (len(area.inner), len(area.outer)), (7, 12))
    for site in area.inner[1:]:
        near("a ring", math.dist((0, 0), site), 500, 1e-6)
    path = radio.walk(it, it.users[0], area, 7500)
    steps_m = np.hypot(*np.diff(path, axis=0).T)
    expect(float(steps_m.max()) < 0.04 + 1e-9, f"a step of {steps_m.max()} m in 40 ms at 1 m/s")
    near("most steps are whole", float(np.median(steps_m)), 0.04, 1e-9)


def check_shadowing() -> None:
    """Standard deviation, exp(-d/50 m), and half of the variance in common."""
    it = made_plan(user={"u": {"at": [0, 0], "to": [0, 1e6], "speed_kmh": 900}})
    path = np.stack([np.zeros(200_000), np.arange(200_000) * 10.0], axis=1)
    db = radio.shadowing(it, it.users[0], path, 2)
    # 2000 km are 20000 independent samples, so its standard error is 0.5 %.
    near("deviation", float(db.std()), 8, 0.2)
    for steps in (1, 5, 10):
        got = float((db[steps:] * db[:-steps]).mean() / (db**2).mean())
        near(f"after {10 * steps} m", got, math.exp(-10 * steps / 50), 0.03)
    near("between sites", float(np.corrcoef(db.T)[0, 1]), 0.5, 0.03)


def check_fading() -> None:
    """Mean power 1, exponential, autocorrelation J0 of Doppler frequency and time."""
    bessel = {0.0: 1.0, 0.5: 0.9385, 1.0: 0.7652, 2.0: 0.2239, 2.405: 0.0, 3.8317: -0.4028, 5.0: -0.1776}
    at = {"at": [0, 0], "to": [0, 1e6], "speed_kmh": 30}
    doppler_hz = 30 / 3.6 * 2e9 / 299792458
    at_s = np.array([x / (2 * math.pi * doppler_hz) for x in bessel])
    sums = np.zeros(len(at_s), dtype=complex)
    power = []
    for seed in range(4000):
        it = made_plan(seed=seed, user={"u": at}, fading={"model": "flat"}, sites=ALONE)
        taps = link.Fading(it, it.users[0]).taps(at_s)[:, 0]
        sums += taps * np.conj(taps[0])
        power.append(abs(taps[0]) ** 2)
    for got, (x, wanted) in zip(sums / 4000, bessel.items()):
        near(f"J0({x})", float(got.real), wanted, 0.05)
    # Of an exponential distribution; its standard error here is 0.8 %.
    near("below a tenth of the mean", float(np.mean(np.array(power) < 0.1)), 1 - math.exp(-0.1), 0.02)
    it = made_plan(user={"u": at}, fading={"model": "etu"}, sites=ALONE)
    mean = float(link.Fading(it, it.users[0]).power(np.arange(20000) * 0.05).mean())
    near("mean power of ETU", mean, 1, 0.1)


def a3(db: list[float], **how: Any) -> list[int]:
    """The serving cell, where the second is better by so much at each 100 ms."""
    given = {"offset_db": 3, "hysteresis_db": 1, "time_to_trigger": 300_000_000, **how}
    rsrp = np.array([[-90.0, -90.0 + one] for one in db])
    return [int(cell) for cell in radio.serving_cells(rsrp, given, 100_000_000)]


def check_event_a3() -> None:
    """Above 4 dB for 300 ms; between 2 and 4 dB it neither enters nor leaves; times by hand."""
    equals("at the fourth sample", a3([-5, 5, 5, 5, 5, 5]), [0, 0, 0, 0, 1, 1])
    equals("4 dB are not above 4", a3([-5, 4, 4, 4, 4, 4]), [0] * 6)
    equals("within the hysteresis", a3([-5, 5, 2.5, 2.5, 2.5, 2.5]), [0, 0, 0, 0, 1, 1])
    equals("it begins anew below 2", a3([-5, 5, 5, 1.9, 5, 5, 5, 5]), [0, 0, 0, 0, 0, 0, 0, 1])
    equals("at once", a3([-5, 5, 5], time_to_trigger=0), [0, 1, 1])
    equals("back", a3([-5, 5, -5, -5, -5], time_to_trigger=0), [0, 1, 0, 0, 0])
    # A line: 3 dB more by distance alone, x with 37.6 log10(x / (1000 - x)) = 3, is 545.8 m.
    it = plane(at=[400, 0], to=[700, 0], speed_kmh=36)
    track = make.walked(it, it.users[0], radio.Area(it))
    near("on a line", track.stays[1][0] / 1e9, 14.58 + 0.48, 0.081)


def check_late_cqi() -> None:
    """Who stands loses one in ten at most; the faster, the more, with the same mean SINR."""
    shares = []
    for kmh in (0.0001, 1, 3, 10):
        it = made_plan(user={"u": {"speed_kmh": kmh}}, fading={"model": "flat"}, duration="40s")
        steps = link.adapt(it, it.users[0], np.full(1000, 12.0))
        shares.append(link.summary(steps, it.duration_ns)["bler"])
    expect(shares[0] <= 0.1, f"who stands: {shares[0]}")
    expect(shares == sorted(shares) and shares[-1] > 3 * 0.1, f"by speed: {shares}")
    it = made_plan(user={"u": {}}, fading={"model": "none"}, duration="1s")
    steps = link.adapt(it, it.users[0], np.repeat([15.0, 0.0], 13)[:25])
    # The 14th CQI, of 520 ms, is used from 528 ms on; for 8 ms all is lost.
    at = list(steps.at_ns)
    equals("CQI before and after", [steps.cqi[at.index(ms * 10**6)] for ms in (488, 528)], [12, 4])
    near("lost in 8 ms of 40", float(steps.bler[at.index(488_000_000)]), 0.2, 0.08)


def made_in(where: Path, text: str) -> make.Made:
    (where / "drive.csv").write_text(text)
    user = {"file": "drive.csv"}
    it = plan.read({"user": {"car": user}, "duration": "4s", "name": "d"}, where)
    return make.make(it, lambda done, count: None)


def check_drive_tests(where: Path) -> None:
    """CSV of CQI, SINR, MCS and rate."""
    made = made_in(where, "time_s,CQI,cell\n10,10,a\n11,0,a\n12,15,b\n13,15,b\n")
    first = make.schedule(made.tracks[0], 0, made.plan.duration_ns)
    equals("CQI", first, "wlink schedule\ncolumns rate bler\nlength 2s\nend hold\n"
           "0s 16416000bit 0.1000\n1s 0 -\n")  # fmt: skip
    equals("cells", made.tracks[0].stays, [(0, "a"), (2_000_000_000, "b")])
    equals("moves", [m["to"] for m in make.moves(made)], ["b"])
    made = made_in(where, "time,SINR (dB)\n0,20\n2,5\n")
    equals("SINR", [int(made.tracks[0].steps.cqi[i]) for i in (0, -1)], [15, 6])
    made = made_in(where, "time,rate,bler\n0,5mbit,0.02\n2,1000000,0.5\n")
    equals("rate", list(made.tracks[0].steps.rate_bps), [5_000_000, 1_000_000])
    # -95 dBm - (-174 + 10 log10(15000) + 9 + 3) of an element = 25.24 dB.
    made = made_in(where, "time,rsrp\n0,-95\n2,-95\n")
    sinr_db = made.tracks[0].steps.sinr_db
    near("RSRP", float(sinr_db[0]) if sinr_db is not None else None, 25.239, 1e-2)


BAD_ROWS = {
    "time,sinr\n0,5\n1,\n": ":3: sinr: there is no value, a hole",
    "time,sinr\n0,5\n9,5\n": ":3: a hole of 9s, more than 5s",
    "time,sinr\n0,5\n2,5\n1,5\n": ":4: time runs back: 1 s is not after",
    "time,sinr\n0,5\n0,5\n": ":3: time runs back",
    "time,sinr\n0,nan\n": ":2: sinr: 'nan' is not a number",
    "time,cqi\n0,16\n": ":2: cqi: 16 is outside 0..15",
    "time,mcs\n0,2.5\n": ":2: mcs: 2.5 is not a whole number",
    "time,rate\n0,40mbit\n": ":2: rate: 40000000 bit/s are more than the 10 MHz carry, 36696000",
    "time,cqi,cell\n0,5,\n": ":2: in no cell: ''",
    "time,delay\n0,5\n": ":1: its first line names no column 'time' and one of sinr",
    "time_ms,sinr\n0,5\n": ":1: 'time_ms' is in ms; time is in s",
    "time,sinr\n": "it has no rows",
    "": "its first line names no column",
}
BAD_PLANS: dict[str, dict[str, Any]] = {
    "user.u: in no cell: its strongest, cell-2, has an RSRP of": {"user": {"u": {"at": [90_000, 0]}}},
    "radio.bandwidth_mhz: lte has no 7 MHz; there is: 1.4": {"radio": {"bandwidth_mhz": 7}},
    "radio.scs_khz: 60 is neither 15 nor 30": {"radio": {"scs_khz": 60}},
    "radio: LTE has a spacing of 15 kHz": {"radio": {"scs_khz": 30}},
    "radio.cqi_delay: 1500us is not a number of TTIs": {"radio": {"cqi_delay": "1500us"}},
    "radio.power: unknown key; did you mean 'power_dbm'?": {"radio": {"power": 3}},
    "user.u.at is missing": {"user": {"u": {"to": [0, 0]}}},
    "user.u.at: not with 'file'": {"user": {"u": {"at": [0, 0], "file": "x"}}},
    "loss.shadowing_db: 99 is not a number in 0..30": {"loss": {"shadowing_db": 99}},
    "handover.interruption: 'log' is": {"handover": {"interruption": "log"}},
    "user.a-1: two users of this name": {"user": {"a": {"count": 1}, "a-1": {}}},
    "duration: 5ms is outside": {"duration": "5ms"},
}


def planned(raw: dict[str, Any]) -> make.Made:
    return make.make(plan.read(raw, HERE), lambda done, count: None)


def check_bad_input() -> None:
    for text, words in BAD_ROWS.items():
        with folder() as where:
            refused(words, partial(made_in, where, text))
    for words, raw in BAD_PLANS.items():
        refused(words, partial(planned, raw))
    refused("lognormal", lambda: plan.read({"handover": {"interruption": "lognormal 50ms 9 1s"}}, HERE))


def check_one_seed_the_same_bytes(where: Path) -> None:
    """A seed is a folder of files, to the byte; another seed is another."""
    for out, seed in (("a", 7), ("b", 7), ("c", 8)):
        two = {"u": {"count": 2, "speed_kmh": 60}}
        it = plan.read({"seed": seed, "duration": "10s", "user": two}, where)
        make.write(make.make(it, lambda done, count: None), where / out, False)
    some = {out: {p.name: p.read_bytes() for p in (where / out).iterdir()} for out in "abc"}
    equals("the same", some["a"], some["b"])
    expect(some["a"]["u-1.1.schedule"] != some["c"]["u-1.1.schedule"], "another seed changes nothing")
    equals("summary", json.loads(some["a"]["channel.json"])["seed"], 7)


def check_schema() -> None:
    """The example is what the schema and the reader take; the schema knows what is unknown."""
    example = toml.load(WLAB / "examples" / "channel" / "two-cells.toml")
    equals("users", len(plan.read(example, HERE).users), 3)
    judge = package("jsonschema", "pip").Draft202012Validator(schema("channel"))
    expect(judge.is_valid(example), "the example is refused")
    for words, raw in BAD_PLANS.items():
        if "unknown key" in words or "is not a number in" in words or "neither" in words:
            expect(not judge.is_valid(raw), f"{raw} is taken")


def check_log_normal_interruptions() -> None:
    """Log-normal: the median, the share within a sigma; nothing above the longest."""
    gap = read_gap("lognormal 50ms 0.5 400ms")
    drawn = sorted(gap.draw_ns(seed) / 1e6 for seed in range(4000))
    near("median", drawn[2000], 50, 2)
    within = sum(50 * math.exp(-0.5) < one < 50 * math.exp(0.5) for one in drawn) / 4000
    near("within a sigma", within, 0.6827, 0.025)
    expect(drawn[-1] <= 400, f"{drawn[-1]} ms")
