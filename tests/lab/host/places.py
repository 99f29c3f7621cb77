# SPDX-License-Identifier: GPL-2.0
"""A scenario in real time, in a kernel that needs neither root nor a module."""

import json
import shutil
from functools import partial

from brief import brief
from lab import OUT, ROOT, call, conserved, expect, wlab, write

RATE_BPS, DELAY_MS, PACKET_BYTES, GAP_MS = 1_000_000, 20, 500, 10
# A run tells links beforehand when they begin; where the machine stood still meanwhile, it ends with
# one of these.
LATE, TRIES = ("is before now", "what the links begin with took more than"), 5
# However slow the machine is, the run lasts until the last program has ended.
SCENARIO = brief(f"""duration = "300s"
until = "last"
[radio.down]
wlink = "rate {RATE_BPS} delay {DELAY_MS}ms limit 100"
trace = {{ file = "places.trace", format = "mahimahi", start = "1500ms" }}
[radio.up]
wlink = "rate {RATE_BPS} tti 10ms delay {DELAY_MS}ms limit 100"
[[flow]] name = "paced"; kind = "udp"
rate = "{8 * PACKET_BYTES * 1000 // GAP_MS}bit"
size = {PACKET_BYTES}
stop = "2s"
[[flow]] name = "bulk"; kind = "tcp"; direction = "up"
[[program]] name = "change"; in = "ue"; start = "1s"
run = "wlinkctl set radio-up rate 500kbit; date +%Y >year; exec touch done"
[[program]] name = "last"; in = "ue"; start = "2s"; run = "until [ -e done ]; do sleep 0.1; done; cat year"
""")


def check_a_scenario_in_real_time() -> str:
    """What holds on whatever machine: what was sent, the model's least delay, times that the model keeps."""
    out = OUT / "places"
    shutil.rmtree(out, ignore_errors=True)
    path = write("places", SCENARIO)
    (path.parent / "places.trace").write_text("".join(f"{12 * i}\n" for i in range(1, 200)))
    for _ in range(TRIES):
        called = wlab("run", str(path), "--on", "live", "--out", str(out), "--json")
        if not any(words in called.err for words in LATE):
            break
    expect(called.status == 0, called.err)
    told = json.loads(called.out)
    expect(told["on"] == "live", f"it ran on {told['on']}")
    conserved(told)
    paced = told["flows"]["paced"]
    expect(0 < paced["packets"] <= paced["packets_sent"] <= 2000 // GAP_MS + 1, f"{paced}")
    events = [line.split("\t") for line in (out / "events.tsv").read_text().splitlines()]
    starts = [int(words[1]) for words in events if words[0] == "play"]
    expect(starts[:1] == [1_500_000_000], f"the trace played at {starts}")
    took = [int(w[15]) - int(w[12]) for w in events if w[0] == "sdu" and w[3] == "paced" and w[11] == "none"]
    expect(min(took) >= DELAY_MS * 1e6, f"less than the delay: {min(took)} ns")
    # The one link with a TTI begins a quarter of a millisecond after the start, however late anything is.
    begun = [int(w[13]) for w in events if w[0] == "sdu" and w[2] == "radio.up"]
    ttis = {start % 10_000_000 for start in begun if start > 250_000}
    expect(ttis == {250_000}, f"TTIs of the link begin {ttis} ns after a whole number of them")
    changes = [words for words in events if words[0] == "rate" and words[2] == "radio.up"]
    rates = [words for words in changes if words[4] != words[5]]
    expect([words[5] for words in rates] == ["500000"], f"rates {rates}")
    expect(int(rates[0][1]) >= 1_000_000_000, f"the rate changed at {rates[0][1]} ns")
    year = int((out / "programs" / "last.out").read_text())
    expect(year > 2020, f"the clock of a program is in {year}")
    return f"{paced['packets']} of {paced['packets_sent']} packets, {min(took) / 1e6:.1f} ms at least"


def everywhere(place: str) -> str:
    for _ in range(TRIES):
        done = call([str(ROOT / "tests" / "everywhere"), place, str(OUT / "everywhere")])
        if not any(words in done.stderr for words in LATE):
            break
    expect(done.returncode == 0, done.stderr)
    return done.stdout.strip()


CASES = {
    "each preset, and words that none has, in the lab": partial(everywhere, "lab"),
    "each preset, and words that none has, in real time": partial(everywhere, "live"),
}
