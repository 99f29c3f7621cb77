# SPDX-License-Identifier: GPL-2.0
"""One seed, one log, whoever runs it, where, and however it comes about."""

import functools
import hashlib
import json
import os
import resource
import shutil
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from brief import brief
from lab import OUT, ROOT, WLAB, Skipped, as_user, call, container_program, expect, linux, run, wlab

# Its cases do not use each other's results.
APART = True

TEXT = brief("""duration = "60s"
seed = 7
[wired] wlink = "rate 1mbit delay 100ms"
[radio] wlink = "rate 384kbit tti 10ms delay 25ms pdu 40 header 2 limit 40 channel gilbert p 0.001 r 0.2"
[tcp] stack = "STACK"
[[flow]] name = "a"; kind = "tcp"
[[flow]] name = "b"; kind = "tcp"; direction = "up"; start = "5s"; bytes = 200000
[[flow]] name = "c"; kind = "udp"; rate = "32kbit"; size = 300
[[at]] time = "30s"; run = "wlinkctl set {down} rate 128kbit"
""")

# Everything that happens by chance here is the kernel's: the link has a seed of its own.
# Longer than a minute, for after that the kernel takes a new key from its pool.
KERNEL = brief("""duration = "75s"
seed = 7
[wired.down] red = "limit 200000 min 15000 max 45000 avpkt 1000 burst 20 probability 0.1 bandwidth 8mbit"
[wired.up] netem = "delay 20ms 5ms loss 0.5%"
[radio] wlink = "rate 1mbit delay 25ms limit 100 seed 5"
[[flow]] name = "a"; kind = "tcp"; count = 3
[[flow]] name = "b"; kind = "tcp"; congestion = "bbr"; start = "100ms"
""")


def repeat(name: str, text: str) -> Callable[[], str]:
    """A seed alone and within --runs gives one log, another seed another one."""

    def case() -> str:
        alone, folder = run(name, text, "--seed", "8", out=f"{name}-8")
        log = (folder / "events.tsv").read_bytes()
        expect(hashlib.sha256(log).hexdigest() == alone["event_sha256"], "the digest is not the log's")
        expect(alone["events"] > 5000, f"only {alone['events']} events")
        several: Any
        several, _ = run(name, text, "--runs", "2", out=f"{name}-runs")
        logs = {one["seed"]: one["event_sha256"] for one in several}
        expect(logs[8] == alone["event_sha256"], "seed 8 within --runs gave another log than alone")
        expect(logs[7] != logs[8], "different seeds gave the same log")
        return f"{alone['events']} events, {logs[8][:16]}"

    return case


def radio(args: str, wired: str = "wlink = 'rate 100mbit delay 20ms'", stack: str = "linux") -> str:
    """A radio link in both directions, with bits that get lost but in tm."""
    return f"[wired]\n{wired}\n[radio]\nwlink = '{args}'\n[tcp]\nstack = '{stack}'\n"


def flow(name: str, kind: str, more: str = "") -> str:
    return f"[[flow]]\nname = '{name}'\nkind = '{kind}'\n{more}\n"


def at(time: str, line: str) -> str:
    return f"[[at]]\ntime = '{time}'\nrun = '''{line}'''\n"


def program(name: str, place: str, line: str, more: str = "") -> str:
    return f"[[program]]\nname = '{name}'\nin = '{place}'\nrun = '''{line}'''\n{more}\n"


LOSSY = "channel gilbert p 0.01 r 0.2"
STATES = "channel twostate mean_good 2s mean_bad 100ms ber_good 1e-6 ber_bad 0.01"
AM = "tti 10ms delay 40ms mode am pdu 40 header 2 limit 40 channel uniform loss 0.05"
OUTAGE = at("4s", "wlinkctl set {down} rate 1bit") + at("6s", "wlinkctl set {down} rate 384kbit")
UP = "direction = 'up'"
# A program that asks where it is; only its memory may differ.
CURIOUS = "env; pwd; ulimit -s; id; nproc; echo $$; cat /proc/meminfo >&2; exec sleep 2"
# Packets of random sizes at random times.
CHANCE = (
    "exec python3 -c 'import os, socket, time; s = socket.socket(2, 2); "
    "[(s.sendto(os.urandom(1 + os.urandom(1)[0]), (\"PEER\", 9)), time.sleep(os.urandom(1)[0] / 2000)) "
    "for _ in range(40)]'"
)

# All modes, workloads and both stacks, 64 kbit/s to 200 Mbit/s, programs, outages.
EXPERIMENT: dict[str, tuple[str, str]] = {
    "tm-64k": ("10s", radio("rate 64kbit delay 50ms mode tm limit 20", stack="reno-2006") + flow("a", "tcp")),
    "um-128k": ("10s", radio(f"rate 128kbit tti 20ms mode um pdu 40 {LOSSY}") + flow("a", "tcp", UP)),
    "um-384k": (
        "10s",
        radio(f"rate 384kbit tti 10ms mode um pdu 40 {LOSSY}", stack="reno-2006")
        + flow("a", "tcp", "count = 2")
        + flow("b", "udp", "rate = '64kbit'"),
    ),
    "am-outage": ("12s", radio(f"rate 384kbit {AM}") + flow("a", "tcp") + OUTAGE.replace("1bit", "0")),
    "am-outage-2006": ("12s", radio(f"rate 384kbit {AM}", stack="reno-2006") + flow("a", "tcp") + OUTAGE),
    "am-media": ("12s", radio(f"rate 2mbit {AM}") + flow("a", "tcp") + flow("m", "media")),
    "fsr-web": (
        "20s",
        radio(f"rate 1mbit delay 50ms mode fsr pdu 250 window 128 limit 40 {STATES}", stack="reno-2006")
        + flow("w", "web", "connections = 2\npipeline = true"),
    ),
    "asr-web": (
        "20s",
        radio(f"rate 1mbit delay 50ms mode asr pdu 250 window 128 limit 40 {STATES}")
        + flow("w", "web", "connections = 4\npersistent = false"),
    ),
    "um-codel": (
        "5s",
        radio(f"rate 2mbit delay 30ms mode um pdu 80 limit 100 aqm codel {LOSSY}")
        + flow("a", "tcp", "count = 3")
        + flow("m", "media", "count = 2"),
    ),
    "red-3g": (
        "10s",
        radio("preset umts-384 limit 60 profile red-3g")
        + flow("a", "tcp", "count = 4")
        + at("5s", "wlinkctl set {down} rate 128kbit"),
    ),
    "sbd-3g": (
        "10s",
        radio("preset umts-384 limit 60 profile sbd-3g", stack="reno-2006") + flow("a", "tcp", "count = 4"),
    ),
    "pf": (
        "4s",
        radio("rate 10mbit tti 2ms sched pf limit 60")
        + flow("a", "tcp")
        + flow("b", "tcp", "congestion = 'reno'"),
    ),
    "rayleigh": (
        "4s",
        radio("rate 7mbit tti 2ms delay 30ms mode am pdu 80 limit 200 channel rayleigh fer 10% fdt 0.1")
        + flow("a", "tcp")
        + flow("b", "tcp", UP),
    ),
    "bbr": (
        "4s",
        radio("rate 20mbit delay 20ms limit 200") + flow("a", "tcp", "congestion = 'bbr'\ncount = 2"),
    ),
    "netem": (
        "4s",
        radio("rate 20mbit delay 20ms limit 200", "netem = 'delay 30ms 3ms loss 0.1% reorder 1%'")
        + flow("a", "tcp", "congestion = 'bbr'")
        + flow("b", "tcp"),
    ),
    "fq-codel": (
        "3s",
        radio("rate 50mbit delay 10ms limit 300", "fq_codel = 'flows 16'") + flow("a", "tcp", "count = 8"),
    ),
    # The windows are at their largest: how large that is, the guest's memory must not say.
    "cubic-200m": ("5s", radio("rate 200mbit delay 200ms limit 20000") + flow("a", "tcp")),
    "udp-200m": (
        "300ms",
        radio("rate 200mbit tti 1ms delay 5ms mode um pdu 500 limit 1000 channel uniform loss 0.001")
        + flow("a", "udp", "rate = '180mbit'"),
    ),
    "programs": (
        "5s",
        radio("rate 384kbit delay 25ms seed 5")
        + program("one", "ue", CURIOUS)
        + program("two", "server", CHANCE.replace("PEER", "10.0.2.1"))
        + program("three", "ue", CHANCE.replace("PEER", "10.0.1.1"), "start = '300ms'"),
    ),
    "timed": (
        "5s",
        radio("rate 0 delay 25ms mode um pdu 40")
        + flow("a", "udp", "rate = '300kbit'")
        + at(
            "1s",
            "tc qdisc change dev {down} root wlink "
            "rate $((64 + 0x$(od -An -N1 -tx1 /dev/urandom | tr -d ' ')))kbit",
        ),
    ),
}


def told(folder: Path) -> tuple[str, ...]:
    """The digest of a run's events, and what its programs have printed."""
    digest = json.loads((folder / "result.json").read_text())["event_sha256"]
    return (digest, *(path.read_text() for path in sorted(folder.glob("programs/*.out"))))


def copy_sources(to: Path) -> Path:
    """All that is compiled; of what is made, the kernel only: the rest is made anew there."""
    for part in ("userspace", "kernel", "tc-plugin"):
        shutil.copytree(ROOT / part, to / part)
    for part in ("Kbuild", "Makefile"):
        shutil.copy2(ROOT / part, to / part)
    said = json.loads((ROOT / "build" / "lab" / "current.json").read_text())
    have, lab = ROOT / "build" / "lab" / said["folder"], to / "build" / "lab"
    (lab / said["folder"]).mkdir(parents=True)
    shutil.copy2(ROOT / "build" / "lab" / "current.json", lab)
    for source in have.parent.glob("linux-source-*.tar.xz"):
        (lab / source.name).symlink_to(source.resolve())
    shutil.copy2(have / "linux", lab / said["folder"] / "linux")
    (lab / said["folder"] / "tree").symlink_to(have.joinpath("tree").resolve())
    return to / "userspace" / "wlab" / "wlab"


def most_stack() -> None:
    """The host then lays out a process's memory in another way."""
    _, most = resource.getrlimit(resource.RLIMIT_STACK)
    resource.setrlimit(resource.RLIMIT_STACK, (most, most))


class Elsewhere:
    """wlab of another folder, by another user where we can be one, in a hostile environment."""

    def __init__(self) -> None:
        self.folder = tempfile.TemporaryDirectory(prefix="wlab-elsewhere-with-a-long-name.")
        top = Path(self.folder.name)
        top.chmod(0o755)
        self.wlab = copy_sources(top / "tree")
        self.become: list[str] = []
        with suppress(Skipped):
            self.become = as_user()
        self.work = top / "work"
        self.work.mkdir()
        self.work.chmod(0o777)
        self.environment = {
            "PATH": "/usr/bin:/bin:/usr/sbin",
            "PWD": str(self.work),
            "HOME": str(self.work),
            "TMPDIR": str(self.work),
            "LANG": "tr_TR.UTF-8",
            "LC_ALL": "C",
            "TZ": "Asia/Kathmandu",
            "LD_LIBRARY_PATH": f"/nowhere:{self.work}",
            "TC_LIB_DIR": "/nowhere",
            "OPENSSL_CONF": "/nowhere",
            "WLAB_JOB": "/nowhere",
            **{f"ROOM_{i}": "x" * 1000 for i in range(40)},
            # It is the same kernel.
            **{name: value for name, value in os.environ.items() if name == "WLAB_LINUX"},
        }

    def run(self, name: str, *args: str) -> tuple[str, ...]:
        """Run what has been run here, and tell it as told() does."""
        scenario = self.work / f"{name}.toml"
        shutil.copy(OUT / scenario.name, scenario)
        scenario.chmod(0o644)
        done = call(
            [*self.become, str(self.wlab), "run", scenario.name, "--out", name, "--mem", "768M", *args],
            cwd=self.work,
            env=self.environment,
            preexec_fn=most_stack,
        )
        expect(done.returncode == 0, f"wlab run failed elsewhere:\n{done.stderr}")
        said = told(self.work / name)
        shutil.rmtree(self.work / name)
        return said


elsewhere = functools.cache(Elsewhere)


def check_determinism_twenty_scenarios_in_two_places() -> str:
    """Each scenario of EXPERIMENT in two boots that have nothing in common but its seed."""
    begun = resource.getrusage(resource.RUSAGE_CHILDREN)
    events, differ = 0, []
    for name, (duration, body) in EXPERIMENT.items():
        result, folder = run(f"one-{name}", f"duration = '{duration}'\nseed = 3\n{body}")
        events += result["events"]
        expect(result["events"] > 20, f"{name}: only {result['events']} events")
        if elsewhere().run(f"one-{name}") != told(folder):
            differ.append(name)
    expect(not differ, f"other events or output in another place: {', '.join(differ)}")
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    cost = used.ru_utime + used.ru_stime - begun.ru_utime - begun.ru_stime
    return f"{len(EXPERIMENT)} scenarios, {events} events, {cost:.0f} s of processor time"


# wlab on a machine that has 2 or 16 processors, whatever this one has.
WITH = """import os, runpy, sys
count = int(sys.argv.pop(1))
os.cpu_count, os.sched_getaffinity = lambda: count, lambda pid: set(range(count))
sys.argv.pop(0)
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def check_determinism_ptrace_processors() -> str:
    """The guest's programs run under a filter or under ptrace, on 2 or 16 processors."""
    if linux()[1] < (6, 16):
        raise Skipped("this kernel knows ptrace only")
    body = radio(f"rate 2mbit {AM}") + flow("f", "tcp") + flow("u", "udp", "rate = '100kbit'\nsize = 300")
    text = f"duration = '2s'\nseed = 3\n{body}{program('p', 'ue', 'nproc; grep -c ^processor /proc/cpuinfo')}"
    _, folder = run("machines", text)
    here = told(folder)
    expect(here[1] == "1\n1\n", f"the guest has {here[1]}")
    ways = {f"{n} processors": [sys.executable, "-c", WITH, str(n), str(WLAB)] for n in (2, 16)}
    ways["ptrace"] = [str(container_program()), "filterless", str(WLAB)]
    for name, wlab_there in ways.items():
        words = ["run", str(OUT / "machines.toml"), "--force", "--out", str(folder)]
        # The fence needs a filter, too.
        sandbox = {"WLAB_SANDBOX": "off"} if name == "ptrace" else {}
        done = call([*wlab_there, *words], env=os.environ | sandbox)
        expect(done.returncode == 0, f"{name}: {done.stderr}")
        expect(told(folder) == here, f"{name}: {told(folder)}, here {here}")
    return f"{', '.join(ways)}: {here[0][:12]}"


def check_determinism_the_guests_memory() -> str:
    """Programs may go by how much memory there is; by chance, three boots had it differ by some MB."""
    said = {wlab("exec", "--", "head", "-n", "1", "/proc/meminfo").out for _ in range(3)}
    expect(len(said) == 1 and "MemTotal:" in str(said), f"boots have {said}")
    return said.pop().strip()


CASES: dict[str, Callable[[], str]] = {
    "determinism, paper's TCP": repeat("repeat-reno-2006", TEXT.replace("STACK", "reno-2006")),
    "determinism, today's TCP": repeat("repeat-linux", TEXT.replace("STACK", "linux")),
    "determinism, the kernel's random numbers": repeat("repeat-kernel", KERNEL),
}
