# SPDX-License-Identifier: GPL-2.0
"""The command of wlab that makes the channel quality of users."""

import argparse
import json
import sys
from pathlib import Path

from ..lib import toml
from ..lib.paths import RESULTS, LabError
from . import options
from .options import arg, command


def told(done: int, count: int) -> None:
    """A line of progress that the next one replaces."""
    if sys.stderr.isatty():
        print(f"\rchannel: {done} of {count} users", end="\n" if done == count else "", file=sys.stderr)


@command("channel", "the quality of LTE or NR users' links, as schedules and a scenario",
    arg("file", type=Path, nargs="?", metavar="CHANNEL.toml", help="see wlab-channel(1)"),
    options.settings("change what it says"),
    arg("--out", type=Path, metavar="DIR", help="folder (build/channel/NAME)"),
    arg("--force", action="store_true", help="replace an older channel there"),
    arg("--plot", action="store_true", help="draw users.png and map.png, too"),
    options.json("print the summary"))
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
