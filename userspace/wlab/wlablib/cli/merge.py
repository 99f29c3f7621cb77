# SPDX-License-Identifier: GPL-2.0
"""The commands merge and trace-dat."""

import argparse
import json
import sys
from pathlib import Path

from . import options
from .options import arg, command


@command("merge", "put logs of wlinkctl record of several machines in one order",
    arg("log", type=Path, nargs="+", metavar="FILE"),
    arg("--out", type=Path, metavar="FILE", help="file for the events (standard output)"),
    arg("--utc", action="store_true", help="by UTC, for logs that disagree on TAI - UTC"),
    options.json("print the summary as JSON"))
def cmd_merge(args: argparse.Namespace) -> int:
    """Merge, and print the certainty of the order to the stream without events."""
    from ..analysis.merge import merge

    result = merge.merge(args.log, args.out, args.utc)
    text = json.dumps(result.as_dict()) if args.json else merge.as_text(result)
    print(text, file=sys.stdout if args.out else sys.stderr)
    return 0


@command("trace-dat", "convert a raw recording for trace-cmd and KernelShark",
    arg("raw", type=Path, metavar="FILE.raw"),
    arg("out", type=Path, metavar="FILE.dat"),
    options.json("print what was converted as JSON"))
def cmd_trace_dat(args: argparse.Namespace) -> int:
    """Convert a raw recording to a trace.dat file."""
    from ..analysis import tracedat

    found = tracedat.convert(args.raw, args.out)
    text = "{pages} pages of {cpus} processors, {lost} events lost".format(**found)
    print(json.dumps(found) if args.json else f"{args.out}: {text}")
    return 0
