#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Is there a case for every message and every attribute of the module?

A case names the message it provokes under "extack"; its matchPattern has to
look for the same text.
"""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
KERNEL = HERE.parent.parent / "kernel"
UAPI = KERNEL / "include/uapi/linux"

# A C string that begins with "wlink: ", after any NL_SET_ERR_MSG variant.
MESSAGE = re.compile(r'NL_SET_ERR_MSG\w*\(\s*[^"]*"(wlink: (?:[^"\\]|\\.)*)"', re.DOTALL)
ANY_EXTACK = re.compile(r"NL_SET_ERR_MSG\w*\(")
CONVERSION = re.compile(r"%[-0-9.]*(?:ll|l)?[a-z]")
ATTRIBUTE = re.compile(r"^\tTCA_WLINK_(?!XSTATS)(\w+),", re.MULTILINE)
NESTS = ("LIMIT", "CHANNEL", "RLC", "REVERSE", "AQM", "PROFILE", "ROW", "BEARER", "PLAY")

# A case cannot take the guest's memory away and go on.
OUT_OF_REACH = "wlink: no memory for "

# Members whose word is not their name.
WORDS = {
    "T_POLL": "poll_timer",
    "T_POLL_PERIODIC": "poll_periodic",
    "T_POLL_PROHIBIT": "poll_prohibit",
    "T_STATUS_PERIODIC": "status_periodic",
    "T_STATUS_PROHIBIT": "status_prohibit",
    "T_DISCARD": "discard_timer",
    "T_MRW": "mrw_timer",
    "T_RST": "reset_timer",
    "T_REORDER": "reorder_timer",
}


def cases() -> Iterator[dict[str, str]]:
    for file in sorted(HERE.glob("*.json")):
        yield from json.loads(file.read_text(encoding="utf-8"))


def formats() -> list[str]:
    found: list[str] = []
    for file in sorted(KERNEL.rglob("*.c")):
        text = file.read_text(encoding="utf-8")
        messages = MESSAGE.findall(text)
        calls = len(ANY_EXTACK.findall(text))
        if len(messages) != calls:
            raise SystemExit(f"{file}: {calls} messages, but {len(messages)} begin with wlink:")
        found += messages
    return found


def matches(form: str, message: str) -> bool:
    literal = [re.escape(part) for part in CONVERSION.split(form)]
    return re.fullmatch(".*?".join(literal), message) is not None


def attribute_words() -> list[str]:
    """rate, tti, limit packets, channel p, ... as the messages name them."""
    words = []
    headers = (file.read_text(encoding="utf-8") for file in sorted(UAPI.glob("*.h")))
    for name in ATTRIBUTE.findall("".join(headers)):
        if name.endswith(("UNSPEC", "PAD")):
            continue
        nest, _, member = name.partition("_")
        if nest in NESTS and member:
            words.append(f"{nest.lower()} {WORDS.get(member, member.lower())}")
        else:
            words.append(name.lower())
    return words


def complaints() -> list[str]:
    found = []
    messages = []
    for case in cases():
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
    for word in attribute_words():
        if not any(message.startswith(f"wlink: {word} ") for message in messages):
            found.append(f"no case is about attribute: {word}")
    return found


def main() -> int:
    found = complaints()
    print("\n".join(found) or f"{len(formats())} messages, each has a case")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
