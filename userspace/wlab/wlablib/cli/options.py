# SPDX-License-Identifier: GPL-2.0
"""Arguments that several commands share."""

import argparse
from pathlib import Path
from typing import Any, TypeAlias

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
SEED = Number(int, 0, SEED_MAX)
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
