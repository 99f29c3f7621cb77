# SPDX-License-Identifier: GPL-2.0
"""`make demo`: variants of one scenario, a picture and a report."""

import json
from pathlib import Path
from typing import Any

from ..analysis import compare
from ..analysis.plots import compare as compareplot, data as plotdata
from ..lib.files import write_file
from ..lib.packages import package
from ..lib.page import as_html, as_text
from ..lib.paths import WLAB
from ..run import run
from ..scenario import scenario
from .demopage import report

SCENARIO = WLAB / "scenarios" / "demo.toml"
FIGURE = "figure.png"
DELAYS = "delays.png"

# Variants of the scenario; the first one is unchanged.
VARIANTS: dict[str, tuple[str, list[str]]] = {
    "droptail": ("drop-tail", []),
    "red-3g": ("RED, profile red-3g", ["radio.down.wlink.profile=red-3g"]),
    "sbd-3g": ("SBD, profile sbd-3g", ["radio.down.wlink.profile=sbd-3g"]),
    "sbd-3g-clamp": ("SBD, profile sbd-3g-clamp", ["radio.down.wlink.profile=sbd-3g-clamp"]),
}
BASE = next(iter(VARIANTS))


def folder(out: Path, variant: str) -> Path:
    """The result folder of a variant."""
    return out / ("result" if variant == BASE else f"result-{variant}")


def summary(result: dict[str, Any]) -> dict[str, Any]:
    """The most important figures of result.json."""
    flows = {}
    for name, f in result["flows"].items():
        delay, counts = f.get("radio_delay", f["delay"]), ("goodput_bps", "bytes", "retransmissions")
        delays = {f"delay_{k}_ms": round(delay[f"{k}_ns"] / 1e6, 3) for k in ("mean", "p50", "p95", "p99")}
        flows[name] = {**{key: f[key] for key in counts}, **delays}
    links = {}
    for name, link in result["links"].items():
        of_link = ("sdus_in", "sdus_delivered", "drops", "sdus_held", "buffer_mean_sdus", "buffer_sdus_max")
        links[name] = {key: {**link, **link["xstats"]}[key] for key in of_link}
    keys = ("name", "seed", "duration_s", "scenario_sha256", "events", "event_sha256", "versions", "speed")
    return {**{k: result[k] for k in keys}, "flows": flows, "links": links}


def compare_rows(variants: dict[str, Any]) -> list[list[str]]:
    """The table of the variants."""
    span = f"{compare.SPAN_S:.0f}"
    heads = ["buffer", "goodput kbit/s", "mean delay ms", "p95 ms", f"overflow, first {span} s"]
    out = [[*heads, f"{span} s after the switch", "else", "dropped by the AQM"]]
    for name, v in variants.items():
        figures = [f"{v['goodput_bps'] / 1e3:.1f}", f"{v['delay_mean_ms']:.0f}", f"{v['delay_p95_ms']:.0f}"]
        drops = [*v["overflow"].values(), v["drops"]["aqm"]]
        out.append([VARIANTS[name][0], *figures, *map(str, drops)])
    return out


def demo(out: Path, as_json: bool = False) -> None:
    """Run the variants, draw the pictures, write the report."""
    # What draws them is missed now, not after the wait.
    package("matplotlib", "plot")
    out.mkdir(parents=True, exist_ok=True)
    batches = []
    for name, (_, settings) in VARIANTS.items():
        sc = scenario.load(SCENARIO, settings)
        batches.append(run.Batch(sc, [sc.seed], folder(out, name)))
    results = {name: one[0] for name, one in zip(VARIANTS, run.run_all("demo", batches, force=True))}
    shown = {name: plotdata.Result(folder(out, name)) for name in VARIANTS}
    stories = {name: compare.read(r.traffic, [r.link]) for name, r in shown.items()}
    rates = shown[BASE].rates()
    changes = [t for t, _ in rates[1:]]
    brief = summary(results[BASE])
    brief["variants"] = {
        name: {
            "title": VARIANTS[name][0],
            "set": VARIANTS[name][1],
            "folder": folder(out, name).name,
            **compare.figures(results[name], stories[name], changes),
            **{k: summary(results[name])[k] for k in ("event_sha256", "flows", "links")},
        }
        for name in VARIANTS
    }
    titles = {name: title for name, (title, _) in VARIANTS.items()}
    compareplot.draw({titles[n]: r for n, r in shown.items()}, out / FIGURE)
    by_title = {titles[n]: s for n, s in stories.items()}
    compareplot.draw_delays(by_title, rates, shown[BASE].end, out / DELAYS)
    write_file(out / "summary.json", json.dumps(brief, indent=1) + "\n")
    table = compare_rows(brief["variants"])
    page = report(brief, as_html(table), out / FIGURE, out / DELAYS, SCENARIO.read_text())
    write_file(out / "report.html", page)
    if as_json:
        print(json.dumps(brief))
        return
    print(as_text(table))
    print()
    print(f"picture  {out / FIGURE}")
    print(f"report   {out / 'report.html'}")
    print(f"figures  {out / 'summary.json'}")
    for name in VARIANTS:
        print(f"events   {folder(out, name) / 'events.tsv'}")
