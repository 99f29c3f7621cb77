# SPDX-License-Identifier: GPL-2.0
"""Runs a scenario: one or more seeds, a result folder each."""

import contextlib
import json
import os
import shutil
import subprocess
import time
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from ..lab.boot import STALL_S, Job, scratch, temp_dir
from ..lib.paths import BIN, INSTALLED, RESULTS, ROOT, LabError, version
from ..lib.progress import Progress
from ..lib.units import as_time
from ..scenario import commands, files, handover, plan, stack
from ..scenario.flows import Flow
from ..scenario.scenario import Scenario
from . import networks, place
from .resultdir import claimed, full, put_there, writing

TAIL_LINES = 20
# What takes longer shows progress.
BOOT_S = 2.0
# Of a link, what only its event log has.
BY_EVENTS = ("buffer_mean_sdus", "dropped", "delay")

# A scenario and a seed.
Run = tuple[Scenario, int]


@dataclass
class Batch:
    """Runs of one scenario whose results go together."""

    sc: Scenario
    seeds: list[int]
    out: Path

    def folder(self, seed: int, root: Path) -> Path:
        """Where below the folder of all the results of a seed are."""
        return root / f"seed-{seed}" if len(self.seeds) > 1 else root


@dataclass(frozen=True)
class RunDir:
    """Where the guest has left a run."""

    boot: Path
    run: int
    # Of the same scenario in that boot.
    first: int

    @property
    def folder(self) -> Path:
        return self.boot / str(self.run)

    @property
    def files(self) -> Path:
        """What the runs of a scenario share."""
        return self.boot / str(self.first) / files.FOLDER


@dataclass
class Output:
    """What the guest's programs have said so far."""

    progress: Progress
    runs: int
    seconds: str
    run: int = 0
    rest: bytes = b""
    now: int = 0

    def __post_init__(self) -> None:
        self.said = bytearray()
        self.moved = time.monotonic()

    def out(self, data: bytes) -> None:
        """Lines "NOW OF" of ns."""
        self.moved = time.monotonic()
        *lines, self.rest = (self.rest + data).split(b"\n")
        for line in lines:
            now, of = (int(x) for x in line.split())
            which = f"run {self.run + 1} of {self.runs}, " if self.runs > 1 else ""
            self.progress.tick(f"{which}{now / 1e9:.0f} of {of / 1e9:.0f} {self.seconds}")
            self.run += now == of
            self.now = now

    def alive(self) -> float:
        """When the guest last gave a sign of life; asked now and then, so that nobody waits in silence."""
        if not self.run and not self.now and time.monotonic() - self.moved > BOOT_S:
            self.progress.tick("booting")
        return self.moved

    def where(self) -> str:
        """For the user to see how far it came."""
        return f"at {self.now / 1e9:g} {self.seconds} or later, run {self.run + 1} of {self.runs}"

    def err(self, data: bytes) -> None:
        self.said += data

    def errors(self) -> str:
        return "\n".join(self.said.decode(errors="replace").splitlines()[-TAIL_LINES:])


def git_id() -> str:
    """Commit of the sources, with + where they differ from it; of a copy their version."""
    if INSTALLED:
        return version()
    git = ["git", "-C", str(ROOT), "-c", f"safe.directory={ROOT}", "describe", "--always", "--dirty=+"]
    try:
        done = subprocess.run(git, capture_output=True, text=True, check=False)
    except OSError:
        return "unknown"
    return done.stdout.strip() or "unknown"


def versions(on: place.Place) -> dict[str, str]:
    """What was at work."""
    tc = subprocess.run(
        ["/usr/sbin/tc" if os.path.exists("/usr/sbin/tc") else "tc", "-V"],
        capture_output=True,
        text=True,
        check=False,
    )
    return {
        "kernel": on.kernel,
        **on.module,
        "tc": tc.stdout.strip(),
        "wlink": git_id(),
    }


def read_flows(path: Path) -> dict[str, dict[str, int]]:
    """The lines that guest/run/report.c has written."""
    out = {}
    for line in path.read_text().splitlines():
        name, *pairs = line.split()
        out[name] = {k: int(v) for k, v in (p.split("=") for p in pairs)}
    return out


def read_links(sc: Scenario, folder: Path) -> dict[str, Any]:
    """The root qdisc of each link as `tc -j -s qdisc show` has it."""
    seen: dict[str, Any] = {}
    # A line for each node.
    lines = [line for path in folder.glob("stats*") for line in path.read_text().splitlines()]
    for qdisc in chain.from_iterable(map(json.loads, lines)):
        if qdisc.get("root"):
            seen[qdisc["dev"]] = qdisc
    out = {}
    for name in sc.links:
        device = sc.net.port(name).device
        if device not in seen:
            raise LabError(f"{name}: tc shows no qdisc at the end of the run")
        out[name] = seen[device]
    return out


def digest_log(sc: Scenario, folder: Path, out: Path, start_ns: int, ended_ns: int) -> dict[str, Any]:
    """Have wlab-log read the events."""
    argv = [str(BIN / "wlab-log"), str(folder), str(out)]
    argv += [str(start_ns), str(ended_ns), str(sc.warmup_ns)]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    if done.returncode:
        said = done.stderr.strip() or f"wlab-log failed ({done.returncode})"
        raise LabError("\n".join(filter(None, [said, full(out)])))
    figures: dict[str, Any] = json.loads(done.stdout)
    return figures


def goodput(have: dict[str, int], since_ns: int, base: str | None = None) -> dict[str, Any]:
    """Bytes that came since then, and their rate up to the flow's end."""
    # A web flow's bytes are of complete transactions, and there may be none since.
    got = max(0, have["bytes"] - (have[base] if base else 0))
    span = have["end_ns"] - max(have["start_ns"], since_ns)
    return {"goodput_bps": got * 8e9 / span if span > 0 else 0.0, "bytes": got}


def way_of(sc: Scenario, flow: Flow) -> dict[str, str]:
    """Where a flow goes; `link` is the one that its delays are of."""
    if sc.net.short:
        return {"direction": flow.direction}
    return {"from": flow.src, "to": flow.dst, "link": plan.seen_at(sc, flow)[1]}


def flow_figures(
    sc: Scenario, flow: Flow, have: dict[str, int], logged: dict[str, Any], warmup_ns: int
) -> dict[str, Any]:
    """Of one flow, after the warm-up; with one also of the whole run."""
    out = {"kind": flow.kind, **way_of(sc, flow), **have, "ended": bool(have["ended"]), **logged}
    if warmup_ns:
        out["whole"] = {**logged["whole"], **goodput(have, 0)}
    out.update(goodput(have, warmup_ns, "warm_bytes" if warmup_ns else None))
    del out["warm_bytes"]
    return out


def result(sc: Scenario, seed: int, left: RunDir, out: Path) -> dict[str, Any]:
    """Everything result.json says but versions and wall time."""
    folder = left.folder
    said = read_flows(folder / "flows")
    ended_ns = said["-"]["ended_ns"]
    if ended_ns <= sc.warmup_ns:
        raise LabError(f"seed {seed}: the run ended at {as_time(ended_ns)}, before its warm-up")
    figures = digest_log(sc, folder, out, said["-"]["start_ns"], ended_ns)
    flows = {
        f.name: flow_figures(sc, f, said[f.name], figures["flows"][f.name], sc.warmup_ns)
        for f in sc.flows
    }
    links = {
        # Another qdisc records no packet: what it has dropped is in its own drops.
        name: qdisc | (figures["links"][name] if qdisc["kind"] == "wlink" else dict.fromkeys(BY_EVENTS))
        for name, qdisc in read_links(sc, folder).items()
    }
    if (folder / "programs").is_dir():
        shutil.copytree(folder / "programs", out / "programs")
    made = {
        "name": sc.name,
        "seed": seed,
        "scenario": sc.raw,
        "files": files.digests(sc.inputs),
        "scenario_sha256": sc.digest(),
        "duration_s": sc.duration_ns / 1e9,
        "ended_s": ended_ns / 1e9,
        "warmup_s": sc.warmup_ns / 1e9,
        "stack": stack.report(sc, folder),
        "flows": flows,
        "links": links,
        "events": figures["events"],
        # A digest of nothing would be the same for all runs without a wlink and TCP.
        "event_sha256": place.sha256(out / "events.tsv") if figures["events"] else None,
    }
    if not sc.net.short:
        if sc.moves:
            made["moves"] = handover.moves(sc, seed)
        made["metrics"] = networks.metrics(made, {c.name: c.users for c in sc.net.cells.values()}, out)
    return made


def collect(
    batch: Batch, left: list[RunDir], fresh: Path, common: dict[str, Any]
) -> list[dict[str, Any]]:
    """All of the results but result.json, in a folder that is to be their place."""
    results = []
    for one, seed in zip(left, batch.seeds):
        where = batch.folder(seed, fresh)
        with writing(where):
            where.mkdir(exist_ok=True)
            results.append({**result(batch.sc, seed, one, where), **common})
    with writing(fresh):
        files.copy(batch.sc.inputs, fresh / files.FOLDER, left[0].files)
    return results


def finish(batch: Batch, results: list[dict[str, Any]], fresh: Path) -> None:
    """Write what describes them, and move all there at once."""
    with writing(fresh):
        for one in results:
            (batch.folder(one["seed"], fresh) / "result.json").write_text(json.dumps(one, indent=1) + "\n")
        if len(batch.seeds) > 1:
            brief = [{"seed": r["seed"], "event_sha256": r["event_sha256"]} for r in results]
            (fresh / "runs.json").write_text(json.dumps(brief, indent=1) + "\n")
    put_there(fresh, batch.out)


def run(
    sc: Scenario,
    seeds: list[int],
    out: Path | None,
    stall_s: float | None = None,
    sanitize: bool = False,
    force: bool = False,
    mem: str = "",
    on: str = "lab",
) -> tuple[list[dict[str, Any]], Path]:
    """Run all seeds of a scenario; see run_all()."""
    batch = Batch(sc, seeds, out or RESULTS / "results" / sc.name)
    return run_all(sc.name, [batch], stall_s, sanitize, force, mem, on)[0], batch.out


def boot_plan(progress: Progress, on: place.Place, folder: Path, output: Output, stall_s: float) -> None:
    """Have the guest do the plan in a folder."""
    job = Job(["wlab-guest", str(plan.GUEST_DIR / "plan")], timeout=stall_s)
    try:
        ended = on.boot(folder, job, output.out, output.err, output.alive)
    except LabError as e:
        # The guest's memory is a file, too.
        said = [output.errors(), str(e), output.where(), full(folder, Path(temp_dir()))]
        raise LabError("\n".join(filter(None, said))) from None
    if ended.status:
        said = [output.errors() or ended.tail(), full(folder), plan.unseen(folder)]
        said.append(f"{progress.title}: the guest's programs failed ({ended.status})")
        raise LabError("\n".join(filter(None, said)))


def boots(runs: list[Run]) -> list[list[Run]]:
    """The runs that share a boot.

    One with programs shares it with none: these see the clocks and their process
    numbers, which in a later run are others.
    """
    out: list[list[Run]] = []
    for one in runs:
        if not out or one[0].programs or out[-1][-1][0].programs:
            out.append([])
        out[-1].append(one)
    return out


def play(
    progress: Progress, on: place.Place, runs: list[Run], root: Path, stall_s: float
) -> list[RunDir]:
    """Have the guest do all runs, in folders below root."""
    left: list[RunDir] = []
    for some in boots(runs):
        folder = root / f"boot-{len(left)}"
        with writing(root):
            folder.mkdir()
            plan.write(some, folder, on.real)
        boot_plan(progress, on, folder, Output(progress, len(runs), on.seconds, len(left)), stall_s)
        left += [RunDir(folder, i, plan.first_of(some, i)) for i in range(len(some))]
    return left


def run_all(
    name: str,
    batches: list[Batch],
    stall_s: float | None = None,
    sanitize: bool = False,
    force: bool = False,
    mem: str = "",
    on: str = "lab",
) -> list[list[dict[str, Any]]]:
    """Run all batches; raises LabError and leaves nothing when one run fails."""
    scenarios = [b.sc for b in batches]
    place.judge(on, scenarios, sanitize, mem)
    with contextlib.ExitStack() as claims:
        targets = [claims.enter_context(claimed(b.out, force)) for b in batches]
        ready = place.prepare(on, scenarios, sanitize, mem)
        for sc in scenarios:
            commands.judge(sc, ready.programs)
        begin = time.monotonic()
        progress = Progress(name)
        runs = [(b.sc, seed) for b in batches for seed in b.seeds]
        results: list[list[dict[str, Any]]] = []
        with scratch() as folder:
            left = play(progress, ready, runs, folder, stall_s or STALL_S[on])
            booted = time.monotonic() - begin
            common = {"on": on, "versions": versions(ready)}
            for b, fresh in zip(batches, targets):
                first = sum(map(len, results))
                results.append(collect(b, left[first : first + len(b.seeds)], fresh, common))
        wall = time.monotonic() - begin
        virtual = sum(one["ended_s"] for some in results for one in some)
        speed = {"virtual_s": virtual, "wall_s": round(wall, 3), "guest_s": round(booted, 3)}
        speed["speed_up"] = round(virtual / wall, 1)
        for b, some, fresh in zip(batches, results, targets):
            for one in some:
                one["speed"] = speed
            finish(b, some, fresh)
    progress.done(f"{virtual:.0f} {ready.seconds}, {speed['speed_up']} times real time")
    return results
