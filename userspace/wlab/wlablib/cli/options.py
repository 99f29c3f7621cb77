# SPDX-License-Identifier: GPL-2.0
"""The commands of wlab, and arguments that several share."""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..lib import page
from ..lib.keys import SEED_MAX
from ..lib.paths import RESULTS

Run = Callable[[argparse.Namespace], int]
# Adds something to a command's parser.
Add = Callable[[argparse.ArgumentParser], object]
# By the function that runs it: name, words for its parser, and what adds its arguments.
COMMANDS: dict[Run, tuple[str, dict[str, Any], tuple[Add, ...]]] = {}


def command(name: str, what: str, *adds: Add, **words: Any) -> Callable[[Run], Run]:
    """Make a function a command."""

    def make(run: Run) -> Run:
        COMMANDS[run] = name, {"help": what, **words}, adds
        return run

    return make


def arg(*names: str, **words: Any) -> Add:
    """An argument in the words of argparse."""
    return lambda p: p.add_argument(*names, **words)


class Number:
    """A type of arguments: a number with bounds, which its message names."""

    def __init__(self, of: type[int] | type[float], least: float, most: float) -> None:
        self.of, self.least, self.most = of, least, most

    def __call__(self, text: str) -> float:
        try:
            value = self.of(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"'{text[:40]}' is not a number") from None
        if not self.least <= value <= self.most:
            raise argparse.ArgumentTypeError(f"{text[:40]} is not in {self.least}..{self.most}")
        return value


# All numbers of wlab's command line.
HZ = Number(int, 24, 1024)
JOBS = Number(int, 1, 4096)
PID = Number(int, 1, 1 << 22)
RUNS = Number(int, 1, 100_000)
SEEDS = Number(int, 1, 1000)
SEED = Number(int, 0, SEED_MAX)
SDU = Number(int, 0, (1 << 53) - 1)
WALL_S = Number(float, 0.1, 10_000_000)


def json(what: str = "print JSON") -> Add:
    return arg("--json", action="store_true", help=what)


def settings(what: str = "change the scenario") -> Add:
    return arg("--set", action="append", default=[], metavar="KEY=VALUE", help=what)


def scenario(what: str | None = None, optional: bool = False) -> Add:
    """SCENARIO.toml and the changes of it."""
    more: dict[str, Any] = {"nargs": "?"} if optional else {}
    file = arg("scenario", type=Path, metavar="SCENARIO.toml", help=what, **more)
    return lambda p: (file(p), settings()(p))


def figure() -> Add:
    """How figures are to be, for look()."""
    adds = (
        arg("--format", choices=page.FORMATS, default="", help="of the pictures"),
        arg("--size", metavar="WxH", help="of a picture, in inches, or as in 89x60mm"),
        arg("--title", metavar="TEXT", help='in place of a picture\'s own; "" is none'),
        arg("--style", default="", metavar="FILE", help="a style sheet of matplotlib, or its name"),
    )
    return lambda p: [add(p) for add in adds]


def look(args: argparse.Namespace) -> bool:
    """Take the options of figure(); whether there are any."""
    have = page.LOOK
    have.format, have.title, have.style = args.format, args.title, args.style
    have.inches = page.size(args.size) if args.size else None
    return bool(have.format or have.inches or have.style) or have.title is not None


def experiments() -> Add:
    """Names, files or a set; none means the papers."""
    return arg("experiment", nargs="*", metavar="EXPERIMENT", help="name, file or set.toml (the papers)")


def quick(what: str = "the cells of a quick run") -> Add:
    return arg("--quick", action="store_true", help=what)


def sweep_folder(name: str = "--out") -> Add:
    """The folder of a sweep; without dashes an argument that may be missing."""
    more: dict[str, Any] = {} if name.startswith("-") else {"nargs": "?"}
    default, words = RESULTS / "papers", "folder of the sweep (build/papers)"
    return arg(name, type=Path, default=default, metavar="DIR", help=words, **more)


def cell_timeout() -> Add:
    return arg("--timeout", type=WALL_S, default=60.0, help="wall seconds without progress (60)")
