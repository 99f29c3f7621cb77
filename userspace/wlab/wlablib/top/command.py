# SPDX-License-Identifier: GPL-2.0
"""The command: its words, and one look after the other until somebody leaves."""

import re
from dataclasses import dataclass
from functools import partial

from ..lib.beside import NOT_FOUND, USAGE, Stop, device, options, print_json, time_ns, value_of
from .look import Asker, Look, Target, rows
from .screen import Screen
from .text import table

INTERVAL_NS, INTERVAL_MIN_NS, INTERVAL_MAX_NS = 10**9, 10**7, 3600 * 10**9
BEARERS_MAX = 4096
HELP = "NOW: bit/s delivered; RETX, DROPS: a second; q quits"


@dataclass
class Words:
    """What was typed."""

    json: bool
    once: bool
    interval_ns: int
    of: Target


def parse(argv: list[str]) -> Words:
    interval = partial(time_ns, "--interval", least_ns=INTERVAL_MIN_NS, most_ns=INTERVAL_MAX_NS, code=USAGE)
    found, others = options("top", argv, ("--json", "--once"), {"--interval": interval}, USAGE)
    every_ns = found.get("--interval", INTERVAL_NS)
    return Words("--json" in found, "--once" in found, every_ns, target(others))


def target(words: list[str]) -> Target:
    """[dev] DEV [HANDLE] [bearer N|all]"""
    of = Target()
    if not words:
        return of
    of.dev, *left = words[1:] if words[0] == "dev" and len(words) > 1 else words
    if left and ":" in left[0]:
        of.handle = handle(left.pop(0))
    if left and left[0] == "bearer":
        number = value_of(left.pop(0), left, USAGE)
        of.bearer = 0 if number == "all" else bearer(number)
    if left:
        raise Stop(USAGE, f'top takes a device, a handle and a bearer, but got "{left[0]}"')
    device(of.dev)
    return of


def handle(text: str) -> str:
    found = re.fullmatch(r"([0-9a-fA-F]{1,4}):0?", text)
    if not found or not int(found[1], 16):
        raise Stop(USAGE, f'"{text}" is not the handle of a qdisc, such as 1: or 8001:')
    return f"{int(found[1], 16):x}:"


def bearer(text: str) -> int:
    number = int(text) if re.fullmatch(r"[0-9]{1,5}", text) else 0
    if not 1 <= number <= BEARERS_MAX:
        raise Stop(USAGE, f'bearer "{text}" is not a number from 1 to {BEARERS_MAX}')
    return number


def show(screen: Screen, words: Words, before: Look, now: Look) -> None:
    interval_ns = now.at_ns - before.at_ns if before.at_ns else 0
    found = rows(before, now)
    if words.json:
        print_json({"time_ns": now.at_ns, "interval_ns": interval_ns if found else 0, "bearers": found})
        return
    width, height = screen.size()
    if not screen.live:
        screen.write("".join(line + "\n" for line in table(found, interval_ns > 0)))
        return
    # Behind the last column nothing can be erased, and the last line is the help.
    width = max(width - 1, 1)
    lines = table(found, interval_ns > 0, width, height - 1) if height > 1 else []
    screen.write("\033[H" + "".join(f"{line}\033[K\n" for line in lines) + HELP[:width] + "\033[K\033[J")


def run(screen: Screen, asker: Asker, words: Words) -> None:
    before, now = Look(), asker.look(words.of)
    of = words.of
    if of.dev and not now.bearers:
        what = f"bearer {of.bearer}" if of.bearer else f"wlink {of.handle}".strip()
        raise Stop(NOT_FOUND, f"no {what} on {of.dev}")
    if not words.once and not words.json:
        screen.open()
    if screen.live:
        show(screen, words, before, now)
    due_ns = now.at_ns
    while True:
        due_ns += words.interval_ns
        # What has been missed while we were stopped is not made up.
        if due_ns < now.at_ns:
            due_ns = now.at_ns + words.interval_ns
        if screen.wait(due_ns, partial(show, screen, words, before, now)):
            return
        before, now = now, asker.look(of)
        show(screen, words, before, now)
        if words.once:
            return


def main(argv: list[str]) -> int:
    words = parse(argv)
    screen = Screen()
    try:
        run(screen, Asker(), words)
    finally:
        screen.close()
    return 0
