# SPDX-License-Identifier: GPL-2.0
"""A congestion control of one's own, from its source to a run; one that does as reno does is the oracle."""

import hashlib
import shutil
from pathlib import Path
from statistics import median

from brief import brief
from lab import OUT, ROOT, expect, run, wlab

LINK = brief("""duration = "5s"
[radio.down] wlink = "delay 20ms limit 20"; trace = { file = "rates.csv", start = "100ms" }
[radio.up] wlink = "rate 1mbit delay 20ms"
[[flow]] name = "f"; kind = "tcp"
""")
EXAMPLE = ROOT / "userspace" / "wlab" / "examples" / "tcp_mine.c"


def rates(folder: Path) -> float:
    """The sender measures what the link lets through; reno's pacing is 120 % of a window a round trip."""
    series = [folder / "series" / f"f.{name}.tsv" for name in ("rates", "cwnd")]
    both = [[[*map(int, x.split("\t"))] for x in path.read_text().splitlines()] for path in series]
    late = [(a, b) for a, b in zip(*both, strict=True) if a[0] > 3 * 10**9 and b[1] >= b[2]]
    delivery = float(median(rate[2] for rate, _ in late))
    # 500 kbit/s of packets of 1500 bytes, 1448 of them payload.
    expect(abs(delivery / (500_000 * 1448 / 1500) - 1) < 0.02, f"a delivery rate of {delivery} bit/s")
    paced = median(rate[1] / (1.2 * cwnd * 1448 * 8e6 / srtt_us) for rate, (_, cwnd, _, srtt_us) in late)
    expect(abs(paced - 1) < 0.05, f"a pacing rate {paced} of what it should be")
    return delivery


def check_a_congestion_control_of_ones_own() -> str:
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
    delivery = rates(folder)
    goodput = mine["flows"]["f"]["goodput_bps"]
    return f"delivery rate {delivery / 1e3:.0f} kbit/s, {goodput / 1e3:.0f} kbit/s, as reno"
