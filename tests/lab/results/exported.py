# SPDX-License-Identifier: GPL-2.0
"""One run in the formats of other programs, and what wlinkctl recorded of it, against the event log.

The files are read by readers of their own: pcapng by that of the captures and by tshark.
"""

import json
import shutil
import struct
from collections import Counter, defaultdict
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

from brief import brief
from captures import SEQ, TEXT, blocks, options, wireshark, words
from counting import ARRIVAL, AT, BYTES, DELIVER, DROP, FLOW, LINK, WAY, lines
from lab import OUT, expect, run, wlab

RECORDER = brief("""[[program]] name = "recorder"; in = "router"
run = "exec wlinkctl record radio-down - --for 4500ms"
[[at]] time = "2s"; run = "wlinkctl set {down} rate 200kbit"
""")
NS_IN_MS = 10**6
Ints = tuple[int, ...]


class Fact(NamedTuple):
    """What each file has to say of a packet on a link; a copy has the same number."""

    link: str
    seq: int
    bytes: int
    # A reason of drops, none, or held.
    drop: str
    at: int
    delay: int


def of_log(row: list[str]) -> Fact:
    """No bearer is removed in this run, so what was flushed was held at its end."""
    delay = int(row[DELIVER]) - int(row[ARRIVAL]) if row[DROP] == "none" else -1
    drop = {"flush": "held"}.get(row[DROP], row[DROP])
    return Fact(row[LINK], int(row[SEQ]), int(row[BYTES]), drop, int(row[AT]), delay)


def exported(of: Path, kind: str) -> Path:
    to = OUT / f"exported.{kind}"
    called = wlab("export", str(of), "--to", str(to), "--json")
    expect(called.status == 0, called.err)
    expect(json.loads(called.out)["rows"] > 100, called.out)
    return to


def same(what: str, have: list[Fact], log: list[Fact]) -> None:
    have_not, too_many = Counter(log) - Counter(have), Counter(have) - Counter(log)
    text = f"{[*have_not][:3]} are missing, {[*too_many][:3]} are not in the log"
    expect(not have_not and not too_many and len(log) > 100, f"{what}: {text}")


def ns(ms: float | Decimal) -> int:
    return round(ms * NS_IN_MS)


def in_pcapng(path: Path, names: dict[str, str], shift: int, data: bool) -> list[Fact]:
    """Links by the names of interfaces, times less `shift`."""
    (section, _), *rest = blocks(path)
    expect(section == 0x0A0D0D0A, f"{path}: {section:x}")
    interfaces, out = [], []
    for kind, body in rest:
        if kind == 1:
            interfaces.append(names[options(body[8:])[2].decode()])
            continue
        number, high, low, have, length = struct.unpack("<IIIII", body[:20])
        expect(have == (min(length, 256) if data else 0), f"{have} of {length} bytes")
        told = words(options(body[20 + have + -have % 4 :])[1].decode())
        parts = {name: ns(Decimal(v)) for name, v in told.items() if name.endswith("_ms")}
        delay = parts.pop("delay_ms", -1)
        expect(delay == (sum(parts.values()) if parts else -1), f"the parts of {told}")
        drop = told.get("reason", {"delivered": "none"}.get(told["fate"], told["fate"]))
        at = (high << 32 | low) - shift
        out.append(Fact(interfaces[number], int(told["seq"]), length - 14, drop, at, delay))
    return out


def in_qlog(path: Path, names: dict[str, str], utc: int) -> tuple[list[Fact], list[Ints], Counter[Ints]]:
    """Also time, window in bytes and round-trip time of TCP's senders, and numbers and times of arrivals.

    As floats, times of the day are exact to a quarter of a µs.
    """
    first, *texts = path.read_bytes().split(b"\x1e")
    expect(not first and all(text.endswith(b"\n") for text in texts), "no JSON text sequence")
    head, *events = map(json.loads, texts)
    expect(head["file_schema"].endswith("file:sequential") and head["qlog_format"] == "JSON-SEQ", f"{head}")
    times = [event["time"] for event in events]
    expect(times == sorted(times), "not in order of time")
    out, lost, sent = [], Counter[int](), Counter[Ints]()
    windows: list[Ints] = []
    for event in events:
        data, name = event["data"], event["name"]
        at = ns(event["time"]) - utc
        if name == "transport:packet_sent":
            sent[data["header"]["packet_number"], at] += 1
        elif name == "recovery:packet_lost":
            lost[data["header"]["packet_number"]] += 1
        elif name == "recovery:metrics_updated":
            sending = (data["pacing_rate"], data["delivery_rate"])
            windows.append((at, data["congestion_window"], ns(data["smoothed_rtt"]), *sending))
        elif name == "wlink:sdu":
            drop = data.get("reason", {"delivered": "none"}.get(data["fate"], data["fate"]))
            delay = ns(data["delay_ms"]) if "delay_ms" in data else -1
            expect(delay in (-1, ns(sum(data["parts_ms"].values()))), f"{data}")
            out.append(Fact(names[data["link"]], data["seq"], data["bytes"], drop, at, delay))
    numbers = Counter(number for number, _ in sent.elements())
    expect(numbers == Counter(one.seq for one in out), "not each SDU has arrived")
    expect(lost == Counter(one.seq for one in out if one.drop not in ("none", "held")), f"{lost} lost")
    return out, windows, sent


def in_perfetto(path: Path, names: dict[str, str], shift: int) -> list[Fact]:
    """A slice for each SDU, in which the parts of its delay are."""
    records = json.loads(path.read_text())["traceEvents"]
    link = {r["pid"]: names[r["args"]["name"]] for r in records if r["name"] == "process_name"}
    under: dict[int, list[dict[str, Any]]] = defaultdict(list)
    inside: dict[int, int] = defaultdict(int)
    out = []
    for record in records:
        stack, at = under[record.get("id", -1)], round(record.get("ts", 0) * 1000)
        if record["ph"] == "b":
            expect(not stack or stack[-1]["ts"] <= record["ts"], f"{record} begins before {stack}")
            stack.append(record)
        elif record["ph"] == "e":
            begun = stack.pop()
            span = at - round(begun["ts"] * 1000)
            expect(begun["name"] == record["name"] and span >= 0, f"{begun}, {record}")
            if stack:
                inside[record["id"]] += span
                continue
            args, (_, fate, *reason) = begun["args"], begun["name"].split()
            drop = {"delivered": "none", "dropped": "".join(reason)}.get(fate, fate)
            delay = inside[record["id"]] if fate == "delivered" else -1
            expect(delay == (ns(args["delay_ms"]) if fate == "delivered" else -1), f"{delay} ns, {begun}")
            out.append(Fact(link[record["pid"]], args["seq"], args["bytes"], drop, at - shift, delay))
    expect(not any(under.values()), "a slice without an end")
    drops = sum(r["ph"] == "i" and r["name"].startswith("dropped ") for r in records)
    expect(drops == sum(one.drop not in ("none", "held") for one in out) > 0, f"{drops} drops")
    buffers = [r["args"]["packets"] for r in records if r["name"].startswith("buffer")]
    expect(len(buffers) == 2 * len(out) and min(buffers) == 0 < max(buffers), "of the buffer")
    rates = [r["args"]["value"] for r in records if r["name"].startswith("rate")]
    expect(rates == [200_000], f"{rates}")
    return out


def rates(folder: Path) -> list[Ints]:
    """Pacing and delivery rate of the sender at each of its ACKs."""
    rows = (line.split("\t") for line in (folder / "series" / "a.rates.tsv").read_text().splitlines())
    return [(int(pacing), int(delivery)) for _, pacing, delivery in rows]


def check_exports_a_run_and_a_recording_as_pcapng_qlog_and_perfettos() -> str:
    result, folder = run("exported", TEXT + RECORDER, "--set", "capture=true")
    rows = [row for row, _ in lines(folder)]
    log = [of_log(row) for row in rows]
    links, mss = {link: link for link in result["links"]}, result["flows"]["a"]["mss"]
    same("pcapng", in_pcapng(exported(folder, "pcapng"), links, 0, data=True), log)
    have, windows, arrived = in_qlog(exported(folder, "sqlog"), links, 0)
    same("qlog", have, log)
    came = Counter((int(row[SEQ]), int(row[ARRIVAL])) for row in rows)
    expect(arrived == came, "SDUs arrive at another time")
    text = (line.split("\t") for line in (folder / "events.tsv").read_text().splitlines())
    wanted = [
        (int(row[1]), int(row[3]) * mss, int(row[8]) * 1000, *sending)
        for row, sending in zip((row for row in text if row[0] == "tcp"), rates(folder), strict=True)
    ]
    expect(windows == wanted and len(windows) > 10, f"{windows[:3]}, {wanted[:3]}")
    same("Perfetto's", in_perfetto(exported(folder, "json"), links, 0), log)
    if shutil.which("tshark"):
        ports = Counter(port for _, _, port, _ in wireshark(OUT / "exported.pcapng"))
        sent = sum(row[FLOW] == "a" and row[WAY] == "forth" for row in rows)
        expect(ports["10001"] == sent, f"tshark: {ports}, {sent} of the flow")
    return f"{len(log)} packets, {as_recorded(folder / 'programs' / 'recorder.out', log)} recorded"


def as_recorded(recording: Path, log: list[Fact]) -> int:
    """The same packets, their times those of the guest's clock, or of the day."""
    records = [json.loads(line) for line in recording.read_text().splitlines()]
    clock = next(record["clock"] for record in records if "clock" in record)
    sdus = [record for record in records if record.get("event") == "wlink_sdu"]
    numbers = {record["seq"] for record in sdus}
    log = [fact for fact in log if fact.link == "radio.down" and fact.seq in numbers]
    begin = sdus[0]["ts_ns"] - log[0].at
    utc = clock["tai_ns"] - clock["mono_ns"] - 10**9 * clock["tai_utc_s"]
    names = {f"radio-down {sdus[0]['handle']}": "radio.down"}
    same("pcapng", in_pcapng(exported(recording, "pcapng"), names, begin + utc, data=False), log)
    same("Perfetto's", in_perfetto(exported(recording, "json"), names, begin), log)
    have, *_ = in_qlog(exported(recording, "sqlog"), names, begin + utc)
    exact = Counter(fact._replace(at=0) for fact in have)
    expect(exact == Counter(fact._replace(at=0) for fact in log), "qlog of a recording has other packets")
    return len(have)
