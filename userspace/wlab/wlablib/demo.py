# SPDX-License-Identifier: GPL-2.0
"""`make demo`: the main job, from nothing to a picture and a report."""

import base64
import html
import json
from pathlib import Path
from typing import Any

from . import plot, run, scenario
from .paths import WLAB

SCENARIO = WLAB / "scenarios" / "demo.toml"
FIGURE = "figure.png"
DELAYS = "delays.png"

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62em; margin: 2em auto; padding: 0 1em; color: #222 }
table { border-collapse: collapse; margin: 1em 0 }
th, td { padding: .25em .9em; border-bottom: 1px solid #ddd; text-align: right }
th:first-child, td:first-child { text-align: left }
img { max-width: 100%; height: auto }
code, pre { background: #f4f4f4; padding: .1em .3em }
pre { padding: .8em; overflow-x: auto }
figcaption { color: #555; font-size: .9em }
"""

PLAIN = "{:.0f}".format
ONE = "{:.1f}".format


def summary(result: dict[str, Any]) -> dict[str, Any]:
    """The figures of result.json that a person asks for first."""
    flows = {}
    for name, f in result["flows"].items():
        delay = f["delay"]
        flows[name] = {
            "goodput_bps": f["goodput_bps"],
            "bytes": f["bytes"],
            "retransmissions": f["retransmissions"],
            "delay_mean_ms": round(delay["mean_ns"] / 1e6, 3),
            "delay_p50_ms": round(delay["p50_ns"] / 1e6, 3),
            "delay_p95_ms": round(delay["p95_ns"] / 1e6, 3),
            "delay_p99_ms": round(delay["p99_ns"] / 1e6, 3),
        }
    links = {}
    for name, link in result["links"].items():
        x = link["xstats"]
        links[name] = {
            "sdus_in": x["sdus_in"],
            "sdus_delivered": x["sdus_delivered"],
            "drops": x["drops"],
            "sdus_held": x["sdus_held"],
            "buffer_mean_sdus": link["buffer_mean_sdus"],
            "buffer_sdus_max": x["buffer_sdus_max"],
        }
    keys = ("name", "seed", "duration_s", "scenario_sha256", "events", "event_sha256", "versions", "speed")
    return {**{k: result[k] for k in keys}, "flows": flows, "links": links}


def flow_rows(brief: dict[str, Any]) -> list[list[str]]:
    """Head and one row for each flow."""
    out = [["flow", "goodput kbit/s", "mean delay ms", "p50 ms", "p95 ms", "p99 ms", "retransmissions"]]
    for name, f in brief["flows"].items():
        delays = [PLAIN(f[f"delay_{k}_ms"]) for k in ("mean", "p50", "p95", "p99")]
        out.append([name, ONE(f["goodput_bps"] / 1e3), *delays, str(f["retransmissions"])])
    return out


def link_rows(brief: dict[str, Any]) -> list[list[str]]:
    """Head and one row for each link."""
    out = [["link", "SDUs in", "delivered", "overflow", "channel", "mean buffer", "largest buffer"]]
    for name, x in brief["links"].items():
        counts = [x["sdus_in"], x["sdus_delivered"], x["drops"]["overflow"], x["drops"]["channel"]]
        out.append([name, *map(str, counts), ONE(x["buffer_mean_sdus"]), str(x["buffer_sdus_max"])])
    return out


def as_text(table: list[list[str]]) -> str:
    widths = [max(len(r[i]) for r in table) for i in range(len(table[0]))]
    return "\n".join(
        "  ".join([r[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(r[1:], widths[1:]))]) for r in table
    )


def as_html(table: list[list[str]]) -> str:
    head = "".join(f"<th>{html.escape(c)}" for c in table[0])
    body = "".join("<tr>" + "".join(f"<td>{html.escape(c)}" for c in r) for r in table[1:])
    return f"<table><tr>{head}{body}</table>"


def inline(png: Path, caption: str) -> str:
    data = base64.b64encode(png.read_bytes()).decode()
    text = html.escape(caption)
    image = f'<img alt="{text}" src="data:image/png;base64,{data}">'
    return f"<figure>{image}<figcaption>{text}</figcaption></figure>"


def report(out: Path, brief: dict[str, Any]) -> str:
    """One page that needs no other file."""
    v, s = brief["versions"], brief["speed"]
    return f"""<!DOCTYPE html>
<html lang="en"><meta charset="utf-8"><title>wlink demo</title><style>{STYLE}</style>
<h1>Two TCP connections on a rate-varying bearer</h1>
<p>Two real Linux TCP connections share the downlink of a radio bearer that drops from 384 to
128&nbsp;kbit/s after 50&nbsp;s. The buffer in front of the radio holds 40 SDUs, the TTI is 10&nbsp;ms,
the wired round trip 200&nbsp;ms and the wireless one 50&nbsp;ms. All of it ran in
{s['wall_s']:.1f}&nbsp;s of wall time: {s['virtual_s']:.0f} virtual seconds, {s['speed_up']:.0f} times
real time.</p>
{inline(out / FIGURE, "Buffer occupancy; congestion windows; packets sent, received and dropped.")}
<h2>Flows</h2>{as_html(flow_rows(brief))}
<p>The delay is one-way, from arrival in the radio link's buffer to delivery at the far side.</p>
{inline(out / DELAYS, "One-way delay through the radio link, packet by packet, and its distribution.")}
<h2>Links</h2>{as_html(link_rows(brief))}
<h2>Again</h2>
<p>A run with the same seed gives the same events to the nanosecond; the SHA-256 of the event log is
<code>{brief['event_sha256']}</code>.</p>
<pre>userspace/wlab/wlab run userspace/wlab/scenarios/demo.toml
userspace/wlab/wlab run userspace/wlab/scenarios/demo.toml --set radio.down.wlink.limit=10
userspace/wlab/wlab plot build/results/demo</pre>
<p>Scenario:</p><pre>{html.escape(SCENARIO.read_text())}</pre>
<p>Kernel {html.escape(v['kernel'])}, {html.escape(v['tc'])}, wlink {html.escape(v['wlink'])},
seed {brief['seed']}.</p>
</html>
"""


def demo(out: Path) -> None:
    """Run, draw, tell."""
    out.mkdir(parents=True, exist_ok=True)
    sc = scenario.load(SCENARIO, [])
    results, folder = run.run(sc, [sc.seed], out / "result")
    brief = summary(results[0])
    shown = plot.Result(folder)
    plot.draw(shown, out / FIGURE)
    plot.draw_delays(shown, out / DELAYS)
    (out / "summary.json").write_text(json.dumps(brief, indent=1) + "\n")
    (out / "report.html").write_text(report(out, brief))
    print(as_text(flow_rows(brief)))
    print()
    print(as_text(link_rows(brief)))
    print()
    print(f"picture  {out / FIGURE}")
    print(f"report   {out / 'report.html'}")
    print(f"figures  {out / 'summary.json'}")
    print(f"events   {folder / 'events.tsv'}")
