# SPDX-License-Identifier: GPL-2.0
"""The command live."""

import argparse

from . import options
from .options import arg, command

USAGE = """wlab live [--preset NAME | SCENARIO.toml | --down LINE [--up LINE]] [--json] -- COMMAND ...
       wlab live [--of PID] set [down | up] WORDS ...
       wlab live [--of PID] top | record [down | up] FILE [OPTION ...]
       wlab live [--of PID] wlinkctl WORDS ..."""
REQUESTS = ("set", "top", "record", "wlinkctl")


@command("live", "run a program behind a link, in real time",
    arg("scenario", nargs="?", default="", metavar="SCENARIO.toml", help="use its radio link"),
    arg("--preset", default="", metavar="NAME", help="a known link (wlinkctl preset list)"),
    arg("--down", default="", metavar="LINE", help="the link to the command, words of tc-wlink(8)"),
    arg("--up", default="", metavar="LINE", help="the link from it (as --down)"),
    options.settings(), options.json("print the summary at the end as JSON"),
    arg("--of", type=options.PID, default=0, metavar="PID", help="the wlab live to address, if several run"),
    usage=USAGE)
def cmd_live(args: argparse.Namespace) -> int:
    """Run a program behind a link, or send a request to a running wlab live."""
    from ..live import live, sessions

    if args.scenario in REQUESTS:
        return sessions.ask(args.of, args.scenario, args.words)
    if not args.words:
        args.complain("no command; type: wlab live -- COMMAND ARGS...")
    if bool(args.preset) + bool(args.scenario) + bool(args.down or args.up) != 1:
        args.complain("which link? one of: --preset NAME, SCENARIO.toml, --down LINE and --up LINE")
    sc = live.links(args.preset, args.scenario, args.set, args.down, args.up)
    return live.run(sc, args.words, args.json)


def split(argv: list[str]) -> int:
    """The index of the first argument that is not an option of wlab."""
    positions = [at for at in (1, 3) if argv[at : at + 1] and argv[at] in REQUESTS]
    return positions[0] + 1 if positions else len(argv)
