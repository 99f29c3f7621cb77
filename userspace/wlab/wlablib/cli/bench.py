# SPDX-License-Identifier: GPL-2.0
"""The command bench-cc."""

import argparse
import json
from pathlib import Path

from ..lib.paths import RESULTS
from . import options
from .options import arg, command


@command("bench-cc", "congestion controls over the cases of one bench",
    arg("--cc", default="reno,cubic,bbr", metavar="NAME,...", help="(reno,cubic,bbr)"),
    arg("--cases", default="", metavar="WORD", help="with this word in the name (all)"),
    arg("--seeds", type=options.SEEDS, metavar="N", help="runs of a case (10, quick 2)"),
    options.quick("two seeds"),
    arg("--jobs", type=options.JOBS, metavar="N", help="number of parallel cells (number of CPUs)"),
    arg("--out", type=Path, default=RESULTS / "bench-cc", metavar="DIR", help="(build/bench-cc)"),
    arg("--to", type=Path, metavar="DIR", help="where the pages go (DIR/report)"),
    arg("--list", action="store_true", help="print the cases and their bounds, run nothing"),
    options.json("print the verdicts as JSON"))
def cmd_bench_cc(args: argparse.Namespace) -> int:
    """Run congestion controls over the cases of the bench."""
    from ..bench import bench, cases

    parts = cases.chosen(args.cases, args.cc.split(","), args.seeds)
    if args.list:
        print(bench.listed(parts))
        return 0
    judged, first = bench.run(parts, args.quick, args.jobs, args.out, args.to or args.out / "report")
    print(json.dumps([vars(one) for one in judged]) if args.json else f"{bench.as_text(judged)}\n{first}")
    return 0
