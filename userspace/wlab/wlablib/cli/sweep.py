# SPDX-License-Identifier: GPL-2.0
"""The commands sweep and job, and the words behind `--`."""

import argparse
import json
import re
from pathlib import Path

from . import live, options
from .options import arg, command


def part(text: str) -> tuple[int, int]:
    """Which of how many parts."""
    found = re.fullmatch(r"([1-9]\d{0,3})/([1-9]\d{0,3})", text)
    if not found or int(found[1]) > int(found[2]):
        raise argparse.ArgumentTypeError(f"'{text[:40]}' is not as in 1/2")
    return int(found[1]), int(found[2])


@command("sweep", "run all cells whose results are missing or out of date",
    options.experiments(), options.quick("the cells of a quick run"),
    arg("--jobs", type=options.JOBS, metavar="N", help="number of parallel cells (number of CPUs)"),
    arg("--slurm", action="store_true", help="each cell a job of Slurm"),
    arg("--part", type=part, default=(1, 1), metavar="I/N", help="part I of N of the cells only"),
    arg("--from", dest="others", action="append", type=Path, default=[], metavar="DIR",
        help="take the results of a sweep of another machine"),
    arg("--dry-run", action="store_true", help="list what would be run, why, and its cost"),
    options.sweep_folder(), options.json(),
    usage="wlab sweep [EXPERIMENT ...] [--quick] [--jobs N] [--slurm] [--part I/N] [--from DIR]..."
    " [--dry-run] [--out DIR] [--json] [-- WORDS]")
def cmd_sweep(args: argparse.Namespace) -> int:
    """Run all cells whose results are missing or out of date."""
    from ..experiment.sweep import sweep

    if args.dry_run:
        found = sweep.dry_run(args.experiment, args.quick, args.jobs, args.out, args.part, args.others)
        print(json.dumps(found) if args.json else sweep.dry_run_text(found), end="")
        return 0
    words = [*(sweep.SLURM if args.slurm else ()), *args.words]
    cost = sweep.sweep(args.experiment, args.quick, args.jobs, args.out, words, args.part, args.others)
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
