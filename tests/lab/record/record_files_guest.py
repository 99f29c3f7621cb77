# SPDX-License-Identifier: GPL-2.0
"""Inside the lab kernel: the files of wlinkctl record, however it ends.

record_files_guest.py CASE
"""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from time import sleep
from typing import Any

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))

from seeing_kit import Blast, Recorder, device, expect, idle, instances, main, sh

OUT = Path("/tmp/out.jsonl")
RAW = Path(f"{OUT}.raw")
SUM = '{{"lost": {}, "events": {}}}\n'


def made(raw: Path, path: Path) -> tuple[int, str, list[dict[str, Any]]]:
    """What --from makes of a raw recording: status, what it says, lines."""
    ran = subprocess.run(
        f"wlinkctl record --from {raw} {path}".split(), text=True, capture_output=True, check=False
    )
    return ran.returncode, ran.stderr, [json.loads(line) for line in path.read_text().splitlines()]


def only_events(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [line for line in lines if "event" in line]


def ends() -> str:
    """However it ends, the instance goes and the file is whole."""
    device("va", "rate 10mbit")
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        for way in ("", "--live"):
            recorder = Recorder(f"va {OUT} {way}", OUT)
            Blast("va", 1, 100, 0.001).join()
            idle("va")
            expect(RAW.exists() == (not way), f"{number!r} {way}: {RAW} is not as it should be")
            status, err = recorder.end(number)
            events, end = recorder.read()
            expect((status, err) == (0, SUM.format(0, 100)), f"{number!r} {way}: {status} {err}")
            expect(end == {"lost": 0, "events": 100} and len(events) == 100, f"{number!r} {way}: {end}")
            expect(not instances(), f"{number!r} {way} left {instances()}")
            expect(not RAW.exists(), f"{number!r} {way} left {RAW}")
    recorder = Recorder(f"va {OUT} --live", OUT)
    recorder.end(signal.SIGKILL)
    expect(len(instances()) == 1, f"killed: {instances()}")
    # The next one sweeps, but not what somebody uses.
    beside = Recorder(f"{OUT}.2", OUT)
    recorder = Recorder(f"va {OUT} --for 10ms", OUT)
    expect(recorder.end() == (0, SUM.format(0, 0)), "the one beside it")
    expect(instances() == [f"wlinkctl-{beside.process.pid}"], f"swept: {instances()}")
    beside.end(signal.SIGTERM)
    expect(not instances(), f"left {instances()}")
    return "INT, TERM, HUP, KILL"


def left() -> str:
    """What was not made into lines stays and is not lost by the next recording."""
    device("va", "rate 10mbit")
    hint = f"{RAW} stays; its lines: wlinkctl record --from {RAW} {OUT}\n"
    recorder = Recorder(f"va {OUT}", OUT)
    Blast("va", 1, 100, 0.001).join()
    idle("va")
    sleep(0.2)
    recorder.end(signal.SIGKILL)
    expect(not OUT.read_bytes(), "lines before the end")
    data = RAW.read_bytes()
    ran = subprocess.run(f"wlinkctl record va {OUT}".split(), text=True, capture_output=True, check=False)
    expect(ran.returncode == 1 and f"{RAW} is there" in ran.stderr, f"over what was left: {ran}")
    expect(RAW.read_bytes() == data, "what was left is changed")
    status, err, lines = made(RAW, OUT)
    expect(status == 1 and "the recording has no end" in err, f"killed: {status} {err}")
    expect(len(only_events(lines)) == 100, f"killed: {len(only_events(lines))} events")
    RAW.unlink()
    # Who asks twice does not wait for the lines.
    recorder = Recorder(f"va {OUT}", OUT)
    Blast("va", 1, 100, 0.001).join()
    idle("va")
    recorder.process.send_signal(signal.SIGINT)
    status, err = recorder.end(signal.SIGTERM)
    expect(status == 1 and err.endswith(hint), f"asked twice: {status} {err}")
    expect(not instances(), f"left {instances()}")
    status, err, lines = made(RAW, OUT)
    expect((status, err, len(only_events(lines))) == (0, SUM.format(0, 100), 100), f"asked twice: {err}")
    RAW.unlink()
    # A file that cannot be written leaves no raw one.
    ran = subprocess.run("wlinkctl record va /tmp".split(), text=True, capture_output=True, check=False)
    expect(ran.returncode == 1 and "/tmp: Is a directory" in ran.stderr, f"a folder: {ran}")
    ran = subprocess.run("wlinkctl record va /no/x".split(), text=True, capture_output=True, check=False)
    expect(ran.returncode == 1 and "/no/x.raw: No such file" in ran.stderr, f"no folder: {ran}")
    Path("/tmp/link").symlink_to("/no/x")
    ran = subprocess.run("wlinkctl record va /tmp/link".split(), text=True, capture_output=True, check=False)
    expect(ran.returncode == 1 and "/tmp/link: No such file" in ran.stderr, f"a bad link: {ran}")
    expect(not Path("/tmp/link.raw").exists(), "a raw file of nothing")
    return "killed, asked twice, not begun"


def small(kb: int) -> Path:
    """A file on a disk that has so much room."""
    sh(f"mkdir /tmp/{kb}; mount -t tmpfs -o size={kb}k tmpfs /tmp/{kb}")
    return Path(f"/tmp/{kb}/x.jsonl")


def full() -> str:
    """A disk that fills up, a device that takes nothing, a reader that leaves."""
    device("va", "rate 10mbit")
    path = small(16)
    recorder = Recorder(f"va {path} --live", path)
    blast = Blast("va", 1, 400, 0.001)
    status, err = recorder.end()
    blast.join()
    text = path.read_text()
    lines = [json.loads(line) for line in text.splitlines()]
    expect(status == 1 and f"{path}: No space left on device" in err, f"{status} {err}")
    expect(text.endswith("\n") and len(lines) > 20, f"{len(lines)} lines, the end is {text[-40:]!r}")
    count = sum("event" in line for line in lines)
    expect(err.endswith(SUM.format(0, count)), f"{count} whole lines, but it says {err}")
    counts = [count]
    # No room for all pages; no room for the lines beside them.
    for kb, want, what in ((60, 1, "x.jsonl.raw"), (160, 0, "x.jsonl")):
        path, kept = small(kb), Path(f"/tmp/{kb}/x.jsonl.raw")
        recorder = Recorder(f"va {path}", path)
        blast = Blast("va", 1, 500, 0.001)
        blast.join()
        idle("va")
        status, err = recorder.end(0 if want else signal.SIGINT)
        expect(status == 1 and f"/tmp/{kb}/{what}: No space left on device" in err, f"{kb}: {status} {err}")
        hint = f"{kept} stays; its lines: wlinkctl record --from {kept} {path}\n"
        expect(err.endswith(hint), f"{kb}: {err}")
        part = only_events([json.loads(line) for line in path.read_text().splitlines()])
        status, err, lines = made(kept, OUT)
        events = only_events(lines)
        expect(status == want and (not want or "the recording has no end" in err), f"{kb}: {status} {err}")
        expect(len(events) > 50 and (len(events) == 500) == (not want), f"{kb}: {len(events)} events")
        expect(part == events[: len(part)] and len(part) < len(events), f"{kb}: {len(part)} whole lines")
        counts.append(len(events))
    said = []
    for words in ("va /dev/full", "va - --for 20s | head -n 1 >/dev/null"):
        shell = subprocess.Popen(f"wlinkctl record {words}", shell=True, stderr=subprocess.PIPE, text=True)
        while not instances():
            sleep(0.001)
        Blast("va", 1, 300, 0.001).join()
        said.append(shell.communicate()[1])
    expect("/dev/full: No space left on device" in said[0], said[0])
    expect("standard output: Broken pipe" in said[1], said[1])
    expect(not instances(), f"left {instances()}")
    return f"{counts} events on full disks"


if __name__ == "__main__":
    main({f.__name__: f for f in (ends, left, full)})
