# SPDX-License-Identifier: GPL-2.0
"""Replays of made records: their series, and what a page says, against counts that share no code with it."""

import json
import random
import re
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from harness import Checks
from wlablib.web import log, replay
from wlablib.web.backend import Refused

Line = dict[str, Any]
MS, S = 10**6, 10**9
UNLIMITED = 2**64 - 1
BEGIN = 7 * S
# Times of a delivered SDU, each with the part that ends there.
SPANS = (
    ("arrival", ""),
    ("start", "queue"),
    ("end", "serial"),
    ("due", "prop"),
    ("whole", "retx"),
    ("deliver", "hol"),
)


def clock(at_ms: float) -> Line:
    return {"clock": {"mono_ns": BEGIN + int(at_ms * MS), "tai_ns": 0, "uncertainty_ns": 0}}


def of(link: str, kind: str, at_ms: float, **more: Any) -> Line:
    """An event of a link, "DEV BEARER"."""
    dev, _, bearer = link.partition(" ")
    ts = BEGIN + int(at_ms * MS)
    return {"event": f"wlink_{kind}", "ts_ns": ts, "tai_ns": ts, "cpu": 0, "dev": dev, "ifindex": 5,
            "handle": "1:", "bearer": int(bearer or 1), "generation": 0} | more  # fmt: skip


def sdu(
    link: str, at_ms: float, spans: Iterable[float] = (2, 1, 5, 0, 0), size: int = 1000, **more: Any
) -> Line:
    """Delivered, with its spans in ms; what it waits for access, and jitter, are within these."""
    times = [BEGIN + int(at_ms * MS)]
    for span in spans:
        times.append(times[-1] + int(span * MS))
    named = {f"{name}_ns": t for (name, _), t in zip(SPANS, times)}
    line = of(link, "sdu", 0, bytes=size, drop="none", access_ns=0, access_tx_ns=0, jitter_ns=0, impaired=0)
    return line | named | {"ts_ns": times[-1] + 40_000} | more


def dropped(link: str, at_ms: float, why: str, after_ms: float = 0, size: int = 1000) -> Line:
    end = BEGIN + int((at_ms + after_ms) * MS)
    none = {"start_ns": 0, "due_ns": 0, "whole_ns": 0, "deliver_ns": end, "end_ns": end, "ts_ns": end}
    return sdu(link, at_ms, size=size, drop=why) | none


def rate(link: str, at_ms: float, old: int, new: int) -> Line:
    return of(link, "rate", at_ms + 0.05, at_ns=BEGIN + int(at_ms * MS), old_bps=old, new_bps=new)


def grant(link: str, at_ms: float, size: int) -> Line:
    return of(link, "grant", at_ms, at_ns=BEGIN + int(at_ms * MS), bytes=size, used=0)


def look(**bps: int | None) -> list[Line]:
    """Bearers that there are, with their rates; _ for a space."""
    names = {name: name.partition("_") for name in bps}
    return [
        {"link": {"mono_ns": 0, "dev": dev, "ifindex": 5, "kind": "wlink", "handle": "1:",
                  "bearer": int(bearer or 1), "rate_bps": bps[name]}}
        for name, (dev, _, bearer) in names.items()
    ]  # fmt: skip


def recorded(
    length_ms: float, *lines: Line, lost: int = 0, first: Iterable[Line] = (), last: Iterable[Line] = ()
) -> str:
    """A whole log; what there was at its begin and at its end."""
    events = sorted(lines, key=lambda line: int(line["ts_ns"]))
    count = {"lost": lost, "events": len(events)}
    whole = [clock(0), *first, *events, clock(length_ms), *last, count]
    return "".join(f"{json.dumps(line)}\n" for line in whole)


def stream(link: str, begin_ms: float, end_ms: float, each_ms: float, **more: Any) -> list[Line]:
    count = int((end_ms - begin_ms) / each_ms)
    return [sdu(link, begin_ms + i * each_ms, **more) for i in range(count)]


def drawn(seed: int) -> str:
    """Links, bearers, rates and fates at random."""
    rng, lines = random.Random(seed), []
    for link in rng.sample(
        ["downlink", "uplink", "downlink 2", "uplink 7", "eth0", "ifb0 3"], rng.randint(1, 5)
    ):
        bps = rng.choice([UNLIMITED, 10**6, 123_456])
        for at in sorted(rng.uniform(0, 2500) for _ in range(rng.randint(0, 3))):
            lines.append(rate(link, at, bps, bps := rng.choice([UNLIMITED, 0, 10**6, 77_000])))
        for _ in range(rng.randint(1, 300)):
            at, spans = rng.uniform(-20, 2900), [rng.uniform(0, 30) for _ in range(5)]
            waits = {
                "access_ns": int(spans[0] * MS * rng.random()),
                "jitter_ns": int(spans[4] * MS * rng.random()),
            }
            more = {"size": rng.randint(40, 1500), "impaired": rng.choice([0, 0, 0, 1, 2, 3])}
            lines.append(sdu(link, at, spans, **waits, **more))
            if rng.random() < 0.2:
                why = rng.choice(["overflow", "aqm", "channel", "flush", "forward", "timer"])
                lines.append(
                    dropped(link, rng.uniform(0, 2800), why, rng.uniform(0, 90), rng.randint(40, 1500))
                )
    return recorded(rng.uniform(2900, 3100), *lines)


WHYS = ("overflow", "aqm", "flush")
WAITS = {"access_ns": 15 * MS, "access_tx_ns": MS, "jitter_ns": 8 * MS}
BOTH = [*stream("downlink", 5, 1900, 30, size=70), *stream("uplink", 0, 1900, 15, size=90)]
# Recordings, by name.
MADE = {
    "more upwards": recorded(2000, *BOTH),
    "one way": recorded(1000, *stream("uplink", 0, 950, 10)),
    "links without a direction": recorded(1000, *stream("eth0", 0, 950, 10), *stream("eth1", 3, 950, 20),
        *stream("ifb0", 5, 1000, 99)),
    "several bearers": recorded(2000, *stream("downlink", 0, 1950, 20), *stream("downlink 2", 0, 1950, 10),
        *stream("uplink", 0, 1950, 50)),
    "a bearer that is deleted": recorded(2000, *stream("downlink", 0, 1950, 20),
        *stream("downlink 2", 0, 700, 10),
        *(dropped("downlink 2", 690 + i, "flush", 30 - i) for i in range(10))),
    "an outage": recorded(2000, *stream("downlink", 0, 500, 10), rate("downlink", 500, 10**6, 0),
        rate("downlink", 1200, 0, 10**6),
        *(sdu("downlink", 510 + 10 * i, (700 - 10 * i, 1, 5, 0, 0)) for i in range(30)),
        *stream("downlink", 1300, 1950, 10), *stream("uplink", 0, 1950, 50)),
    "rates": recorded(1900, *BOTH, rate("uplink", 150, UNLIMITED, 10**6),
        rate("uplink", 350, 10**6, 2 * 10**6), rate("uplink", 380, 2 * 10**6, 3 * 10**6),
        rate("downlink", 500, 16_416_000, 500_000)),
    "drops at the end": recorded(1000, *stream("uplink", 0, 990, 10),
        *stream("downlink", 0, 990, 10, spans=(90, 1, 5, 0, 0)),
        *(dropped("uplink", 900 + i, WHYS[i % 3], 80 - i) for i in range(27)),
        *(dropped("uplink", 500 + i, "forward", 20) for i in range(5))),
    "copies, errors, jitter, access": recorded(1000, *stream("uplink", 0, 950, 10, impaired=2),
        *stream("uplink", 2, 950, 10, impaired=1), *stream("uplink", 4, 950, 10, spans=(20, 5, 5, 0, 9),
        **WAITS)),
    "it ends in the middle of a line": recorded(2000, *BOTH)[:-150],
    "no last line": "".join(recorded(2000, *BOTH).splitlines(True)[:-1]),
    "lost events": recorded(2000, *BOTH, lost=17),
    "a link that vanishes": recorded(5000, *stream("downlink", 0, 4950, 20), *stream("uplink", 0, 980, 20),
        dropped("uplink", 970, "flush", 30)),
    "a link without packets": recorded(1000, *stream("downlink", 0, 950, 20),
        rate("uplink", 300, 10**6, 2 * 10**6)),
    "rates that stay": recorded(2000, *BOTH, first=(two := look(downlink=10**6, uplink=None)), last=two),
    "links that come and go": recorded(2000, *stream("downlink", 0, 1900, 20),
        *stream("downlink 2", 500, 1900, 20), *stream("uplink", 0, 1900, 50),
        rate("uplink", 900, 10**6, 2 * 10**6), first=look(downlink=10**6, uplink=10**6),
        last=look(downlink_2=77_000)),
    "all are gone": recorded(1000, *stream("uplink", 0, 990, 10), first=look(uplink=10**6, downlink=0)),
    "gone, but cut off": "".join(recorded(1000, *BOTH[-50:],
        first=look(uplink=10**6)).splitlines(True)[:-2]),
    "opportunities": recorded(1000, *stream("downlink", 0, 950, 20),
        *(grant("downlink", t, 1500) for t in [*range(150, 400, 7), *range(650, 800)])),
    "two devices of one name": recorded(1000, *stream("downlink", 0, 950, 20),
        *stream("downlink", 3, 950, 10, ifindex=9)),
    "arrivals before it began": recorded(1000, *stream("downlink", -50, 950, 10, spans=(40, 1, 5, 9, 0))),
    **{f"random {seed}": drawn(seed) for seed in range(12)},
}  # fmt: skip
# Words that the notes of some have.
NOTES = {
    "a bearer that is deleted": ["downlink 1: 2: no packet after 0.72 s of 2.00 s"],
    "it ends in the middle of a line": ["the log ends in the middle of line"],
    "no last line": ["no last line"],
    "lost events": ["17 events were lost"],
    "a link that vanishes": ["uplink 1: 1: no packet after 1.00 s of 5.00 s"],
    "a link without packets": ["uplink 1: 1: no packet"],
    "links that come and go": ["downlink 1: 1: removed", "uplink 1: 1: removed"],
    "all are gone": ["uplink 1: 1: removed", "downlink 1: 1: removed", "downlink 1: 1: no packet"],
    "gone, but cut off": ["no last line"],
}


def lines_of(text: str) -> list[Line]:
    found = []
    for line in text.splitlines():
        try:
            found.append(json.loads(line))
        except ValueError:
            break
    return found


def data_of(page: bytes) -> dict[str, Any]:
    text = page.decode()
    data: dict[str, Any] = json.loads(text.partition('type="application/json">')[2].partition("</script>")[0])
    return data


class Count:
    """What a record has of a bearer, read by hand."""

    def __init__(self, lines: list[Line], key: str) -> None:
        mine = [one for one in lines if "dev" in one and key == name_of(one, lines)]
        looks = [one["link"] for one in lines if "link" in one]
        self.seen = [one["rate_bps"] for one in looks if name_of(one, lines) == key]
        sdus = [one for one in mine if one["event"] == "wlink_sdu" and one["impaired"] not in (2, 3)]
        self.come = [(one["arrival_ns"], one["bytes"]) for one in sdus]
        self.done = [one for one in sdus if one["drop"] == "none"]
        self.lost = [(one["ts_ns"], one["drop"]) for one in sdus if one["drop"] not in ("none", "forward")]
        self.stays = [(one["arrival_ns"], one["end_ns"]) for one in sdus]
        self.rates = [one for one in mine if one["event"] == "wlink_rate"]
        self.grants = [(one["at_ns"], one["bytes"]) for one in mine if one["event"] == "wlink_grant"]

    def within(self, begin: int, end: int) -> dict[str, Any]:
        """From one time to another one, which belongs to the next interval."""
        done = [one for one in self.done if begin <= one["deliver_ns"] < end]
        parts: dict[str, float] = dict.fromkeys(
            ("queue", "serial", "prop", "retx", "hol", "access", "jitter"), 0
        )
        for one in done:
            for (before, _), (after, part) in zip(SPANS, SPANS[1:]):
                parts[part] += one[f"{after}_ns"] - one[f"{before}_ns"]
            for part, named, other in (
                ("access", "access", "queue"), ("access", "access_tx", "serial"), ("jitter", "jitter", "hol"),
            ):  # fmt: skip
                parts[part] += one[f"{named}_ns"]
                parts[other] -= one[f"{named}_ns"]
        drops: dict[str, int] = {}
        for at, why in self.lost:
            if begin <= at < end:
                drops[why] = drops.get(why, 0) + 1
        return {
            "sdus": len(done), "drops": drops,
            "offered": sum(size for at, size in self.come if begin <= at < end) * 8 * S / (end - begin),
            "delivered": sum(one["bytes"] for one in done) * 8 * S / (end - begin),
            "parts": {part: ns / len(done) if done else None for part, ns in parts.items()},
        }  # fmt: skip

    def rate(self, begin: int, end: int) -> Any:
        """At the end; "unknown" if no record says it."""
        if self.grants and self.grants[0][0] <= end and self.grants[-1][0] >= begin:
            return sum(size for at, size in self.grants if begin <= at < end) * 8 * S / (end - begin)
        if not self.rates:
            return self.seen[0] if self.seen else "unknown"
        past = [one["new_bps"] for one in self.rates if one["at_ns"] <= end]
        bps = past[-1] if past else self.rates[0]["old_bps"]
        return None if bps == UNLIMITED else bps

    def buffer(self, at: int) -> int:
        return sum(came <= at < gone for came, gone in self.stays)


def every(lines: list[Line]) -> list[Line]:
    """What has the name of a bearer."""
    return [one.get("link", one) for one in lines if "link" in one or "dev" in one]


def name_of(one: Line, lines: list[Line]) -> str:
    numbers = {line["ifindex"] for line in every(lines) if line["dev"] == one["dev"]}
    dev = one["dev"] if len(numbers) == 1 else f"{one['dev']} ifindex {one['ifindex']}"
    return f"{dev} {one['handle']} {one['bearer']}"


def end_of(lines: list[Line]) -> int:
    ends = [one["clock"]["mono_ns"] for one in lines if "clock" in one]
    ends += [
        one["deliver_ns"] if one["drop"] == "none" else one["ts_ns"]
        for one in lines
        if one.get("event") == "wlink_sdu" and one["impaired"] not in (2, 3)
    ]
    return int(max(ends))


def same(checks: Checks, what: str, have: dict[str, Any], wanted: dict[str, Any]) -> None:
    for name in ("sdus", "drops"):
        checks.equal(f"{what}: {name}", have[name], wanted[name])
    for name in ("offered", "delivered"):
        checks.true(
            f"{what}: {name}", abs(have[name] - wanted[name]) < 1e-6 * (1 + wanted[name]), (have, wanted)
        )
    for part, ns in wanted["parts"].items():
        shown = have["parts"][part]
        close = shown is None and ns is None or ns is not None and abs((shown or 0) - ns) <= 1
        checks.true(f"{what}: {part}", close, (shown, ns))


@pytest.mark.parametrize("name", MADE)
def check_series(checks: Checks, tmp_path: Path, name: str) -> None:
    """Each interval of each bearer, which together are the whole recording."""
    text, notes = MADE[name], NOTES.get(name, [])
    path = tmp_path / "log.jsonl"
    path.write_text(text)
    page, told = log.page(path)
    data, lines, end = data_of(page), lines_of(text), end_of(lines_of(text))
    checks.equal("bearers", sorted(data["keys"].values()), sorted({name_of(x, lines) for x in every(lines)}))
    checks.equal("told on the page, too", data["notes"], told)
    if not name.startswith("random"):
        checks.equal("notes", len(told), len(notes))
    for note in notes:
        checks.true(note, any(note in one for one in told), told)
    for way, key in data["keys"].items():
        count, bins = Count(lines, key), data["samples"][way]
        checks.equal(f"{key}: begin", bins[0]["t"] - bins[0]["i"], BEGIN)
        checks.equal(f"{key}: end", bins[-1]["t"], end)
        for one, after in zip(bins, [*bins[1:], {"t": 0}]):
            # What comes at the very end belongs to the last one.
            begin, to = one["t"] - one["i"], one["t"] + (not after["t"])
            what = f"{key} at {(begin - BEGIN) / S:.1f} s"
            wanted = count.within(begin, to)
            scale = (to - begin) / one["i"]
            wanted |= {rate: wanted[rate] * scale for rate in ("offered", "delivered")}
            same(checks, what, one, wanted)
            shown, bps = one.get("rate", "unknown"), count.rate(begin, one["t"])
            close = shown == bps or isinstance(bps, float) and abs(shown - bps) < 1e-6 * bps
            checks.true(f"{what}: rate", close, (shown, bps))
            checks.equal(f"{what}: buffer", one["buffer"], count.buffer(one["t"]))


def check_directions(checks: Checks, tmp_path: Path) -> None:
    """By the names of devices, never by how much they carry."""
    for name, keys in {
        "more upwards": {"down": "downlink 1: 1", "up": "uplink 1: 1"},
        "one way": {"up": "uplink 1: 1"},
        "links without a direction": {key: key for key in ("eth0 1: 1", "eth1 1: 1", "ifb0 1: 1")},
        "several bearers": {
            "downlink 1: 1": "downlink 1: 1",
            "downlink 1: 2": "downlink 1: 2",
            "up": "uplink 1: 1",
        },
    }.items():
        path = tmp_path / "log.jsonl"
        path.write_text(MADE[name])
        # Downlinks are first.
        checks.equal(name, [*data_of(log.page(path)[0])["keys"].items()], [*keys.items()])


# What a page computes, without a browser.
SCRIPT = """
const vm = require("vm"), data = JSON.parse(require("fs").readFileSync(0));
vm.runInThisContext(require("fs").readFileSync(process.argv[1], "utf8"));
const of = vm.runInThisContext("({ momentOf, why, whyOf, bps })");
const [end, middle] = data.times.map((t) => of.momentOf(data, t));
console.log(JSON.stringify({
  end, why: of.why(end), middle: of.why(middle),
  rates: Object.fromEntries(Object.entries(end).map(([way, one]) => [way, of.bps(one.rate)])),
  each: Object.fromEntries(Object.entries(end).map(([way, one]) => [way, of.whyOf(way, one)])),
}));
"""


def said(page: bytes, middle_ms: float = 500) -> dict[str, Any]:
    """What a page says of the whole recording and of a moment."""
    if not shutil.which("node"):
        pytest.skip("node is not installed")
    data = data_of(page)
    data["times"] = [next(iter(data["samples"].values()))[-1]["t"], BEGIN + middle_ms * MS]
    script = Path(replay.__file__).with_name("chart.js")
    done = subprocess.run(
        ["node", "-e", SCRIPT, str(script)],
        input=json.dumps(data),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("name", MADE)
def check_whole(checks: Checks, tmp_path: Path, name: str) -> None:
    """At its end a page shows means over the whole recording; the sentence is of the latest direction."""
    text = MADE[name]
    path = tmp_path / "log.jsonl"
    path.write_text(text)
    page = log.page(path)[0]
    data, lines, shown = data_of(page), lines_of(text), said(page)
    end, late = end_of(lines), {}
    for way, key in data["keys"].items():
        wanted = Count(lines, key).within(BEGIN, end + 1)
        one = shown["end"][way]
        # Parts of each interval are whole ns.
        same(checks, key, one, wanted)
        total = sum(ns or 0 for ns in wanted["parts"].values())
        late[way] = total if wanted["sdus"] else 10**18 if wanted["drops"] or one["buffer"] else -1
    worst = max(late, key=lambda way: late[way])
    title = {"down": "Downlink", "up": "Uplink"}.get(worst, worst)
    checks.true("the latest is named", shown["why"].startswith(f"{title}: "), (shown["why"], late))
    drops = Count(lines, data["keys"][worst]).within(BEGIN, end + 1)["drops"]
    after = shown["why"].partition("dropped:")[2]
    told = {why: int(n) for why, n in re.findall(r"(\w+) (\d+)(?=[,.])", after)}
    checks.equal("its drops", told, drops)


def check_sentences(checks: Checks, tmp_path: Path) -> None:
    """Rates that are known, unlimited, or neither; an outage; the whole, not its last moments."""

    def of_made(name: str, middle_ms: float = 500) -> dict[str, Any]:
        path = tmp_path / "log.jsonl"
        path.write_text(MADE[name])
        return said(log.page(path)[0], middle_ms)

    checks.equal(
        "no rate is known", of_made("more upwards")["rates"], {"down": "not known", "up": "not known"}
    )
    stays = of_made("rates that stay")["rates"]
    checks.equal("rates that stay", stays, {"down": "1 Mbit/s", "up": "any rate"})
    # Of 1.9 s 16.416 Mbit/s for 0.4 s, since each is of the end of an interval, and then 0.5 Mbit/s.
    rates = of_made("rates")["rates"]
    checks.equal("rates", rates, {"down": "3.85 Mbit/s", "up": "several rates"})
    checks.true(
        "an outage", "an outage, its rate is 0; 30 packets wait" in of_made("an outage", 1150)["middle"]
    )
    end = of_made("drops at the end")
    checks.true(
        "the latest, not who drops", end["why"].startswith("Downlink: packets take 96 ms"), end["why"]
    )
    checks.true("flushed", "27 dropped: overflow 9, aqm 9, flush 9" in end["each"]["up"], end["each"])
    checks.equal("no packets", of_made("a link without packets")["each"]["up"], "Uplink: no packets.")


def check_refused(checks: Checks, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    for name, text, why in (
        ("empty", "", "no packet"),
        ("no JSON", "x\n", "not a line"),
        ("no JSON and no end", "x", "not a line"),
        ("a number", "1\n", "not a line"),
        ("no names", '{"event":"wlink_sdu"}\n', "'handle'"),
        ("clocks only", recorded(10), "no packet"),
        ("a size that is none", recorded(10, sdu("d0", 1, size="x")), "'bytes'"),  # type: ignore[arg-type]
        ("cut off in the middle", recorded(10, sdu("d0", 1))[:-60] + "\n" + recorded(10), "not a line"),
        ("merged", '{"merge":{}}\n', "merged log"),
    ):
        path.write_text(text)
        try:
            log.page(path)
            checks.true(f"{name} is refused", False)
        except Refused as refused:
            checks.true(f"{name} is named", str(path) in str(refused) and why in str(refused), str(refused))


def check_loads_nothing(checks: Checks, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text(MADE["more upwards"])
    page = log.page(path)[0].decode()
    checks.equal("it loads nothing", re.findall(r"<(?:script|link|img)[^>]* (?:src|href)=", page), [])
    checks.true("and may not", "content=\"default-src 'none'; script-src 'unsafe-inline'" in page)
