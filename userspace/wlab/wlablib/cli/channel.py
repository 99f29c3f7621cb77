# SPDX-License-Identifier: GPL-2.0
"""The command of wlab that makes the channel quality of users."""

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from ..lib import toml
from ..lib.paths import RESULTS, LabError

if TYPE_CHECKING:
    # A generic class for mypy only.
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]


def told(done: int, count: int) -> None:
    """A line of progress that the next one replaces."""
    if sys.stderr.isatty():
        print(f"\rchannel: {done} of {count} users", end="\n" if done == count else "", file=sys.stderr)


def cmd_channel(args: argparse.Namespace) -> int:
    """Schedules, a scenario that plays them, and pictures."""
    from ..channel import make, plan, plots
    from ..scenario.scenario import override

    raw = toml.load(args.file) if args.file else {}
    for setting in args.set:
        override(raw, setting)
    try:
        made = make.make(plan.read(raw, args.file.parent if args.file else Path()), told)
    except LabError as e:
        raise LabError(f"{args.file}: {e}" if args.file else str(e)) from None
    out = args.out or RESULTS / "channel" / made.plan.name
    make.write(made, out, args.force)
    pngs = plots.draw(made, out) if args.plot else []
    if args.json:
        print(json.dumps({**make.summary(made), "folder": str(out)}))
        return 0
    print(make.as_text(made))
    print("\n".join([*map(str, pngs), f"schedules and a scenario in {out}"]))
    return 0


def add(sub: "Commands") -> None:
    """Into wlab's parser."""
    p = sub.add_parser("channel", help="the quality of LTE or NR users' links, as schedules and a scenario")
    p.add_argument("file", type=Path, nargs="?", metavar="CHANNEL.toml", help="see wlab-channel(1)")
    p.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="change what it says")
    p.add_argument("--out", type=Path, metavar="DIR", help="folder (build/channel/NAME)")
    p.add_argument("--force", action="store_true", help="replace an older channel there")
    p.add_argument("--plot", action="store_true", help="draw users.png and map.png, too")
    p.add_argument("--json", action="store_true", help="print the summary")
    p.set_defaults(run=cmd_channel)
