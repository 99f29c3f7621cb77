# SPDX-License-Identifier: GPL-2.0
"""How one SDU came: the page about acknowledged mode has the numbers of the run that it names."""

import re
import shutil

from counting import lines
from lab import OUT, ROOT, Skipped, expect, wlab
from wlablib.analysis.plots import data as plotdata, sdu

PAGE = ROOT / "Documentation" / "am.md"
# Columns of an SDU's line.
SEQ, PDUS, LOST, TIMES = 7, 9, 10, (12, 13, 14, 18, 19, 15)
# A report of a PDU of 40 bytes and its header at 64 kbit/s, and the way back.
STATUS_MS = 8 * 42 / 64 + 20


def page() -> str:
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


CASES = {"the page about acknowledged mode": page}
