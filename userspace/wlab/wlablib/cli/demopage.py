# SPDX-License-Identifier: GPL-2.0
"""The demo's report: one page of HTML that needs no other file."""

import html
from pathlib import Path
from typing import Any

from ..lib.page import STYLE, as_html, inline


def flow_rows(variants: dict[str, Any]) -> list[list[str]]:
    """The table of the variants' flows."""
    out = [["flow", "goodput kbit/s", "mean delay ms", "p50 ms", "p95 ms", "p99 ms", "retransmissions"]]
    for v in variants.values():
        for name, f in v["flows"].items():
            delays = [f"{f[f'delay_{k}_ms']:.0f}" for k in ("mean", "p50", "p95", "p99")]
            goodput = f"{f['goodput_bps'] / 1e3:.1f}"
            out.append([f"{v['title']}: {name}", goodput, *delays, str(f["retransmissions"])])
    return out


def link_rows(variants: dict[str, Any]) -> list[list[str]]:
    """The table of the variants' radio links."""
    reasons = ("overflow", "aqm", "maxdat")
    out = [["link", "SDUs in", "delivered", *reasons, "largest buffer"]]
    for v in variants.values():
        for name, x in v["links"].items():
            if name.startswith("radio."):
                counts = [x["sdus_in"], x["sdus_delivered"], *(x["drops"][r] for r in reasons)]
                out.append([f"{v['title']}: {name}", *map(str, counts), str(x["buffer_sdus_max"])])
    return out


def report(brief: dict[str, Any], compared: str, figure: Path, delays: Path, scenario: str) -> str:
    """The text of the page."""
    v, s = brief["versions"], brief["speed"]
    variants = brief["variants"].values()
    digests = "".join(
        f"<li>{html.escape(one['title'])}: <code>{one['event_sha256']}</code>" for one in variants
    )
    command = "userspace/wlab/wlab run userspace/wlab/scenarios/demo.toml"
    again = "\n".join(" ".join([command, *(f"--set {x}" for x in one["set"])]) for one in variants)
    return f"""<!DOCTYPE html>
<html lang="en"><meta charset="utf-8"><title>wlink demo</title><style>{STYLE}</style>
<h1>Two TCP connections on a rate-varying bearer</h1>
<p>Two real Linux TCP connections share the downlink of a radio bearer in acknowledged mode that
drops from 384 to 128&nbsp;kbit/s after 50&nbsp;s. A tenth of the frames is lost in bursts, both
ways; the buffer holds 40 SDUs until they are acknowledged, the TTI is 10&nbsp;ms, the wired round
trip 200&nbsp;ms and the wireless one 50&nbsp;ms. The same 100 seconds four times: with a buffer
that drops what finds it full, with random early detection and with slope based discard, whose
parameters follow the rate by a profile; slope based discard as the paper prints it, and with no
threshold above the buffer (clamp), where a buffer that is about to overflow counts as a slope.
All of it ran in {s['wall_s']:.1f}&nbsp;s of wall time:
{s['virtual_s']:.0f} virtual seconds, {s['speed_up']:.0f} times real time.</p>
{compared}
<p>The delay is one-way, of packets with payload, from arrival in the radio link's buffer to delivery
at the far side.</p>
{inline(figure, "Buffer occupancy; congestion windows; packets sent, received and dropped.")}
{inline(delays, "One-way delay through the radio link, packet by packet, and its distribution.")}
<h2>Flows</h2>{as_html(flow_rows(brief["variants"]))}
<h2>Links</h2>{as_html(link_rows(brief["variants"]))}
<h2>Again</h2>
<p>A run with the same seed gives the same events to the nanosecond; the SHA-256 of the event logs
are</p><ul>{digests}</ul>
<pre>{html.escape(again)}
userspace/wlab/wlab plot build/results/demo</pre>
<p>Scenario:</p><pre>{html.escape(scenario)}</pre>
<p>Kernel {html.escape(v['kernel'])}, {html.escape(v['tc'])}, wlink {html.escape(v['wlink'])},
seed {brief['seed']}.</p>
</html>
"""
