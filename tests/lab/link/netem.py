# SPDX-License-Identifier: GPL-2.0
"""Runs without a wlink on the way of the data: what is told then, and what is not."""

from brief import brief
from lab import events, expect, run

DOWN = brief("""duration = "20s"
[radio.down] netem = "rate 384kbit delay 20ms limit 20"
[radio.up]
{up}
[tcp] congestion = "reno"
[[flow]] name = "f"; kind = "{kind}"
""")
TCP = DOWN.format(up='netem = "rate 384kbit delay 20ms limit 1000"', kind="tcp")
UDP = DOWN.format(up='netem = "rate 384kbit"', kind="udp") + 'rate = "500kbit"\n'
# Cables and a program: no wlink, no flow.
CABLE = """duration = "1s"
[node.a]
[node.b]
[link.cable]
between = ["a", "b"]
[[program]]
name = "ping"
in = "a"
run = "ping -c 1 -W 1 10.0.0.2"
"""
# Columns of a tcp line: t, flow, cwnd, ssthresh, snd_una, snd_nxt.
CWND, UNA, NEXT = 2, 4, 5
INITIAL_CWND = 10


def check_tcps_log() -> str:
    """The log of TCP needs no wlink; the first ACK of the data finds the SYN acknowledged alone."""
    result, folder = run("netem", TCP)
    lines = [[int(w) if i != 1 else 0 for i, w in enumerate(line)] for line in events(folder, "tcp")]
    expect(result["events"] == len(lines) > 100, f"{result['events']} events, {len(lines)} lines")
    first, last = lines[0], lines[-1]
    expect(first[CWND] == INITIAL_CWND and first[UNA] == 1, f"first line: {first}")
    mss = result["flows"]["f"]["mss"]
    expect(first[NEXT] == 1 + INITIAL_CWND * mss, f"first line: {first}, {mss} bytes a segment")
    # What the receiver has is acknowledged but for what is on its way back.
    got = result["flows"]["f"]["bytes"]
    expect(0 <= got - (last[UNA] - 1) <= 4 * mss, f"{last} at the end, {got} bytes received")
    windows = (folder / "series" / "f.cwnd.tsv").read_text().splitlines()
    expect(len(windows) == len(lines), f"{len(windows)} windows of {len(lines)} lines")
    return f"{len(lines)} lines"


def check_what_is_not_known() -> str:
    """netem's own drops are there; by reason, and delays, they are not known and not 0."""
    result, _ = run("netem", TCP)
    down, flow = result["links"]["radio.down"], result["flows"]["f"]
    expect(down["drops"] > 0, f"netem has dropped {down['drops']}")
    expect(down["dropped"] is down["delay"] is down["buffer_mean_sdus"] is None, str(down))
    expect(flow["delay"] is None and flow["retransmissions"] > 0, str(flow))
    return f"{down['drops']} drops, reasons unknown"


def check_digests() -> str:
    """Scenarios that differ have digests that do, and of no event there is none."""
    one, again = run("netem", TCP)[0], run("netem", TCP)[0]
    other = run("netem-other", TCP.replace("limit 20", "limit 30"))[0]
    expect(one["event_sha256"] == again["event_sha256"], "the same scenario gave another log")
    expect(one["event_sha256"] != other["event_sha256"], "another scenario gave the same log")
    nothing = run("netem-udp", UDP)[0]
    expect(nothing["flows"]["f"]["bytes"] > 0, "no byte came")
    expect(nothing["events"] == 0 and nothing["event_sha256"] is None, str(nothing["event_sha256"]))
    return "of events only"


def check_distribution() -> str:
    """netem's tables are where tc looks for them: without them there is no run."""
    result, _ = run("netem-distribution", UDP.replace("delay 20ms", "delay 20ms 2ms distribution normal"))
    expect(result["flows"]["f"]["bytes"] > 0, "no byte came")
    return f"{result['flows']['f']['bytes']} bytes"


def check_as_with_a_wlink() -> str:
    """Where a wlink sees the SYN, the first ACK tells the same number."""
    text = DOWN.format(up='wlink = "rate 384kbit"', kind="tcp").replace("netem = ", "wlink = ")
    text += '[[flow]]\nname = "u"\nkind = "tcp"\ndirection = "up"\n[[flow]]\nname = "w"\nkind = "web"\n'
    _, folder = run("netem-none", text)
    first: dict[str, int] = {}
    for line in events(folder, "tcp"):
        first.setdefault(line[1], int(line[UNA]))
    expect(first == {"f": 1, "u": 1, "w": 1}, f"first bytes: {first}")
    return "byte 1"


def check_cables_only() -> str:
    """A network with nothing to log is run for its programs."""
    result, folder = run("cable", CABLE)
    said = (folder / "programs" / "ping.out").read_text()
    expect("1 received" in said, f"ping: {said}")
    expect(result["links"] == {} and result["events"] == 0, f"{result['links']}, {result['events']} events")
    return "a ping"
