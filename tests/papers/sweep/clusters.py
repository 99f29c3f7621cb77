# SPDX-License-Identifier: GPL-2.0
"""Sweeps of several machines: by Slurm on two nodes of this one, one of which dies; by parts, merged."""

import json
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kit import HERE, Failed, Skipped, equals, expect, refused
from sweeping import WLAB, Lab, endless, needs_lab, until
from wlablib.experiment import cells, experiment, results
from wlablib.experiment.sweep import others
from wlablib.experiment.sweep.plan import Task

HOWTO = HERE.parents[1] / "Documentation" / "howto" / "cluster.md"
PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch")
CONF = """ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={port}
SlurmUser=root
AuthInfo=socket={at}/munge.socket
SlurmctldPidFile={at}/slurmctld.pid
SlurmdPidFile={at}/%n.pid
SlurmdSpoolDir={at}/spool.%n
StateSaveLocation={at}/state
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
KillWait=1
NodeName=DEFAULT RealMemory=1000
NodeName=n1 NodeHostname={host} NodeAddr=127.0.0.1 Port={n1}
NodeName=n2 NodeHostname={host} NodeAddr=127.0.0.1 Port={n2}
PartitionName=main Nodes=n[1-2] Default=YES
"""
MUNGED = ("socket", "pid-file", "log-file", "seed-file", "key-file")
# A node is a machine of its own: it has a folder for temporary files, and its processes die with it.
NODE = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
START = 'mount -t tmpfs none "$1" && exec slurmd -D -N "$2"'
# Says where it runs; on the first node until somebody ends it.
GATE = """import os, pathlib, time
def gate(result, folder):
    node = os.environ["SLURMD_NODENAME"]
    (pathlib.Path({at!r}) / f"{{node}}.{{os.getpid()}}").touch()
    while node == "n1":
        time.sleep(0.05)
    return 1
"""


def typed(part: str) -> list[str]:
    """What a section of the page says to type."""
    text = HOWTO.read_text().partition(f"## {part}\n")[2].partition("\n## ")[0]
    return re.findall(r"^    (.+)$", text, re.M)


def ports(*names: str) -> dict[str, int]:
    """That nobody uses now."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in names]
    found = {name: one.getsockname()[1] for name, one in zip(names, sockets)}
    for one in sockets:
        one.close()
    return found


def said_by(*argv: str) -> str:
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    return " ".join(done.stdout.split())


def nodes() -> str:
    return said_by("sinfo", "-h", "-N", "-o", "%T")


def ran(where: Path, node: str) -> int:
    """How often a cell was run to its end there."""
    return len(list(where.glob(f"{node}.*")))


def ended(at: Path, running: dict[str, "subprocess.Popen[bytes]"]) -> bool:
    for name, process in running.items():
        if process.poll() is not None:
            text = (at / f"{name}.log").read_text(errors="replace").strip()
            raise Skipped(f"{name} does not start here: {(text.splitlines() or ['without a word'])[-1]}")
    return False


@contextmanager
def slurm(at: Path, scratch: Path) -> Iterator[dict[str, "subprocess.Popen[bytes]"]]:
    """A cluster of two nodes; its processes by name."""
    if missing := [one for one in PROGRAMS if not shutil.which(one)]:
        raise Skipped(f"no {missing[0]}; type: userspace/need cluster")
    if os.getuid():
        raise Skipped("slurmd starts jobs as their users, for which it must be root")
    if subprocess.run([*NODE, "true"], capture_output=True, check=False).returncode:
        raise Skipped("no namespaces to make nodes of")
    (at / "state").mkdir(parents=True)
    key = at / "munge.key-file"
    key.write_bytes(os.urandom(128))
    key.chmod(0o600)
    host = os.uname().nodename.partition(".")[0]
    (at / "slurm.conf").write_text(CONF.format(at=at, host=host, **ports("port", "n1", "n2")))
    os.environ["SLURM_CONF"] = str(at / "slurm.conf")
    munged = ["munged", "-F", "-f", *(f"--{file}={at}/munge.{file}" for file in MUNGED)]
    commands = {"munged": munged, "slurmctld": ["slurmctld", "-D"]}
    commands |= {name: [*NODE, "sh", "-c", START, "sh", str(scratch), name] for name in ("n1", "n2")}
    running = {}
    try:
        for name, command in commands.items():
            with (at / f"{name}.log").open("wb") as log:
                running[name] = subprocess.Popen(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL)
            if name == "munged":
                until("munged is there", (at / "munge.socket").exists)
        until("both nodes wait", lambda: nodes() == "idle idle" or ended(at, running))
        yield running
    finally:
        del os.environ["SLURM_CONF"]
        for process in reversed(running.values()):
            process.kill()
            process.wait()


@needs_lab
def check_slurm_with_a_node_that_dies(where: Path) -> str:
    """As the page says it: the dead node's cell is run again on the other one; ^C ends all jobs."""
    lab = Lab(where)
    exp = lab.add("some", [10, 20])
    exp.write_text(exp.read_text() + '[[metric]]\nname = "gate"\nfile = "gate.py"\n')
    (where / "gate.py").write_text(GATE.format(at=str(where)))
    lab.scratch.mkdir()
    (line,) = typed("Slurm")
    words = shlex.split(line.replace("mine.toml", str(exp)).replace("--out mine", f"--out {lab.out}"))
    # By CI snakemake does not sleep for 10 s between two looks at its jobs.
    argv = ["env", "CI=true", f"TMPDIR={lab.scratch}", str(WLAB), *words[1:], "--quick"]
    with slurm(where / "slurm", lab.scratch) as running:
        with subprocess.Popen(argv, stderr=subprocess.PIPE, text=True) as proc:
            until("one is done, one at n1", lambda: len(lab.results()) == 1 and ran(where, "n1") == 1)
            began = time.monotonic()
            running["n1"].kill()
            # So that no timeout does, which a busy machine would make of the other node, too.
            said_by("scontrol", "update", "NodeName=n1", "State=DOWN", "Reason=dead")
            _, said = proc.communicate()
        expect(proc.returncode == 0, f"{said}\n{(lab.out / 'snakemake.log').read_text()}")
        took = time.monotonic() - began
        equals("runs on n1, n2", (ran(where, "n1"), ran(where, "n2")), (1, 2))
        equals("results", len(lab.results()), 2)
        equals("left to run", lab.todo([exp], "--quick"), [])
        at_n2 = Path(f"/proc/{running['n2'].pid}/root{lab.scratch}")
        equals("left on a node", list(at_n2.iterdir()), [])

        endless(exp, 10)
        with subprocess.Popen(argv, stderr=subprocess.PIPE, text=True) as proc:
            until("its guest is at work", lambda: any(at_n2.glob("wlab.*")) and bool(lab.guests()))
            proc.send_signal(signal.SIGINT)
            proc.communicate()
        until("no job is left", lambda: not said_by("squeue", "-h") and not lab.guests())
    return f"{took:.0f} s after its death"


# Two machines are two folders; the page's lines run in the first, its second line in the other.
MACHINES = """set -e
wlab() { command "$WLAB" "$@" --quick; }
rsync() { [ "$1 $2" = "-a other:mine/" ]; cp -a other/mine "$3"; }
"""


@needs_lab
def check_parts_of_two_machines_merged(where: Path) -> str:
    """By the page's lines; then what must not be merged."""
    lab = Lab(where)
    exp = lab.add("mine", [10, 20, 30])
    exp.write_text(exp.read_text() + "quick = {}\n")
    here, there, *merge = typed("Two machines without a cluster")
    script = MACHINES + f"{here}\n(mkdir other; cd other; {there.replace('mine.toml', '../mine.toml')})\n"
    script += "ls mine/cells/mine other/mine/cells/mine\n" + "\n".join(merge)
    argv = ["bash", "-c", script]
    done = subprocess.run(
        argv, capture_output=True, text=True, check=False, cwd=where, env={**os.environ, "WLAB": str(WLAB)}
    )
    expect(done.returncode == 0, f"{done.stdout}{done.stderr}")
    equals("cells of each", re.findall(r"limit=\d+", done.stdout)[:3], ["limit=10", "limit=30", "limit=20"])
    expect("3 cells, 0 holes" in done.stdout, done.stdout)
    expect("cells 3 of 3" not in done.stderr, f"something was run again:\n{done.stderr}")

    mine, other = where / "mine", where / "mine.other"
    tasks = [Task(cell, mine) for cell in cells.expand(experiment.load(exp), True)]
    engine = json.loads((mine / "engine.json").read_text())

    def merged() -> None:
        others.take(tasks, [other], engine, {task.name: "" for task in tasks})

    merged()
    refused("it has no cells", lambda: others.take(tasks, [where], engine, {}))
    refused("tc: not those of this machine", lambda: others.take(tasks, [other], {**engine, "tc": "0"}, {}))
    path = other / "cells" / "mine" / "limit=20.json"
    record = json.loads(path.read_text())
    record["values"]["goodput_kbit"] = [1.0]
    path.write_text(json.dumps(record))
    refused("edited by hand", merged)
    path.write_text(json.dumps({**record, "sha256": results.signature(record)}))
    refused("wlab verify finds which", merged)
    plan = other / "plan" / "mine" / "limit=20.json"
    plan.write_text(json.dumps({**json.loads(plan.read_text()), "guest_sha256": "0"}))
    refused("guest_sha256: changed", merged)
    return "three cells by two machines"


def check_what_the_link_layer_set_costs(where: Path) -> str:
    """By the page's line, from kept results."""
    (line,) = typed("What it will cost")
    top = HERE.parents[1]
    script = f"PATH={WLAB.parent}:$PATH; {line.replace('links', str(where)).replace('>cells', '')}"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False, cwd=top)
    said = r"(\d+) of (\d+) cells to run, (\d+) runs: about ([\d.]+) core hours, .* 32 at a time"
    found = re.search(said, done.stderr)
    if not found:
        raise Failed(done.stderr)
    equals("cells", (int(found[1]), len(done.stdout.splitlines())), (int(found[2]), int(found[1])))
    expect(float(found[4]) > 1, f"{done.stderr}")
    return found[0]
