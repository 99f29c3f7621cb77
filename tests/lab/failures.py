# SPDX-License-Identifier: GPL-2.0
"""Slips and crashes: a clear error, at once, and never half a result."""

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

from lab import HERE, OUT, WLAB, Failed, Skipped, expect, wlab, write

GOOD = """duration = "10s"
[radio]
wlink = "rate 384kbit tti 10ms limit 40"
[[flow]]
name = "f"
kind = "tcp"
"""

# (--set, what the error must say)
SLIPS = (
    ("durration=4s", "durration: unknown key; did you mean 'duration'?"),
    ("duration=4", "duration: '4' is not a time: it needs a unit"),
    ("duration=4sec", "duration: '4sec' is not a time"),
    ("radio.dwn.wlink=rate 1mbit", "radio.dwn: unknown key; did you mean 'down'?"),
    ("radio.wlnk=rate 1mbit", "radio.wlnk: unknown key; did you mean 'wlink'?"),
    ("radio.wlink.rate=384kbitt", "rate: '384kbitt' is not a rate: did you mean 'kbit'?"),
    ("radio.wlink.rate=0", "a rate of 0 sends nothing"),
    ("radio.wlink.tti=11s", "tti: 11000000000 is outside 0..10000000000 ns"),
    ("radio.wlink.pdu=65536", "pdu: 65536 is outside 0..65535 bytes"),
    ("radio.wlink.limit=0", "limit: 0 is outside 1..1000000 packets"),
    ("radio.wlink=rate 1mbit ttl 1ms", "'ttl' is no word of wlink; did you mean 'tti'?"),
    ("radio.wlink=tti 1ms", "'rate' is required"),
    ("radio.wlink=rate", "'rate' lacks its value"),
    ("radio.wlink=rate 1mbit channel gilbrt", "channel 'gilbrt' is unknown; did you mean 'gilbert'?"),
    ("radio.wlink=rate 1mbit channel gilbert p 2 r 1", "p: '2' is not a probability"),
    ("radio.wlink=rate 1mbit channel gilbert p 0.1", "channel gilbert needs 'r'"),
    ("radio.wlink=rate 1mbit channel uniform los 1", "'los' is no word of wlink's channel uniform"),
    ("radio.wlink=rate 1mbit mode amm", "mode: 'amm' is unknown; did you mean 'am'?"),
    ("radio.wlink=rate 1mbit poll_timer 0", "poll_timer: 0 is outside 1000..3600000000000 ns"),
    ("radio.wlink=rate 1mbit channel twostate mean_good 1s", "channel twostate needs 'mean_bad'"),
    ("radio.classes=['classid 1:2 wlink tti 1ms']", "'tti' belongs to the qdisc, not to a class"),
    ("radio.classes=['classid 1:2 htb rate 1mbit']", "'htb' is not 'wlink'"),
    ("radio.classes=['1:2 wlink']", 'is not as in "classid 1:2 wlink'),
    ("radio.filters=['u32 match ip dport {g} 0xffff']", "radio.down.filters.0: no flow 'g'"),
    ("tcp.stack=reno-2007", "tcp.stack: 'reno-2007' is unknown; did you mean 'reno-2006'?"),
    ("tcp.congestion=renos", "tcp.congestion: 'renos' is unknown; did you mean 'reno'?"),
    ("flow.f.byte=3", "byte: unknown key; did you mean 'bytes'?"),
    ("flow.f.kind=tpc", "kind: 'tpc' is unknown; did you mean 'tcp'?"),
    ("flow.f.rate=1mbit", "flow.f.rate: only udp and media flows have it"),
    ("flow.f.start=11s", "flow.f.start: after the end of the run"),
    ("flow.g.bytes=3", "no 'g' there"),
    ("seed=-1", "seed: -1 is not a whole number"),
    ("flow.f.count=0", "flow.0.count: 0 is not a whole number in 1..64"),
    ("flow.f.count=65", "flow.0.count: 65 is not a whole number in 1..64"),
    ("flow=[{name='f',kind='tcp',count=2},{name='f2',kind='tcp'}]", "flow.f2: two flows of this name"),
    ("flow=[{name='f',kind='tcp'},{name='f',kind='tcp'}]", "flow.f: two flows of this name"),
    ("flow.f.connections=2", "flow.f.connections: only web flows have it"),
    ("flow.f.talk=1s", "flow.f.talk: only media flows have it"),
    ("flow=[{name='w',kind='web',direction='up'}]", "flow.w.direction: only tcp, udp and media flows"),
    ("flow=[{name='w',kind='web',connections=17}]", "connections: 17 is not a whole number in 1..16"),
    ("flow=[{name='w',kind='web',pipeline=1}]", "pipeline: 1 is neither true nor false"),
    ("flow=[{name='w',kind='web',pipeline=true,persistent=false}]", "pipeline: needs persistent connections"),
    ("flow=[{name='m',kind='media',talk='0s'}]", "talk: a time of 0 makes no spurts"),
    ("until=g", "until: no flow or program 'g'; there is: f"),
    ("until=f", "until: f does not end by itself; it needs bytes or a stop"),
    ("warmup=10s", "warmup: 10s is not below the duration, 10s"),
    ("warmup=5", "warmup: '5' is not a time: it needs a unit"),
    ("program=[{name='p',run='true'}]", "program.0.in is missing"),
    ("program=[{name='p',in='eu',run='true'}]", "program.0.in: 'eu' is unknown; did you mean 'ue'?"),
    ("program=[{name='f',in='ue',run='true'}]", "program.f: a flow has this name"),
    ("program=[{name='p',in='ue',run='true',stop='11s'}]", "program.p.stop: not after its start and before"),
    ("program=[{name='p',in='ue',run='true',start='10s'}]", "program.p.start: not before the end of the run"),
    ("program={name='p'}", "program: write [[program]] with two brackets"),
    ("nonsense", "--set nonsense: not KEY=VALUE"),
)


def slips() -> str:
    """Refused before anything boots, by name."""
    path = write("slip", GOOD)
    out = OUT / "slip"
    shutil.rmtree(out, ignore_errors=True)
    for setting, text in SLIPS:
        called = wlab("run", str(path), "--out", str(out), "--set", setting)
        expect(called.status != 0, f"--set {setting} was taken")
        expect(text in called.err, f"--set {setting} said: {called.err.strip()}")
        expect("Traceback" not in called.err, called.err)
        expect(not out.exists(), f"--set {setting} left a result")
    return f"{len(SLIPS)} slips refused by name"


def failing(name: str, run_line: str, *texts: str, args: tuple[str, ...] = ()) -> Callable[[], str]:
    """A run that fails in the guest leaves a message and nothing else."""

    def case() -> str:
        at = f"[[at]]\ntime = \"2s\"\nrun = '''{run_line}'''\n"
        out = OUT / name
        shutil.rmtree(out, ignore_errors=True)
        called = wlab("run", str(write(name, GOOD + at)), "--out", str(out), *args)
        expect(called.status != 0, "the run passed")
        for text in texts:
            expect(text in called.err, f"'{text}' is not in:\n{called.err}")
        left = [p.name for p in OUT.iterdir() if p.name == name or p.name.startswith(f".{name}.")]
        expect(not left, f"half a result: {left}")
        return texts[0]

    return case


@cache
def trouble_module() -> Path:
    """A module that warns, oopses or hangs, built for the lab kernel."""
    called = wlab("build", "--json")
    expect(called.status == 0, called.err)
    tree = json.loads(called.out)["tree"]
    folder = OUT / "trouble"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(HERE / "trouble", folder)
    done = subprocess.run(
        ["make", "-s", "-C", tree, "ARCH=um", f"M={folder}", "modules"],
        capture_output=True,
        text=True,
        check=False,
    )
    expect(done.returncode == 0, done.stdout + done.stderr)
    return folder / "trouble.ko"


def kernel_trouble(how: str, *texts: str, timeout: str = "60") -> Callable[[], str]:
    """Trouble in the kernel is an error even where the command is content."""

    def case() -> str:
        module = trouble_module()
        script = f"insmod {module} how={how}; exit 0"
        called = wlab("exec", "--timeout", timeout, "--", "sh", "-c", script)
        expect(called.status != 0, f"how={how} passed")
        for text in texts:
            expect(text in called.err, f"'{text}' is not in:\n{called.err}")
        return texts[-1]

    return case


def exec_status() -> str:
    """Output, exit status, and what the guest may write."""
    mark = OUT / "mark"
    mark.unlink(missing_ok=True)
    OUT.mkdir(parents=True, exist_ok=True)
    script = f"echo out; echo err >&2; echo x > {mark}; touch /usr/x 2>/dev/null || echo ro; exit 7"
    called = wlab("exec", "--", "sh", "-c", script)
    expect(called.status == 7, f"exit status {called.status}, not 7: {called.err}")
    expect(called.out == "out\nro\n" and called.err == "err\n", f"{called.out!r} {called.err!r}")
    expect(mark.read_text() == "x\n", "build/ was not writable")
    called = wlab("exec", "--", "no-such-command")
    expect(called.status == 127, f"a missing command gave {called.status}")
    return "status, output and files come through"


def normal_user() -> str:
    """Nothing here needs root."""
    if os.getuid():
        raise Skipped("all of this runs as a normal user already")
    if not shutil.which("setpriv"):
        raise Skipped("no setpriv to become a normal user with")
    script = "ip link add d0 type dummy && tc qdisc add dev d0 root wlink rate 1mbit"
    argv = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", str(WLAB)]
    argv += ["exec", "--", "sh", "-c", script]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    if "Permission denied" in done.stderr and done.returncode == 126:
        raise Skipped("a normal user may not enter this folder")
    expect(done.returncode == 0, done.stderr)
    return "exec as user 65534"


def leaves_nothing() -> str:
    """No scratch folder, no process."""
    before = {p.name for p in Path(tempfile.gettempdir()).glob("wlab.*")}
    called = wlab("exec", "--", "true")
    if called.status:
        raise Failed(called.err)
    called = wlab("exec", "--timeout", "2", "--", "sh", "-c", "while :; do :; done")
    expect("the guest hangs" in called.err, called.err)
    after = {p.name for p in Path(tempfile.gettempdir()).glob("wlab.*")}
    # Others may be at work beside us: only what is new and stays counts.
    expect(not {n for n in after - before if not in_use(n)}, f"left: {after - before}")
    return "no scratch folder, no process"


def in_use(name: str) -> bool:
    """Whether a running process names the folder on its command line."""
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if name.encode() in path.read_bytes():
                return True
        except OSError:
            continue
    return False


CASES: dict[str, Callable[[], str]] = {
    "misspelt keys and bad values": slips,
    "crashing workload": failing("crash", "kill -SEGV $$", "signal 11", "Segmentation fault"),
    "failing workload": failing("fail", "echo no >&2; exit 3", "exit status 3", "no\n"),
    "command that tc refuses": failing(
        "refused", "tc qdisc change dev {down} root wlink tti 20s", "exit status", "is outside 0..10s"
    ),
    "hung guest": failing(
        "hung", "while :; do :; done", "the guest hangs", "virtual seconds", args=("--timeout", "3")
    ),
    "kernel warning": kernel_trouble("warn", "was asked for", "the lab kernel is in trouble: WARNING"),
    "kernel oops": kernel_trouble("oops", "the lab kernel is in trouble"),
    "hung kernel": kernel_trouble("hang", "the guest hangs", timeout="3"),
    "exec": exec_status,
    "exec as a normal user": normal_user,
    "exec leaves nothing": leaves_nothing,
}
