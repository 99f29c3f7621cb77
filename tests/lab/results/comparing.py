# SPDX-License-Identifier: GPL-2.0
"""Variants of a scenario, and README's commands that lay them beside each other."""

import json
import re
import shutil

from brief import brief
from lab import OUT, ROOT, Skipped, conserved, expect, wlab, write

SCENARIO = brief("""duration = "5s"
[radio] wlink = "rate 384kbit tti 10ms limit 40"
[[flow]] name = "f"; kind = "tcp"
""")


def check_readme_compares_three_congestion_controls() -> str:
    """Two commands as README has them, but for where the results go."""
    text = (ROOT / "README.md").read_text()
    commands = re.findall(r"^    userspace/wlab/wlab ((?:run .* --vary|compare) .*)$", text, re.M)
    expect(len(commands) == 2, f"README has {commands}")
    out = OUT / "readme"
    shutil.rmtree(out, ignore_errors=True)
    run, compare = (command.replace("build/", f"{out.relative_to(ROOT)}/").split() for command in commands)
    called = wlab(*run)
    expect(called.status == 0, called.err)
    last = called.out.splitlines()[-1]
    expect(last.endswith(f"wlab {' '.join(compare)}"), f"'{last}' is not what README goes on with")
    called = wlab(*compare, "--out", str(out / "compare"), "--json")
    if "is missing; type" in called.err:
        raise Skipped(called.err.strip())
    expect(called.status == 0, called.err)
    told = json.loads(called.out)
    names = sorted(told["figures"])
    expect(names == ["congestion=bbr", "congestion=cubic", "congestion=reno"], f"curves of {names}")
    for name in names:
        result = json.loads((out / "three" / name / "result.json").read_text())
        conserved(result)
        flows = result["flows"].values()
        have = told["figures"][name]["goodput_bps"]["value"]
        expect(abs(have - sum(f["goodput_bps"] for f in flows)) < 1e-6, f"{name}: goodput {have}")
        delivered = 8 * sum(f["delay"]["count"] for f in flows) * 1500
        curve = [v * told["interval_s"] for v in told["plots"]["throughput"][name]["y"]]
        expect(abs(sum(curve) / delivered - 1) < 0.02, f"{name}: {sum(curve)} bits drawn, {delivered} came")
    for file in ("index.html", "compare.png", "compare.svg"):
        expect((out / "compare" / file).exists(), f"{file} is missing")
    return ", ".join(names)


def check_variants_of_a_scenario() -> str:
    """All combinations, with seeds; a variant has the same events as alone."""
    out = OUT / "variants"
    shutil.rmtree(out, ignore_errors=True)
    path = str(write("variants", SCENARIO))
    vary = ["--vary", "tcp.congestion=reno,bbr", "--vary", "radio.wlink.limit=10,20"]
    called = wlab("run", path, *vary, "--runs", "2", "--out", str(out), "--json")
    expect(called.status == 0, called.err)
    expect(len(json.loads(called.out)) == 8, "not 8 results")
    folders = sorted(p.name for p in out.iterdir())
    wanted = [f"congestion={c},limit={n}" for c in ("bbr", "reno") for n in (10, 20)]
    expect(folders == wanted, f"folders {folders}")
    one = json.loads((out / wanted[0] / "seed-2" / "result.json").read_text())
    settings = ["--set", "tcp.congestion=bbr", "--set", "radio.wlink.limit=10", "--seed", "2"]
    called = wlab("run", path, *settings, "--out", str(OUT / "variant"), "--force", "--json")
    expect(called.status == 0, called.err)
    expect(json.loads(called.out)["event_sha256"] == one["event_sha256"], "other events than alone")
    for words, told in (
        (["--vary", "seed"], "not KEY=VALUE,VALUE..."),
        (["--vary", "seed=1,1"], "a value comes twice"),
        (["--vary", "tcp.congestion=reno,bbrr"], "did you mean 'bbr'?"),
        (["--vary", "seed=3,4", "--out", str(OUT / "variant")], "holds the result of one run"),
        ([*vary, "--out", str(out)], "--force"),
    ):
        called = wlab("run", path, *words)
        expect(called.status == 1 and told in called.err, f"{words}: {called.err}")
    return f"{len(wanted)} variants of 2 seeds, 5 slips"
