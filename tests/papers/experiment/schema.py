# SPDX-License-Identifier: GPL-2.0
"""`wlab schema` and what reads the files: all that is read, the schema allows, too."""

import copy
import json
import subprocess
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any

import inheriting
import jsonschema  # type: ignore[import]
import reading
import sets as own_sets
import wlab
from brief import brief
from kit import equals, expect
from wlablib.experiment import experiment, sets
from wlablib.experiment.parts import Experiment
from wlablib.lib import toml
from wlablib.lib.paths import ROOT, WLAB
from wlablib.scenario import scenario
from wlablib.scenario.files import Origin

FOLDERS = (WLAB, ROOT / "tests" / "papers", ROOT / "userspace" / "papers")
EXAMPLES = [p for folder in FOLDERS for p in folder.glob("ex*/*.toml")]
FILES = {
    "scenario": sorted(p for folder in FOLDERS for p in folder.glob("**/scenarios/*.toml")),
    "experiment": sorted({*EXAMPLES, *sets.PAPERS.parent.glob("*.toml")} - {sets.PAPERS}),
    "set": [sets.PAPERS],
}
TINY = ROOT / "tests" / "papers" / "experiments" / "tiny.toml"
# All kinds of flows, links and lists.
EVERYTHING = brief("""name = "all"
duration = "20s"
seed = 3
until = "page"
warmup = "1s"
capture = true
[clock] start = "2026-01-01T00:00:00Z"; price = "10us"
[wired.down] netem = "delay 10ms"
[radio.down] wlink = "rate 384kbit tti 10ms"; outage = "50ms at 3s every 5s"
handover = "gap 50ms forward at 4s"
classes = ["classid 1:2 wlink mode um"]
filters = ["protocol ip u32 match ip dport {talk} 0xffff classid 1:2"]
[radio.up] pfifo = ""
[tcp] stack = "linux"; congestion = "bbr"; route = "initcwnd 1"
sysctl = { "net.ipv4.tcp_ecn" = 1, "net.ipv4.tcp_rmem" = "4096 131072 6291456" }
[[flow]] name = "talk"; kind = "media"; rate = 64000; size = 200; talk = "1s"; silence = 0
[[flow]] name = "page"; kind = "web"; count = 2; stop = "10s"; connections = 4; pipeline = true
persistent = true
pages = "mah"
think = "0.5s"
read = "4kib"
[[flow]] name = "bulk"; kind = "udp"; direction = "up"; start = "1s"; rate = "32kbit"; bytes = 1000
[[flow]] name = "file"; kind = "tcp"; congestion = "reno"
[[flow]] name = "echo"; kind = "ping"; protocol = "udp"; size = 100; answer = 50; interval = "20ms"
random = true
pings = 3
[[flow]] name = "many"; kind = "load"; direction = "down"; rate = "64kbit"; arrival = "1s"
transfer = "32kib"
cv = 2
[[at]] time = "5s"; run = "tc qdisc show dev {down}"; in = "router"
[[program]] name = "sleeper"; in = "ue"; run = "sleep 1"; start = "1s"; stop = "3s"
env = { GREETING = "hello" }
keep = ["core"]
[proxy.split] on = "router"; ports = { server = [80, 443] }; notsent_lowat = "16kib"; maxconn = 100
program = "wlink-pep"
congestion = "cubic"
[proxy.split.to.ue] congestion = "reno"; initcwnd = 20; sndbuf = "64kib"; rcvbuf = 8192
""")
VALUES: tuple[Any, ...] = (
    *(0, 1, -1, 3.5, True, False, "", " ", "x", "0", "10ms", "1.5s", "10 ms", "10MS", "384kbit", "64kib"),
    *("a b", "a\tb", "a\nb", "up", "wlink", "reno", "withheld", 10**12, 10**30),
    *([], ["x"], [1], [{}], ["x", "x"], [1, 1], {}, {"x": 1}, {"X": "y"}, {"a.b": 1}, {"value": 1}),
)
KEYS = ("x", "rate", "down", "trace", "wlink", "kind", "in", "count", "item", "value", "size")


@cache
def judge(what: str) -> Any:
    schema = wlab.schema(what)
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def wrong(what: str, raw: object) -> str:
    """What the schema has against it."""
    return "; ".join(f"{list(e.absolute_path)}: {e.message[:200]}" for e in judge(what).iter_errors(raw))


def read(what: str, raw: dict[str, Any], path: Path) -> str:
    """What wlab has against it."""
    try:
        if what == "experiment":
            experiment.read(copy.deepcopy(raw), path)
        elif what == "set":
            sets.read(copy.deepcopy(raw), path, beside(path.parent))
        else:
            scenario.read(copy.deepcopy(raw), Origin(path.parent))
    except wlab.LabError as e:
        return str(e)
    return ""


@cache
def beside(where: Path) -> list[Experiment]:
    return [experiment.load(path) for path in experiment.files(where)]


def check_never_stricter_a_set(where: Path) -> str:
    return never_stricter("set", own_sets.prepared(where), toml.loads(own_sets.SET))


def ours(what: str) -> str:
    for path in FILES[what]:
        said = wrong(what, toml.load(path))
        expect(not said, f"{path}: {said}")
    expect(len(FILES[what]) > 5 or what == "set", f"{FILES[what]}")
    return f"{len(FILES[what])} files"


def places(raw: Any) -> Iterator[tuple[Any, Any]]:
    """Every table or list with each of its keys."""
    for key in raw if isinstance(raw, dict) else range(len(raw)):
        yield raw, key
        if isinstance(raw[key], dict | list):
            yield from places(raw[key])


def changes(raw: dict[str, Any]) -> Iterator[None]:
    """The file with each of its values replaced, each key gone, and each key more, one after the other."""
    for at, key in list(places(raw)):
        have = at[key]
        for value in VALUES:
            at[key] = value
            yield
        at[key] = have
        if isinstance(at, dict):
            del at[key]
            yield
            for more in KEYS:
                if more not in at:
                    at |= {key: have, more: "x"}
                    yield
                    del at[more]
            at[key] = have


def never_stricter(what: str, path: Path, raw: dict[str, Any]) -> str:
    """Whatever is changed in a file: what wlab takes, the schema takes."""
    against = read(what, raw, path) + wrong(what, raw)
    expect(not against, f"{path}: {against}")
    taken = seen = both = 0
    for _ in changes(raw):
        said, refused = read(what, raw, path), not judge(what).is_valid(raw)
        expect(bool(said) or not refused, f"wlab takes what the schema does not: {wrong(what, raw)}: {raw}")
        seen, taken, both = seen + 1, taken + (not said), both + refused
    # Both can fail.
    expect(taken > 20 and both > (seen - taken) / 2, f"of {seen} {taken} taken, {both} refused by both")
    return f"{seen} changes, {taken} taken, {both} of {seen - taken} refused by the schema, too"


GRID = """[[grid]]
items = ["figure 1"]
cells = [{ flows = 2 }]
axes = { buffer = [10, 40] }
"""
BAD = {
    "a key": ("scenario", "seed = 3", "sead = 3", "did you mean 'seed'?"),
    "a missing key": ("scenario", 'duration = "20s"', "", "duration is missing"),
    "no unit": ("scenario", 'warmup = "1s"', "warmup = 1", 'as in "10ms"'),
    "another unit": ("scenario", 'think = "0.5s"', 'think = "0.5sec"', "is not a time"),
    "a rate in words": ("scenario", 'rate = "32kbit"', 'rate = "fast"', "is not a rate"),
    "no rate": ("scenario", 'rate = "32kbit"', "", "rate is missing"),
    "a number for a text": ("scenario", 'run = "sleep 1"', "run = 1", "is not a string"),
    "below": ("scenario", "connections = 4", "connections = 0", "in 1..16"),
    "a kind": ("scenario", 'kind = "web"', 'kind = "wab"', "did you mean 'web'?"),
    "of another kind": ("scenario", "connections = 4", "rate = 100", "only udp, media and load flows"),
    "two qdiscs": ("scenario", 'pfifo = ""', 'pfifo = ""\nred = ""', "exactly one of"),
    "no qdisc": ("scenario", 'pfifo = ""', "", "exactly one of"),
    "no uplink": ("scenario", '[radio.up]\npfifo = ""', "", "radio.up is missing"),
    "one bracket": ("scenario", "[[at]]", "[at]", "with two brackets"),
    "a sysctl": ("scenario", '"net.ipv4.tcp_ecn" = 1', "ecn = 1", "is not the name of a sysctl"),
    "a variable": ("scenario", "GREETING", "8REETING", "is not the name of a variable"),
    "a metric": ("experiment", '"delay_s"', '"delay"', "no metric 'delay'"),
    "a metric of a flow": ("experiment", '"delay_s"', '"overflow_else@file"', "is of the whole run"),
    "a metric twice": ("experiment", '"delay_s"', '"goodput_kbit"', "appears twice"),
    "no seeds": ("experiment", "seeds = 2", "seeds = 0", "in 1..1000"),
    "all confidence": ("experiment", "confidence = 90", "confidence = 100", "outside 0..100"),
    "no cells": ("experiment", "cells = [{ flows = 2 }]", "cells = []", "not a list of one table"),
    "no grid": ("experiment", GRID, "", "grid is missing"),
    "an item": ("experiment", '"figure 1"', '"Figure 1"', "is not the name of a table or figure"),
}


def bad(what: str, old: str, new: str, words: str) -> None:
    """Refused by both, and by wlab for that reason."""
    path = TINY
    text = path.read_text() if what == "experiment" else EVERYTHING
    expect(old in text, f"{old} is not in the file")
    raw = toml.loads(text.replace(old, new, 1))
    expect(words in read(what, raw, path), f"wlab: {read(what, raw, path)}")
    expect(bool(wrong(what, raw)), "the schema allows it")


def command(what: str) -> None:
    """It prints what the module has; without a word it is that of scenarios."""
    for words in [what], [] if what == "scenario" else [what]:
        said = subprocess.check_output([str(WLAB / "wlab"), "schema", *words])
        expect(json.loads(said) == wlab.schema(what), "it is another")


def check_defaults() -> str:
    """What stands in the schema as the default is as good as nothing."""
    raw = toml.loads(EVERYTHING)
    properties = wlab.schema("scenario")["properties"]
    plain = scenario.read(copy.deepcopy(raw))
    count = 0
    for key, i in *(("flow", i) for i in range(len(raw["flow"]))), ("program", 0):
        for name, of in properties[key]["items"]["properties"].items():
            more = copy.deepcopy(raw)
            if "default" not in of or name in more[key][i]:
                continue
            more[key][i][name] = of["default"]
            try:
                found = scenario.read(copy.deepcopy(more))
            except wlab.LabError as e:
                expect("flows have it" in str(e), str(e))
                continue
            count += 1
            expect((found.flows, found.programs) == (plain.flows, plain.programs), f"{key}.{i}.{name}")
    expect(count > 6, f"{count} defaults")
    return f"{count} defaults"


# What a file has not beside what EVERYTHING has: networks, moves of their users, files.
ELSEWHERE = {
    "": {"node", "link", "cell", "addresses"},
    "at": {"link", "trace", "state"} | {"move", "to", "interruption", "failure", "reestablishment", "queue"},
    "flow": {"from", "to", "loads"},
    "program": {"files"},
    "clock": set(),
}


def check_all_keys_are_drawn() -> str:
    """A key that comes is one that files have whose every value is changed."""
    raw = toml.loads(EVERYTHING)
    tables = {"": wlab.schema("scenario")["properties"]}
    had: dict[str, set[str]] = {"": set(raw)}
    for key in ELSEWHERE.keys() - {""}:
        of = tables[""][key]
        tables[key] = of.get("items", of)["properties"]
        had[key] = set().union(*(part.keys() for part in (raw[key] if "items" in of else [raw[key]])))
    for key, known in tables.items():
        equals(f"keys of [{key}] that no file has", set(known) - had[key], ELSEWHERE[key])
    return f"{sum(map(len, had.values()))} keys"


APART = True
CASES: dict[str, Callable[[], str | None]] = {
    **{f"ours: {what}": partial(ours, what) for what in FILES},
    **{f"command: {what}": partial(command, what) for what in FILES},
    "never stricter: a scenario": partial(never_stricter, "scenario", TINY, toml.loads(EVERYTHING)),
    "never stricter: a plain one": partial(
        never_stricter, "scenario", TINY, toml.load(FILES["scenario"][-1])
    ),
    "never stricter: an experiment": partial(
        never_stricter, "experiment", Path("some.toml"), toml.loads(reading.TEXT)
    ),
    "never stricter: parts with each": partial(
        never_stricter, "experiment", Path("some.toml"), toml.loads(inheriting.WITH_EACH)
    ),
    **{f"bad: {name}": partial(bad, *words) for name, words in BAD.items()},
}
