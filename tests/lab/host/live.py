# SPDX-License-Identifier: GPL-2.0
"""`wlab live`: what a program behind the link has, what the link has of it, and what is left of both.

Nothing here depends on how fast the machine is: no delay is ever below the model's, and packets
are counted.
"""

import contextlib
import hashlib
import json
import os
import pty
import re
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from brief import brief
from lab import OUT, WLAB, Skipped, as_user, call, echo, expect
from sandbox import LOCKED, POWERLESS
from wlablib.live import machine
from wlablib.web import log

# Its cases do not use each other's results.
APART = True

GATEWAY = "198.18.0.1"
FAST = ("--down", "rate 100mbit delay 5ms limit 1000")
HANGS_S = 600.0
# Where a shell starts these cases in the background both are ignored, which a command inherits.
FOREGROUND = ("env", "--default-signal=INT,QUIT")
# A client of echo(): datagrams of so many bytes one after the other, and the quickest answer in ms.
PING = """
import socket, sys, time
port, count, size = map(int, sys.argv[1:])
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.settimeout(60)
least = 1e9
for i in range(count):
    begin = time.monotonic()
    s.sendto(b'x' * size, ('198.18.0.1', port))
    assert s.recv(65536) == b'x' * size
    least = min(least, time.monotonic() - begin)
print(least * 1e3, "ms")
"""
# Sends standard input to a server, and prints the SHA-256 of what comes back.
FETCH = """
import hashlib, socket, sys
s = socket.create_connection(('198.18.0.1', int(sys.argv[1])))
s.sendall(sys.stdin.buffer.read())
s.shutdown(socket.SHUT_WR)
print(hashlib.sha256(s.makefile('rb').read()).hexdigest())
"""
# What becomes of a connection that is made and says nothing.
REFUSED = "import socket, sys; socket.create_connection(('198.18.0.1', int(sys.argv[1]))).recv(1)"


def python(text: str, *args: object) -> list[str]:
    return [sys.executable, "-c", text, *map(str, args)]


def needs_namespaces() -> None:
    """What the host forbids cannot be tried."""
    if call(["unshare", "-Urn", "true"]).returncode:
        raise Skipped("no user namespaces on this host")
    if not os.access("/dev/net/tun", os.R_OK | os.W_OK):
        raise Skipped("no /dev/net/tun that may be opened")
    if missing := [name for name in ("pasta", "nft") if not shutil.which(name)]:
        raise Skipped(f"no {' and no '.join(missing)}: userspace/need live")


def live(words: tuple[str, ...], command: list[str], **options: object) -> "subprocess.CompletedProcess[str]":
    return call([*FOREGROUND, str(WLAB), "live", *words, "--", *command], timeout=HANGS_S, **options)


def fine(words: tuple[str, ...], command: list[str], **options: object) -> str:
    """What a command has said that must succeed; and what wlab has of the link."""
    done = live(words, command, **options)
    expect(done.returncode == 0, f"{done.returncode}: {done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def packets(said: str, way: str) -> int:
    """Those that went through, of wlab's last lines."""
    found = re.search(rf"^wlab: {way}link: (\d+) packets, 0 dropped", said, re.M)
    expect(found is not None, f"no {way}link that has dropped nothing in:\n{said}")
    return int(found[1]) if found else 0


def least_ms(said: str) -> float:
    """What PING has printed, maybe behind lines that say what wlab waits for."""
    found = re.search(r"^([\d.]+) ms$", said, re.M)
    expect(found is not None, f"no time in:\n{said}")
    return float(found[1]) if found else 0


@contextlib.contextmanager
def server(reply: bytes) -> Iterator[tuple[int, list[bytes]]]:
    """A server of TCP there that reads all, then replies; its port, and what it has read."""
    got: list[bytes] = []
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        sock.listen()

        def answer() -> None:
            with contextlib.suppress(OSError):
                while True:
                    with sock.accept()[0] as one:
                        got.append(one.makefile("rb").read())
                        one.sendall(reply)

        threading.Thread(target=answer, daemon=True).start()
        yield sock.getsockname()[1], got


def check_datagrams() -> str:
    """Each goes through the link, once each way, and never sooner than the model lets it."""
    needs_namespaces()
    with echo() as port:
        words = ("--down", "rate 1mbit delay 30ms", "--up", "rate 500kbit delay 20ms")
        said = fine(words, python(PING, port, 20, 972))
    counted = [packets(said, way) for way in ("down", "up")]
    expect(counted == [20, 20], f"20 datagrams each way are {counted} on the links")
    # 1000 bytes of IP and 14 of Ethernet at each rate.
    least = 30 + 20 + 1014 * 8 / 1000 + 1014 * 8 / 500
    took = least_ms(said)
    expect(took >= least, f"there and back in {took} ms, and the model says {least}")
    expect(re.search(r"^wlab: machine: load [\d.]+ on \d+ processors, busy", said, re.M) is not None, said)
    return f"20 each way, the quickest in {took:.1f} ms of the model's {least:.1f}"


def check_tcp() -> str:
    """Bytes of TCP come as they were sent; the gateway is the host's loopback; a reset if nobody listens."""
    needs_namespaces()
    sent, reply = os.urandom(300_000), os.urandom(2_000_000)
    with server(reply) as (port, got):
        begin = time.monotonic()
        done = call(
            [str(WLAB), "live", "--down", "rate 20mbit delay 5ms", "--", *python(FETCH, port)],
            input=sent, text=False, errors=None,
        )  # fmt: skip
        took = time.monotonic() - begin
    said = (done.stdout + done.stderr).decode()  # type: ignore[attr-defined]
    expect(done.returncode == 0, said)
    expect(said.split()[0] == hashlib.sha256(reply).hexdigest(), f"another reply came: {said}")
    expect(got == [sent], "the server has got something else than was sent")
    expect(packets(said, "down") >= len(reply) // 1448 and packets(said, "up") >= len(sent) // 1448, said)
    least = (len(sent) + len(reply)) * 8 / 20e6
    expect(took >= least, f"{took} s for what takes the link {least} s")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        done = live(FAST, python(REFUSED, free.getsockname()[1]))
    expect(done.returncode == 1 and "Connection reset" in done.stderr, done.stderr)
    return "2.3 MB there and back; a reset where nobody listens"


def check_what_is_the_users() -> str:
    """Exit status, environment, folder, files, ids and words are those of the caller."""
    needs_namespaces()
    with tempfile.TemporaryDirectory() as folder:
        script = 'cat; echo "$MARK $PWD $1 $(id -u) $(cat <&7)"; echo error >&2; echo x >made; exit 9'
        Path(folder, "seven").write_text("seven")
        # By a shell: in this process, 7 is somebody else's.
        run = [str(WLAB), "live", *FAST, "--", "sh", "-c", script, "sh", "a  'b"]
        done = call(
            ["sh", "-c", 'exec "$@" 7<seven', "sh", *run],
            cwd=folder, input="in\n", env=os.environ | {"MARK": "mark"},
        )  # fmt: skip
        expect(done.returncode == 9, f"{done.returncode}: {done.stderr}")
        expect(done.stdout == f"in\nmark {folder} a  'b {os.getuid()} seven\n", done.stdout)
        expect(done.stderr.startswith("error\nwlab: downlink: "), done.stderr)
        made = Path(folder, "made").stat()
        expect((made.st_uid, made.st_gid) == (os.getuid(), os.getgid()), "its file is another's")
    done = live(FAST, ["sh", "-c", "kill -QUIT $$"])
    expect(done.returncode == 128 + signal.SIGQUIT, f"ended by SIGQUIT: {done.returncode}")
    script = "kill -QUIT $$; cat /etc/resolv.conf; ip link set eth0 down || echo refused"
    done = call(["env", "--ignore-signal=QUIT", str(WLAB), "live", *FAST, "--", "sh", "-c", script])
    expect(done.stdout == f"nameserver {GATEWAY}\nrefused\n", done.stdout + done.stderr)
    return "status, words, environment, folder, files; no power over the network"


def check_a_normal_user() -> str:
    """The same for who is not root."""
    become = as_user()
    needs_namespaces()
    with tempfile.TemporaryDirectory(prefix="tun.") as folder, echo() as port:
        os.chmod(folder, 0o755)
        node = Path(folder, "tun")
        os.mknod(node, 0o20666, os.makedev(10, 200))
        node.chmod(0o666)
        env = ["env", f"WLAB_BUILD={WLAB.parents[2] / 'build'}"]
        run = [*become, *env, str(WLAB), "live", *FAST, "--", *python(PING, port, 5, 100)]
        script = f'mount --bind {node} /dev/net/tun && exec "$@"'
        done = call(["unshare", "-m", "sh", "-c", script, "sh", *run])
    expect(done.returncode == 0, done.stderr)
    expect(packets(done.stderr, "down") == 5, done.stderr)
    return "as nobody"


class Terminal:
    """A command in a terminal of its own."""

    def __init__(self, argv: list[str]) -> None:
        self.pid, self.fd = pty.fork()
        if not self.pid:
            os.execvp(FOREGROUND[0], [*FOREGROUND, *argv])
        self.said = ""

    def wait_for(self, text: str, after: int = 0) -> None:
        """Until it is there, behind so many characters."""
        end = time.monotonic() + HANGS_S
        while text not in self.said[after:]:
            if not select.select([self.fd], [], [], max(0.0, end - time.monotonic()))[0]:
                break
            try:
                self.said += os.read(self.fd, 65536).decode(errors="replace")
            except OSError:
                break
        expect(text in self.said[after:], f"no '{text}' came:\n{self.said}")

    def type(self, text: str) -> None:
        os.write(self.fd, text.encode())

    def end(self) -> int:
        with contextlib.suppress(OSError):
            while data := os.read(self.fd, 65536):
                self.said += data.decode(errors="replace")
        os.close(self.fd)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


def check_a_terminal() -> str:
    """Its keys and its jobs are the command's."""
    needs_namespaces()
    one = Terminal([str(WLAB), "live", *FAST, "--", "bash", "--norc", "-i"])
    one.type("PS1='> '; stty rows 33; stty size; sh -c 'echo re\"\"ady; exec cat'\n")
    one.wait_for("33 ")
    # Before, ^C may come between two commands, which bash takes for itself.
    one.wait_for("ready")
    # What is typed before bash is back in front is thrown away with ^C.
    said = len(one.said)
    one.type("\3")
    one.wait_for("> ", said)
    one.type("echo status $?\n")
    one.wait_for("status 130")
    one.type("sleep 1000 &\n")
    one.type("jobs; exit 5\n")
    one.wait_for("Running")
    expect(one.end() == 5, one.said)
    one = Terminal([str(WLAB), "live", *FAST, "--", "sh", "-c", "echo here; exec sleep 1000"])
    one.wait_for("here")
    one.type("\3")
    expect(one.end() == 128 + signal.SIGINT, one.said)
    expect("wlab: downlink" in one.said, one.said)
    return "keys, jobs, ^C"


def below(pid: int) -> set[int]:
    """A process and all that it has started."""
    out = {pid}
    with contextlib.suppress(OSError):
        for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
            out |= below(int(child))
    return out


def born(pid: int) -> str:
    """When a process has begun; numbers come again. "" where it is gone or only waited for."""
    with contextlib.suppress(OSError):
        words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return "" if words[0] == "Z" else words[19]
    return ""


def name(pid: int) -> str:
    """Of a process; "" where it is gone."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/comm").read_text().strip()
    return ""


def nothing_left(number: int) -> None:
    """Of a run that a signal ends."""
    script = "sleep 1000 & setsid sleep 1000 & trap '' TERM HUP; echo here; while :; do sleep 1000; done"
    with tempfile.TemporaryDirectory() as folder:
        argv = [str(WLAB), "live", *FAST, "--", "bash", "-c", script]
        env = os.environ | {"TMPDIR": folder}
        run = subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env)
        expect(run.stdout is not None and run.stdout.readline() == b"here\n", "the command has not begun")
        end = time.monotonic() + HANGS_S
        while True:
            had = {pid: born(pid) for pid in below(run.pid)}
            names = {name(pid) for pid in had}
            # bash's children are bash until they have called execve()
            if {"sleep", "linux", "wlab-keep"} <= names and len(had) >= 10:
                break
            expect(time.monotonic() < end, f"too few processes: {names}")
            time.sleep(0.05)
        run.send_signal(number)
        run.communicate(timeout=HANGS_S)
        wanted = -number if number == signal.SIGKILL else 128 + number
        expect(run.returncode == wanted, f"status {run.returncode}, wanted {wanted}")
        end = time.monotonic() + HANGS_S
        while left := [pid for pid, when in had.items() if when and born(pid) == when]:
            expect(time.monotonic() < end, f"left of SIGNAL {number}: {left}")
            time.sleep(0.05)
        while files := os.listdir(folder):
            expect(time.monotonic() < end, f"left of SIGNAL {number}: {files}")
            time.sleep(0.05)


def check_nothing_is_left() -> str:
    """No process, no file, whatever ends it."""
    needs_namespaces()
    for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGHUP):
        nothing_left(number)
    done = live(FAST, ["sh", "-c", "setsid sleep 1000 & echo $!"])
    expect(not born(int(done.stdout)), "a process outlives its command")
    return "SIGKILL, SIGTERM, SIGHUP, a command that leaves some"


def check_ten_at_once() -> str:
    """Each has a link of its own."""
    needs_namespaces()
    with echo() as port:
        runs = []
        for i in range(1, 11):
            argv = [str(WLAB), "live", "--down", f"rate 1mbit delay {10 * i}ms", "--"]
            argv += python(PING, port, i, 100)
            runs.append(subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True))
        for i, one in enumerate(runs, 1):
            said = one.communicate(timeout=HANGS_S)[0]
            expect(one.returncode == 0, said)
            counted = [packets(said, way) for way in ("down", "up")]
            expect(counted == [i, i], f"{i} datagrams each way are {counted} on the links")
            took = least_ms(said)
            expect(took >= 20 * i, f"{took} ms, and the model says more than {20 * i}")
    return "1 to 10 datagrams, 20 to 200 ms there and back"


def check_asked_meanwhile() -> str:
    """`set`, `record` and `top` by another terminal."""
    needs_namespaces()
    file = OUT / "live.jsonl"
    OUT.mkdir(parents=True, exist_ok=True)
    file.unlink(missing_ok=True)
    with echo() as port, tempfile.TemporaryDirectory() as folder:
        env = os.environ | {"TMPDIR": folder}
        argv = [str(WLAB), "live", *FAST, "--", "bash", "-c", 'while read -r line; do eval "$line"; done']
        run = subprocess.Popen(
            argv, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        expect(run.stdin is not None and run.stdout is not None, "no pipes")
        assert run.stdin and run.stdout

        def do(line: str) -> str:
            assert run.stdin and run.stdout
            run.stdin.write(line + "\n")
            run.stdin.flush()
            return run.stdout.readline()

        def ask(*words: str) -> "subprocess.CompletedProcess[str]":
            return call([str(WLAB), "live", *words], env=env)

        client = Path(folder, "ping.py")
        client.write_text(PING)
        do("echo")
        done = ask("set", "delay", "60ms")
        expect(done.returncode == 0 and done.stdout.count("applied at") == 2, done.stdout + done.stderr)
        expect(ask("--of", str(run.pid), "set", "up", "delay", "70ms").returncode == 0, "--of PID")
        took = least_ms(do(f"{sys.executable} {client} {port} 1 100"))
        expect(took >= 130, f"{took} ms there and back after delays of 60 and 70 ms were set")
        if shutil.which("ping"):
            line = do("ping -qc 2 198.18.0.1 | tail -n 1")
            least = re.search(r"= ([\d.]+)/", line)
            expect(least is not None and float(least[1]) >= 130, f"the gateway: {line}")
        done = ask("set", "delay", "nothing")
        expect(done.returncode == 1 and "nothing" in done.stderr, done.stdout + done.stderr)
        expect(not done.stdout, done.stdout)
        argv = [str(WLAB), "live", "record", "down", str(file)]
        rec = subprocess.Popen(argv, env=env, stderr=subprocess.PIPE, text=True)
        end = time.monotonic() + HANGS_S
        while not (file.exists() and "clock" in file.read_text()):
            expect(time.monotonic() < end, "record does not begin")
            time.sleep(0.05)
        # Its first line comes before it has begun.
        while file.read_text().count("wlink_sdu") < 3:
            expect(time.monotonic() < end, f"record has {file.read_text()}")
            do(f"{sys.executable} {client} {port} 1 100")
        rec.send_signal(signal.SIGINT)
        errors = rec.communicate(timeout=HANGS_S)[1]
        expect(rec.returncode == 0, f"record ends with {rec.returncode}: {errors}")
        lines = [json.loads(line) for line in file.read_text().splitlines()]
        sdus = [x for x in lines if x.get("event") == "wlink_sdu"]
        expect(lines[-1] == {"lost": 0, "events": len(sdus)}, f"{len(sdus)} packets, {lines[-1]}")
        inside = re.search(rb'type="application/json">(.*?)</script>', log.page(file)[0], re.DOTALL)
        shown = json.loads(inside[1] if inside else "")
        expect([*shown["keys"]] == ["down"], f"replayed as {shown['keys']}")
        come = sum(one["sdus"] for one in shown["samples"]["down"])
        expect(come == sum(x["drop"] == "none" for x in sdus), f"{come} replayed of {len(sdus)} recorded")
        top = ask("top", "--once")
        expect(top.returncode == 0 and "downlink" in top.stdout and "uplink" in top.stdout, top.stdout)
        screen = Terminal(["env", f"TMPDIR={folder}", "TERM=xterm", str(WLAB), "live", "top"])
        screen.wait_for("uplink")
        screen.type("q")
        expect(screen.end() == 0, screen.said)
        expect("process 1 is no wlab live of yours" in ask("--of", "1", "top").stderr, "--of 1")
        run.communicate(timeout=HANGS_S)
        expect(run.returncode == 0, "the command's status")
        expect("no wlab live of yours runs" in ask("top").stderr, "where none runs")
    return "delays are in force, packets recorded, top on a screen and once"


def check_a_scenario() -> str:
    """The radio link of a scenario, with its classes and its trace."""
    needs_namespaces()
    OUT.mkdir(parents=True, exist_ok=True)
    (OUT / "live.csv").write_text("0,1mbit\n0.05,2mbit\n")
    path = OUT / "live.toml"
    path.write_text(
        "name = 'live'\nduration = '1s'\n[radio.down]\nwlink = 'rate 5mbit delay 40ms'\n"
        "classes = ['classid 1:2 wlink mode um pdu 40']\n"
        "filters = ['protocol ip flower ip_proto udp classid 1:2']\ntrace = { file = 'live.csv' }\n"
        "[radio.up]\nnetem = 'delay 30ms'\n"
    )
    with echo() as port:
        said = fine((str(path),), python(PING, port, 5, 100))
        expect(packets(said, "up") == 5, said)
        expect(least_ms(said) >= 70, said)
        words = (str(path), "--set", "radio.up.netem=delay 80ms", "--json")
        said = fine(words, python(PING, port, 2, 100))
    expect(least_ms(said) >= 120, said)
    told = json.loads(said.splitlines()[-1])
    down, up, did = told["links"]["downlink"], told["links"]["uplink"], told["machine"]
    expect(told["status"] == 0 and up == {"kind": "netem", "packets": 2, "dropped": 0}, said)
    expect((down["kind"], down["packets"], down["dropped"]) == ("wlink", 2, 0), said)
    expect(0 <= down["late_p50_ns"] <= down["late_p99_ns"] <= down["late_max_ns"], said)
    expect(did["processors"] == os.cpu_count() and 0 < did["busy"] + did["steal"] <= 1, said)
    return "a wlink with a class and a trace, a netem, both as JSON"


def check_the_machine() -> str:
    """Its words are those of the kernel's files, over the time that is asked for."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        stat, governed = folder / "stat", folder / "cpu0" / "cpufreq"
        (folder / "loadavg").write_text("2.50 1.00 0.50 3/100 4000\n")
        (folder / "cpuinfo").write_text("cpu MHz\t\t: 1000.000\n\ncpu MHz\t\t: 2000.400\n")
        with pytest.MonkeyPatch.context() as patch:
            for file in ("STAT", "LOAD", "CPUINFO", "CPUS"):
                of = {"LOAD": "loadavg", "CPUS": "."}.get(file, file.lower())
                patch.setattr(machine, file, folder / of)
            stat.write_text("cpu  1000 100 1000 5000 500 10 10 70 0 0\ncpu0 9 9 9 9 9 9 9 9 0 0\n")
            begin = machine.ticks()
            # 100 more: user 20, nice 10, system 20, idle 20, iowait 10, irq 5, softirq 5, steal 10.
            stat.write_text("cpu  1020 110 1020 5020 510 15 15 80 0 0\ncpu0 9 9 9 9 9 9 9 9 0 0\n")
            patch.setattr(os, "cpu_count", lambda: 2)
            text = machine.since(begin).as_text()
            wanted = "machine: load 2.5 on 2 processors, busy 60%, steal 10.0% of the time; CPU frequency "
            expect(text == wanted + "1000 to 2000 MHz", text)
            governed.mkdir(parents=True)
            (governed / "scaling_cur_freq").write_text("1800000\n")
            text = machine.since(begin).as_text()
            expect(text == wanted + "1800 MHz", text)
            (governed / "scaling_cur_freq").unlink()
            (folder / "cpuinfo").write_text("")
            text = machine.since(machine.ticks()).as_text()
            expect("busy 0%, steal 0.0% of the time; CPU frequency unknown" in text, text)
    return "load, busy, steal, frequencies"


PATHS = OUT / "path"


def hidden(script: str) -> list[str]:
    """Words that run a command where a script has hidden something of the host; no power to mend it."""
    return ["unshare", "-Urm", "sh", "-c", f'{script} && exec "$@"', "sh", *POWERLESS]


def only(*names: str) -> list[str]:
    """Words that run a command where there are no other programs."""
    folder = PATHS / "-".join(("only", *names))
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name in ("sh", "python3", *names):
        (folder / name).symlink_to(shutil.which(name) or name)
    return ["env", f"PATH={folder}"]


def not_there() -> list[tuple[list[str], int, tuple[str, ...]]]:
    """What the host lacks or forbids; the status; what is said."""
    tun = "modprobe tun; chmod 666 /dev/net/tun", "--device /dev/net/tun"
    clone = PATHS / "unprivileged_userns_clone"
    PATHS.mkdir(parents=True, exist_ok=True)
    clone.write_text("0\n")
    no_spaces = "echo 0 >/proc/sys/user/max_user_namespaces"
    return [
        (only("nft", "ip"), 1, ("pasta: missing", "userspace/need live", "passt")),
        (only("pasta", "ip"), 1, ("nft: missing", "userspace/need live", "nftables")),
        (only(), 1, ("pasta, nft, ip: missing",)),
        (hidden("mount -t tmpfs none /dev/net"), 1, ("/dev/net/tun: No such file", *tun)),
        (
            hidden("mount -t tmpfs none /dev/net && (umask 777; : >/dev/net/tun)"),
            1,
            ("/dev/net/tun: Permission denied", *tun),
        ),
        (
            [*LOCKED, *POWERLESS],
            1,
            ("forbids user namespaces", "sysctl -w user.max_user_namespaces="),
        ),
        (
            # As Debian's kernel has it.
            hidden(f"{no_spaces} && mount --bind {PATHS} /proc/sys/kernel"),
            1,
            ("forbids user namespaces", "sysctl -w kernel.unprivileged_userns_clone=1"),
        ),
    ]


# What is typed; the status; what is said.
BAD: list[tuple[list[str], int, tuple[str, ...]]] = [
    (["--preset", "umts-9", "--", "true"], 1, ("umts-9", "wlinkctl preset list")),
    (["--preset", "umts-64", "--", "no-such-command"], 127, ("no-such-command: command not found",)),
    (["--preset", "umts-64", "--", "/etc/passwd"], 126, ("/etc/passwd: permission denied", "chmod +x")),
    (["--preset", "umts-64"], 2, ("no command",)),
    (["--", "true"], 2, ("which link?", "--preset")),
    (["--preset", "umts-64", "--down", "rate 1mbit", "--", "true"], 2, ("which link?",)),
    (["no.toml", "--", "true"], 1, ("no.toml",)),
    (["--down", "rate 1mbit dellay 5ms", "--", "true"], 1, ("dellay",)),
]


# A scenario of another link than [radio].
NETWORK = brief("""name = "n"
duration = "1s"
[node.a] [node.b]
[link.ab] between = ["a", "b"]; wlink = "rate 1mbit"
""")


def check_bad_input() -> str:
    """Each is told what is wrong and what to do, and nothing is booted."""
    needs_namespaces()
    plain = ["--preset", "umts-64", "--", "sh", "-c", "true"]
    network = OUT / "network.toml"
    network.parent.mkdir(parents=True, exist_ok=True)
    network.write_text(NETWORK)
    tried: list[tuple[list[str], list[str], int, tuple[str, ...]]] = [([], *one) for one in BAD]
    tried.append(([], [str(network), "--", "true"], 1, ("no radio.down", "--down")))
    tried += [(before, plain, status, texts) for before, status, texts in not_there()]
    for before, words, status, texts in tried:
        done = call([*before, str(WLAB), "live", *words])
        expect(done.returncode == status, f"{before} {words}: status {done.returncode}: {done.stderr}")
        for text in texts:
            expect(text in done.stderr, f"{before} {words}: no '{text}' in {done.stderr}")
        expect("Traceback" not in done.stderr and "packets" not in done.stderr, done.stderr)
    return f"{len(tried)} messages"
