# SPDX-License-Identifier: GPL-2.0
"""wlink-sleep against models, by hand, under sanitizers, and with bad input."""

import json
import os
import resource
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest import mock

import pytest
import sleep_model as model

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
SOURCE = ROOT / "userspace" / "wlink-sleep"
WORK = ROOT / "build" / "timing" / "check-sleep"
TOOL = ROOT / "build" / "bin" / "wlink-sleep"
WLAB = ROOT / "userspace" / "wlab" / "wlab"
SANE = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
Runs = dict[tuple[str, str], dict[str, Any]]


class Failed(Exception):
    """A check that does not hold."""


def expect(holds: bool, text: str) -> None:
    if not holds:
        raise Failed(text)


def run(*args: str, tool: Path = TOOL, **more: Any) -> "subprocess.CompletedProcess[str]":
    """wlink-sleep, to its end."""
    return subprocess.run([tool, *args], capture_output=True, text=True, check=False, **more)


def by_name(told: dict[str, Any]) -> Runs:
    return {(one["method"], one["with"]): one for one in told["runs"]}


def lab(name: str, *args: str, timers: str) -> dict[str, Any]:
    """A run in the lab, in virtual time; the table must say what timers there are."""
    path = WORK / f"{name}.json"
    path.unlink(missing_ok=True)
    argv = [str(WLAB), "exec", *args, "--out", str(path)]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    expect(done.returncode == 0, f"{' '.join(argv)} ended with {done.returncode}: {done.stderr[-300:]}")
    said = f"\ntimers {timers}; virtual time, "
    expect(said in done.stdout, f"no '{said}' in {done.stdout[:400]}")
    told: dict[str, Any] = json.loads(path.read_text())
    return told


def follows(runs: Runs, method: str, way: str, want: model.Model, within_us: float) -> str:
    """Every sleep of a run is as a model has it; the first finds no tick to begin at.

    A timer with slack also ends early, though never before its time, when something
    else, as the tick, wakes the kernel within its slack.
    """
    one = runs[method, way]
    expect(one["n"] == 1000, f"{method} {way}: {one['n']} sleeps: {one['reason']}")
    off = [(abs(ns / 1e3 - want(ms) * 1e3), ms, ns) for ms, ns in one["pairs"][1:]]
    if want in (model.nanosleep, model.select, model.select_slackless):
        woken = [
            (miss, ms, ns) for miss, ms, ns in off if miss > within_us and ms * 10**6 <= ns < want(ms) * 1e6
        ]
        expect(len(woken) < 30, f"{method} {way}: {len(woken)} of 1000 were woken within their slack")
        off = [one for one in off if one not in woken]
    worst = max(off)
    expect(
        worst[0] <= within_us, f"{method} {way}: {worst[1]} ms took {worst[2]} ns, not {want(worst[1])} ms"
    )
    return f"{method} {way} {worst[0]:.3g} us"


def loaded() -> ModuleType:
    """The tool's own functions."""
    tool = SourceFileLoader("sleep", str(SOURCE / "wlink-sleep"))
    module = ModuleType(tool.name)
    sys.modules[tool.name] = module
    tool.exec_module(module)
    return module


def check_a_mode_that_is_refused(tmp_path: Path) -> str:
    """The lab refuses an ordinary user's fchmod() of a file of the host; the report comes all the same."""
    modes = []
    for refused in (None, PermissionError(1, "Operation not permitted")):
        with mock.patch("os.fchmod", side_effect=refused, wraps=None if refused else os.fchmod):
            modes.append(Path(loaded().fresh(str(tmp_path / "out.json"))).stat().st_mode & 0o777)
    expect(modes == [0o644, 0o600], f"{modes}")
    return ", ".join(map(oct, modes))


def check_arithmetic() -> str:
    """Statistics and words by hand."""
    module = loaded()
    # Of 1..10 the sum of squares about the mean is 82.5, of 4, 7, 13 and 16 it is 90.
    spreads: list[tuple[list[float], dict[str, float]]] = [
        ([9, 2, 7, 4, 10, 6, 3, 8, 1, 5], {"mean": 5.5, "variance": 82.5 / 9, "min": 1, "max": 10}),
        ([9, 2, 7, 4, 10, 6, 3, 8, 1, 5], {"p50": 5, "p99": 10, "n": 10}),
        ([-3], {"mean": -3, "variance": 0, "p50": -3, "p99": -3}),
        ([], {"mean": 0, "n": 0}),
        ([*range(100, 0, -1)], {"p99": 99, "p50": 50}),
        ([1e9 + at for at in (4, 7, 13, 16)], {"variance": 30}),
    ]
    # 2.5, 1.25, -0.5; 0.25 and -0.0125, the request of 0 has none; 12 - 10, 1 - 0, 39 - 40.
    errors = module.errors([(10, 12500000), (0, 1250000), (40, 39500000)])
    cases = [(module.spread(values), want) for values, want in spreads] + [
        (errors["error_ms"], {"mean": 3.25 / 3, "variance": (8.0625 - 3.25**2 / 3) / 2, "min": -0.5}),
        (errors["relative_error"], {"n": 2, "mean": 0.11875, "variance": 2 * 0.13125**2}),
        (errors["error_whole_ms"], {"mean": 2 / 3, "variance": (6 - 4 / 3) / 2}),
    ]
    for got, wanted in cases:
        for key, want in wanted.items():
            expect(abs(got[key] - want) <= 1e-8 * max(1, abs(want)), f"{key} is {got[key]}, not {want}")
    for text in ("plain", "fifo", "rr+mlockall", "timerslack+fifo+mlockall"):
        expect(module.conditions(text) == [text], f"{text}: {module.conditions(text)}")
    expect(module.conditions("mlockall+rr,plain") == ["rr+mlockall", "plain"], "parts in one order")
    bad = ("", "fifo+", "+fifo", "fif", "fifo+rr", "plain+rr")
    for text in bad:
        with pytest.raises(SystemExit):
            module.conditions(text)
    expect(module.series(5) == [84, 39, 78, 79, 91], "another series than random()'s")
    return f"{len(cases)} samples, {5 + len(bad)} words as worked out by hand"


def check_sanitized() -> str:
    """Every method under every condition and load, in a build that looks for errors."""
    build = WORK / "sane"
    flags = ["CFLAGS=-O1 -g " + " ".join(SANE), f"BUILD={build}"]
    subprocess.run(["make", "-s", "-C", SOURCE, *flags], check=True)
    tool, count = build / "bin" / "wlink-sleep", 0
    # ASan's shadow cannot be locked into memory: the last condition is left to the plain build.
    for args in (
        ["--with", "plain,timerslack,fifo,rr"],
        ["--load", "cpu,disk,paging", "--method", "select,busy"],
    ):
        done = run(*args, "--requests", "2", "--json", tool=tool, env={**os.environ, "TMPDIR": str(WORK)})
        expect(done.returncode == 0, f"{args}: {done.returncode}: {done.stderr[-400:]}")
        runs = json.loads(done.stdout)["runs"]
        for one in runs:
            expect(one["state"] in ("done", "lacking"), f"{one['method']} {one['load']}: {one['reason']}")
            expect(
                bool(one["reason"]) == (one["state"] == "lacking"), f"{one['method']}: reason {one['reason']}"
            )
        count += sum(one["state"] == "done" for one in runs)
    # Two of the four conditions need rights.
    expect(count >= (40 if os.geteuid() == 0 else 30), f"{count} runs only")
    return f"{count} runs without a finding of ASan or UBSan"


def check_results() -> str:
    """The series is the papers', and the figures are those of the pairs."""
    done = run("--method", "select,clock-abs,timerfd,slack", "--requests", "60", "--json")
    expect(done.returncode == 0, done.stderr)
    told = json.loads(done.stdout)
    want = model.series(60)
    for one in told["runs"]:
        pairs = one["pairs"]
        expect([ms for ms, _ in pairs] == want, f"{one['method']}: another series than random()'s")
        error = [ns / 1e6 - ms for ms, ns in pairs]
        part = [(ns / 1e6 - ms) / ms for ms, ns in pairs if ms]
        for key, sample in (("error_ms", error), ("relative_error", part)):
            got = one[key]
            expect(
                abs(got["mean"] - statistics.mean(sample)) < 1e-6, f"{one['method']} {key} mean {got['mean']}"
            )
            expect(
                abs(got["variance"] - statistics.variance(sample)) < 1e-6, f"{one['method']} {key} variance"
            )
            expect(
                abs(got["p99"] - sorted(sample)[-(len(sample) // 100) - 1]) < 1e-6,
                f"{one['method']} {key} p99",
            )
            expect(abs(got["max"] - max(sample)) < 1e-6, f"{one['method']} {key} max")
        expect(
            one["drift_ns"] == one["wall_ns"] - told["requested_ns"],
            f"{one['method']}: drift {one['drift_ns']}",
        )
        # Nothing but the loop itself lies between two sleeps, so errors add up to the drift or less.
        expect(
            one["drift_ns"] >= sum(error) * 1e6 - 1e3,
            f"{one['method']}: errors add up to more than the drift",
        )
    return "series as of glibc's generator, figures as of Python's statistics"


def check_tick_1999() -> str:
    """HZ 100 without high-resolution timers: Table 1 of 1999 in virtual time, sleep by sleep."""
    methods = "select,poll,timerfd,rcvtimeo,slack,slack-rcvtimeo,periodic,busy"
    words = ["--boot", "highres=off", "--", str(TOOL), "--method", methods]
    told = lab("low", *words, timers="without high resolution: in the tick")
    machine, runs = told["machine"], by_name(told)
    expect(machine["hz"] == 100 and not machine["high_resolution"] and machine["virtual_time"], str(machine))
    said = [follows(runs, name, "plain", model.in_tick_now, 5) for name in ("select", "poll", "timerfd")]
    said.append(follows(runs, "rcvtimeo", "plain", model.in_tick_1999, 5))
    wheel = runs["rcvtimeo", "plain"]["error_ms"]
    expect(abs(wheel["mean"] / 14.50 - 1) < 0.02, f"mean {wheel['mean']}, the papers' 14.50")
    expect(abs(wheel["variance"] / 10.49 - 1) < 0.02, f"variance {wheel['variance']}, the papers' 10.49")
    slack = runs["slack-rcvtimeo", "plain"]["error_ms"]
    mine = [
        y - x
        for x, y in zip(model.series(1000), model.slack_variable(model.series(1000), model.in_tick_1999))
    ]
    expect(abs(slack["mean"]) < 0.05, f"mean of the slack variable {slack['mean']}")
    ratio = slack["variance"] / statistics.variance(mine)
    expect(
        0.85 < ratio < 1.15, f"variance of the slack variable {slack['variance']}, {ratio:.2f} of the model's"
    )
    expect(abs(runs["slack", "plain"]["drift_ns"]) < 10**7, "the slack variable lets a tick accumulate")
    expect("virtual time" in runs["busy", "plain"]["reason"], f"busy: {runs['busy', 'plain']['reason']}")
    # By its own count it is exact; by the clock it is ten times too slow.
    slow = runs["periodic", "plain"]
    expect(slow["error_counted_ms"]["max"] == 0 and slow["error_ms"]["mean"] > 400, "periodic at HZ 100")
    table = f"mean {wheel['mean']:.2f} ms, variance {wheel['variance']:.2f} (1999: 14.50, 10.49)"
    return f"{table}; off by {', '.join(said)}"


def check_slack_of_timers() -> str:
    """High resolution, in virtual time: what remains is the timer slack, to the us."""
    methods = "select,nanosleep,clock-rel,clock-abs,timerfd"
    words = ["--", str(TOOL), "--method", methods, "--with", "plain,timerslack,fifo,rr"]
    told = lab("high", *words, timers="of high resolution")
    runs = by_name(told)
    expect(told["machine"]["high_resolution"], "no high resolution")
    said = [
        follows(runs, "nanosleep", "plain", model.nanosleep, 2),
        follows(runs, "clock-rel", "plain", model.nanosleep, 2),
        follows(runs, "select", "plain", model.select, 2),
        follows(runs, "select", "timerslack", model.select_slackless, 2),
    ]
    for way in ("timerslack", "fifo", "rr"):
        said += [follows(runs, name, way, model.exact, 2) for name in ("nanosleep", "clock-rel", "timerfd")]
    said += [follows(runs, "select", way, model.exact, 2) for way in ("fifo", "rr")]
    absolute, relative = (runs[name, "plain"]["drift_ns"] for name in ("clock-abs", "clock-rel"))
    expect(absolute <= 52000, f"deadlines drift by {absolute} ns")
    expect(49_000_000 < relative < 52_000_000, f"1000 relative sleeps drift by {relative} ns")
    return f"{len(said)} runs of 1000, sleep by sleep; drift {absolute} ns absolute, {relative} ns relative"


def gone(parent: int) -> bool:
    """Whether no process has that parent or group any more."""
    done = subprocess.run(
        ["ps", "-o", "pid=", "-g", str(parent)], capture_output=True, text=True, check=False
    )
    return not done.stdout.strip()


def started(*args: str) -> "subprocess.Popen[str]":
    """wlink-sleep as the head of a group, somewhat into its first run."""
    argv = [str(TOOL), *args]
    process = subprocess.Popen(
        argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        # Who runs us in the background may have us ignore ^C.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip
    while process.poll() is None and not sleeps(process.pid):
        time.sleep(0.1)
    return process


def sleeps(tool: int) -> bool:
    """Whether one beside its loads is there, and one has let go of the processor often."""
    with suppress(OSError):
        children = Path(f"/proc/{tool}/task/{tool}/children").read_text().split()
        for child in children[1:]:
            text = Path(f"/proc/{child}/status").read_text()
            if int(text.partition("\nvoluntary_ctxt_switches:")[2].split()[0]) > 20:
                return True
    return False


def check_interrupt() -> str:
    """^C: what has been measured, marked; and nobody is left."""
    out = WORK / "interrupted.json"
    out.unlink(missing_ok=True)
    process = started("--method", "select,poll", "--load", "cpu", "--requests", "100000", "--out", str(out))
    os.killpg(process.pid, signal.SIGINT)
    table, _ = process.communicate()
    expect(process.returncode == 130, f"exit status {process.returncode}")
    told = json.loads(out.read_text())
    first, second = told["runs"]
    expect(told["partial"] and first["partial"] and first["state"] == "partial", "not marked as partial")
    expect(0 < first["n"] == len(first["pairs"]) < 100000, f"{first['n']} sleeps")
    expect(second["state"] == "not run" and "Interrupt" in second["reason"], str(second)[:200])
    expect("PARTIAL" in table and "not run" in table, table)
    expect(gone(process.pid), "processes are left")
    return f"{first['n']} sleeps of the first run kept, the second said not to have run"


def check_killed() -> str:
    """Killed without a word, it takes its loads and its sleeper with it."""
    process = started("--method", "select", "--load", "paging,disk", "--dir", str(WORK))
    expect(not gone(process.pid), "nothing runs")
    process.kill()
    process.communicate()
    deadline = time.monotonic() + 300
    while not gone(process.pid) and time.monotonic() < deadline:
        time.sleep(0.1)
    expect(gone(process.pid), "processes are left")
    expect(not list(WORK.glob("wlink-sleep.*")), "files are left")
    return "no process and no file left"


def check_bad_input() -> str:
    """The value and the bound, and nothing is run."""
    cases = {
        ("--requests", "0"): "--requests 0 is outside 1..1000000",
        ("--requests", "1000001"): "--requests 1000001 is outside",
        ("--requests", "10x"): "--requests 10x is outside",
        ("--method", "select,slep"): "--method slep is none",
        ("--with", "fifo+rr"): "--with fifo+rr is not",
        ("--load", "net"): "--load net is none of idle, cpu, disk, paging",
        ("select",): "'select' is no option",
    }
    for args, want in cases.items():
        done = run(*args)
        expect(done.returncode == 2 and want in done.stderr, f"{args}: {done.returncode} {done.stderr!r}")
    done = run("--out", "/nonexistent/x.json")
    expect(
        done.returncode == 1 and "/nonexistent/x.json" in done.stderr,
        f"--out: {done.returncode} {done.stderr!r}",
    )
    # As a device node, which only root can make.
    pipe = WORK / "pipe"
    pipe.unlink(missing_ok=True)
    os.mkfifo(pipe)
    done = run("--out", str(pipe), "--requests", "1")
    expect(done.returncode == 1 and "pipe is no regular file" in done.stderr, done.stderr)
    expect(pipe.is_fifo(), "--out has replaced a pipe")
    other, whole = WORK / "whole.json.new", WORK / "whole.json"
    other.write_text("somebody's")
    done = run("--out", str(whole), "--requests", "1", "--method", "select")
    expect(done.returncode == 0 and bool(json.loads(whole.read_text())["runs"]), done.stderr)
    expect(other.read_text() == "somebody's", "--out has written a file that it was not told")
    expect([*WORK.glob("whole.json*")] in ([whole, other], [other, whole]), "--out has left a file")
    done = run("--requests", "3", "--method", "select", "--load", "disk", "--dir", "/dev/shm", "--json")
    reason = json.loads(done.stdout)["runs"][0]["reason"]
    expect(
        done.returncode == 1 and "/dev/shm is memory and no disk" in reason, f"{done.returncode}: {reason}"
    )
    return f"{len(cases) + 3} refusals"


def unprivileged() -> None:
    """As somebody who may not do much."""
    resource.setrlimit(resource.RLIMIT_MEMLOCK, (0, 0))
    resource.setrlimit(resource.RLIMIT_RTPRIO, (0, 0))
    if os.getuid() == 0:
        os.setgid(65534)
        os.setuid(65534)


def check_no_privilege() -> str:
    """What may not be done is listed with what it would need; the rest is measured."""
    args = ["--method", "select", "--with", "all", "--requests", "3", "--json"]
    # Copied to where anybody may run it.
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        os.chmod(folder, 0o755)
        for program in (TOOL, TOOL.with_name("wlink-sleep-run")):
            shutil.copy2(program, folder)
        done = run(*args, tool=Path(folder, TOOL.name), preexec_fn=unprivileged, cwd="/")
    expect(done.returncode == 0, done.stderr)
    runs = by_name(json.loads(done.stdout))
    for way, need in (("fifo", "CAP_SYS_NICE"), ("rr", "CAP_SYS_NICE"), ("mlockall", "CAP_IPC_LOCK")):
        one = runs["select", way]
        expect(one["state"] == "lacking" and need in one["reason"], f"{way}: {one['state']} {one['reason']}")
    for way in ("plain", "timerslack"):
        expect(runs["select", way]["state"] == "done", f"{way}: {runs['select', way]['reason']}")
    return "SCHED_FIFO, SCHED_RR and mlockall said to be lacking, and why"


def check_missing_clocks() -> str:
    """A machine without timerfds, RTC and clock_nanosleep(): said, each with why; the rest is measured."""
    lacks = WORK / "lacks.so"
    flags = ["-O2", "-Wall", "-Wextra", "-Wshadow", "-Werror", "-shared", "-fPIC"]
    subprocess.run(["gcc", *flags, "-o", lacks, HERE / "sleep_lacks.c", "-ldl"], check=True)
    env = {**os.environ, "LD_PRELOAD": str(lacks)}
    whole = ["timerfd", "periodic", "rtc", "select", "poll"]
    done = run("--method", ",".join(whole), "--requests", "3", "--json", env=env)
    expect(done.returncode == 0, f"{done.returncode}: {done.stderr}")
    told = json.loads(done.stdout)
    # What the machine lacks is a result, and not a part that is missing.
    expect(not told["partial"], "called partial for what the machine lacks")
    runs = by_name(told)
    no_timerfd = "timerfd_create: No such device"
    for name, why in (
        ("timerfd", no_timerfd),
        ("periodic", no_timerfd),
        ("rtc", "there is neither /dev/rtc nor /dev/rtc0"),
    ):
        one = runs[name, "plain"]
        expect((one["state"], one["reason"]) == ("lacking", why), f"{name}: {one['state']} {one['reason']}")
    for name in ("select", "poll"):
        expect(runs[name, "plain"]["n"] == 3, f"{name}: {runs[name, 'plain']['reason']}")
    # One that begins, but does not sleep.
    done = run("--method", "clock-rel,clock-abs", "--requests", "3", "--json", env=env)
    told = json.loads(done.stdout)
    expect(done.returncode == 1 and told["partial"], f"{done.returncode}, partial {told['partial']}")
    expect("nothing could be measured" in done.stderr, done.stderr)
    for one in told["runs"]:
        expect(one["n"] == 0 and "clock_nanosleep: Operation not supported" in one["reason"], str(one))
    table = run("--method", "timerfd,rtc,clock-rel,poll", "--requests", "3", env=env).stdout
    expect(f"lacking: {no_timerfd}" in table and "lacking: there is neither" in table, table)
    expect("nothing: clock_nanosleep: Operation not supported" in table, table)
    listed = run("--list", env=env)
    expect(f"lacking: {no_timerfd}" in listed.stdout, listed.stdout)
    return "3 methods lacking, 2 that do not sleep, 2 measured"


def check_plots() -> str:
    """The figures can be drawn of what was measured, the partial included."""
    if not Path("/usr/lib/python3/dist-packages/matplotlib").exists():
        raise pytest.skip.Exception("matplotlib is not installed")
    files = [str(WORK / name) for name in ("low.json", "interrupted.json")]
    argv = [str(WLAB), "sleep-plot", *files, "--out", str(WORK)]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    expect(done.returncode == 0, done.stderr)
    made = [Path(line) for line in done.stdout.splitlines()]
    expect(len(made) == 3, f"{len(made)} pictures")
    for png in made:
        expect(
            png.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n" and png.stat().st_size > 10000,
            f"{png} is no picture",
        )
    bad = WORK / "bad.json"
    bad.write_text("[]")
    done = subprocess.run([*argv[:2], str(bad)], capture_output=True, text=True, check=False)
    expect(done.returncode != 0 and "bad.json is not a file of wlink-sleep" in done.stderr, done.stderr)
    return f"{len(made)} pictures"


@pytest.fixture(autouse=True, scope="module")
def prepare() -> None:
    WORK.mkdir(parents=True, exist_ok=True)
    subprocess.run(["make", "-s", "-C", SOURCE], check=True)
