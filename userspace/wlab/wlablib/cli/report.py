# SPDX-License-Identifier: GPL-2.0
"""The commands report, export and claims."""

import argparse
import json
import sys
from pathlib import Path

from ..lib.paths import RESULTS, ROOT, SOURCE_BUILD
from . import options
from .options import arg, command

KINDS = ".csv, .parquet; of packets .pcapng, .sqlog (qlog), .json (Perfetto)"


def quick_or_all(args: argparse.Namespace) -> bool | None:
    """Whether to expect a quick run's cells; None: as the results are."""
    return True if args.quick else None


@command("report", "pages and results.json from the cells of a sweep",
    options.experiments(), options.sweep_folder(),
    arg("--to", type=Path, metavar="DIR", help="pages (DIR/report; all: Documentation/results)"),
    options.quick("expect the cells of a quick run"),
    arg("--no-traces", action="store_true", help="do not run seeds for [[trace]] again"),
    options.figure(), options.json())
def cmd_report(args: argparse.Namespace) -> int:
    """Write results.json and the pages."""
    from ..report import report

    options.look(args)
    study = report.load(args.out, quick_or_all(args), args.experiment)
    quick = any(s.plan.quick for s in study.slots)
    # Pages in the sources: only of the full set of the papers, and only for a caller in the sources.
    elsewhere = not study.set or study.set.words or quick or RESULTS != SOURCE_BUILD
    to = args.to or (args.out / "report" if elsewhere else ROOT / "Documentation" / "results")
    written = report.build(study, to, traces=not args.no_traces)
    if args.json:
        print(json.dumps(report.as_dict(study, written)))
        return 1 if written.broken else 0
    return report.announce(study, written)


@command("export", "a table of all runs, or the packets of one, for other programs",
    arg("what", nargs="+", metavar="EXPERIMENT|FOLDER|LOG", help="name, file, folder"),
    options.sweep_folder(),
    arg("--to", type=Path, required=True, metavar="FILE", help=KINDS),
    options.json())
def cmd_export(args: argparse.Namespace) -> int:
    """Write a table of runs, or the packets of one."""
    from ..analysis.exports import write
    from ..report import export

    if args.to.suffix in write.FORMATS:
        if len(args.what) > 1:
            args.complain(f"a {args.to.suffix} is of one result or recording, got {len(args.what)}")
        rows, notes = write.write(Path(args.what[0]), args.to)
    else:
        rows, notes = export.export(args.what, args.out, args.to)
    if args.json:
        print(json.dumps({"file": str(args.to), "rows": rows, "notes": notes}))
        return 0
    for line in notes:
        print(f"export: {line}", file=sys.stderr)
    print(args.to)
    return 0


@command("claims", "judge the claims of a set, as TAP",
    options.sweep_folder("dir"),
    arg("--set", type=Path, metavar="FILE", help="a set.toml (the papers)"),
    options.quick("expect the cells of a quick run"), options.json())
def cmd_claims(args: argparse.Namespace) -> int:
    """Judge the claims of a set."""
    from ..experiment import sets
    from ..report import claims, data, order, verdict

    judged = order.judge(data.load(args.dir, sets.load(args.set or sets.PAPERS), quick_or_all(args)))
    if args.json:
        print(json.dumps([vars(c) for c in judged]))
    else:
        print("\n".join(claims.tap(judged)))
    return 1 if any(c.verdict == verdict.FAILS for c in judged) else 0
