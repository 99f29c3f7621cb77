# SPDX-License-Identifier: GPL-2.0
"""Channels of wlab channel, played: who moves loses more blocks; a handover brings the next schedule."""

import json
import tempfile
from functools import partial
from pathlib import Path
from typing import Any

from brief import brief
from lab import WLAB, call, events, expect

# Two sites that do not hear each other; at 300 m one user stands, the other is driven around.
CHANNEL = brief("""name = "moving"
duration = "10s"
[sites] at = [[0, 0], [40000, 0]]; distance_m = 1000
[loss] shadowing_db = 0; penetration_db = 0; slope_db = 10; at_1km_db = 120
[fading] model = "etu"
[user.stands] at = [300, 0]; speed_kmh = 0
[user.moves] at = [40300, 0]; to = [40300, 1000]; speed_kmh = 30
""")
# From one site to the other within 10 s.
MOVE = brief("""name = "crossing"
duration = "10s"
[sites] at = [[0, 0], [600, 0]]
[loss] shadowing_db = 0
[user.car] at = [200, 0]; to = [400, 0]; speed_kmh = 90
[handover] interruption = "100ms"
""")


def played(folder: Path, text: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """What the channel's summary and the run's result say."""
    file = folder / "channel.toml"
    file.write_text(text)
    made = call([str(WLAB), "channel", str(file), "--out", str(folder / "made"), "--json"])
    expect(made.returncode == 0, made.stderr)
    words = ["run", str(folder / "made" / "scenario.toml"), "--out", str(folder / "run"), "--json"]
    # As many open files as an ordinary user has.
    done = call(["prlimit", "--nofile=1024:", str(WLAB), *words])
    expect(done.returncode == 0, done.stderr)
    return json.loads(made.stdout), json.loads(done.stdout)


def check_who_moves_loses_more_blocks() -> str:
    with tempfile.TemporaryDirectory(prefix="wlab-channel.") as name:
        summary, result = played(Path(name), CHANNEL)
    shares = {}
    for user, cell in (("stands", "cell-1"), ("moves", "cell-2")):
        have = result["links"][f"{cell}.down"]["xstats"]
        shares[user] = have["harq_retx"] / have["harq_blocks"]
        told = summary["users"][user]["bler"]
        # A block that is sent again counts again, with a fifth of the chance.
        expect(abs(shares[user] - told * 1.2) < 0.05, f"{user}: {shares[user]} sent again, BLER {told}")
    expect(shares["stands"] < 0.12, f"who stands: {shares}")
    expect(shares["moves"] > 0.12, f"who moves: {shares}")
    return f"sent again: {shares['stands']:.3f} of who stands, {shares['moves']:.3f} of who moves"


def check_a_handover_plays_the_next_schedule() -> str:
    with tempfile.TemporaryDirectory(prefix="wlab-channel.") as name:
        summary, result = played(Path(name), MOVE)
        moved = result["moves"]
        times = [stay["time_s"] for stay in summary["users"]["car"]["cells"]]
        expect([m["time_s"] for m in moved] == times[1:], f"{moved}, A3 at {times}")
        rates = [words for words in events(Path(name) / "run", "rate") if "cell-2.down" in words]
    down = result["links"]["cell-2.down"]["xstats"]
    expect(down["bytes_delivered"] > 100_000, f"cell-2 has delivered {down['bytes_delivered']} bytes")
    # Silence, then one of each step of the second schedule.
    expect(len(rates) > 20, f"cell-2 has changed its rate {len(rates)} times")
    return f"{len(moved)} handover at {times[1]} s"


def begun_together(count: int) -> str:
    """However many users a run begins with: their schedules begin with it, at the first TTI or the second."""
    text = f'name = "many"\nduration = "500ms"\n[user.ue]\ncount = {count}\n'
    with tempfile.TemporaryDirectory(prefix="wlab-channel.") as name:
        _, result = played(Path(name), text)
        plays = events(Path(name) / "run", "play")
        began = [(link, bearer) for at, link, bearer, *_ in plays if int(at) < 2 * 10**6]
    expect(len({*began}) == count == len(result["flows"]), f"{len(began)} schedules at the start")
    sent = sum(link["xstats"]["bytes_delivered"] for link in result["links"].values() if "xstats" in link)
    expect(sent > 0, "nothing was delivered")
    return f"{count} schedules"


MANY = (1, 10, 100, 500)
CASES = {
    **{f"{count} users of a channel begin together": partial(begun_together, count) for count in MANY},
}
