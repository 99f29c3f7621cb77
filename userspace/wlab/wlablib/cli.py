# SPDX-License-Identifier: GPL-2.0
"""The command line of wlab."""

import argparse
import os
import re
import sys

from . import build
from .boot import Job, boot, scratch
from .paths import LabError


def cmd_build(args: argparse.Namespace) -> int:
    """Make everything a run needs."""
    have = build.kernel()
    build.make_parts(have)
    print(build.as_json(have) if args.json else have.binary)
    return 0


def _write(fd: int, data: bytes) -> None:
    while data:
        data = data[os.write(fd, data) :]


def ktap(lines: list[str]) -> list[str]:
    """The part of a kernel log that KUnit has written."""
    init = next((i for i, s in enumerate(lines) if s.startswith("Run ")), 0)
    said = re.compile(r"\s*(KTAP|TAP version|# Subtest|ok |not ok |1\.\.)")
    first = next((i for i, s in enumerate(lines) if i > init and said.match(s)), len(lines))
    end = next((i for i, s in enumerate(lines) if s.startswith("reboot:")), len(lines))
    return lines[first:end]


def cmd_exec(args: argparse.Namespace) -> int:
    """Run one command in the guest."""
    words = args.command[1:] if args.command[:1] == ["--"] else args.command
    if not words and not args.kunit:
        raise LabError("no command; type: wlab exec -- CMD ARGS...")
    have = build.kernel()
    build.make_parts(have, kunit=args.kunit)
    job = Job(
        words or ["true"],
        module=have.kunit if args.kunit else have.module,
        mem=args.mem,
        real_time=args.real_time,
        timeout=args.timeout,
        cwd=os.getcwd(),
    )
    with scratch() as folder:
        ended = boot(have, folder, job, lambda d: _write(1, d), lambda d: _write(2, d))
    if args.kunit:
        print("\n".join(ktap(ended.log)))
    return ended.status


def parser() -> argparse.ArgumentParser:
    """All commands and their options."""
    top = argparse.ArgumentParser(prog="wlab", description="wlink's virtual-time lab")
    sub = top.add_subparsers(dest="name", required=True, metavar="COMMAND")
    p = sub.add_parser("build", help="make the lab kernel, module, plugin and tools")
    p.add_argument("--json", action="store_true", help="print where they are")
    p.set_defaults(run=cmd_build)
    p = sub.add_parser("exec", help="run one command in the guest")
    p.add_argument("--kunit", action="store_true", help="insert wlink_kunit.ko, print its KTAP")
    p.add_argument("--real-time", action="store_true", help="without virtual time")
    p.add_argument("--mem", default="512M", help="memory of the guest (512M)")
    p.add_argument("--timeout", type=float, default=600.0, help="wall seconds (600)")
    p.add_argument("command", nargs=argparse.REMAINDER, metavar="-- CMD ARGS...")
    p.set_defaults(run=cmd_exec)
    return top


def main(argv: list[str]) -> int:
    """Entry point."""
    args = parser().parse_args(argv)
    try:
        status: int = args.run(args)
        return status
    except LabError as e:
        sys.stdout.flush()
        print(f"{e}".rstrip(), file=sys.stderr)
        print("wlab: failed", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
