# SPDX-License-Identifier: GPL-2.0
"""Slips and crashes: a clear error, at once, and never half a result."""

import contextlib
import fcntl
import itertools
import json
import os
import pty
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import wlab as api
from brief import brief
from lab import (
    OUT,
    ROOT,
    USER,
    WLAB,
    Skipped,
    as_user,
    call,
    expect,
    trouble_modules,
    wlab,
    write,
)
from wlablib.lib.paths import LabError
from wlablib.scenario import scenario

GOOD = brief("""duration = "10s"
[radio] wlink = "rate 384kbit tti 10ms limit 40"
[[flow]] name = "f"; kind = "tcp"
""")

# (--set, what the error must say)
SLIPS = (
    ("durration=4s", "durration: unknown key; did you mean 'duration'?"),
    ("duration=4", "duration: '4' is not a time: it needs a unit"),
    ("duration=5us", "duration: 5us is outside 1ms..1000000s"),
    ("clock.start=today", 'clock.start: today is not a date and time in UTC, as in "2026-01-01T00:00:00Z"'),
    ("clock.start=2026-02-30T00:00:00Z", "clock.start: 2026-02-30T00:00:00Z is not a date and time in UTC"),
    ("clock.start='1970-01-01T00:00:00Z'", "1970-01-01T00:00:00Z is not in the years 1971 to 2200"),
    ("duration=4sec", "duration: '4sec' is not a time"),
    ("radio.dwn.wlink=rate 1mbit", "radio.dwn: unknown key; did you mean 'down'?"),
    ("radio.wlnk=rate 1mbit", "radio.wlnk: unknown key; did you mean 'wlink'?"),
    ("radio.wlink.rate=384kbitt", 'radio.wlink: rate "384kbitt" has an unknown unit; it takes bit, kbit'),
    ("flow=[{name='u',kind='udp',rate=0}]", "rate: a rate of 0 sends nothing"),
    ("radio.wlink.tti=11s", "wlink: tti 11s is outside 0..10s"),
    ("radio.wlink.pdu=65536", "wlink: pdu 65536 is outside 0..65535"),
    ("radio.wlink.limit=0", "wlink: limit 0 is outside 1..1000000"),
    ("radio.wlink=rate 1mbit ttl 1ms", 'radio.wlink: unknown word "ttl"; did you mean tti?'),
    ("radio.wlink=rate 1mbit delay 100ms 10ms", "10ms is a word of netem; in wlink it is jitter TIME"),
    ("radio.wlink=rate 1mbit duplicate 101%", "duplicate 101% is outside 0..1"),
    ("radio.wlink=rate 1mbit reorder 25%", "reorder 25% is a word of netem"),
    ("radio.wlink=rate 1mbit loss 1%", "loss belongs to a channel; type channel and its kind first, as in"),
    ("radio.wlink=tti 1ms", "radio.wlink: rate is required"),
    ("radio.wlink=rate", "rate has no value"),
    ("radio.wlink=rate 1mbit channel gilbrt", 'channel "gilbrt" is unknown; it is none, uniform, gilbert'),
    ("radio.wlink=rate 1mbit channel gilbert p 2 r 1", "p 2 is outside 0..1"),
    ("radio.wlink=rate 1mbit channel gilbert p 0.1", "channel gilbert needs r"),
    ("radio.wlink=rate 1mbit channel uniform los 1", 'unknown word "los"; did you mean loss?'),
    ("radio.wlink=rate 1mbit mode amm", 'mode "amm" is unknown; it is tm, um, am'),
    ("radio.wlink=rate 1mbit poll_timer 0", "poll_timer 0 is refused; the word is off, or 1ms..3600s"),
    ("radio.wlink=rate 1mbit mode am window 4096", "window 4096 is outside 1..4095"),
    ("radio.wlink=preset umts-385", 'preset "umts-385" is unknown; wlinkctl preset list'),
    ("radio.classes=['classid 1:2 wlink at next']", "classes.0: at is for links and for changes"),
    ("radio.wlink=rate 1mbit pdu 65500 header 40", "pdu plus header 65540 is outside 0..65535 bytes"),
    ("radio.wlink=rate 1mbit channel twostate mean_good 1s", "channel twostate needs mean_bad"),
    ("radio.classes=['classid 1:2 wlink tti 1ms']", "classes.0: tti belongs to the qdisc, not to class"),
    ("radio.classes=['classid 1:2 htb rate 1mbit']", "'htb' is not 'wlink'"),
    ("radio.classes=['1:2 wlink']", 'is not of the form "classid 1:2 wlink'),
    ("radio.filters=['u32 match ip dport {g} 0xffff']", "radio.down.filters.0: no flow 'g'"),
    ("tcp.stack=reno-2007", "tcp.stack: 'reno-2007' is unknown; did you mean 'reno-2006'?"),
    ("tcp.congestion=renos", "tcp.congestion: 'renos' is unknown; did you mean 'reno'?"),
    (
        'tcp.sysctl={ "net.ipv4.tcp_ecn" = "1\\nat router 0 touch x" }',
        "tcp.sysctl: net.ipv4.tcp_ecn: a string of more",
    ),
    ('tcp.sysctl={ "net.ipv4.tcp_ecn" = "" }', "tcp.sysctl: net.ipv4.tcp_ecn: '' is not a string"),
    ('tcp.sysctl={ "net.ipv4.tcp_ecn" = [1] }', "tcp.sysctl: net.ipv4.tcp_ecn: [1] is not a string"),
    ('tcp.route="mtu 1400\\rat"', "tcp.route: a string with the character '\\r'"),
    (f"{'a.' * 3000}b=1", "not KEY=VALUE"),
    ("flow.f.byte=3", "byte: unknown key; did you mean 'bytes'?"),
    ("flow.f.kind=tpc", "kind: 'tpc' is unknown; did you mean 'tcp'?"),
    ("flow.f.rate=1mbit", "flow.f.rate: only udp, media and load flows have it"),
    ("radio.wlink.rev_rate=0", "rev_rate 0 is refused; the word is same, or 1bit..100gbit"),
    ("flow.f.start=11s", "flow.f.start: after the end of the run"),
    ("flow.g.bytes=3", "there is no 'g'"),
    ("seed=-1", "seed: -1 is not a whole number"),
    ("flow.f.count=0", "flow.0.count: 0 is not a whole number in 1..64"),
    ("flow.f.count=65", "flow.0.count: 65 is not a whole number in 1..64"),
    ("flow=[{name='f',kind='tcp',count=2},{name='f2',kind='tcp'}]", "flow.f2: two flows of this name"),
    ("flow=[{name='f',kind='tcp'},{name='f',kind='tcp'}]", "flow.f: two flows of this name"),
    ("flow.f.connections=2", "flow.f.connections: only web flows have it"),
    ("flow.f.talk=1s", "flow.f.talk: only media flows have it"),
    ("flow=[{name='w',kind='web',direction='up'}]", "flow.w.direction: only tcp, udp, media, load and ping"),
    ("flow=[{name='w',kind='web',connections=17}]", "connections: 17 is not a whole number in 1..16"),
    ("flow=[{name='w',kind='web',pipeline=1}]", "pipeline: 1 is neither true nor false"),
    ("flow=[{name='w',kind='web',pipeline=true,persistent=false}]", "pipeline: needs persistent connections"),
    ("flow=[{name='l',kind='load',rate='1mbit'}]", "flow.l.arrival is missing: a load has rate, arrival"),
    ("flow=[{name='l',kind='load'}]", "flow.l.rate is missing: a load has rate, arrival, transfer, or"),
    ("flow=[{name='l',kind='load',arrival='0s'}]", "arrival: a mean length of 0"),
    ("flow=[{name='l',kind='load',transfer=0}]", "transfer: a mean of 0 bytes"),
    ("flow=[{name='l',kind='load',cv=0.5}]", "cv: 0.5 is not a number in 1..10"),
    ("flow=[{name='l',kind='load',loads='x',cv=2}]", "flow.l.cv: not with 'loads', which has the rates"),
    ("flow=[{name='l',kind='load',loads='no'}]", "flow.l.loads: there is no file"),
    ("flow=[{name='l',kind='load',loads='slip.toml'}]", "is not a line of a trace that is known here"),
    ("flow=[{name='u',kind='udp',rate='1mbit',cv=2}]", "flow.u.cv: only load flows have it"),
    ("flow=[{name='p',kind='ping',size=0}]", "flow.p.size: 0 is outside 36..1500 bytes"),
    ("flow=[{name='p',kind='ping',size=1501}]", "flow.p.size: 1501 is outside 36..1500 bytes"),
    ("flow=[{name='p',kind='ping',protocol='tcp',answer='2mib'}]", "p.answer: 2097152 is outside 1..1048576"),
    ("flow=[{name='p',kind='ping',answer=100}]", "flow.p.answer: an echo of ICMP is as long as its request"),
    ("flow=[{name='p',kind='ping',interval='0s'}]", "interval: 0 ns is below 1000 ns"),
    ("flow=[{name='p',kind='ping',pings=11}]", "p.pings: 11 of them, one in 1s, are more than the 10 that"),
    ("flow=[{name='p',kind='ping',pings=3,stop='2s'}]", "are more than the 2 that go before the flow stops"),
    ("flow=[{name='p',kind='ping',rate='1mbit'}]", "flow.p.rate: only udp, media and load flows have it"),
    ("flow=[{name='p',kind='ping',protocol='sctp'}]", "protocol: 'sctp' is unknown; did you mean 'tcp'?"),
    ("flow.f.pings=3", "flow.f.pings: only ping flows have it"),
    ("flow=[{name='m',kind='media',talk='0s'}]", "talk: a mean length of 0"),
    ("until=g", "until: no flow or program 'g'; one of: f"),
    ("until=f", "until: f does not end by itself; it needs bytes or a stop"),
    ("capture=['radio.x']", "capture: no wlink 'radio.x'; did you mean 'radio.up'?"),
    ("capture=['wired.down']", "capture: no wlink 'wired.down'; did you mean 'radio.down'?"),
    ("capture=1", "capture: 1 is not a list of strings"),
    ("warmup=10s", "warmup: 10s is not below the duration, 10s"),
    ("warmup=5", "warmup: '5' is not a time: it needs a unit"),
    ("program=[{name='p',run='true'}]", "program.0.in is missing"),
    ("program=[{name='p',in='eu',run='true'}]", "program.p.in: 'eu' is unknown; did you mean 'ue'?"),
    ("program=[{name='f',in='ue',run='true'}]", "program.f: a flow has this name"),
    ("program=[{name='p',in='ue',run='true',stop='11s'}]", "program.p.stop: not after its start and before"),
    ("program=[{name='p',in='ue',run='true',start='10s'}]", "program.p.start: not before the end of the run"),
    ("program=[{name='p',in='ue',run='true',keep=['../x']}]", "'../x' is not below the folder in which"),
    ("program=[{name='p',in='ue',run='true',keep=['/etc/*']}]", "'/etc/*' is not below the folder in which"),
    ("program=[{name='p',in='ue',run='true',files=['no/file']}]", "program.p.files.0: there is no file"),
    ("program=[{name='p',in='ue',run='true',files='x'}]", "program.0.files: 'x' is not a list of strings"),
    ("program=[{name='p',in='ue',run='true',files=['..']}]", "files.0: '..' is not the name of a file"),
    ("program=[{name='p',in='ue',run='true',files=['../../tests']}]", "is a folder and not below"),
    ("at=[{time='1s',run='tc qdisc del dev {down} root'}]", "at.0.run: the link down must stay to the end"),
    ("at=[{time='1s',run='x; ip link delete {up}'}]", "at.0.run: the link up must stay to the end"),
    ("radio.trace={ file='no' }", "radio.down.trace.file: there is no file"),
    ("radio.trace={ format='csv' }", "radio.trace.file is missing"),
    ("radio.trace={ file='x', format='cvs' }", "radio.trace.format: 'cvs' is unknown; did you mean 'csv'?"),
    ("radio={ netem='delay 1ms', trace={ file='x' } }", "radio.trace: only a wlink can play a trace"),
    ("program={name='p'}", "program: write [[program]] with two brackets"),
    ("nonsense", "--set nonsense: not KEY=VALUE"),
)
# As a person sees them; the last is found by `wlab run` alone.
SEEN = (
    SLIPS[0],
    ("program=[{name='p',in='ue',run='slep 1'}]", "program.p.run: 'slep': there is no such program"),
)


def check_misspelt_keys_and_bad_values() -> str:
    """Refused before anything boots, by name."""
    path = write("slip", GOOD)
    out = OUT / "slip"
    shutil.rmtree(out, ignore_errors=True)
    for setting, text in SLIPS:
        try:
            scenario.load(path, [setting])
        except LabError as error:
            expect(text in str(error), f"--set {setting} said: {error}")
        else:
            expect(False, f"--set {setting} was taken")
    for setting, text in SEEN:
        called = wlab("run", str(path), "--out", str(out), "--set", setting)
        expect(called.status == 1 and text in called.err, f"{called.status}: {called.err}")
        expect("Traceback" not in called.err and not out.exists(), called.err)
    return f"{len(SLIPS) + 1} slips refused by name"


def check_a_rate_in_bytes() -> str:
    """A rate in bytes per second is taken, as tc takes it, and said once."""
    said = []
    for rate in ("64kbps", "512kbit"):
        args = ("--set", f"radio.wlink.rate={rate}", "--set", "duration=1s", "--json", "--force")
        called = wlab("run", str(write("bytes", GOOD)), "--out", str(OUT / "bytes"), *args)
        expect(called.status == 0, called.err)
        bps = json.loads(called.out)["links"]["radio.down"]["options"]["rate_bps"]
        expect(bps == 512_000, f"{rate} is {bps} bit/s")
        said.append([line for line in called.err.splitlines() if "note" in line])
    expect(said == [["wlab: note: rate 64kbps counts bytes, it is 512kbit"], []], str(said))
    return str(said[0][0])


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


def kernel_trouble(how: str, *texts: str, timeout: str = "60") -> Callable[[], str]:
    """Trouble in the kernel is an error even where the command is content."""

    def case() -> str:
        module = trouble_modules() / "trouble.ko"
        script = f"insmod {module} how={how}; exit 0"
        called = wlab("exec", "--timeout", timeout, "--", "sh", "-c", script)
        expect(called.status != 0, f"how={how} passed")
        for text in texts:
            expect(text in called.err, f"'{text}' is not in:\n{called.err}")
        return texts[-1]

    return case


def check_exec() -> str:
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
    called = wlab("exec", "--", "sh", "-c", "kill -9 $$")
    expect(called.status == 137, f"a killed command gave {called.status}")
    for args, text in (
        (("exce",), "invalid choice: 'exce'"),
        (("exec",), "no command; type: wlab exec -- CMD ARGS..."),
        (("exec", "--"), "no command; type: wlab exec -- CMD ARGS..."),
        (("exec", "--mem", "5", "true"), "--mem: '5' is not a size, as in 512M"),
        (("run", "--runs", "0", "x"), "--runs: 0 is not in 1..100000"),
        (("run", "--seed", "-1", "x"), "--seed: -1 is not in 0..9223372036854775807"),
    ):
        called = wlab(*args)
        expect(called.status == 2 and text in called.err, f"{args}: {called.status}: {called.err}")
    return "status, output and files come through"


def check_run_as_a_normal_user() -> str:
    """Nothing here needs root, and who may not write the sources has folders of his own."""
    become = [*as_user(), "env"]
    called = wlab("build", "--json")
    expect(called.status == 0, called.err)
    made = json.loads(called.out)
    with own_tmp() as home:
        # What a first call would compile; a kernel that is in the sources' build serves all.
        cache, lab = home / ".cache" / "wlink", Path(made["module"]).parents[1]
        module = cache / "lab" / lab.name / "module"
        for part, to in (("bin", cache / "bin"), ("tc", cache / "tc")):
            shutil.copytree(Path(made["build"]) / part, to)
        module.mkdir(parents=True)
        for built in Path(made["module"]).parent.glob("*.ko"):
            shutil.copy2(built, module)
        for path in (home, *home.rglob("*")):
            os.chown(path, USER, USER)
        path = home / "user.toml"
        path.write_text('name = "user"\n' + GOOD)
        become += ["-u", "XDG_CACHE_HOME", "-u", "XDG_DATA_HOME", "-u", "WLAB_BUILD", f"HOME={home}"]
        done = call([*become, str(WLAB), "run", str(path)])
        out = home / ".local" / "share" / "wlink" / "results" / "user"
        expect(done.returncode == 0 and str(out) in done.stdout, done.stdout + done.stderr)
        expect((out / "result.json").exists(), "no result there")
        expect(not (ROOT / "build" / "results" / "user").exists(), "a result in the sources")
        expect(not (module.parent / "linux").exists(), "the kernel was built anew")
        moved = [f"XDG_DATA_HOME={home}/data", *(str(WLAB), "run", str(path))]
        done = call([*become, *moved])
        expect((home / "data" / "wlink" / "results" / "user").is_dir(), done.stderr)
    return f"as user {USER}, results and cache below its home"


def check_run_by_an_installed_name() -> str:
    """Who calls wlab by an installed name has results in folders of his own, and knows the version."""
    with own_tmp() as home:
        (home / "wlab").symlink_to(WLAB)
        env = {**os.environ, "XDG_DATA_HOME": str(home / "data")}
        for argv0, at in ((home / "wlab", home / "data" / "wlink"), (WLAB, ROOT / "build")):
            argv = [str(argv0), "run", str(write("installed", GOOD)), "--force"]
            done = call(argv, env=env)
            expect(done.returncode == 0, done.stderr)
            said = f"results in {at / 'results' / 'installed'}"
            expect(said in done.stdout, f"{argv0}: {done.stdout}")
    header = (ROOT / "kernel" / "version.h").read_text()
    version = re.findall(r'"(.*)"', header)[0]
    called = wlab("--version")
    expect((called.status, called.out) == (0, f"wlab {version}\n"), f"{called.status} {called.out}")
    return f"wlab {version}"


@contextlib.contextmanager
def own_tmp() -> Iterator[Path]:
    """A folder for the scratch of our calls alone: its name is on the command line of each lab kernel."""
    with tempfile.TemporaryDirectory(prefix="wlab-check.") as name:
        yield Path(name)


def interruptible() -> None:
    """Who is started in the background ignores interrupts, and so does all that it starts."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def begin(tmp: Path, *args: str) -> "subprocess.Popen[str]":
    """Start wlab, its scratch in tmp."""
    pipe = subprocess.PIPE
    return subprocess.Popen(
        [str(WLAB), *args],
        stdout=pipe,
        stderr=pipe,
        text=True,
        env={**os.environ, "TMPDIR": str(tmp)},
        cwd=ROOT,
        preexec_fn=interruptible,
    )


def processes(tmp: Path) -> list[str]:
    """Lab kernels, and what they have started, with their scratch in tmp."""
    out = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            words = path.read_bytes().replace(b"\0", b" ").decode(errors="replace")
            if str(tmp) in words:
                out.append(words)
    return out


def all_gone(tmp: Path, what: str) -> None:
    """Who kills a process does not wait for its end."""
    until = time.monotonic() + 600
    while left := processes(tmp):
        expect(time.monotonic() < until, f"{what} has left {left}")
        time.sleep(0.02)


def check_exec_leaves_nothing() -> str:
    """No scratch folder, no process."""
    with own_tmp() as tmp:
        for status, seconds, words in ((0, "600", ("true",)), (1, "5", ("sh", "-c", "while :; do :; done"))):
            process = begin(tmp, "exec", "--timeout", seconds, "--", *words)
            said = process.communicate()
            expect(process.returncode == status, f"{words}: {process.returncode}: {said}")
            all_gone(tmp, "exec")
            expect(not any(tmp.iterdir()), f"left: {list(tmp.iterdir())}")
    return "no scratch folder, no process"


def check_an_ended_run() -> str:
    """A run that a signal ends says so, has its status and leaves nothing."""
    # Half an hour of wall time, were it not ended.
    long = write("interrupted", GOOD.replace('"10s"', '"500000s"'))
    out = OUT / "interrupted"
    shutil.rmtree(out, ignore_errors=True)
    for number, text in ((signal.SIGINT, "wlab: interrupted"), (signal.SIGTERM, "wlab: ended by SIGTERM")):
        with own_tmp() as tmp:
            process = begin(tmp, "run", str(long), "--out", str(out))
            assert process.stderr
            # The first line of the progress: it is in the middle of the run.
            said = process.stderr.readline()
            process.send_signal(number)
            said += process.communicate()[1]
            expect(process.returncode == 128 + number, f"{number.name}: status {process.returncode}")
            expect(said.splitlines()[-1] == text, f"{number.name} said: {said}")
            all_gone(tmp, number.name)
            expect(not any(tmp.iterdir()), f"{number.name} left {list(tmp.iterdir())}")
            left = [p.name for p in OUT.iterdir() if p.name.startswith((".interrupted.", "interrupted/"))]
            expect(not left and not out.exists(), f"{number.name} left {left}")
    return "status 128 + the signal, and it says so"


def check_an_ended_shell() -> str:
    """A shell whose wlab is ended, however that is, leaves no process."""
    wlab("build")
    numbers = (signal.SIGTERM, signal.SIGHUP, signal.SIGKILL)
    fences = [os.environ.get("WLAB_SANDBOX", "on")]
    # Without a namespace of processes, too.
    if "landlock" in call([str(ROOT / "build/bin/wlab-keep"), "-p"]).stdout.split():
        fences.append("landlock")
    for fence, number in itertools.product(fences, numbers):
        with own_tmp() as tmp:
            env = os.environ | {"TMPDIR": str(tmp), "WLAB_SANDBOX": fence}
            pid, fd = pty.fork()
            if not pid:
                os.execve(WLAB, [str(WLAB), "shell"], env)
            said = b""
            while b"wlab:" not in said:
                said += os.read(fd, 4096)
            expect(bool(processes(tmp)), "the lab kernel is not seen by its command line")
            os.kill(pid, number)
            os.waitpid(pid, 0)
            os.close(fd)
            all_gone(tmp, f"{number.name}, fence {fence},")
    return ", ".join(n.name for n in numbers)


def check_a_shell_of_a_pipe() -> str:
    """Commands come from a pipe or from nothing, and the shell ends with the status of the last."""
    plain = str(write("shell", GOOD))
    for args, script, status, out in (
        ((), "", 0, ""),
        ((), "echo x", 0, "x\n"),
        ((), "read line; echo \"<$line>\"; exit 5", 5, "<>\n"),
        ((), "kill -9 $$", 137, ""),
        ((plain,), "in_ns ue cat /sys/class/net/radio-up/address; exit 6", 6, "02:00:00:00:00:04\n"),
        ((plain,), "kill -9 $$", 137, ""),
    ):
        done = call([str(WLAB), "shell", *args], input=script)
        expect(done.returncode == status, f"{script!r}: status {done.returncode}: {done.stderr}")
        expect(done.stdout == out, f"{script!r}: {done.stdout!r}")
        expect("Traceback" not in done.stderr, done.stderr)
    with open(os.devnull) as nothing:
        done = call([str(WLAB), "shell"], stdin=nothing)
    expect(not done.returncode and not done.stderr, f"of nothing: {done.returncode} {done.stderr}")
    return "as a script's"


def check_where_results_go() -> str:
    """What cannot be written is found before the run, here one that would fail for another reason."""
    path = str(write("places", GOOD + "[[at]]\ntime = \"2s\"\nrun = \"exit 3\"\n"))
    mine = OUT / "places"
    shutil.rmtree(mine, ignore_errors=True)
    mine.mkdir(parents=True)
    (mine / "letter").write_text("dear\n")
    places = [
        (mine, "exists and is not a result of wlab"),
        (Path("/etc"), "exists and is not a result of wlab"),
        (mine / "letter", "exists and is not a folder"),
        (mine / "letter" / "sub", "cannot be written"),
        (Path("/proc/none/sub"), "cannot be written"),
        (Path("/proc/none"), "/proc/none: cannot be written"),
    ]
    for out, text in places:
        called = wlab("run", path, "--out", str(out), "--force")
        expect(called.status == 1 and f"{text}" in called.err, f"{out}: {called.err}")
        expect(str(out.parent) in called.err, f"{out} is not named: {called.err}")
        expect(".part" not in called.err, f"nobody typed that: {called.err}")
        expect("exit status 3" not in called.err, f"{out} was found after the run")
        expect("Traceback" not in called.err, called.err)
    expect([p.name for p in mine.iterdir()] == ["letter"], f"left: {list(mine.iterdir())}")
    return f"{len(places)} places"


def check_two_runs_into_one_folder() -> str:
    """A result is replaced where that is asked for only, and by one run at a time."""
    path, out = str(write("twice", GOOD)), OUT / "twice"
    shutil.rmtree(out, ignore_errors=True)
    expect(wlab("run", path, "--out", str(out)).status == 0, "the first run failed")
    for args, status, seed in (((), 1, 1), (("--force",), 0, 2)):
        called = wlab("run", path, "--out", str(out), "--seed", "2", *args)
        expect(called.status == status, f"{args}: status {called.status}: {called.err}")
        expect(status == 0 or "holds a result; --force replaces it" in called.err, called.err)
        have = json.loads((out / "result.json").read_text())["seed"]
        expect(have == seed, f"{args}: the result is of seed {have}")
    part = OUT / ".twice.part"
    part.mkdir()
    (part / "left").mkdir()
    fd = os.open(part, os.O_RDONLY)
    fcntl.flock(fd, fcntl.LOCK_EX)
    called = wlab("run", path, "--out", str(out), "--force")
    expect(called.status == 1 and "another run is writing" in called.err, called.err)
    # As after a run that was killed: the next one cleans up.
    os.close(fd)
    called = wlab("run", path, "--out", str(out), "--force")
    expect(called.status == 0 and not part.exists(), called.err)
    expect(not (out / "left").exists(), "the result has what another run had left")
    return "refused, forced, and one at a time"


SMALL = """
mount -t tmpfs -o size="$1"k none "$2" || exit 99
shift 2
cd /
"$@"
"""


def check_a_full_disk() -> str:
    """Told with the path and the cause, of the result's disk and of the scratch folder's."""
    if call(["unshare", "-rm", "true"]).returncode:
        raise Skipped("no user namespaces to have a small disk in")
    path = str(write("full", GOOD.replace('"10s"', '"200s"')))
    with own_tmp() as small:
        there = {**os.environ, "TMPDIR": str(small)}
        for env, out, text in (
            (None, small / "out", f"{small}/.out.part/"),
            (there, OUT / "full", f"{small}/wlab."),
        ):
            argv = [str(WLAB), "run", path, "--out", str(out)]
            done = call(["unshare", "-rm", "sh", "-c", SMALL, "sh", "200", str(small), *argv], env=env)
            expect(done.returncode == 1, f"status {done.returncode}: {done.stderr}")
            expect(text in done.stderr and "the disk is full" in done.stderr, f"{out}: {done.stderr}")
            expect("Traceback" not in done.stderr, done.stderr)
            expect(not (OUT / "full").exists() and not (OUT / ".full.part").exists(), "half a result")
    return "with the path and what is free"


def check_broken_results() -> str:
    """A result that was cut off or is none is refused by the file's name."""
    good, bad = OUT / "whole", OUT / "broken"
    shutil.rmtree(good, ignore_errors=True)
    called = wlab("run", str(write("whole", GOOD)), "--out", str(good))
    expect(called.status == 0, called.err)
    result = (good / "result.json").read_bytes()
    events = (good / "events.tsv").read_bytes()
    cwnd = (good / "series" / "f.cwnd.tsv").read_bytes()
    half = events[: events.rindex(b"\n", 0, len(events) // 2) + 1]
    for name, data, text in (
        ("result.json", result[: len(result) // 2], "result.json is damaged"),
        ("result.json", b"", "result.json is damaged"),
        ("result.json", b"[]", "result.json is not a result"),
        ("result.json", b'{"name": "x"}', "result.json is not a result"),
        ("events.tsv", events[: len(events) // 2], "events.tsv is truncated or changed"),
        ("events.tsv", half, "events.tsv is truncated or changed"),
        ("events.tsv", None, "has no events.tsv"),
        ("series/f.cwnd.tsv", cwnd[: cwnd.rindex(b"\n", 0, len(cwnd) // 2) + 1], "f.cwnd.tsv is truncated"),
        ("series/f.cwnd.tsv", cwnd.replace(b"\t", b"\tx", 1), "f.cwnd.tsv is truncated or changed"),
        ("series/f.cwnd.tsv", None, "has no series/f.cwnd.tsv"),
    ):
        shutil.rmtree(bad, ignore_errors=True)
        shutil.copytree(good, bad)
        (bad / name).unlink()
        if data is not None:
            (bad / name).write_bytes(data)
        page = ["--out", str(OUT / "broken-page")]
        # Those that draw or give the series, and those of the event log alone.
        own = [["plot"], ["compare", *page]]
        others = [["why"], ["web", *page], ["export", "--to", str(OUT / "broken.csv")]]
        series = name.startswith("series")
        try:
            expect(not api.open(bad).series if series else not api.open(bad).events, "read all the same")
        except LabError as e:
            expect(text in str(e) or "pandas" in str(e), f"import wlab, {name}: {e}")
        for command, *more in [*own, *([] if series else others)]:
            called = wlab(command, str(bad), *more)
            if "is missing; type" in called.err:
                continue
            expect(called.status == 1 and text in called.err, f"{command}, {name}: {called.err}")
            expect("Traceback" not in called.err, called.err)
    return "result.json, events.tsv, a series"


def check_no_boot_log() -> str:
    """Above a program's error stands what the program has said, not how the kernel has booted."""
    # LINUX_REBOOT_CMD_POWER_OFF; a small system has no poweroff.
    off = "import ctypes; ctypes.CDLL(None).reboot(0x4321FEDC)"
    dies = f"echo its-own-words >&2; kill -9 1; python3 -c '{off}'"
    seconds = 600.0
    for script in (dies, "while :; do :; done"):
        begin = time.monotonic()
        called = wlab("exec", "--timeout", f"{seconds:.0f}", "--", "sh", "-c", script)
        expect(called.status == 1, f"{script} passed")
        expect(script != dies or "its-own-words" in called.err, called.err)
        # Of the second, so much that it has booted, on a machine that is as busy as for the first.
        seconds = 5 + 10 * (time.monotonic() - begin)
        for word in ("Linux version", "NET: Registered", "Run /", "epollctl"):
            expect(word not in called.err, f"{script}: the boot log is told:\n{called.err}")
    return "no boot log"


# A program that reads none of its sockets, and one that sends to both as long as it can.
DEAF = """import socket, time; s = socket.create_server(("", 7)); u = socket.socket(type=socket.SOCK_DGRAM);
 u.bind(("", 7)); c = s.accept(); time.sleep(6);
 print(open("/proc/net/snmp").read().split("Udp: ")[2].split()[4])"""
SPEAKER = """import select, socket, time; s = socket.create_connection(("10.0.2.1", 7)); s.setblocking(False);
 u = socket.socket(type=socket.SOCK_DGRAM);
 [u.sendto(bytes(1200), ("10.0.2.1", 7)) and time.sleep(.002) for i in range(500)];
 more = iter(lambda: bool(select.select([], [s], [], 2)[1]), False);
 print(sum(s.send(bytes(65536)) for _ in more))"""


def check_a_receiver_that_never_reads() -> str:
    """Of a receiver that never reads TCP's sender waits, and datagrams are dropped: memory has bounds."""
    text = 'duration = "9s"\n[radio]\nwlink = "rate 10mbit limit 30"\n'
    for name, node, start, line in (("deaf", "ue", 0, DEAF), ("speaker", "server", 1, SPEAKER)):
        run = f"exec python3 -c '{line.replace(chr(10), '')}'"
        text += f"[[program]]\nname = '{name}'\nin = '{node}'\nstart = '{start}s'\nrun = \"\"\"{run}\"\"\"\n"
    folder = OUT / "deaf"
    called = wlab("run", str(write("deaf", text)), "--out", str(folder), "--force")
    expect(called.status == 0, called.err)
    taken, dropped = (int((folder / f"programs/{one}.out").read_text()) for one in ("speaker", "deaf"))
    expect(65536 <= taken < 16 << 20, f"TCP took {taken} bytes")
    expect(0 < dropped < 500, f"{dropped} datagrams dropped of 500")
    return f"TCP took {taken} bytes; {dropped} of 500 datagrams dropped"


def check_10_gbit_s_of_small_packets() -> str:
    """10 Gbit/s of the smallest packets are more than is recorded at a time."""
    flow = '[[flow]]\nname = "f"\nkind = "udp"\nrate = "10gbit"\nsize = {}\n'
    text = 'duration = "8ms"\n[radio]\nwlink = "rate 10mbit limit 30"\n' + flow
    said = {40: "flow.f.size: 40 is outside 44..1500 bytes", 44: "the trace buffer was too small"}
    for size, words in said.items():
        folder = OUT / "flood"
        called = wlab("run", str(write("flood", text.format(size))), "--out", str(folder), "--force")
        expect(called.status == 1 and words in called.err, f"'{words}' is not in:\n{called.err}")
        expect(not (folder / "result.json").exists(), "a result is left")
    return "said, and nothing left"


CASES: dict[str, Callable[[], str]] = {
    "crashing workload": failing("crash", "kill -SEGV $$", "signal 11", "Segmentation fault"),
    "failing workload": failing("fail", "echo no >&2; exit 3", "exit status 3", "no\n"),
    "command that tc refuses": failing(
        "refused", "tc qdisc change dev {down} root wlink tti 20s", "exit status", "is outside 0..10s"
    ),
    "a link that another takes the place of": failing(
        "other", "tc qdisc replace dev {down} root netem delay 5ms", "radio.down: its wlink was removed or"
    ),
    "a link that is made anew": failing(
        "anew",
        "tc qdisc replace dev {down} root handle 9: wlink rate 1mbit",
        "radio.down: its wlink was removed",
    ),
    "hung guest": failing(
        "hung", "while :; do :; done", "the guest hangs", "virtual seconds", "that had started: idle",
        args=("--timeout", "10", "--set", "program=[{name='idle',in='ue',run='sleep 100'}]"),
    ),  # fmt: skip
    "kernel warning": kernel_trouble("warn", "was asked for", "the lab kernel reports a fault: WARNING"),
    "kernel oops": kernel_trouble("oops", "the lab kernel reports a fault"),
    "hung kernel": kernel_trouble("hang", "the guest hangs", timeout="10"),
}
