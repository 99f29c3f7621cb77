# SPDX-License-Identifier: GPL-2.0
"""The command link."""

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path

from ..lab.boot import STALL_S
from . import options
from .options import arg, command

USAGE = "wlab link {--preset NAME | --trace FILE | --down LINE [--up LINE]} [OPTION ...] -- COMMAND ..."


@command("link", "one command behind a link, in virtual time",
    arg("--preset", default="", metavar="NAME", help="a known link (wlinkctl preset list)"),
    arg("--down", default="", metavar="LINE", help="the link to the command, words of tc-wlink(8)"),
    arg("--up", default="", metavar="LINE", help="the link from it (as --down)"),
    arg("--trace", default="", metavar="FILE", help="a recorded downlink; --down says the rest"),
    arg("--server", default="", metavar="COMMAND", help="a line for sh at $SERVER, the other end"),
    arg("--file", action="append", default=[], help="copy it, too (those that the commands name)"),
    arg("--assert", dest="asserted", action="append", default=[], metavar="'FIGURE < VALUE'",
                   help="fail if it does not hold, as in 'p95(delay) < 300ms'"),
    arg("--for", dest="longest", default="600s", metavar="TIME", help="at most (600s)"),
    arg("--seed", type=options.SEED, default=1, help="of all random numbers (1)"),
    arg("--out", type=Path, metavar="DIR", help="result folder (build/results/link, replaced)"),
    arg("--force", action="store_true", help="replace an existing result"),
    arg("--on", choices=STALL_S, default="lab", help="where (lab)"),
    arg("--live", action="store_true", help="in real time: wlab live"),
    options.json(),
    arg("command", nargs=argparse.REMAINDER, metavar="-- COMMAND ARGS..."),
    usage=USAGE)
def cmd_link(args: argparse.Namespace) -> int:
    """Run one command behind a link, and print its figures."""
    from ..link import judge, link

    words = args.command[1:] if args.command[:1] == ["--"] else args.command
    if not words:
        args.complain("no command; type: wlab link --preset NAME -- COMMAND ARGS...")
    asserted = [judge.read(text) for text in args.asserted]
    which = link.of(args.preset, args.down, args.up, args.trace)
    if args.live:
        return live(args, words)
    sc = link.build(which, words, args.server, args.file, args.longest)
    folder = link.run(sc, args.seed, args.out, args.force, args.on)
    ways = link.ways(folder)
    judged = [one.judge(ways) for one in asserted]
    if args.json:
        figures = {name: asdict(way) for name, way in ways.items()}
        verdicts = [{"text": one.text, "holds": good} for one, (good, _) in zip(asserted, judged)]
        said = {"folder": str(folder), "output": link.output(folder), "asserted": verdicts}
        print(json.dumps({**said, **figures}))
    else:
        sys.stdout.write(link.output(folder))
        print("\n".join([link.as_text(folder, ways), *(sentence for _, sentence in judged)]))
    return 0 if all(good for good, _ in judged) else 1


def live(args: argparse.Namespace, words: list[str]) -> int:
    """The same link in real time, before the network of this machine."""
    from ..live import live

    for option, value in (("--assert", args.asserted), ("--trace", args.trace), ("--server", args.server)):
        if value:
            args.complain(f"{option} is for virtual time, without --live")
    return live.run(live.links(args.preset, "", [], args.down, args.up), words, args.json)
