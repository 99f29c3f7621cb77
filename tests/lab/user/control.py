# SPDX-License-Identifier: GPL-2.0
"""A congestion control of one's own, from its source to a run; one that does as reno does is the oracle."""

import hashlib
import shutil

from lab import OUT, ROOT, expect, run, wlab

LINK = """duration = "5s"
[radio.down]
wlink = "delay 20ms limit 20"
trace = { file = "rates.csv", start = "100ms" }
[radio.up]
wlink = "rate 1mbit delay 20ms"
[[flow]]
name = "f"
kind = "tcp"
"""
EXAMPLE = ROOT / "userspace" / "wlab" / "examples" / "tcp_mine.c"


def own() -> str:
    """On a link that has its rates of a trace only, which begins after the flow."""
    OUT.mkdir(parents=True, exist_ok=True)
    (OUT / "rates.csv").write_text("0,1mbit\n2,500kbit\n")
    source = OUT / "tcp_mine.c"
    shutil.copy(EXAMPLE, source)
    called = wlab("module", str(source))
    made = source.with_suffix(".ko")
    expect(called.status == 0 and called.out == f"{made}\n", called.err)
    mine, _ = run("own-control", LINK, "--set", "tcp.congestion=tcp_mine.ko")
    reno, folder = run("own-reno", LINK, "--set", "tcp.congestion=reno")
    expect(mine["stack"]["congestion"] == "mine" and not mine["stack"]["differs"], f"{mine['stack']}")
    expect(mine["event_sha256"] == reno["event_sha256"], "not the events of reno")
    expect(mine["flows"]["f"]["retransmissions"] > 0, f"{mine['flows']['f']}")
    digest = hashlib.sha256(made.read_bytes()).hexdigest()
    expect(mine["files"]["tcp_mine.ko"].startswith(digest), f"{mine['files']}")
    received = [x.split("\t") for x in (folder / "series" / "f.seq.tsv").read_text().splitlines()]
    first = min(int(row[0]) for row in received if row[1] == "received")
    expect(first > 100_000_000, f"the link has sent at {first} ns, before its trace")
    (OUT / "tcp_wrong.c").write_text(source.read_text().replace(".ssthresh", ".no_such_thing"))
    called = wlab("module", str(OUT / "tcp_wrong.c"))
    expect(called.status == 1 and "no_such_thing" in called.err, called.err)
    return f"{mine['flows']['f']['goodput_bps'] / 1e3:.0f} kbit/s, as reno"


CASES = {"a congestion control of one's own": own}
