# SPDX-License-Identifier: GPL-2.0
"""`wlab sweep`: lets snakemake run all cells whose results are missing or out of date.

An interrupted sweep does not hinder the next one: its lock ends with the process,
wlab-keep ends the jobs of a killed sweep, the next sweep removes its
scratch folder, and results are written atomically.
"""

import contextlib
import errno
import fcntl
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ...lib.files import write_file
from ...lib.packages import missing
from ...lib.paths import BIN, BUILD, COMMAND, ROOT, WLAB, LabError
from ...lib.progress import Progress
from ...lib.scratch import scratch
from ...run.resultdir import folder, full
from .. import cells
from ..cellrun import lab
from ..inputs import engine
from ..parts import Experiment
from . import others as elsewhere
from .meter import Meter, cost_of, words
from .plan import ENGINE, Task, check_quick, differing, read_json, reason, write

SNAKEFILE = WLAB / "workflow" / "Snakefile"
JOBSCRIPT = SNAKEFILE.with_name("jobscript")
SLURM = ("--profile", str(SNAKEFILE.with_name("slurm")))
LOG = "snakemake.log"
# One of them is in each folder of a sweep, also of one that was killed.
OWN = {".lock", "cells"}
SHOWN = 10
TAIL_LINES = 15
SILENT_S = 20.0
PATIENCE_S = 15.0
# Which of how many parts of the cells.
Part = tuple[int, int]
WHOLE = (1, 1)
# Snakemake's message of a failed job.
FAILED = re.compile(r"^Error in rule cell\d+:\n(?:    .*\n)*?    output: cells/(.+)\.json$", re.MULTILINE)


@contextlib.contextmanager
def lock(out: Path) -> Iterator[None]:
    """One sweep at a time in a folder."""
    with (out / ".lock").open("a+") as f:
        try:
            fcntl.flock(f, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            f.seek(0)
            raise LabError(f"another sweep, process {f.read().strip()}, is running in {out}") from None
        f.truncate(0)
        f.write(f"{os.getpid()}\n")
        f.flush()
        yield


def command(jobs: int, more: list[str]) -> list[str]:
    """Snakemake's command line; the user's words come last and take precedence."""
    program = shutil.which("snakemake")
    if not program:
        raise missing("snakemake", "papers")
    # Results are written atomically, so snakemake's lock and list of incomplete files are not needed.
    argv = [program, "--snakefile", str(SNAKEFILE), "--directory", ".", "--jobs", str(jobs)]
    argv += ["--keep-going", "--rerun-triggers", "mtime", "--scheduler", "greedy", "--nocolor"]
    argv += ["--nolock", "--ignore-incomplete", "--drop-metadata", "--jobscript", str(JOBSCRIPT)]
    return [*argv, *more]


def interruptible() -> None:
    """Enable interrupts, which a shell disables for background processes."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def interrupt(keep: "subprocess.Popen[bytes]") -> None:
    """Interrupt as ^C does: jobs clean up, and snakemake cancels jobs on a cluster."""
    with contextlib.suppress(OSError, IndexError, subprocess.TimeoutExpired):
        child = int(Path(f"/proc/{keep.pid}/task/{keep.pid}/children").read_text().split()[0])
        os.killpg(child, signal.SIGINT)
        keep.wait(PATIENCE_S)


def snakemake(argv: list[str], out: Path, folder: Path, meter: Meter) -> None:
    """Run snakemake to its end with progress lines."""
    progress = Progress("sweep")
    printed, printed_at = None, time.monotonic()
    env = {**os.environ, "TMPDIR": str(folder), "XDG_CACHE_HOME": str(folder / "cache")}
    env |= {"WLAB_BUILD": str(BUILD), "WLAB_COMMAND": COMMAND}
    # versions() in run.py calls git, which must not block a commit of the user.
    env["GIT_OPTIONAL_LOCKS"] = "0"
    watched, alive = os.pipe()
    with (out / LOG).open("wb") as log:
        keep = subprocess.Popen(
            [str(BIN / "wlab-keep"), str(watched), *argv],
            cwd=out,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            pass_fds=[watched],
            start_new_session=True,
            preexec_fn=interruptible,
            env=env,
        )
    os.close(watched)
    try:
        while keep.poll() is None:
            meter.look()
            text, count = meter.summary(), meter.count()
            if progress.live or count != printed or time.monotonic() - printed_at > SILENT_S:
                progress.tick(text, always=True)
                printed, printed_at = count, time.monotonic()
            with contextlib.suppress(subprocess.TimeoutExpired):
                keep.wait(0.5)
        meter.look()
        if progress.live or meter.count() != printed:
            progress.done(meter.summary())
    except KeyboardInterrupt:
        interrupt(keep)
        meter.look()
        progress.done(f"interrupted, {meter.summary()}; the same command continues")
        raise
    finally:
        os.close(alive)
        keep.wait()


def full_disk(out: Path, errors: str) -> str:
    """A message about a full disk, if that explains the errors; the scratch folder is removed by now."""
    if os.strerror(errno.ENOSPC) in errors:
        return full(out) or f"the disk of {out} or of {tempfile.gettempdir()} (TMPDIR) was full"
    return full(out)


def add_killed(meter: Meter, log: str) -> None:
    """Write an error for each job that was killed and could not write one itself."""
    killed = set(FAILED.findall(log)) - meter.done - meter.failed
    for task in meter.todo:
        if task.name in killed:
            meter.failed.add(task.name)
            why = (
                full(task.out)
                or f"the job ended without an error message, as if killed; see {task.out / LOG}"
            )
            with contextlib.suppress(LabError):
                write_file(task.error, f"{task.name}: {why}\n")


def reasons(failed: list[Task]) -> list[str]:
    """The errors of failed cells."""
    out = []
    for task in failed:
        text = ""
        with contextlib.suppress(OSError):
            text = task.error.read_text(errors="replace").strip()
        out.append(text or f"{task.name}: no reason could be written")
    return out


def brief(text: str) -> str:
    """Shorten an error: the first line has the cell's name and a program's message, the last two the end."""
    lines = text.splitlines()
    return "\n".join(f"  {line}" for line in (lines if len(lines) < 4 else [lines[0], *lines[-2:]]))


def verdict(meter: Meter, out: Path) -> None:
    """Raise a LabError with all failures."""
    todo = meter.todo
    log = (out / LOG).read_text(errors="replace")
    add_killed(meter, log)
    if len(meter.done) == len(todo):
        return
    failed = [t for t in todo if t.name in meter.failed]
    why = reasons(failed)
    lines = [f"{t.error}:\n{brief(text)}" for t, text in zip(failed, why)]
    lines = lines[:SHOWN] + ([f"... and {len(lines) - SHOWN} more"] if len(lines) > SHOWN else [])
    missing = len(todo) - len(meter.done) - len(failed)
    if missing:
        lines = [*log.splitlines()[-TAIL_LINES:], *lines]
    trouble = [f"{len(failed)} failed"] if failed else []
    trouble += [f"{missing} not run"] if missing else []
    lines += [full_disk(out, "\n".join(why))]
    lines += [
        f"{', '.join(trouble)} of {len(todo)} cells; finished cells are kept, and the same command continues"
    ]
    raise LabError("\n".join(filter(None, lines)))


def plan(names: Sequence[str | Experiment], quick: bool, out: Path, part: Part) -> list[Task]:
    """The tasks of all selected cells, or of one part of them."""
    number, of = part
    return [Task(cell, out) for cell in cells.expand_all(names, quick)[number - 1 :: of]]


def total_cost(tasks: list[Task]) -> dict[str, float]:
    """The cost of the cells, in this sweep and before."""
    costs = [cost for cost in map(cost_of, tasks) if cost]
    sums = {key: sum(cost[key] for cost in costs) for key in ("virtual_s", "wall_s", "cpu_s")}
    return {"cells": len(tasks), "runs": sum(len(t.cell.seeds) for t in tasks), **sums}


def cost_text(cost: dict[str, float]) -> str:
    counts = f"{cost['cells']} cells, {cost['runs']} runs"
    return f"{counts}, {cost['virtual_s']:.0f} virtual seconds, {cost['cpu_s'] / 3600:.3g} core hours"


def reasons_to_run(tasks: list[Task], engine_now: dict[str, Any], out: Path) -> dict[str, str]:
    """The reason to run each cell; "" if its result is valid."""
    check_quick(tasks)
    changed = differing(read_json(out / ENGINE) or {}, engine_now)
    return {t.name: reason(t, changed) for t in tasks}


def meter_of(tasks: list[Task], why: dict[str, str], jobs: int) -> Meter:
    return Meter([t for t in tasks if why[t.name]], [t for t in tasks if not why[t.name]], jobs)


def checked(jobs: int | None, out: Path) -> tuple[int, Path]:
    """The number of jobs, by default one for each processor, and the folder's absolute path."""
    if jobs is None:
        jobs = len(os.sched_getaffinity(0))
    if jobs < 1:
        raise LabError(f"--jobs {jobs}: at least 1")
    folder(out)
    if out.exists() and (names := set(os.listdir(out))) and not names & OWN:
        raise LabError(f"{out} exists and is not the folder of a sweep")
    return jobs, out.absolute()


def dry_run(
    names: list[str],
    quick: bool,
    jobs: int | None,
    out: Path,
    part: Part = WHOLE,
    others: Sequence[Path] = (),
) -> dict[str, Any]:
    """The cells that a sweep would run, with reasons, and an estimate of its time; writes nothing."""
    jobs, out = checked(jobs, out)
    tasks = plan(names, quick, out, part)
    engine_now = engine(lab())
    why = reasons_to_run(tasks, engine_now, out)
    why |= {task.name: "" for task, _ in elsewhere.theirs(tasks, list(others), engine_now)}
    meter = meter_of(tasks, why, jobs)
    meter.learn_kept(ROOT / "Documentation" / "results")
    todo = [{"cell": task.name, "reason": why[task.name]} for task in meter.todo]
    runs = sum(len(task.cell.seeds) for task in meter.todo)
    left = {"runs": runs, "cpu_s": meter.cpu_s(), "left_s": meter.left_s(), "jobs": jobs}
    return {"cells": len(tasks), "to_run": todo, **left}


def dry_run_text(found: dict[str, Any]) -> str:
    """A line for each cell; the sum goes to standard error."""
    about = ""
    if found["left_s"]:
        jobs = f"{found['jobs']} at a time" if found["jobs"] > 1 else "one after the other"
        about = f"{found['cpu_s'] / 3600:.3g} core hours, {words(found['left_s'])} {jobs}"
        about = f", {found['runs']} runs: about {about}"
    print(f"{len(found['to_run'])} of {found['cells']} cells to run{about}", file=sys.stderr)
    return "".join(f"{one['cell']}\t{one['reason']}\n" for one in found["to_run"])


def sweep(
    names: Sequence[str | Experiment],
    quick: bool,
    jobs: int | None,
    out: Path,
    more: Sequence[str] = (),
    part: Part = WHOLE,
    others: Sequence[Path] = (),
) -> dict[str, float]:
    """Run all cells that are missing or out of date, and return the cost; failures are raised at the end.

    By default there are as many jobs as processors; `more` are words for snakemake. What sweeps have
    in the folders `others` is taken first.
    """
    jobs, out = checked(jobs, out)
    argv = command(jobs, list(more))
    tasks = plan(names, quick, out, part)
    engine_now = engine(lab())
    try:
        out.mkdir(parents=True, exist_ok=True)
        with lock(out), scratch() as temporary:
            why = reasons_to_run(tasks, engine_now, out)
            write(tasks, engine_now, out)
            elsewhere.take(tasks, list(others), engine_now, why)
            meter = meter_of(tasks, why, jobs)
            if meter.todo:
                snakemake(argv, out, temporary, meter)
                verdict(meter, out)
    except OSError as e:
        raise LabError(f"{e.filename or out}: cannot be written: {e.strerror}") from None
    return total_cost(tasks)
