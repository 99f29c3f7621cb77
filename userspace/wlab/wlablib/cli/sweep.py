# SPDX-License-Identifier: GPL-2.0
"""The commands sweep and job, and the words behind `--`."""

import argparse
import json
from pathlib import Path

from . import live, options
from .options import arg, command


@command("sweep", "run all cells whose results are missing or out of date",
    options.experiments(), options.quick("the cells of a quick run"),
    arg("--jobs", type=options.JOBS, metavar="N", help="number of parallel cells (number of CPUs)"),
    arg("--dry-run", action="store_true", help="list what would be run and why"),
    options.sweep_folder(), options.json(),
    usage="wlab sweep [EXPERIMENT ...] [--quick] [--jobs N] [--dry-run] [--out DIR] [--json] [-- WORDS]")
def cmd_sweep(args: argparse.Namespace) -> int:
    """Run all cells whose results are missing or out of date."""
    from ..experiment.sweep import sweep

    if args.dry_run:
        found = sweep.dry_run(args.experiment, args.quick, args.jobs, args.out)
        print(json.dumps(found) if args.json else sweep.dry_run_text(found), end="")
        return 0
    cost = sweep.sweep(args.experiment, args.quick, args.jobs, args.out, args.words)
    print(json.dumps(cost) if args.json else sweep.cost_text(cost))
    return 0


@command("job", "one cell of a sweep, as snakemake calls it",
    arg("dir", type=Path, metavar="DIR", help="folder of the sweep"),
    arg("name_of_cell", metavar="EXPERIMENT/CELL"),
    options.cell_timeout())
def cmd_job(args: argparse.Namespace) -> int:
    """Run one cell of a sweep."""
    from ..experiment.sweep.job import job

    job(args.dir.absolute(), args.name_of_cell, args.timeout)
    return 0


def parse(top: argparse.ArgumentParser, argv: list[str]) -> argparse.Namespace:
    """Parse the command line; words behind `--` are for another program, which argparse cannot separate."""
    at = argv.index("--") if argv[:1] in (["sweep"], ["live"]) and "--" in argv else len(argv)
    own = min(at, live.split(argv)) if argv[:1] == ["live"] else at
    args = top.parse_args(argv[:own])
    args.words = argv[own + (own == at) :]
    return args
