# SPDX-License-Identifier: GPL-2.0
"""How one SDU came: the page about acknowledged mode has the numbers of its run; a recording as a result."""

import re
import shutil
from pathlib import Path

from brief import brief
from counting import lines
from lab import OUT, ROOT, Skipped, expect, run, wlab
from wlablib.analysis import why
from wlablib.analysis.plots import data as plotdata, sdu

PAGE = ROOT / "Documentation" / "am.md"
# Columns of an SDU's line.
SEQ, PDUS, LOST, TIMES = 7, 9, 10, (12, 13, 14, 18, 19, 15)
# A report of a PDU of 40 bytes and its header at 64 kbit/s, and the way back.
STATUS_MS = 8 * 42 / 64 + 20


def check_the_page_about_acknowledged_mode() -> str:
    """Its commands, its picture's ways and its table, against the event log by hand."""
    text, out = PAGE.read_text(), OUT / "am"
    lines_of = re.findall(r"^    wlab (.*)$", text, re.M)
    commands = [line.replace("build/am", str(out)).split() for line in lines_of]
    shutil.rmtree(out, ignore_errors=True)
    said = []
    for words in commands:
        called = wlab(*words)
        if "is missing; type" in called.err:
            raise Skipped(called.err.strip())
        expect(called.status == 0, f"{words}: {called.err}")
        said.append(called.out)
    expect(said[1].strip() == str(out / "plot-sdu.png"), said[1])
    log = {int(w[SEQ]): w for w, _ in lines(out)}
    for number, parts in re.findall(r"^\| (\d+) \| (.*) \|$", text, re.M):
        w = log[int(number)]
        arrival, start, end, due, whole, deliver = (int(w[i]) for i in TIMES)
        wanted = [start - arrival, end - start, due - end, whole - due, deliver - whole, deliver - arrival]
        expect(parts == " | ".join(f"{ns / 1e6:.3f}" for ns in wanted), f"SDU {number}: {wanted}")
    lost, sent = (sum(int(w[i]) for w in log.values()) for i in (LOST, PDUS))
    expect(f"{lost} PDUs of {sent} are lost" in text, f"{lost} of {sent}")
    expect(f"{sent} PDUs, {lost} lost" in said[2], said[2])
    result = plotdata.Result(out)
    one = next(way for way in sdu.ways(result, 66) if way.seq == 66)
    # 30 ms after the poll has come a TTI begins, and what it sends is there 30 ms later.
    expect(abs(one.whole - one.due - 60) < 1e-6 and abs(one.repeated - one.due - 40) < 1e-6, f"{one}")
    status = sdu.status_ms(result, one)
    expect(status is not None and abs(status - one.due - STATUS_MS) < 1e-6, f"{status}")
    expect((one.pdus - one.lost, one.lost) == (13, 1), f"{one}")
    called = wlab("plot", str(out), "--sdu", "100000")
    expect(called.status == 1 and "no SDU 100000 that radio.down has delivered" in called.err, called.err)
    return f"{lost} PDUs lost of {sent}"


RECORDED = brief("""duration = "3s"
[radio.down] wlink = "preset umts-384 limit 10 jitter 5ms duplicate 0.05"
[radio.up] wlink = "preset umts-384"
[[flow]] name = "a"; kind = "tcp"
[[program]] name = "recorder"; in = "router"; run = "exec wlinkctl record radio-down - --for 3500ms"
[[at]] time = "2s"; run = "wlinkctl set {down} rate 200kbit"
""")
# What a recording has otherwise: the time of its begin, names of link and flow, TCP's numbers as they are.
OTHER = {"link", "flow", "way", "tcp_seq"}
TIMED = {"t", "arrival", "start", "end", "deliver", "due", "whole"}


def table(folder: Path, link: str, shift: int) -> list[dict[str, str]]:
    """The rows of a log of one link by the names of their columns, times less `shift`."""
    columns, out = {}, []
    for line in (folder / "events.tsv").read_text().splitlines():
        kind, *words = line.split("\t")
        if kind.startswith("# "):
            columns[kind[2:]] = words
        elif link in words:
            row = {"kind": kind, **dict(zip(columns[kind], words, strict=True))}
            here = {name: str(int(row[name]) - shift) for name in TIMED & row.keys() if row[name] != "-1"}
            out.append({name: one for name, one in (row | here).items() if name not in OTHER})
    return out


def check_a_recording_opens_as_a_result_does() -> str:
    """plot, why and Python open a log of wlinkctl record; what it has is what the run's log has."""
    import wlab as python

    _, folder = run("recorded", RECORDED)
    log = OUT / "recording.jsonl"
    shutil.copyfile(folder / "programs/recorder.out", log)
    result = python.open(log)
    (name,) = result.summary["links"]
    lab = table(folder, "radio.down", 0)
    first = next(row for row in lab if row["kind"] == "sdu")
    have = table(result.folder, name, 0)
    shift = int(next(row for row in have if row["kind"] == "sdu")["arrival"]) - int(first["arrival"])
    have = table(result.folder, name, shift)
    # What the run's end has flushed was held in the run.
    flushed = [row for row in have if row.get("drop") == "flush"]
    both = [[row for row in rows if row.get("drop") != "flush"] for rows in (lab, have)]
    expect(both[0] == both[1] and len(both[0]) > 50, f"{[r for r in zip(*both) if r[0] != r[1]][:2]}")
    kinds = {row["kind"] for row in have}
    expect(kinds == {"sdu", "rate", "channel", "impaired"}, f"{kinds}")
    frame = result.events["sdu"]
    expect(len(frame) == sum(row["kind"] == "sdu" for row in have) > len(flushed), "rows of the frame")
    parts = [why.why(one)["bearers"] for one in (folder, result.folder)]
    for part in (*why.PARTS, "total"):
        expect(parts[0][0][part] == parts[1][0][part], f"{part}: {parts[0][0][part]}, {parts[1][0][part]}")
    called = wlab("why", str(log))
    told = f"{name} 1:1: {parts[0][0]['count']} SDUs delivered"
    expect(called.status == 0 and told in called.out, called.err)
    called = wlab("plot", str(log))
    pictures = [str(log.with_name(f"recording-{what}.png")) for what in ("plot", "plot-why")]
    expect(called.out.split() == pictures and all(Path(one).stat().st_size for one in pictures), called.err)
    text = log.read_text()
    for bad, told in (
        ("", "has no clock line"),
        (text.replace('"arrival_ns"', '"arrived_ns"'), "a record without 'arrival_ns'"),
        (re.sub(r'.*"wlink_sdu".*\n', "", text), "no packet in it"),
    ):
        log.write_text(bad)
        for command in ("why", "plot"):
            called = wlab(command, str(log))
            expect(called.status == 1 and told in called.err and str(log) in called.err, called.err)
    return f"{len(both[0])} lines"
