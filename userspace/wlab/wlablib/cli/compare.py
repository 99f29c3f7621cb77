# SPDX-License-Identifier: GPL-2.0
"""The command compare."""

import argparse
import json
from pathlib import Path

from ..lib.paths import RESULTS, LabError
from . import options
from .options import arg, command


@command("compare", "one page and one picture of several results",
    arg("result", type=Path, nargs="*", metavar="RESULT"),
    arg("--by", choices=("run", "flow", "key"), default="run", help="what a curve is of (run)"),
    arg("--plot", default="", metavar="NAME,...", help="these plots; list prints their names"),
    arg("--out", type=Path, default=RESULTS / "compare", metavar="DIR", help="(build/compare)"),
    options.figure(), options.json("print all numbers"))
def cmd_compare(args: argparse.Namespace) -> int:
    """Write a page and a picture of all results."""
    from ..compare import compare

    options.look(args)
    if args.plot == "list":
        print(compare.plot_list())
        return 0
    if not args.result:
        raise LabError("no result to compare; type: wlab compare RESULT ...")
    comparison = compare.compare(args.result, args.by, args.plot, args.out)
    print(json.dumps(comparison.numbers) if args.json else compare.text(comparison))
    return 0
