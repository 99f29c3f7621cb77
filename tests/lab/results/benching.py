# SPDX-License-Identifier: GPL-2.0
"""A case of the bench with two congestion controls; its figures counted again, its verdicts."""

import json
import shutil
from statistics import median_low

from lab import OUT, ROOT, expect, wlab

SCENARIO = ROOT / "userspace" / "bench-cc" / "scenarios" / "bench.toml"
CASE = "drain-time"


def check_bench_cc_two_controls() -> str:
    """BBR comes to DRAIN, where the link changes; Reno has no such phase."""
    folder = OUT / "bench-cc"
    shutil.rmtree(folder, ignore_errors=True)
    args = ["--cases", CASE, "--cc", "bbr,reno", "--quick", "--json", "--out", str(folder)]
    called = wlab("bench-cc", *args)
    expect(called.status == 0, f"bench-cc failed:\n{called.err}")
    bbr, reno = json.loads(called.out)
    expect((bbr["cc"], bbr["verdict"], bbr["as_drafted"]) == ("bbr", "holds", 1), str(bbr))
    expect((reno["cc"], reno["verdict"], reno["as_drafted"]) == ("reno", "no such phase", None), str(reno))
    page = (folder / "report" / "bench-cc.md").read_text()
    expect(f"`{CASE}`" in page and "no such phase" in page, page)
    figures = (folder / "report" / "bbr-draft.md").read_text()
    expect("Written by `wlab bench-cc --quick`." in figures, figures)

    cell = json.loads((folder / "cells" / "bbr-draft" / f"case={CASE},cc=bbr.json").read_text())
    program = cell["scenario"]["program"][0]["run"]
    words = [f"name={CASE}", "duration=6s", "tcp.congestion=bbr", f"program.watch.run={program}"]
    sets = [word for one in words for word in ("--set", one)]
    run = wlab("run", str(SCENARIO), *sets, "--out", str(folder / "run"), "--json")
    expect(run.status == 0, f"wlab run failed:\n{run.err}")
    expect(json.loads(run.out)["event_sha256"] == cell["event_sha256"]["1"], "not the events of the cell")

    lines = [line.split("\t") for line in (folder / "run" / "events.tsv").read_text().splitlines()]
    changed = [int(line[1]) for line in lines if line[0] == "rate" and line[5] == "9000000"]
    expect(len(changed) == 1, f"the rate was changed at {changed}")
    # To the ns 10 ms after a look: it does not matter what the program that looks takes.
    at_s = cell["values"]["event_s"][0]
    expect(changed[0] % 10_000_000 == 0 and changed[0] == round(at_s * 1e9), f"{changed[0]}, not at {at_s} s")
    least, most = changed[0] + 2_000_000_000, changed[0] + 4_000_000_000
    data = [line for line in lines if line[0] == "sdu" and line[2] == "radio.down"]
    waits = [int(line[13]) - int(line[12]) for line in data if least <= int(line[12]) < most]
    judged = cell["values"]["judged"][0]
    expect(len(waits) > 1000 and abs(median_low(waits) / 1e6 - judged) < 0.05, f"{judged}, not {waits[:3]}")
    return f"a median queue of {judged:.3g} ms"
