# SPDX-License-Identifier: GPL-2.0
"""The command line of wlab."""

import argparse
import json
import os
import re
import signal
import sys
from pathlib import Path
from typing import Any

from . import build, cli_merge, cli_papers, cli_report, cli_sweep
from .boot import Job, boot, scratch
from .paths import LabError


def cmd_build(args: argparse.Namespace) -> int:
    """Make everything a run needs."""
    have = build.kernel(args.sanitize, args.hz)
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
    have = build.kernel(args.sanitize, args.hz)
    build.make_parts(have, kunit=args.kunit)
    job = Job(
        words or ["true"],
        module=have.kunit if args.kunit else have.module,
        mem=args.mem or have.mem,
        real_time=args.real_time,
        timeout=args.timeout,
        cwd=os.getcwd(),
        words=args.boot,
    )
    with scratch() as folder:
        ended = boot(have, folder, job, lambda d: _write(1, d), lambda d: _write(2, d))
    if args.kunit:
        print("\n".join(ktap(ended.log)))
    return ended.status


def cmd_run(args: argparse.Namespace) -> int:
    """Run a scenario."""
    from . import run, scenario

    sc = scenario.load(args.scenario, args.set)
    first = sc.seed if args.seed is None else args.seed
    if args.runs < 1 or first < 0:
        raise LabError("--runs is at least 1, --seed at least 0")
    results, out = run.run(sc, list(range(first, first + args.runs)), args.out, args.timeout, args.sanitize)
    if args.json:
        print(json.dumps(results if args.runs > 1 else results[0]))
    else:
        for one in results:
            print(table(one))
        print(f"results in {out}")
    return 0


def cmd_plot(args: argparse.Namespace) -> int:
    """Draw a result folder."""
    from . import plot, whyplot

    folders = [one for folder in args.result for one in seeds_of(folder)]
    for one in folders:
        png = args.png if args.png and len(folders) == 1 else one / "plot.png"
        result = plot.Result(one)
        plot.draw(result, png)
        whyplot.draw(result, png.with_name(f"{png.stem}-why.png"))
        print(png)
        print(png.with_name(f"{png.stem}-why.png"))
    return 0


def seeds_of(folder: Path) -> list[Path]:
    """The result folders of a series, or the one."""
    return sorted(folder.glob("seed-*")) if (folder / "runs.json").exists() else [folder]


def cmd_why(args: argparse.Namespace) -> int:
    """Tell which part of the way made packets late."""
    from . import why

    for one in seeds_of(args.result):
        told = why.why(one)
        print(json.dumps(told) if args.json else why.as_text(told))
    return 0


def cmd_sleep_plot(args: argparse.Namespace) -> int:
    """Draw what wlink-sleep has measured."""
    from . import sleepplot

    for png in sleepplot.draw(args.file, args.out):
        print(png)
    return 0


def cmd_demo(args: argparse.Namespace) -> int:
    """The main job."""
    from . import demo

    demo.demo(args.out)
    return 0


def cmd_shell(args: argparse.Namespace) -> int:
    """A shell in the guest."""
    from . import scenario, shell

    sc = scenario.load(args.scenario, args.set) if args.scenario else None
    return shell.shell(sc, args.real_time, args.mem)


def table(result: dict[str, Any]) -> str:
    """What a person wants to see first."""
    lines = [f"{result['name']}, seed {result['seed']}, events {result['event_sha256'][:16]}"]
    lines.append(f"{'flow':<14}{'kbit/s':>10}{'mean ms':>10}{'p95 ms':>10}{'retrans':>9}{'bytes':>12}")
    for name, flow in result["flows"].items():
        delay = flow["delay"] or {"mean_ns": float("nan"), "p95_ns": float("nan")}
        lines.append(
            f"{name:<14}{flow['goodput_bps'] / 1e3:>10.3f}{delay['mean_ns'] / 1e6:>10.3f}"
            f"{delay['p95_ns'] / 1e6:>10.3f}{flow['retransmissions']:>9}{flow['bytes']:>12}"
        )
    for name, link in result["links"].items():
        parts = link.get("xstats", {}).get("why")
        sdus = link.get("xstats", {}).get("sdus_delivered")
        if parts and sdus:
            means = [f"{k} {v['sum_ns'] / sdus / 1e6:.3f}" for k, v in parts.items() if v["sum_ns"]]
            lines.append(f"{name:<14}mean ms: {', '.join(means)}")
    return "\n".join(lines)


def parser() -> argparse.ArgumentParser:
    """All commands and their options."""
    top = argparse.ArgumentParser(prog="wlab", description="wlink's virtual-time lab")
    sub = top.add_subparsers(dest="name", required=True, metavar="COMMAND")
    p = sub.add_parser("build", help="make the lab kernel, module, plugin and tools")
    p.add_argument("--json", action="store_true", help="print where they are")
    p.add_argument("--sanitize", action="store_true", help="with the kernel that looks for errors")
    p.add_argument("--hz", type=int, default=100, help="with a kernel of another tick (100)")
    p.set_defaults(run=cmd_build)
    p = sub.add_parser("exec", help="run one command in the guest")
    p.add_argument("--kunit", action="store_true", help="insert wlink_kunit.ko, print its KTAP")
    p.add_argument("--sanitize", action="store_true", help="in the kernel that looks for errors")
    p.add_argument("--hz", type=int, default=100, help="in a kernel of another tick (100)")
    p.add_argument("--boot", action="append", default=[], metavar="WORD", help="to the kernel's command line")
    p.add_argument("--real-time", action="store_true", help="without virtual time")
    p.add_argument("--mem", help="memory of the guest (512M, with --sanitize 1024M)")
    p.add_argument("--timeout", type=float, default=600.0, help="wall seconds (600)")
    p.add_argument("command", nargs=argparse.REMAINDER, metavar="-- CMD ARGS...")
    p.set_defaults(run=cmd_exec)
    p = sub.add_parser("run", help="run a scenario, write a result folder")
    p.add_argument("scenario", type=Path, metavar="SCENARIO.toml")
    p.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="change the scenario")
    p.add_argument("--seed", type=int, help="first seed (the scenario's)")
    p.add_argument("--runs", type=int, default=1, help="so many seeds from there, in one boot")
    p.add_argument("--out", type=Path, help="result folder (build/results/NAME)")
    p.add_argument("--timeout", type=float, default=60.0, help="wall seconds without progress (60)")
    p.add_argument("--sanitize", action="store_true", help="in the kernel that looks for errors")
    p.add_argument("--json", action="store_true", help="print result.json")
    p.set_defaults(run=cmd_run)
    p = sub.add_parser("sleep-plot", help="draw what wlink-sleep has measured")
    p.add_argument("file", type=Path, nargs="+", metavar="FILE.json")
    p.add_argument("--out", type=Path, default=Path("."), metavar="DIR", help="where the PNGs go (here)")
    p.set_defaults(run=cmd_sleep_plot)
    p = sub.add_parser("demo", help="two TCP flows, 384 to 128 kbit/s, and a report")
    p.add_argument("--out", type=Path, default=Path("build/demo"), help="folder (build/demo)")
    p.set_defaults(run=cmd_demo)
    p = sub.add_parser("plot", help="draw results")
    p.add_argument("result", type=Path, nargs="+", metavar="RESULT")
    p.add_argument("--png", type=Path, help="where to (RESULT/plot.png)")
    p.set_defaults(run=cmd_plot)
    p = sub.add_parser("why", help="tell what made the packets of a result late")
    p.add_argument("result", type=Path, metavar="RESULT")
    p.add_argument("--json", action="store_true", help="for programs")
    p.set_defaults(run=cmd_why)
    p = sub.add_parser("shell", help="a shell in the guest")
    p.add_argument("scenario", type=Path, nargs="?", metavar="SCENARIO.toml", help="whose topology to build")
    p.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="change the scenario")
    p.add_argument("--real-time", action="store_true", help="without virtual time")
    p.add_argument("--mem", default="512M", help="memory of the guest (512M)")
    p.set_defaults(run=cmd_shell)
    cli_papers.add_commands(sub)
    cli_merge.add(sub)
    cli_report.add(sub)
    cli_sweep.add(sub)
    return top


def main(argv: list[str]) -> int:
    """Entry point."""
    args = cli_sweep.parse(parser(), argv)
    # Ends the guest and removes what it leaves, as an interrupt does.
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.default_int_handler)
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
