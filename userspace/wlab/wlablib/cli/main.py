# SPDX-License-Identifier: GPL-2.0
"""The command line of wlab: the parser, the commands build, exec, run, plot, why, demo and shell."""

import argparse
import contextlib
import json
import os
import re
import shlex
import signal
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from ..analysis import resultfile
from ..lab import build, machine
from ..lab.boot import STALL_S, Job, boot
from ..lib.paths import BUILD, RESULTS, LabError, version
from ..lib.progress import Progress
from ..lib.scratch import scratch
from . import bench, cells, channel, compare, link, live, merge, options, report, show, sweep, web
from .options import arg, command


class Version(argparse.Action):
    """--version; reads the version's file only if requested."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        print(f"wlab {version()}")
        parser.exit(0)


def memory(text: str) -> str:
    """A size as the kernel accepts it; empty for the default."""
    if not re.fullmatch(r"([1-9]\d*[KMG])?", text):
        raise argparse.ArgumentTypeError(f"'{text}' is not a size, as in 512M")
    return text


@command("doctor", "tell whether the lab runs on this machine", options.json())
def cmd_doctor(args: argparse.Namespace) -> int:
    """Tell whether the lab runs on this machine."""
    found = machine.findings()
    if args.json:
        print(json.dumps([one.as_json() for one in found]))
    else:
        print("".join(one.as_text() for one in found), end="")
    return 1 if any(one.verdict == "fail" for one in found) else 0


@command("build", "make the lab kernel, module, plugin and tools",
    options.json("print their paths as JSON"),
    arg("--sanitize", action="store_true", help="with the sanitizer kernel"),
    arg("--hz", type=options.HZ, default=100, help="with a kernel of another tick (100)"))
def cmd_build(args: argparse.Namespace) -> int:
    """Build everything that a run needs."""
    machine.require(own=False)
    kernel = build.kernel(args.sanitize, args.hz)
    build.make_parts(kernel)
    print(build.as_json(kernel) if args.json else kernel.binary)
    return 0


@command("module", "make a congestion control of your own for the lab's kernel",
    arg("file", type=Path, metavar="tcp_NAME.c", help="becomes tcp_NAME.ko beside it"),
    options.json("print its path as JSON"))
def cmd_module(args: argparse.Namespace) -> int:
    """Make a congestion control of the user's for the lab's kernel."""
    from ..scenario import controls

    if args.file.suffix != ".c" or controls.name_of(args.file.with_suffix(".ko").name) is None:
        raise LabError(f"{args.file}: not named tcp_NAME.c, NAME being that of the congestion control")
    machine.require(own=False)
    made = str(build.own_module(build.kernel(), args.file))
    print(json.dumps(made) if args.json else made)
    return 0


def ktap(lines: list[str]) -> list[str]:
    """KUnit's part of a kernel log."""
    init = next((i for i, s in enumerate(lines) if s.startswith("Run ")), 0)
    ktap_line = re.compile(r"\s*(KTAP|TAP version|# Subtest|ok |not ok |1\.\.)")
    first = next((i for i, s in enumerate(lines) if i > init and ktap_line.match(s)), len(lines))
    end = next((i for i, s in enumerate(lines) if s.startswith("reboot:")), len(lines))
    return lines[first:end]


@command("exec", "run one command in the guest",
    arg("--kunit", action="store_true", help="insert wlink_kunit.ko, print its KTAP"),
    arg("--sanitize", action="store_true", help="in the sanitizer kernel"),
    arg("--hz", type=options.HZ, default=100, help="in a kernel of another tick (100)"),
    arg("--boot", action="append", default=[], metavar="WORD", help="add to the kernel's words"),
    arg("--real-time", action="store_true", help="without virtual time"),
    arg("--mem", type=memory, help="memory of the guest (512M, with --sanitize 1024M)"),
    arg("--timeout", type=options.WALL_S, default=600.0, help="wall seconds (600)"),
    arg("command", nargs=argparse.REMAINDER, metavar="-- CMD ARGS..."))
def cmd_exec(args: argparse.Namespace) -> int:
    """Run one command in the guest."""
    from ..plan.presets import write_presets
    from ..run.shell import write_to

    words = args.command[1:] if args.command[:1] == ["--"] else args.command
    if not words and not args.kunit:
        args.complain("no command; type: wlab exec -- CMD ARGS...")
    machine.require(own=True)
    kernel = build.kernel(args.sanitize, args.hz)
    build.make_parts(kernel, kunit=args.kunit)
    job = Job(
        words or ["true"],
        modules=(kernel.kunit,) if args.kunit else kernel.modules(),
        mem=args.mem or kernel.mem,
        real_time=args.real_time,
        timeout=args.timeout,
        cwd=os.getcwd(),
        writable=[BUILD],
        words=args.boot,
    )
    with scratch() as folder:
        write_presets(folder, " ".join(job.argv))
        ended = boot(kernel, folder, job, partial(write_to, 1), partial(write_to, 2))
    if args.kunit:
        print("\n".join(ktap(ended.log)))
    return ended.status


@command("run", "run a scenario, write a result folder",
    arg("--mem", type=memory, default="", help="memory of the guest (512M, with --sanitize 1024M)"),
    options.scenario(),
    arg("--vary", action="append", default=[], metavar="KEY=A,B,...", help="a run with each value"),
    arg("--seed", type=options.SEED, help="first seed (the scenario's)"),
    arg("--runs", type=options.RUNS, default=1, help="number of seeds, run in one boot"),
    arg("--out", type=Path, help="result folder (build/results/NAME)"),
    arg("--force", action="store_true", help="replace an existing result"),
    arg("--on", choices=STALL_S, default="lab", help="where (lab)"),
    arg("--timeout", type=options.WALL_S, help="wall seconds without progress (60, of a VM 600)"),
    arg("--sanitize", action="store_true", help="in the sanitizer kernel"),
    options.json("print result.json"))
def cmd_run(args: argparse.Namespace) -> int:
    """Run a scenario."""
    from ..run import run, variants
    from ..scenario import scenario

    if args.vary:
        batches = variants.batches(args.scenario, args.set, args.vary, args.seed, args.runs, args.out)
        name = batches[0].sc.name
        results_of = run.run_all(name, batches, args.timeout, args.sanitize, args.force, args.mem, args.on)
        if args.json:
            print(json.dumps([result for results in results_of for result in results]))
            return 0
        for batch, results in zip(batches, results_of):
            print("\n".join([*map(table, results), f"results in {batch.out}", ""]))
        print(f"beside each other: wlab compare {shlex.quote(str(batches[0].out.parent))}")
        return 0
    sc = scenario.load(args.scenario, args.set)
    seeds = variants.seeds(sc, args.seed, args.runs)
    results, out = run.run(
        sc, seeds, args.out, args.timeout, args.sanitize, args.force, args.mem, args.on
    )
    if args.json:
        print(json.dumps(results if args.runs > 1 else results[0]))
    else:
        for result in results:
            print(table(result))
        print(f"results in {out}")
    return 0


@command("sleep-plot", "draw what wlink-sleep has measured",
    arg("file", type=Path, nargs="+", metavar="FILE.json"),
    arg("--out", type=Path, default=Path("."), metavar="DIR", help="where the PNGs go (here)"),
    options.json("print the pictures' names as JSON"))
def cmd_sleep_plot(args: argparse.Namespace) -> int:
    """Draw what wlink-sleep has measured."""
    from ..analysis.plots import sleep as sleepplot

    pictures = [str(png) for png in sleepplot.draw(args.file, args.out)]
    print(json.dumps(pictures) if args.json else "\n".join(pictures))
    return 0


@command("demo", "two TCP flows, 384 to 128 kbit/s, and a report",
    arg("--out", type=Path, default=RESULTS / "demo", help="folder (build/demo)"),
    options.json("print summary.json"))
def cmd_demo(args: argparse.Namespace) -> int:
    """Run the demo."""
    from . import demo

    demo.demo(args.out, args.json)
    return 0


@command("plot", "draw results",
    arg("result", type=Path, nargs="+", metavar="RESULT"),
    arg("--png", type=Path, help="where to (RESULT/plot.png)"),
    arg("--sdu", type=options.SDU, metavar="N", help="only how the SDU of this number came"),
    options.figure(), options.json("print the pictures' names as JSON"))
def cmd_plot(args: argparse.Namespace) -> int:
    """Draw results."""
    from ..analysis import metrics, recorded
    from ..analysis.plots import data as plotdata, held as heldplot, run as plot, sdu, users, why as whyplot

    options.look(args)
    suffix = args.format or "png"
    if args.png and args.format and args.png.suffix != f".{suffix}":
        raise LabError(f"--png {args.png}: its name does not end in .{suffix}, which --format names")
    folders = [result_folder for folder in args.result for result_folder in resultfile.seed_folders(folder)]
    pictures: list[str] = []
    progress = Progress("plot")
    for one in folders:
        png = args.png if args.png and len(folders) == 1 else recorded.beside(one, f"plot.{suffix}")

        def beside(name: str, png: Path = png) -> Path:
            return png.with_name(f"{png.stem}-{name}{png.suffix}")

        with recorded.opened(one) as result_folder:
            result = plotdata.Result(result_folder)
            # Check the event log before anything is drawn.
            resultfile.events(result_folder)
            plots: dict[Path, Callable[[plotdata.Result, Path], object]]
            plots = {png: plot.draw, beside("why"): whyplot.draw}
            if any(flow["kind"] in metrics.TCP for flow in result.flows.values()):
                plots[beside("held")] = heldplot.draw
            if "metrics" in result.data:
                plots[beside("users")] = users.draw
            if args.sdu is not None:
                plots = {beside("sdu"): lambda result, picture: sdu.draw(result, args.sdu, picture)}
            for picture, draw in plots.items():
                progress.tick(f"drawing {picture.name}, result {len(pictures) // len(plots) + 1}")
                draw(result, picture)
                pictures.append(str(picture))
    progress.done(f"{len(pictures)} pictures drawn")
    print(json.dumps(pictures) if args.json else "\n".join(pictures))
    return 0


@command("why", "show what made the packets of a result late",
    arg("result", type=Path, metavar="RESULT"),
    options.figure(), options.json())
def cmd_why(args: argparse.Namespace) -> int:
    """Print which part of the delay made packets late, and what held TCP flows."""
    from ..analysis import held, recorded, why

    drawn = options.look(args)
    for one in resultfile.seed_folders(args.result):
        with recorded.opened(one) as result_folder:
            parts, (rows, left_out) = why.why(result_folder), held.held(result_folder)
            text = "\n\n".join(filter(None, [why.as_text(parts), held.as_text(rows, left_out)]))
            print(json.dumps({**parts, "held": rows}) if args.json else text)
            if drawn:
                from ..analysis.plots import data as plotdata, why as whyplot

                picture = recorded.beside(one, f"plot-why.{args.format or 'png'}")
                whyplot.draw(plotdata.Result(result_folder), picture)
                print(picture, file=sys.stderr if args.json else sys.stdout)
    return 0


@command("shell", "a shell in the guest",
    options.scenario("whose topology to build", optional=True),
    arg("--real-time", action="store_true", help="without virtual time"),
    arg("--mem", type=memory, default="512M", help="memory of the guest (512M)"))
def cmd_shell(args: argparse.Namespace) -> int:
    """Start a shell in the guest."""
    from ..run import shell
    from ..scenario import scenario

    sc = scenario.load(args.scenario, args.set) if args.scenario else None
    return shell.shell(sc, "live" if args.real_time else "lab", args.mem)


@command("vm", "a shell in a stock kernel of Debian in QEMU",
    arg("what", choices=["shell"], help="which ends with the VM"),
    options.scenario("whose topology to build", optional=True))
def cmd_vm(args: argparse.Namespace) -> int:
    """Start a shell in a stock kernel's VM."""
    from ..run import shell
    from ..scenario import scenario

    return shell.shell(scenario.load(args.scenario, args.set) if args.scenario else None, "vm")


def table(result: dict[str, Any]) -> str:
    """What `wlab run` prints for one result."""
    digest = result["event_sha256"]
    shown_digest = digest[:16] if digest else "none: two runs cannot be distinguished"
    lines = [f"{result['name']}, seed {result['seed']}, events {shown_digest}"]
    heads = f"{'flow':<14}{'kbit/s':>10}{'mean ms':>10}{'p95 ms':>10}{'retrans':>9}{'bytes':>12}"
    none = "no flow; what programs have sent is in wlab compare, plot and export"
    lines.append(heads if result["flows"] else none)
    for name, flow in result["flows"].items():
        ms = [f"{flow['delay'][k] / 1e6:.3f}" if flow["delay"] else "-" for k in ("mean_ns", "p95_ns")]
        again = flow["retransmissions"] if flow["kind"] in ("tcp", "web") else "-"
        kbit = f"{flow['goodput_bps'] / 1e3:.3f}" if flow["bytes"] else "-"
        lines.append(f"{name:<14}{kbit:>10}{ms[0]:>10}{ms[1]:>10}{again:>9}{flow['bytes']:>12}")
        if not flow["bytes"]:
            before = flow.get("whole", {}).get("bytes")
            since = f" since the warm-up, {before} bytes before" if before else ""
            why = f"; {flow['why']}" if flow.get("why") else ""
            lines.append(f"{'':<14}nothing received{since}{why}")
    for name, flow in result["flows"].items():
        if trip := flow.get("rtt"):
            times = ", ".join(f"{k} {trip[f'{k}_ns'] / 1e6:.3f}" for k in ("mean", "p50", "p95", "p99"))
            came = f"{flow['packets']} of {flow['packets_sent']} answered"
            lines.append(f"{name:<14} round trip ms: {times}; {came}")
    for name, have in result["links"].items():
        parts = have.get("xstats", {}).get("why")
        sdus = have.get("xstats", {}).get("sdus_delivered")
        if parts and sdus:
            means = [f"{k} {v['sum_ns'] / sdus / 1e6:.3f}" for k, v in parts.items() if v["sum_ns"]]
            lines.append(f"{name:<14} mean ms: {', '.join(means)}")
        elif have["kind"] == "wlink":
            x = have["xstats"]
            fates = [f"{n} {why}" for why, n in {"held": x["sdus_held"], **x["drops"]}.items() if n]
            lines.append(f"{name:<14} no packet delivered of {x['sdus_in']}: {', '.join(fates)}".rstrip(": "))
        else:
            lines.append(f"{name:<14} {have['kind']}: {have['packets']} packets, {have['drops']} dropped")
        if (capture := have.get("capture")) and capture["stopped_s"] is not None:
            lines.append(
                f"{'':<14} its capture ends at {capture['stopped_s']:g} s, after {capture['packets']}"
                " packets, to leave the disk 128 MiB; capture less, or make room"
            )
    lines += [f"{'kept':<14} not {name}: {why}" for name, why in result.get("not_kept", {}).items()]
    lines += resultfile.spins(result)
    # Nodes are those that have flows.
    if result.get("metrics", {}).get("nodes"):
        from ..analysis import networks

        lines += networks.as_text(result["metrics"])
    return "\n".join(lines)


def parser() -> argparse.ArgumentParser:
    """All commands and their options."""
    top = argparse.ArgumentParser(prog="wlab", description="wlink's virtual-time lab")
    top.add_argument("--version", action=Version, nargs=0, help="print the version")
    sub = top.add_subparsers(dest="name", required=True, metavar="COMMAND")
    parts = (bench, cells, channel, merge, compare, link, live, report, show, sweep, web)
    order = [__name__, *(part.__name__ for part in parts)]
    for run in sorted(options.COMMANDS, key=lambda run: order.index(run.__module__)):
        name, words, adds = options.COMMANDS[run]
        p = sub.add_parser(name, **words)
        for add in adds:
            add(p)
        p.set_defaults(run=run, complain=p.error)
    return top


class Stopped(KeyboardInterrupt):
    """Raised by a signal that ends programs."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


def stop(number: int, _: object) -> None:
    raise Stopped(number)


def main() -> int:
    """Entry point."""
    args = sweep.parse(parser(), sys.argv[1:])
    # Each of them ends the guest and removes its files; signals ignored by nohup stay ignored.
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
        # The reader of the output, such as head, has ended: no message.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 128 + signal.SIGPIPE
    except OSError as e:
        text, status = f"{e.filename or 'wlab'}: {e.strerror}\nwlab: failed", 1
    except KeyboardInterrupt as e:
        signal_number = e.number if isinstance(e, Stopped) else signal.SIGINT
        name = signal.Signals(signal_number).name
        text = "interrupted" if signal_number == signal.SIGINT else f"ended by {name}"
        text, status = f"wlab: {text}", 128 + signal_number
    with contextlib.suppress(OSError):
        sys.stdout.flush()
        # The progress line is still on the terminal.
        print(("\n" if status > 128 and sys.stderr.isatty() else "") + text, file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main())
