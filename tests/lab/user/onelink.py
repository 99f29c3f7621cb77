# SPDX-License-Identifier: GPL-2.0
"""`wlab link`: one command behind a link; its figures by hand, what is asserted, slips."""

import json
import shutil
import subprocess
from pathlib import Path

from lab import OUT, WLAB, call, expect

# 40 datagrams to the server and back; in each direction one that is alone on a link of 1 Mbit/s and 20 ms.
SERVER = """import socket
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.bind(("", 7000))
for _ in range(40):
    data, peer = s.recvfrom(2000)
    s.sendto(data[:400], peer)
"""
CLIENT = """import os, socket, time
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for _ in range(40):
    s.sendto(bytes(1000), (os.environ["SERVER"], 7000))
    s.recv(2000)
    time.sleep(0.05)
print("done")
"""
WORDS = "rate 1mbit tti 0 delay 20ms limit 40"
# With headers of UDP and IP: 428 bytes down, 1028 up; the address of Ethernet is not on the air.
DOWN_S, UP_S = 0.020 + 428 * 8 / 1e6, 0.020 + 1028 * 8 / 1e6
SLIPS = (
    (["--", "true"], "which link? one of: --preset NAME, --trace FILE, or --down LINE and --up LINE"),
    (["--preset", "lte-good", "--down", WORDS, "--", "true"], "which link?"),
    (["--preset", "nonsense", "--", "true"], 'preset "nonsense" is unknown'),
    (["--down", WORDS], "no command; type: wlab link --preset NAME -- COMMAND ARGS..."),
    (["--down", "rate 1mbitt", "--", "true"], 'rate "1mbitt" has an unknown unit'),
    (["--down", WORDS, "--assert", "p95(delay)", "--", "true"], "is not FIGURE < VALUE, as in"),
    (["--down", WORDS, "--assert", "p95(dely) < 3ms", "--", "true"], "did you mean 'p95(delay)'?"),
    (["--down", WORDS, "--assert", "p95(delay) < 3", "--", "true"], "is not a time: it needs a unit"),
    (["--down", WORDS, "--assert", "loss < 3ms", "--", "true"], "'ms' is not %"),
    (["--down", WORDS, "--for", "5", "--", "true"], "'5' is not a time"),
    (["--down", WORDS, "--", "no-such-program"], "no-such-program"),
    (["--trace", "none.csv", "--", "true"], "none.csv"),
    (["--down", WORDS, "--live", "--assert", "loss < 1", "--", "true"], "--assert is for virtual time"),
)


def folder(name: str) -> Path:
    out = OUT / "link" / name
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    (out / "server.py").write_text(SERVER)
    (out / "client.py").write_text(CLIENT)
    return out


def link(at: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    return call([str(WLAB), "link", *words], cwd=at)


def near(value: float, wanted: float) -> bool:
    return abs(value - wanted) < 1e-6


def check_one_link_figures() -> str:
    """Each of them by hand, and the status by what is asserted of them."""
    at = folder("figures")
    words = ["--down", WORDS, "--server", "exec python3 server.py", "--out", "out", "--force"]
    good = ["p95(delay) < 24ms", "up.p50(delay) > 28ms", "loss <= 0%", "throughput > 10kbit"]
    good.append("delay_p99_s < 0.0235")
    asserted = [word for text in good for word in ("--assert", text)]
    done = link(at, *words, "--json", *asserted, "--", "python3", "client.py")
    expect(done.returncode == 0, done.stderr)
    said = json.loads(done.stdout)
    expect(said["output"] == "done\n" and all(one["holds"] for one in said["asserted"]), done.stdout)
    for way, delay_s, size in (("down", DOWN_S, 428), ("up", UP_S, 1028)):
        of = said[way]
        expect(all(near(of["delay"][p], delay_s) for p in ("p50", "p95", "p99")), f"{way}: {of}")
        expect(of["loss"] == 0, f"{way}: {of}")
        seconds = json.loads((at / "out/result.json").read_text())["ended_s"]
        expect(near(of["throughput_bps"] / (40 * size * 8 / seconds), 1), f"{way}: {of} in {seconds} s")
        expect(near(of["shares"]["propagation"], 0.020 / delay_s), f"{way}: {of}")
        expect(near(sum(of["shares"].values()), 1), f"{way}: {of}")
    for text, status in (("p95(delay) < 23ms", 1), ("up.loss > 0", 1), ("throughput < 1kbit", 1)):
        done = link(at, *words, "--assert", text, "--", "python3", "client.py")
        told = f"{text}: does not hold" in done.stdout
        expect(done.returncode == status and told, done.stdout + done.stderr)
    nothing = link(at, "--down", WORDS, "--assert", "loss < 1%", "--out", "idle", "--", "true")
    expect(nothing.returncode == 1 and "there is no loss of the downlink" in nothing.stdout, nothing.stdout)
    again = call([str(WLAB), "why", "out"], cwd=at)
    expect(again.returncode == 0 and "radio.down 1:1: 40 SDUs delivered" in again.stdout, again.stdout)
    return f"{len(good)} hold, 4 do not"


def check_one_link_a_trace() -> str:
    """A recorded downlink is played: one opportunity each 100 ms for one datagram and no more."""
    at = folder("traced")
    (at / "drive").write_text("".join(f"{n}\n" for n in range(0, 10000, 100)))
    words = ["--trace", "drive", "--server", "exec python3 server.py", "--json"]
    done = link(at, *words, "--", "sh", "-c", "python3 client.py; true")
    expect(done.returncode == 0, done.stderr)
    down = json.loads(done.stdout)["down"]
    expect(0.02 < down["delay"]["p50"] <= 0.12 and "queue" in down["shares"], f"{down}")
    return f"p50 {down['delay']['p50']:.3f} s"


def check_one_link_slips() -> str:
    at = folder("slips")
    for words, why in SLIPS:
        done = link(at, *words)
        text = done.stdout + done.stderr
        expect(done.returncode in (1, 2) and why in text and "Traceback" not in text, f"{words}: {text}")
    failed = link(at, "--down", WORDS, "--", "sh", "-c", "echo why >&2; exit 3")
    expect(failed.returncode == 1 and "exit status 3" in failed.stderr, failed.stderr)
    return f"{len(SLIPS)} refused"
