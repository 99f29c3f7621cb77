# SPDX-License-Identifier: GPL-2.0
"""Presets: the papers' numbers, and what stands above or below them."""

import importlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from harness import Checks, WordTool

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "userspace/spec"))
table: Any = importlib.import_module("words")

GSM = ["gprs", "gprs-cs1", "gprs-cs1-up", "gprs-cs2", "gprs-cs2-up", "hscsd-28", "hscsd-57", "hscsd-57-t"]
NAMES = GSM + ["umts-64", "umts-128", "umts-256", "umts-384", "shared-64"]
CELLULAR = ["lte-good", "lte-good-up", "lte-edge", "lte-edge-up", "lte-train", "lte-train-up", "lte-push"]
CELLULAR += ["nr-fr1", "nr-fr1-up", "nr-fr1-edge", "nr-fr1-edge-up", "nr-sa-tdd", "nr-sa-tdd-up", "starlink"]
CELLULAR += [f"5qi-{i}" for i in range(1, 10)]
NAMES += CELLULAR
# As they are listed.
NAMES.sort(key=lambda name: [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", name)])

# The AQM paper's Table 1, in the units of JSON.
TABLE_1 = {
    "pdu_bytes": 320 // 8,
    "tti_ns": 10_000_000,
    "window": 1024,
    "maxdat": 10,
    "in_order": True,
    "status_prohibit_ns": 60_000_000,
    "missing": True,
    "poll_timer_ns": 60_000_000,
    "poll_window": 50,
    "poll_last": True,
    "poll_last_retx": True,
    "delay_ns": 20_000_000,
    "limit_packets": 40,
    "mode": "am",
    "header_bytes": 2,
}

# The link-layer paper, section 5.
SECTION_5 = {
    "rate_bps": 64000,
    "delay_ns": 50_000_000,
    "pdu_bytes": 250,
    "sched": "fifo",
    "mode": "asr",
    "window": 128,
    "rto_ns": 1_100_000_000,
    "alpha": 3,
    "beta": 2,
    "channel": {"kind": "none"},
}

# Bits of a block's data in 20 ms (TS 44.060, 10.2, less the RLC header) and time slots each way; the same
# of RLP's frames in 40 ms (TS 24.022, 4.1).
GPRS = {
    "gprs-cs1": ((22 - 2) * 8, 3, 1), "gprs-cs1-up": ((22 - 2) * 8, 1, 3),
    "gprs-cs2": ((32 - 2) * 8, 3, 1), "gprs-cs2-up": ((32 - 2) * 8, 1, 3),
}  # fmt: skip
HSCSD = {"hscsd-28": (576 - 24 - 24, 2), "hscsd-57": (576 - 24 - 24, 4)}

# TS 23.501, table 5.7.4-1: default priority level, packet delay budget in ms, and whether one
# packet in a million is the most that may be lost.
FIVE_QI = {
    1: (20, 100, False), 2: (40, 150, False), 3: (30, 50, False), 4: (50, 300, True), 5: (10, 100, True),
    6: (60, 300, True), 7: (70, 100, False), 8: (80, 300, True), 9: (90, 300, True),
}  # fmt: skip


def values(tool: WordTool, words: str, is_class: bool = False) -> dict[str, Any]:
    return tool.json(tool.attributes(words, is_class))


def among(checks: Checks, name: str, got: dict[str, Any], want: dict[str, Any]) -> None:
    for key, value in want.items():
        checks.equal(f"{name}: {key}", got.get(key), value)


def check_papers(checks: Checks, tool: WordTool) -> None:
    for rate in (64, 128, 256, 384):
        got = values(tool, f"preset umts-{rate}")
        among(checks, f"umts-{rate}", got, TABLE_1 | {"rate_bps": rate * 1000})
        channel = got["channel"]
        checks.equal("Rayleigh is gilbert", channel["kind"], "gilbert")
        checks.true("p of FER 10 %, fdT 0.01", abs(channel["p"] * 2**32 - 34907999) <= 2, channel)
        checks.true("r of FER 10 %, fdT 0.01", abs(channel["r"] * 2**32 - 314171990) <= 2, channel)
        ways = got["delay_ns"] + got["tti_ns"] + got["reverse"]["delay_ns"]
        checks.equal("a TTI and both ways make the round trip", ways, 50_000_000)
        checks.equal("the way back has the same errors", got["reverse"]["channel"], {"kind": "link"})
    among(checks, "shared-64", values(tool, "preset shared-64"), SECTION_5)
    gprs = {"rate_bps": 9600, "pdu_bytes": 25, "tti_ns": 20_000_000, "mode": "am", "window": 64}
    among(checks, "gprs", values(tool, "preset gprs"), gprs)


def check_gsm(checks: Checks, tool: WordTool) -> None:
    """Rates are those of whole blocks and frames, by time slot; feedback has that of the other direction."""
    want: dict[str, Any]
    for name, (bits, here, there) in GPRS.items():
        got = values(tool, f"preset {name}")
        want = {"rate_bps": here * bits * 50, "tti_ns": 20_000_000, "pdu_bytes": bits // 8, "window": 64}
        among(checks, name, got, want | {"mode": "am", "header_bytes": 3})
        checks.equal(f"{name}: reverse", got["reverse"]["rate_bps"], there * bits * 50)
    for name, (bits, count) in HSCSD.items():
        got = values(tool, f"preset {name}")
        want = {"rate_bps": count * bits * 25, "tti_ns": 40_000_000, "pdu_bytes": bits // 8, "mode": "am"}
        among(checks, name, got, want)
        checks.equal(f"{name}: a frame on the air", got["pdu_bytes"] + got["header_bytes"], 576 // 8)
        # T1 and N2 of TS 24.022: the frame and six repetitions, none before the last one can be there.
        checks.equal(f"{name}: attempts", got["maxdat"] - 1, 1 + 6)
        there_and_back = got["delay_ns"] * 2 + got["tti_ns"] * 2
        checks.true(f"{name}: T1", got["status_prohibit_ns"] > there_and_back, got["status_prohibit_ns"])
    got = values(tool, "preset hscsd-57-t")
    among(checks, "transparent", got, {"rate_bps": 4 * 14400, "mode": "tm", "pdu_bytes": 0})


def check_over(checks: Checks, tool: WordTool) -> None:
    plain = values(tool, "preset umts-384")
    for words in ("preset umts-384 rate 5kbit", "rate 5kbit preset umts-384"):
        checks.equal(words, values(tool, words), plain | {"rate_bps": 5000})
    got = values(tool, "maxdat 4 preset umts-384 poll_timer off limit 100ms")
    want = plain | {"maxdat": 4, "poll_timer_ns": None, "limit_ns": 100_000_000}
    del want["limit_packets"]
    checks.equal("a limit in time in place of packets", got, want)
    got = values(tool, "preset umts-384 channel uniform loss 50%")
    checks.equal("another channel", got, plain | {"channel": {"kind": "uniform", "loss": 0.5}})
    got = values(tool, "preset umts-64 fdt 0.1")
    checks.true("only the Doppler frequency", abs(got["channel"]["r"] * 2**32 - 2704929774) <= 2, got)
    got = values(tool, "preset umts-384 mode um")
    for key in ("maxdat", "window", "header_bytes", "reverse", "poll_timer_ns"):
        checks.equal(f"um without {key} of am", key in got, False)
    among(checks, "um", got, {"mode": "um", "pdu_bytes": 40, "rate_bps": 384000})
    got = values(tool, "preset umts-384 mode asr alpha 4")
    checks.equal("asr without am's window", "window" in got, False)
    among(checks, "asr", got, {"alpha": 4, "mode": "asr"})
    checks.equal("asr keeps the way back", got["reverse"], plain["reverse"])
    got = values(tool, "preset shared-64 mode tm")
    want = {"rate_bps": 64000, "tti_ns": 0, "delay_ns": 50_000_000, "pdu_bytes": 250, "limit_packets": 50}
    want_all = want | {"channel": {"kind": "none"}, "sched": "fifo", "mode": "tm"}
    checks.equal("tm keeps nothing of asr", got, want_all)
    link = {"tti_ns", "sched", "seed"}
    got = values(tool, "preset umts-384", is_class=True)
    checks.equal("a class leaves the link alone", got, {k: v for k, v in plain.items() if k not in link})
    got = values(tool, "preset umts-384 tti 2ms", is_class=True)
    checks.equal("what is typed is sent", got["tti_ns"], 2_000_000)


def check_5qi(checks: Checks, tool: WordTool) -> None:
    """A class beside others: the standard's numbers, and nothing of the link."""
    for number, (priority, budget_ms, reliable) in FIVE_QI.items():
        # Where it names no mode, it is that of the link.
        words = f"preset 5qi-{number}{' mode lte-am' if reliable else ''}"
        got = values(tool, words, is_class=True)
        among(checks, f"5qi-{number}", got, {"prio": priority, "discard_timer_ns": budget_ms * 1_000_000})
        checks.equal(f"5qi-{number}: mode", got["mode"], "lte-am" if reliable else "lte-um")
        of_link = got.keys() & {"rate_bps", "sched", "tti_ns"}
        checks.equal(f"5qi-{number}: nothing of the link", of_link, set())
        checks.true(f"5qi-{number}: only a GBR class has a rate", number <= 4 or "gbr_bps" not in got, got)


def check_cells(checks: Checks, tool: WordTool) -> None:
    """Every downlink has the protocols of its system, and every uplink access besides."""
    for name in (name for name in CELLULAR if name.startswith(("lte", "nr"))):
        got = values(tool, f"preset {name}")
        lte = name.startswith("lte")
        want = ("lte-am", 1_000_000) if lte else ("nr-am", 500_000)
        among(checks, name, got, dict(zip(("mode", "tti_ns"), want)))
        checks.equal(f"{name}: processes", got["harq"]["processes"], 8 if lte else 16)
        checks.equal(f"{name}: access", "sr" in got, name.endswith("-up"))
        checks.equal(f"{name}: idle", "rrc" in got, name.endswith(("-up", "-push")))
        # The receiver asks again only for what HARQ has given up.
        last_ns = (got["harq"]["max"] - 1) * got["harq"]["rtt_ns"]
        checks.true(f"{name}: t-Reordering outlasts HARQ", got["reorder_timer_ns"] > last_ns, got)


BAD = [
    ("preset", "preset has no value"),
    ("rate 5 preset", "preset has no value"),
    ("preset lte", 'preset "lte" is unknown; wlinkctl preset list names them'),
    ("preset gprs preset gprs", "preset is given twice"),
    ("preset umts-384 alpha 3", "alpha does not belong to mode am"),
    ("preset umts-384 mode tm maxdat 3", "maxdat does not belong to mode tm"),
    ("preset umts-384 p 0.1", "p does not belong to channel rayleigh"),
    ("preset umts-384 rate 101gbit", "rate 101gbit is outside 0..100gbit, or unlimited"),
    ("preset umts-384 fer", "fer has no value"),
]


def check_shown(checks: Checks, tool: WordTool, build: Path) -> None:
    """What is printed is what is parsed, and each number has its source."""

    def ctl(*words: str) -> str:
        command = [str(build / "tests/plugin/wlinkctl"), *words]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        return str(done.stdout)

    listed = [row["name"] for row in json.loads(ctl("preset", "list", "--json"))]
    checks.equal("presets", listed, NAMES)
    checks.equal(
        "presets for readers", [line.split()[0] for line in ctl("preset", "list").split("\n")[:-1]], NAMES
    )
    for name in NAMES:
        shown = json.loads(ctl("--json", "preset", "show", name))
        checks.equal(f"{name} is itself", shown["name"], name)
        words = " ".join(f"{row['word']} {row['value']}" for row in shown["words"])
        checks.equal(f"words of {name}", tool.words(words), tool.words(f"preset {name}"))
        for row in shown["words"]:
            checks.true(f"{name} {row['word']} has a source", len(row["source"]) > 8, row)
            parts = re.fullmatch(r"spec: (.+); stacks: (.+); measured: (.+)", row["source"])
            checks.equal(f"{name} {row['word']} has three sources", bool(parts), name in CELLULAR)
            if parts and {*parts.groups()} == {"-"}:
                checks.true(f"{name} {row['word']} has one source at least", False, row)
        lines = ctl("preset", "show", name).split("\n")[1:-1]
        table = [{"word": a, "value": b, "source": c} for a, b, c in (line.split(None, 2) for line in lines)]
        checks.equal(f"table of {name}", table, shown["words"])
        has_mode = any(row["word"] == "mode" for row in shown["words"])
        payload = tool.words(f"preset {name}{'' if has_mode else ' mode lte-am'}")
        assert isinstance(payload, bytes)
        checks.equal(f"{name} shown and typed back", tool.words(tool.show(payload)), payload)


# Files of a folder, and what each comes to: words that mean the same, or a sentence.
OWN = {
    "mine": ("# a drive test\nbase umts-64\nrate 50kbit measured on 3 May\n", "preset umts-64 rate 50kbit"),
    "child": ("base mine\n\n# of it\nbase starlink\nmode am pdu of RLC\npdu 40\nrate 1mbit\ntti 10ms\n", ""),
    "awake": ("base lte-push\ndrx off\n", "preset lte-push drx off"),
    "late-off": ("base jumpy\njitter off\n", "rate 5kbit"),
    "jumpy": ("rate 5kbit\njitter 10ms\njitter_dist normal\njitter_dev 2ms\n",
              "rate 5kbit jitter 10ms jitter_dist normal jitter_dev 2ms"),
    "unfinished": ("base umts-64\nchannel uniform\nloss 1%\nrev_channel rayleigh\n", "rev_channel"),
    "plain": ("rate 5kbit\ndelay 1ms", "rate 5kbit delay 1ms"),
    "umts-128": ("rate 5kbit\n", "preset umts-128"),
    "loop": ("base again\n", "bases go deeper than 8 presets"),
    "again": ("base loop\n", "bases go deeper than 8 presets"),
    "late": ("rate 5kbit\nbase mine\n", ":2: base stands before the words of the preset itself"),
    "typo": ("base mine\nratee 5\n", ':2: unknown word "ratee"; did you mean rate?'),
    "twice": ("rate 5kbit\nrate 6kbit\n", ":2: rate is in line 1 already"),
    "range": ("\nrate 101gbit\n", ":2: rate 101gbit is outside 0..100gbit, or unlimited"),
    "short": ("rate\n", ":1: rate has no value"),
    "orphan": ("base nobody\n", ':1: preset "nobody" is unknown; wlinkctl preset list names them'),
    "nested": ("preset umts-64\n", ':1: in a preset, base takes the words of another one'),
    "empty": ("# nothing\n", ": no word up to the end of the file"),
    "binary": ("rate\x01 5\n", ":1: byte 5 is 0x01; this is no text, hence no preset"),
    "long": (f"rate 5kbit {'x' * 990}\n", ":1: longer than 1000 bytes"),
    "source": (f"rate 5kbit {'x' * 400}\n", ":1: a word has up to 31 bytes, its value 255, its source 399"),
    "many": ("".join(f"w{i} 1\n" for i in range(257)), ":257: more than 256 words"),
    "large": ("#\n" * 131073, ": above 262144 bytes, which no preset needs"),
}  # fmt: skip


def check_own(checks: Checks, build: Path) -> None:
    """A user's own presets work as those of wlink, and what is wrong is named with file and line."""
    with TemporaryDirectory() as folder:
        env = os.environ | {"WLINK_PRESETS": folder}

        def ctl(*words: str) -> str:
            command = [str(build / "tests/plugin/wlinkctl"), *words]
            done = subprocess.run(command, capture_output=True, text=True, check=False, env=env)
            return done.stdout or done.stderr

        for name, (text, _) in OWN.items():
            (Path(folder) / name).write_text(text)
        (Path(folder) / "endless").symlink_to("/dev/zero")
        listed = json.loads(ctl("preset", "list", "--json"))
        names = {row["name"]: row["what"] for row in listed if "file" in row}
        checks.equal("own ones are listed", {*names}, {*OWN, "endless"} - {"umts-128"})
        checks.equal("what an own one is", names["mine"], "a drive test")
        for name, (_, want) in OWN.items():
            for words in (("check", "preset", name), ("preset", "show", name)):
                got = ctl(*words)
                if want.startswith(":"):
                    checks.equal(f"{words}", got, f"wlinkctl: {folder}/{name}{want}\n")
                elif want.startswith("bases"):
                    checks.true(f"{words} ends", got.endswith(f":1: {want}\n"), got)
            if want == "rev_channel":
                checks.true(f"{name} lacks a word", "needs both rev_fer and rev_fdt" in got, got)
            if want and " " in want and not want.startswith((":", "bases")):
                checks.equal(f"{name} is {want}", ctl("check", "preset", name), ctl("check", *want.split()))
            if name in ("mine", "plain"):
                by_path = ctl("check", "preset", f"{folder}/{name}")
                checks.equal(f"{name} by path", by_path, ctl("check", *want.split()))
        got = ctl("check", "preset", "endless")
        checks.equal("one without an end", got, f"wlinkctl: {folder}/endless{OWN['large'][1]}\n")
        # The words of both bases, those of the later one above, and its own above them all.
        of = {row["word"]: row for row in json.loads(ctl("--json", "preset", "show", "child"))["words"]}
        checks.equal("the later base", (of["delay"]["value"], of["rate"]["value"]), ("20ms", "1mbit"))
        checks.equal("what another mode leaves no place for", "maxdat" in of, False)
        checks.equal("a source", of["mode"]["source"], "pdu of RLC")
        shown = Path(folder) / "shown"
        shown.write_text(ctl("preset", "show", "child"))
        again = ctl("check", "preset", "shown")
        checks.equal("what is shown is a preset", again, ctl("check", "preset", "child"))


# What a row of the table may be, by its unit.
SOME = {"TIME": "10ms", "RATE": "5kbit", "COUNT": "2", "BYTES": "1000b", "OCTETS": "100", "PROB": "10%",
        "MILLI": "2", "TTIS": "10", "SYMBOLS": "10", None: ""}  # fmt: skip


def check_off(checks: Checks, build: Path) -> None:
    """A word that switches its nest off takes those words of a preset along that it leaves no place for.

    Which these are is what is refused if they are typed.
    """
    link = "rate 1mbit", "tti 1ms", "sched pf"
    gone = kept = 0
    with TemporaryDirectory() as folder:
        env = os.environ | {"WLINK_PRESETS": folder}

        def check(words: str) -> tuple[int, str]:
            command = [str(build / "tests/plugin/wlinkctl"), "check", *words.split()]
            done = subprocess.run(command, capture_output=True, text=True, check=False, env=env)
            return done.returncode, done.stdout

        for first, *rest in table.nests().values():
            if first["other"] != "off" or not first["keyword"]:
                continue
            for row in (row for row in rest if row["keyword"]):
                word = f"{row['keyword']} {row['names'][0] if row['names'] else SOME[row['unit']]}"
                (Path(folder) / "own").write_text("".join(f"{one}\n" for one in (*link, word)))
                off = f"{first['keyword']} off"
                status, typed = check(f"{' '.join(link)} {off} {word}")
                want = check(f"{' '.join(link)} {off}")[1] if status else typed
                checks.equal(f"{word} of a preset, {off}", check(f"preset own {off}"), (0, want))
                gone, kept = gone + bool(status), kept + (not status)
    checks.true("some of both", gone > 10 and kept > 0, (gone, kept))


def check_bad_words(checks: Checks, tool: WordTool) -> None:
    for words, sentence in BAD:
        checks.equal(f"bad words: {words}", tool.words(words), sentence)
