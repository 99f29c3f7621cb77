# SPDX-License-Identifier: GPL-2.0
"""What runs over the links: stacks, several flows of one kind, warm-up, early ends, programs."""

import json
import os
import re
import resource
import shutil
import statistics
import sys
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from brief import brief
from lab import OUT, ROOT, WLAB, Skipped, call, events, expect, run, sdus, wlab, write

sys.path.insert(0, str(WLAB.parent))
from wlablib.cli.main import table
from wlablib.lab import source
from wlablib.plan import stack
from wlablib.scenario import scenario

LINKS = brief("""[wired] wlink = "rate 1mbit delay 20ms"
[radio.down] wlink = "rate 384kbit tti 10ms delay 20ms limit 20"
[radio.up] wlink = "rate 64kbit tti 20ms delay 20ms"
""")


def in_force(stack: str, *checks: tuple[str, str]) -> str:
    """A timed command that fails where something is not as it must be."""
    tests = "".join(
        f"[[at]]\ntime = \"100ms\"\nin = \"{place}\"\nrun = '''{check}'''\n" for place, check in checks
    )
    return f'duration = "500ms"\n{LINKS}[tcp]\nstack = "{stack}"\n{tests}'


def sysctl_is(name: str, value: str) -> str:
    return f'test "$(cat /proc/sys/net/ipv4/{name} | tr "\\t" " ")" = "{value}"'


def check_stack_reno_2006() -> str:
    """What the result says is what other programs see, too."""
    ethtool = "ethtool -k wired-down"
    checks = (
        ("server", sysctl_is("tcp_sack", "0")),
        ("ue", sysctl_is("tcp_rmem", "4096 1048576 1048576")),
        ("ue", sysctl_is("tcp_congestion_control", "reno")),
        ("server", "ip route show 10.0.2.0/24 | grep 'initcwnd 1 .*initrwnd 44 quickack 1 congctl reno'"),
        ("server", f"! {ethtool} | grep -E '(tcp-seg|generic-seg|generic-rec)[a-z-]*: on'"),
        ("server", "ip -d link show dev wired-down | grep 'gso_max_segs 1 '"),
        # What is reported as missing is not there; one of each age.
        ("server", "for n in $(cat MISSING); do test ! -e /proc/sys/net/ipv4/$n || exit 1; done"),
    )
    missing = OUT / "stack-missing"
    texts = [(place, check.replace("MISSING", str(missing))) for place, check in checks]
    OUT.mkdir(parents=True, exist_ok=True)
    missing.write_text("no_such_thing\n")
    first, _ = run("stack-reno", in_force("reno-2006", *texts))
    said = first["stack"]
    names = [n.removeprefix("net.ipv4.") for n in said["missing"] if n.startswith("net.ipv4.")]
    expect(not set(said["missing"]) & set(said["set"]), "a sysctl is both missing and set")
    missing.write_text("\n".join(names) + "\n")
    run("stack-reno", in_force("reno-2006", *texts))
    expect(said["name"] == "reno-2006" and said["congestion"] == "reno", str(said))
    expect(said["set"]["net.ipv4.tcp_sack"] == "0", "tcp_sack is not said to be 0")
    expect("congctl reno" in said["route"] and not said["differs"], f"{said['route']} {said['differs']}")
    off = {s for dev in said["offloads"].values() for n, s in dev.items() if n != "gso_max_segs"}
    expect(off == {"off"}, f"offloads: {said['offloads']}")
    return f"{len(said['set'])} sysctls in force, this kernel lacks {len(names)}"


def check_stack_linux() -> str:
    """The kernel's own settings, recorded; and what a user sets besides."""
    text = in_force("linux", ("server", sysctl_is("tcp_sack", "1")), ("ue", sysctl_is("tcp_ecn", "1")))
    text += '[tcp.sysctl]\n"net.ipv4.tcp_ecn" = 1\n'
    said = run("stack-linux", text)[0]["stack"]
    have = said["set"]
    expect(said["name"] == "linux" and said["congestion"] == "cubic", str(said))
    expect(have["net.ipv4.tcp_sack"] == "1" and have["net.ipv4.tcp_ecn"] == "1", str(have))
    expect(not said["missing"] and not said["differs"], f"{said['missing']} {said['differs']}")
    called = wlab("run", str(write("stack-typo", text.replace("tcp_ecn", "tcp_ecm"))))
    expect("net.ipv4.tcp_ecm" in called.err, f"a sysctl that is not there: {called.err}")
    return "recorded as they are"


def retransmissions(folder: Path) -> Counter[str]:
    """Why a sender has retransmitted: the third duplicate ACK, an ACK of a part, or the timer.

    A tcp event has SND.UNA before the ACK counts, so that those with one value are its duplicates.
    """
    acks = [(int(words[0]), int(words[4]), int(words[5])) for words in events(folder, "tcp")]
    lines = [line.split("\t") for line in (folder / "series" / "f.seq.tsv").read_text().splitlines()]
    sent = [(int(words[0]), int(words[2])) for words in lines if words[1] == "sent"]
    out, highest, timer = Counter[str](), -1, -1
    for at, seq in sent:
        if seq <= highest:
            before = [ack for ack in acks if ack[0] <= at]
            when, una, nxt = before[-1]
            # What was outstanding when the timer expired is sent anew; numbers of events begin at 1.
            if when != at:
                timer = nxt - 1
            if seq < timer:
                out["timer"] += 1
            else:
                duplicates = sum(ack[1] == una for ack in before)
                out["third duplicate" if una - 1 == seq and duplicates == 3 else "partial"] += 1
        highest = max(highest, seq)
    return out


def check_stack_reno_1990() -> str:
    """Slow start overflows the buffer: NewReno retransmits at each ACK of a part, Reno at none.

    The oracle is the rule of RFC 2001, not the module's code.
    """
    links = LINKS.replace("rate 1mbit", "rate 10mbit").replace("384kbit tti 10ms", "1mbit")
    text = f'duration = "12s"\n{links}[tcp]\nstack = "STACK"\n'
    text += '[[flow]]\nname = "f"\nkind = "tcp"\nbytes = "300kb"\n'
    found = {}
    for name in ("reno-2006", "reno-1990"):
        result, folder = run(f"stack-{name}", text.replace("STACK", name))
        said = result["stack"]
        expect(said["name"] == name and not said["differs"], f"{name}: {said['differs']}")
        expect(result["flows"]["f"]["bytes"] == 300_000, f"{name}: {result['flows']['f']}")
        found[name] = retransmissions(folder)
    new, old = found["reno-2006"], found["reno-1990"]
    expect(new["third duplicate"] > 0 and new["partial"] > 5, f"NewReno: {new}")
    expect(old["third duplicate"] > 0 and old["timer"] > 5 and not old["partial"], f"Reno: {old}")
    return f"NewReno: {dict(new)}; Reno: {dict(old)}"


COUNTED = f"""duration = "5s"
seed = 3
{LINKS}[tcp]
stack = "reno-2006"
"""


def check_count() -> str:
    """count = 3 is three flows written by hand; a filter with its name is three filters."""
    one = '[[flow]]\nname = "f{}"\nkind = "tcp"\ndirection = "down"\n'
    by_hand, _ = run("several-hand", COUNTED + "".join(one.format(i) for i in (1, 2, 3)))
    text = COUNTED + one.format("")
    counted, _ = run("several", text, "--set", "flow.f.count=3")
    expect(list(counted["flows"]) == ["f1", "f2", "f3"], str(list(counted["flows"])))
    expect(counted["event_sha256"] == by_hand["event_sha256"], "count = 3 is not as three flows")
    single, _ = run("several-one", text, "--set", "flow.f.count=1")
    expect(list(single["flows"]) == ["f1"], "count = 1 is not numbered")
    filtered = text.replace("limit 20", "limit 20 sched fifo") + "count = 2\n"
    classes = (
        'classes = ["classid 1:2 wlink"]\n'
        'filters = ["protocol ip u32 match ip dport {f} 0xffff classid 1:2"]\n[radio.up]'
    )
    _, folder = run("several-class", filtered.replace("[radio.up]", classes))
    found = {(s.flow, s.bearer) for s in sdus(folder) if s.way == "forth"}
    expect(found == {("f1", 2), ("f2", 2)}, f"flows and bearers: {found}")
    return "the same events; all in the bearer of the group's filter"


FILE = (
    f'seed = 5\n{LINKS}[tcp]\nstack = "reno-2006"\n'
    '[[flow]]\nname = "file"\nkind = "tcp"\nbytes = "60kb"\n'
    '[[flow]]\nname = "other"\nkind = "tcp"\n'
)


def check_until() -> str:
    """The run ends with the flow, and up to there it is the run without `until`."""
    whole, long = run("until-without", f'duration = "20s"\n{FILE}')
    short, brief = run("until", f'duration = "20s"\nuntil = "file"\n{FILE}')
    end = short["flows"]["file"]["end_ns"]
    expect(short["flows"]["file"]["ended"] and short["ended_s"] * 1e9 == end, f"ended at {short['ended_s']}")
    expect(whole["flows"]["file"]["end_ns"] == end and whole["ended_s"] == 20, "the flow's end differs")
    expect(short["flows"]["other"]["end_ns"] == end, "the other flow's figures do not end there")

    def before(folder: Path) -> list[list[str]]:
        both = [line for kind in ("sdu", "tcp") for line in events(folder, kind)]
        return [line for line in both if int(line[0]) < end and "flush" not in line]

    expect(before(long) == before(brief), "other events than without `until`")
    many, _ = run("until-all", f'duration = "20s"\nuntil = "file"\n{FILE}', "--set", "flow.file.count=3")
    ends = [f["end_ns"] for name, f in many["flows"].items() if name.startswith("file")]
    expect(many["ended_s"] * 1e9 == max(ends), f"ended at {many['ended_s']} of {ends}")
    timeout, _ = run("until-late", f'duration = "1s"\nuntil = "file"\n{FILE}')
    expect(timeout["ended_s"] == 1 and not timeout["flows"]["file"]["ended"], "not at the latest after 1 s")
    return f"after {short['ended_s']:.3f} s of 20"


def check_warm_up() -> str:
    """Figures of what comes after it, from the log; the events do not feel it."""
    text = FILE.replace("bytes", "start = \"2s\"\nbytes") + (
        '[[flow]]\nname = "u"\nkind = "udp"\nrate = "64kbit"\nsize = 500\n'
    )
    warm_ns = 4 * 10**9
    cold, _ = run("warm-without", f'duration = "10s"\n{text}')
    warm, folder = run("warm", f'duration = "10s"\nwarmup = "4s"\n{text}')
    expect(cold["event_sha256"] == warm["event_sha256"], "the warm-up changes the events")
    expect(cold["warmup_s"] == 0 and warm["warmup_s"] == 4, "warmup_s")
    link, all_sdus = warm["links"]["radio.down"], list(sdus(folder))
    late = [s for s in all_sdus if s.arrival >= warm_ns and s.drop == "none"]
    mean = statistics.fmean(s.deliver - s.arrival for s in late)
    expect(abs(link["delay"]["mean_ns"] - mean) < 1, f"delay {link['delay']['mean_ns']} is not {mean}")
    drops = [s for s in all_sdus if s.drop == "overflow"]
    after = sum(s.end >= warm_ns for s in drops)
    expect(0 < after < len(drops), f"{after} of {len(drops)} drops after the warm-up tell nothing")
    expect(link["dropped"]["overflow"] == after, f"dropped {link['dropped']}, in the log {after}")
    expect(link["whole"]["dropped"]["overflow"] == link["xstats"]["drops"]["overflow"], "whole drops")
    expect(link["whole"]["buffer_mean_sdus"] == cold["links"]["radio.down"]["buffer_mean_sdus"], "whole")
    for name, flow in warm["flows"].items():
        all_bytes = cold["flows"][name]
        for key in ("bytes", "goodput_bps", "delay"):
            expect(flow["whole"][key] == all_bytes[key], f"{name}: {key} of the whole run")
        rate = flow["bytes"] * 8e9 / (flow["end_ns"] - warm_ns)
        expect(abs(flow["goodput_bps"] - rate) < 1e-6, f"{name}: {flow['goodput_bps']} is not {rate}")
    # A packet each 62.5 ms, and no error that adds up; the first one waits for its socket.
    first = sorted(s.arrival for s in all_sdus if s.flow == "u" and s.link == "wired.down")
    late_ns = {at - n * 62_500_000 for n, at in enumerate(first) if n}
    expect(late_ns <= {0, 1}, f"udp: packets leave {late_ns} ns late")
    # Nothing of the UDP flow is ever out of order: what has come is what the link delivered.
    udp = [s for s in all_sdus if s.flow == "u" and s.drop == "none" and s.deliver >= warm_ns]
    far = abs(warm["flows"]["u"]["bytes"] - sum(s.payload for s in udp))
    expect(far <= 472, f"udp: {warm['flows']['u']['bytes']} bytes after the warm-up, {far} too many or few")
    return f"{after} of {len(drops)} drops, mean delay {mean / 1e6:.1f} ms"


NGINX = (
    "mkdir www && head -c 50000 /dev/zero >www/file && printf "
    '"daemon off; master_process off; pid nginx.pid; error_log stderr; events {} '
    "http { access_log /dev/stdout; client_body_temp_path b; proxy_temp_path p; fastcgi_temp_path f; "
    'uwsgi_temp_path u; scgi_temp_path s; server { listen 8080; root $PWD/www; } }" >nginx.conf && '
    "exec nginx -e stderr -p $PWD -c $PWD/nginx.conf"
)
CURL = "exec curl -sS -o file -w '%{http_code} %{size_download} %{time_total}\\n' http://10.0.1.1:8080/file"


def programs(body: str) -> str:
    return f'duration = "30s"\nseed = 2\n{LINKS}{body}'


def program(name: str, place: str, line: str, more: str = "") -> str:
    return f"[[program]]\nname = \"{name}\"\nin = \"{place}\"\nrun = '''{line}'''\n{more}"


def check_programs_nginx_and_curl() -> str:
    """A real client fetches a file of a real server over the link, and the run ends with it."""
    if not all(map(shutil.which, ("nginx", "curl"))) and not Path("/usr/sbin/nginx").exists():
        raise Skipped("nginx-light or curl is not there: userspace/need papers")
    text = programs(
        program("nginx", "server", NGINX) + program("curl", "ue", CURL, 'start = "1s"\n')
    )
    text = f'until = "curl"\n{text}'
    result, folder = run("nginx-curl", text)
    code, size, took = (folder / "programs" / "curl.out").read_text().split()
    expect((code, size) == ("200", "50000"), f"curl says {code} {size}")
    expect("GET /file" in (folder / "programs" / "nginx.out").read_text(), "nginx has no line of it")
    late = result["ended_s"] - 1 - float(took)
    expect(0 <= late < 0.01, f"the run ended {late} s after curl had all")
    payload = sum(s.payload for s in sdus(folder) if s.drop == "none")
    expect(50000 < payload < 51000, f"{payload} bytes of payload on the radio link")
    least = 50000 * 8 / 384e3
    expect(least < float(took) < least + 0.6, f"{took} s; the link alone takes {least:.3f} s")
    again, _ = run("nginx-curl", text)
    expect(again["event_sha256"] == result["event_sha256"], "another run has other events")
    return f"50 kB in {took} s; the same events twice"


# Valid from when it is made here.
CERTIFICATE = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=wlab"
CLOCKS = """date -u +%FT%TZ; cat /proc/uptime
python3 -c "import time; print(time.monotonic(), time.clock_gettime(time.CLOCK_BOOTTIME))"
openssl verify -CAfile cert.pem cert.pem
ping -n -c 5 10.0.1.1 >/dev/null; date -u +%FT%TZ"""


def check_programs_what_the_clocks_say() -> str:
    """Date and uptime are those that the file says; ping takes the clock for one that is set."""
    if not all(map(shutil.which, ("openssl", "ping"))):
        raise Skipped("openssl or ping is not there: userspace/need programs")
    OUT.mkdir(parents=True, exist_ok=True)
    made = call([*CERTIFICATE.split(), "-keyout", "/dev/null", "-out", str(OUT / "cert.pem")])
    expect(made.returncode == 0, made.stderr)
    start = datetime.now(UTC).replace(microsecond=0) + timedelta(hours=1)
    texts = [
        programs(program("look", "ue", CLOCKS.replace("\n", "; "), "files = ['cert.pem']\n")) + clock
        for clock in (f"[clock]\nstart = '{start:%FT%TZ}'\n", "")
    ]
    said = (run("clocks", texts[0])[1] / "programs" / "look.out").read_text().split("\n")
    expect(said[0] == f"{start:%FT%TZ}", f"not {start}, but {said[0]}")
    expect(said[1].startswith("20971.5"), f"the uptime is {said[1]}")
    expect(all(0 <= float(word) - 20971.52 < 0.1 for word in said[2].split()), said[2])
    expect(said[3] == "cert.pem: OK", said[3])
    later = start + timedelta(seconds=4)
    expect(said[4] == f"{later:%FT%TZ}", f"5 packets of ping end at {said[4]}, not at {later}")
    first, folder = run("clocks", texts[1])
    again, _ = run("clocks", texts[1])
    expect(first["event_sha256"] == again["event_sha256"], "another run has other events")
    default = (folder / "programs" / "look.out").read_text().split("\n")[0]
    expect(default == "2026-01-01T00:00:00Z", f"without [clock] it is {default}")
    alone = wlab("exec", "--", "cat", "/proc/uptime").out.split()
    expect(alone[:1] == ["1000.00"], f"of a command without a scenario the uptime is {alone}")
    return f"{start:%F}, up for {said[1].split()[0]} s"


def check_what_a_look_at_the_clock_costs() -> str:
    """1 ns of virtual time, and no stop of the program where nothing is due meanwhile.

    Starts differ by some thousand waits, by what else the machine does: the looks are many more.
    """
    looks, rounds = 4000, 10
    code = (
        "import time; rounds = [time.sleep(0.01) or [clock() for clock in (time.monotonic_ns, time.time_ns)"
        f" for _ in range(%d)] for _ in range({rounds})]"
    )
    shown = (
        "; print(*{b - a for some in rounds for i in (0, %d)"
        " for a, b in zip(some[i:][:%d], some[i + 1:][:%d - 1])})"
    )
    waits = []
    for count in (2, looks):
        text = programs(program("look", "ue", f"python3 -c '{(code + shown) % ((count,) * 4)}'"))
        before = switches()
        result, folder = run(f"looks-{count}", text)
        waits.append(switches() - before)
        said = (folder / "programs" / "look.out").read_text().split()
        expect(said == ["1"], f"{count} looks are {said} ns apart")
    if source.numbers(result["versions"]["kernel"]) < (6, 19):
        raise Skipped("each look is a system call in this kernel")
    more, many = waits[1] - waits[0], rounds * 2 * (looks - 2)
    expect(more < many // 8, f"{more} more waits for {many} looks more")
    return f"{more} more waits for {many} looks more"


def check_programs_stopping() -> str:
    """SIGTERM at the stop or the end, SIGKILL for who does not listen; all is written, also of a daemon."""
    polite = "trap 'echo bye; exit 5' TERM; while :; do sleep 0.1; done"
    stubborn = "trap '' TERM; echo here; while :; do sleep 0.1; done"
    away = 'setsid sh -c "trap : TERM HUP; while :; do echo alive; sleep 0.5; done" & exit 0'
    text = programs(
        program("polite", "ue", polite, 'stop = "2s"\n')
        + program("stubborn", "router", stubborn, 'stop = "3s"\n')
        + program("lasting", "server", polite)
        + program("away", "server", away)
        + program("brief", "ue", "sleep 1; echo $PWD; ip -br addr", 'start = "1s"\n')
    )
    result, folder = run("stopping", 'until = "stubborn"\n' + text)
    said = {p.name: p.read_text() for p in (folder / "programs").iterdir()}
    expect(said["polite.out"] == said["lasting.out"] == "bye\n", str(said))
    expect(said["stubborn.out"] == "here\n" and "10.0.2.1/24" in said["brief.out"], str(said))
    alive = said["away.out"].split()
    expect({*alive} == {"alive"} and 7 <= len(alive) <= 9, str(said))
    expect(4 <= result["ended_s"] < 4.01, f"killed at {result['ended_s']}, not a second after its stop")
    return "told at 2 s, killed at 4 s, told at the end"


def check_programs_failing() -> str:
    """It is an error of the run, by name and with its last words."""
    out = OUT / "failing-program"
    shutil.rmtree(out, ignore_errors=True)
    text = programs(program("broken", "ue", "echo first; echo last >&2; exit 3"))
    called = wlab("run", str(write("failing-program", text)), "--out", str(out))
    for words in ("first\nlast", "program broken: exit status 3"):
        expect(words in called.err, f"'{words}' is not in:\n{called.err}")
    expect(called.status == 1 and not out.exists(), "it passed")
    # The second as one whose output never ends.
    for ends, signal in (("kill -SEGV $$", 11), ("exec truncate -s 2G /dev/stdout", 25)):
        killed = programs(program("broken", "ue", ends))
        called = wlab("run", str(write("failing-program", killed)), "--out", str(out))
        expect(f"program broken: signal {signal}" in called.err, called.err)
    return "exit status 3, signal 11, a file without end"


def check_udp_stamps() -> str:
    """An UDP flow's delays count from the run's own start in each run of a boot."""
    text = f'duration = "2s"\n{LINKS}[[flow]]\nname = "u"\nkind = "udp"\nrate = "64kbit"\nsize = 500\n'
    series: Any = run("stamps", text, "--runs", "2")[0]
    alone, _ = run("stamps-alone", text, "--seed", "2")
    one, two = (r["flows"]["u"]["end_to_end"] for r in series)
    expect(one == two == alone["flows"]["u"]["end_to_end"], f"{one}, {two}")
    # Of the links: 40 ms, the packet's own bits at 1 Mbit/s and in whole TTIs at 384 kbit/s.
    least = 40e6 + 500 * 8e9 / 1e6 + 10e6
    expect(least <= one["min_ns"] <= one["max_ns"] < least + 20e6, str(one))
    return f"{one['mean_ns'] / 1e6:.3f} ms in both runs"


def switches() -> int:
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_nvcsw


def check_what_a_datagram_costs() -> str:
    """The kernel sends datagrams: the host waits a few times for 64, in place of once for each.

    Starts differ by some thousand waits, by what else the machine does: the packets are many more.
    """
    rest = '[radio]\nwlink = "rate 1gbit delay 1ms"\n[[flow]]\nname = "u"\nsize = 1250\n'
    transfers = 'rate = "10mbit"\ntransfer = "12500b"\n'
    out = []
    for kind, duration, most, few, many in (
        ("udp", "10s", 0.25, 'rate = "10kbit"', 'rate = "50mbit"'),
        ("media", "10s", 0.25, 'rate = "10kbit"', 'rate = "50mbit"\ntalk = "100s"\nsilence = "1ms"'),
        ("load", "10s", 0.25, f'{transfers}arrival = "100s"', f'{transfers}arrival = "2ms"'),
        # Each end reads and answers by itself, in two waits a call.
        ("ping", "1s", 22, 'protocol = "udp"', 'protocol = "udp"\ninterval = "250us"'),
    ):
        head = f'duration = "{duration}"\n{rest}'
        before = switches()
        run(f"cheap-none-{kind}", f'{head}kind = "{kind}"\n{few}\n')
        between = switches()
        result, _ = run(f"cheap-{kind}", f'{head}kind = "{kind}"\n{many}\n')
        packets, waits = result["flows"]["u"]["packets_sent"], switches() - between - (between - before)
        expect(packets > 3000 and waits < most * packets, f"{kind}: {waits} waits for {packets} packets")
        out.append(f"{kind}: {waits} waits for {packets} packets")
    return ", ".join(out)


def check_what_the_end_finds_in_a_link() -> str:
    """A packet of which the end finds a link is counted there and nowhere else."""
    link = "rate unlimited delay 400us limit 2000"
    text = brief(f"""duration = "10ms"
[wired]
wlink = "{link}"
[radio]
wlink = "{link}"
[[flow]] name = "u"; kind = "udp"; rate = "1gbit"; size = 125; start = "9ms"
""")
    _, folder = run("held", text)
    counts = Counter((link, s.drop) for link in ("wired.down", "radio.down") for s in sdus(folder, link))
    # One each microsecond from 9 ms, and 400 of them in each link.
    first, second = (counts[link, "none"] for link in ("wired.down", "radio.down"))
    expect(abs(first - 600) <= 1 and abs(second - 200) <= 1, str(counts))
    expect(counts["wired.down", "flush"] == 1000 - first, str(counts))
    expect(counts["radio.down", "flush"] == first - second, str(counts))
    return f"{counts['wired.down', 'flush']} and {counts['radio.down', 'flush']} of 1000"


def left(sysctls: dict[str, str], offloads: str, shown: str) -> dict[str, Any]:
    """What is said of a stack of which a guest has left this."""
    folder = OUT / "stack-left"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    raw = {"name": "x", "duration": "1s", "radio": {"wlink": "rate 1mbit"}, "tcp": {"stack": "reno-2006"}}
    sc = scenario.read(raw)
    have = {**stack.wanted(sc.tcp), **sysctls}
    lines = [f"{place} {k} {v}".strip() for place in ("server", "ue") for k, v in have.items()]
    (folder / "sysctls").write_text("\n".join([*lines, "- net.core.default_qdisc fq"]) + "\n")
    (folder / "offloads").write_text(offloads)
    (folder / "stack").write_text(shown)
    return stack.report(sc, folder)


def check_stack_not_in_force() -> str:
    """A kernel that lacks one setting and has its own mind about others is told of."""
    features = "wired-down tx-generic-segmentation on\nwired-down rx-gro-list\n"
    link = "2: wired-down@if3: <UP> mtu 1500\n    veth gso_max_size 65536 gso_max_segs 1 gro_max_size 65536\n"
    route = "unicast 10.0.2.0/24 via 10.0.1.2 dev wired-down scope global window 65535 rto_min lock 300ms\n"
    said = left({"net.ipv4.tcp_sack": "1", "net.ipv4.tcp_frto": ""}, features, link + route)
    expect("net.ipv4.tcp_frto" in said["missing"] and "rx-gro-list" in said["missing"], str(said["missing"]))
    differs = {(d["name"], d["in"]): (d["wanted"], d["is"]) for d in said["differs"]}
    expected = {
        ("net.ipv4.tcp_sack", "server"): ("0", "1"),
        ("net.ipv4.tcp_sack", "ue"): ("0", "1"),
        ("net.core.default_qdisc", "-"): ("pfifo_fast", "fq"),
        ("route rto_min", "server"): ("200ms", "300ms"),
        ("route initcwnd", "server"): ("1", "-"),
        ("tx-generic-segmentation", "wired-down"): ("off", "on"),
    }
    for key, values in expected.items():
        expect(differs.get(key) == values, f"{key}: {differs.get(key)} instead of {values}")
    told = ("net.ipv4.tcp_reordering", "route window", "gso_max_segs")
    wrong = [key for key in differs if key[0] in told and key[1] in ("server", "wired-down")]
    expect(not wrong, f"these are as they must be: {wrong}")
    return f"{len(said['missing'])} missing, {len(differs)} otherwise"


IPERF3 = {"tcp": "", "tcp-back": "-R", "udp": "-u -b 4M", "udp-back": "-u -b 4M -R"}
SPIN = (
    "from time import monotonic as now; end = now() + 0.5; print(sum(iter(lambda: now() < end, False)))"
)


def iperf3_runs(clock: str) -> tuple[dict[str, Any], dict[str, float], int]:
    """The result, what the receivers of iperf3 got in Mbit/s, and how often a loop looks in half a second."""
    each = " && ".join(
        f"iperf3 -c 10.0.1.1 -t 2 -J --logfile {name}.json {words}" for name, words in IPERF3.items()
    )
    more = "start = '100ms'\nkeep = ['*.json']\n"
    client = program("client", "ue", f"{each} && exec python3 -c '{SPIN}'", more)
    radio = "[radio]\nwlink = 'rate 10mbit delay 20ms limit 100ms'\n"
    body = f"duration = '60s'\nuntil = 'client'\n{clock}{radio}"
    result, folder = run("iperf3", body + program("server", "server", "exec iperf3 -s") + client)
    got = {}
    for name in IPERF3:
        end = json.loads((folder / "kept" / f"{name}.json").read_text())["end"]
        one = end["sum"] if name.startswith("udp") else end["sum_received"]
        got[name] = one["bits_per_second"] * (1 - one.get("lost_percent", 0) / 100) / 1e6
    return result, got, int((folder / "programs" / "client.out").read_text())


def check_programs_that_spin() -> str:
    """iperf3 and a loop around the clock end; the run names who looks at it, unless looks have a price."""
    if not shutil.which("iperf3"):
        raise Skipped("iperf3 is not there: userspace/need programs")
    free, got, looks = iperf3_runs("")
    paid, again, paid_looks = iperf3_runs("[clock]\nprice = '10us'\n")
    version = re.findall(r"\d+", call(["iperf3", "--version"]).stdout)[:2]
    if tuple(map(int, version)) >= (3, 16):
        # Its server sends until another thread's timer, for which only a price lets time go on.
        del got["udp-back"]
    for name in IPERF3:
        least, most = (3.9, 4.1) if name.startswith("udp") else (8.5, 9.6)
        for mbit in (got.get(name, again[name]), again[name]):
            expect(least < mbit < most, f"{name}: {mbit} Mbit/s")
    # Without a price the first 10,000 take 1 ns each.
    expect(abs(looks - 10_000 - 50_000) < 1000, f"{looks} looks in half a second")
    expect(abs(paid_looks - 50_000) < 200, f"{paid_looks} looks in half a second, all of 10 us")
    expect("spins" not in paid, f"{paid.get('spins')} is named though its looks have a price")
    line = next((one for one in table(free).splitlines() if one.startswith("clock ")), "")
    expect(free["spins"] in line and "clock.price = '10us'" in line, f"the run says '{line}'")
    return f"{free['spins']}; " + ", ".join(f"{name} {mbit:.2f}" for name, mbit in got.items())


# Those that no scenario is about.
HAS = """set -e
ip link set lo up && ip link add name veth-a type veth peer name veth-b
for kind in cake pie fq_pie; do tc qdisc replace dev veth-a root $kind; done
ip link add br0 type bridge && ip link set veth-b master br0
ip tuntap add dev tun0 mode tun
python3 -c '
import socket
have = open("/proc/sys/net/ipv4/tcp_available_congestion_control").read().split()
assert {"dctcp", "vegas", "westwood"} <= {*have}, have
with socket.create_server(("127.0.0.1", 1)) as server, socket.create_connection(("127.0.0.1", 1)) as one:
    one.setsockopt(socket.IPPROTO_TCP, 31, b"tls")
'"""


def check_protocols_of_today() -> str:
    """What the lab has of today's protocols; each one's scenario, and its effect."""
    called = wlab("exec", "--", "sh", "-c", HAS)
    expect(called.status == 0, called.err)
    for program in ("wg", "iperf3", "nft"):
        if not shutil.which(program, path=f"{os.environ['PATH']}:/usr/sbin"):
            raise Skipped(f"{program} is not there: userspace/need programs")
    folders = {}
    for name in ("mptcp", "wireguard", "home"):
        folders[name] = OUT / f"today-{name}"
        file = ROOT / "userspace/wlab/scenarios" / f"{name}.toml"
        called = wlab("run", str(file), "--force", "--json", "--out", str(folders[name]))
        expect(called.status == 0, f"{name}: {called.err}")
    said = (folders["mptcp"] / "programs" / "phone.out").read_text().split("\n")[:-1]
    mbit = [float(line.split()[1]) for line in said]
    # Both; without the faster one; both again.
    expect(min(mbit[3:5]) > 35, f"over both links: {mbit}")
    expect(8 < sum(mbit[7:11]) / 4 < 11, f"in the outage: {mbit}")
    expect(max(mbit[12:]) > 35, f"after it: {mbit}")
    tunnel = json.loads((folders["wireguard"] / "kept" / "iperf3.json").read_text())["end"]["sum_received"]
    expect(7e6 < tunnel["bits_per_second"] < 10e6, f"through the tunnel: {tunnel}")
    home = json.loads((folders["home"] / "result.json").read_text())["flows"]
    expect(home["upload"]["goodput_bps"] > 8e6, f"the upload: {home['upload']['goodput_bps']}")
    p95_ms = home["ping"]["rtt"]["p95_ns"] / 1e6
    expect(50 < p95_ms < 75, f"pings take {p95_ms} ms")
    rules = json.loads((folders["home"] / "kept" / "rules.json").read_text())["nftables"]
    met = [word["counter"]["packets"] for entry in rules for word in entry.get("rule", {"expr": []})["expr"]
           if "counter" in word]  # fmt: skip
    # Of each connection the first packet only, with the upload one and the pings one.
    expect(met == [2], f"the router's rule has met {met}")
    return f"MPTCP {mbit}, WireGuard {tunnel['bits_per_second'] / 1e6:.1f} Mbit/s, ping {p95_ms:.0f} ms"
