# SPDX-License-Identifier: GPL-2.0
"""Waits for access against their distributions, in the log, in `why` and in the counters."""

import json
from math import sqrt
from pathlib import Path

from lab import events, expect, run, sdus, wlab

MS = 1_000_000


def waits(folder: Path, link: str) -> dict[int, int]:
    """By SDU."""
    return {int(w[4]): int(w[5]) + int(w[6]) for w in events(folder, "access") if w[1] == link}


def summed(folder: Path, link: str, count: int, want: int) -> None:
    """`why` has the part, and the parts are the whole."""
    called = wlab("why", str(folder), "--json")
    expect(called.status == 0, called.err)
    (one,) = (g for g in json.loads(called.out)["bearers"] if g["link"] == link)
    expect(one["count"] == count, f"why: {one['count']} SDUs of {count}")
    expect(one["access"]["sum_ns"] == want, f"why: {one['access']['sum_ns']} ns, not {want}")
    parts = ("queue", "serial", "prop", "retx", "hol", "access")
    expect(sum(one[p]["sum_ns"] for p in parts) == one["total"]["sum_ns"], "the parts are not the whole")
    expect("  access" in wlab("why", str(folder)).out, "why does not say it")


def check_uplink_access() -> str:
    """What comes now and then waits for a request, uniform over 20 ms, and for the grant."""
    text = (
        'duration = "300s"\nseed = 5\n[radio]\ndown.wlink = "rate 10mbit"\n'
        'up.wlink = "rate 1mbit tti 1ms delay 5ms sr 20ms sr_grant 4ms sr_first 200"\n'
        '[[flow]]\nname = "sparse"\nkind = "udp"\nrate = 19937\nsize = 100\ndirection = "up"\n'
    )
    result, folder = run("uplink", text)
    found = list(sdus(folder, "radio.up"))
    have = waits(folder, "radio.up")
    x = result["links"]["radio.up"]["xstats"]
    # The last one may wait when the lab looks.
    expect(0 <= x["access_requests"] - len(found) <= 1, f"{x['access_requests']} requests, {len(found)} SDUs")
    done = [s for s in found if s.drop == "none"]
    for s in done:
        expect(have[s.seq] == s.start - s.arrival, f"SDU {s.seq} has waited for something else")
        expect(0 < have[s.seq] - 4 * MS <= 20 * MS, f"SDU {s.seq}: {have[s.seq]} ns")
    total = sum(have[s.seq] for s in done)
    summed(folder, "radio.up", len(done), total)
    expect(x["access_ns"] == total, f"the kernel has {x['access_ns']} ns")
    mean, error = total / len(done) / MS - 4, 20 / sqrt(12 * len(done))
    expect(abs(mean - 10) < 4 * error, f"mean {mean} ms")
    return f"{len(done)} SDUs have waited for {mean:.2f} ms (ideal 10 +- {4 * error:.2f}) and the grant"


def check_receiver_that_sleeps() -> str:
    """What comes for a receiver that sleeps waits for its next on-duration, if at all; each of
    its states is in the log, in turn and at its time.
    """
    text = (
        'duration = "300s"\nseed = 6\n[radio]\nup.wlink = "rate 10mbit"\n'
        'down.wlink = "rate 1mbit tti 1ms drx 160ms drx_on 40ms drx_inactivity 50ms drx_short 40ms'
        ' drx_short_cycles 2 rrc_idle 600ms rrc_promotion 100ms rrc_paging 320ms"\n'
        '[[flow]]\nname = "sparse"\nkind = "udp"\nrate = 1993\nsize = 100\n'
    )
    result, folder = run("sleeping", text)
    found = [s for s in sdus(folder) if s.drop == "none"]
    have = waits(folder, "radio.down")
    expect(not any(have.get(s.seq, 0) > 121 * MS for s in found), "a wait beyond the cycle")
    summed(folder, "radio.down", len(found), sum(have.values()))
    share = 1 - len(have) / len(found)
    expect(abs(share - 0.25) < 4 * sqrt(0.25 * 0.75 / len(found)), f"{share} found it listening")
    told = [(int(w[0]), w[4]) for w in events(folder, "rrc") if w[1] == "radio.down"]
    told = told[[state for _, state in told].index("active") :]
    turns = {"active": "short", "short": "long", "long": "active"}
    for (t, state), (then, after) in zip(told, told[1:]):
        expect(turns[state] == after, f"{after} after {state} at {then} ns")
        if state == "short":
            expect(then - t == 80 * MS, f"short cycles end after {then - t} ns")
    ends = {s.end for s in found}
    expect(all(t - 50 * MS in ends for t, state in told if state == "short"), "active for too long")
    return f"{share:.3f} find it listening (ideal 0.25), {len(told)} changes of its state"
