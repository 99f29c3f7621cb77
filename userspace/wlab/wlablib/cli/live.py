# SPDX-License-Identifier: GPL-2.0
"""The command of wlab that runs a program behind the link, in real time."""

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    # A generic class for mypy only.
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]

USAGE = """wlab live [--preset NAME | SCENARIO.toml | --down LINE [--up LINE]] [--json] -- COMMAND ...
       wlab live [--of PID] set [down | up] WORDS ...
       wlab live [--of PID] top | record [down | up] FILE [OPTION ...]"""
ASKS = ("set", "top", "record")


def cmd_live(args: argparse.Namespace) -> int:
    """Run a program behind a link, or ask one that runs."""
    from ..live import live, sessions

    if args.scenario in ASKS:
        return sessions.ask(args.of, args.scenario, args.words)
    if not args.words:
        args.complain("no command; type: wlab live -- COMMAND ARGS...")
    if bool(args.preset) + bool(args.scenario) + bool(args.down or args.up) != 1:
        args.complain("which link? one of: --preset NAME, SCENARIO.toml, --down LINE and --up LINE")
    sc = live.links(args.preset, args.scenario, args.set, args.down, args.up)
    return live.run(sc, args.words, args.json)


def split(argv: list[str]) -> int:
    """Where the words begin that are no options of wlab."""
    asks = [at for at in (1, 3) if argv[at : at + 1] and argv[at] in ASKS]
    return asks[0] + 1 if asks else len(argv)


def add(sub: "Commands") -> None:
    """Into wlab's parser."""
    p = sub.add_parser("live", help="run a program behind a link, in real time", usage=USAGE)
    p.add_argument("scenario", nargs="?", default="", metavar="SCENARIO.toml", help="whose radio link it is")
    p.add_argument("--preset", default="", metavar="NAME", help="a known link (wlinkctl preset list)")
    p.add_argument("--down", default="", metavar="LINE", help="words of tc-wlink(8), to the command")
    p.add_argument("--up", default="", metavar="LINE", help="and from it (as --down)")
    p.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="change the scenario")
    p.add_argument("--json", action="store_true", help="the summary at the end as a line of JSON")
    p.add_argument("--of", type=int, default=0, metavar="PID", help="which wlab live is asked, of several")
    p.set_defaults(run=cmd_live, complain=p.error)
