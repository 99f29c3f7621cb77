# SPDX-License-Identifier: GPL-2.0
"""What the programs beside wlinkctl share with it: messages, exit codes, words that name links."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from decimal import Decimal
from typing import Any, NoReturn

from .units import TIME

USAGE, REFUSED, NOT_FOUND = 1, 2, 3

A_TIME = re.compile(r"(\d+\.?\d*|\.\d+)(s|ms|us|ns)", re.ASCII | re.IGNORECASE)


class Stop(Exception):
    """The end: an exit code, and a complaint unless somebody else has made it."""

    def __init__(self, code: int, text: str = "") -> None:
        super().__init__(text)
        self.code = code

    def complain(self) -> int:
        """Return: the exit code."""
        if str(self):
            complain(str(self))
        return self.code


def complain(text: str) -> None:
    print(f"wlinkctl: {text}", file=sys.stderr, flush=True)


def wlinkctl() -> str:
    """The one that has called, or that of the PATH."""
    return os.environ.get("WLINKCTL", "wlinkctl")


def show(*words: str) -> list[dict[str, Any]]:
    """The links or bearers that `wlinkctl show` prints."""
    try:
        done = subprocess.run([wlinkctl(), "--json", "show", *words], stdout=subprocess.PIPE, check=False)
    except OSError as error:
        raise Stop(REFUSED, f"{wlinkctl()}: {error.strerror}") from None
    if done.returncode:
        raise Stop(done.returncode)
    shown: list[dict[str, Any]] = json.loads(done.stdout)
    return shown


def device(name: str) -> str:
    """A device that there is."""
    try:
        socket.if_nametoindex(name)
    except OSError:
        raise Stop(NOT_FOUND, f'no device "{name}"') from None
    return name


def ns_of(text: str) -> int:
    """A time with its unit; -1 for what is none."""
    found = A_TIME.fullmatch(text)
    return int(Decimal(found[1]) * TIME[found[2].lower()]) if found else -1


def time_ns(option: str, text: str, least_ns: int, most_ns: int, code: int) -> int:
    """The value of an option; the exit code is for what is none."""
    ns = ns_of(text)
    if not least_ns <= ns <= most_ns:
        least, most = f"{least_ns // 10**6}ms", f"{most_ns // 10**9}s"
        raise Stop(code, f'{option} "{text}" is not a time from {least} to {most} with its unit')
    return ns


def value_of(option: str, words: list[str], code: int) -> str:
    """The word behind an option, taken from the words that are left."""
    if not words or not words[0]:
        raise Stop(code, f"{option} has no value")
    return words.pop(0)


def options(
    command: str, argv: list[str], flags: tuple[str, ...], takes: dict[str, Callable[[str], Any]], code: int
) -> tuple[dict[str, Any], list[str]]:
    """What was typed: options, -j as --json, with the values of those that take one, and the other words."""
    found: dict[str, Any] = {}
    left, others = list(argv), []
    while left:
        word = left.pop(0)
        if word in ("-j", *flags):
            found["--json" if word == "-j" else word] = True
        elif word in takes:
            found[word] = takes[word](value_of(word, left, code))
        elif word.startswith("-"):
            raise Stop(code, f'{command} knows no option "{word}"')
        else:
            others.append(word)
    return found, others


def print_json(value: object) -> None:
    print(json.dumps(value, separators=(",", ":"), ensure_ascii=False), flush=True)


def end(run: Callable[[list[str]], int]) -> NoReturn:
    """Run a command with what was typed; its exit code is that of the program."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        code = run(sys.argv[1:])
        sys.stdout.flush()
    except Stop as stop:
        code = stop.complain()
    except OSError as error:
        complain(f"{error.filename or 'standard output'}: {error.strerror}")
        code = USAGE
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(code)
