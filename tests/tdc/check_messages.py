#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Is there a case for every message and every attribute of the module, and does each
message fit where the kernel has 80 bytes for it?

A case names the message it provokes under "extack"; its matchPattern has to
look for the same text.
"""

import importlib
import re
import sys
from pathlib import Path
from typing import Any

from tables import every

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "userspace/spec"))
words: Any = importlib.import_module("words")

KERNEL = HERE.parent.parent / "kernel"

# A C string that begins with "wlink: ", in a call of wl_refuse(), which is not its definition.
MESSAGE = re.compile(r'\bwl_refuse\([^"]*"(wlink: (?:[^"\\]|\\.)*)"', re.DOTALL)
ANY_EXTACK = re.compile(r'\bwl_refuse\((?!struct)|NL_SET_ERR_MSG\w*\((?!extack, "%pV")')
NAMED = re.compile(r'^#define (\w+)\s+("wlink: .*")$', re.MULTILINE)
CONVERSION = re.compile(r"%[-0-9.]*(?:ll|l)?[a-z]")

# Any other word: the name of an attribute, a mode, a kind, what a policy rejects.
WORD = 32

# What NETLINK_MAX_FMTMSG_LEN leaves beside the end of the string.
MOST = 79

# What nests are called in messages, where it is not their name.
PREFIXES = {"options": [""], "channel": ["channel ", "reverse channel "], "aqm": ["aqm ", "row aqm "]}
TWICE = ("reverse channel ", "row aqm ")

# Digits of numbers that something else bounds: by what a message can hold, by the
# attribute's own range, by the memory there is. 20 and 10 otherwise, 4 of a %x.
DIGITS = {
    "wlink: there is no class %x:%x for bearer %u": (4, 4, 10),
    "wlink: no memory for %llu bytes of windows and PDUs on their way": (13,),
    "wlink: gbr of all is %llu ppm of the airtime, above %llu": (10, 7),
    "wlink: windows of all bearers, %llu bytes, are more than %u": (13, 10),
    "wlink: profile row %u: %.56s": (2, 56),
    "wlink: profile row %u: rate %llu is not above %llu bit/s": (2, 12, 12),
    "wlink: profile %.24s has %u rows, needs %u..%u": (24, 5, 1, 2),
    "wlink: steps of all schedules take %llu bytes, more than %llu": (9, 9),
    "wlink: length %llu is below the last offset, %llu ns": (15, 15),
    "wlink: schedule columns 0x%x has a limit in packets and one in bytes": (8,),
    "wlink: bearers in changes that wait, %u, are more than %u": (5, 4),
    # Times are below 2^63 ns, now + 10 years is not yet 10^18.
    "wlink: %s %llu is above %llu ns, 10 years": (10, 20, 18),
    "wlink: %s%s has a length of %d, %d bytes are left": (0, 0, 5, 5),
    "wlink: %s%s has %d bytes, needs 1..%d": (0, 0, 5, 3),
    "wlink: %s%s has %d bytes, needs %d": (0, 0, 5, 1),
}

# Who writes these looks whether they fit.
GUARDED = ("wlink: %s%s %llu is outside %llu..%llu%s%s", "wlink: %s%s must be 0, not %llu%s%s")

# Words in place of a %s that is not the name of an attribute.
TEXTS = {
    "wlink: aqm ramp_from is %s, ramp_to is %s": ("off", "off"),
    "wlink: reverse is not part of mode %s": ("asr",),
    "wlink: %s is required": ("rate",),
    "wlink: %s%s needs %s, which is off": ("background",),
    "wlink: schedule %s %s for %s": ("columns", "is required", "start"),
    "wlink: handle %x:%x: there is no wlink on %s": ("x" * 15,),
    "wlink: part %s is required": ("options",),
    "wlink: %.21s %llu is %s %llu": ("x" * 21, "above"),
    "wlink: %s %llu is before now, %llu ns": ("start",),
    "wlink: %s belongs to the qdisc, not to class %x:%x": ("sched",),
    "wlink: %s%s is not part of %s %s": ("kind", "droptail"),
    "wlink: options are malformed: %s": ("bytes leftover after parsing attributes",),
}

# A case cannot take the guest's memory away and go on.
# tdc has both modules; tests/lab/host/modules.py takes one away.
OUT_OF_REACH = ("wlink: no memory for ", "wlink: %s needs module wlink_3gpp")


def formats() -> list[str]:
    found: list[str] = []
    for file in sorted(KERNEL.rglob("*.c")):
        text = file.read_text(encoding="utf-8")
        for name, literal in NAMED.findall(text):
            text = text.replace(f"-ERANGE, {name},", f"-ERANGE, {literal},")
        messages = MESSAGE.findall(text)
        calls = len(ANY_EXTACK.findall(text))
        if len(messages) != calls:
            raise SystemExit(f"{file}: {calls} messages, but {len(messages)} begin with wlink:")
        found += messages
    return found


def matches(form: str, message: str) -> bool:
    literal = [re.escape(part) for part in CONVERSION.split(form)]
    return re.fullmatch(".*?".join(literal), message) is not None


def attributes() -> dict[str, str]:
    """rate, tti, limit packets, channel p, ... as the messages name them, and their bounds."""
    return {
        prefix + row["name"]: row["text"] or ""
        for row in words.rows()
        for prefix in PREFIXES.get(row["nest"], [f"{row['nest']} "])
    }


def longest(form: str) -> int:
    """Bytes of a message with its longest arguments."""
    digits, texts = DIGITS.get(form, ()), list(TEXTS.get(form, ()))
    length = len(CONVERSION.sub("", form))
    # The prefix and the name, and where there are bounds, they and the unit.
    named, bounded = "%s%s" in form, "%s is outside %s" in form
    if named:
        length += max(len(name) + bounded * len(bounds + " ns") for name, bounds in attributes().items())
    for at, conversion in enumerate(CONVERSION.findall(form)):
        if digits and digits[at]:
            length += digits[at]
        elif conversion[-1] != "s":
            length += 20 if "ll" in conversion else {"u": 10, "d": 11, "x": 4}[conversion[-1]]
        elif bounded or (named and at < 2):
            continue
        elif texts:
            length += len(texts.pop(0))
        elif "." in conversion:
            length += int(re.findall(r"\d+", conversion)[0])
        else:
            length += WORD
    return length


def complaints() -> list[str]:
    found = [
        f"{size} bytes, there is room for {MOST}: {form}"
        for form in formats()
        if form not in GUARDED and (size := longest(form)) > MOST
    ]
    messages = []
    for case in every():
        if "extack" not in case:
            continue
        messages.append(case["extack"])
        if case["extack"] not in case["matchPattern"].replace("\\", ""):
            found.append(f"case {case['id']} does not look for its extack: {case['extack']}")
    for form in formats():
        if form.startswith(OUT_OF_REACH):
            continue
        if not any(matches(form, message) for message in messages):
            found.append(f"no case provokes: {form}")
    for word in (word for word in attributes() if not word.startswith(TWICE)):
        if not any(message.startswith(f"wlink: {word} ") for message in messages):
            found.append(f"no case is about attribute: {word}")
    return found


def main() -> int:
    found = complaints()
    print("\n".join(found) or f"{len(formats())} messages, each has a case")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
