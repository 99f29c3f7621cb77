# SPDX-License-Identifier: GPL-2.0
"""Replays of made runs: their series against counts of the event log that share no code with theirs."""

import json
from pathlib import Path
from typing import Any

from brief import brief
from counting import TWO_CELLS, near
from lab import OUT, expect, run, wlab
from wlablib.web import log

S, MS = 10**9, 10**6
FLOWS = brief("""[[flow]] name = "f"; kind = "tcp"
[[flow]] name = "u"; kind = "udp"; direction = "up"; rate = "200kbit"; size = 400
""")
ALONE = brief("""duration = "3500ms"
[wired] netem = "delay 5ms"
[radio.down] wlink = "rate 1mbit tti 1ms delay 5ms limit 20"
[radio.up] wlink = "rate 1mbit tti 1ms delay 5ms duplicate 0.1"
[[at]] time = "1s"; run = "wlinkctl set {down} rate 0"
[[at]] time = "1700ms"; run = "wlinkctl set {down} rate 500kbit"
""")
MOVES = f"""duration = "4s"
{TWO_CELLS}[[at]]
time = "2s"
move = "ue"
to = "b"
interruption = "50ms"
queue = "forward"
"""
IDLE = brief("""duration = "2s"
[wired] netem = "delay 5ms"
[radio.down] wlink = "rate 1mbit delay 5ms"
[radio.up] wlink = "rate unlimited delay 5ms"
[[flow]] name = "u"; kind = "udp"; direction = "down"; rate = "200kbit"; size = 400; stop = "500ms"
""")


RECORDED = """duration = "1500230us"
[radio.down]
wlink = "{down}"
[radio.up]
wlink = "rate 1mbit tti 1ms delay 5ms duplicate 0.1 limit 10"
{at}
"""
AT = brief("""[[at]] time = "500ms"; link = "radio.down"; state = "down"
[[at]] time = "700ms"; link = "radio.down"; state = "up"
""")
RECORDER = """[[program]]
name = "{way}"
in = "{node}"
run = "exec wlinkctl record radio-{way} - --for 1400ms"
"""


def data_in(page: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(
        page.partition('type="application/json">')[2].partition("</script>")[0]
    )
    return found


def data_of(folder: Path, *words: str) -> dict[str, Any]:
    to = OUT / "replayed.html"
    called = wlab("web", str(folder), "--out", str(to), "--json", *words)
    expect(called.status == 0, called.err)
    data = data_in(to.read_text())
    expect(data["notes"] == json.loads(called.out)["notes"], "the command has other notes than the page")
    return data


def counted(folder: Path, link: str, samples: list[dict[str, Any]], flushed: int, whole: bool = True) -> int:
    """Each interval of a link; how many SDUs were delivered. `flushed` are drops of removed bearers.

    If they are not of the whole run, what the log has after them does not count.
    """
    copy, rows, last = False, [], samples[-1]["t"]
    for line in (folder / "events.tsv").read_text().splitlines():
        w = line.split("\t")
        if w[0] == "impaired":
            copy = w[7] in ("2", "3")
        elif w[0] == "sdu":
            # What arrives while the links are removed is not of the run.
            of_run = not (w[11] == "flush" and w[12] == w[14]) if whole else int(w[1]) <= last
            if w[2] == link and not copy and of_run:
                rows.append(w)
            copy = False
    held = [w for w in sorted(rows, key=lambda w: int(w[1])) if w[11] == "flush"][flushed:]
    for one, following in zip(samples, [*samples[1:], None]):
        begin, end = one["t"] - one["i"], one["t"] + (following is None)
        done = [w for w in rows if w[11] == "none" and begin <= int(w[15]) < end]
        lost = [w[11] for w in rows if w[11] not in ("none", "forward") and begin <= int(w[1]) < end]
        lost = lost if following else lost[: len(lost) - len(held)]
        what = f"{link} at {begin / S:.1f} s"
        expect(one["sdus"] == len(done), f"{what}: {one['sdus']} SDUs shown, counted {len(done)}")
        shown = {why: lost.count(why) for why in {*lost}}
        expect(one["drops"] == shown, f"{what}: drops {one['drops']}, counted {shown}")
        for name, some in (
            ("offered", [w for w in rows if begin <= int(w[12]) < end]),
            ("delivered", done),
        ):
            bps = sum(int(w[8]) for w in some) * 8e9 / one["i"]
            expect(abs(one[name] - bps) < 1e-6 * (1 + bps), f"{what}: {name} {one[name]}, counted {bps}")
        delay = sum(one["parts"][part] or 0 for part in one["parts"])
        mean = sum(int(w[15]) - int(w[12]) for w in done) / max(1, len(done))
        expect(abs(delay - mean) < 8, f"{what}: parts of {delay} ns, counted {mean}")
    return sum(one["sdus"] for one in samples)


def checked(name: str, text: str, links: dict[str, str], *words: str) -> tuple[dict[str, Any], list[int]]:
    """All of a run, as long as it was."""
    result, folder = run(name, text)
    data = data_of(folder, *words)
    expect(data["keys"] == links, f"links {data['keys']}")
    sums = []
    for way, link in links.items():
        samples = data["samples"][way]
        ends = samples[0]["t"] - samples[0]["i"], samples[-1]["t"]
        expect(ends == (0, round(result["ended_s"] * S)), f"{link} from {ends[0]} to {ends[1]} ns")
        drops = result["links"][link].get("whole", result["links"][link])["dropped"]
        sums.append(counted(folder, link, samples, drops.get("flush", 0)))
    return data, sums


def rates(samples: list[dict[str, Any]]) -> list[tuple[float, Any]]:
    """(s, rate) from then on."""
    out: list[tuple[float, Any]] = []
    for one in samples:
        if not out or out[-1][1] != one.get("rate", "unknown"):
            out.append((one["t"] / S, one.get("rate", "unknown")))
    return out


def check_replayed_is_what_was_counted() -> str:
    """Both directions, an outage, rates that change and that do not, copies, what is held at the end."""
    data, sums = checked("replayed-alone", ALONE + FLOWS, {"down": "radio.down", "up": "radio.up"})
    down, up = rates(data["samples"]["down"]), rates(data["samples"]["up"])
    expect(down == [(0.1, 1e6), (1.1, 0), (1.8, 5e5)], f"rates of the downlink: {down}")
    expect(up == [(0.1, 1e6)], f"rates of the uplink: {up}")
    wait = [one["buffer"] for one in data["samples"]["down"] if 1.1 * S < one["t"] < 1.6 * S]
    expect(min(wait) > 0, f"in the outage {wait} packets wait")
    changes = [(round(c["t"] / S, 2), c["text"]) for c in data["changes"]]
    expect(changes == [(1.0, "rate 0 bit/s"), (1.7, "rate 500000 bit/s")], f"changes {changes}")
    expect(not data["notes"], f"{data['notes']}")
    return f"{sums} SDUs"


def check_replayed_after_a_move_is_what_was_counted() -> str:
    """A user that moves in the middle: each cell, to the end of the run."""
    links = {name: name for name in ("a.down", "b.down", "a.up", "b.up")}
    data, sums = checked("replayed-moves", MOVES, links)
    a, b = (rates(data["samples"][link]) for link in ("a.down", "b.down"))
    expect([bps for _, bps in a] == [3e6, 0] and [bps for _, bps in b] == [0, 2e6], f"rates {a}, {b}")
    expect(abs(a[1][0] - 2) < 0.2 and abs(b[1][0] - 2) < 0.2, f"rates {a}, {b}")
    expect(
        min(sums) > 0 and all("forward" not in s["drops"] for s in data["samples"]["a.down"]), "none moved"
    )
    told = [note for note in data["notes"] if note.startswith("a.down: no packet after 2.")]
    expect(len(told) == 1, f"notes {data['notes']}")
    return f"{sums} SDUs"


def check_replayed_without_packets_says_so() -> str:
    """A flow that ends early, and a link that carries nothing."""
    data, sums = checked("replayed-idle", IDLE, {"down": "radio.down", "up": "radio.up"})
    expect(sums[0] > 0 and sums[1] == 0, f"{sums}")
    expect(rates(data["samples"]["up"]) == [(0.1, None)], f"{rates(data['samples']['up'])}")
    # A packet each 16 ms; the last one before 500 ms takes 3.2 ms on the link and twice 5 ms of delay.
    flow = json.loads((OUT / "replayed-idle" / "result.json").read_text())["flows"]["u"]
    expect(flow["end_ns"] // MS == 509 and flow["bytes"] == 32 * 372, f"a flow that stops: {flow}")
    near("goodput until its last packet", flow["goodput_bps"], 32 * 372 * 8 / 0.5092, 1e-4)
    notes = data["notes"]
    expect(len(notes) == 2 and "radio.up: no packet" in notes, f"{notes}")
    expect(any(note.startswith("radio.down: no packet after 0.5") for note in notes), f"{notes}")
    for words, said in ((("--link", "x"), "no link x"), (("--link", "wired.down"), "records no packets")):
        called = wlab("web", str(OUT / "replayed-idle"), *words)
        expect(called.status != 0 and said in called.err, called.err)
    return f"{len(notes)} notes"


def check_replayed_of_a_record_is_what_was_counted() -> str:
    """Records of wlinkctl in the node of each direction, against the event log of the same run."""
    sums = []
    lossy = "rate 1mbit tti 10ms delay 25ms pdu 40 limit 20 mode um channel uniform loss 0.01"
    for name, down, at in ("lossy", lossy, ""), ("outage", "preset lte-good limit 20", AT):
        recorders = [RECORDER.format(way=way, node=node) for way, node in (("down", "router"), ("up", "ue"))]
        text = RECORDED.format(down=down, at=at) + FLOWS + "".join(recorders)
        _, folder = run(f"replayed-recorded-{name}", text)
        for way in ("down", "up"):
            # The recorders are alike but for the times that their own clocks have given.
            file = folder / "programs" / f"{way}.out"
            records = [json.loads(line) for line in file.read_text().splitlines()]
            first = next(one for one in records if one.get("event") == "wlink_sdu")
            link = f"radio.{way}"
            lines = (line.split("\t") for line in (folder / "events.tsv").read_text().splitlines())
            same = next(w for w in lines if w[0] == "sdu" and w[2] == link and w[7] == str(first["seq"]))
            begin = first["arrival_ns"] - int(same[12])
            data = data_in(log.page(file)[0].decode())
            (samples,) = data["samples"].values()
            expect(samples[-1]["t"] - begin > 1.39 * S, f"{name} {way}: until {samples[-1]['t'] - begin} ns")
            sums.append(counted(folder, link, [s | {"t": s["t"] - begin} for s in samples], 0, False))
            wrong = [note for note in data["notes"] if "no packet after" not in note]
            expect(not wrong, f"{wrong}")
            if at and way == "down":
                wanted = [16416000, 0, 16416000]
                expect([bps for _, bps in rates(samples)] == wanted, f"{name}: {rates(samples)}")
    expect(min(sums) > 0, f"{sums}")
    return f"{len(sums)} records, {sums} SDUs"
