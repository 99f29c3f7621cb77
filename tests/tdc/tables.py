#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The cases under cases/ as the kernel's tdc.py reads them: tables.py FILE.toml... prints JSON.

A table is a case; its name is the case's id. What a case does not say is that of the
file's [default], or of DEFAULT here:

    name      what it shows
    category  as tdc.py picks cases by
    setup     the name of a list under [setup] or in SETUP here, or a list whose words may be such names
              (here and below $ADD and its like are commands, which SHORT has)
    run       the command under test
    exit      its exit status
    extack    the message that it provokes; <extack> in the pattern stands for it
    verify    the command whose output is read
    match     the pattern looked for in it; <NAME> is the text NAME under [text] or in TEXT here
    count     how often it is there
    teardown  a list of commands

[table.NAME] has cases that differ in its columns only: a line of [table.NAME.lines] is
ID = [what the columns are]. Where the table itself has a word that is a column, the line's is put
in the place of its {}.

[refused.NAME] has words of many cases at once. Its run has {} where a line of [refused.NAME.lines],
ID = [WORDS, EXTACK], has its words; the case is called as the message. As what is refused changes
nothing, the setup is made before the first of them and torn down after the last. Where lines is
OF_WORDS, they are those of ranges.py.
"""

import json
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import ranges

OF_WORDS = "of the table of words"
FOLDER = Path(__file__).resolve().parent / "cases"
DEFAULT = {"exit": 0, "count": 1, "teardown": ["$IP link del dev $DUMMY"], "extack": ""}
SETUP = {
    "dummy": ["$IP link add dev $DUMMY up type dummy"],
    # Packets to 10.9.0.2 leave without an answer to ARP.
    "far_end": ["dummy", "$IP addr add 10.9.0.1/24 dev $DUMMY && "
                "$IP neigh add 10.9.0.2 lladdr 02:00:00:00:00:02 dev $DUMMY nud permanent"],
    "gilbert": ["dummy", "$ADD rate 384kbit tti 10ms delay 25ms pdu 40 header 2 limit 40 seed 7 "
                "channel gilbert p 0.1 r 0.5"],
}
TEXT = {
    "root": "^qdisc wlink 1: root refcnt 2",
    "plain": "tti 0 delay 0 pdu 0 header 0",
    "tm": "sched dedicated prio 0 mode tm discard_timer off",
    "droptail": "aqm droptail ramp_from off $",
    # Of the setup gilbert.
    "shown": "<root> rate 384kbit tti 10ms delay 25ms pdu 40 header 2 limit 40 seed 7 "
             r"channel gilbert p 0\.1 r 0\.5 loss_good 0 loss_bad 1 <tm> <droptail>",
}
SHORT = {
    "$ADD": "$TC qdisc add dev $DUMMY root handle 1: wlink",
    "$CHANGE": "$TC qdisc change dev $DUMMY root handle 1: wlink",
    # The same without the handle.
    "$ALTER": "$TC qdisc change dev $DUMMY root wlink",
    "$BELOW": "$TC qdisc add dev $DUMMY parent 8:1 handle 1: wlink",
    "$CLASS": "$TC class add dev $DUMMY parent 1: classid",
    "$CLASSES": "$TC class show dev $DUMMY",
    "$COUNTS": "$TC -s qdisc show dev $DUMMY",
    "$SHOW": "$TC qdisc show dev $DUMMY",
}
KEYS = {"name", "category", "setup", "run", "exit", "extack", "verify", "match", "count", "teardown"}
SPECIAL = re.compile(r"([.^$*+?{}\[\]\\|()])")
NAMED = re.compile(r"<(\w+)>")
SHORTS = re.compile(r"\$(?:" + "|".join(name[1:] for name in SHORT) + r")\b")


Case = dict[str, Any]


class BadTable(Exception):
    """What is wrong with a file."""


def whole(command: str) -> str:
    """With its short words written out."""
    return SHORTS.sub(lambda found: SHORT[found[0]], command)


def commands(setup: str | list[str], named: dict[str, list[str]]) -> list[str]:
    if isinstance(setup, str):
        if setup not in named:
            raise BadTable(f"there is no setup '{setup}'")
        setup = named[setup]
    return [line for one in setup for line in (commands(one, named) if one in named else [whole(one)])]


def filled(pattern: str, texts: dict[str, str]) -> str:
    """With the texts that it names."""
    return NAMED.sub(lambda found: filled(texts[found[1]], texts), pattern)


def case(case_id: str, of: dict[str, Any], table: dict[str, Any]) -> Case:
    """One case in tdc's own words."""
    if wrong := set(of) - KEYS:
        raise BadTable(f"{case_id} has the unknown word '{min(wrong)}'")
    have = DEFAULT | table.get("default", {}) | of
    if missing := KEYS - set(have):
        raise BadTable(f"{case_id} has no {min(missing)}")
    texts: dict[str, str] = TEXT | table.get("text", {}) | {"extack": SPECIAL.sub(r"\\\1", have["extack"])}
    if unknown := set(NAMED.findall(have["match"])) - set(texts):
        raise BadTable(f"{case_id} looks for <{min(unknown)}>, which is no text")
    return {
        "id": case_id,
        "name": have["name"],
        "category": have["category"],
        **({"extack": have["extack"]} if have["extack"] else {}),
        "setup": commands(have["setup"], SETUP | table.get("setup", {})),
        "cmdUnderTest": whole(have["run"]),
        "expExitCode": str(have["exit"]),
        "verifyCmd": whole(have["verify"]),
        "matchPattern": filled(have["match"], texts),
        "matchCount": str(have["count"]),
        "teardown": have["teardown"],
    }


def listed(of: dict[str, Any], table: dict[str, Any]) -> Iterator[Case]:
    """The cases of a [table.NAME]."""
    same = {word: value for word, value in of.items() if word not in ("columns", "lines")}
    for case_id, line in of["lines"].items():
        if len(line) != len(of["columns"]):
            raise BadTable(f"{case_id} has {len(line)} columns of {len(of['columns'])}")
        own = dict(zip(of["columns"], line, strict=True))
        own |= {word: same[word].replace("{}", own[word]) for word in own if word in same}
        yield case(case_id, same | own, table)


def refusals(of: dict[str, Any], table: dict[str, Any]) -> Iterator[Case]:
    """The cases of a [refused.NAME]."""
    same = {word: value for word, value in of.items() if word != "lines"}
    lines = dict(ranges.lines()) if of["lines"] == OF_WORDS else of["lines"]
    for number, (case_id, (words, extack)) in enumerate(lines.items(), 1):
        own = {"name": extack, "extack": extack, "run": of["run"].replace("{}", words)}
        one = case(case_id, same | own, table)
        if number > 1:
            one["setup"] = []
        if number < len(lines):
            one["teardown"] = []
        yield one


def parts(file: Path) -> tuple[list[Case], list[list[Case]]]:
    """The cases of a file that are for themselves, and those of each [refused.NAME]."""
    table = tomllib.loads(file.read_text(encoding="utf-8"))
    try:
        single = [
            case(case_id, of, table)
            for case_id, of in table.items()
            if case_id not in ("default", "setup", "text", "table", "refused")
        ]
        single += [one for of in table.get("table", {}).values() for one in listed(of, table)]
        return single, [list(refusals(of, table)) for of in table.get("refused", {}).values()]
    except BadTable as wrong:
        raise BadTable(f"{file}: {wrong}") from None


def cases(file: Path) -> Iterator[Case]:
    single, groups = parts(file)
    yield from single
    for group in groups:
        yield from group


def every() -> Iterator[Case]:
    """Of all files."""
    for file in sorted(FOLDER.glob("*/*.toml")):
        yield from cases(file)


def main(files: list[str]) -> None:
    print(json.dumps([one for file in files for one in cases(Path(file))], indent=1))


if __name__ == "__main__":
    main(sys.argv[1:])
