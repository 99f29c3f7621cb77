# SPDX-License-Identifier: GPL-2.0
"""`wlab sweep`: has snakemake run all cells whose results are missing or out of date.

Nothing of an interrupted sweep is in the way of the next one: the lock goes with its process,
wlab-keep ends the jobs of a sweep that was killed, the next one removes what these have left in
the scratch folder, and results are there as a whole or not at all.
"""

import contextlib
import fcntl
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from . import cells
from .cellrun import lab
from .inputs import engine
from .paths import BIN, WLAB, LabError
from .progress import Progress
from .sweepmeter import Meter, cost_of, words
from .sweepplan import Task, check_quick, differing, read_engine, reason, write, write_text

SNAKEFILE = WLAB / "workflow" / "Snakefile"
LOG = "snakemake.log"
SCRATCH = "wlab-sweep."
TOLD = 10
TAIL_LINES = 15
SILENT_S = 20.0
PATIENCE_S = 15.0
# How snakemake tells that jobs have failed, and which.
SOME_FAILED = "Exiting because a job execution failed"
FAILED = re.compile(r"^Error in rule cell:\n(?:    .*\n)*?    output: cells/(.+)\.json$", re.MULTILINE)


@contextlib.contextmanager
def lock(out: Path) -> Iterator[None]:
    """One sweep at a time in a folder."""
    with (out / ".lock").open("a+") as f:
        try:
            fcntl.flock(f, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            f.seek(0)
            raise LabError(f"another sweep, process {f.read().strip()}, is at work in {out}") from None
        f.truncate(0)
        f.write(f"{os.getpid()}\n")
        f.flush()
        yield


def ours(folder: Path) -> bool:
    with contextlib.suppress(OSError):
        return folder.name.startswith(SCRATCH) and folder.lstat().st_uid == os.getuid()
    return False


@contextlib.contextmanager
def scratch(out: Path) -> Iterator[Path]:
    """Where jobs have their event logs; that of a sweep that was killed is removed now."""
    note = out / ".scratch"
    if note.exists() and ours(old := Path(note.read_text().strip())):
        shutil.rmtree(old, ignore_errors=True)
    folder = Path(tempfile.mkdtemp(prefix=SCRATCH))
    try:
        write_text(note, f"{folder}\n")
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        note.unlink(missing_ok=True)


def command(jobs: int, more: list[str]) -> list[str]:
    """Snakemake's; what the user says comes last and wins."""
    program = shutil.which("snakemake")
    if not program:
        raise LabError("snakemake is not there; type: userspace/need papers")
    # Results are never half there, so its lock and its list of incomplete files say nothing.
    argv = [program, "--snakefile", str(SNAKEFILE), "--directory", ".", "--jobs", str(jobs)]
    argv += ["--keep-going", "--rerun-triggers", "mtime", "--scheduler", "greedy", "--nocolor"]
    return [*argv, "--nolock", "--ignore-incomplete", "--drop-metadata", *more]


def interrupt(keep: "subprocess.Popen[bytes]") -> None:
    """As a person's ^C: jobs clean up, and snakemake takes back what it has given to a cluster."""
    with contextlib.suppress(OSError, ValueError):
        child = int(Path(f"/proc/{keep.pid}/task/{keep.pid}/children").read_text().split()[0])
        os.killpg(child, signal.SIGINT)
        keep.wait(PATIENCE_S)


def snakemake(argv: list[str], out: Path, folder: Path, meter: Meter) -> None:
    """Run it to its end, saying how far it is."""
    progress = Progress("sweep")
    said, when = "", time.monotonic()
    env = {**os.environ, "TMPDIR": str(folder), "XDG_CACHE_HOME": str(folder / "cache")}
    # versions() of run.py asks git; it must not hold up a commit.
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
            env=env,
        )
    os.close(watched)
    try:
        while keep.poll() is None:
            meter.look()
            text = meter.told()
            if progress.live or text.split(", about")[0] != said or time.monotonic() - when > SILENT_S:
                progress.tick(text, always=True)
                said, when = text.split(", about")[0], time.monotonic()
            with contextlib.suppress(subprocess.TimeoutExpired):
                keep.wait(0.5)
        meter.look()
        progress.done(meter.told())
    except KeyboardInterrupt:
        interrupt(keep)
        meter.look()
        progress.done(f"interrupted, {meter.told()}; the same command goes on from here")
        raise
    finally:
        os.close(alive)
        keep.wait()


def silent(todo: list[Task], meter: Meter, log: str) -> None:
    """A job that was killed could not say so itself."""
    dead = set(FAILED.findall(log)) - meter.done - meter.failed
    for task in todo:
        if task.name in dead:
            meter.failed.add(task.name)
            with contextlib.suppress(OSError):
                write_text(task.error, f"{task.name}: the job was killed; see {task.out / LOG}\n")


def full(out: Path) -> str:
    """What a full disk explains."""
    with contextlib.suppress(OSError):
        for where in (out, Path(tempfile.gettempdir())):
            st = os.statvfs(where)
            if st.f_bavail * st.f_frsize < 1 << 20:
                return f"{where}: the disk is full, {st.f_bavail * st.f_frsize >> 10} KiB are free"
    return ""


def verdict(todo: list[Task], out: Path, meter: Meter) -> int:
    """Tell what has failed and why."""
    log = (out / LOG).read_text(errors="replace")
    silent(todo, meter, log)
    if len(meter.done) == len(todo):
        return 0
    for task in [t for t in todo if t.name in meter.failed][:TOLD]:
        with contextlib.suppress(OSError):
            lines = task.error.read_text(errors="replace").strip().splitlines()
            print(f"{task.error}: {lines[-1] if lines else 'empty'}", file=sys.stderr)
    if len(meter.failed) > TOLD:
        print(f"... and {len(meter.failed) - TOLD} more", file=sys.stderr)
    missing = len(todo) - len(meter.done) - len(meter.failed)
    if missing and not (SOME_FAILED in log and full(out)):
        print("\n".join(log.splitlines()[-TAIL_LINES:]), file=sys.stderr)
    trouble = [f"{len(meter.failed)} failed"] if meter.failed else []
    trouble += [f"{missing} not run"] if missing else []
    words = f"{', '.join(trouble)} of {len(todo)} cells; what is done is kept, the same command goes on"
    raise LabError("\n".join(filter(None, [full(out), words])))


def plan(what: list[str], quick: bool, out: Path) -> list[Task]:
    """All cells asked for, each once."""
    found = cells.expand_all(list(dict.fromkeys(what)), quick)
    tasks = [Task(cell, out) for cell in found]
    paths = {t.cell.experiment.name: t.cell.experiment.path.resolve() for t in tasks}
    for task in tasks:
        if paths[task.cell.experiment.name] != task.cell.experiment.path.resolve():
            raise LabError(f"two experiments are called '{task.cell.experiment.name}'")
    return tasks


def summary(tasks: list[Task]) -> str:
    """What all the cells have cost, in this sweep and before."""
    costs = [cost for cost in map(cost_of, tasks) if cost]
    cpu, virtual = (sum(c[k] for c in costs) for k in ("cpu_s", "virtual_s"))
    runs = sum(len(t.cell.seeds) for t in tasks)
    return f"{len(tasks)} cells, {runs} runs, {virtual:.0f} virtual seconds, {cpu / 3600:.3g} core hours"


def sweep(what: list[str], quick: bool, jobs: int, out: Path, dry: bool, more: list[str]) -> None:
    """Run what is missing; LabError when a cell fails, after all others have been run."""
    if out.exists() and not out.is_dir():
        raise LabError(f"{out} is there and no folder")
    out = out.absolute()
    argv = command(jobs, more)
    tasks = plan(what, quick, out)
    have = engine(lab())
    changed = differing(read_engine(out) or {}, have)
    why = {t.name: reason(t, changed) for t in tasks}
    todo, rest = ([t for t in tasks if bool(why[t.name]) is wanted] for wanted in (True, False))
    check_quick(tasks)
    if dry:
        for task in todo:
            print(f"{task.name}\t{why[task.name]}")
        left = Meter(todo, rest, jobs).left_s()
        about = f", about {words(left)}" if left and todo else ""
        print(f"{len(todo)} of {len(tasks)} cells to run{about}", file=sys.stderr)
        return
    try:
        out.mkdir(parents=True, exist_ok=True)
        with lock(out), scratch(out) as folder:
            write(tasks, have, out)
            if todo:
                meter = Meter(todo, rest, jobs)
                snakemake(argv, out, folder, meter)
                verdict(todo, out, meter)
    except OSError as e:
        raise LabError(f"{e.filename or out}: cannot be written: {e.strerror}") from None
    print(summary(tasks))
