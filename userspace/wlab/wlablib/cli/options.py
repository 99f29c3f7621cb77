# SPDX-License-Identifier: GPL-2.0
"""Arguments that several commands share."""

import argparse
from pathlib import Path
from typing import Any, TypeAlias

from ..lib import page
from ..lib.keys import SEED_MAX
from ..lib.paths import RESULTS

# A text, for argparse's class is generic for mypy only.
Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"
Parser = argparse.ArgumentParser


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


def json(p: Parser, what: str = "print JSON") -> None:
    p.add_argument("--json", action="store_true", help=what)


def scenario(p: Parser, what: str | None = None, optional: bool = False) -> None:
    """SCENARIO.toml and the changes of it."""
    more: dict[str, Any] = {"nargs": "?"} if optional else {}
    p.add_argument("scenario", type=Path, metavar="SCENARIO.toml", help=what, **more)
    settings(p)


def settings(p: Parser) -> None:
    p.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="change the scenario")


def figure(p: Parser) -> None:
    """How figures are to be, for look()."""
    p.add_argument("--format", choices=page.FORMATS, default="", help="of the pictures")
    p.add_argument("--size", metavar="WxH", help="of a picture, in inches, or as in 89x60mm")
    p.add_argument("--title", metavar="TEXT", help='in place of a picture\'s own; "" is none')
    p.add_argument("--style", default="", metavar="FILE", help="a style sheet of matplotlib, or its name")


def look(args: argparse.Namespace) -> bool:
    """Take the options of figure(); whether there are any."""
    have = page.LOOK
    have.format, have.title, have.style = args.format, args.title, args.style
    have.inches = page.size(args.size) if args.size else None
    return bool(have.format or have.inches or have.style) or have.title is not None


def experiments(p: Parser) -> None:
    """Names, files or a set; none means the papers."""
    p.add_argument("experiment", nargs="*", metavar="EXPERIMENT", help="name, file or set.toml (the papers)")


def quick(p: Parser, what: str = "the cells of a quick run") -> None:
    p.add_argument("--quick", action="store_true", help=what)


def sweep_folder(p: Parser, name: str = "--out") -> None:
    """The folder of a sweep; without dashes an argument that may be missing."""
    more: dict[str, Any] = {} if name.startswith("-") else {"nargs": "?"}
    default, words = RESULTS / "papers", "folder of the sweep (build/papers)"
    p.add_argument(name, type=Path, default=default, metavar="DIR", help=words, **more)


def cell_timeout(p: Parser) -> None:
    p.add_argument("--timeout", type=WALL_S, default=60.0, help="wall seconds without progress (60)")
