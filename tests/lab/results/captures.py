# SPDX-License-Identifier: GPL-2.0
"""Captures of links, against the event log: read by a reader of pcapng of our own, and by tshark."""

import os
import shutil
import struct
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

from brief import brief
from counting import AT, BYTES, DROP, FLOW, LINK, lines
from lab import OUT, WLAB, Skipped, call, expect, run, write
from wlablib.analysis import why

SEQ = 7
# Losses, retransmissions, drops, jitter, copies and errors.
TEXT = brief("""duration = "5s"
[radio.down] wlink = "preset umts-384 limit 10 jitter 5ms duplicate 0.05 corrupt 0.02"
[radio.up] wlink = "preset umts-384"
[[flow]] name = "a"; kind = "tcp"
[[flow]] name = "m"; kind = "media"
""")


class Seen(NamedTuple):
    """A packet of a capture."""

    t_ns: int
    data: bytes
    length: int
    comment: str


def options(data: bytes) -> dict[int, bytes]:
    found = {}
    while data:
        code, length = struct.unpack("<HH", data[:4])
        if not code:
            break
        found[code] = data[4 : 4 + length]
        data = data[4 + length + -length % 4 :]
    return found


def blocks(path: Path) -> list[tuple[int, bytes]]:
    """(type, body) of each; both lengths agree, and no byte is left over."""
    data, out = path.read_bytes(), []
    while data:
        kind, length = struct.unpack("<II", data[:8])
        expect(length % 4 == 0 and 12 <= length <= len(data), f"{path}: a block of {length} bytes")
        expect(data[length - 4 : length] == data[4:8], f"{path}: two lengths of a block")
        out.append((kind, data[8 : length - 4]))
        data = data[length:]
    return out


def read(path: Path, device: str, link: str) -> list[Seen]:
    (section, head), (interface, one), *rest = blocks(path)
    expect((section, interface) == (0x0A0D0D0A, 1), f"{path} begins with {section:x}, {interface}")
    expect(head[:8] == struct.pack("<IHH", 0x1A2B3C4D, 1, 0), f"{path}: {head[:8].hex()}")
    expect(struct.unpack("<H", one[:2]) == (1,), "not Ethernet")
    told = options(one[8:])
    expect(told == {2: device.encode(), 3: link.encode(), 9: b"\x09"}, f"{told}")
    out = []
    for kind, body in rest:
        expect(kind == 6, f"a block of type {kind}")
        interface, high, low, have, length = struct.unpack("<IIIII", body[:20])
        expect(interface == 0, f"interface {interface}")
        told = options(body[20 + have + -have % 4 :])
        out.append(Seen(high << 32 | low, body[20 : 20 + have], length, told[1].decode()))
    return out


def words(comment: str) -> dict[str, str]:
    """Of a comment: its first word as `fate`, then names and values."""
    fate, *rest = comment.split()
    return {"fate": fate, **dict(pair.split("=", 1) for pair in rest)}


def compare(folder: Path, link: str, device: str, parts: dict[str, Any]) -> int:
    """Each line of the log is one packet of the capture, in the same order."""
    seen = read(folder / "capture" / f"{link}.pcapng", device, link)
    log = [line for line, _ in lines(folder) if line[LINK] == link]
    expect(len(seen) == len(log) > 50, f"{len(seen)} packets of {len(log)}")
    sums = dict.fromkeys((*why.PARTS, "total"), Decimal(0))
    for packet, line in zip(seen, log, strict=True):
        told = words(packet.comment)
        end = {"none": "delivered"}.get(line[DROP], told["fate"] if line[DROP] == "flush" else "dropped")
        expect((told["fate"], told["flow"], told["seq"]) == (end, line[FLOW], line[SEQ]), packet.comment)
        expect(packet.t_ns == int(line[AT]), f"{packet.t_ns} ns, {line}")
        # The Ethernet header, too.
        expect(packet.length == int(line[BYTES]) + 14, f"{packet.length} bytes, {line}")
        expect(len(packet.data) == min(packet.length, 256), f"{len(packet.data)} of {packet.length} bytes")
        expect(packet.data[12:15] == b"\x08\x00\x45", f"no IPv4: {packet.data[:16].hex()}")
        if end == "delivered":
            for part in why.PARTS:
                sums[part] += Decimal(told[f"{part}_ms"])
            sums["total"] += Decimal(told["delay_ms"])
        if end == "dropped":
            expect(told["reason"] == line[DROP], packet.comment)
    for part, total in sums.items():
        expect(total * 10**6 == parts[part]["sum_ns"], f"{link}: {part} {total} ms, {parts[part]}")
    expect(sum(sums[part] for part in why.PARTS) == sums["total"], f"{sums}")
    return len(seen)


def wireshark(path: Path) -> list[list[str]]:
    """Time, length, ports of TCP and comment of each packet, by tshark."""
    names = ("frame.time_epoch", "frame.len", "tcp.srcport", "frame.comment")
    fields = [word for name in names for word in ("-e", name)]
    done = call(["tshark", "-n", "-r", str(path), "-T", "fields", *fields])
    expect(done.returncode == 0, done.stderr)
    return [line.split("\t") for line in done.stdout.splitlines()]


def check_each_packet_its_fate_and_the_parts_of_its_delay() -> str:
    """All packets with what became of them; the events are those of a run without a capture."""
    plain, _ = run("not-captured", TEXT)
    result, folder = run("captured", TEXT, "--set", "capture=true")
    expect(result["event_sha256"] == plain["event_sha256"], "a capture changes the run")
    told = {row["link"]: row for row in why.why(folder)["bearers"]}
    counts = []
    for way in ("down", "up"):
        link = f"radio.{way}"
        counts.append(compare(folder, link, f"radio-{way}", told[link]))
        expect(
            result["links"][link]["capture"] == {"packets": counts[-1], "stopped_s": None},
            f"{result['links'][link]['capture']}",
        )
    result, folder = run("captured-up", TEXT, "--set", "capture=['radio.u*']")
    expect([p.name for p in (folder / "capture").iterdir()] == ["radio.up.pcapng"], "more than asked for")
    return f"{counts} packets"


def check_tshark_reads_them() -> str:
    """tshark reads what our reader does."""
    if not shutil.which("tshark"):
        raise Skipped("tshark is not there: userspace/need programs")
    _, folder = run("wireshark", TEXT, "--set", "capture=true")
    path = folder / "capture" / "radio.down.pcapng"
    ours = read(path, "radio-down", "radio.down")
    theirs = wireshark(path)
    expect(len(ours) == len(theirs), f"tshark has {len(theirs)} packets of {len(ours)}")
    for packet, (time, length, _, comment) in zip(ours, theirs, strict=True):
        expect(Decimal(time) * 10**9 == packet.t_ns, f"{time} s, {packet.t_ns} ns")
        expect((int(length), comment) == (packet.length, packet.comment), f"{length} {comment}, {packet}")
    tcp = sum(port == "10001" for _, _, port, _ in theirs)
    flow = sum(words(packet.comment)["flow"] == "a" for packet in ours)
    expect(tcp == flow > 0, f"{tcp} packets from port 10001, {flow} of the flow")
    return f"{len(theirs)} packets"


SMALL = 'mount -t tmpfs -o size=64m none "$1" && shift && exec "$@"'


def check_a_full_disk() -> str:
    """A capture ends before it fills the disk, says so, and the rest goes on."""
    if call(["unshare", "-rm", "true"]).returncode:
        raise Skipped("no user namespaces to have a small disk in")
    plain, _ = run("not-captured", TEXT)
    small = OUT / "small"
    small.mkdir(parents=True, exist_ok=True)
    argv = [*(str(word) for word in ("unshare", "-rm", "sh", "-c", SMALL, "sh", small)), "sh", "-c"]
    places: tuple[dict[str, str], ...] = ({}, {"TMPDIR": str(small)})
    for env in places:
        show = f"'{WLAB}' run '{write('no-room', TEXT)}' --set capture=true --out '{small}/r'"
        done = call([*argv, f"{show} && cat '{small}/r/result.json'"], env={**os.environ, **env})
        expect(done.returncode == 0, done.stderr)
        expect("its capture ends at" in done.stdout and "after 0 packets" in done.stdout, done.stdout)
        expect(str(plain["event_sha256"]) in done.stdout, "another run")
    return "of the result, and of the guest's files"
