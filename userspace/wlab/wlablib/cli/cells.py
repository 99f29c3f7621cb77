# SPDX-License-Identifier: GPL-2.0
"""The commands cells, cell, schema and verify."""

import argparse
import json
import sys
from functools import partial
from pathlib import Path
from typing import Any

from ..lib.paths import LabError
from . import options
from .options import arg, command


@command("cells", "list the cells of experiments",
    options.experiments(), options.quick("those of a quick run"),
    options.json("print JSON, with scenarios and seeds"))
def cmd_cells(args: argparse.Namespace) -> int:
    """List the cells of experiments after checking all."""
    from ..experiment import cells

    all_cells = cells.expand_all(args.experiment, args.quick)
    if args.json:
        print(json.dumps([c.as_json() for c in all_cells]))
        return 0
    for cell in all_cells:
        print(f"{cell.experiment.name}\t{cell.id}\t{len(cell.seeds)} seeds\t{', '.join(cell.items)}")
    virtual = sum(c.scenario.duration_ns / 1e9 * len(c.seeds) for c in all_cells)
    runs = sum(len(c.seeds) for c in all_cells)
    print(f"{len(all_cells)} cells, {runs} runs, {virtual:.0f} virtual seconds", file=sys.stderr)
    return 0


@command("cell", "run one cell of an experiment, all its seeds",
    arg("experiment", metavar="EXPERIMENT", help="name or file"),
    arg("cell", metavar="CELL", help="as wlab cells names it"),
    arg("--out", type=Path, required=True, metavar="FILE", help="where the result goes"),
    options.quick("as in a quick run"), options.cell_timeout(), options.json("print the result"))
def cmd_cell(args: argparse.Namespace) -> int:
    """Run one cell."""
    from ..experiment import cells, experiment
    from ..experiment.cellrun import run_cell
    from ..scenario.files import FOLDER, keep

    cell = cells.find(experiment.load(args.experiment), args.cell, args.quick)
    result = run_cell(cell, args.out, args.timeout)
    try:
        keep(cell.inputs(), args.out.parent / FOLDER)
    except OSError as e:
        raise LabError(f"{e.filename}: cannot be written: {e.strerror}") from None
    print(json.dumps(result) if args.json else as_text(result))
    return 0


def as_text(result: dict[str, Any]) -> str:
    """What `wlab cell` prints."""
    from ..analysis.metrics import unit
    from ..report.words import number

    wall_s = result["cost"]["wall_s"]
    lines = [f"{result['experiment']} {result['id']}, {len(result['seeds'])} seeds, {wall_s:.1f} s"]
    for name, m in result["metrics"].items():
        value = number(m["value"], m["half_width"], 1) if m["half_width"] else f"{m['value']:.6g}"
        lines.append(f"{name:<20} {value} {unit(name)}".rstrip())
    if len(result["seeds"]) > 1 and len(set(result["event_sha256"].values())) == 1:
        lines.append("nothing here is random: all seeds gave the same run")
    return "\n".join(lines)


@command("schema", "print the JSON Schema of a scenario, experiment or set file",
    arg("file", choices=("scenario", "experiment", "set", "channel"), nargs="?", default="scenario"))
def cmd_schema(args: argparse.Namespace) -> int:
    """Print the JSON Schema of a file."""
    from ..experiment.schema import schema

    print(json.dumps(schema(args.file), indent=1))
    return 0


@command("verify", "run a cell's result again and compare",
    arg("file", type=Path, metavar="FILE[.jsonl#CELL]"),
    arg("--seed", type=options.SEED, action="append", default=[], metavar="N", help="run only this seed"),
    options.cell_timeout(), options.json())
def cmd_verify(args: argparse.Namespace) -> int:
    """Run a result, or all results of a file, again."""
    from ..experiment.cellrun import measure_seeds
    from ..experiment.results import addresses
    from ..experiment.verify import verify

    wrong = []
    for address in addresses(args.file):
        verdict = verify(address, args.seed, partial(measure_seeds, stall_s=args.timeout))
        if args.json:
            print(json.dumps({"wrong": verdict.wrong, "notes": verdict.notes}))
        else:
            print(
                "\n".join(
                    verdict.notes if address == args.file else (f"{address}: {n}" for n in verdict.notes)
                )
            )
        wrong += [f"{address}: {line}" for line in verdict.wrong]
    if wrong:
        raise LabError("\n".join(wrong))
    return 0
