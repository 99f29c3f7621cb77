# SPDX-License-Identifier: GPL-2.0
"""The command show."""

import argparse
import json
from pathlib import Path

from . import options
from .options import arg, command


@command("show", "a scenario's nodes, links, addresses and routes",
    options.scenario(),
    arg("--draw", type=Path, metavar="FILE", help="a drawing: .png, .svg, .pdf or .dot"),
    options.json())
def cmd_show(args: argparse.Namespace) -> int:
    """Print the network, and draw it with --draw."""
    from ..scenario import scenario, show

    sc = scenario.load(args.scenario, args.set)
    if args.draw:
        show.draw(sc, args.draw)
    print(json.dumps(show.as_dict(sc)) if args.json else show.as_text(sc))
    return 0
