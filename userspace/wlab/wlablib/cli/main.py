# SPDX-License-Identifier: GPL-2.0
"""The command line of wlab."""

import argparse
import contextlib
import json
import os
import re
import shlex
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..lab import build
from ..lab.boot import STALL_S, Job, boot, scratch
from ..lib.paths import BUILD, RESULTS, LabError, version
from . import (
    cells as cli_cells,
    channel as cli_channel,
    compare as cli_compare,
    live as cli_live,
    merge as cli_merge,
    report as cli_report,
    show as cli_show,
    sweep as cli_sweep,
)


def cmd_build(args: argparse.Namespace) -> int:
    """Make everything a run needs."""
    have = build.kernel(args.sanitize, args.hz, args.live)
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
        args.complain("no command; type: wlab exec -- CMD ARGS...")
    have = build.kernel(args.sanitize, args.hz)
    build.make_parts(have, kunit=args.kunit)
    job = Job(
        words or ["true"],
        module=have.kunit if args.kunit else have.module,
        mem=args.mem or have.mem,
        real_time=args.real_time,
        timeout=args.timeout,
        cwd=os.getcwd(),
        writable=[BUILD],
        words=args.boot,
    )
    with scratch() as folder:
        ended = boot(have, folder, job, lambda d: _write(1, d), lambda d: _write(2, d))
    if args.kunit:
        print("\n".join(ktap(ended.log)))
    return ended.status


def cmd_run(args: argparse.Namespace) -> int:
    """Run a scenario."""
    from ..run import run, variants
    from ..scenario import scenario

    if args.vary:
        some = variants.batches(args.scenario, args.set, args.vary, args.seed, args.runs, args.out)
        name = some[0].sc.name
        done = run.run_all(name, some, args.timeout, args.sanitize, args.force, args.mem, args.on)
        if args.json:
            print(json.dumps([one for results in done for one in results]))
            return 0
        for batch, results in zip(some, done):
            print("\n".join([*map(table, results), f"results in {batch.out}", ""]))
        print(f"beside each other: wlab compare {shlex.quote(str(some[0].out.parent))}")
        return 0
    sc = scenario.load(args.scenario, args.set)
    first = sc.seed if args.seed is None else args.seed
    seeds = list(range(first, first + args.runs))
    results, out = run.run(
        sc, seeds, args.out, args.timeout, args.sanitize, args.force, args.mem, args.on
    )
    if args.json:
        print(json.dumps(results if args.runs > 1 else results[0]))
    else:
        for one in results:
            print(table(one))
        print(f"results in {out}")
    return 0


def cmd_plot(args: argparse.Namespace) -> int:
    """Draw a result folder."""
    from ..analysis.plots import data as plotdata, run as plot, users, why as whyplot
    from ..run import resultfile

    folders = [one for folder in args.result for one in seeds_of(folder)]
    for one in folders:
        png = args.png if args.png and len(folders) == 1 else one / "plot.png"
        result = plotdata.Result(one)
        # Known to be whole before anything is drawn.
        resultfile.events(one)
        plot.draw(result, png)
        whyplot.draw(result, png.with_name(f"{png.stem}-why.png"))
        print(png)
        print(png.with_name(f"{png.stem}-why.png"))
        if "metrics" in result.data:
            users.draw(result, png.with_name(f"{png.stem}-users.png"))
            print(png.with_name(f"{png.stem}-users.png"))
    return 0


def seeds_of(folder: Path) -> list[Path]:
    """The result folders of a series, or the one."""
    return sorted(folder.glob("seed-*")) if (folder / "runs.json").exists() else [folder]


def cmd_why(args: argparse.Namespace) -> int:
    """Tell which part of the way made packets late."""
    from ..analysis import why

    for one in seeds_of(args.result):
        found = why.why(one)
        print(json.dumps(found) if args.json else why.as_text(found))
    return 0


def cmd_sleep_plot(args: argparse.Namespace) -> int:
    """Draw what wlink-sleep has measured."""
    from ..analysis.plots import sleep as sleepplot

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
    from ..run import shell
    from ..scenario import scenario

    sc = scenario.load(args.scenario, args.set) if args.scenario else None
    return shell.shell(sc, args.real_time, args.mem)


def table(result: dict[str, Any]) -> str:
    """What a person wants to see first."""
    digest = result["event_sha256"]
    said = digest[:16] if digest else "none: nothing tells two runs apart"
    lines = [f"{result['name']}, seed {result['seed']}, events {said}"]
    lines.append(f"{'flow':<14}{'kbit/s':>10}{'mean ms':>10}{'p95 ms':>10}{'retrans':>9}{'bytes':>12}")
    for name, flow in result["flows"].items():
        ms = [f"{flow['delay'][k] / 1e6:.3f}" if flow["delay"] else "-" for k in ("mean_ns", "p95_ns")]
        lines.append(
            f"{name:<14}{flow['goodput_bps'] / 1e3:>10.3f}{ms[0]:>10}{ms[1]:>10}"
            f"{flow['retransmissions']:>9}{flow['bytes']:>12}"
        )
    for name, link in result["links"].items():
        parts = link.get("xstats", {}).get("why")
        sdus = link.get("xstats", {}).get("sdus_delivered")
        if parts and sdus:
            means = [f"{k} {v['sum_ns'] / sdus / 1e6:.3f}" for k, v in parts.items() if v["sum_ns"]]
            lines.append(f"{name:<14}mean ms: {', '.join(means)}")
        elif link["kind"] != "wlink":
            lines.append(f"{name:<14}{link['kind']}: {link['packets']} packets, {link['drops']} dropped")
    if "metrics" in result:
        from ..run import networks

        lines += networks.as_text(result["metrics"])
    return "\n".join(lines)


class Version(argparse.Action):
    """--version; the file is read only where it is asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        print(f"wlab {version()}")
        parser.exit(0)


def at_least(least: int) -> Callable[[str], int]:
    """A whole number from there on."""

    def number(text: str) -> int:
        value = int(text)
        if value < least:
            raise argparse.ArgumentTypeError(f"{value} is below {least}")
        return value

    return number


def memory(text: str) -> str:
    """As the kernel takes it; nothing stands for the usual."""
    if not re.fullmatch(r"([1-9]\d*[KMG])?", text):
        raise argparse.ArgumentTypeError(f"'{text}' is not a size, as in 512M")
    return text


def parser() -> argparse.ArgumentParser:
    """All commands and their options."""
    top = argparse.ArgumentParser(prog="wlab", description="wlink's virtual-time lab")
    top.add_argument("--version", action=Version, nargs=0, help="print it and end")
    sub = top.add_subparsers(dest="name", required=True, metavar="COMMAND")
    p = sub.add_parser("build", help="make the lab kernel, module, plugin and tools")
    p.add_argument("--json", action="store_true", help="print where they are")
    kind = p.add_mutually_exclusive_group()
    kind.add_argument("--sanitize", action="store_true", help="with the kernel that looks for errors")
    kind.add_argument("--live", action="store_true", help="with the kernel of wlab live")
    p.add_argument("--hz", type=int, default=100, help="with a kernel of another tick (100)")
    p.set_defaults(run=cmd_build)
    p = sub.add_parser("exec", help="run one command in the guest")
    p.add_argument("--kunit", action="store_true", help="insert wlink_kunit.ko, print its KTAP")
    p.add_argument("--sanitize", action="store_true", help="in the kernel that looks for errors")
    p.add_argument("--hz", type=int, default=100, help="in a kernel of another tick (100)")
    p.add_argument("--boot", action="append", default=[], metavar="WORD", help="to the kernel's command line")
    p.add_argument("--real-time", action="store_true", help="without virtual time")
    p.add_argument("--mem", type=memory, help="memory of the guest (512M, with --sanitize 1024M)")
    p.add_argument("--timeout", type=float, default=600.0, help="wall seconds (600)")
    p.add_argument("command", nargs=argparse.REMAINDER, metavar="-- CMD ARGS...")
    p.set_defaults(run=cmd_exec, complain=p.error)
    p = sub.add_parser("run", help="run a scenario, write a result folder")
    p.add_argument("--mem", type=memory, default="", help="memory of the guest (512M, with --sanitize 1024M)")
    p.add_argument("scenario", type=Path, metavar="SCENARIO.toml")
    p.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="change the scenario")
    p.add_argument("--vary", action="append", default=[], metavar="KEY=A,B,...", help="a run with each value")
    p.add_argument("--seed", type=at_least(0), help="first seed (the scenario's)")
    p.add_argument("--runs", type=at_least(1), default=1, help="so many seeds from there, in one boot")
    p.add_argument("--out", type=Path, help="result folder (build/results/NAME)")
    p.add_argument("--force", action="store_true", help="replace a result that is there")
    p.add_argument("--on", choices=STALL_S, default="lab", help="where (lab)")
    p.add_argument("--timeout", type=float, help="wall seconds without progress (60, of a VM 600)")
    p.add_argument("--sanitize", action="store_true", help="in the kernel that looks for errors")
    p.add_argument("--json", action="store_true", help="print result.json")
    p.set_defaults(run=cmd_run)
    p = sub.add_parser("sleep-plot", help="draw what wlink-sleep has measured")
    p.add_argument("file", type=Path, nargs="+", metavar="FILE.json")
    p.add_argument("--out", type=Path, default=Path("."), metavar="DIR", help="where the PNGs go (here)")
    p.set_defaults(run=cmd_sleep_plot)
    p = sub.add_parser("demo", help="two TCP flows, 384 to 128 kbit/s, and a report")
    p.add_argument("--out", type=Path, default=RESULTS / "demo", help="folder (build/demo)")
    p.set_defaults(run=cmd_demo)
    p = sub.add_parser("plot", help="draw results")
    p.add_argument("result", type=Path, nargs="+", metavar="RESULT")
    p.add_argument("--png", type=Path, help="where to (RESULT/plot.png)")
    p.set_defaults(run=cmd_plot)
    p = sub.add_parser("why", help="show what made the packets of a result late")
    p.add_argument("result", type=Path, metavar="RESULT")
    p.add_argument("--json", action="store_true", help="for programs")
    p.set_defaults(run=cmd_why)
    p = sub.add_parser("shell", help="a shell in the guest")
    p.add_argument("scenario", type=Path, nargs="?", metavar="SCENARIO.toml", help="whose topology to build")
    p.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="change the scenario")
    p.add_argument("--real-time", action="store_true", help="without virtual time")
    p.add_argument("--mem", type=memory, default="512M", help="memory of the guest (512M)")
    p.set_defaults(run=cmd_shell)
    cli_cells.add_commands(sub)
    cli_channel.add(sub)
    cli_merge.add(sub)
    cli_compare.add(sub)
    cli_live.add(sub)
    cli_report.add(sub)
    cli_show.add(sub)
    cli_sweep.add(sub)
    return top


class Stopped(KeyboardInterrupt):
    """A signal came that ends programs."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


def stop(number: int, _: object) -> None:
    raise Stopped(number)


def main() -> int:
    """Entry point."""
    args = cli_sweep.parse(parser(), sys.argv[1:])
    # All of them end the guest and remove what it leaves; nohup's wish is respected.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, stop)
    status: int
    try:
        status = args.run(args)
        return status
    except LabError as e:
        text, status = f"{e}".rstrip() + "\nwlab: failed", 1
    except BrokenPipeError:
        # Who reads no more, as head does, needs no words either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 128 + signal.SIGPIPE
    except OSError as e:
        text, status = f"{e.filename or 'wlab'}: {e.strerror}\nwlab: failed", 1
    except KeyboardInterrupt as e:
        by = e.number if isinstance(e, Stopped) else signal.SIGINT
        text = "interrupted" if by == signal.SIGINT else f"ended by {signal.Signals(by).name}"
        text, status = f"wlab: {text}", 128 + by
    with contextlib.suppress(OSError):
        sys.stdout.flush()
        # The line of the progress is still there.
        print(("\n" if status > 128 and sys.stderr.isatty() else "") + text, file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main())
