# SPDX-License-Identifier: GPL-2.0
"""Runs scenarios: one or more seeds, a result folder each."""

import contextlib
import json
import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from ..analysis import capacities, metrics, networks
from ..analysis.traffic import Packet, Traffic, summary
from ..lab.boot import STALL_S, Ended, Job
from ..lab.fence import temp_dir
from ..lib.paths import BIN, INSTALLED, RESULTS, ROOT, LabError, version
from ..lib.progress import Progress
from ..lib.scratch import scratch
from ..lib.units import as_time
from ..plan import commands, handover, haproxy, plan, stack
from ..scenario import files
from ..scenario.flows import Flow
from ..scenario.scenario import Scenario
from . import needs, place, proxies
from .resultdir import claimed, full, put_there, writing

TAIL_LINES = 20
# A boot that takes longer shows a progress line.
BOOT_S = 2.0
# Keys of a link that come from its event log.
BY_EVENTS = ("buffer_mean_sdus", "dropped", "delay")

# The folder of files that programs have left.
KEPT = "kept"

# A scenario and a seed.
Run = tuple[Scenario, int]


@dataclass
class Batch:
    """The runs of one scenario, whose results share a folder."""

    sc: Scenario
    seeds: list[int]
    out: Path

    def folder(self, seed: int, root: Path) -> Path:
        """The folder of one seed's result below `root`."""
        return root / f"seed-{seed}" if len(self.seeds) > 1 else root


@dataclass(frozen=True)
class RunDir:
    """The folder that the guest has written for one run."""

    boot: Path
    run: int
    # The index of the first run of the same scenario in that boot.
    first: int
    # The program that looked at the clock without waiting.
    spins: str | None

    @property
    def folder(self) -> Path:
        return self.boot / str(self.run)

    @property
    def files(self) -> Path:
        """The files that all runs of a scenario read."""
        return self.boot / str(self.first) / files.FOLDER


@dataclass
class Output:
    """The output of the guest's programs, and the progress that it shows."""

    progress: Progress
    runs: int
    seconds: str
    run: int = 0
    rest: bytes = b""
    now: int = 0

    def __post_init__(self) -> None:
        self.error_output = bytearray()
        self.last_progress = time.monotonic()

    def out(self, data: bytes) -> None:
        """Parse lines "NOW DURATION", both in ns."""
        self.last_progress = time.monotonic()
        *lines, self.rest = (self.rest + data).split(b"\n")
        for line in lines:
            now, duration = (int(x) for x in line.split())
            which = f"run {self.run + 1} of {self.runs}, " if self.runs > 1 else ""
            self.progress.tick(f"{which}{now / 1e9:.0f} of {duration / 1e9:.0f} {self.seconds}")
            self.run += now == duration
            self.now = now

    def alive(self) -> float:
        """When the guest last made progress; called repeatedly, it also shows that a boot takes long."""
        if not self.run and not self.now and time.monotonic() - self.last_progress > BOOT_S:
            self.progress.tick("booting")
        return self.last_progress

    def where(self) -> str:
        """How far the run has come, for an error message."""
        return f"at {self.now / 1e9:g} {self.seconds} or later, run {self.run + 1} of {self.runs}"

    def err(self, data: bytes) -> None:
        self.error_output += data

    def errors(self) -> str:
        return "\n".join(self.error_output.decode(errors="replace").splitlines()[-TAIL_LINES:])


def started(folder: Path) -> str:
    """The user's programs that had started: one of them may be what never waits."""
    names = sorted(path.stem for path in folder.rglob("programs/*.out"))
    return f"programs that had started: {', '.join(names)}" if names else ""


def git_id() -> str:
    """The commit of the sources, with + if they are modified; the version of an installed copy."""
    if INSTALLED:
        return version()
    git = ["git", "-C", str(ROOT), "-c", f"safe.directory={ROOT}", "describe", "--always", "--dirty=+"]
    try:
        done = subprocess.run(git, capture_output=True, text=True, check=False)
    except OSError:
        return "unknown"
    return done.stdout.strip() or "unknown"


def program_digest(path: str) -> str:
    """Of a program with its libraries, in short."""
    try:
        plain = {"PATH": os.defpath}
        done = subprocess.run(["ldd", path], env=plain, capture_output=True, text=True, check=False)
        libraries = re.findall(r"(/\S+) \(0x", done.stdout)
    except OSError:
        libraries = []
    return place.sha256(*map(Path, (path, *libraries)))[:16]


def versions(on: place.Place, scenarios: Iterable[Scenario] = ()) -> dict[str, Any]:
    """The versions of kernel, module, tc, sources and the machine's programs that scenarios run."""
    program = next((str(p) for p in (BIN / "tc", Path("/usr/sbin/tc")) if p.exists()), "tc")
    tc = subprocess.run([program, "-V"], capture_output=True, text=True, check=False)
    out = {"kernel": on.kernel, **on.module, "tc": tc.stdout.strip(), "wlink": git_id()}
    paths = dict(chain.from_iterable(commands.program_files(sc, on.programs).items() for sc in scenarios))
    programs = {name: program_digest(path) for name, path in paths.items()}
    return {**out, **({"programs": programs} if programs else {})}


def read_flows(path: Path) -> dict[str, dict[str, int]]:
    """Parse the lines of guest/run/report.c."""
    out = {}
    for line in path.read_text().splitlines():
        name, *pairs = line.split()
        out[name] = {k: int(v) for k, v in (p.split("=") for p in pairs)}
    return out


def read_links(sc: Scenario, folder: Path) -> dict[str, Any]:
    """The statistics of each link's root qdisc, as `tc -j -s qdisc show` prints them."""
    seen: dict[str, Any] = {}
    # Each line is a JSON list, of one node.
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


def read_events(sc: Scenario, folder: Path, out: Path, start_ns: int, ended_ns: int) -> dict[str, Any]:
    """Run wlab-log on the recorded events: events.tsv, series and figures."""
    argv = [str(BIN / "wlab-log"), str(folder), str(out)]
    argv += [str(start_ns), str(ended_ns), str(sc.warmup_ns)]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    if done.returncode:
        message = done.stderr.strip() or f"wlab-log failed ({done.returncode})"
        raise LabError("\n".join(filter(None, [message, full(out)])))
    figures: dict[str, Any] = json.loads(done.stdout)
    return figures


def still_there(sc: Scenario, name: str, qdisc: dict[str, Any], logged: dict[str, Any]) -> dict[str, Any]:
    """A link's qdisc with its figures from the log and its bearers; a LabError if it is another one.

    Packets of one that has gone are in the log, but not in the counters of the one that came.
    """
    kind = sc.links[name].kind
    if qdisc["kind"] != kind or (kind == "wlink" and qdisc["handle"] != plan.HANDLE):
        raise LabError(
            f"{name}: its {kind} was removed or replaced in the run, so that figures would be of a part;"
            " use wlinkctl set or tc qdisc change"
        )
    have = handover.bearers(sc, name)
    bearers = {"bearers": have} if have else {}
    # Other qdiscs have no events of packets; their statistics count drops.
    return qdisc | (logged if kind == "wlink" else dict.fromkeys(BY_EVENTS)) | bearers


def goodput(counters: dict[str, int], since_ns: int, base: str | None = None) -> dict[str, Any]:
    """Bytes received since `since_ns`, and their rate up to the flow's end."""
    # A web flow counts bytes of complete transactions, of which there may be none since.
    received = max(0, counters["bytes"] - (counters[base] if base else 0))
    span = counters["end_ns"] - max(counters["start_ns"], since_ns)
    # One that ended before has none since then.
    return {"goodput_bps": received * 8e9 / span if span > 0 else None, "bytes": received}


def way_of(sc: Scenario, flow: Flow) -> dict[str, Any]:
    """The ends of a flow, its radio link, and where its packets are counted: analysis/traffic.py."""
    out: dict[str, Any] = {"last": plan.ends_at(sc, flow)}
    ways, link = plan.leg_of(sc, flow)
    if any(flow.name in proxy.flows for proxy in sc.proxies):
        out["leg"] = [one for way in ways for one in plan.beside(sc, way).split(",")]
    ends = {"direction": flow.direction} if sc.net.short else {"from": flow.src, "to": flow.dst, "link": link}
    return {**ends, **out}


def over_several(flow: dict[str, Any], packets: Iterable[Packet], warmup_ns: int) -> None:
    """The delay of a flow that crosses several wlinks is that from the first to the last one."""
    for one, from_ns in ((flow, warmup_ns), (flow.get("whole"), 0)):
        if one:
            found = summary(packets, from_ns)["delay"]
            one["radio_delay"], one["delay"] = one["delay"], found if found["count"] else None


# What the guest counts for flows over TCP, and for all others; of the rest its line has a 0 that is none.
OF_TCP = ("retransmissions", "srtt_us", "mss", "busy_us", "rwnd_limited_us", "sndbuf_limited_us")
OF_DATAGRAMS = ("packets_sent", "packets")


def counted(kind: str, counters: dict[str, int]) -> dict[str, int | None]:
    """The counters of a flow, None for those that its kind does not have, and for those not known yet."""
    tcp = kind in metrics.TCP
    unknown = {*(OF_DATAGRAMS if tcp else OF_TCP)}
    # Neither is ever 0, but before the first connection and the first sample.
    unknown |= {key for key in ("srtt_us", "mss") if not counters[key]}
    return {key: None if key in unknown else n for key, n in counters.items()}


def flow_figures(
    sc: Scenario, flow: Flow, counters: dict[str, int], logged: dict[str, Any], warmup_ns: int
) -> dict[str, Any]:
    """The figures of one flow after the warm-up; `whole` has those of the whole run."""
    out: dict[str, Any] = {"kind": flow.kind, **way_of(sc, flow), **counted(flow.kind, counters), **logged}
    out["ended"] = bool(counters["ended"])
    if error := out.pop("error", 0):
        out["why"] = f"the connection of the pings: {os.strerror(error)}"
    if warmup_ns:
        out["whole"] = {**logged["whole"], **goodput(counters, 0)}
    out.update(goodput(counters, warmup_ns, "warm_bytes" if warmup_ns else None))
    del out["warm_bytes"]
    return out


def not_kept(folder: Path) -> dict[str, str]:
    """Why files that programs were to leave are not in the result, by name or pattern."""
    path = folder / "not-kept"
    lines = path.read_text(errors="replace").splitlines() if path.exists() else []
    return dict(line.split("\t", 1) for line in lines if "\t" in line)


def captured_until(stopped_ns: int) -> float | None:
    """Since when packets are not in a capture, None if all are."""
    return None if stopped_ns < 0 else stopped_ns / 1e9


def result(sc: Scenario, seed: int, left: RunDir, out: Path) -> dict[str, Any]:
    """All of result.json but versions and wall time."""
    folder = left.folder
    counters = read_flows(folder / "flows")
    ended_ns = counters["-"]["ended_ns"]
    if ended_ns <= sc.warmup_ns:
        raise LabError(f"seed {seed}: the run ended at {as_time(ended_ns)}, before its warm-up")
    figures = read_events(sc, folder, out, counters["-"]["start_ns"], ended_ns)
    flows = {
        f.name: flow_figures(sc, f, counters[f.name], figures["flows"][f.name], sc.warmup_ns)
        for f in sc.flows
    }
    links = {
        name: still_there(sc, name, qdisc, figures["links"].get(name, {}))
        for name, qdisc in read_links(sc, folder).items()
    }
    for name in sc.captured:
        links[name]["capture"]["stopped_s"] = captured_until(links[name]["capture"].pop("stopped_ns"))
    for written in ("programs", KEPT, haproxy.FOLDER):
        if (folder / written).is_dir():
            shutil.copytree(folder / written, out / written)
    data = {
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
        # Without events (no wlink, no TCP) a digest would be the same for all runs.
        "event_sha256": place.sha256(out / "events.tsv") if figures["events"] else None,
        "series_sha256": {p.stem: place.sha256(p) for p in sorted((out / "series").glob("*.tsv"))},
    }
    if left.spins:
        data["spins"] = left.spins
    if missing := not_kept(folder):
        data["not_kept"] = missing
    if not sc.net.short:
        if sc.moves:
            data["moves"] = handover.moves(sc, seed)
        users = {c.name: c.users for c in sc.net.cells.values()}
        with scratch() as few:
            capacities.write_log(out, few)
            data["metrics"] = networks.metrics(data, users, few)
    several = [f.name for f in sc.flows if len(plan.leg_of(sc, f)[0]) > 1]
    nothing = [name for name, flow in flows.items() if not flow["bytes"]]
    if names := dict.fromkeys([*several, *nothing]):
        traffic = Traffic(out, data)
        for name in names:
            packets = traffic.over_all(name)
            if name in several:
                over_several(flows[name], packets, sc.warmup_ns)
            if name in nothing and traffic.last(name) and "why" not in flows[name]:
                flows[name]["why"] = traffic.silence(name, packets, sc.warmup_ns)
    return data


def collect(
    batch: Batch, left: list[RunDir], fresh: Path, common: dict[str, Any]
) -> list[dict[str, Any]]:
    """Write all files of the results but result.json, into a folder that becomes their place."""
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
    """Write result.json and runs.json, then move the complete folder into place."""
    with writing(fresh):
        for data in results:
            (batch.folder(data["seed"], fresh) / "result.json").write_text(json.dumps(data, indent=1) + "\n")
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


def boot_plan(
    progress: Progress,
    on: place.Place,
    folder: Path,
    output: Output,
    stall_s: float,
    scenarios: list[Scenario],
) -> Ended:
    """Boot the guest and let it execute the plan."""
    job = Job(
        ["wlab-guest", str(plan.GUEST_DIR / "plan")],
        timeout=stall_s,
        reno_1990=needs.reno_1990(scenarios),
        controls=plan.own_controls(scenarios),
        own=any(map(commands.has_own, scenarios)),
        clock=scenarios[0].clock,
        zero_ns=plan.start_of(0),
    )
    try:
        ended = on.boot(folder, job, output.out, output.err, output.alive)
    except LabError as e:
        # The guest's memory is also a file on a disk that may be full.
        messages = [output.errors(), str(e), output.where(), started(folder), full(folder, Path(temp_dir()))]
        raise LabError("\n".join(filter(None, messages))) from None
    if ended.status:
        messages = [output.errors() or ended.tail(), full(folder), plan.unseen(folder)]
        messages.append(f"{progress.title}: the guest's programs failed ({ended.status})")
        raise LabError("\n".join(filter(None, messages)))
    return ended


def boots(runs: list[Run]) -> list[list[Run]]:
    """Group the runs that share a boot.

    A run with programs or proxies has a boot of its own: these see clocks and process numbers,
    which differ in later runs of a boot. A boot has one clock, and one set of a user's modules.
    """
    out: list[list[Run]] = []
    for this_run in runs:
        last = out[-1][-1][0] if out else this_run[0]
        apart = any(one.programs or one.proxies for one in (this_run[0], last))
        kernels = [(one.clock, one.controls) for one in (this_run[0], last)]
        if not out or apart or kernels[0] != kernels[1]:
            out.append([])
        out[-1].append(this_run)
    return out


def play(
    progress: Progress, on: place.Place, runs: list[Run], root: Path, stall_s: float
) -> list[RunDir]:
    """Let the guest execute all runs, in folders below `root`."""
    left: list[RunDir] = []
    for group in boots(runs):
        folder = root / f"boot-{len(left)}"
        with writing(root):
            folder.mkdir()
            plan.write(group, folder, on.real)
        output = Output(progress, len(runs), on.seconds, len(left))
        spins = boot_plan(progress, on, folder, output, stall_s, [sc for sc, _ in group]).spins()
        left += [RunDir(folder, i, plan.first_of(group, i), spins) for i in range(len(group))]
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
    """Run all batches; if one run fails, a LabError, and no result is written."""
    scenarios = [b.sc for b in batches]
    place.check(on, scenarios, sanitize, mem)
    with contextlib.ExitStack() as claims:
        targets = [claims.enter_context(claimed(b.out, force)) for b in batches]
        here = place.prepare(on, scenarios, sanitize, mem)
        for sc in scenarios:
            commands.check_programs(sc, here.programs)
        begin = time.monotonic()
        progress = Progress(name)
        runs = [(b.sc, seed) for b in batches for seed in b.seeds]
        results: list[list[dict[str, Any]]] = []
        with scratch() as folder:
            left = play(progress, here, runs, folder, stall_s or STALL_S[on])
            booted = time.monotonic() - begin
            made_by = versions(here, scenarios)
            if proxy := next((p for sc in scenarios for p in sc.proxies if p.program == "haproxy"), None):
                made_by["haproxy"] = proxies.version(f"proxy.{proxy.name}")
            common = {"on": on, "versions": made_by}
            for b, fresh in zip(batches, targets):
                first = sum(map(len, results))
                results.append(collect(b, left[first : first + len(b.seeds)], fresh, common))
        wall = time.monotonic() - begin
        virtual = sum(data["ended_s"] for group in results for data in group)
        speed = {"virtual_s": virtual, "wall_s": round(wall, 3), "guest_s": round(booted, 3)}
        speed["speed_up"] = round(virtual / wall, 1)
        for b, group, fresh in zip(batches, results, targets):
            for data in group:
                data["speed"] = speed
            finish(b, group, fresh)
    progress.done(f"{virtual:.0f} {here.seconds}, {speed['speed_up']} times real time")
    return results
