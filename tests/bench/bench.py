# SPDX-License-Identifier: GPL-2.0
"""make bench: what a packet costs through wlink and its peers, in one boot of a stock kernel.

The VM has one processor and a clock that goes by instructions (QEMU -icount), so
neither the load of this machine nor its speed changes what the guest does. A
plugin counts instructions and the processor time that QEMU took for them.
"""

import argparse
import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import asdict, replace
from pathlib import Path

import profiling
import proxied
import report
from cells import Cell, cells, flood

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "userspace" / "wlab"))

from wlablib.plan import haproxy

TOP = Path(__file__).resolve().parents[2]
HERE = TOP / "tests/bench"
OUT = TOP / "build/bench"
MODULES = ("sch_wlink.ko", "wlink_3gpp.ko")
PROXY = "proxy"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="tests/bench/run", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="only what the bounds are about, for CI")
    parser.add_argument("--repetitions", type=int, metavar="N", help="default 5, quick 1")
    parser.add_argument(
        "--only", metavar="TEXT", help="cells whose group/config/bearers/queue has it; proxy: proxies alone"
    )
    parser.add_argument(
        "--ko", metavar="FILE", action="append", default=[], help="one more module for the VM's kernel"
    )
    parser.add_argument(
        "--tc", metavar="LINE", action="append", default=[],
        help="one more qdisc for the flood, as typed after 'root'",
    )
    parser.add_argument("--profile", action="store_true", help="instructions by function instead of a table")
    parser.add_argument("--json", action="store_true", help="print the results, too")
    parser.add_argument("--out", type=Path, default=OUT, help="default build/bench")
    asked = parser.parse_args()
    if asked.repetitions is not None and not 1 <= asked.repetitions <= 100:
        parser.error(f"--repetitions {asked.repetitions} is outside 1..100")
    for name in asked.ko:
        if not Path(name).is_file():
            parser.error(f"--ko {name}: no such file")
    return asked


def chosen(asked: argparse.Namespace) -> list[Cell]:
    every = cells(asked.quick)
    first = flood()[0]
    every += [replace(first, config=line, tc=line, lossless=False) for line in asked.tc]
    if asked.only:
        every = [cell for cell in every if asked.only in f"{cell.key} {cell.tc}"]
    if not every and asked.only != PROXY:
        sys.exit(f"bench: no cell has '{asked.only}'")
    return every


def quietly(command: list[str], log: Path) -> None:
    """Run it; what it said is shown only where it failed."""
    with log.open("w", encoding="utf-8") as f:
        done = subprocess.run(command, stdout=f, stderr=subprocess.STDOUT, cwd=TOP, check=False)
    if done.returncode:
        sys.exit(f"bench: {' '.join(command)} failed:\n{log.read_text(encoding='utf-8')[-2000:]}")


def proxies(work: Path, payload: Path) -> None:
    """wlink-pep and HAProxy: the VM has their suite."""
    quietly(["make", "-s", "-C", str(TOP / "userspace/wlink-pep")], work / "wlink-pep.log")
    shutil.copy(TOP / "build/bin/wlink-pep", payload)
    if subprocess.run([HERE / "haproxy", work / "haproxy"], check=False).returncode:
        sys.exit(1)
    shutil.copy(work / "haproxy/haproxy", payload)
    config = {"title": "bench", "maxconn": 1000, "tune": "", "any": "0.0.0.0"}
    binds = "    bind {}:{} transparent".format(*proxied.SERVER)
    (payload / "haproxy.cfg").write_text(haproxy.CONFIG.format(**config, binds=binds), encoding="ascii")


def prepare(work: Path, asked: argparse.Namespace, todo: list[Cell]) -> Path:
    """The VM's folder; its payload is put together in work."""
    made = subprocess.run([TOP / "userspace/wlab/vm/image"], stdout=subprocess.PIPE, text=True, check=True)
    image = Path(made.stdout.strip())
    module = work / "module"
    quietly(["make", "-s", "module", f"KDIR={image}/headers/build", f"MODDIR={module}"], work / "module.log")
    quietly(["make", "-s", "plugin"], work / "plugin.log")
    cflags = ["-O2", "-Wall", "-Wextra", "-Wshadow", "-shared", "-fPIC"]
    quietly(["gcc", *cflags, "-o", str(work / "libcount.so"), str(HERE / "count.c")], work / "count.log")
    payload = work / "payload"
    shutil.rmtree(payload, ignore_errors=True)
    payload.mkdir()
    files = [*(module / name for name in MODULES), TOP / "build/tc/q_wlink.so", HERE / "cells.py", *asked.ko]
    files += [HERE / "guest.py", HERE / "proxied.py"]
    if with_proxies := asked.only in (None, PROXY) and not asked.profile:
        proxies(work, payload)
    for name in files:
        shutil.copy(name, payload)
    plan = {
        "proxies": with_proxies,
        "modules": [*MODULES, *(Path(name).name for name in asked.ko)],
        "cells": [asdict(cell) for cell in todo],
        "profile": asked.profile,
        "repetitions": asked.repetitions or (1 if asked.profile or asked.quick else 5),
    }
    (payload / "plan.json").write_text(json.dumps(plan), encoding="utf-8")
    disk = work / "payload.ext2"
    disk.unlink(missing_ok=True)
    mke2fs = shutil.which("mke2fs", path=os.environ["PATH"] + ":/usr/sbin:/sbin") or "mke2fs"
    make = [mke2fs, "-q", "-t", "ext2", "-L", "payload", "-d", str(payload), str(disk), "64M"]
    quietly(make, work / "mke2fs.log")
    return image


def boot(image: Path, work: Path, profiled: bool, said: str) -> tuple[list[str], bool]:
    """The lines of the VM's console, and whether it came to its end."""
    plugin = f"{work}/libcount.so,out={work}/marks"
    if profiled:
        plugin += f",profile={work}/blocks"
    command = [f"{HERE}/machine", f"{image}", f"{work}/payload.ext2", plugin, "nokaslr"]
    lines = []
    interrupted = False
    began = time.monotonic()
    with (work / "console.log").open("w", encoding="utf-8") as log, subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        errors="replace",
    ) as vm:
        assert vm.stdout
        try:
            # Who has this line may interrupt.
            print(said, flush=True)
            for line in vm.stdout:
                log.write(line)
                log.flush()
                lines.append(line.strip())
                if line.startswith("#"):
                    print(f"{line.strip()}, {time.monotonic() - began:.0f} s", flush=True)
        except KeyboardInterrupt:
            vm.kill()
            interrupted = True
            print("# interrupted; what has been measured is kept as partial", flush=True)
    complete = not interrupted and any(line.startswith("VM-END 0") for line in lines)
    measured = any(line.startswith(('BENCH {"key"', "PROXY")) for line in lines)
    if not complete and not interrupted and not measured:
        tail = "\n".join(lines[-20:])
        sys.exit(f"bench: the VM ended before anything was measured; {work}/console.log ends:\n{tail}")
    return lines, complete


def stop(*_: object) -> None:
    raise KeyboardInterrupt


def main() -> int:
    asked = arguments()
    signal.signal(signal.SIGTERM, stop)
    work = OUT
    work.mkdir(parents=True, exist_ok=True)
    lock = (work / ".lock").open("w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        print("# another bench is running; waiting", flush=True)
        fcntl.flock(lock, fcntl.LOCK_EX)
    todo = chosen(asked)
    image = prepare(work, asked, todo)
    load = os.getloadavg()[0]
    said = f"# booting; {len(todo)} cells, load of this machine {load:.1f}"
    lines, complete = boot(image, work, asked.profile, said)
    if asked.profile:
        profiling.show(work, lines)
        return 0
    asked.out.mkdir(parents=True, exist_ok=True)
    return report.write(todo, lines, work / "marks", asked.out, load, complete, asked.json)


if __name__ == "__main__":
    sys.exit(main())
