# SPDX-License-Identifier: GPL-2.0
"""What holds TCP flows: seven of which the cause is known by the way they are made, and a made log."""

import json
from typing import Any

from lab import OUT, expect, run, wlab
from wlablib.analysis import held
from wlablib.analysis.plots import data, held as heldplot
from wlablib.analysis.traffic import Traffic

# The part that holds each flow, which is its name; from and to; the user's settings of TCP; its link.
ECN = '"net.ipv4.tcp_ecn" = 1'
FAST = "rate 20mbit delay 50ms limit 1000"
FLOWS = {
    "link": ("server", "link", "", "rate 2mbit delay 10ms limit 50", ""),
    "rwnd": ("server", "rwnd", '"net.ipv4.tcp_rmem" = "4096 16384 16384"', FAST, ""),
    "sndbuf": ("sndbuf", "server", '"net.ipv4.tcp_wmem" = "4096 16384 16384"', FAST, ""),
    "cwnd_queue": ("server", "cwnd_queue", "", "rate 20mbit delay 50ms limit 4", ""),
    "cwnd_channel": ("server", "cwnd_channel", "", FAST, "channel uniform loss 0.02"),
    "cwnd_ecn": ("server", "cwnd_ecn", ECN, FAST, "aqm red minth 1 maxth 3 maxp 1 ecn on"),
    "app": ("server", "app", "", FAST, ""),
}
# What each setting names.
NAMED = {
    "link": "link.forward has 2 Mbit/s",
    "rwnd": "20 Mbit/s at 100 ms wants 250 kB; the window was 8.96 kB at most: net.ipv4.tcp_rmem of rwnd",
    "sndbuf": "net.ipv4.tcp_wmem of sndbuf (4096 16384 16384)",
    "cwnd_queue": "by cwnd_queue.forward (overflow); a longer buffer of cwnd_queue.forward (limit 4 ",
    "cwnd_channel": "by cwnd_channel.forward (channel); a mode of cwnd_channel.forward",
    "cwnd_ecn": "by cwnd_ecn.forward; the AQM of cwnd_ecn.forward (limit 1000 aqm red)",
    "app": "the program in server had nothing to send",
}


def scenario() -> str:
    text = 'duration = "6s"\n[node.server]\ntcp.sysctl = { "net.ipv4.tcp_ecn" = 1 }\n'
    for name, (src, dst, sysctl, link, more) in FLOWS.items():
        text += f"[node.{name}]\n" + (f"tcp.sysctl = {{ {sysctl} }}\n" if sysctl else "")
        text += f'[link.{name}]\nbetween = ["server", "{name}"]\n'
        text += f'forward.wlink = "{link} {more}"\nback.wlink = "{link}"\n'
        of_kind = 'kind = "web"\nthink = "300ms"' if name == "app" else 'kind = "tcp"'
        text += f'[[flow]]\nname = "{name}"\nfrom = "{src}"\nto = "{dst}"\n{of_kind}\n'
    return text


def check_held_seven_known_causes() -> None:
    """Each cause has the largest share of its flow, and all shares sum to 1."""
    result, folder = run("holding", scenario())
    called = wlab("why", str(folder), "--json")
    expect(called.status == 0, called.err)
    rows = {row["flow"]: row for row in json.loads(called.out)["held"]}
    expect([*rows] == [*FLOWS], f"{[*rows]}")
    for name, row in rows.items():
        shares = row["shares"]
        whole = sum(shares.values())
        expect(abs(whole - 1) < 1e-9, f"{name}: {shares} have the sum {whole}")
        expect(max(shares, key=shares.get) == name and shares[name] > 0.6, f"{name}: {shares}")
        expect(NAMED[name] in row["settings"][name], f"{name}: {row['settings'][name]}")
    # Linux's own count of the same, which goes on while packets wait for the link.
    flow = result["flows"]["rwnd"]
    linux = flow["rwnd_limited_us"] * 1e3 / rows["rwnd"]["time_ns"]
    have = rows["rwnd"]["shares"]["rwnd"] + rows["rwnd"]["shares"]["link"]
    expect(abs(have - linux) < 0.05, f"rwnd: {have}, by Linux {linux}")
    text = wlab("why", str(folder)).out
    expect("receiver's window" in text and NAMED["cwnd_queue"] in text, text)
    # The picture is of the same time.
    for one in held.flows(Traffic(folder, result))[0]:
        drawn = heldplot.shares(one, result["ended_s"])
        means = {part: sum(values) / len(values) for part, values in drawn.items()}
        wanted = rows[one.name]["shares"]
        apart = max(abs(means[part] - wanted[part]) for part in wanted)
        expect(apart < 1e-6, f"{one.name}: drawn {means}, {wanted}")
    heldplot.draw(data.Result(folder), folder / "held.png")
    expect((folder / "held.png").stat().st_size > 10_000, "a picture")


MADE = """# tcp
sdu\t0\tl\tf\tforth\t1\t1\t1\t52\t1\t0\tnone\t10\t10\t10\t20\t0\t0\t20\t20\t0\t1\t0
tcp\t50\tf\t10\t9\t1\t1001\t64000\t40\t64000\t0
sdu\t60\tl\tf\tforth\t1\t1\t2\t1052\t1\t0\tnone\t100\t100\t200\t300\t1\t1000\t300\t300\t0\t1\t0
rate\t150\tl\t2\t1000\t0\t1
rate\t180\tl\t3\t0\t1000\t1
sdu\t400\tl\tf\tforth\t1\t1\t3\t1052\t0\t0\toverflow\t400\t-1\t400\t-1\t1001\t1000\t-1\t-1\t0\t0\t0
tcp\t500\tf\t2\t2\t1001\t3001\t64000\t40\t64000\t0
tcp\t700\tf\t10\t2\t2001\t4000\t2500\t40\t64000\t0
tcp\t800\tf\t10\t2\t3001\t4001\t64000\t40\t64000\t0
"""


def check_held_a_made_log() -> None:
    """Each ns of a made flow."""
    folder = OUT / "held-made"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "events.tsv").write_text(MADE)
    flow: dict[str, Any] = {
        "kind": "tcp", "from": "a", "to": "b", "link": "l", "start_ns": 0, "end_ns": 1000, "ended": True,
        "sent_bytes": 4000, "mss": 1000, "sndbuf_limited_us": 0, "goodput_bps": 1.0,
    }  # fmt: skip
    links = {"l": {"kind": "wlink", "xstats": {"rate_bps": 1000}, "options": {"limit_packets": 4}}}
    web = {"name": "w", "kind": "web", "connections": 2}
    scenario_of = {"flow": [{"name": "f", "kind": "tcp", "bytes": 4000}, web]}
    flows = {"f": flow, "w": {**flow, "kind": "web"}}
    result = {"ended_s": 1e-6, "flows": flows, "links": links, "scenario": scenario_of}
    (one,), left_out = held.flows(Traffic(folder, result))
    expect(left_out == ["w: the log does not tell parallel connections apart"], f"{left_out}")
    parts = {part: ns for part, ns in one.parts_ns.items() if ns}
    # Up to the first packet; its own 100 ns less 30 without a rate; 50 to 500 but for these 100 ns: the
    # window was full at 500; the receiver's at 700; after that all was sent.
    wanted = {"connect": 50, "link": 70, "outage": 30, "cwnd_queue": 350, "rwnd": 200, "app": 300}
    expect(parts == wanted, f"{parts}, wanted {wanted}")
