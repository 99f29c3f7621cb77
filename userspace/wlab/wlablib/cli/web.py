# SPDX-License-Identifier: GPL-2.0
"""The command web."""

import argparse
import os
from pathlib import Path

from ..lib.beside import Stop
from ..lib.files import write_file
from ..lib.paths import LabError
from . import options
from .options import arg, command


@command("web", "a page that shows and changes a wlab live, or plays a result again",
    arg("result", nargs="?", type=Path, metavar="RESULT", help="write it as one file of HTML"),
    arg("--out", type=Path, metavar="FILE", help="to this file (RESULT/replay.html)"),
    arg("--link", action="append", default=[], metavar="LINK", help="a link of it"),
    arg("--of", type=options.PID, default=0, metavar="PID", help="the wlab live, if several run"),
    arg("--listen", default="", metavar="ADDRESS:PORT", help="where to serve (127.0.0.1:8600)"),
    options.json())
def cmd_web(args: argparse.Namespace) -> int:
    """Serve the control page of a running wlab live, or write a result as one page."""
    from ..lab import build
    from ..web import command, result
    from ..web.live import Live

    if args.result:
        page, notes = result.page(args.result, args.link)
        to = args.out or args.result / "replay.html"
        write_file(to, page)
        command.written(str(to), page, notes, args.json)
        return 0
    if args.out or args.link:
        args.complain("--out and --link belong to a result")
    os.environ["WLINKCTL"] = str(build.wlinkctl())
    words = command.Words(json=args.json)
    try:
        if args.listen:
            words.address, words.port = command.listen(args.listen)
        return command.serve(Live(args.of), words)
    except Stop as stop:
        raise LabError(str(stop)) from None
