# SPDX-License-Identifier: GPL-2.0
"""A measurement that is interrupted says so, marks what it leaves, and leaves nobody behind.

run_line-rate, run_lateness, run_sleep and run_speed with ^C, which reaches all processes of a
terminal, or with SIGTERM, which reaches one: in each place where a guest runs there is a measurement
with each; a guest that ends early; and tests/timing/run, which must not go on with the next.
"""

import io
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from guestrun import HERE, LACKS, OUT, Said, follow, rest

WORK = OUT / "check-interrupted"
# In the environment of all processes of a measurement.
MARK = "WLINK_CHECK_INTERRUPTED"
# Until it has begun, until it has ended: a busy machine builds and boots slowly.
BEGIN_S, END_S = 1800, 300
# Somewhat into it.
INTO_S = 2


@dataclass(frozen=True)
class Measurement:
    """What is run, and the beginning of the line by which it has begun to measure."""

    words: tuple[str, ...]
    begun: str
    signal: int
    # Whether a result has been kept by then.
    kept: bool = False


MEASUREMENTS = {
    "line-rate, lab": Measurement(("line-rate/run_line-rate", "--lab"), "# ", signal.SIGINT),
    "line-rate, VM": Measurement(("line-rate/run_line-rate", "--vm"), "# booting ", signal.SIGINT),
    "lateness": Measurement(("lateness/run_lateness", "--boot", "VM"), "# booting ", signal.SIGTERM),
    # Ten seconds into its first minute.
    "sleep": Measurement(
        ("sleep/run_sleep", "--requests", "1000", "host"), "wlink-sleep: run 1 of ", signal.SIGINT
    ),
    "sleep, lab": Measurement(
        ("sleep/run_sleep", "--requests", "100000", "lab-100"), "# lab, HZ 100", signal.SIGTERM
    ),
    "sleep, VM": Measurement(("sleep/run_sleep", "vm"), "# booting ", signal.SIGTERM),
    "speed": Measurement(("speed/run_speed", "--short"), "1 flows, ", signal.SIGTERM, kept=True),
}


def living(mark: str) -> dict[int, str]:
    """Command lines of the processes with that mark."""
    found = {}
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if f"{MARK}={mark}".encode() in (process / "environ").read_bytes().split(b"\0"):
                found[int(process.name)] = (process / "cmdline").read_text().replace("\0", " ")[:80]
        except OSError:
            continue
    return found


@contextmanager
def marked(mark: str) -> Iterator[str]:
    """Whatever becomes of a check, nobody of its measurement stays."""
    try:
        yield mark
    finally:
        for pid in living(mark):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def wait_for(holds: Callable[[], bool], seconds: float) -> bool:
    end = time.monotonic() + seconds
    while not holds() and time.monotonic() < end:
        time.sleep(0.1)
    return holds()


def begin(argv: list[str], mark: str, log: Path, begun: str) -> "subprocess.Popen[bytes]":
    """Start it and wait until it says that line."""

    def said() -> bool:
        return any(line.startswith(begun) for line in log.read_text(errors="replace").splitlines())

    with log.open("w") as out:
        process = subprocess.Popen(
            argv, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT, start_new_session=True,
            # Who runs us in the background may have us ignore ^C.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
            env={**os.environ, MARK: mark, "PYTHONUNBUFFERED": "1"},
        )  # fmt: skip
    if not wait_for(lambda: said() or process.poll() is not None, BEGIN_S) or process.poll() is not None:
        if lacks := LACKS.search(log.read_text(errors="replace")):
            raise pytest.skip.Exception(lacks[0])
        raise AssertionError(f"it has not begun: {log.read_text(errors='replace')[-500:]}")
    return process


def ended(process: "subprocess.Popen[bytes]", mark: str, log: Path) -> str:
    """Wait for its end, and for the end of all that it has started; what it said."""
    try:
        process.wait(END_S)
    except subprocess.TimeoutExpired:
        raise AssertionError(f"it went on for {END_S} s") from None
    assert wait_for(lambda: not living(mark), 120), f"processes are left: {list(living(mark).values())}"
    return log.read_text(errors="replace")


def measurement(name: str) -> dict[str, Any]:
    """What the file of results holds after its signal."""
    of = MEASUREMENTS[name]
    script, *words = of.words
    base = Path(script).name
    path, log = WORK / f"{base}.json", WORK / f"{base}.log"
    path.unlink(missing_ok=True)
    with marked(f"{os.getpid()}-{name}") as mark:
        process = begin([str(HERE / script), "--out", str(path), *words], mark, log, of.begun)
        time.sleep(INTO_S)
        if of.signal == signal.SIGINT:
            os.killpg(process.pid, of.signal)
        else:
            process.send_signal(of.signal)
        text = ended(process, mark, log)
    assert process.returncode == 1, f"ended with {process.returncode}: {text[-500:]}"
    assert "Traceback" not in text, text[-1000:]
    assert "interrupted" in text and "partial" in text, f"not said: {text[-500:]}"
    told: dict[str, Any] = json.loads(path.read_text())
    assert told["partial"] is True, "the file does not say that it is partial"
    assert not of.kept or told["loads"] or told["ns3"], "what had been measured is lost"
    return told


def told_by(name: str) -> str:
    measurement(name)
    return f"{signal.Signals(MEASUREMENTS[name].signal).name}: said, marked in the file, nobody left"


def sleeps_kept() -> str:
    """Of a run of wlink-sleep what has been measured is there, run by run."""
    (host,) = measurement("sleep")["places"]
    first, *others = host["runs"]
    assert host["partial"] and first["state"] == "partial", f"{host['partial']} {first['state']}"
    assert 0 < first["n"] < 1000, f"{first['n']} sleeps"
    assert others and all(one["state"] == "not run" and one["reason"] for one in others), str(others)[:300]
    return f"{first['n']} sleeps kept, {len(others)} runs said not to have run"


def early_end() -> str:
    """A guest that dies leaves what it has said, which is not the whole."""
    said, seen = Said("lab"), []
    script = """echo 'RESULT late {"n": 1}'; echo Oops; exit 3"""
    err = io.StringIO()
    with redirect_stderr(err):
        follow(["sh", "-c", script], said, lambda one: seen.append(len(one.of("late"))))
    text = err.getvalue()
    assert seen == [1] and not said.whole and rest(said)["partial"], f"{seen} {said.whole}"
    assert "Oops" in text and "ended with 3 before all was measured" in text, text
    whole = Said("lab")
    follow(["sh", "-c", """echo 'RESULT end {"uname": "x"}'"""], whole, lambda _: None)
    assert whole.whole and not rest(whole)["partial"], "a whole one is called partial"
    return "one result kept, marked; the guest's last words and its status said"


def none_follows() -> str:
    """^C in one measurement is not an invitation to the next."""
    with tempfile.TemporaryDirectory() as folder:
        at = Path(folder)
        shutil.copy(HERE / "run", at)
        for name, text in (
            ("first", "trap 'echo taken; exit 1' INT\necho begun\nfor i in $(seq 300); do sleep 0.1; done"),
            ("second", f"touch {at}/followed"),
        ):
            script = at / name / f"run_{name}"
            script.parent.mkdir()
            script.write_text(f"#!/bin/bash\n{text}\n")
            script.chmod(0o755)
        log = at / "log"
        with marked(f"{os.getpid()}-run") as mark:
            process = begin([str(at / "run"), "first", "second"], mark, log, "begun")
            os.killpg(process.pid, signal.SIGINT)
            text = ended(process, mark, log)
        assert "taken" in text and not (at / "followed").exists(), f"it went on: {text}"
        assert process.returncode == 130 and "interrupted in first" in text, f"{process.returncode}: {text}"
        done = subprocess.run([at / "run", "second"], capture_output=True, text=True, check=False)
        assert done.returncode == 0 and (at / "followed").exists(), done.stderr
    return "what was to follow is said not to have been measured"


def instructions() -> str:
    """The two that count instructions in a VM: a list of rows, each of them marked."""
    kept_of = WORK / "recording.json"
    for script, words, kept, begun in (
        ("../bench/run", ["--quick", "--out", str(WORK)], WORK / "results.json", "# booting"),
        ("recording/run_recording", ["--quick", "--out", str(kept_of)], kept_of, "# booting"),
    ):
        log = WORK / "instructions.log"
        kept.unlink(missing_ok=True)
        with marked(f"{os.getpid()}-{script}") as mark:
            process = begin([str(HERE / script), *words], mark, log, begun)
            time.sleep(INTO_S)
            process.send_signal(signal.SIGTERM)
            text = ended(process, mark, log)
        assert process.returncode == 1, f"{script} ended with {process.returncode}: {text[-500:]}"
        assert "Traceback" not in text, text[-1000:]
        assert "interrupted" in text and "partial" in text, f"not said: {text[-500:]}"
        rows = json.loads(kept.read_text())
        assert all(row["partial"] is True for row in rows), f"{script} has rows that are not marked"
    return "SIGTERM to bench and run_recording: said, rows marked, no machine left"


def case(one: Callable[[], str]) -> Callable[[], str]:
    def run() -> str:
        WORK.mkdir(parents=True, exist_ok=True)
        return one()

    return run


ALL: dict[str, Callable[[], str]] = {
    "instructions": instructions,
    "early end": early_end,
    "none follows": none_follows,
    "sleep": sleeps_kept,
    **{name: lambda name=name: told_by(name) for name in MEASUREMENTS if name != "sleep"},  # type: ignore[misc]
}
CASES = {f"interrupted, {name}": case(one) for name, one in ALL.items()}
