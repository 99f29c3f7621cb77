# SPDX-License-Identifier: GPL-2.0
"""Runs a scenario: one boot, one or more seeds, a result folder each."""

import hashlib
import json
import os
import shutil
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import build, plan, stack
from .boot import Job, boot, scratch
from .flows import Flow
from .paths import BIN, BUILD, ROOT, LabError
from .progress import Progress
from .scenario import Scenario
from .units import as_time

TAIL_LINES = 20


@dataclass
class Batch:
    """Runs of one scenario whose results go together."""

    sc: Scenario
    seeds: list[int]
    out: Path

    def folder(self, seed: int, root: Path) -> Path:
        """Where below the folder of all the results of a seed are."""
        return root / f"seed-{seed}" if len(self.seeds) > 1 else root

@dataclass
class Output:
    """What the guest's programs have said so far."""

    progress: Progress
    runs: int
    run: int = 0
    rest: bytes = b""
    now: int = 0

    def __post_init__(self) -> None:
        self.said = bytearray()
        self.moved = time.monotonic()

    def out(self, data: bytes) -> None:
        """Lines "NOW OF" of virtual ns."""
        self.moved = time.monotonic()
        *lines, self.rest = (self.rest + data).split(b"\n")
        for line in lines:
            now, of = (int(x) for x in line.split())
            which = f"run {self.run + 1} of {self.runs}, " if self.runs > 1 else ""
            self.progress.tick(f"{which}{now / 1e9:.0f} of {of / 1e9:.0f} virtual seconds")
            self.run += now == of
            self.now = now

    def where(self) -> str:
        """For the user to see how far it came."""
        return f"at {self.now / 1e9:g} virtual seconds or later, run {self.run + 1} of {self.runs}"

    def err(self, data: bytes) -> None:
        self.said += data

    def errors(self) -> str:
        return "\n".join(self.said.decode(errors="replace").splitlines()[-TAIL_LINES:])


def git_id() -> str:
    """Commit of the sources, with + where they differ from it."""
    git = ["git", "-C", str(ROOT), "-c", f"safe.directory={ROOT}", "describe", "--always", "--dirty=+"]
    try:
        done = subprocess.run(git, capture_output=True, text=True, check=False)
    except OSError:
        return "unknown"
    return done.stdout.strip() or "unknown"


def versions(kernel: build.Kernel) -> dict[str, str]:
    """What was at work."""
    tc = subprocess.run(
        ["/usr/sbin/tc" if os.path.exists("/usr/sbin/tc") else "tc", "-V"],
        capture_output=True,
        text=True,
        check=False,
    )
    return {
        "kernel": kernel.version,
        "module_sha256": sha256(kernel.module),
        "tc": tc.stdout.strip(),
        "wlink": git_id(),
    }


def sha256(path: Path) -> str:
    with path.open("rb") as f:
        return hashlib.file_digest(f, "sha256").hexdigest()


def read_flows(path: Path) -> dict[str, dict[str, int]]:
    """The lines that guest/report.c has written."""
    out = {}
    for line in path.read_text().splitlines():
        name, *pairs = line.split()
        out[name] = {k: int(v) for k, v in (p.split("=") for p in pairs)}
    return out


def read_links(sc: Scenario, folder: Path) -> dict[str, Any]:
    """The root qdisc of each link as `tc -j -s qdisc show` has it."""
    seen: dict[str, Any] = {}
    for path in folder.glob("stats.*"):
        for qdisc in json.loads(path.read_text()):
            if qdisc.get("root"):
                seen[qdisc["dev"]] = qdisc
    out = {}
    for name in sc.links:
        if plan.device(name) not in seen:
            raise LabError(f"{name}: tc shows no qdisc at the end of the run")
        out[name] = seen[plan.device(name)]
    return out


def digest_log(sc: Scenario, run: int, folder: Path, out: Path, ended_ns: int) -> dict[str, Any]:
    """Have wlab-log read the events."""
    argv = [str(BIN / "wlab-log"), str(folder), str(out)]
    argv += [str(plan.start_of(run)), str(ended_ns), str(sc.warmup_ns)]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    if done.returncode:
        raise LabError(done.stderr.strip() or f"wlab-log failed ({done.returncode})")
    figures: dict[str, Any] = json.loads(done.stdout)
    return figures


def goodput(have: dict[str, int], since_ns: int, base: str | None = None) -> dict[str, Any]:
    """Bytes that came since then, and their rate up to the flow's end."""
    # A web flow's bytes are of complete transactions, and there may be none since.
    got = max(0, have["bytes"] - (have[base] if base else 0))
    span = have["end_ns"] - max(have["start_ns"], since_ns)
    return {"goodput_bps": got * 8e9 / span if span > 0 else 0.0, "bytes": got}


def flow_figures(flow: Flow, have: dict[str, int], logged: dict[str, Any], warmup_ns: int) -> dict[str, Any]:
    """Of one flow, after the warm-up; with one also of the whole run."""
    out = {"kind": flow.kind, "direction": flow.direction, **have, "ended": bool(have["ended"]), **logged}
    if warmup_ns:
        out["whole"] = {**logged["whole"], **goodput(have, 0)}
    out.update(goodput(have, warmup_ns, "warm_bytes" if warmup_ns else None))
    del out["warm_bytes"]
    return out


def result(sc: Scenario, seed: int, run: int, folders: tuple[Path, Path], out: Path) -> dict[str, Any]:
    """Everything result.json says but versions and wall time.

    The folders are what the guest has left of this run and of the batch's first.
    """
    folder = folders[0]
    said = read_flows(folder / "flows")
    ended_ns = said["-"]["ended_ns"]
    if ended_ns <= sc.warmup_ns:
        raise LabError(f"seed {seed}: the run ended at {as_time(ended_ns)}, before its warm-up")
    figures = digest_log(sc, run, folder, out, ended_ns)
    flows = {
        f.name: flow_figures(f, said[f.name], figures["flows"][f.name], sc.warmup_ns) for f in sc.flows
    }
    links = {
        name: {**qdisc, **figures["links"][name]} for name, qdisc in read_links(sc, folder).items()
    }
    if (folder / "programs").is_dir():
        shutil.copytree(folder / "programs", out / "programs")
    text = json.dumps(sc.raw, sort_keys=True)
    return {
        "name": sc.name,
        "seed": seed,
        "scenario": sc.raw,
        "scenario_sha256": hashlib.sha256(text.encode()).hexdigest(),
        "duration_s": sc.duration_ns / 1e9,
        "ended_s": ended_ns / 1e9,
        "warmup_s": sc.warmup_ns / 1e9,
        "stack": stack.report(sc, *folders),
        "flows": flows,
        "links": links,
        "events": figures["events"],
        "event_sha256": sha256(out / "events.tsv"),
    }


def collect(batch: Batch, first: int, folder: Path, common: dict[str, Any]) -> list[dict[str, Any]]:
    """Write all results beside their place, then move them there at once.

    first is the number of the batch's first run in the boot.
    """
    out = batch.out
    out.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(prefix=f".{out.name}.", dir=out.parent))
    fresh.chmod(0o755)
    try:
        results = []
        at_first = folder / str(first)
        for run, seed in enumerate(batch.seeds, first):
            where = batch.folder(seed, fresh)
            where.mkdir(exist_ok=True)
            one = {**result(batch.sc, seed, run, (folder / str(run), at_first), where), **common}
            (where / "result.json").write_text(json.dumps(one, indent=1) + "\n")
            results.append(one)
        if len(batch.seeds) > 1:
            brief = [{"seed": r["seed"], "event_sha256": r["event_sha256"]} for r in results]
            (fresh / "runs.json").write_text(json.dumps(brief, indent=1) + "\n")
        replace(fresh, out)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    return results


def replace(fresh: Path, out: Path) -> None:
    """Only ever a result folder of ours is overwritten."""
    if out.exists():
        ours = {"result.json", "runs.json"}
        if not out.is_dir() or (any(out.iterdir()) and not ours & {p.name for p in out.iterdir()}):
            raise LabError(f"{out} is there and is no result of wlab")
        shutil.rmtree(out)
    fresh.rename(out)


def run(
    sc: Scenario, seeds: list[int], out: Path | None, stall_s: float = 60.0, sanitize: bool = False
) -> tuple[list[dict[str, Any]], Path]:
    """Run all seeds of a scenario in one boot; see run_all()."""
    batch = Batch(sc, seeds, out or BUILD / "results" / sc.name)
    return run_all(sc.name, [batch], stall_s, sanitize)[0], batch.out


def boot_plan(progress: Progress, kernel: build.Kernel, folder: Path, runs: int, stall_s: float) -> None:
    """Have the guest do the plan in a folder."""
    output = Output(progress, runs)
    argv = [str(BIN / "wlab-guest"), str(plan.GUEST_DIR / "plan")]
    job = Job(argv, module=kernel.module, mem=kernel.mem, timeout=stall_s)
    try:
        ended = boot(kernel, folder, job, output.out, output.err, lambda: output.moved)
    except LabError as e:
        raise LabError(f"{output.errors()}\n{e}\n{output.where()}".strip()) from None
    if ended.status:
        said = output.errors() or ended.tail()
        raise LabError(f"{said}\n{progress.title}: the guest's programs failed ({ended.status})")


def run_all(
    name: str, batches: list[Batch], stall_s: float = 60.0, sanitize: bool = False
) -> list[list[dict[str, Any]]]:
    """Run all batches in one boot; raises LabError and leaves nothing when one run fails."""
    kernel = build.kernel(sanitize)
    build.make_parts(kernel)
    begin = time.monotonic()
    progress = Progress(name)
    runs = [(b.sc, seed) for b in batches for seed in b.seeds]
    with scratch() as folder:
        plan.write(runs, folder)
        boot_plan(progress, kernel, folder, len(runs), stall_s)
        booted = time.monotonic() - begin
        common = {"versions": versions(kernel)}
        results: list[list[dict[str, Any]]] = []
        for b in batches:
            results.append(collect(b, sum(map(len, results)), folder, common))
    wall = time.monotonic() - begin
    virtual = sum(one["ended_s"] for some in results for one in some)
    speed = {"virtual_s": virtual, "wall_s": round(wall, 3), "guest_s": round(booted, 3)}
    speed["speed_up"] = round(virtual / wall, 1)
    for b, some in zip(batches, results):
        for one in some:
            one["speed"] = speed
            where = b.folder(one["seed"], b.out)
            (where / "result.json").write_text(json.dumps(one, indent=1) + "\n")
    progress.done(f"{virtual:.0f} virtual seconds, {speed['speed_up']} times real time")
    return results
