# SPDX-License-Identifier: GPL-2.0
"""wlinkctl from-netem: lines of netem, their words by hand, and that wlink takes these."""

import json
import subprocess
from pathlib import Path

from harness import Checks

# What netem does without `distribution` is uniform between mean - jitter and mean + jitter
# (tabledist() of sch_netem), a deviation of jitter / sqrt(3).
LINES: list[tuple[str, str, list[str]]] = [
    ("delay 50ms 10ms loss 1% rate 10mbit limit 1000",
     "rate 10mbit delay 40ms jitter 10ms jitter_dist uniform jitter_dev 5773502ns limit 1000"
     " channel uniform loss 1%", ["packets stay in order"]),
    ("limit 50 delay 20", "rate unlimited delay 20us limit 50", []),
    ("latency 1s 100ms 25% distribution normal",
     "rate unlimited jitter 1s jitter_dev 100ms jitter_dist normal jitter_correlation 25% jitter_reorder on"
     " limit 1000", ["correlation of the delay keeps"]),
    ("delay 10ms 20ms",
     "rate unlimited jitter 10ms jitter_dist uniform jitter_dev 5773502ns jitter_reorder on limit 1000",
     ["jitter_table FILE has that, with 0ms,25 and 0ms,30ms,75; the words here keep the mean of 10ms"]),
    ("delay 5ms 3ms distribution pareto rate 1mbit",
     "rate 1mbit jitter 5ms jitter_dev 3ms jitter_table pareto limit 1000", ["packets stay in order"]),
    ("drop 0.3% 25%", "rate unlimited limit 1000 channel uniform loss 0.3%",
     ["correlation of loss is left out"]),
    ("loss gemodel 1% 10% 70% 0.1%",
     "rate unlimited limit 1000 channel gilbert p 1% r 10% loss_bad 70% loss_good 0.1%", []),
    ("loss gemodel 2%", "rate unlimited limit 1000 channel gilbert p 2% r 98% loss_bad 100%", []),
    ("loss state 1% 30%", "rate unlimited limit 1000 channel gilbert p 1% r 30% loss_bad 100%", []),
    ("duplicate 1% corrupt 0.1% 5% seed 7",
     "rate unlimited limit 1000 duplicate 1% corrupt 0.1% seed 7", ["correlation of corrupt is left out"]),
    ("rate 1mbit 20 100 5", "rate 1mbit header 20 limit 1000", ["stab linklayer atm"]),
    ("netem delay 10ms reorder 25% 50% gap 5", "rate unlimited delay 10ms limit 1000",
     ["FILE has 0ms,25 and 10ms,75", "gap has no counterpart"]),
    ("slot 20ms 30ms packets 3 ecn", "rate unlimited limit 1000", ["slot is tti TIME", "aqm codel ecn on"]),
]  # fmt: skip
WRONG = [
    ("", "from-netem needs words of netem"), ("delay", "delay has no value"),
    ("lossy 1%", '"lossy" is no word of netem'), ("loss 101%", '"101%" is above 100%'),
    ("delay 5 apples", '"apples" is no word of netem'), ("delay 5hours", '"5hours" is not a time'),
    ("rate 5 rate x", "rate has no value"), ("rate 5parsec", '"5parsec" is not a rate'),
    ("loss state 1% 1% 1%", "loss state with more than p13 and p31"),
    ("delay 1ms 1ms distribution odd", 'distribution "odd" is not uniform, normal'),
]  # fmt: skip
LIMIT = "limit counts what waits for its turn"


def check_lines(checks: Checks, build: Path, tmp_path: Path) -> None:
    ctl = str(build / "bin/wlinkctl")

    def run(*words: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run([ctl, *words], text=True, capture_output=True, check=False)

    for line, words, differs in LINES:
        first, *rest = run("from-netem", line).stdout.splitlines()
        checks.equal(line, first, words)
        for piece in [*differs, LIMIT]:
            checks.true(f"{line}: {piece}", any(piece in text for text in rest), rest)
        checks.equal(f"{line}: no more differs", len(rest), len(differs) + 1)
        done = run("check", "qdisc", *first.split())
        checks.equal(f"{line}: wlink takes it {done.stderr}", done.returncode, 0)
        said = json.loads(run("--json", "from-netem", *line.split()).stdout)
        checks.equal(f"{line}: as JSON", (said["words"], len(said["differs"])), (words, len(rest)))
    for text in ("0ms,25\n0ms,30ms,75\n", "0ms,25\n10ms,75\n"):
        table = tmp_path / "table"
        table.write_text(text)
        done = run("check", "qdisc", "rate", "unlimited", "jitter_table", str(table), "jitter_reorder", "on")
        checks.equal(f"{text!r} {done.stderr}", done.returncode, 0)
    for line, why in WRONG:
        done = run("from-netem", line)
        got = done.returncode, why in done.stderr, done.stdout
        checks.equal(f"{line!r} {done.stderr}", got, (1, True, ""))
