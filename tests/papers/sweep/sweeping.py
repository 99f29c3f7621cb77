# SPDX-License-Identifier: GPL-2.0
"""Sweeps of a few virtual seconds: what is run, what is run again, what is kept."""

import json
import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest
from brief import brief
from kit import HERE, Skipped, equals, expect
from wlablib.experiment import cells, experiment
from wlablib.experiment.sweep.meter import Meter
from wlablib.experiment.sweep.plan import Task

WLAB = HERE.parents[1] / "userspace" / "wlab" / "wlab"
WAIT_S = 900.0

SCENARIO = brief("""name = "base"
duration = "2s"
[radio] wlink = "preset umts-384 limit 40"
[[flow]] name = "file"; kind = "tcp"
""")

HEAD = brief("""paper = "aqm"
title = "Some cells"
seeds = 2
confidence = 90
metrics = ["goodput_kbit"]
[quick] seeds = 1
[[rule]] when = {}; set = ["radio.wlink.limit={limit}"]
""")

# Only tc knows that netem has no such word.
BROKEN = """[[rule]]
when = { word = "nonsense" }
set = ["wired.netem=delay 20ms {word}"]
"""

Mark = dict[str, tuple[int, int]]


@dataclass
class Lab:
    """An experiment or two and the folder of their sweeps."""

    where: Path

    @property
    def out(self) -> Path:
        return self.where / "out"

    @property
    def scratch(self) -> Path:
        """For the temporary folders of their processes."""
        return self.where / "scratch"

    def add(self, name: str, limits: list[int], broken: bool = False) -> Path:
        """An experiment; its cells differ by the buffer."""
        cells = [f"{{ limit = {n} }}" for n in limits]
        cells += ['{ limit = 1, word = "nonsense" }'] if broken else []
        grid = f'[[grid]]\nitems = ["table 1"]\ncells = [{", ".join(cells)}]\n'
        head = f'name = "{name}"\nscenario = "{name}"\n{HEAD}{BROKEN if broken else ""}'
        (self.where / "scenarios").mkdir(exist_ok=True)
        (self.where / "scenarios" / f"{name}.toml").write_text(SCENARIO)
        path = self.where / f"{name}.toml"
        path.write_text(head + grid)
        return path

    def argv(self, experiments: list[Path], *more: str) -> list[str]:
        self.scratch.mkdir(exist_ok=True)
        argv = ["env", f"TMPDIR={self.scratch}", str(WLAB), "sweep", *map(str, experiments)]
        return [*argv, "--out", str(self.out), "--jobs", "2", *more]

    def sweep(self, experiments: list[Path], *more: str) -> "subprocess.CompletedProcess[str]":
        argv = self.argv(experiments, *more)
        return subprocess.run(argv, capture_output=True, text=True, check=False)

    def todo(self, experiments: list[Path], *more: str) -> list[str]:
        """What a dry run lists."""
        done = self.sweep(experiments, "--dry-run", *more)
        equals("dry run", (done.returncode, done.stderr.count("cells to run")), (0, 1))
        return sorted(line.split("\t")[0] for line in done.stdout.splitlines())

    def results(self) -> Mark:
        """All results that are there, each whole, with what changes when one is written."""
        out = {}
        for path in (self.out / "cells").glob("*/*.json"):
            record = json.loads(path.read_text())
            name = f"{path.parent.name}/{path.stem}"
            equals(str(path), f"{record['experiment']}/{record['id']}", name)
            st = path.stat()
            out[name] = (st.st_mtime_ns, st.st_ino)
        return out

    def errors(self) -> dict[str, str]:
        return {p.stem: p.read_text() for p in (self.out / "cells").glob("*/*.error")}

    def guests(self) -> list[int]:
        """Lab kernels of the sweep: their scratch folders are on their command lines."""
        mark = os.fsencode(self.scratch)
        pids = [int(name) for name in os.listdir("/proc") if name.isdigit()]
        return [pid for pid in pids if mark in kernel_words(pid)]


def kernel_words(pid: int) -> bytes:
    """The command line, where it is one of a lab kernel."""
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""
    return words if words.split(b"\0")[0].endswith(b"/linux") else b""


def endless(path: Path, *limits: int) -> str:
    """Let some cells go on until somebody ends them; the experiment's text without that."""
    whole = path.read_text()
    rules = (f'[[rule]]\nwhen = {{ limit = {n} }}\nset = ["duration=500000s"]\n' for n in limits)
    path.write_text(whole + "".join(rules))
    return whole


def has(guest: int, limit: int) -> bool:
    """Whether it is the guest of the cell with that limit."""
    found = re.search(rb"WLAB_JOB=([^\0]+)", kernel_words(guest))
    with suppress(OSError):
        text = Path(os.fsdecode(found[1]), "0", "tc.router").read_text() if found else ""
        return f" limit {limit}\n" in text
    return False


def until(what: str, true: Callable[[], bool]) -> None:
    end = time.monotonic() + WAIT_S
    while not true():
        expect(time.monotonic() < end, f"after {WAIT_S:g} s: {what} is not so")
        time.sleep(0.05)


def descendants(pid: int) -> list[int]:
    """A process and all that it has started."""
    parents: dict[int, int] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            parents[int(stat.parent.name)] = int(stat.read_text().rpartition(")")[2].split()[1])
    found = [pid]
    for one in found:
        found += [child for child, parent in parents.items() if parent == one]
    return found


def send(pids: list[int], number: signal.Signals) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, number)


def succeeded(done: "subprocess.CompletedProcess[str]") -> None:
    expect(done.returncode == 0, f"the sweep failed ({done.returncode}):\n{done.stderr}")


needs_lab = pytest.mark.skipif(
    not shutil.which("snakemake"), reason="no snakemake; type: userspace/need papers"
)


@needs_lab
def check_killed_half_way(where: Path) -> str:
    """The sweep, by SIGKILL, with two jobs at work."""
    lab = Lab(where)
    exp = lab.add("some", [10, 20, 30, 40, 50])
    names = [f"some/limit={n}" for n in (10, 20, 30, 40, 50)]
    equals("to run", lab.todo([exp]), names)
    expect(not lab.out.exists(), "a dry run has left something")
    whole = endless(exp, 40, 50)
    with subprocess.Popen(lab.argv([exp], "--jobs", "3"), stderr=subprocess.DEVNULL) as proc:
        until("three are done, others at work", lambda: len(lab.results()) == 3 and bool(lab.guests()))
        family = descendants(proc.pid)
        send(family, signal.SIGSTOP)
        twice = lab.sweep([exp])
        proc.send_signal(signal.SIGKILL)
        send(family, signal.SIGCONT)
        expect(f"process {proc.pid}, is running" in twice.stderr, f"a second sweep says {twice.stderr}")
    until("no guest is left", lambda: not lab.guests())
    before = lab.results()
    expect(sorted(before) == names[:3], f"{sorted(before)} were done")
    exp.write_text(whole)
    expect(any(lab.scratch.iterdir()), f"nothing in {lab.scratch} to be cleaned up")
    equals("left to run", lab.todo([exp]), sorted(names - before.keys()))
    succeeded(lab.sweep([exp]))
    after = lab.results()
    equals("results", sorted(after), names)
    equals("run again", [n for n in before if after[n] != before[n]], [])
    equals("scratch folders", list(lab.scratch.iterdir()), [])
    equals("left", sorted(p.name for p in lab.out.iterdir() if p.name[0] == "." and p.suffix), [])
    return f"{len(before)} of 5 cells were done and not run again; guests and scratch folder gone"


@needs_lab
def check_failing_cells(where: Path) -> str:
    """A guest killed and a cell that tc refuses; then an engine that changes meanwhile."""
    lab = Lab(where)
    exp = lab.add("some", [10, 20, 30], broken=True)
    whole = endless(exp, 30)
    with subprocess.Popen(lab.argv([exp]), stderr=subprocess.PIPE, text=True) as proc:
        until("its guest is at work", lambda: any(has(guest, 30) for guest in lab.guests()))
        os.kill(next(guest for guest in lab.guests() if has(guest, 30)), signal.SIGKILL)
        _, said = proc.communicate(timeout=WAIT_S)
    equals("status", proc.returncode, 1)
    errors = lab.errors()
    expect("nonsense" in errors.get("limit=1,word=nonsense", ""), f"tc's words are not in {errors}")
    expect("2 failed of 4 cells" in said, f"the sweep says:\n{said}")
    dead = [n for n in errors if "word" not in n]
    expect(len(dead) == 1 and "the guest stopped" in errors[dead[0]], f"of the guest: {errors}")
    before = lab.results()
    equals("finished", len(before), 2)
    exp.write_text(whole)
    again = lab.sweep([exp])
    expect("1 failed of 2 cells" in again.stderr, f"the next sweep says:\n{again.stderr}")
    equals("errors left", list(lab.errors()), ["limit=1,word=nonsense"])
    after = lab.results()
    equals("results", len(after), 3)
    equals("run again", [n for n in before if after[n] != before[n]], [])

    engine = json.loads((lab.out / "engine.json").read_text())
    (lab.out / "engine.json").write_text(json.dumps({**engine, "module_sha256": "0"}))
    name = next(iter(after))
    argv = [str(WLAB), "job", str(lab.out), name]
    job = subprocess.run(argv, capture_output=True, text=True, check=False)
    equals("status of a job with another module", job.returncode, 1)
    expect("module_sha256: changed while the sweep ran" in job.stderr, job.stderr)
    equals("to run with another module", len(lab.todo([exp])), 4)
    return "the others finish, errors stay until the cell is run well, another module is refused"


@needs_lab
def check_what_is_run_again(where: Path) -> str:
    """What an experiment's change makes run again."""
    lab = Lab(where)
    one, two = lab.add("one", [10]), lab.add("two", [10, 20])
    both = [one, two]
    succeeded(lab.sweep(both, "--quick"))
    first = lab.results()
    equals("left to run", lab.todo(both, "--quick"), [])
    equals("the whole set", lab.todo(both), sorted(first))
    trace = where / "scenarios" / "link.csv"
    trace.write_text("0,384000\n1,128000\n")
    played = SCENARIO.replace("[[flow]]", 'trace = { file = "link.csv" }\n[[flow]]')
    (where / "scenarios" / "two.toml").write_text(played)
    succeeded(lab.sweep(both, "--quick"))
    equals("left to run", lab.todo(both, "--quick"), [])
    trace.write_text("0,384000\n1,64000\n")
    equals("for another trace", lab.todo(both, "--quick"), ["two/limit=10", "two/limit=20"])
    succeeded(lab.sweep(both, "--quick"))
    equals("copies of the traces", len(list((lab.out / "files").iterdir())), 2)
    first = lab.results()
    one.write_text(one.read_text().replace("Some cells", "Other words").replace("table 1", "table 2"))
    os.utime(two)
    equals("for other words", lab.todo(both, "--quick"), [])
    # Both scenarios are written anew, one with a change.
    for name, time_s in (("one", "2s"), ("two", "1s")):
        (where / "scenarios" / f"{name}.toml").write_text(SCENARIO.replace("2s", time_s))
    theirs = ["two/limit=10", "two/limit=20"]
    equals("for another scenario", lab.todo(both, "--quick"), theirs)
    succeeded(lab.sweep(both, "--quick", "--", "--keep-going"))
    second = lab.results()
    equals("run again", sorted(n for n in first if first[n] != second[n]), theirs)
    expect("Other words" in (lab.out / "plan/one/limit=10.json").read_text(), "the plan has old words")
    succeeded(lab.sweep([one]))
    quick = lab.sweep([one], "--quick")
    expect("1 results of a full sweep" in quick.stderr, f"a quick sweep says:\n{quick.stderr}")
    return "its own cells alone, and words of the report none; a quick set replaces no whole one"


@needs_lab
def check_a_cluster(where: Path) -> str:
    """A cluster of one machine: each job is a snakemake of its own, given its cell by name."""
    lab = Lab(where)
    done = lab.sweep([lab.add("some", [10, 20])], "--quick", "--", "--cluster-sync", "bash")
    succeeded(done)
    equals("results", len(lab.results()), 2)
    return "two cells through job scripts"


# Full while jobs are at work, which wait for that, then before the start.
FULL = """set -e
mount -t tmpfs -o size=400k none "$1"
shift
"$@" {first}
cp -r $OUT/cells $KEEP
rm $OUT/snakemake.log
"$@" {both} 2>$KEEP/working &
until grep -qs "^rule cell" $OUT/snakemake.log; do sleep 0.05; done
dd if=/dev/zero of=$OUT/fill bs=1k 2>/dev/null || :
: >$KEEP/filled
if wait $!; then exit 3; fi
if "$@" {both} 2>$KEEP/starting; then exit 4; fi
diff -r $OUT/cells/one $KEEP/cells/one
rm $OUT/fill
"$@" {both}
"""


@needs_lab
def check_a_full_disk(where: Path) -> str:
    """In a mount namespace of our own."""
    unshare = ["unshare", "-rm", "true"]
    if subprocess.run(unshare, capture_output=True, check=False).returncode:
        raise Skipped("no user namespaces here")
    lab = Lab(where)
    one, two = lab.add("one", [10]), lab.add("two", [10])
    lab.out.mkdir()
    keep = where / "keep"
    keep.mkdir()
    two.write_text(two.read_text() + '[[metric]]\nname = "gate"\nfile = "gate.py"\n')
    (where / "gate.py").write_text(
        "import os, time\ndef gate(result, folder):\n"
        f"    while not os.path.exists({str(keep / 'filled')!r}): time.sleep(0.05)\n    return 1\n"
    )
    script = FULL.format(first=one, both=f"{one} {two}")
    argv = lab.argv([], "--quick")
    env = {**os.environ, "OUT": str(lab.out), "KEEP": str(keep)}
    done = subprocess.run(
        ["unshare", "-rm", "sh", "-c", script, "sh", str(lab.out), *argv],
        capture_output=True,
        text=True,
        check=False,
        env=env,
    )
    said = [path.read_text() if path.exists() else "" for path in (keep / "working", keep / "starting")]
    succeeded(done)
    for text, words in zip(said, ("the disk is full", "cannot be written: No space left")):
        expect(words in text, f"on a full disk:\n{text}")
    return said[0].strip().splitlines()[-3]


def check_time_left(where: Path) -> str:
    """By results of cells of the same experiment, of another one, and of the cell itself."""
    lab = Lab(where)
    paths = lab.add("known", [10, 20, 30]), lab.add("other", [10])
    tasks = [Task(cell, lab.out) for path in paths for cell in cells.expand(experiment.load(path))]
    equals("without a result", Meter(tasks, [], 2).left_s(), None)

    def result(task: Task, wall_s: float, runs: int) -> None:
        task.result.parent.mkdir(parents=True, exist_ok=True)
        cost = {"wall_s": wall_s, "cpu_s": 0, "virtual_s": 0}
        task.result.write_text(json.dumps({"cost": cost, "seeds": [1] * runs}))

    result(tasks[0], 6.0, 2)
    # Two runs of 3 s each and 1 s for a job, by two workers, whichever the experiment is.
    equals("three cells", Meter(tasks[1:], tasks[:1], 2).left_s(), 3 * (2 * 3 + 1) / 2)
    # One's own cost, of another number of seeds; the third one's is the experiment's mean.
    result(tasks[1], 100.0, 10)
    equals("two cells", Meter(tasks[1:3], tasks[:1], 1).left_s(), 2 * 10 + 1 + 2 * 106 / 12 + 1)
    meter = Meter(tasks[1:3], tasks[:1], 1)
    result(tasks[1], 8.0, 2)
    meter.look()
    equals("told", meter.count(), (1, 0))
    # Kept results say what a cell has cost where there is none here; ten workers do not share one cell.
    cost = {"wall_s": 12, "cpu_s": 8, "virtual_s": 1}
    kept = {"id": "limit=10", "quick": False, "seeds": [1, 2], "cost": cost}
    (where / "cells").mkdir()
    (where / "cells" / "other.jsonl").write_text(json.dumps(kept) + "\n")
    planned = Meter(tasks[3:], [], 10)
    planned.learn_kept(where)
    equals("kept", (planned.left_s(), planned.cpu_s()), (12 + 1, 8 + 1))
    return meter.summary()


@needs_lab
def check_ones_own_metric(where: Path) -> str:
    """A function beside the experiment: called by the jobs, and run again when it has changed."""
    lab = Lab(where)
    exp = lab.add("some", [10])
    exp.write_text(exp.read_text() + '[[metric]]\nname = "drops"\nfile = "mine.py"\n')
    code = where / "mine.py"
    text = "def drops(result, folder):\n    lines = (folder / 'events.tsv').open()\n"
    code.write_text(text + "    return sum('\\toverflow\\t' in line for line in lines)\n")
    succeeded(lab.sweep([exp]))
    path = lab.out / "cells" / "some" / "limit=10.json"
    first = json.loads(path.read_text())
    equals("values", list(first["values"]), ["goodput_kbit", "drops"])
    expect(all(n > 0 for n in first["values"]["drops"]), f"nothing was dropped: {first['values']}")
    expect((lab.out / "files" / first["functions"]["drops"]).exists(), "no copy of the file")
    equals("left to run", lab.todo([exp]), [])
    code.write_text(text + "    return 5 / 0\n")
    equals("another function", lab.todo([exp]), ["some/limit=10"])
    expect(lab.sweep([exp]).returncode == 1, "it has not failed")
    words = "drops: seed 1: line 3: ZeroDivisionError: division by zero"
    expect(words in lab.errors()["limit=10"], f"{lab.errors()}")
    code.write_text(text + "    return 5\n")
    succeeded(lab.sweep([exp]))
    second = json.loads(path.read_text())
    equals("values", second["values"], {**first["values"], "drops": [5, 5]})
    argv = [str(WLAB), "verify", str(path), "--seed", "2"]
    said = subprocess.run(argv, capture_output=True, text=True, check=True).stdout
    expect("drops: a function of one's own, which is not called again" in said, said)
    return f"{first['values']['drops']} packets dropped"
